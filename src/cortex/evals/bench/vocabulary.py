"""Words as a library of any size has them: real ones at their real places, made-up ones in the long tail. Pure.

Which terms a passage holds decides what keyword search costs. Measured on the golden notebook and on published vaults: English
terms follow Zipf's law as it stands (rank 10 in 70 of 100 passages, rank 100 in 12, rank 1,000 in 1), Chinese ones, which are
characters and pairs, its flatter form of Mandelbrot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cortex.text import keywords
from cortex.text.language import Lang

_SHAPES: dict[Lang, tuple[int, float, int]] = {"en": (50_000, 0.0, 110), "zh": (120_000, 30.0, 300)}
"""Terms, Mandelbrot's offset, and terms a passage has (repeats counted)."""

_LETTERS = "bcdfghklmnprstvz"
_RARE_HAN = 0x4E00


@dataclass(frozen=True)
class Vocabulary:
    """Terms by rank. `cumulative[r]`: how likely a drawn term is among the first r + 1."""

    words: list[str]
    ids: NDArray[np.int64]
    cumulative: NDArray[np.float64]
    length: int
    """Terms of a passage, on average."""


@dataclass(frozen=True)
class Drawn:
    """Distinct terms of some passages, as parallel arrays ordered by passage; `rank` is the term's place in the vocabulary."""

    passage: NDArray[np.int64]
    rank: NDArray[np.int64]
    tf: NDArray[np.int64]
    lengths: NDArray[np.int64]
    """By passage: its terms with repeats."""


def vocabulary(lang: Lang, texts: Iterable[str], rng: np.random.Generator, *, size: int | None = None) -> Vocabulary:
    """The vocabulary whose frequent words are those of `texts`; words that `texts` hold once stand anywhere in the tail."""
    terms, offset, length = _SHAPES[lang]
    terms = size or terms
    weights = 1.0 / (np.arange(1, terms + 1) + offset)
    counts = Counter(term for text in texts for term in keywords.analyse(text, lang))
    common = [term for term, count in counts.most_common(terms // 4) if count > 1]
    rare = [term for term, count in counts.items() if count == 1][: terms // 4]
    places = len(common) + rng.choice(terms - len(common), len(rare), replace=False)
    words = common + [_made_up(lang, rank) for rank in range(len(common), terms)]
    for place, term in zip(places.tolist(), rare, strict=True):
        words[place] = term
    ids = np.array([keywords.term_id(word) for word in words], np.int64)
    return Vocabulary(words, ids, np.cumsum(weights) / weights.sum(), length)


def _made_up(lang: Lang, rank: int) -> str:
    if lang == "zh":
        return chr(_RARE_HAN + 5_000 + rank // 400) + chr(_RARE_HAN + 5_400 + rank % 400)
    letters: list[str] = []
    while rank or len(letters) < 5:
        rank, at = divmod(rank, len(_LETTERS))
        letters.append(_LETTERS[at])
    return "q" + "".join(letters)


def draw(vocabulary: Vocabulary, passages: int, rng: np.random.Generator) -> Drawn:
    """Terms for some passages, whose lengths differ by half the average up and down."""
    lengths = rng.integers(vocabulary.length // 2, vocabulary.length * 3 // 2, passages)
    ranks = np.searchsorted(vocabulary.cumulative, rng.random(int(lengths.sum()))).clip(max=len(vocabulary.words) - 1)
    size = len(vocabulary.words)
    keys, tf = np.unique(np.repeat(np.arange(passages), lengths) * size + ranks, return_counts=True)
    return Drawn(keys // size, keys % size, tf, lengths)


def texts(vocabulary: Vocabulary, drawn: Drawn, lang: Lang, rng: np.random.Generator) -> list[str]:
    """Readable text of each passage: its terms in sentences of ten."""
    space, stop = (" ", ". ") if lang == "en" else ("", "。")
    words = vocabulary.words
    made = []
    for ranks in np.split(drawn.rank, np.searchsorted(drawn.passage, np.arange(1, len(drawn.lengths)))):
        chosen = [words[rank] for rank in rng.permutation(ranks)[:100].tolist()]
        made.append("".join(space.join(chosen[at : at + 10]) + stop for at in range(0, len(chosen), 10)).strip())
    return made
