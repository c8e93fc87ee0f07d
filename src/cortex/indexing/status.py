"""How far the index is: spaces with their fill, what waits, and the switch that pauses the filling."""

from __future__ import annotations

from dataclasses import dataclass

from cortex.indexing import _repository as repository
from cortex.indexing.pipeline import PRIORITY, enqueue_filling
from cortex.jobs import enqueue
from cortex.library import INDEX_JOB
from cortex.storage import Transaction

_JOB_DOCUMENTS = 50


@dataclass(frozen=True)
class Space:
    """An embedding space; `filled` of `total` passage texts have their vector."""

    name: str
    provider: str
    model: str
    dims: int
    filled: int
    total: int


@dataclass(frozen=True)
class IndexStatus:
    """`waiting` documents are not searchable in their present version yet; `failed` ones could not be indexed."""

    documents: int
    passages: int
    waiting: int
    failed: int
    paused: bool
    spaces: list[Space]


async def status(tx: Transaction, owner_id: int) -> IndexStatus:
    """Counts of the index as it is now."""
    counts = await repository.counts(tx, owner_id)
    spaces = [
        Space(**{**row, **await repository.filled(tx, owner_id, row["name"])})
        for row in await repository.spaces(tx, owner_id)
    ]
    return IndexStatus(**counts, paused=await repository.paused(tx, owner_id), spaces=spaces)


async def waiting(tx: Transaction, owner_id: int) -> int:
    """The `waiting` of `status`, without the rest, which reads the whole index."""
    return await repository.waiting(tx, owner_id)


async def pause(tx: Transaction, owner_id: int, paused: bool) -> None:
    """Pause or go on with the filling of spaces behind the fast one."""
    await repository.set_paused(tx, owner_id, paused)
    if not paused:
        await enqueue_filling(tx, owner_id)


async def catch_up(tx: Transaction, owner_id: int) -> int:
    """Enqueue every document that the index does not hold in its present version. Returns how many."""
    ids = await repository.stale(tx, owner_id)
    for at in range(0, len(ids), _JOB_DOCUMENTS):
        part = ids[at : at + _JOB_DOCUMENTS]
        await enqueue(tx, INDEX_JOB, priority=PRIORITY[INDEX_JOB], owner_id=owner_id, document_ids=part)
    await enqueue_filling(tx, owner_id)
    return len(ids)
