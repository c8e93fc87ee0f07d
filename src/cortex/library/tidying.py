"""What grows with every save is cut back now and then, by a job."""

from __future__ import annotations

from cortex.library import _changes_repository as repository
from cortex.library import revisions
from cortex.storage import Database, Transaction

RECEIVED_DAYS = 90
"""How long it is remembered what came of a change that a device sent."""


async def tidy(tx: Transaction, owner_id: int) -> None:
    """Thin old revisions, and forget what came of changes that were sent long ago."""
    await revisions.thin(tx, owner_id)
    await repository.forget_received(tx, owner_id, RECEIVED_DAYS)


async def tidy_notes(database: Database, owner_id: int) -> None:
    """The job of that name: the one that writes the library, as the role that may."""
    async with database.transaction("app", owner_id) as tx:
        await tidy(tx, owner_id)
