"""The manual, read-only sync: brings the mirrors of the listed sources up to date and reports what it did, per source."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from cortex.errors import Conflict, Invalid
from cortex.library import mirrors
from cortex.settings import Settings
from cortex.sources._pattern import compile_layout
from cortex.sources._run import Progress, Run
from cortex.sources.opening import open_source
from cortex.sources.report import SourceReport
from cortex.sources.source import Source
from cortex.storage import Database

__all__ = ["Progress", "sync", "sync_one"]


async def sync(
    database: Database,
    owner_id: int,
    settings: Settings,
    names: Sequence[str] | None = None,
    *,
    dry_run: bool = False,
    allow_deletes: bool = False,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[SourceReport]:
    """Sync the named sources, all listed ones when none is named; one source's trouble does not stop the others.

    Args:
        dry_run: change nothing, count everything.
        allow_deletes: delete also when so much is missing that it looks like an unmounted disk.
        progress: told (source, files done, files in all) as it goes.
        cancelled: asked between batches; what was done until then is kept.

    Raises:
        Invalid: a name that the configuration does not list, or a malformed layout; nothing was done.
        Conflict: one of the sources is being synced by another run; nothing was done.
        Upstream: the database is away, full or read-only; whole batches until then are kept.
    """
    chosen = _chosen(settings, names)
    if not dry_run:
        async with database.transaction("app", owner_id) as tx:
            await mirrors.reconcile(tx, owner_id, [(source.name, source.type) for source in settings.sources])
    async with _alone(database, owner_id, [] if dry_run else chosen):
        return [
            await Run(database, owner_id, source, dry_run, allow_deletes, progress, cancelled).go()
            for source in chosen
            if not (cancelled and cancelled())
        ]


async def sync_one(database: Database, owner_id: int, source: Source) -> SourceReport:
    """Sync a source that the library has and no configuration lists (the sample). Raises as `sync` does."""
    async with _alone(database, owner_id, [source]):
        return await Run(database, owner_id, source).go()


def _chosen(settings: Settings, names: Sequence[str] | None) -> list[Source]:
    listed = {source.name: source for source in settings.sources}
    for name in names or ():
        if name not in listed:
            known = ", ".join(listed) or "none; add one under sources: in config.yaml"
            raise Invalid(f"there is no source {name!r}; listed are: {known}", field="source")
    for source in listed.values():
        if source.layout:
            compile_layout(source.layout)
    return [open_source(settings, listed[name]) for name in dict.fromkeys(names or listed)]


@asynccontextmanager
async def _alone(database: Database, owner_id: int, sources: Sequence[Source]) -> AsyncIterator[None]:
    """Hold the sources, on a connection of its own: the lock goes with the process, however it ends."""
    connection = await database.connect("app")
    try:
        for source in sources:
            if not await mirrors.lock(connection, owner_id, source.name):
                raise Conflict(f"{source.name} is being synced already; wait for that run to end", field=source.name)
        yield
    finally:
        await connection.close()
