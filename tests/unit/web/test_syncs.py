"""Readers of a sync run get its latest state and always its end."""

from __future__ import annotations

import asyncio

from cortex.web.events import StreamEvent
from cortex.web.syncs import SyncRun


async def _read(run: SyncRun, after: int = 0) -> list[StreamEvent]:
    return [event async for event in run.follow(after)]


async def test_readers_see_progress_and_the_end() -> None:
    run = SyncRun("journals")
    early = asyncio.create_task(_read(run))
    await asyncio.sleep(0)
    run.progress("journals", 1, 10)
    run.progress("journals", 2, 10)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    late = asyncio.create_task(_read(run))
    await asyncio.sleep(0)
    run.tell("done", {"found": 10}, last=True)
    assert [event.event for event in await early] == ["progress", "done"]
    assert [event.data.get("done") for event in await late] == [1, None]


async def test_one_who_comes_after_the_end_gets_the_end() -> None:
    run = SyncRun("journals")
    run.tell("done", {}, last=True)
    for after in (0, 1, 99):
        assert [event.event for event in await _read(run, after)] == ["done"]
