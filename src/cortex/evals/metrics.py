"""Metrics of retrieval and answers: pure functions over ranks and flags. A mean over nothing is None, never 0."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher

Rank = int | None
"""A place in a list, from 1; None where it is not in the list."""


def rank_of(gold: Collection[str], found: Iterable[str]) -> Rank:
    """The place of the first of `gold` in `found`."""
    return next((rank for rank, note in enumerate(found, 1) if note in gold), None)


def recall_at(ranks: Sequence[Rank], k: int) -> float | None:
    """The share of questions with a gold note among the first `k`."""
    return rate(rank is not None and rank <= k for rank in ranks)


def mean_reciprocal_rank(ranks: Sequence[Rank]) -> float | None:
    """The mean of 1 / rank, 0 where nothing was found."""
    return sum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else None


def rate(flags: Iterable[bool]) -> float | None:
    """The share that is true."""
    seen = list(flags)
    return sum(seen) / len(seen) if seen else None


def hybrid_minus_best_leg(fused: Sequence[Rank], legs: Mapping[str, Sequence[Rank]], k: int = 1) -> float | None:
    """Recall@k of the fused list less that of the leg which is best over the same questions: below 0, fusion hurts.

    Args:
        fused: per question.
        legs: per leg name, per question in the same order; None where the leg did not find it.
    """
    of_fused = recall_at(fused, k)
    of_legs = [value for ranks in legs.values() if (value := recall_at(ranks, k)) is not None]
    return of_fused - max(of_legs) if of_fused is not None and of_legs else None


def area_under_curve(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The chance that one of `positive` is above one of `negative`; ties count half. Neither may be empty."""
    above = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return above / (len(positive) * len(negative))


def overlaps(quote: str, gold: str) -> bool:
    """Whether two quotes show the same words: their longest common run makes up half of the shorter one.

    White space, case and width do not count. Half, because a quote may begin inside the gold one and end outside of it.
    """
    ours, theirs = _folded(quote), _folded(gold)
    if not ours or not theirs:
        return False
    run = SequenceMatcher(None, ours, theirs, autojunk=False).find_longest_match()
    return run.size * 2 >= min(len(ours), len(theirs))


def holds(passage: str, gold: str) -> bool:
    """Whether a passage shows the gold quote: whole, or cut by the passage's end."""
    return _folded(gold) in _folded(passage) or overlaps(passage, gold)


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
