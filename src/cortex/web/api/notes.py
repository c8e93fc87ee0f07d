"""Notes: written, read, saved, thrown away, taken back, deleted for good."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from cortex.indexing.status import try_again
from cortex.library import days, deletion, documents, notes, tags
from cortex.library.drafts import Kind
from cortex.retrieval.typed import matching
from cortex.text.language import Lang
from cortex.web.current import Board, CurrentCortex, Owner
from cortex.web.notes import IfMatch, MustMatch, NoteContent, etag, note_fields, with_state, with_states
from cortex.web.values import Id, Limit

router = APIRouter(prefix="/api", tags=["notes"])


class NewNote(NoteContent):
    """The body of POST /api/notes."""

    key: str | None = None
    answer_id: Annotated[int, Field(ge=1, lt=2**63)] | None = None


class Day(BaseModel):
    """The body of POST /api/notes/day and /api/notes/week."""

    model_config = ConfigDict(extra="forbid")

    date: dt.date
    language: Lang = "en"


class Renaming(BaseModel):
    """The body of POST /api/tags/rename."""

    model_config = ConfigDict(extra="forbid")

    old: Annotated[str, Field(alias="from")]
    new: Annotated[str, Field(alias="to")]


@router.get("/notes")
async def listed(
    cortex: CurrentCortex,
    owner: Owner,
    q: Annotated[str, Query(max_length=200)] = "",
    tag: Annotated[str | None, Query(max_length=200)] = None,
    topic: Annotated[str | None, Query(max_length=200)] = None,
    kind: Kind | None = None,
    trash: bool = False,
    after: Annotated[str | None, Query(max_length=200)] = None,
    limit: Limit = 50,
) -> dict[str, Any]:
    """Notes, the newest change first; `q` as it is being typed."""
    async with cortex.database.transaction("app", owner) as tx:
        among = await matching(tx, owner, q) if q.strip() else None
        page = await notes.listed(
            tx, owner, trash=trash, kind=kind, tag=tag, topic=topic, among=among, after=after, limit=limit
        )
        shown = await with_states(tx, owner, page.notes, whole=False)
    return {"notes": shown, "total": page.total, "next": page.next}


@router.post("/notes", status_code=201)
async def create(cortex: CurrentCortex, owner: Owner, response: Response, wanted: NewNote) -> dict[str, Any]:
    """Write a note down; the same key again gives the note that is there (200)."""
    draft = await wanted.read(cortex.settings.limits)
    origin: notes.Origin = "answer" if wanted.answer_id else "person"
    metadata = {"answer_id": wanted.answer_id} if wanted.answer_id else {}
    async with cortex.database.transaction("app", owner) as tx:
        note, made = await notes.create(tx, owner, draft, key=wanted.key, origin=origin, metadata=metadata)
        shown = note_fields(note) if made else await with_state(tx, owner, note)
    response.status_code = 201 if made else 200
    response.headers.update(etag(note))
    return shown


@router.get("/notes/titles")
async def titles(
    cortex: CurrentCortex, owner: Owner, q: Annotated[str, Query(max_length=200)] = "", limit: Limit = 10
) -> dict[str, Any]:
    """What a wiki link may lead to: documents whose title holds `q`; without it the notes that changed last."""
    async with cortex.database.transaction("app", owner) as tx:
        return {"titles": [asdict(found) for found in await documents.offered(tx, owner, q, limit)]}


@router.post("/notes/day")
async def day(cortex: CurrentCortex, owner: Owner, response: Response, wanted: Day) -> dict[str, Any]:
    """The note of that day, made if it is missing (201)."""
    async with cortex.database.transaction("app", owner) as tx:
        note, made = await days.day(tx, owner, wanted.date, wanted.language)
    response.status_code = 201 if made else 200
    return await _shown(cortex, owner, response, note)


@router.post("/notes/week")
async def week(cortex: CurrentCortex, owner: Owner, response: Response, wanted: Day) -> dict[str, Any]:
    """The note of that day's week, made if it is missing (201)."""
    async with cortex.database.transaction("app", owner) as tx:
        note, made = await days.week(tx, owner, wanted.date, wanted.language)
    response.status_code = 201 if made else 200
    return await _shown(cortex, owner, response, note)


