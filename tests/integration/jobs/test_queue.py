"""The queue: jobs commit with their transaction, run, fail, and are taken over."""

from __future__ import annotations

from cortex import jobs
from cortex.storage import Database


async def test_a_job_runs(database: Database) -> None:
    seen: list[object] = []

    async def handler(**args: object) -> None:
        seen.append(args)

    async with database.transaction("app", 1) as tx:
        await jobs.enqueue(tx, "greet", owner_id=1, document_ids=[1, 2])
    assert await jobs.drain(database, {"greet": handler}) == 1
    assert seen == [{"owner_id": 1, "document_ids": [1, 2]}]
    state = await jobs.queue_state(database)
    assert (state.pending, state.running, state.failed) == (0, 0, 0)
