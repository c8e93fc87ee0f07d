"""Notes: written here, owned by the person. A save is one transaction: the note, its revision, its job, its entry in the feed.

Every verb that changes something ends with the feed's entry: nothing may follow it in the caller's transaction.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cortex import jobs
from cortex.errors import Conflict, Invalid, NotFound
from cortex.library import AT_ONCE, INDEX_JOB, TIDY_JOB, attachments, changes
from cortex.library import _notes_repository as repository
from cortex.library import _pages as pages
from cortex.library.drafts import Draft, Placement
from cortex.storage import Transaction
from cortex.text import markdown
from cortex.text.language import Lang

Origin = Literal["person", "answer", "agent", "mcp"]

SITTING_S = 600.0
"""A save so soon after the last one belongs to the same sitting, of which one revision stays."""
EXCERPT_CHARS = 200
_KEY = re.compile(r"[0-9a-f]{32}|day-\d{4}-\d{2}-\d{2}|week-\d{4}-W\d{2}")


@dataclass(frozen=True)
class Note:
    """A note as it is. Offsets count code points of `body`; `titled`: the title was given, not taken from the body.

    `conflict_of` is the key of the note whose other version this one keeps; `copies` are the ids of such notes.
    """

    id: int
    key: str
    title: str
    titled: bool
    body: str
    lang: Lang
    kind: str
    date: dt.date | None
    period: int | None
    topic: str | None
    tags: tuple[str, ...]
    origin: Origin
    version: int
    created_at: dt.datetime
    updated_at: dt.datetime
    trashed_at: dt.datetime | None
    url: str
    size: int
    conflict_of: str | None
    copies: tuple[int, ...]

    @property
    def excerpt(self) -> str:
        """Its first words, on one line."""
        return " ".join(markdown.plain(self.body[: EXCERPT_CHARS * 4]).split())[:EXCERPT_CHARS]


class LostRace(Conflict):
    """The note was changed meanwhile: it is `current` now, and `yours` was not saved."""

    def __init__(self, message: str, current: Note, yours: Draft | None) -> None:
        super().__init__(message, field="If-Match")
        self.current = current
        self.yours = yours


@dataclass(frozen=True)
class Page:
    """A part of the list, their bodies cut to a beginning; `next` continues it (None: this was the last)."""

    notes: list[Note]
    total: int
    next: str | None


async def get(tx: Transaction, owner_id: int, note_id: int) -> Note:
    """The note, in the trash or not.

    Raises:
        NotFound: there is none, or it is not this owner's.
    """
    row = await repository.note(tx, owner_id, note_id)
    if row is None:
        raise _not_there(note_id)
    return of_row(row)


async def lock_by_key(tx: Transaction, owner_id: int, key: str) -> Note | None:
    """The note of a key, in the trash or not, locked until the transaction ends; None where there is none."""
    note_id = await repository.lock_key(tx, owner_id, key)
    return None if note_id is None else await get(tx, owner_id, note_id)


async def of_ids(tx: Transaction, owner_id: int, ids: Sequence[int]) -> dict[int, Note]:
    """The notes of these ids, as far as they are there."""
    return {row["id"]: of_row(row) for row in await repository.notes(tx, owner_id, ids)} if ids else {}


async def listed(
    tx: Transaction,
    owner_id: int,
    *,
    trash: bool = False,
    kind: str | None = None,
    tag: str | None = None,
    topic: str | None = None,
    among: Sequence[int] | None = None,
    after: str | None = None,
    limit: int = 50,
) -> Page:
    """Notes, the newest change first (in the trash: what was thrown away last).

    Args:
        among: only these ids.
        after: the `next` of the page before.

    Raises:
        Invalid: `after` is none of ours.
    """
    ids = None if among is None else list(among)
    said: dict[str, Any] = {"kind": kind, "tag": tag, "topic": topic, "among": ids}
    only = {name: value for name, value in said.items() if value is not None}
    rows = await repository.listed(
        tx, owner_id, only, trash=trash, after=pages.place(after), limit=limit + 1, beginning=EXCERPT_CHARS * 4
    )
    found = [of_row(row) for row in rows[:limit]]
    last = found[-1] if len(rows) > limit else None
    return Page(
        found,
        await repository.counted(tx, owner_id, only, trash=trash),
        pages.cursor(last.trashed_at or last.updated_at, last.id) if last else None,
    )


async def create(
    tx: Transaction,
    owner_id: int,
    draft: Draft,
    *,
    key: str | None = None,
    origin: Origin = "person",
    metadata: Mapping[str, Any] | None = None,
    conflict_of: str | None = None,
) -> tuple[Note, bool]:
    """Write a note down. A key that is there already gives that note, unchanged, and False.

    Args:
        conflict_of: the key of the note whose other version this one keeps.

    Raises:
        Invalid: the key is none.
    """
    placement = draft.placement(Placement())
    values = {
        **_columns(draft, placement),
        "key": check_key(key) if key else uuid.uuid4().hex,
        "origin": origin,
        "metadata": dict(metadata or {}),
        "conflict_of": conflict_of,
    }
    row = await repository.insert(tx, owner_id, values)
    if row is None:
        existing = await repository.note_by_key(tx, owner_id, values["key"])
        assert existing is not None
        return of_row(existing), False
    return await _finish(tx, owner_id, row, draft, placement), True


async def save(
    tx: Transaction, owner_id: int, note_id: int, version: int, draft: Draft, *, apart: bool = False
) -> Note:
    """Replace the note's content. Saving what is there already changes nothing, not even the version.

    Args:
        version: the one that the change was made from.
        apart: keep the note as it was as a revision, however soon after the last save this comes.

    Raises:
        NotFound: there is none.
        LostRace: it has another version by now, or is in the trash.
    """
    row = await _weighed(tx, owner_id, note_id, version, draft)
    before = Placement(row["kind"], row["date"], row["topic"], tuple(row["tags"]))
    placement = draft.placement(before)
    values = _columns(draft, placement)
    same = ("title", "titled", "content_hash")
    if placement == before and all(_value(row[name]) == values[name] for name in same):
        return await get(tx, owner_id, note_id)
    saved = await repository.update(tx, owner_id, note_id, values, sitting_s=SITTING_S, apart=apart)
    return await _finish(tx, owner_id, saved, draft, placement)


async def trash(tx: Transaction, owner_id: int, note_id: int, version: int | None = None) -> None:
    """Put the note into the trash: it is out of every search and answer at once. One that is there already stays there.

    Raises:
        NotFound: there is none.
        LostRace: `version` was given, and it has another by now.
    """
    if await repository.lock(tx, owner_id, note_id) is None:
        raise _not_there(note_id)
    if version is not None:
        check_version(await get(tx, owner_id, note_id), version)
    gone = await repository.trash(tx, owner_id, note_id)
    if gone:
        await attachments.follow(tx, owner_id, note_id)
        await changes.record(tx, owner_id, "trashed", [(note_id, gone["key"], gone["version"])])


async def restore(tx: Transaction, owner_id: int, note_id: int) -> Note:
    """Take the note out of the trash; one that is not there stays as it is.

    Raises:
        NotFound: there is none.
    """
    back = await repository.restore(tx, owner_id, note_id)
    note = await get(tx, owner_id, note_id)
    if back:
        await attachments.follow(tx, owner_id, note_id)
        await enqueue_indexing(tx, owner_id, [note_id])
        await changes.record(tx, owner_id, "restored", [(note_id, back["key"], back["version"])])
    return note


async def enqueue_indexing(tx: Transaction, owner_id: int, ids: Sequence[int]) -> None:
    """Have notes made searchable in their present version. Without a mark: a job that has begun may have read the version before."""
    await jobs.enqueue(tx, INDEX_JOB, priority=AT_ONCE, owner_id=owner_id, document_ids=list(ids))


def check_key(key: str) -> str:
    """The key that a device gave a note, if it is one.

    Raises:
        Invalid: it is not.
    """
    if not _KEY.fullmatch(key):
        raise Invalid("a key is a UUID of 32 hex digits, or day-2026-01-15 or week-2026-W03", field="key")
    return key


def check_version(note: Note, version: int | None, yours: Draft | None = None) -> None:
    """See that the note is the version that somebody has seen; None is any.

    Raises:
        LostRace: it is another one.
    """
    if version is not None and version != note.version:
        raise LostRace(f"the note is at version {note.version}: somebody else changed it meanwhile", note, yours)


def of_row(row: Mapping[str, Any], body: str | None = None) -> Note:
    """The note of a row, which holds the body unless one is given."""
    fields = {name: row[name] for name in Note.__dataclass_fields__ if name != "body"}
    fields["tags"], fields["copies"] = tuple(fields["tags"]), tuple(fields["copies"])
    return Note(**fields, body=row["body"] if body is None else body)


async def _finish(tx: Transaction, owner_id: int, row: dict[str, Any], draft: Draft, placement: Placement) -> Note:
    """What every save ends with: tags and links, the job, the feed."""
    await repository.replace_names(tx, owner_id, row["id"], placement.tags, draft.links)
    await enqueue_indexing(tx, owner_id, [row["id"]])
    if row.get("kept_before"):
        await jobs.enqueue(tx, TIDY_JOB, priority=-10, unique=f"{TIDY_JOB}:{owner_id}", owner_id=owner_id)
    await changes.record(tx, owner_id, "saved", [(row["id"], row["key"], row["version"])])
    return of_row({**row, "tags": placement.tags}, draft.body)


async def _weighed(tx: Transaction, owner_id: int, note_id: int, version: int, draft: Draft) -> dict[str, Any]:
    row = await repository.lock(tx, owner_id, note_id)
    if row is None:
        raise _not_there(note_id)
    if row["version"] != version:
        check_version(await get(tx, owner_id, note_id), version, draft)
    if row["trashed_at"] is not None:
        raise LostRace("the note is in the trash: restore it first", await get(tx, owner_id, note_id), draft)
    return row


def _not_there(note_id: int) -> NotFound:
    return NotFound(f"there is no note {note_id}", field="id")


def _columns(draft: Draft, placement: Placement) -> dict[str, Any]:
    return {
        **draft.content,
        "kind": placement.kind,
        "date": placement.date,
        "period": placement.period,
        "topic": placement.topic,
    }


def _value(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