@router.delete("/notes/trash")
async def empty_trash(cortex: CurrentCortex, owner: Owner) -> dict[str, int]:
    """Delete all that is in the trash, for good."""
    async with cortex.database.transaction("app", owner) as tx:
        return {"deleted": await deletion.empty_trash(tx, owner)}


@router.get("/notes/{note_id}")
async def note(cortex: CurrentCortex, owner: Owner, response: Response, note_id: Id) -> dict[str, Any]:
    """The note, in the trash or not."""
    async with cortex.database.transaction("app", owner) as tx:
        found = await notes.get(tx, owner, note_id)
    return await _shown(cortex, owner, response, found)


@router.put("/notes/{note_id}")
async def save(
    cortex: CurrentCortex, owner: Owner, response: Response, version: MustMatch, note_id: Id, wanted: NoteContent
) -> dict[str, Any]:
    """Save a new version over the one that If-Match names."""
    draft = await wanted.read(cortex.settings.limits)
    async with cortex.database.transaction("app", owner) as tx:
        saved = await notes.save(tx, owner, note_id, version, draft)
        shown = note_fields(saved) if saved.version != version else await with_state(tx, owner, saved)
    response.headers.update(etag(saved))
    return shown


@router.delete("/notes/{note_id}")
async def trash(cortex: CurrentCortex, owner: Owner, version: IfMatch, note_id: Id, for_good: bool = False) -> Response:
    """Put the note into the trash; one that is there goes for good with `for_good`."""
    async with cortex.database.transaction("app", owner) as tx:
        if for_good:
            used = await deletion.delete(tx, owner, note_id, version)
            return JSONResponse({"answers": [asdict(answer) for answer in used]})
        await notes.trash(tx, owner, note_id, version)
    return Response(status_code=204)


@router.get("/notes/{note_id}/answers")
async def answers(cortex: CurrentCortex, owner: Owner, note_id: Id) -> dict[str, Any]:
    """The answers that used the note: what else a deletion for good takes words from."""
    async with cortex.database.transaction("app", owner) as tx:
        return {"answers": [asdict(answer) for answer in await deletion.answers_using(tx, owner, note_id)]}


@router.post("/notes/{note_id}/restore")
async def restore(cortex: CurrentCortex, owner: Owner, response: Response, note_id: Id) -> dict[str, Any]:
    """Take the note out of the trash."""
    async with cortex.database.transaction("app", owner) as tx:
        back = await notes.restore(tx, owner, note_id)
    return await _shown(cortex, owner, response, back)


@router.post("/notes/{note_id}/index", status_code=202)
async def index(cortex: CurrentCortex, owner: Owner, board: Board, response: Response, note_id: Id) -> dict[str, Any]:
    """Try again to make the note searchable."""
    async with cortex.database.transaction("app", owner) as tx:
        found = await notes.get(tx, owner, note_id)
    async with cortex.database.transaction("ai", owner) as tx:
        await try_again(tx, owner, note_id)
    board.forget(owner)
    return await _shown(cortex, owner, response, found)


@router.post("/tags/rename")
async def rename_tag(cortex: CurrentCortex, owner: Owner, wanted: Renaming) -> dict[str, int]:
    """Rename a tag on all notes that have it; a name that is there already takes them in."""
    async with cortex.database.transaction("app", owner) as tx:
        return {"notes": await tags.rename(tx, owner, wanted.old, wanted.new)}


async def _shown(cortex: CurrentCortex, owner: int, response: Response, note: notes.Note) -> dict[str, Any]:
    async with cortex.database.transaction("app", owner) as tx:
        shown = await with_state(tx, owner, note)
    response.headers.update(etag(note))
    return shown
