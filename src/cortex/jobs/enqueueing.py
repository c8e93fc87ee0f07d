"""Putting a job into the queue, on the caller's connection: the job commits, or is dropped, with the caller's work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

from cortex.storage import Transaction

JSON = str | int | float | bool | None | Sequence["JSON"] | Mapping[str, "JSON"]

QUEUE = "cortex"
"""The queue of everything that has no queue of its own."""

_app = App(connector=PsycopgConnector())  # never opened: it only ever uses the caller's connection


async def enqueue(
    tx: Transaction,
    name: str,
    *,
    queue: str = QUEUE,
    priority: int = 0,
    lock: str | None = None,
    unique: str | None = None,
    **args: JSON,
) -> None:
    """Add the job `name` with `args` in the caller's transaction.

    Args:
        queue: which worker loop runs it; see `run_worker`.
        priority: higher runs first.
        lock: jobs with one lock run one after another, in order.
        unique: while a job with this mark waits, another one is not added, silently.
    """
    if unique is None:
        await _defer(tx, name, queue, priority, lock, None, args)
        return
    try:
        async with tx.transaction():  # a savepoint: the conflict must not end the caller's transaction
            await _defer(tx, name, queue, priority, lock, unique, args)
    except AlreadyEnqueued:
        return


async def _defer(
    tx: Transaction,
    name: str,
    queue: str,
    priority: int,
    lock: str | None,
    unique: str | None,
    args: Mapping[str, Any],
) -> None:
    task = _app.configure_task(
        name, allow_unknown=True, queue=queue, priority=priority, lock=lock, queueing_lock=unique, connection=tx
    )
    try:
        await task.defer_async(**args)
    except AlreadyEnqueued:
        raise
    except ConnectorException as error:
        raise error.__cause__ or error from None
