"""Counting a job's failures, and deciding whether it gets another attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
from procrastinate import BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.jobs import Job

from cortex import logs
from cortex.errors import CortexError
from cortex.jobs import _repository
from cortex.jobs.state import SERVED_BY
from cortex.storage import Database

MOST_FAILURES = 3
BACK_OFF_S = (2, 15)
REASON_CHARS = 500

log = logs.get(__name__)


class Failed(Exception):
    """Raised in place of what a handler raised, with how often the job has failed by now."""

    def __init__(self, failures: int) -> None:
        super().__init__(f"failed {failures} times")
        self.failures = failures


class Attempts(BaseRetryStrategy):
    """procrastinate's retry strategy: up to MOST_FAILURES failures; a stop of the worker is none."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.runs = 0

    def counted(self, handler: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """The handler as a procrastinate task (with context): a failure is recorded before it goes on up."""

        async def run(context: JobContext, **args: Any) -> None:
            self.runs += 1
            try:
                await handler(**args)
            except Exception as error:  # noqa: BLE001 - whatever a job raises is its failure, and is kept with it
                raise Failed(await self._record(context.job, error)) from error

        return run

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision(retry_in={"seconds": 0})
        failures = exception.failures if isinstance(exception, Failed) else MOST_FAILURES
        if failures >= MOST_FAILURES:
            return None
        return RetryDecision(retry_in={"seconds": BACK_OFF_S[failures - 1]})

    async def _record(self, job: Job, error: Exception) -> int:
        reason = _reason(error)
        try:
            async with self._database.connection(SERVED_BY) as connection:
                row = await _repository.one(connection, _repository.RECORD_FAILURE, id=job.id, reason=reason)
        except (CortexError, psycopg.Error) as away:
            logs.outage(str(away))
            return 1  # the job did not fail by itself
        log.warning("a job failed", job=job.task_name, id=job.id, reason=reason)
        return int(row["failures"])


def _reason(error: Exception) -> str:
    text = error.message if isinstance(error, CortexError) else f"{type(error).__name__}: {error}"
    return " ".join(text.replace("\x00", " ").split())[:REASON_CHARS]
