"""One score out of what each leg says about a passage. Pure: numbers in, numbers out.

Vector scores are compared within their language (`centres.Standard`), keyword coverage is a share of the question's
idf mass. The sum is calibrated: a leg that says nothing about a passage counts as "ordinary", not as "worst".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cortex.retrieval import constants
from cortex.retrieval.centres import Standard
from cortex.text.language import Lang


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage as the legs see it. None: the leg cannot judge it (no vector yet)."""

    lang: Lang
    deep: float | None = None
    """Inner product of the centred question and the passage's raw vector; so too `fast`."""
    fast: float | None = None
    sentence: float | None = None
    """The best of the passage's sentences, in the fast space."""
    body: float = 0.0
    """Share of the question's idf mass that the passage holds (`translation`), 0 to 1."""
    title: float = 0.0
    """The same of the document's title."""


@dataclass(frozen=True, slots=True)
class Fused:
    """Higher is better, comparable between languages of one question. Features are before their weights."""

    score: float
    features: Mapping[str, float]


def fuse(
    candidates: Sequence[Candidate], standards: Mapping[tuple[str, Lang], Standard], question_lang: Lang
) -> list[Fused]:
    """Scores in the order of the candidates.

    Args:
        standards: by space (`deep`, `fast`) and language; sentences use those of `fast`.
    """
    return [_fused(candidate, standards, candidate.lang == question_lang) for candidate in candidates]


def _fused(candidate: Candidate, standards: Mapping[tuple[str, Lang], Standard], same: bool) -> Fused:
    def standardised(space: str, score: float | None) -> float:
        standard = standards.get((space, candidate.lang))
        return constants.MISSING if score is None or standard is None else standard.of(score)

    features = {
        "deep": standardised("deep", candidate.deep),
        "fast": standardised("fast", candidate.fast),
        "sentence": standardised("fast", candidate.sentence if candidate.sentence is not None else candidate.fast),
        "body": candidate.body,
        "title": candidate.title,
        "same": float(same),
    }
    weights = {
        "deep": constants.DEEP,
        "fast": constants.FAST,
        "sentence": constants.SENTENCE,
        "body": constants.BODY,
        "title": constants.TITLE,
        "same": constants.SAME,
    }
    return Fused(sum(weights[name] * value for name, value in features.items()), features)
