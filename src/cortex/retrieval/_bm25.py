"""How much of an index a keyword question must read: rare words find the passages, frequent ones only add to what they found.

A word that half of all passages hold costs most of the time and decides least. Passages are taken by the rare words of the
question until there are enough, and the frequent ones are looked up for the best of these. What a passage without any rare word
could score at most is known, so it is known whether the first rows are the exact ones; where they are not, more words are read.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_GAIN = 2.2
"""What a term's rarity is multiplied by at most, however often a passage holds it: k1 + 1."""

LEVELS = ((2_000, 1_000), (40_000, 5_000))
"""Postings read for the rare words, and passages looked at after that; then everything."""

EVERYTHING = 2_000_000_000


@dataclass(frozen=True)
class Term:
    """A term that the library has, the word of the question that it stands for, and its weight with its rarity."""

    term: int
    group: int
    weight: float
    count: int


@dataclass(frozen=True)
class Plan:
    """`bound`: what a passage that holds none of the rare words scores at most; `values` are the statement's."""

    bound: float
    most: int
    values: Mapping[str, Any]

    def is_exact(self, rows: Sequence[Mapping[str, Any]], limit: int) -> bool:
        """Whether no passage that was left out belongs among the first `limit`."""
        if self.most == EVERYTHING:
            return True
        floor = rows[0]["floor"] if rows and rows[0]["seen"] >= self.most else 0.0
        return len(rows) == limit and rows[-1]["score"] >= floor + self.bound


def rarity(count: int, total: int) -> float:
    """BM25's idf."""
    return math.log(1 + (max(0, total - count) + 0.5) / (count + 0.5))


def plans(terms: Sequence[Term]) -> Iterator[Plan]:
    """Ever more of the question's words as the ones to read whole; the last plan reads all of them."""
    groups: dict[int, list[Term]] = defaultdict(list)
    for term in terms:
        groups[term.group].append(term)
    ordered = sorted(groups.values(), key=_bound, reverse=True)
    before = 0
    for postings, most in LEVELS:
        taken = _enough(ordered, postings)
        if before < taken < len(ordered):
            yield _plan(ordered[:taken], ordered[taken:], most)
        before = taken
    yield _plan(ordered, [], EVERYTHING)


def _enough(ordered: Sequence[Sequence[Term]], postings: int) -> int:
    read = 0
    for taken, group in enumerate(ordered, 1):
        read += sum(term.count for term in group)
        if read >= postings:
            return taken
    return len(ordered)


def _bound(group: Sequence[Term]) -> float:
    return max(term.weight for term in group) * MOST_GAIN


def _plan(rare: Sequence[Sequence[Term]], frequent: Sequence[Sequence[Term]], most: int) -> Plan:
    bound = sum(map(_bound, frequent))
    first, more = ([term for group in groups for term in group] for groups in (rare, frequent))
    values = {
        "terms": [t.term for t in first],
        "groups": [t.group for t in first],
        "weights": [t.weight for t in first],
        "more_terms": [t.term for t in more],
        "more_groups": [t.group for t in more],
        "more_weights": [t.weight for t in more],
        "bound": bound,
        "most": most,
    }
    return Plan(bound, most, values)
