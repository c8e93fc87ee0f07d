"""How far the index is: spaces with their fill, what waits, and the switch that pauses the filling."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cortex.indexing import _status_repository as repository
from cortex.indexing.pipeline import PRIORITY, enqueue_filling
from cortex.jobs import enqueue, of_values, retry_all
from cortex.library import AT_ONCE, INDEX_JOB
from cortex.storage import Transaction

_JOB_DOCUMENTS = 50
_SHOWN_FAILURES = 20


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
class Failure:
    """A document that could not be indexed, and why."""

    document_id: int
    title: str
    reason: str
    at: dt.datetime


@dataclass(frozen=True)
class IndexStatus:
    """`waiting` documents are not searchable in their present version yet; `failed` ones could not be indexed."""

    documents: int
    passages: int
    waiting: int
    failed: int
    per_minute: int
    """Documents that were indexed in the last minute."""
    paused: bool
    spaces: list[Space]
    failures: list[Failure]
    """Some of the failed ones, the last first."""

    @property
    def eta_s(self) -> float | None:
        """Seconds until nothing waits, at the pace of the last minute; None when nobody can tell."""
        if not self.waiting:
            return 0.0
        return round(self.waiting * 60 / self.per_minute, 1) if self.per_minute else None


async def status(tx: Transaction, owner_id: int) -> IndexStatus:
    """Counts of the index as it is now."""
    counts = await repository.counts(tx, owner_id)
    spaces = [
        Space(**{**row, **await repository.filled(tx, owner_id, row["name"])})
        for row in await repository.spaces(tx, owner_id)
    ]
    failures = await repository.failures(tx, owner_id, _SHOWN_FAILURES) if counts["failed"] else []
    return IndexStatus(
        **counts,
        paused=await repository.paused(tx, owner_id),
        spaces=spaces,
        failures=[Failure(**row) for row in failures],
    )


@dataclass(frozen=True)
class DocumentState:
    """Whether a document is searchable as it is now; a failed one says why."""

    state: Literal["indexed", "waiting", "failed"]
    reason: str | None = None


WAITING = DocumentState("waiting")
INDEXED = DocumentState("indexed")


async def states(tx: Transaction, owner_id: int, ids: Sequence[int]) -> dict[int, DocumentState]:
    """The state of each document. One failed if it could not be read, or the job that held it was given up."""
    rows = {row["id"]: row for row in await repository.states(tx, owner_id, ids)}
    found = {key: INDEXED for key, row in rows.items() if row["present"] and row["failed"] is None}
    rest = [key for key in rows if key not in found]
    jobs = await of_values(tx, INDEX_JOB, {"owner_id": owner_id}, "document_ids", rest) if rest else {}
    for key in rest:
        reason = rows[key]["failed"] if rows[key]["present"] else None
        job = jobs.get(key)
        if job and job.unfinished:
            reason = None
        elif job and reason is None:
            reason = job.reason or "its worker went away each time"
        found[key] = DocumentState("failed", reason) if reason else WAITING
    return found


async def try_again(tx: Transaction, owner_id: int, document_id: int) -> None:
    """Have a document indexed once more, whatever became of it before."""
    await retry_all(tx, {"owner_id": owner_id, "document_ids": [document_id]})
    await enqueue(tx, INDEX_JOB, priority=AT_ONCE, owner_id=owner_id, document_ids=[document_id])


async def try_all_again(tx: Transaction, owner_id: int) -> int:
    """Give every failed job, and every document that failed, new attempts; returns how many of both there were."""
    again = await retry_all(tx, {"owner_id": owner_id})
    failed = await repository.failed(tx, owner_id)
    await _enqueue(tx, owner_id, failed)
    return again + len(failed)


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
    await _enqueue(tx, owner_id, ids)
    await enqueue_filling(tx, owner_id)
    return len(ids)


async def _enqueue(tx: Transaction, owner_id: int, ids: Sequence[int]) -> None:
    for at in range(0, len(ids), _JOB_DOCUMENTS):
        part = list(ids[at : at + _JOB_DOCUMENTS])
        await enqueue(tx, INDEX_JOB, priority=PRIORITY[INDEX_JOB], owner_id=owner_id, document_ids=part)
