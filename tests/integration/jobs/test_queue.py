"""The queue: jobs commit with their transaction, run in order, fail with a reason, and survive their workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import psycopg
import pytest

from cortex import jobs
from cortex.errors import Invalid, NotFound
from cortex.jobs import _attempts, _repository, _takeover
from cortex.storage import Database

Owner = psycopg.AsyncConnection[tuple[object, ...]]


class Seen:
    """A handler that notes its calls, and may be told to fail, to wait, or both."""

    def __init__(self) -> None:
        self.calls: list[dict[str, object]] = []
        self.error: Exception | None = None
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def __call__(self, **args: object) -> None:
        self.calls.append(args)
        self.begun.set()
        await self.go_on.wait()
        if self.error is not None:
            raise self.error


@pytest.fixture
async def seen() -> Seen:
    return Seen()


async def add(database: Database, name: str = "note", **args: object) -> None:
    async with database.transaction("app", 1) as tx:
        await jobs.enqueue(tx, name, **args)  # type: ignore[arg-type]


async def until(check: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while not await check():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def working(database: Database, handlers: dict[str, jobs.Handler]) -> AsyncIterator[asyncio.Event]:
    """A worker beside the block, stopped at its end."""
    stop = asyncio.Event()
    worker = asyncio.create_task(jobs.run_worker(database, handlers, stop=stop))
    try:
        yield stop
    finally:
        stop.set()
        await asyncio.wait_for(worker, 30)


async def test_a_job_gets_its_arguments(database: Database, seen: Seen) -> None:
    await add(database, owner_id=1, document_ids=[1, 2])
    assert await jobs.drain(database, {"note": seen}) == 1
    assert seen.calls == [{"owner_id": 1, "document_ids": [1, 2]}]
    state = await jobs.queue_state(database)
    assert (state.pending, state.running, state.failed, state.oldest_s) == (0, 0, 0, None)


async def test_an_empty_queue_drains_at_once(database: Database) -> None:
    assert await jobs.drain(database, {}) == 0


async def test_a_rollback_drops_the_job(database: Database) -> None:
    async def fail() -> None:
        async with database.transaction("app", 1) as tx:
            await jobs.enqueue(tx, "note", owner_id=1)
            raise Invalid("no")

    with pytest.raises(Invalid):
        await fail()
    assert (await jobs.queue_state(database)).pending == 0


@pytest.mark.parametrize("role", ["app", "ai"])
async def test_both_roles_enqueue(database: Database, role: str) -> None:
    async with database.transaction(role, 1) as tx:  # type: ignore[arg-type]
        await jobs.enqueue(tx, "note", owner_id=1)
    assert (await jobs.queue_state(database)).pending == 1


async def test_a_unique_job_waits_once_and_the_transaction_goes_on(database: Database) -> None:
    async with database.transaction("app", 1) as tx:
        for _ in range(3):
            await jobs.enqueue(tx, "note", unique="fill 1", owner_id=1)
        await tx.execute("INSERT INTO library.sources (owner_id, name, type) VALUES (1, 'kept', 'local')")
        await jobs.enqueue(tx, "note", unique="fill 2", owner_id=1)
    assert (await jobs.queue_state(database)).pending == 2
    async with database.transaction("app", 1) as tx:
        cursor = await tx.execute("SELECT name FROM library.sources WHERE name = 'kept'")
        assert await cursor.fetchone() is not None


async def test_higher_priority_first_then_oldest(database: Database, seen: Seen) -> None:
    await add(database, n=1)
    await add(database, n=2)
    await add(database, n=3, priority=5)
    await jobs.drain(database, {"note": seen})
    assert [call["n"] for call in seen.calls] == [3, 1, 2]


async def test_a_job_added_by_a_job_is_drained_too(database: Database, seen: Seen) -> None:
    async def first(**_: object) -> None:
        await add(database, "note", n=2)

    await add(database, "first")
    assert await jobs.drain(database, {"first": first, "note": seen}) == 2
    assert seen.calls == [{"n": 2}]


async def test_three_failures_mark_it_failed_with_its_reason(database: Database, seen: Seen) -> None:
    seen.error = Invalid("the file is no text")
    await add(database, owner_id=1)
    assert await jobs.drain(database, {"note": seen}) == 3
    assert (await jobs.queue_state(database)).failed == 1
    (failed,) = await jobs.failed(database)
    assert (failed.name, failed.args, failed.reason) == ("note", {"owner_id": 1}, "the file is no text")
    assert failed.at is not None


async def test_a_failed_job_gets_three_new_attempts(database: Database, seen: Seen) -> None:
    seen.error = RuntimeError("boom\x00\nsecond line")
    await add(database, unique="once")
    await jobs.drain(database, {"note": seen})
    await add(database, unique="once")  # meanwhile another one waits
    (failed,) = await jobs.failed(database)
    assert failed.reason == "RuntimeError: boom second line"
    await jobs.retry(database, failed.id)
    seen.error = None
    assert await jobs.drain(database, {"note": seen}) == 2
    state = await jobs.queue_state(database)
    assert (state.pending, state.failed) == (0, 0)


async def test_only_a_failed_job_can_be_retried(database: Database) -> None:
    await add(database)
    for job_id in (1, 12345):
        with pytest.raises(NotFound):
            await jobs.retry(database, job_id)


async def test_failed_jobs_come_in_pages(database: Database) -> None:
    for n in range(5):
        await add(database, n=n)
    await jobs.drain(database, {})
    first = await jobs.failed(database, limit=2)
    second = await jobs.failed(database, after=first[-1].id, limit=2)
    assert [job.args["n"] for job in [*first, *second]] == [4, 3, 2, 1]
    assert first[0].reason == "its worker knows no such job"


async def test_a_failing_job_whose_mark_is_taken_again_is_still_retried(database: Database, seen: Seen) -> None:
    """Back in the queue it would collide with the one that waits under the same mark."""

    async def fails_once(**args: object) -> None:
        await seen(**args)
        if len(seen.calls) == 1:
            await add(database, unique="fill")
            raise RuntimeError("once")

    await add(database, unique="fill")
    assert await jobs.drain(database, {"note": fails_once}) == 3
    assert (await jobs.queue_state(database)).failed == 0


async def test_the_worker_runs_what_comes_and_shows_its_heartbeat(database: Database, seen: Seen) -> None:
    assert (await jobs.queue_state(database)).worker_alive is False
    async with working(database, {"note": seen}):

        async def alive() -> bool:
            return (await jobs.queue_state(database)).worker_alive

        await until(alive)
        await add(database)
        await asyncio.wait_for(seen.begun.wait(), 30)
        state = await jobs.queue_state(database)
        assert state.worker_heartbeat_s is not None
        assert state.worker_heartbeat_s < 60
    state = await jobs.queue_state(database)
    assert state.worker_alive is False


async def test_a_stopped_worker_gives_its_job_back_without_a_failure(
    database: Database, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cortex.jobs.worker.STOP_S", 0.01)
    seen.go_on.clear()
    await add(database)
    async with working(database, {"note": seen}):
        await asyncio.wait_for(seen.begun.wait(), 30)
    state = await jobs.queue_state(database)
    assert (state.pending, state.running, state.failed) == (1, 0, 0)
    seen.go_on.set()
    assert await jobs.drain(database, {"note": seen}) == 1


async def pretend_running(owner: Owner, *, heartbeat_s: float) -> None:
    """All jobs are run by a worker that was last heard of so many seconds ago, and holds no lock."""
    cursor = await owner.execute(
        "INSERT INTO jobs.procrastinate_workers (last_heartbeat) VALUES (now() - make_interval(secs => %s)) RETURNING id",
        [heartbeat_s],
    )
    row = await cursor.fetchone()
    assert row is not None
    await owner.execute("UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = %s", [row[0]])


async def test_the_job_of_a_dead_worker_is_taken_over(database: Database, owner: Owner, seen: Seen) -> None:
    await add(database)
    await pretend_running(owner, heartbeat_s=2)
    assert await _takeover.take_over(database) == 0  # it may come back: the server has perhaps restarted
    await pretend_running(owner, heartbeat_s=_takeover.GRACE_S + 1)
    assert await _takeover.take_over(database) == 1
    assert await jobs.drain(database, {"note": seen}) == 1


async def test_a_silent_worker_with_its_lock_is_dead_after_five_minutes(database: Database, owner: Owner) -> None:
    assert _takeover.SILENT_S == 300
    await add(database)
    for silence, taken in ((299.0, 0), (301.0, 1)):
        await pretend_running(owner, heartbeat_s=silence)
        await owner.execute(
            "SELECT pg_advisory_lock_shared(%s, max(id)::int) FROM jobs.procrastinate_workers",
            [_repository.WORKER_LOCK],
        )
        assert await _takeover.take_over(database) == taken


async def test_a_job_that_outlives_its_worker_row_is_taken_over(database: Database, owner: Owner) -> None:
    await add(database)
    await owner.execute("UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = NULL")
    assert await _takeover.take_over(database) == 1


async def test_deaths_are_no_failures_but_have_an_end(database: Database, owner: Owner, seen: Seen) -> None:
    """Kills are not the job's fault; a job that kills its workers must not do so for ever."""
    await add(database)
    for death in range(1, _takeover.MOST_DEATHS + 1):
        await pretend_running(owner, heartbeat_s=1000)
        assert await _takeover.take_over(database) == 1
        state = await jobs.queue_state(database)
        assert (state.pending, state.failed) == ((1, 0) if death < _takeover.MOST_DEATHS else (0, 1))
    (failed,) = await jobs.failed(database)
    assert "worker went away" in failed.reason
    await jobs.retry(database, failed.id)
    assert await jobs.drain(database, {"note": seen}) == 1


