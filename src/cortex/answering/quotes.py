"""Answers without a model: the sentences of the found passages that answer the question, verbatim, each with its citation.

Pure functions over sentences that were scored against the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cortex.text.language import Lang

REFUSAL: dict[Lang, str] = {
    "en": "I could not find an answer to this in your notes.",
    "zh": "在你的笔记里没有找到这个问题的答案。",
}
"""The one refusal sentence, in the question's language."""

MAX_QUOTES = 4
_PER_SOURCE = 2
_WITHIN = 0.8
"""How far below the best sentence's score a further one may lie to be quoted too."""

_MARKER = re.compile(r"(?:#{1,6}\s+|>\s*|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)+")
_BRACKETED = re.compile(r"(\[|【)(?=\s*\d)")
_WORTHLESS = re.compile(r"[\W\d_]*")


@dataclass(frozen=True)
class ScoredSentence:
    """A sentence of source `n`'s passage; offsets count code points of the document's text."""

    n: int
    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True)
class Quote:
    """A verbatim piece of source `n`."""

    n: int
    start: int
    end: int
    text: str


def choose(sentences: Sequence[ScoredSentence]) -> list[Quote]:
    """The best sentences, best first, at most two of a source; a text is quoted once even where notes repeat it."""
    ranked = sorted((s for s in sentences if not _WORTHLESS.fullmatch(s.text)), key=lambda s: (-s.score, s.n, s.start))
    chosen: list[ScoredSentence] = []
    for sentence in ranked:
        if len(chosen) == MAX_QUOTES or (chosen and sentence.score < chosen[0].score - _WITHIN):
            break
        said = {_folded(other.text) for other in chosen}
        if _folded(sentence.text) not in said and sum(other.n == sentence.n for other in chosen) < _PER_SOURCE:
            chosen.append(sentence)
    return [_trimmed(sentence) for sentence in _in_reading_order(chosen)]


def as_markdown(text: str) -> str:
    """A quote on one line of the answer; a number in brackets of its own must not read as a citation."""
    return _BRACKETED.sub(r"\\\1", " ".join(text.split()))


def _in_reading_order(chosen: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """Sources in the order of their best sentence; within a source as it is written."""
    order = list(dict.fromkeys(sentence.n for sentence in chosen))
    return sorted(chosen, key=lambda s: (order.index(s.n), s.start))


def _trimmed(sentence: ScoredSentence) -> Quote:
    """Without the list, quotation or heading marks at its front, which would turn into markup in the answer."""
    marker = _MARKER.match(sentence.text)
    start = sentence.start + (marker.end() if marker else 0)
    text = sentence.text[marker.end() :] if marker else sentence.text
    return Quote(sentence.n, start, start + len(text), text)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
