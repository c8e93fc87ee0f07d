"""What else a search could have ranked: each leg alone, and the whole with one part left out or with fewer candidates.

Everything comes from what one search weighed (`Trace`): rows of a leg are dropped, features lose their weight, and the library is
not asked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cortex.retrieval import constants
from cortex.retrieval.candidates import PASSAGES_EACH, Judged, Trace, brought
from cortex.retrieval.fusion import Fused
from cortex.retrieval.legs import Found
from cortex.retrieval.search import LEGS, best_per_document, leg_ranks

PARTS = (*LEGS, "sentence", "reading")
"""What can be left out: a leg with its features, the best sentence's meaning, and the words of the best sentence."""

Features = Mapping[str, float]


def alone(trace: Trace) -> dict[str, list[int]]:
    """Each leg's own list of documents, best first."""
    return {leg: list(placed) for leg, placed in leg_ranks(trace.found, trace.standards).items()}


def fused(trace: Trace, each: int = constants.CANDIDATES_PER_LEG) -> list[int]:
    """The whole list, of the first `each` candidates of every leg and language; not more than the search itself took."""
    return _order(trace, trace.found, each, None)


def without(trace: Trace, part: str) -> list[int]:
    """The whole list as if a part were not there.

    Without `fast` only its candidates are missing: the best sentences, which live in the same space, are `sentence`. The
    dictionary also translates what titles are searched for.
    """
    rows = {
        (leg, lang): found
        for (leg, lang), found in trace.found.rows.items()
        if leg != part and not (part == "dictionary" and leg == "title" and lang != trace.lang)
    }
    return _order(trace, Found(rows), constants.CANDIDATES_PER_LEG, part)


def reached(trace: Trace) -> dict[int, int]:
    """Per document, how many candidates each leg must give at least for fusion to see it."""
    depths: dict[int, int] = {}
    for rows in trace.found.rows.values():
        for depth, row in enumerate(rows, 1):
            depths[row.document_id] = min(depth, depths.get(row.document_id, depth))
    return depths


def _order(trace: Trace, found: Found, each: int, part: str | None) -> list[int]:
    passages, documents = brought(found, each)
    kept = [
        one if part is None else replace(one, fused=_scored(_lacking(part, one, trace)))
        for one in trace.judged
        if one.passage_id in passages or (one.document_id in documents and one.ordinal < PASSAGES_EACH)
    ]
    return [one.document_id for one in best_per_document(kept)]


def _lacking(part: str, one: Judged, trace: Trace) -> Features:
    had = one.fused.features
    same = one.lang == trace.lang
    if part == "sentence":
        # As for a passage whose sentences have no vectors yet.
        return {**had, "sentence": min(constants.SENTENCE_MOST, had["fast"])}
    if part == "reading":
        return {**had, "words": constants.WORDS_OF_BODY * had["body"]}
    if part == "deep":
        return {**had, "deep": constants.MISSING, "deep_cosine": constants.MISSING}
    if part == "title":
        return {**had, "title": 0.0}
    if part == "body" and same:
        return {**had, "body": 0.0, "words": 0.0}
    if part == "dictionary" and not same:
        return {**had, "body": 0.0, "words": 0.0, "title": 0.0}
    return had


def _scored(features: Features) -> Fused:
    return Fused(sum(weight * features[name] for name, weight in constants.FUSION.items()), features)
