"""Runs of sync that were started over HTTP: one at a time for each source, watched by any number of readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from cortex.bootstrap import Cortex
from cortex.errors import CortexError, NotFound
from cortex.logs import get
from cortex.sources.sync import sync
from cortex.web.events import StreamEvent
from cortex.web.problems import KINDS

_log = get(__name__)
_STEP_SECONDS = 0.2
"""Progress is told this often at most."""


@dataclass
class SyncRun:
    """One run; a reader gets the latest progress, what follows, and then `done`, `cancelled` (the report) or `error`."""

    source: str
    cancelled: bool = False
    ended: bool = False
    latest: StreamEvent | None = None
    _told_at: float = 0.0
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, event: str, data: dict[str, Any], *, last: bool = False) -> None:
        """Make this the run's latest event."""
        self.latest = StreamEvent(self.latest.n + 1 if self.latest else 1, event, data)
        self.ended = last
        rung, self._news = self._news, asyncio.Event()
        rung.set()

    def progress(self, source: str, done: int, total: int) -> None:
        """Tell how many files are done, unless that was told a moment ago."""
        now = asyncio.get_running_loop().time()
        if now - self._told_at >= _STEP_SECONDS:
            self._told_at = now
            self.tell("progress", {"name": source, "done": done, "total": total})

    async def follow(self, after: int = 0) -> AsyncIterator[StreamEvent]:
        """The latest event, then those to come; a slow reader misses progress, never the end."""
        while True:
            news, latest, ended = self._news, self.latest, self.ended
            if latest is not None and (latest.n > after or ended):
                after = latest.n
                yield latest
                if ended:
                    return
            elif not ended:
                await news.wait()


@dataclass
class SyncRuns:
    """The runs of this process, the last one of each source."""

    cortex: Cortex
    _runs: dict[tuple[int, str], SyncRun] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self, owner_id: int, source: str, *, dry_run: bool = False, allow_deletes: bool = False) -> SyncRun:
        """Start a run, or find the one that is under way.

        Raises:
            NotFound: the configuration lists no such source.
        """
        if all(listed.name != source for listed in self.cortex.settings.sources):
            raise NotFound(f"the configuration lists no source {source!r}", field="name")
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
            raise NotFound(f"no sync of {source!r} was started since Cortex started; start one", field="name")
        return run

    def cancel(self, owner_id: int, source: str) -> SyncRun:
        """Have the run end after the batch that it is at; what was done is kept. Raises NotFound as `find` does."""
        run = self.find(owner_id, source)
        run.cancelled = True
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

    async def _run(self, owner_id: int, run: SyncRun, *, dry_run: bool, allow_deletes: bool) -> None:
        try:
            reports = await sync(
                self.cortex.database,
                owner_id,
                self.cortex.settings,
                [run.source],
                dry_run=dry_run,
                allow_deletes=allow_deletes,
                progress=run.progress,
                cancelled=lambda: run.cancelled,
            )
        except CortexError as error:
            _, kind, title = KINDS[type(error)]
            run.tell("error", {"type": kind, "title": title, "detail": error.message}, last=True)
        except Exception as error:  # noqa: BLE001 - nobody awaits this task: the readers must be told that it ended
            _log.error("sync failed", source=run.source, error=type(error).__name__, exc_info=error)
            detail = "Cortex made a mistake. The log says more."
            run.tell("error", {"type": "internal", "title": "The sync failed", "detail": detail}, last=True)
        else:
            report = reports[0].brief() if reports else {"name": run.source, "complete": False}
            run.tell("cancelled" if run.cancelled else "done", {**report, "dry_run": dry_run}, last=True)
