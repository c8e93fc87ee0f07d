"""Sources: how old they are, their runs, and the removal of one that is not listed any more."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict

from cortex.sources.freshness import freshness
from cortex.sources.removal import remove_source
from cortex.web import sse
from cortex.web.current import CurrentCortex, LastEvent, Owner, Stopping, Syncs
from cortex.web.shapes import sources_fields

router = APIRouter(prefix="/api", tags=["sources"])


class Start(BaseModel):
    """The body of POST /api/sources/{name}/sync; it may be left out."""

    model_config = ConfigDict(extra="forbid")

    dry_run: bool = False
    allow_deletes: bool = False


@router.get("/sources")
async def sources(cortex: CurrentCortex, owner: Owner, syncs: Syncs) -> dict[str, Any]:
    """Every source: when it was synced, how many files are newer, its last report."""
    found = await freshness(cortex.database, owner, cortex.settings)
    return {"sources": sources_fields(found, {s.name for s in found if syncs.running(owner, s.name)})}


@router.delete("/sources/{name}")
async def remove(cortex: CurrentCortex, owner: Owner, name: str) -> dict[str, Any]:
    """Remove the sample, or what is left of a source that is not listed any more."""
    return {"deleted": await remove_source(cortex.database, owner, cortex.settings, name)}


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
