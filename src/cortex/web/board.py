"""The status as one board for all readers: looked at once a second at most, with the time that is still to go."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from cortex.backups import backup_health
from cortex.bootstrap import Cortex
from cortex.indexing.status import Space, status
from cortex.jobs import failed, queue_state
from cortex.web.events import StreamEvent
from cortex.web.shapes import backup_fields, status_fields

FRESH_SECONDS = 1.0
_WINDOW_SECONDS = 60.0
_SHOWN_FAILURES = 20
_FIRST_GUESS = {"fast": 100.0, "deep": 4.0}
"""Passages a second on two ordinary cores, until this machine's own pace was seen."""


@dataclass
class Pace:
    """How fast a space fills, seen over the last minute."""

    _seen: deque[tuple[float, int]] = field(default_factory=deque)

    def eta_s(self, space: Space, now: float) -> float | None:
        """Seconds until the space is full; 0 when it is, None when nobody can tell."""
        self._seen.append((now, space.filled))
        while now - self._seen[0][0] > _WINDOW_SECONDS:
            self._seen.popleft()
        left = space.total - space.filled
        if left <= 0:
            return 0.0
        (since, had), guess = self._seen[0], _FIRST_GUESS.get(space.name)
        if now - since >= 5 and space.filled > had:
            return round(left * (now - since) / (space.filled - had), 1)
        return round(left / guess, 1) if guess else None


@dataclass
class StatusBoard:
    """What GET /api/status shows."""

    cortex: Cortex
    _shown: dict[int, tuple[float, dict[str, Any]]] = field(default_factory=dict)
    _paces: dict[tuple[int, str], Pace] = field(default_factory=dict)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def now(self, owner_id: int) -> dict[str, Any]:
        """The status, not older than a second."""
        async with self._looking:
            looked, shown = self._shown.get(owner_id, (float("-inf"), {}))
            if time.monotonic() - looked >= FRESH_SECONDS:
                shown = await self._look(owner_id)
                self._shown[owner_id] = (time.monotonic(), shown)
            return shown

    async def follow(self, owner_id: int) -> AsyncIterator[StreamEvent]:
        """The status whenever it changed, the present one first."""
        n, last = 0, None
        while True:
            shown = await self.now(owner_id)
            if shown != last:
                n, last = n + 1, shown
                yield StreamEvent(n, "status", shown)
            await asyncio.sleep(FRESH_SECONDS)

    def forget(self, owner_id: int) -> None:
        """Look anew at the next call: something was just changed."""
        self._shown.pop(owner_id, None)

    async def _look(self, owner_id: int) -> dict[str, Any]:
        async with self.cortex.database.transaction("app", owner_id) as tx:
            index = await status(tx, owner_id)
        queue = await queue_state(self.cortex.database)
        given_up = await failed(self.cortex.database, limit=_SHOWN_FAILURES) if queue.failed else []
        now = time.monotonic()
        etas = {s.name: self._paces.setdefault((owner_id, s.name), Pace()).eta_s(s, now) for s in index.spaces}
        backup = await backup_health(self.cortex.database, self.cortex.settings)
        return {**status_fields(index, queue, etas, given_up), "backup": backup_fields(backup)}
