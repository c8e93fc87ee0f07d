"""How notes look outside: their fields, their ETag, and what a lost race tells."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from cortex.errors import Invalid
from cortex.indexing.status import WAITING, DocumentState, states
from cortex.library.drafts import Draft, Kind, draft
from cortex.library.notes import LostRace, Note
from cortex.settings import LimitsSettings
from cortex.storage import Transaction
from cortex.text.language import Lang
from cortex.web.problems import problem

_LONG_CHARS = 50_000
_VERSION = re.compile(r'"(\d{1,9})"')


class NoteContent(BaseModel):
    """What a note holds. Of kind, date, topic and tags those that are left out stay as they are."""

    model_config = ConfigDict(extra="forbid")

    title: str = ""
    body: str = ""
    kind: Kind | None = None
    date: dt.date | None = None
    topic: str | None = None
    tags: list[str] | None = None
    language: Lang | None = None

    def draft(self, limits: LimitsSettings) -> Draft:
        """What is to be saved, checked."""
        placed = {name: getattr(self, name) for name in self.model_fields_set & {"kind", "date", "topic", "tags"}}
        return draft(self.title, self.body, most_bytes=limits.note_bytes, language=self.language, **placed)

    async def read(self, limits: LimitsSettings) -> Draft:
        """The same; a long text is looked through beside other requests."""
        if len(self.body) < _LONG_CHARS:
            return self.draft(limits)
        return await asyncio.to_thread(lambda: self.draft(limits).read_through())


def note_fields(note: Note, index: DocumentState = WAITING, *, whole: bool = True) -> dict[str, Any]:
    """A note as the API shows it; of a list's notes (not `whole`) an excerpt stands in place of the body."""
    return {
        "id": note.id,
        "key": note.key,
        "title": note.title,
        "titled": note.titled,
        **({"body": note.body} if whole else {"excerpt": note.excerpt}),
        "lang": note.lang,
        "kind": note.kind,
        "date": note.date.isoformat() if note.date else None,
        "period": note.period,
        "topic": note.topic,
        "tags": list(note.tags),
        "origin": note.origin,
        "version": note.version,
        "created_at": note.created_at.isoformat(),
        "updated_at": note.updated_at.isoformat(),
        "trashed_at": note.trashed_at.isoformat() if note.trashed_at else None,
        "url": note.url,
        "size": note.size,
        "conflict_of": note.conflict_of,
        "copies": list(note.copies),
        "index": {"state": index.state, **({"reason": index.reason} if index.reason else {})},
    }


async def with_states(tx: Transaction, owner_id: int, notes: Sequence[Note], *, whole: bool) -> list[dict[str, Any]]:
    """The notes' fields, with how far the index is with each."""
    known = await states(tx, owner_id, [note.id for note in notes]) if notes else {}
    return [note_fields(note, known.get(note.id, WAITING), whole=whole) for note in notes]


async def with_state(tx: Transaction, owner_id: int, note: Note) -> dict[str, Any]:
    """One whole note's fields, with how far the index is with it."""
    return (await with_states(tx, owner_id, [note], whole=True))[0]


def etag(note: Note) -> dict[str, str]:
    """The header that names the note's version."""
    return {"ETag": f'"{note.version}"'}


async def lost_race(_: Request, error: Exception) -> JSONResponse:
    """409 with both texts: what the note is now, and what was not saved."""
    assert isinstance(error, LostRace)
    yours = {"title": error.yours.title, "body": error.yours.body, **_said(error.yours)} if error.yours else None
    return problem(
        409, "conflict", "Conflict", error.message, field=error.field, current=note_fields(error.current), yours=yours
    )


def _said(yours: Draft) -> dict[str, Any]:
    said = dict(yours.placed)
    if said.get("date"):
        said["date"] = said["date"].isoformat()
    return said


def _if_match(if_match: Annotated[str | None, Header()] = None) -> int | None:
    if if_match is None:
        return None
    found = _VERSION.fullmatch(if_match.strip().removeprefix("W/"))
    if not found:
        raise Invalid('If-Match names one version, such as "3": the ETag of the note', field="If-Match")
    return int(found[1])


def _must_match(version: Annotated[int | None, Depends(_if_match)]) -> int:
    if version is None:
        raise HTTPException(428, 'Send If-Match: "VERSION", the ETag of the note that you changed.')
    return version


IfMatch = Annotated[int | None, Depends(_if_match)]
MustMatch = Annotated[int, Depends(_must_match)]
