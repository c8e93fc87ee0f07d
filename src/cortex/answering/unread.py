"""What a refusal could not look at: notes that are not searchable yet, and passages that are not searchable in every way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cortex.indexing.status import status
from cortex.jobs import newest_job
from cortex.storage import Database, Transaction


@dataclass
class Unread:
    """Counts what is unread. Counting reads the whole index, so a library that was read whole is not counted again until a job is new."""

    database: Database
    _whole: dict[int, int] = field(default_factory=dict)
    """By owner: the newest job at a time when nothing was unread."""

    async def counts(self, owner_id: int) -> dict[str, Any] | None:
        """Notes, and passages in the space that has the most to fill; None when everything was searched."""
        newest = await newest_job(self.database)
        if self._whole.get(owner_id) == newest:
            return None
        async with self.database.transaction("ai", owner_id) as tx:
            found = await _counts(tx, owner_id)
        if found is None:
            self._whole[owner_id] = newest
        return found


async def _counts(tx: Transaction, owner_id: int) -> dict[str, Any] | None:
    index = await status(tx, owner_id)
    emptiest = max(index.spaces, key=lambda space: space.total - space.filled, default=None)
    passages = emptiest.total - emptiest.filled if emptiest else 0
    if not index.waiting and not passages:
        return None
    return {
        "notes": {"waiting": index.waiting, "total": index.documents},
        "passages": {"waiting": passages, "total": emptiest.total if emptiest else 0},
    }
