"""The feed of changes to notes: gapless, in the order in which they were committed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cortex.errors import Conflict
from cortex.library import _changes_repository as repository
from cortex.storage import Transaction

Op = Literal["saved", "trashed", "restored", "deleted"]

_PAGE_BYTES = 4_000_000
"""A page ends early where the notes that go with it hold more."""


@dataclass(frozen=True)
class Change:
    """An entry: what happened to the note `id`, whose key stays known after it was deleted for good."""

    seq: int
    id: int
    key: str
    op: Op
    version: int
    at: dt.datetime


@dataclass(frozen=True)
class Feed:
    """Changes after a number, in order; `next` is the number to go on from, `more` whether there are some now.

    `feed` names the feed: after a restore from a backup it is another one, and a reader begins again at 0.
    """

    feed: str | None
    changes: list[Change]
    next: int
    more: bool

    @property
    def notes(self) -> list[int]:
        """The ids of the notes that are concerned."""
        return list({change.id: None for change in self.changes if change.op != "deleted"})


async def record(tx: Transaction, owner_id: int, op: Op, entries: Sequence[tuple[int, str, int]]) -> None:
    """Put changes of notes, each (id, key, version), into the feed.

    From here to the commit nobody else writes into this owner's feed: nothing that may wait follows in the transaction.
    """
    if entries:
        await repository.record(tx, owner_id, op, entries)


async def since(tx: Transaction, owner_id: int, seq: int, *, limit: int = 100, latest: bool = False) -> Feed:
    """The changes after `seq`; `latest` leaves out those that a later one of the same note follows.

    Raises:
        Conflict: the feed has not come that far: it is another one than the reader's.
    """
    feed = await repository.feed(tx, owner_id)
    last = feed["last"] if feed else 0
    if seq > last:
        raise Conflict(
            f"the feed ends at {last}, before {seq}: the notebook was restored from an older backup; begin again at since=0",
            field="since",
        )
    rows = await repository.after(tx, owner_id, seq, limit + 1, latest=latest)
    taken = _page([(row["id"], row["size"]) for row in rows[:limit]])
    found = [Change(row["seq"], row["id"], row["key"], row["op"], row["version"], row["at"]) for row in rows[:taken]]
    return Feed(feed["feed"] if feed else None, found, found[-1].seq if found else seq, len(rows) > taken)


def _page(sizes: Sequence[tuple[int, int]]) -> int:
    """How many of the entries fit, each note counted once; at least one."""
    seen: set[int] = set()
    total = 0
    for count, (note_id, size) in enumerate(sizes):
        total += 0 if note_id in seen else size
        seen.add(note_id)
        if count and total > _PAGE_BYTES:
            return count
    return len(sizes)
