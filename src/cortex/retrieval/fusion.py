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
    deep_length: float | None = None
    """Length of the deep vector without its language's mean (`centres.Space.lengths`): a passage of many topics is short."""
    fast: float | None = None
    sentence: float | None = None
    """The best of the passage's sentences, in the fast space."""
    body: float = 0.0
    """Share of the question's idf mass that the passage holds (`translation`), 0 to 1."""
    words: float | None = None
    """The most of it that one sentence holds (`reading`); None: not read yet."""
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
    deep, fast = standards.get(("deep", candidate.lang)), standards.get(("fast", candidate.lang))
    sentence = candidate.sentence if candidate.sentence is not None else candidate.fast
    features = {
        "deep": _of(deep, candidate.deep),
        "fast": _of(fast, candidate.fast),
        "sentence": min(constants.SENTENCE_MOST, _of(fast, sentence)),
        "body": candidate.body,
        "words": constants.WORDS_OF_BODY * candidate.body if candidate.words is None else candidate.words,
        "title": candidate.title,
        "same": float(same),
        "sentence_absolute": _absolute(fast, sentence),
    }
    if candidate.deep is None:
        features["deep"] = sum(weight * features[name] for name, weight in constants.DEEP_GUESS.items())
    features["deep_cosine"] = _deep_cosine(deep, candidate, features)
    return Fused(sum(weight * features[name] for name, weight in constants.FUSION.items()), features)


def _deep_cosine(deep: Standard | None, candidate: Candidate, features: Mapping[str, float]) -> float:
    if candidate.deep is None:
        guess = constants.DEEP_COSINE_GUESS
        return guess["bias"] + sum(weight * features[name] for name, weight in guess.items() if name != "bias")
    return _absolute(deep, candidate.deep) / (candidate.deep_length or constants.DEEP_LENGTH)


def _of(standard: Standard | None, score: float | None) -> float:
    return constants.MISSING if standard is None or score is None else standard.of(score)


def _absolute(standard: Standard | None, score: float | None) -> float:
    return constants.MISSING if standard is None or score is None else standard.absolute(score)
