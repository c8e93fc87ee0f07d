"""The feed of changes, and changes that come from devices that were offline."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from cortex.library import changes, notes
from cortex.web.current import CurrentCortex, Owner
from cortex.web.incoming import MOST_CHANGES, apply
from cortex.web.notes import with_states

router = APIRouter(prefix="/api", tags=["notes"])


class Changes(BaseModel):
    """The body of POST /api/changes. Each change is read by itself, so that a bad one does not stop the others."""

    model_config = ConfigDict(extra="forbid")

    changes: Annotated[list[Any], Field(max_length=MOST_CHANGES)]


@router.get("/changes")
async def since(
    cortex: CurrentCortex,
    owner: Owner,
    since: Annotated[int, Query(ge=0, lt=2**63)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    latest: bool = False,
) -> dict[str, Any]:
    """What changed after `since`, in order; with the last change of each note on this page the note as it is now."""
    async with cortex.database.transaction("app", owner) as tx:
        feed = await changes.since(tx, owner, since, limit=limit, latest=latest)
        found = await notes.of_ids(tx, owner, feed.notes)
        shown = {note["id"]: note for note in await with_states(tx, owner, list(found.values()), whole=True)}
    entries: list[dict[str, Any]] = [
        {"seq": c.seq, "id": c.id, "key": c.key, "op": c.op, "version": c.version, "at": c.at.isoformat()}
        for c in feed.changes
    ]
    for entry in reversed(entries):
        if entry["op"] != "deleted" and (note := shown.pop(entry["id"], None)):
            entry["note"] = note
    return {"feed": feed.feed, "changes": entries, "next": feed.next, "more": feed.more}


@router.post("/changes")
async def receive(cortex: CurrentCortex, owner: Owner, wanted: Changes) -> dict[str, Any]:
    """Apply changes in order, each in a transaction of its own and once only, however often it is sent."""
    return {"results": [await apply(cortex, owner, change) for change in wanted.changes]}
