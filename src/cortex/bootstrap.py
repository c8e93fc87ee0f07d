"""The composition root: the only module that knows all parts. Builds them from settings and takes them down again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from cortex import jobs
from cortex.answering.answer import Answerer
from cortex.backups import Backups
from cortex.indexing import status as index_status
from cortex.indexing.pipeline import Indexer
from cortex.library import LOCAL_OWNER
from cortex.providers import Embedders, Reranker
from cortex.providers.bundled import open_bundled
from cortex.providers.rerankers import open_reranker
from cortex.retrieval.search import Retriever
from cortex.settings import Settings
from cortex.storage import Database, open_database


@dataclass(frozen=True)
class Cortex:
    """Everything that serves, works and commands share."""

    settings: Settings
    database: Database
    embedders: Embedders
    retriever: Retriever
    answerer: Answerer
    indexer: Indexer

    async def work(self, stop: asyncio.Event) -> None:
        """Do jobs until `stop` is set. Documents that no job knows of (a crash, a restore, an older version) are enqueued first."""
        async with self.database.transaction("ai", LOCAL_OWNER) as tx:
            await index_status.catch_up(tx, LOCAL_OWNER)
        backing_up = asyncio.create_task(Backups(self.settings, self.database).work(stop))
        try:
            await jobs.run_worker(self.database, self.indexer.handlers(), stop=stop)
        finally:
            if not stop.is_set():
                backing_up.cancel()
            await asyncio.gather(backing_up, return_exceptions=True)

    async def drain(self) -> int:
        """Do every waiting job in this process and return how many there were."""
        return await jobs.drain(self.database, self.indexer.handlers())


@asynccontextmanager
async def open_cortex(settings: Settings, *, threads: int = 1, migrate: bool = True) -> AsyncIterator[Cortex]:
    """Start or attach to the database and build the parts.

    Args:
        threads: for the embedders of this process; serving ones keep to one (a query beside busy threads takes seconds).

    Raises:
        CortexError: with one line that says what is wrong and what to do.
    """
    named = settings.retrieval.cross_encoder
    reranker = open_reranker(named, settings.data / "models", threads=threads) if named else None
    database = await open_database(settings, migrate=migrate)
    cortex = assemble(settings, database, open_bundled(threads), reranker)
    try:
        yield cortex
    finally:
        await cortex.answerer.close()
        await database.close()


def assemble(settings: Settings, database: Database, embedders: Embedders, reranker: Reranker | None = None) -> Cortex:
    """The parts over a database that is open."""
    retriever = Retriever(database, embedders, reranker)
    return Cortex(
        settings=settings,
        database=database,
        embedders=embedders,
        retriever=retriever,
        answerer=Answerer(database, retriever, settings),
        indexer=Indexer(database, embedders, settings.chunking),
    )


def sample_folder() -> Path:
    """The notes that a first run shows, which are also the golden notebook of the evals."""
    return Path(str(files("cortex.evals") / "golden" / "notes"))
