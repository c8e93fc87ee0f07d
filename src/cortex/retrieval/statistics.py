"""What scoring needs to know of a library as a whole: sizes per language and a sample of its vectors. Kept for a minute."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from cortex.providers.embedders import Vectors
from cortex.retrieval import _repository as repository
from cortex.retrieval.centres import SAMPLE
from cortex.storage import Database
from cortex.text.language import Lang

_FRESH_SECONDS = 60.0


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


@dataclass
class StatisticsCache:
    """Per owner. A minute-old mean moves no ranking; a library that has just grown from nothing is read again at once."""

    database: Database
    _kept: dict[int, Statistics] = field(default_factory=dict)

    async def get(self, owner_id: int) -> Statistics:
        kept = self._kept.get(owner_id)
        if kept and time.monotonic() - kept.read_at < self._fresh_for(kept):
            return kept
        async with self.database.transaction("ai", owner_id) as tx:
            sizes = _sizes(await repository.sizes(tx, owner_id), await repository.title_sizes(tx, owner_id))
            samples = {
                (space, lang): _matrix(await repository.sample(tx, owner_id, space, lang == "zh", SAMPLE), dims)
                for space, dims in await repository.spaces(tx, owner_id)
                for lang in sizes
            }
        self._kept[owner_id] = Statistics(sizes, samples, time.monotonic())
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


def _matrix(rows: list[Vectors], dims: int) -> Vectors:
    return np.stack(rows) if rows else np.zeros((0, dims), np.float32)
