"""How much of an index a keyword question must read: rare words find the passages, frequent ones only add to what they found.

A word that half of all passages hold costs most of the time and decides least. Where the question's words stand in many passages,
they are read from the rarest on until there are enough, and the others are looked up for the best of what was found. A passage
that holds none of the rare words is missed then; docs/performance.md has how seldom one belongs among the first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

K1, B = 1.2, 0.75
"""Robertson and Zaragoza 2009."""

ALL = 40_000
"""Postings up to which everything is read."""

ENOUGH = 20_000
"""Postings that are read at least where not everything is."""

MOST, MOST_SCOPED = 1_000, 2_500
"""Passages to which the frequent words are added; more where the scope takes some of them away afterwards."""

EVERYTHING = 2_000_000_000


@dataclass(frozen=True)
class Term:
    """A term that the library has, the word of the question that it stands for, and its weight before its rarity."""

    term: int
    group: int
    weight: float
    count: int
    """Passages that hold it."""

    def gain(self, total: int) -> float:
        """What it adds at most to the score of a passage, of `total` ones."""
        rarity = math.log(1 + (max(0, total - self.count) + 0.5) / (self.count + 0.5))
        return self.weight * rarity * (K1 + 1)


@dataclass(frozen=True)
class Plan:
    """What the statement needs."""

    values: Mapping[str, Any]
    whole: bool
    """Every word is read whole: the result is exact."""


def plan(
    terms: Sequence[Term],
    total: int,
    average: float,
    *,
    most: int = MOST,
    all_of: int = EVERYTHING,
    whole: bool = False,
) -> Plan:
    """Which words to read whole.

    Args:
        total, average: how many passages (or titles) of the language there are, and their mean length in terms.
        most: of how many passages the frequent words are looked up.
        all_of: how many passages are kept where every word is read whole.
        whole: read every word whole, whatever it costs.
    """
    groups: dict[int, list[Term]] = defaultdict(list)
    for term in terms:
        groups[term.group].append(term)
    ordered = sorted(groups.values(), key=lambda group: -max(term.gain(total) for term in group))
    taken = len(ordered) if whole or sum(term.count for term in terms) <= ALL else _enough(ordered)
    rare, frequent = ordered[:taken], ordered[taken:]
    values: dict[str, Any] = {
        "fixed": K1 * (1 - B),
        "by_length": K1 * B / average,
        **_columns("single_", [group for group in rare if len(group) == 1], total),
        **_columns("", [group for group in rare if len(group) > 1], total),
        **_columns("more_", frequent, total),
        "most": most if frequent else all_of,
    }
    return Plan(values, not frequent)


def _columns(name: str, groups: Sequence[Sequence[Term]], total: int) -> dict[str, list[Any]]:
    flat = [term for group in groups for term in group]
    return {
        f"{name}terms": [term.term for term in flat],
        f"{name}groups": [term.group for term in flat],
        f"{name}weights": [term.gain(total) for term in flat],
    }


def _enough(ordered: Sequence[Sequence[Term]]) -> int:
    read = 0
    for taken, group in enumerate(ordered, 1):
        read += sum(term.count for term in group)
        if read >= ENOUGH:
            return taken
    return len(ordered)
