"""Notes and their files, given as a request gives them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from tests.integration.storage.rows import Owner, add_document

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER, attachments
from cortex.library.attachments import Attachment

Note = Callable[[str], Awaitable[int]]
Give = Callable[..., Awaitable[Attachment]]


@pytest.fixture
def note(owner: Owner) -> Note:
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
