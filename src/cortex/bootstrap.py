"""The composition root: the only module that knows all parts. Builds them from settings and takes them down again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from cortex import jobs, logs
from cortex.answering.answer import Answerer
from cortex.backups import Backups
from cortex.errors import CortexError
from cortex.indexing import status as index_status
from cortex.indexing.pipeline import Indexer
from cortex.library import LOCAL_OWNER, TIDY_JOB, attached_texts, attachment_upkeep
from cortex.library.attached_texts import AttachedTexts
from cortex.library.attachment_upkeep import AttachmentKeeper
from cortex.library.tidying import tidy_notes
from cortex.providers import Embedders, Reranker
from cortex.providers.bundled import open_bundled
from cortex.providers.rerankers import open_reranker
from cortex.retrieval.search import Retriever
from cortex.settings import Settings
from cortex.storage import Database, open_database
from cortex.storage.files import Files


@dataclass(frozen=True)
class Cortex:
    """Everything that serves, works and commands share."""

    settings: Settings
    database: Database
    embedders: Embedders
    retriever: Retriever
    answerer: Answerer
    indexer: Indexer
    files: Files
    """Of attachments."""
    thumbnails: Files

    def handlers(self) -> Mapping[str, jobs.Handler]:
        """What the names of jobs mean."""
        return {
            **self.indexer.handlers(),
            **AttachedTexts(self.database, self.files).handlers(),
            **AttachmentKeeper(self.database, self.files, self.thumbnails).handlers(),
            TIDY_JOB: partial(tidy_notes, self.database),
        }

    async def work(self, stop: asyncio.Event) -> None:
        """Do jobs until `stop` is set. Documents that no job knows of (a crash, a restore, an older version) are enqueued first."""
        async with self.database.transaction("ai", LOCAL_OWNER) as tx:
            await index_status.catch_up(tx, LOCAL_OWNER)
        async with self.database.transaction("app", LOCAL_OWNER) as tx:
            await attached_texts.catch_up(tx, LOCAL_OWNER)
        collecting = asyncio.create_task(self._collect_daily())
        backing_up = asyncio.create_task(Backups(self.settings, self.database).work(stop))
        try:
            await jobs.run_worker(self.database, self.handlers(), stop=stop)
        finally:
            collecting.cancel()
            if not stop.is_set():
                backing_up.cancel()
            await asyncio.gather(collecting, backing_up, return_exceptions=True)

    async def drain(self) -> int:
        """Do every waiting job in this process and return how many there were."""
        return await jobs.drain(self.database, self.handlers())

    async def _collect_daily(self) -> None:
        while True:
            try:
                async with self.database.transaction("app", LOCAL_OWNER) as tx:
                    await attachment_upkeep.enqueue_collecting(tx, LOCAL_OWNER)
            except CortexError as error:
                logs.outage(str(error))  # tomorrow again
            await asyncio.sleep(attachment_upkeep.KEPT_S)


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
        files=Files(settings.data / "attachments"),
        thumbnails=Files(settings.data / "thumbnails"),
    )


def sample_folder() -> Path:
    """The notes that a first run shows, which are also the golden notebook of the evals."""
    return Path(str(files("cortex.evals") / "golden" / "notes"))
