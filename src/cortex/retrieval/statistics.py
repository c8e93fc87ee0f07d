"""What scoring needs to know of a library as a whole: sizes per language and a sample of its vectors. Kept for a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cortex.logs import get
from cortex.providers.embedders import Vectors
from cortex.retrieval import _repository as repository
from cortex.retrieval.centres import SAMPLE
from cortex.storage import Database, Transaction
from cortex.text.language import Lang

_FRESH_SECONDS = 60.0
_FREQUENT = 500
"""Passages with a term from which their number is kept."""
_CLOSE = 0.01
"""Growth up to which kept numbers still do."""
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
    counts: dict[tuple[int, bool, bool], int] = field(default_factory=dict)
    """How many passages or titles (the last key) of a language (zh or not) hold a term, of the frequent terms that were asked for."""


async def document_counts(
    tx: Transaction, owner_id: int, statistics: Statistics, terms: Sequence[int], zh: bool, *, titles: bool = False
) -> dict[int, int]:
    """How many passages of one language hold each term.

    Counting a frequent one reads all its postings, so it is kept. A rare one is counted again each time: it costs nothing, and the
    word of a note that has just been written must not count as one that no note has.
    """
    counts = statistics.counts
    missing = [term for term in terms if (term, zh, titles) not in counts]
    found = {term: counts[term, zh, titles] for term in terms if (term, zh, titles) in counts}
    if missing:
        counted = await repository.frequencies(tx, owner_id, missing, zh, titles=titles)
        found.update((term, counted.get(term, 0)) for term in missing)
        counts.update(((term, zh, titles), count) for term, count in counted.items() if count >= _FREQUENT)
    return found


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
        kept = self._kept.get(owner_id)
        counts = kept.counts if kept and _close(kept.sizes, sizes) else {}
        self._kept[owner_id] = Statistics(sizes, samples, time.monotonic(), counts)
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


def _close(old: Mapping[Lang, Size], new: Mapping[Lang, Size]) -> bool:
    """Whether the counts of a library that was like `old` still do."""
    return all(abs(new[lang].passages - old[lang].passages) <= _CLOSE * old[lang].passages for lang in new)


def _matrix(rows: Vectors | None, dims: int) -> Vectors:
    return rows if rows is not None else np.zeros((0, dims), np.float32)
