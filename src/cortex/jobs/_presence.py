"""How a worker shows that it lives: an advisory lock on a connection of its own, which the server drops when it dies."""

from __future__ import annotations

import asyncio

import psycopg

from cortex.errors import CortexError
from cortex.jobs import _repository
from cortex.jobs.state import SERVED_BY
from cortex.storage import Database, Transaction

CHECK_S = 2.0


class Presence:
    """One worker's lock. `announce` takes it, `keep` takes it again whenever the server restarts, `leave` drops it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Transaction | None = None
        self._worker_id: int | None = None

    async def announce(self, worker_id: int) -> None:
        self._worker_id = worker_id
        await self._take()

    async def keep(self) -> None:
        """Runs until it is cancelled."""
        while True:
            await asyncio.sleep(CHECK_S)
            try:
                if self._connection is not None:
                    await self._connection.execute("SELECT 1")
            except psycopg.Error:
                await self._retake()

    async def leave(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _retake(self) -> None:
        try:
            await self._take()
        except (psycopg.Error, CortexError):
            return  # the next round tries again

    async def _take(self) -> None:
        await self.leave()
        connection = await self._database.connect(SERVED_BY)
        self._connection = connection
        key = (self._worker_id or 0) % 2147483648
        await connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", [_repository.WORKER_LOCK, key])
