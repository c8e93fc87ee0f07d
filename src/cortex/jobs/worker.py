"""The loop that runs jobs: three attempts with back-off, heartbeats, and the jobs of dead workers taken over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import DeleteJobCondition
from procrastinate.worker import Worker
from psycopg_pool import PoolTimeout

from cortex import logs
from cortex.errors import CortexError
from cortex.jobs import _repository
from cortex.jobs._attempts import Attempts
from cortex.jobs._patience import PatientManager
from cortex.jobs._presence import Presence
from cortex.jobs._takeover import SILENT_S, take_over
from cortex.jobs.enqueueing import QUEUE
from cortex.jobs.state import SERVED_BY
from cortex.storage import Database

Handler = Callable[..., Awaitable[None]]

HEARTBEAT_S = 5.0
TAKE_OVER_EVERY_S = 5.0
STOP_S = 10.0
"""How long running jobs may go on after `stop`; then they are cancelled and queued again."""
LONGEST_PAUSE_S = 10.0


async def run_worker(
    database: Database,
    handlers: Mapping[str, Handler],
    *,
    stop: asyncio.Event,
    queue: str = QUEUE,
    concurrency: int = 1,
) -> None:
    """Run jobs until `stop` is set. A database that goes away is waited for.

    Args:
        handlers: what each job's name means; called with the job's arguments.
        queue: only its jobs are run; one queue does not wait for the jobs of another.
        concurrency: how many jobs run at once.
    """
    attempts = Attempts(database)
    pause = 0.5
    while not stop.is_set():
        try:
            await _work(database, handlers, attempts, stop, queue, concurrency)
            pause = 0.5
        except (CortexError, ConnectorException, psycopg.Error, PoolTimeout) as error:
            _raise_if_cancelled()  # procrastinate hides a cancellation behind what went wrong while it was stopping
            logs.outage(str(error.__cause__ or error))
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        pause = min(pause * 2, LONGEST_PAUSE_S)


async def drain(database: Database, handlers: Mapping[str, Handler]) -> int:
    """Run everything that waits in the queue of all, without its back-offs, until nothing waits or runs; returns how many runs
    there were.

    Jobs that another live worker has begun are waited for.
    """
    attempts = Attempts(database)
    while True:
        await take_over(database)
        async with database.connection(SERVED_BY) as connection:
            await connection.execute(_repository.HURRY, {"queue": QUEUE})
            unfinished = await _repository.one(connection, _repository.UNFINISHED, queue=QUEUE)
        if not unfinished["n"]:
            return attempts.runs
        async with _worker(database, handlers, attempts, QUEUE, concurrency=1, wait=False) as worker:
            await worker.run()  # type: ignore[no-untyped-call]
        await asyncio.sleep(0.02)


async def _work(
    database: Database,
    handlers: Mapping[str, Handler],
    attempts: Attempts,
    stop: asyncio.Event,
    queue: str,
    concurrency: int,
) -> None:
    await take_over(database)
    async with (
        _worker(database, handlers, attempts, queue, concurrency, wait=True) as worker,
        _beside(_take_over_for_ever(database), _stop_with(stop, worker)),
    ):
        await worker.run()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def _worker(
    database: Database, handlers: Mapping[str, Handler], attempts: Attempts, queue: str, concurrency: int, wait: bool
) -> AsyncIterator[Worker]:
    app = App(connector=PsycopgConnector())
    manager = PatientManager(app.connector)
    manager.presence = Presence(database)
    app.job_manager = manager
    for name, handler in handlers.items():
        app.task(name=name, queue=queue, retry=attempts, pass_context=True)(attempts.counted(handler))
    async with app.open_async(await database.pool(SERVED_BY)), _beside(manager.presence.keep()):
        try:
            yield Worker(
                app,
                queues=[queue],
                concurrency=concurrency,
                wait=wait,
                listen_notify=wait,
                shutdown_graceful_timeout=STOP_S,
                delete_jobs=DeleteJobCondition.SUCCESSFUL,
                install_signal_handlers=False,
                update_heartbeat_interval=HEARTBEAT_S,
                stalled_worker_timeout=SILENT_S,
            )
        finally:
            await manager.presence.leave()


@asynccontextmanager
async def _beside(*coroutines: Awaitable[None]) -> AsyncIterator[None]:
    """Run coroutines beside the block and cancel them at its end."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _raise_if_cancelled() -> None:
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def _take_over_for_ever(database: Database) -> None:
    while True:
        await asyncio.sleep(TAKE_OVER_EVERY_S)
        try:
            await take_over(database)
        except (CortexError, psycopg.Error) as error:
            logs.outage(str(error))


async def _stop_with(stop: asyncio.Event, worker: Worker) -> None:
    await stop.wait()
    worker.stop()  # type: ignore[no-untyped-call]
