"""Deleting notes for good: all that was made of them goes in one transaction; the feed keeps the id alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cortex.errors import Conflict
from cortex.library import _deletion_repository as repository
from cortex.library import attachments, changes, notes
from cortex.storage import Transaction


@dataclass(frozen=True)
class UsedIn:
    """An answer that quotes a note, or names it among its sources."""

    answer_id: int
    conversation_id: int
    question: str


async def answers_using(tx: Transaction, owner_id: int, note_id: int) -> list[UsedIn]:
    """The answers that used the note, the newest first.

    Raises:
        NotFound: there is no such note.
    """
    await notes.get(tx, owner_id, note_id)
    return await _using(tx, owner_id, note_id)


async def get_ready(tx: Transaction, owner_id: int) -> None:
    """Wait for whoever is writing what was made of a text, and hold the others off. Before any row is locked."""
    await repository.lock_texts(tx, owner_id)


async def delete(tx: Transaction, owner_id: int, note_id: int, version: int | None = None) -> list[UsedIn]:
    """Delete a note that is in the trash. Returns the answers that used it: its words are out of them, the rest of them stands.

    The first verb of its transaction, and the last: it waits for whoever writes passages, and holds the feed.

    Raises:
        NotFound: there is no such note.
        Conflict: it is not in the trash.
        LostRace: `version` was given, and it has another by now.
    """
    await get_ready(tx, owner_id)
    note = await notes.get(tx, owner_id, note_id)
    notes.check_version(note, version)
    used = await _using(tx, owner_id, note_id)
    if not await _delete(tx, owner_id, [note_id]):
        raise Conflict(f"“{note.title}” is not in the trash: only what was thrown away is deleted for good", field="id")
    return used


async def empty_trash(tx: Transaction, owner_id: int) -> int:
    """Delete all that is in the trash, for good; returns how many notes."""
    await get_ready(tx, owner_id)
    return await _delete(tx, owner_id, await repository.in_trash(tx, owner_id))


async def leftovers(tx: Transaction, owner_id: int) -> dict[str, int]:
    """What is left of notes that were deleted for good, by where; all 0, or something is wrong."""
    return await repository.left(tx, owner_id)


async def _using(tx: Transaction, owner_id: int, note_id: int) -> list[UsedIn]:
    """The answers that used the note, or the text of a file that it alone has."""
    ids = [note_id, *await attachments.only_texts(tx, owner_id, note_id)]
    return [UsedIn(**row) for row in await repository.answers(tx, owner_id, ids)]


async def _delete(tx: Transaction, owner_id: int, ids: Sequence[int]) -> int:
    locked = await repository.lock_notes(tx, owner_id, ids)
    thrown = [row for row in locked if row["trashed_at"] is not None]
    if not thrown:
        return 0
    gone = [(row["id"], row["key"], row["version"]) for row in thrown]
    for note_id, key, version in tuple(gone):
        # A file that several of them have goes with the last one.
        texts = await attachments.only_texts(tx, owner_id, note_id)
        await repository.forget(tx, texts)
        await attachments.forget(tx, owner_id, note_id)
        gone += [(text, f"{key}/attachment", version) for text in texts]
    await repository.delete(tx, owner_id, [row["id"] for row in thrown])
    await changes.record(tx, owner_id, "deleted", gone)
    return len(thrown)
