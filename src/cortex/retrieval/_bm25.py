"""BM25: which postings a keyword question must read, and what they make of the passages. Pure: numbers in, numbers out.

Rare words find the passages, frequent ones only add to what they found.

A word that half of all passages hold costs most of the time and decides least. Where the question's words stand in many passages,
they are read from the rarest on until there are enough, and the others are looked up for the best of what was found. A passage
that holds none of the rare words is missed then; docs/performance.md has how seldom one belongs among the first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]
Scores = NDArray[np.float64]

K1, B = 1.2, 0.75
"""Robertson and Zaragoza 2009."""

ALL = 40_000
"""Postings up to which everything is read."""

ENOUGH = 20_000
"""Postings that are read at least where not everything is."""

MOST, MOST_SCOPED = 1_000, 2_500
"""Passages to which the frequent words are added; more where the scope takes some of them away afterwards."""


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
class Postings:
    """What holds one term: passages (or documents) `keys`, how often each has it, and how many terms each has; equally long."""

    keys: Keys
    tf: NDArray[np.int64]
    length: NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """The terms that are read whole, and those that are looked up for the best of what these find. A group is in one of them."""

    rare: Sequence[Term]
    frequent: Sequence[Term]


def plan(terms: Sequence[Term], total: int, *, whole: bool = False) -> Plan:
    """Which words to read whole.

    Args:
        total: how many passages (or titles) of the language there are.
        whole: read every word whole, whatever it costs.
    """
    groups: dict[int, list[Term]] = defaultdict(list)
    for term in terms:
        groups[term.group].append(term)
    ordered = sorted(groups.values(), key=lambda group: -max(term.gain(total) for term in group))
    taken = len(ordered) if whole or sum(term.count for term in terms) <= ALL else _enough(ordered)
    rare, frequent = ([term for group in part for term in group] for part in (ordered[:taken], ordered[taken:]))
    return Plan(rare, frequent)


def _enough(ordered: Sequence[Sequence[Term]]) -> int:
    read = 0
    for taken, group in enumerate(ordered, 1):
        read += sum(term.count for term in group)
        if read >= ENOUGH:
            return taken
    return len(ordered)


def score(terms: Sequence[Term], postings: Mapping[int, Postings], total: int, average: float) -> tuple[Keys, Scores]:
    """The scores of everything that holds a term, in the order of the keys.

    A word of the question is a group of alternatives: the best one that a passage holds counts, by its weight and its rarity.

    Args:
        postings: by term; a term that nothing holds may be left out.
        total, average: how many passages (or titles) of the language there are, and their mean length in terms.
    """
    groups: dict[int, list[tuple[Keys, Scores]]] = defaultdict(list)
    for term in terms:
        if held := postings.get(term.term):
            saturated = held.tf / (held.tf + K1 * (1 - B) + K1 * B / average * held.length)
            groups[term.group].append((held.keys, term.gain(total) * saturated))
    return added([parts[0] if len(parts) == 1 else _largest(parts) for parts in groups.values()])


def added(parts: Sequence[tuple[Keys, Scores]]) -> tuple[Keys, Scores]:
    """The sum of each key's scores, in the order of the keys."""
    keys, places, scores = _joined(parts)
    return keys, np.bincount(places, scores, len(keys)).astype(np.float64)


def _largest(parts: Sequence[tuple[Keys, Scores]]) -> tuple[Keys, Scores]:
    keys, places, scores = _joined(parts)
    largest = np.zeros(len(keys))
    np.maximum.at(largest, places, scores)
    return keys, largest


def _joined(parts: Sequence[tuple[Keys, Scores]]) -> tuple[Keys, NDArray[np.int64], Scores]:
    """Each key once, in order; and of every entry of the parts the place of its key among them, and its score."""
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    keys, places = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
    return keys, places, np.concatenate([scores for _, scores in parts])


def best(keys: Keys, scores: Scores, most: int) -> tuple[Keys, Scores]:
    """The `most` best, best first; equal ones by key, so that the order is the same every time."""
    if len(keys) > most:
        least = -np.partition(-scores, most - 1)[most - 1]
        keys, scores = keys[scores >= least], scores[scores >= least]
    order = np.lexsort((keys, -scores))[:most]
    return keys[order], scores[order]
