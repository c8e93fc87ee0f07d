"""What the doctor looks at, from the outside in; what needs a part that is broken is not looked at."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from cortex.backups import backup_health
from cortex.cli.output import duration
from cortex.errors import CortexError
from cortex.indexing import upkeep
from cortex.indexing.status import status
from cortex.jobs import failed, queue_state
from cortex.library import LOCAL_OWNER, attachment_upkeep, deletion
from cortex.providers.rerankers import open_reranker
from cortex.settings import ListedSource, Settings
from cortex.sources.opening import open_source
from cortex.storage import Database, open_database, schema_state
from cortex.storage.files import Files
from cortex.storage.folder import lacks_notebook

_LITTLE_SPACE = 500_000_000
"""Bytes; below this a sync may fill the disk."""


@dataclass(frozen=True)
class Check:
    """One finding, and the way out of it where it is bad."""

    name: str
    ok: bool
    detail: str
    mend: str | None = None


async def examine(settings: Settings) -> AsyncIterator[Check]:
    """Every check in order."""
    yield check_folder(settings.data)
    for source in settings.sources:
        yield await asyncio.to_thread(check_source, settings, source)
    if not settings.sources:
        yield Check("sources", True, "none is listed; only the sample and your own notes are there")
    if settings.retrieval.cross_encoder:
        yield await asyncio.to_thread(check_cross_encoder, settings.retrieval.cross_encoder, settings.data)
    if settings.database_url is None and lacks_notebook(settings.data):
        mend = f"`cortex serve --data {shlex.quote(str(settings.data))}` makes one"
        yield Check("database", False, f"there is no notebook at {settings.data}", mend)
        return
    try:
        database = await open_database(settings)
    except CortexError as error:
        yield Check("database", False, error.message, "do what it says, then run `cortex doctor` again")
        return
    async with database:
        yield Check("database", True, "embedded" if database.is_embedded else "external, by DATABASE_URL")
        yield await _schema(database)
        yield await _worker(database)
        yield await _queue(database)
        yield await _index(database)
        yield await _orphans(database)
        yield await _deleted(database)
        yield await _backup(database, settings)
        yield await check_attachments(database, settings.data)


def check_folder(data: Path) -> Check:
    """The data folder: there, ours, writable, with room."""
    if not data.exists():
        return Check("data folder", True, f"{data} is not there yet; `cortex serve` makes it")
    if not data.is_dir() or not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        return Check(
            "data folder", False, f"{data} cannot be written by this user", "make it writable, or use --data DIR"
        )
    free = shutil.disk_usage(data).free
    if free < _LITTLE_SPACE:
        return Check(
            "data folder", False, f"{data}: only {free / 1e6:,.0f} MB are free", "free some space on that disk"
        )
    return Check("data folder", True, f"{data}, {free / 1e9:,.1f} GB free")


def check_source(settings: Settings, listed: ListedSource) -> Check:
    """A source that is listed: there, and with something to read. May block."""
    source = open_source(settings, listed)
    trouble = source.trouble()
    name = f"source {source.name}"
    return Check(name, False, trouble.detail, trouble.mend) if trouble else Check(name, True, source.place)


def check_cross_encoder(name: str, data: Path) -> Check:
    """The model that rereads the best notes: found, loaded, and it answers. Blocks, a download included."""
    try:
        open_reranker(name, data / "models").score("Does it answer?", ["It does."])
    except CortexError as error:
        return Check("cross-encoder", False, error.message, "until then searches go without it")
    return Check("cross-encoder", True, name)


async def _schema(database: Database) -> Check:
    async with database.connection("app") as connection:
        state = await schema_state(connection)
    detail = f"{state.applied} of {state.known} migrations applied"
    mend = "run `cortex migrate`" if state.applied < state.known else "install the newer version that made it"
    return Check("schema", state.is_current, detail, None if state.is_current else mend)


async def _worker(database: Database) -> Check:
    state = await queue_state(database)
    if state.worker_alive:
        return Check("worker", True, f"its last heartbeat was {state.worker_heartbeat_s or 0:.0f} s ago")
    if state.pending == 0:
        return Check("worker", True, "none is running, and nothing waits for one")
    return Check(
        "worker", False, f"none is running, and {state.pending} jobs wait", "start `cortex serve` or `cortex worker`"
    )


async def _queue(database: Database) -> Check:
    given_up = await failed(database, limit=50)
    if not given_up:
        return Check("queue", True, "no job has failed")
    detail = f"{len(given_up)} jobs have failed, the last one ({given_up[0].name}) with: {given_up[0].reason}"
    return Check("queue", False, detail, "mend the reason, then try again on the page's Settings → Status")


async def _index(database: Database) -> Check:
    async with database.transaction("ai", LOCAL_OWNER) as tx:
        index = await status(tx, LOCAL_OWNER)
        forgotten = await upkeep.forgotten(tx, LOCAL_OWNER)
    if index.failed:
        return Check(
            "index", False, f"{index.failed} notes could not be indexed", "run `cortex reindex`; the log says why"
        )
    if forgotten:
        return Check("index", False, f"{forgotten} notes wait, and no job knows of them", "run `cortex reindex`")
    return Check("index", True, f"{index.documents} notes, {index.passages} passages, {index.waiting} waiting")


async def _orphans(database: Database) -> Check:
    async with database.transaction("ai", LOCAL_OWNER) as tx:
        found = await upkeep.orphans(tx, LOCAL_OWNER)
    detail = (
        f"{found.postings} postings, {found.vectors} vectors, {found.passages} passages belong to nothing, "
        f"{found.stale} passages are of an old version"
    )
    return Check("orphans", not found.total, detail, "run `cortex reindex` and report it" if found.total else None)


async def _backup(database: Database, settings: Settings) -> Check:
    health = await backup_health(database, settings)
    mend = "run `cortex backup`" if health.daily else "run `cortex backup`, or let the worker: backup: {daily: true}"
    if health.error is not None:
        return Check(
            "backup", False, f"the last attempt failed: {health.error}", "do what it says, then `cortex backup`"
        )
    if health.age_s is None:
        detail = "there is none" if health.overdue else "none yet; this library is young"
        return Check("backup", not health.overdue, detail, mend if health.overdue else None)
    detail = f"{duration(health.age_s)} old: {health.file}"
    return Check("backup", not health.overdue, detail, mend if health.overdue else None)


async def check_attachments(database: Database, data: Path) -> Check:
    """The files of notes: there, and byte for byte what they were. Reads all of them."""
    found = await attachment_upkeep.stock(database, LOCAL_OWNER, Files(data / "attachments"))
    detail = f"{found.records} files, {found.size / 1e6:,.1f} MB"
    bad = [f"{len(hashes)} {what} (the first is {hashes[0]})" for hashes, what in
           ((found.missing, "are missing"), (found.damaged, "are damaged")) if hashes]  # fmt: skip
    if bad:
        told = f"{detail}, of which {' and '.join(bad)}"
        return Check("attachments", False, told, "attach them again, or take them from a backup of the data folder")
    if found.texts_alone:
        told = f"{detail}; {found.texts_alone} texts belong to no file"
        return Check("attachments", False, told, "report it")
    left = found.files_alone + found.records_alone
    return Check("attachments", True, f"{detail}" + (f"; {left} that no note has wait for deletion" if left else ""))


async def _deleted(database: Database) -> Check:
    """Nothing is left of what was deleted for good."""
    async with database.transaction("app", LOCAL_OWNER) as tx:
        left = {place: count for place, count in (await deletion.leftovers(tx, LOCAL_OWNER)).items() if count}
    if not left:
        return Check("deleted notes", True, "nothing is left of notes that were deleted for good")
    detail = "left of notes that were deleted for good: " + ", ".join(f"{n} {place}" for place, n in left.items())
    return Check("deleted notes", False, detail, "delete the answers that quoted them, and report it")