async def test_a_worker_outlives_a_database_that_goes_away(database: Database, owner: Owner, seen: Seen) -> None:
    async with working(database, {"note": seen}):
        await add(database, n=1)
        await asyncio.wait_for(seen.begun.wait(), 30)
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        seen.begun.clear()
        await add(database, n=2)
        await asyncio.wait_for(seen.begun.wait(), 30)

        async def alive() -> bool:
            return (await jobs.queue_state(database)).worker_alive

        await until(alive)


async def test_the_outcome_of_a_job_survives_a_lost_connection(database: Database, owner: Owner, seen: Seen) -> None:
    seen.go_on.clear()
    await add(database)
    async with working(database, {"note": seen}):
        await asyncio.wait_for(seen.begun.wait(), 30)
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        seen.go_on.set()

        async def done() -> bool:
            state = await jobs.queue_state(database)
            return (state.pending, state.running) == (0, 0)

        await until(done)
    assert len(seen.calls) == 1


async def test_a_cancelled_worker_ends(database: Database, seen: Seen) -> None:
    seen.go_on.clear()
    await add(database)
    worker = asyncio.create_task(jobs.run_worker(database, {"note": seen}, stop=asyncio.Event()))
    await asyncio.wait_for(seen.begun.wait(), 30)
    seen.go_on.set()
    worker.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(worker, 30)


async def test_drain_waits_for_what_another_worker_runs(database: Database, seen: Seen) -> None:
    seen.go_on.clear()
    await add(database)
    async with working(database, {"note": seen}):
        await asyncio.wait_for(seen.begun.wait(), 30)
        draining = asyncio.create_task(jobs.drain(database, {"note": seen}))
        await asyncio.sleep(0.2)
        assert not draining.done()
        seen.go_on.set()
        assert await asyncio.wait_for(draining, 30) == 0
    assert len(seen.calls) == 1


def test_three_attempts() -> None:
    assert _attempts.MOST_FAILURES == 3
    assert len(_attempts.BACK_OFF_S) == _attempts.MOST_FAILURES - 1
