"""Hits that say the same: one note copied to several sources takes one place, and the others are named beside it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from cortex.retrieval.results import Hit

ALIKE = 0.9
"""Share of shingles that two passages must have in common, of the larger of the two."""

_SHINGLE = 5
"""Characters, without spaces and marks: serves Chinese and English alike."""
_SHORT = 40
"""So little text ("Done.", "见下") is alike by chance: below it, the titles must agree too."""


@dataclass(frozen=True)
class Folded:
    """A hit, and those further down whose passage is nearly the same, best first."""

    hit: Hit
    also_in: tuple[Hit, ...] = ()


def fold(hits: Sequence[Hit]) -> list[Folded]:
    """Hits in their order, each near-identical later one folded into the first like it."""
    kept: list[tuple[Hit, str, frozenset[str], list[Hit]]] = []
    for hit in hits:
        text = _normal(hit.passage.text)
        shingles = _shingles(text)
        for first, other, others, also_in in kept:
            same_title = _normal(first.title) == _normal(hit.title)
            if (same_title or len(text) >= _SHORT) and (text == other or _overlap(shingles, others) >= ALIKE):
                also_in.append(hit)
                break
        else:
            kept.append((hit, text, shingles, []))
    return [Folded(hit, tuple(also_in)) for hit, _, _, also_in in kept]


def _normal(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def _shingles(text: str) -> frozenset[str]:
    return frozenset(text[start : start + _SHINGLE] for start in range(max(1, len(text) - _SHINGLE + 1)))


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(len(a), len(b))
