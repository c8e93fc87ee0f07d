"""What scoring needs to know of a library as a whole: sizes per language, a sample of its vectors and of its words. Kept for a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cortex.logs import get
from cortex.providers.embedders import Vectors
from cortex.retrieval import _postings_repository as postings
from cortex.retrieval import _repository as repository
from cortex.retrieval.centres import SAMPLE
from cortex.storage import Database, Transaction
from cortex.text.language import Lang

_FRESH_SECONDS = 60.0
_COUNTED = 2_000
"""Passages with a term up to which they are counted, at each question anew; of a term that more of them hold the number is estimated."""
_WORDS_OF = 5_000
"""Passages of a language whose terms are the sample for that. A term of `_COUNTED` of 100,000 stands in 100 of them, give or take 10:
its idf is 2 to 3 % off."""
_log = get(__name__)


@dataclass(frozen=True)
class Size:
    """Of one language: how many passages and titled documents, and their mean lengths in keyword terms (at least 1)."""

    passages: int = 0
    length: float = 1.0
    documents: int = 0
    title_length: float = 1.0


@dataclass(frozen=True)
class Statistics:
    """`samples` holds raw vectors by (space, language), shape (at most SAMPLE, dims)."""

    sizes: Mapping[Lang, Size]
    samples: Mapping[tuple[str, Lang], Vectors]
    read_at: float
    shares: Mapping[Lang, Mapping[int, float]] = field(default_factory=dict)
    """The share of a language's passages that hold a term, for the frequent ones, by a sample."""


async def document_counts(
    tx: Transaction, owner_id: int, statistics: Statistics, terms: Sequence[int], lang: Lang, *, titles: bool = False
) -> dict[int, int]:
    """How many passages (or documents by their titles) of one language hold each term.

    A rare term is counted each time: it costs nothing, and the word of a note that has just been written must not count as one that
    no note has. Counting a frequent one would read all its postings, so it is estimated.
    """
    if titles:
        return await postings.frequencies(tx, owner_id, terms, lang == "zh", titles=True)
    shares, passages = statistics.shares.get(lang, {}), statistics.sizes[lang].passages
    estimated = {term: round(shares[term] * passages) for term in terms if term in shares}
    frequent = {term: count for term, count in estimated.items() if count >= _COUNTED}
    rest = [term for term in terms if term not in frequent]
    counted = await postings.frequencies(tx, owner_id, rest, lang == "zh", most=_COUNTED) if rest else {}
    return counted | frequent


@dataclass
class StatisticsCache:
    """Per owner. A minute-old mean moves no ranking; a library that has just grown from nothing is read again at once."""

    database: Database
    _kept: dict[int, Statistics] = field(default_factory=dict)
    _reading: dict[int, asyncio.Task[Statistics]] = field(default_factory=dict)

    async def get(self, owner_id: int) -> Statistics:
        kept = self._kept.get(owner_id)
        if kept is None:
            return await self._read(owner_id)
        fresh_for = self._fresh_for(kept)
        if time.monotonic() - kept.read_at < fresh_for:
            return kept
        if fresh_for < _FRESH_SECONDS:
            return await self._read(owner_id)
        if owner_id not in self._reading:
            # Of a large library the old numbers are good enough for this question; the next one has the new ones.
            task = self._reading[owner_id] = asyncio.create_task(self._read(owner_id), name=f"statistics-{owner_id}")
            task.add_done_callback(lambda done: self._done(owner_id, done))
        return kept

    async def close(self) -> None:
        """End what is being read."""
        tasks = list(self._reading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, owner_id: int, task: asyncio.Task[Statistics]) -> None:
        self._reading.pop(owner_id, None)
        if not task.cancelled() and (error := task.exception()):
            _log.warning("the library's statistics stay old", reason=" ".join(str(error).split()))

    async def _read(self, owner_id: int) -> Statistics:
        async with self.database.transaction("ai", owner_id) as tx:
            sizes = _sizes(await repository.sizes(tx, owner_id), await repository.title_sizes(tx, owner_id))
            samples = {
                (space, lang): _matrix(await repository.sample(tx, owner_id, space, lang == "zh", SAMPLE), dims)
                for space, dims in await repository.spaces(tx, owner_id)
                for lang in sizes
            }
            shares = {
                lang: await postings.frequent_terms(tx, owner_id, lang, _WORDS_OF)
                for lang, size in sizes.items()
                if size.passages >= _COUNTED
            }
        self._kept[owner_id] = Statistics(sizes, samples, time.monotonic(), shares)
        return self._kept[owner_id]

    @staticmethod
    def _fresh_for(kept: Statistics) -> float:
        """A small library is read in a moment and changes much by one note: seconds; a large one: a minute."""
        return min(_FRESH_SECONDS, sum(size.passages for size in kept.sizes.values()) / 200)


def _sizes(bodies: list[dict[str, float]], titles: list[dict[str, float]]) -> dict[Lang, Size]:
    by_lang = {row["lang"]: row for row in bodies}
    by_zh = {row["zh"]: row for row in titles}

    def size(lang: Lang) -> Size:
        body, title = by_lang.get(lang, {}), by_zh.get(lang == "zh", {})  # type: ignore[call-overload]
        return Size(
            passages=int(body.get("passages") or 0),
            length=max(1.0, body.get("length") or 1.0),
            documents=int(title.get("documents") or 0),
            title_length=max(1.0, title.get("length") or 1.0),
        )

    return {"en": size("en"), "zh": size("zh")}


def _matrix(rows: Vectors | None, dims: int) -> Vectors:
    return rows if rows is not None else np.zeros((0, dims), np.float32)
