"""The worker's part: asking for the daily backup when it is due, and making backups that were asked for, in a process of its own.

Backups have a queue of their own, so that indexing does not wait for one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg

from cortex import logs
from cortex.backups import record
from cortex.errors import CortexError
from cortex.jobs import enqueue, run_worker
from cortex.settings import Settings
from cortex.storage import Database, Transaction
from cortex.storage.schema import made_at

JOB, QUEUE = "make_backup", "backups"
EVERY = timedelta(days=1)
AGAIN_AFTER = timedelta(hours=1)
"""A daily backup that failed is tried again after this."""
FIRST_AFTER = timedelta(hours=1)
"""A new library has this long to fill, before its first backup."""
_LOOK_S = 300.0
_GRACE_S = 5.0

_log = logs.get(__name__)


async def ask_for_backup(tx: Transaction, kind: str = "asked") -> None:
    """Have the worker make a backup; while one waits, another is not added."""
    await enqueue(tx, JOB, queue=QUEUE, priority=-10, lock=JOB, unique=f"{JOB}:{kind}", kind=kind)


@dataclass(frozen=True)
class Backups:
    """The worker's backups of one library."""

    settings: Settings
    database: Database

    async def work(self, stop: asyncio.Event) -> None:
        """Make the backups that are asked for, and ask for the daily one, until `stop` is set."""
        watching = asyncio.create_task(self._watch())
        try:
            await run_worker(self.database, self.handlers(), stop=stop, queue=QUEUE)
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    def handlers(self) -> Mapping[str, Callable[..., Awaitable[None]]]:
        return {JOB: self.make}

    async def make(self, kind: str) -> None:
        """Make one. What fails is noted where the status and the doctor look, and is no failure of the queue: a daily one is
        tried again by the clock, and one that was asked for by whoever asked.
        """
        if kind == "daily" and not await self.due():
            return
        began = datetime.now(UTC)
        code = await self._run(kind)
        failed_at = record.read(self.settings.data).failed_at
        if code != 0 and (failed_at is None or failed_at < began):
            record.note_failed(self.settings.data, f"the process that made it ended with {code}; its log says more")

    async def due(self) -> bool:
        """Whether it is time for a daily backup. A clock that was set back does not put it off."""
        told, now = record.read(self.settings.data), datetime.now(UTC)
        if not self.settings.backup.daily or _within(told.failed_at, now, AGAIN_AFTER):
            return False
        if told.daily_at is not None:
            return not _within(told.daily_at, now, EVERY)
        async with self.database.connection("ai") as connection:
            return now - await made_at(connection) >= FIRST_AFTER

    async def _watch(self) -> None:
        while True:
            try:
                if await self.due():
                    async with self.database.connection("ai") as connection:
                        await ask_for_backup(connection, "daily")
            except (CortexError, psycopg.Error) as error:
                logs.outage(str(error))
            await asyncio.sleep(_LOOK_S)

    async def _run(self, kind: str) -> int:
        """The exit code of a process that makes one; it ends with us."""
        process = await asyncio.create_subprocess_exec(
            *_command(self.settings, kind),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            env=_environment(self.settings),
            start_new_session=True,
        )
        try:
            return await process.wait()
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGINT)  # it removes what it has written
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), _GRACE_S)
            if process.returncode is None:
                process.kill()
                await process.wait()


def _within(at: datetime | None, now: datetime, span: timedelta) -> bool:
    return at is not None and -span < now - at < span


def _command(settings: Settings, kind: str) -> list[str]:
    command = [sys.executable, "-m", "cortex", "backup", "--kind", kind, "--json", "--data", str(settings.data)]
    return command + (["--config", str(settings.config)] if settings.config else [])


def _environment(settings: Settings) -> dict[str, str]:
    """The database of these settings, wherever they have it from."""
    url = {"DATABASE_URL": settings.database_url} if settings.database_url else {}
    return {**os.environ, "CORTEX_POSTGRES": str(settings.postgres_version), **url}
