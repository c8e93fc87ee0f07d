"""A note's past versions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict

from cortex.library import revisions
from cortex.library.revisions import Revision
from cortex.web.current import CurrentCortex, Owner
from cortex.web.notes import MustMatch, etag, note_fields
from cortex.web.values import Id

router = APIRouter(prefix="/api/notes/{note_id}/revisions", tags=["notes"])

Version = Annotated[int, Path(ge=1, lt=2**31)]


class Keeping(BaseModel):
    """The body of PATCH /api/notes/{id}/revisions/{version}."""

    model_config = ConfigDict(extra="forbid")

    kept: bool


@router.get("")
async def listed(cortex: CurrentCortex, owner: Owner, note_id: Id) -> dict[str, Any]:
    """The note's versions, one a sitting, the newest first; the first one is the note as it is."""
    async with cortex.database.transaction("app", owner) as tx:
        found = await revisions.listed(tx, owner, note_id)
    return {"revisions": [_fields(revision, whole=False) for revision in found]}


@router.get("/{version}")
async def revision(cortex: CurrentCortex, owner: Owner, note_id: Id, version: Version) -> dict[str, Any]:
    """One version with its body."""
    async with cortex.database.transaction("app", owner) as tx:
        return _fields(await revisions.get(tx, owner, note_id, version), whole=True)


@router.post("/{version}/restore")
async def restore(
    cortex: CurrentCortex, owner: Owner, response: Response, present: MustMatch, note_id: Id, version: Version
) -> dict[str, Any]:
    """Make a past version the note's content again; If-Match names the present one, which stays in the history."""
    async with cortex.database.transaction("app", owner) as tx:
        saved = await revisions.restore(tx, owner, note_id, version, present)
    response.headers.update(etag(saved))
    return note_fields(saved)


@router.patch("/{version}", status_code=204)
async def keep(cortex: CurrentCortex, owner: Owner, note_id: Id, version: Version, wanted: Keeping) -> None:
    """Keep a version for good, or let it be thinned."""
    async with cortex.database.transaction("app", owner) as tx:
        await revisions.keep(tx, owner, note_id, version, wanted.kept)


def _fields(revision: Revision, *, whole: bool) -> dict[str, Any]:
    shown = asdict(revision)
    if not whole:
        shown.pop("body")
    return shown | {"at": revision.at.isoformat(), "date": revision.date.isoformat() if revision.date else None}
