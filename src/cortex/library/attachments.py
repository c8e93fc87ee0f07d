"""Attachments: files of any kind that notes have. A content is kept once, by its hash, whichever notes have it under which names.

The bytes are a file (`storage.files`), what is known of them a row; `attached_texts` reads the text out of them, a document of its
own. That text stands and falls with the notes: it is in the trash while all of them are, and goes with the last one. Whoever moves a
note into the trash or out of it calls `follow`, and whoever deletes one for good `forget`, in the same transaction.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from cortex import jobs
from cortex.errors import Invalid, NotFound
from cortex.library import INDEX_JOB, pictures
from cortex.library import _attachments_repository as repository
from cortex.storage import Transaction
from cortex.storage.files import Files, Received
from cortex.text import media
from cortex.text.convert import ENDINGS
from cortex.text.filenames import safe_name

READ_JOB = "read_attachments"
"""The job that reads the texts that wait: (owner_id)."""
DROP_JOB = "drop_attachment_files"
"""The job that deletes files whose record is gone: (owner_id, hashes)."""
INDEX_PRIORITY = 10  # as for every document that changed
READ_PRIORITY = 3
_DROP_PRIORITY = 1

_BY_TYPE = {"application/pdf": ".pdf", media.DOCX: ".docx", media.XLSX: ".xlsx", media.PPTX: ".pptx"}
_BY_NAME = {ending: ending for ending in _BY_TYPE.values()} | {".doc": ".docx", ".xls": ".xlsx", ".ppt": ".pptx"}
"""What a name promises. Where the bytes are something else, too old or encrypted, reading them says which."""


@dataclass(frozen=True)
class Examined:
    """A received file and what its bytes say. `ending`: the kind of text that may be read out of it, None for none."""

    received: Received
    name: str
    media_type: str
    width: int | None
    height: int | None
    ending: str | None


@dataclass(frozen=True)
class Attachment:
    """A content under the name that a note gives it (or the first of its notes).

    `text_state`: `none` (it has no text), `waiting`, `read` (then `document_id` is its text), or `failed` (`problem` says why).
    `width` and `height` are pixels of a picture as it is shown.
    """

    hash: bytes
    name: str
    media_type: str
    size: int
    width: int | None
    height: int | None
    document_id: int | None
    text_state: str
    problem: str | None
    created_at: dt.datetime


def examine(received: Received, name: str, expected: bytes | None = None) -> Examined:
    """Look at a file that came. Blocks.

    Raises:
        Invalid: its hash is not the one that was expected.
    """
    if expected not in (None, received.hash):
        raise Invalid("the bytes that came are not those that were announced; send the file again", field="hash")
    with received.path.open("rb") as file:
        head = file.read(media.HEAD)
        file.seek(max(0, received.size - media.HEAD))
        kind = media.media_type(head, file.read(media.HEAD))
    width, height = pictures.size(received.path) if kind in media.PICTURES else (None, None)
    name = safe_name(name)
    return Examined(received, name, kind, width, height, reads_as(kind, name))


def reads_as(kind: str, name: str) -> str | None:
    """The ending by which `text.convert` reads a file; None if it has no text. A text's kind is told by its name alone."""
    ending = "." + name.rpartition(".")[2].casefold()
    if kind in _BY_TYPE:
        return _BY_TYPE[kind]
    if ending in _BY_NAME and kind not in media.PICTURES:
        return _BY_NAME[ending]
    return ending if ending in ENDINGS and kind.startswith(("text/", "application/xml")) else None


async def check_note(tx: Transaction, owner_id: int, note_id: int) -> None:
    """See that there is such a note, in the trash or not.

    Raises:
        NotFound: there is none, or it is not this owner's.
    """
    if not await repository.note_exists(tx, owner_id, note_id):
        raise NotFound(f"there is no note {note_id}", field="note_id")


async def attach(tx: Transaction, owner_id: int, files: Files, note_id: int, found: Examined) -> Attachment:
    """Give a note a file: put it in its place, then record it. The same bytes again are the same attachment.

    Raises:
        NotFound: there is no such note.
        Upstream: the disk is full, or failed.
    """
    await check_note(tx, owner_id, note_id)
    await repository.lock_file(tx, found.received.hash)
    await files.put(found.received)
    hash_ = found.received.hash
    values = {
        "hash": hash_,
        "name": found.name,
        "media_type": found.media_type,
        "size": found.received.size,
        "width": found.width,
        "height": found.height,
        "text_state": "waiting" if found.ending else "none",
    }
    await repository.record(tx, owner_id, values)
    await repository.link(tx, owner_id, note_id, hash_, found.name)
    await settle(tx, owner_id, [hash_])
    if found.ending:
        await enqueue_reading(tx, owner_id)
    return Attachment(**await repository.of_note_one(tx, owner_id, note_id, hash_))


