"""Attachments of notes: given in one piece, served in any."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from cortex.bootstrap import Cortex
from cortex.errors import Invalid, NotFound
from cortex.library import attachments, pictures
from cortex.text.media import PICTURES
from cortex.web.current import CurrentCortex, Owner
from cortex.web.files import FileResponse, headers_of, is_known, lasting
from cortex.web.shapes import attachment_fields
from cortex.web.values import Hash, Id, Limit

router = APIRouter(prefix="/api", tags=["attachments"])

Name = Annotated[str, Query(max_length=1000)]


@router.get("/notes/{note_id}/attachments")
async def of_note(
    cortex: CurrentCortex,
    owner: Owner,
    note_id: Id,
    limit: Limit = 100,
    after: Annotated[str, Query(max_length=200)] = "",
) -> dict[str, Any]:
    """What the note has, in the order in which it came."""
    async with cortex.database.transaction("app", owner) as tx:
        found, more = await attachments.of_note(tx, owner, note_id, limit, after)
    return {
        "attachments": [attachment_fields(each) for each in found],
        "next": more,
        "most_bytes": cortex.settings.limits.attachment_bytes,
    }


def _as_it_is(request: Request) -> None:
    """The body is the file itself. A form would be kept with its boundaries, and nobody could open it."""
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise HTTPException(415, "Send the file's bytes as the body, and its name as ?name=, not a form.")


@router.post("/notes/{note_id}/attachments", status_code=201, dependencies=[Depends(_as_it_is)])
async def attach(
    request: Request, cortex: CurrentCortex, owner: Owner, note_id: Id, name: Name = "file", hash: Hash | None = None
) -> dict[str, Any]:
    """Give the note a file: the body is its bytes. `hash`, where it is given, must be theirs."""
    async with cortex.database.transaction("app", owner) as tx:
        await attachments.check_note(tx, owner, note_id)
    most, announced = cortex.settings.limits.attachment_bytes, request.headers.get("content-length", "")
    size = int(announced) if announced.isdigit() else None
    async with cortex.files.receive(_pieces(request), most, announced=size) as received:
        found = await asyncio.to_thread(attachments.examine, received, name, expected=hash)
        async with cortex.database.transaction("app", owner) as tx:
            return attachment_fields(await attachments.attach(tx, owner, cortex.files, note_id, found))


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    try:
        async for piece in request.stream():
            yield piece
    except ClientDisconnect as error:
        raise Invalid("the upload ended before the file did; send it again", field="body") from error


@router.delete("/notes/{note_id}/attachments/{hash}", status_code=204)
async def detach(cortex: CurrentCortex, owner: Owner, note_id: Id, hash: Hash) -> None:
    """Take the file from the note. What no note has any more is deleted a day later."""
    async with cortex.database.transaction("app", owner) as tx:
        await attachments.detach(tx, owner, note_id, hash)


@router.get("/attachments/{hash}", response_class=Response)
@router.head("/attachments/{hash}", response_class=Response)
async def content(
    request: Request, cortex: CurrentCortex, owner: Owner, hash: Hash, name: Name | None = None, thumb: bool = False
) -> Response:
    """The bytes, or the part of them that Range names; of a picture with `thumb=1` a small copy."""
    async with cortex.database.transaction("app", owner) as tx:
        found = await attachments.get(tx, owner, hash)
    if thumb:
        return await _small(request, cortex, found)
    return FileResponse(lambda: cortex.files.open(hash), hash.hex(), headers_of(found.media_type, name or found.name))


async def _small(request: Request, cortex: Cortex, found: attachments.Attachment) -> Response:
    tag = f"{found.hash.hex()}-thumb"
    if is_known(request.headers, tag):
        return Response(status_code=304, headers=lasting(tag))
    if found.media_type not in PICTURES:
        raise NotFound("only pictures have a thumbnail", field="thumb")
    raw = await pictures.small_copy(cortex.files, cortex.thumbnails, found.hash)
    return Response(raw, headers=headers_of(pictures.THUMBNAIL_TYPE) | lasting(tag))
