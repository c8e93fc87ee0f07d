"""Runs of sync that were started over HTTP: one at a time for each source, watched by any number of readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from cortex.bootstrap import Cortex
from cortex.errors import CortexError, NotFound
from cortex.logs import get
from cortex.sources import sync
from cortex.web.events import StreamEvent
from cortex.web.problems import KINDS

_log = get(__name__)
_STEP_SECONDS = 0.2
"""Progress is told this often at most."""


@dataclass
class SyncRun:
    """One run; `events` holds what came of it: the latest progress, then `done` or `error`."""

    source: str
    n: int = 0
    latest: StreamEvent | None = None
    ended: bool = False
    cancelled: bool = False
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def tell(self, event: str, data: dict[str, Any], *, last: bool = False) -> None:
        """Make this the run's latest event."""
        self.n += 1
        self.latest, self.ended = StreamEvent(self.n, event, data), last
        async with self._news:
            self._news.notify_all()

    async def follow(self, after: int = 0) -> AsyncIterator[StreamEvent]:
        """The latest event above `after`, then those to come; a slow reader misses progress, never the end."""
        while True:
            async with self._news:
                await self._news.wait_for(lambda: self.latest is not None and self.latest.n > after)
            assert self.latest is not None
            event, ended = self.latest, self.ended
            after = event.n
            yield event
            if ended:
                return


@dataclass
class SyncRuns:
    """The runs of this process, the last one of each source."""

    cortex: Cortex
    _runs: dict[tuple[int, str], SyncRun] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self, owner_id: int, source: str, *, dry_run: bool = False, allow_deletes: bool = False) -> SyncRun:
        """Start a run, or find the one that is under way."""
        running = self._runs.get((owner_id, source))
        if running is not None and not running.ended:
            return running
        run = self._runs[owner_id, source] = SyncRun(source)
        task = asyncio.create_task(self._run(owner_id, run, dry_run=dry_run, allow_deletes=allow_deletes))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return run

    def find(self, owner_id: int, source: str) -> SyncRun:
        """The source's last run.

        Raises:
            NotFound: there was none since the start.
        """
        run = self._runs.get((owner_id, source))
        if run is None:
            raise NotFound(f"no sync of {source!r} was started here since Cortex started; start one", field="name")
        return run

    def running(self, owner_id: int, source: str) -> bool:
        """Whether a run is under way."""
        run = self._runs.get((owner_id, source))
        return run is not None and not run.ended

    async def close(self) -> None:
        """Cancel what runs, and wait for it."""
        for run in self._runs.values():
            run.cancelled = True
        await asyncio.gather(*self._tasks, return_exceptions=True)
