"""The worker's jobs: cut changed documents into passages, then fill the spaces behind them, a bounded slice at a time.

`index_documents` makes a document searchable: it embeds what is new in the fast space, then replaces the document's
passages in one transaction, so that the old ones are found until then. `fill_sentences` and `fill_space` follow behind.
Every job may be killed at any moment and run again: what is done is found in the database, never in the queue.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from cortex.indexing import _repository as repository
from cortex.indexing import _status_repository
from cortex.indexing.passages import Passage, Source, build, embedded_text, title_terms
from cortex.jobs import enqueue, urgent
from cortex.library import INDEX_JOB
from cortex.logs import get
from cortex.providers.embedders import Embedder, Embedders
from cortex.settings import ChunkingSettings
from cortex.storage import Database, Transaction
from cortex.text.sentences import sentences

_log = get(__name__)

SLICE_SECONDS = 10.0
"""A job starts no new batch after this long; the rest is another job, so that urgent ones come between."""

_BATCH = 64
"""Passages embedded and written at a time."""

_DEEP_BATCH = 4
"""Passages of a space that a person does not wait for, which are embedded between two looks whether something urgent waits."""

_KEEP_UNUSED_DAYS = 7
"""How long a vector that no passage uses is kept, for files that come back."""

_SENTENCES_BATCH = 16
"""Passages whose sentences are embedded at a time: some hundred sentences, a second or so."""

_SENTENCES_CAP = 64
"""Sentence vectors a passage has at most; a longer one keeps its first ones."""

PRIORITY = {INDEX_JOB: 10, "fill_sentences": 5, "fill_space": 0, "collect_unused": -10}


@dataclass(frozen=True)
class Indexer:
    """The handlers of the indexing jobs, with what they need."""

    database: Database
    embedders: Embedders
    chunking: ChunkingSettings

    def handlers(self) -> Mapping[str, Callable[..., Awaitable[None]]]:
        return {
            INDEX_JOB: self.index_documents,
            "fill_sentences": self.fill_sentences,
            "fill_space": self.fill_space,
            "collect_unused": self.collect_unused,
        }

    async def index_documents(self, owner_id: int, document_ids: Sequence[int]) -> None:
        """Make the documents' present versions searchable; the ones that fail are marked with the reason."""
        async with self.database.transaction("ai", owner_id) as tx:
            sources = await repository.sources(tx, owner_id, document_ids)
        built: list[tuple[Source, list[Passage]]] = []
        for source in sources:
            try:
                passages = await asyncio.to_thread(build, source, self.chunking, self.embedders.deep.tokens)
            except Exception as error:  # noqa: BLE001 - one bad document must not stop the others; the reason is kept
                await self._failed(owner_id, source, error)
            else:
                built.append((source, passages))
        unfinished = await self._embed_fast(owner_id, [p for _, passages in built for p in passages])
        done = [(s, ps) for s, ps in built if unfinished.isdisjoint(p.hash for p in ps)]
        rest = [s.document_id for s, ps in built if not unfinished.isdisjoint(p.hash for p in ps)]
        rest += await self._replace(owner_id, done)
        async with self.database.transaction("ai", owner_id) as tx:
            if rest:
                await enqueue(tx, INDEX_JOB, priority=PRIORITY[INDEX_JOB], owner_id=owner_id, document_ids=rest)
            if done:
                await enqueue_filling(tx, owner_id)

    async def fill_space(self, owner_id: int, space: str) -> None:
        """Embed passages that the space lacks, for one slice of time; the rest is the next job."""
        embedder = self.embedders.by_space()[space]

        async def fill(rows: Sequence[Mapping[str, str]]) -> None:
            texts = [embedded_text(row["prefix"], row["text"]) for row in rows]
            keys = [(row["hash"], row["lang"] == "zh", None) for row in rows]
            await self._embed(owner_id, embedder, keys, texts)  # type: ignore[arg-type]

        await self._fill(owner_id, space, fill, "fill_space", {"space": space})

    async def fill_sentences(self, owner_id: int) -> None:
        """Embed the sentences of passages that lack them, for one slice of time; the rest is the next job."""

        async def fill(rows: Sequence[Mapping[str, str]]) -> None:
            spans = [sentences(row["text"], row["lang"])[:_SENTENCES_CAP] or [(0, len(row["text"]))] for row in rows]  # type: ignore[arg-type]
            texts = [row["text"][s:e] for row, parts in zip(rows, spans, strict=True) for s, e in parts]
            vectors = await asyncio.to_thread(self.embedders.fast.embed_passages, texts)
            packed, at = [], 0
            for row, parts in zip(rows, spans, strict=True):
                packed.append((row["hash"], parts, vectors[at : at + len(parts)]))
                at += len(parts)
            async with self.database.transaction("ai", owner_id) as tx:
                await repository.insert_sentences(tx, owner_id, packed)  # type: ignore[arg-type]

        await self._fill(owner_id, "sentences", fill, "fill_sentences")

    async def collect_unused(self, owner_id: int) -> None:
        """Drop vectors that no passage has used for a week."""
        async with self.database.transaction("ai", owner_id) as tx:
            await repository.collect(tx, owner_id, self._tables(), _KEEP_UNUSED_DAYS)

    async def _fill(
        self,
        owner_id: int,
        space: str,
        fill: Callable[[Sequence[Mapping[str, str]]], Awaitable[None]],
        job: str,
        arguments: Mapping[str, str] | None = None,
    ) -> None:
        batch, piece = (_SENTENCES_BATCH,) * 2 if space == "sentences" else (_BATCH, _DEEP_BATCH)
        until = time.monotonic() + SLICE_SECONDS
        done = 0
        while True:
            async with self.database.transaction("ai", owner_id) as tx:
                if await _status_repository.paused(tx, owner_id):
                    return
                rows = await repository.missing(tx, owner_id, space, batch)
            if not rows:
                return
            for at in range(0, len(rows), piece):
                # One piece at least: a slice that does nothing would come back for ever.
                if done and await self._should_stop(owner_id, until, PRIORITY[job]):
                    await self._go_on_later(owner_id, job, space, arguments or {})
                    return
                await fill(rows[at : at + piece])
                done += 1

    async def _should_stop(self, owner_id: int, until: float, priority: int) -> bool:
        """Whether the slice is over, or a job waits that is more urgent."""
        if time.monotonic() >= until:
            return True
        async with self.database.transaction("ai", owner_id) as tx:
            return await urgent(tx, priority)

    async def _go_on_later(self, owner_id: int, job: str, space: str, arguments: Mapping[str, str]) -> None:
        mark = f"{job}:{owner_id}:{space}"
        async with self.database.transaction("ai", owner_id) as tx:
            await enqueue(tx, job, priority=PRIORITY[job], unique=mark, owner_id=owner_id, **arguments)

    async def _embed_fast(self, owner_id: int, passages: Sequence[Passage]) -> set[uuid.UUID]:
        """Embed what the fast space lacks, for one slice of time. Returns the hashes that are still missing."""
        wanted = {p.hash: p for p in passages}
        async with self.database.transaction("ai", owner_id) as tx:
            have = await repository.known(tx, owner_id, "fast", list(wanted)) if wanted else set()
        missing = [p for key, p in wanted.items() if key not in have]
        until = time.monotonic() + SLICE_SECONDS
        for at in range(0, len(missing), _BATCH):
            # One batch at least: a slice that does nothing would come back for ever.
            if at and await self._should_stop(owner_id, until, PRIORITY[INDEX_JOB]):
                return {p.hash for p in missing[at:]}
            batch = missing[at : at + _BATCH]
            texts = [embedded_text(p.prefix, p.text) for p in batch]
            keys = [(p.hash, p.lang == "zh", p.document_id) for p in batch]
            await self._embed(owner_id, self.embedders.fast, keys, texts)
        return set()

    async def _embed(
        self,
        owner_id: int,
        embedder: Embedder,
        keys: Sequence[tuple[uuid.UUID, bool, int | None]],
        texts: Sequence[str],
    ) -> None:
        vectors = await asyncio.to_thread(embedder.embed_passages, texts)
        async with self.database.transaction("ai", owner_id) as tx:
            await repository.insert_vectors(tx, owner_id, embedder.name, keys, vectors)

    async def _replace(self, owner_id: int, built: Sequence[tuple[Source, list[Passage]]]) -> list[int]:
        """Put the new passages in the place of the old ones. Returns the documents that lost a vector meanwhile."""
        if not built:
            return []
        async with self.database.transaction("ai", owner_id) as tx:
            await repository.share_texts(tx, owner_id)
            versions = await repository.current(tx, owner_id, [s.document_id for s, _ in built])
            fresh = [(s, ps) for s, ps in built if versions.get(s.document_id) == s.version]
            # A deletion for good takes every vector that nothing uses, also one that was made a moment ago for these.
            there = await repository.known(tx, owner_id, "fast", [p.hash for _, ps in fresh for p in ps])
            whole = [(s, ps) for s, ps in fresh if there.issuperset(p.hash for p in ps)]
            if whole:
                documents = [s for s, _ in whole]
                passages = [p for _, ps in whole for p in ps]
                titles = [title_terms(s) for s in documents]
                await repository.replace(tx, owner_id, documents, passages, titles, self._tables())
        return [s.document_id for s, ps in fresh if not there.issuperset(p.hash for p in ps)]

    async def _failed(self, owner_id: int, source: Source, error: Exception) -> None:
        _log.warning("document not indexed", document_id=source.document_id, error=type(error).__name__)
        async with self.database.transaction("ai", owner_id) as tx:
            reason = f"{type(error).__name__}: {error}"[:500]
            await repository.mark_failed(tx, owner_id, source.document_id, source.version, reason)

    def _tables(self) -> list[str]:
        return [*self.embedders.by_space(), "sentences"]


async def enqueue_filling(tx: Transaction, owner_id: int) -> None:
    """Have the spaces behind the fast one filled; one waiting job of each kind is enough."""
    await enqueue(tx, "fill_sentences", priority=PRIORITY["fill_sentences"], unique=f"fill_sentences:{owner_id}:sentences",
                  owner_id=owner_id)  # fmt: skip
    await enqueue(tx, "fill_space", priority=PRIORITY["fill_space"], unique=f"fill_space:{owner_id}:deep", owner_id=owner_id,
                  space="deep")  # fmt: skip
    await enqueue(tx, "collect_unused", priority=PRIORITY["collect_unused"], unique=f"collect_unused:{owner_id}",
                  owner_id=owner_id)  # fmt: skip
