"""Sources: how old they are, their runs, and the removal of one that is not listed any more."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from cortex.bootstrap import Cortex
from cortex.errors import Conflict, Invalid
from cortex.library import mirrors
from cortex.settings import Settings
from cortex.sources.adding import (
    folder_named,
    folder_source,
    list_folder_as,
    listed_alone,
    proposed_name,
    take_off_list,
)
from cortex.sources.checking import check_folder
from cortex.sources.freshness import freshness
from cortex.sources.removal import remove_source
from cortex.web import sse
from cortex.web.current import AtThisMachine, CurrentCortex, LastEvent, Owner, Stopping, Syncs, adopt, at_this_machine
from cortex.web.shapes import sources_fields

router = APIRouter(prefix="/api", tags=["sources"])


class Check(BaseModel):
    """The body of POST /api/sources/check."""

    model_config = ConfigDict(extra="forbid")

    path: Annotated[str, Field(max_length=4096)]
    exclude: tuple[Annotated[str, Field(max_length=1000)], ...] = ()


class NewSource(Check):
    """The body of POST /api/sources; without a name the folder's own is taken."""

    name: str | None = None


class Start(BaseModel):
    """The body of POST /api/sources/{name}/sync; it may be left out."""

    model_config = ConfigDict(extra="forbid")

    dry_run: bool = False
    allow_deletes: bool = False


@router.get("/sources")
async def sources(cortex: CurrentCortex, owner: Owner, syncs: Syncs) -> dict[str, Any]:
    """Every source: when it was synced, how many files are newer, its last report."""
    found = await freshness(cortex.database, owner, cortex.settings)
    syncing = {source.name for source in found if syncs.running(owner, source.name)}
    return {"sources": sources_fields(found, syncing, await asyncio.to_thread(listed_alone, cortex.settings))}


@router.post("/sources/check", dependencies=[AtThisMachine])
async def check(cortex: CurrentCortex, wanted: Check) -> dict[str, Any]:
    """What listing a folder would bring: counts by name and time, and the front matter of a few. Changes nothing."""
    path = folder_named(cortex.settings, wanted.path)
    source = folder_source(path, proposed_name(cortex.settings, path), wanted.exclude)
    found = await asyncio.to_thread(check_folder, path, source.exclude)
    if found.problem:
        raise Invalid(found.problem, field="path")
    return {**asdict(found), "path": str(found.path), "name": source.name}


@router.post("/sources", status_code=201, dependencies=[AtThisMachine])
async def add(request: Request, cortex: CurrentCortex, owner: Owner, wanted: NewSource) -> dict[str, Any]:
    """List a folder as a source: writes sources.d/NAME.yaml. The folder itself is only ever read."""
    path = folder_named(cortex.settings, wanted.path)
    source = folder_source(path, wanted.name or proposed_name(cortex.settings, path), wanted.exclude)
    await asyncio.to_thread(list_folder_as, cortex.settings, source)
    await _reconcile(cortex, owner, adopt(request.app, add=(source,)))
    return {"name": source.name, "path": str(path)}


@router.delete("/sources/{name}")
async def remove(request: Request, cortex: CurrentCortex, owner: Owner, syncs: Syncs, name: str) -> dict[str, Any]:
    """Remove the sample, a folder that was added from the page, or what is left of a source that is not listed any more."""
    if syncs.running(owner, name):
        raise Conflict(f"{name} is being synced: cancel that run first, or wait for it", field="name")
    settings = cortex.settings
    if any(source.name == name for source in settings.sources):
        at_this_machine(request)
        await asyncio.to_thread(take_off_list, settings, name)
        settings = adopt(request.app, drop=name)
        await _reconcile(cortex, owner, settings)
    return {"deleted": await remove_source(cortex.database, owner, settings, name)}


async def _reconcile(cortex: Cortex, owner: int, settings: Settings) -> None:
    async with cortex.database.transaction("app", owner) as tx:
        await mirrors.reconcile(tx, owner, [(source.name, source.type) for source in settings.sources])


@router.post("/sources/{name}/sync", status_code=202)
async def start(syncs: Syncs, owner: Owner, name: str, wanted: Start | None = None) -> dict[str, Any]:
    """Start a sync of the source, or join the one that runs."""
    wanted = wanted or Start()
    run = syncs.start(owner, name, dry_run=wanted.dry_run, allow_deletes=wanted.allow_deletes)
    return {"name": run.source, "syncing": not run.ended}


@router.get("/sources/{name}/sync", response_class=Response)
async def follow(syncs: Syncs, owner: Owner, stopping: Stopping, after: LastEvent, name: str) -> Response:
    """The run as events: progress, then `done` with the report, `cancelled` or `error`."""
    return sse.response(syncs.find(owner, name).follow(after), stopping)


@router.delete("/sources/{name}/sync")
async def cancel(syncs: Syncs, owner: Owner, name: str) -> dict[str, Any]:
    """End the run after the batch that it is at; what was done is kept."""
    run = syncs.cancel(owner, name)
    return {"name": run.source, "syncing": not run.ended}
