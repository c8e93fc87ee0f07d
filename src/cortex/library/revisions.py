"""Past versions of a note, one a sitting: listed, read, restored, kept, and thinned when they are old."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cortex.errors import NotFound
from cortex.library import _revisions_repository as repository
from cortex.library import notes
from cortex.library.drafts import Draft
from cortex.library.notes import Note, Origin
from cortex.storage import Transaction
from cortex.text.language import Lang

WHOLE_DAYS = 30
"""Older revisions are thinned to one a day; those that a person keeps stay."""


@dataclass(frozen=True)
class Revision:
    """A version of a note; the newest one is the note as it is. A list leaves `body` empty."""

    version: int
    at: dt.datetime
    title: str
    titled: bool
    lang: Lang
    kind: str
    date: dt.date | None
    topic: str | None
    tags: tuple[str, ...]
    origin: Origin
    size: int
    kept: bool
    body: str = ""


async def listed(tx: Transaction, owner_id: int, note_id: int) -> list[Revision]:
    """The note's versions without their bodies, the newest first.

    Raises:
        NotFound: there is no such note.
    """
    rows = await repository.revisions(tx, owner_id, note_id)
    if not rows:
        raise NotFound(f"there is no note {note_id}", field="id")
    return [_of_row(row) for row in rows]


async def get(tx: Transaction, owner_id: int, note_id: int, version: int) -> Revision:
    """One version with its body.

    Raises:
        NotFound: there is no such note, or no such version is left of it.
    """
    row = await repository.revision(tx, owner_id, note_id, version)
    if row is None:
        raise NotFound(f"there is no version {version} of note {note_id}", field="version")
    return _of_row(row)


async def restore(tx: Transaction, owner_id: int, note_id: int, version: int, present: int) -> Note:
    """Make a past version the note's content again; what it replaces stays as a revision.

    Args:
        present: the version that the note has now.

    Raises:
        NotFound: there is no such version.
        LostRace: the note has another version by now, or is in the trash.
    """
    past = await get(tx, owner_id, note_id, version)
    placed = {"kind": past.kind, "date": past.date, "topic": past.topic, "tags": past.tags}
    draft = Draft(past.title if past.titled else "", past.body, placed)
    return await notes.save(tx, owner_id, note_id, present, draft, apart=True)


async def keep(tx: Transaction, owner_id: int, note_id: int, version: int, kept: bool) -> None:
    """Keep a version for good, or let it be thinned like the others.

    Raises:
        NotFound: there is no such version.
    """
    await get(tx, owner_id, note_id, version)
    await repository.set_kept(tx, owner_id, note_id, version, kept)


async def thin(tx: Transaction, owner_id: int) -> int:
    """Of each note's revisions that are older than 30 days leave one a day; returns how many went."""
    return await repository.thin(tx, owner_id, WHOLE_DAYS)


def _of_row(row: Mapping[str, Any]) -> Revision:
    return Revision(**{**row, "tags": tuple(row["tags"])})
