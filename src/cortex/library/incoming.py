"""Changes that devices made while they were offline: applied once, merged where they can be, never lost.

`receive` takes one change in a transaction of its own. The same change again gives what came of it the first time.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

from cortex.errors import Invalid, NotFound
from cortex.library import _changes_repository as repository
from cortex.library import attachments, deletion, notes, revisions
from cortex.library.drafts import LONGEST_TITLE, Draft, derived_title, storable, with_line_feeds
from cortex.library.merge import merge, merge_line
from cortex.library.notes import Note
from cortex.storage import Transaction

Op = Literal["save", "trash", "restore", "delete"]
Outcome = Literal["applied", "merged", "conflict", "revived"]

_LONGEST_ID = 100
_COPY_TITLE = {"en": "{title} (conflict {at})", "zh": "{title}（冲突 {at}）"}


@dataclass(frozen=True)
class Base:
    """The text that a device changed, written as it is stored."""

    title: str
    body: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", " ".join(self.title.split()))
        object.__setattr__(self, "body", with_line_feeds(self.body))


@dataclass(frozen=True)
class Incoming:
    """One change of the note `key`. `base_version` is the version that it was made from, None for a note that is new there."""

    change_id: str
    op: Op
    key: str
    base_version: int | None = None
    base: Base | None = None
    draft: Draft | None = None


@dataclass(frozen=True)
class Result:
    """What came of a change; `note` is the note as it is now (None: it was deleted for good).

    `merged`: the note holds both edits. `conflict`: the note is as it was, and `copy` holds what came. `revived`: one side deleted
    the note, the other edited it, and the edit won.
    """

    outcome: Outcome
    note: Note | None
    copy: Note | None = None


async def receive(tx: Transaction, owner_id: int, change: Incoming) -> Result:
    """Apply a change, unless it was applied before.

    Raises:
        Invalid: the change's id or key is none, or a text to save is missing.
        NotFound: a note that is not there is to be restored.
    """
    if not 0 < len(storable(change.change_id, "change_id")) <= _LONGEST_ID:
        raise Invalid(f"a change has an id of 1 to {_LONGEST_ID} characters", field="change_id")
    notes.check_key(change.key)
    if change.op == "delete":
        await deletion.get_ready(tx, owner_id)
    before = await repository.begin(tx, owner_id, change.change_id)
    if before is not None:
        note, copy = [await _find(tx, owner_id, before[name]) for name in ("document_id", "copy_id")]
        return Result(before["outcome"], note, copy)
    result = await _VERBS[change.op](tx, owner_id, change)
    note_id, copy_id = [note.id if note else None for note in (result.note, result.copy)]
    await repository.conclude(tx, owner_id, change.change_id, result.outcome, note_id, change.key, copy_id)
    return result


async def _save(tx: Transaction, owner_id: int, change: Incoming) -> Result:
    draft = change.draft
    if draft is None:
        raise Invalid("a change that saves needs title and body", field="body")
    there = await notes.lock_by_key(tx, owner_id, change.key)
    if there is None:
        made, new = await notes.create(tx, owner_id, draft, key=change.key)
        if new:
            return Result("applied" if change.base_version is None else "revived", made)
        there = await notes.lock_by_key(tx, owner_id, change.key) or made
    if there.trashed_at is not None:
        # Nothing is lost where they do not fit together: what was thrown away stays as a revision.
        text = await _merged(tx, owner_id, there, change, draft) or draft
        back = await notes.restore(tx, owner_id, there.id)
        return Result("revived", await notes.save(tx, owner_id, back.id, back.version, text, apart=True))
    if change.base_version is not None and change.base_version >= there.version:
        apart = (
            change.base_version > there.version
        )  # the notebook was restored from a backup that is older than the device
        return Result("applied", await notes.save(tx, owner_id, there.id, there.version, draft, apart=apart))
    return await _onto_another_version(tx, owner_id, there, change, draft)


async def _onto_another_version(tx: Transaction, owner_id: int, there: Note, change: Incoming, draft: Draft) -> Result:
    if (draft.body, draft.title or there.title) == (there.body, there.title):
        return Result("applied", await notes.save(tx, owner_id, there.id, there.version, draft))
    text = await _merged(tx, owner_id, there, change, draft)
    if text is not None:
        return Result("merged", await notes.save(tx, owner_id, there.id, there.version, text, apart=True))
    copy = await _keep_beside(tx, owner_id, there, draft)
    return Result("conflict", await notes.get(tx, owner_id, there.id), copy)


async def _merged(tx: Transaction, owner_id: int, there: Note, change: Incoming, draft: Draft) -> Draft | None:
    base = await _base(tx, owner_id, there, change)
    if base is None:
        return None
    untitled = base.title in ("", derived_title(base.body))
    old = "" if untitled else base.title
    mine = "" if untitled and draft.title == base.title else draft.title
    title = merge_line(old, mine, there.title if there.titled else "")
    body = await asyncio.to_thread(merge, base.body, draft.body, there.body)
    return None if title is None or body is None else replace(draft, title=title, body=body)


async def _base(tx: Transaction, owner_id: int, there: Note, change: Incoming) -> Base | None:
    """What both sides started from: as the device says, else as the history has it; nothing, for a note that both made."""
    if change.base is not None:
        return change.base
    if change.base_version is None:
        return Base("", "")
    try:
        found = await revisions.get(tx, owner_id, there.id, change.base_version)
    except NotFound:
        return None
    return Base(found.title if found.titled else "", found.body)


async def _keep_beside(tx: Transaction, owner_id: int, there: Note, draft: Draft) -> Note:
    """A second note with what came; the two know each other."""
    at = dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M")
    suffix = _COPY_TITLE[there.lang].format(title="", at=at)
    title = (draft.title or derived_title(draft.body) or there.title)[: LONGEST_TITLE - len(suffix)] + suffix
    placed = {"kind": there.kind, "date": there.date, "topic": there.topic, "tags": there.tags, **draft.placed}
    of = there.conflict_of or there.key
    await attachments.hold(tx, owner_id, there.id)
    copy, _ = await notes.create(
        tx, owner_id, replace(draft, title=title, placed=placed), origin=there.origin, conflict_of=of
    )
    await attachments.share(tx, owner_id, there.id, copy.id)
    return copy


async def _trash(tx: Transaction, owner_id: int, change: Incoming) -> Result:
    there = await notes.lock_by_key(tx, owner_id, change.key)
    if there is None or there.trashed_at is not None:
        return Result("applied", there)
    if change.base_version is not None and change.base_version < there.version:
        return Result("revived", there)
    await notes.trash(tx, owner_id, there.id)
    return Result("applied", await _find(tx, owner_id, there.id))


async def _restore(tx: Transaction, owner_id: int, change: Incoming) -> Result:
    there = await notes.lock_by_key(tx, owner_id, change.key)
    if there is None:
        raise NotFound("this note was deleted for good; save it to have it again", field="key")
    return Result("applied", await notes.restore(tx, owner_id, there.id))


async def _delete(tx: Transaction, owner_id: int, change: Incoming) -> Result:
    there = await notes.lock_by_key(tx, owner_id, change.key)
    if there is None:
        return Result("applied", None)
    if there.trashed_at is None or change.base_version not in (None, there.version):
        return Result("revived", there)
    await deletion.delete(tx, owner_id, there.id)
    return Result("applied", None)


async def _find(tx: Transaction, owner_id: int, note_id: int | None) -> Note | None:
    if note_id is None:
        return None
    try:
        return await notes.get(tx, owner_id, note_id)
    except NotFound:
        return None


_VERBS: dict[Op, Callable[[Transaction, int, Incoming], Awaitable[Result]]] = {
    "save": _save,
    "trash": _trash,
    "restore": _restore,
    "delete": _delete,
}
