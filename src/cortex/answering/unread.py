"""What a refusal could not look at: notes that are not searchable yet, and passages that are not searchable in every way."""

from __future__ import annotations

from typing import Any

from cortex.indexing.status import status
from cortex.storage import Database


async def unread(database: Database, owner_id: int) -> dict[str, Any] | None:
    """Counts of notes, and of passages in the space that has the most to fill; None when everything was searched."""
    async with database.transaction("ai", owner_id) as tx:
        index = await status(tx, owner_id)
    emptiest = max(index.spaces, key=lambda space: space.total - space.filled, default=None)
    passages = emptiest.total - emptiest.filled if emptiest else 0
    if not index.waiting and not passages:
        return None
    return {
        "notes": {"waiting": index.waiting, "total": index.documents},
        "passages": {"waiting": passages, "total": emptiest.total if emptiest else 0},
    }