async def of_note(
    tx: Transaction, owner_id: int, note_id: int, limit: int = 100, after: str | None = None
) -> tuple[list[Attachment], str | None]:
    """What a note has, in the order in which it came, and where the next page begins (`after`), if there is one.

    Raises:
        NotFound: there is no such note.
        Invalid: `after` is not what a page gave.
    """
    await check_note(tx, owner_id, note_id)
    rows = await repository.of_note(tx, owner_id, note_id, limit + 1, _place(after) if after else None)
    found = [Attachment(**row) for row in rows[:limit]]
    return found, f"{found[-1].created_at.isoformat()}~{found[-1].hash.hex()}" if len(rows) > limit else None


def _place(written: str) -> tuple[dt.datetime, bytes]:
    at, _, hash_ = written.partition("~")
    try:
        return dt.datetime.fromisoformat(at), bytes.fromhex(hash_)
    except ValueError as error:
        raise Invalid("begin with the first page, and go on with its `next`", field="after") from error


async def get(tx: Transaction, owner_id: int, hash_: bytes) -> Attachment:
    """What is known of a content.

    Raises:
        NotFound: this owner has none of that hash.
    """
    row = await repository.one(tx, owner_id, hash_)
    if row is None:
        raise NotFound(f"there is no attachment {hash_.hex()}", field="hash")
    return Attachment(**row)


async def detach(tx: Transaction, owner_id: int, note_id: int, hash_: bytes) -> None:
    """Take a file from a note. What no note has any more leaves every answer at once, and is deleted a day later.

    Raises:
        NotFound: the note has no such attachment, or there is no such note.
    """
    await check_note(tx, owner_id, note_id)
    if not await repository.unlink(tx, owner_id, note_id, [hash_]):
        raise NotFound(f"note {note_id} has no attachment {hash_.hex()}", field="hash")
    await settle(tx, owner_id, [hash_])


async def hold(tx: Transaction, owner_id: int, note_id: int) -> None:
    """Keep what a note has as it is until the transaction ends: before anything that `share` must not wait for."""
    await repository.lock(tx, owner_id, await repository.hashes_of_note(tx, owner_id, note_id))


async def share(tx: Transaction, owner_id: int, note_id: int, to: int) -> None:
    """Give another note, which says the same, what this one has; it was held before."""
    await repository.share(tx, owner_id, note_id, to)


async def follow(tx: Transaction, owner_id: int, note_id: int) -> None:
    """Have the texts of a note's attachments go where the note has gone: into the trash, or out of it."""
    await settle(tx, owner_id, await repository.hashes_of_note(tx, owner_id, note_id))


async def only_texts(tx: Transaction, owner_id: int, note_id: int) -> list[int]:
    """The documents that `forget` would delete: texts of files that no other note has."""
    return await repository.only_texts(tx, owner_id, note_id)


async def forget(tx: Transaction, owner_id: int, note_id: int) -> list[int]:
    """Before a note is deleted for good: its attachments go, and with those that no other note has their records and texts.

    Returns:
        The ids of the documents that went.
    """
    hashes = await repository.hashes_of_note(tx, owner_id, note_id)
    await repository.unlink(tx, owner_id, note_id, hashes)
    alone = await settle(tx, owner_id, hashes)
    return await delete(tx, owner_id, alone)


async def delete(tx: Transaction, owner_id: int, hashes: Sequence[bytes]) -> list[int]:
    """Delete records that no note has, their texts, and soon after the files. Returns the ids of the texts."""
    if not hashes:
        return []
    gone = await repository.delete(tx, owner_id, hashes)
    named = [hash_.hex() for hash_ in hashes]
    await jobs.enqueue(tx, DROP_JOB, priority=_DROP_PRIORITY, owner_id=owner_id, hashes=named)
    return gone


async def enqueue_reading(tx: Transaction, owner_id: int) -> None:
    """Have what waits be read; one waiting job is enough, and two never run at once."""
    mark = f"{READ_JOB}:{owner_id}"
    await jobs.enqueue(tx, READ_JOB, priority=READ_PRIORITY, unique=mark, lock=mark, owner_id=owner_id)


async def settle(tx: Transaction, owner_id: int, hashes: Sequence[bytes]) -> list[bytes]:
    """Bring what is known of contents, and their texts, in line with the notes that have them. Returns those that none has."""
    alone, found = [], []
    for row in await repository.standing(tx, owner_id, hashes) if hashes else []:
        hash_, document_id = bytes(row["hash"]), row["document_id"]
        await repository.name(tx, owner_id, hash_, row["name"])
        if row["name"] is None:
            alone.append(hash_)
            if document_id is not None:
                await repository.trash(tx, owner_id, document_id)
        elif document_id is not None:
            values = {"title": row["name"], "trashed_at": row["trashed_at"]}
            if await repository.follow(tx, owner_id, document_id, values, {"note": row["note"]}):
                found.append(document_id)
    if found:
        await jobs.enqueue(tx, INDEX_JOB, priority=INDEX_PRIORITY, owner_id=owner_id, document_ids=found)
    return alone
