"""What the queue looks like from outside: counts, the worker's heartbeat, failed jobs and their second chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg.types.json import Jsonb

from cortex.errors import NotFound
from cortex.jobs import _repository
from cortex.jobs.enqueueing import JSON
from cortex.storage import Database, Role, Transaction

SERVED_BY: Role = "ai"
"""The role that works on the queue."""


# procrastinate tells its listeners of new jobs only.
_WAKE = "SELECT pg_notify('procrastinate_any_queue_v1', %s)"


@dataclass(frozen=True)
class QueueState:
    """Counts of jobs; the age in seconds of the oldest waiting one, and of the last worker's heartbeat (None: none)."""

    pending: int
    running: int
    failed: int
    oldest_s: float | None
    worker_alive: bool
    worker_heartbeat_s: float | None


@dataclass(frozen=True)
class FailedJob:
    """A job that was given up, and why."""

    id: int
    name: str
    args: dict[str, JSON]
    reason: str
    at: datetime | None


@dataclass(frozen=True)
class JobState:
    """A job waits or runs, or was given up for a reason."""

    unfinished: bool
    reason: str | None


async def queue_state(database: Database) -> QueueState:
    """The state of the queue now."""
    async with database.connection("app") as connection:
        counts = await _repository.one(connection, _repository.COUNTS)
        heartbeat = await _repository.one(connection, _repository.HEARTBEAT)
    return QueueState(
        pending=counts["pending"],
        running=counts["running"],
        failed=counts["failed"],
        oldest_s=counts["oldest_s"],
        worker_alive=heartbeat["alive"],
        worker_heartbeat_s=heartbeat["age_s"],
    )


async def newest_job(database: Database) -> int:
    """The id of the newest job that there ever was, 0 without any: as long as it stays the same, no work was added."""
    async with database.connection("app") as connection:
        row = await _repository.one(connection, _repository.NEWEST)
    return int(row["id"])


async def unfinished(database: Database, name: str) -> int:
    """How many jobs of this name wait or run."""
    async with database.connection("app") as connection:
        row = await _repository.one(connection, _repository.UNFINISHED_OF, name=name)
    return int(row["n"])


async def failed(database: Database, *, after: int | None = None, limit: int = 50) -> list[FailedJob]:
    """Jobs that were given up, the newest first; `after` is the last id of the page before."""
    async with database.connection("app") as connection:
        cursor = await connection.execute(_repository.FAILED, {"after": after, "limit": limit})
        rows = await cursor.fetchall()
    return [
        FailedJob(row["id"], row["name"], row["args"], row["reason"] or "its worker knows no such job", row["at"])
        for row in rows
    ]


async def of_values(
    tx: Transaction, name: str, args: Mapping[str, JSON], argument: str, values: Sequence[int]
) -> dict[int, JobState]:
    """What became of the job `name` for each value of its list `argument`; a value that no job holds is left out.

    Args:
        args: what else its arguments hold.
    """
    given = {"name": name, "args": Jsonb(dict(args)), "argument": argument, "values": list(values)}
    rows = await (await tx.execute(_repository.OF_VALUES, given)).fetchall()
    return {row["value"]: JobState(row["status"] != "failed", row["reason"]) for row in rows}


async def held(tx: Transaction, name: str, args: Mapping[str, JSON], argument: str) -> set[int]:
    """All values of the list `argument` that a job `name` holds which waits or runs."""
    rows = await (
        await tx.execute(_repository.HELD, {"name": name, "args": Jsonb(dict(args)), "argument": argument})
    ).fetchall()
    return {row["value"] for row in rows}


async def retry_all(tx: Transaction, args: Mapping[str, JSON]) -> int:
    """Give all failed jobs whose arguments hold `args` three new attempts; returns how many there were."""
    rows = await (await tx.execute(_repository.RETRY_ALL, {"args": Jsonb(dict(args))})).fetchall()
    for row in rows[:1]:
        await tx.execute(_WAKE, [_repository.wake_up(row["id"])])
    return len(rows)


async def urgent(tx: Transaction, above: int) -> bool:
    """Whether a job of a higher priority waits."""
    row = await (await tx.execute(_repository.URGENT, {"above": above})).fetchone()
    return bool(row and row["waits"])


async def retry(database: Database, job_id: int) -> None:
    """Give a failed job three new attempts.

    Raises:
        NotFound: there is no failed job of this id.
    """
    async with database.connection("app") as connection:
        cursor = await connection.execute(_repository.RETRY, {"id": job_id})
        if await cursor.fetchone() is None:
            raise NotFound(f"there is no failed job {job_id}")
        await connection.execute(_WAKE, [_repository.wake_up(job_id)])
