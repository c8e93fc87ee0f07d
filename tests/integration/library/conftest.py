"""Notes and their files, given the way that a handler does it: one transaction a verb."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.integration.storage.rows import Owner, add_document

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER, attachments, notes
from cortex.library.attachments import Attachment
from cortex.library.drafts import Draft, draft
from cortex.library.notes import Note
from cortex.storage import Database, Transaction

Write = Callable[..., Awaitable[Note]]
MakeNote = Callable[[str], Awaitable[int]]
Give = Callable[..., Awaitable[Attachment]]
MOST_BYTES = 1_000_000


def written(title: str = "", body: str = "", **placed: Any) -> Draft:
    return draft(title, body, most_bytes=MOST_BYTES, **placed)


@pytest.fixture
def write(database: Database) -> Write:
    """`await write(title, body, **placed)` makes a note."""

    async def write(
        title: str = "", body: str = "", *, key: str | None = None, owner: int = LOCAL_OWNER, **placed: Any
    ) -> Note:
        async with database.transaction("app", owner) as tx:
            return (await notes.create(tx, owner, written(title, body, **placed), key=key))[0]

    return write


async def save(database: Database, note: Note, body: str, title: str | None = None, **placed: Any) -> Note:
    """Save another body over this version of the note."""
    async with database.transaction("app", LOCAL_OWNER) as tx:
        new = written(note.title if title is None else title, body, **placed)
        return await notes.save(tx, LOCAL_OWNER, note.id, note.version, new)


@pytest.fixture
def note(owner: Owner) -> MakeNote:
    """`await note("key")` makes a note and gives its id."""

    async def note(key: str) -> int:
        return await add_document(owner, LOCAL_OWNER, key)

    return note


@pytest.fixture
def give(cortex: Cortex) -> Give:
    """`await give(note, raw, name)` attaches a file."""

    async def pieces(raw: bytes) -> AsyncIterator[bytes]:
        yield raw

    async def give(note_id: int, raw: bytes, name: str = "a.bin") -> Attachment:
        async with cortex.files.receive(pieces(raw), 100_000_000) as received:
            found = attachments.examine(received, name)
            async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
                return await attachments.attach(tx, LOCAL_OWNER, cortex.files, note_id, found)

    return give


class _Killed(Exception):
    """The process ends before the transaction does."""


@asynccontextmanager
async def never_committed(database: Database) -> AsyncIterator[Transaction]:
    """A transaction whose process is killed at its end: nothing of it may be seen afterwards."""
    try:
        async with database.transaction("app", LOCAL_OWNER) as tx:
            yield tx
            raise _Killed
    except _Killed:
        return
