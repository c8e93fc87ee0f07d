"""Waiting until what changed can be found: by the running worker or, where there is none, by this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortex.bootstrap import Cortex
    from cortex.indexing.status import IndexStatus
    from cortex.sources.sync import Progress

_LOOK_S = 0.2
_PATIENCE_S = 120.0
"""A worker that makes no headway for this long is not waited for."""

STEP = "making searchable"
"""What the progress is told to be of."""


@asynccontextmanager
async def at_work(cortex: Cortex) -> AsyncIterator[bool]:
    """A worker is there while the block runs; yields whether it is this process."""
    from cortex.jobs import queue_state

    if (await queue_state(cortex.database)).worker_alive:
        yield False
        return
    stop = asyncio.Event()
    working = asyncio.create_task(cortex.work(stop))
    try:
        yield True
    finally:
        stop.set()
        await working


async def wait_searchable(cortex: Cortex, progress: Progress | None) -> None:
    """Return when every note's present version is in the fast space, failed ones aside, or nothing moves any more."""
    clock = asyncio.get_running_loop().time
    left = most = least = await _waiting(cortex)
    moved = clock()
    while left and clock() - moved < _PATIENCE_S:
        if progress:
            progress(STEP, most - left, most)
        await asyncio.sleep(_LOOK_S)
        left = await _waiting(cortex)
        most = max(most, left)
        if left < least:
            least, moved = left, clock()
    if progress and most:
        progress(STEP, most - left, most)


async def _waiting(cortex: Cortex) -> int:
    from cortex.indexing.status import waiting
    from cortex.library import LOCAL_OWNER

    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        return await waiting(tx, LOCAL_OWNER)


async def look(cortex: Cortex) -> IndexStatus:
    """The index as it is now."""
    from cortex.indexing.status import status
    from cortex.library import LOCAL_OWNER

    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        return await status(tx, LOCAL_OWNER)


async def embedded(cortex: Cortex) -> int:
    """How many texts the fast space holds; see `upkeep.embedded`."""
    from cortex.indexing import upkeep
    from cortex.library import LOCAL_OWNER

    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        return await upkeep.embedded(tx, LOCAL_OWNER)
