"""procrastinate's job manager, hardened: it waits for a database that restarts, and never trips over a queueing lock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime

import psycopg
from procrastinate import jobs
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.manager import JobManager

from cortex import logs
from cortex.jobs import _repository
from cortex.jobs._presence import Presence

PATIENCE_S = 60.0
"""How long the outcome of a job is kept for a database that is away; after it the job is taken over and runs again."""

log = logs.get(__name__)


class PatientManager(JobManager):
    """Wired into an App in place of its own manager."""

    presence: Presence

    async def register_worker(self) -> int:
        worker_id = await super().register_worker()
        await self.presence.announce(worker_id)
        return worker_id

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> jobs.Job | None:
        try:
            return await super().fetch_job(queues, worker_id)
        except (
            UniqueViolation
        ):  # two workers went for jobs of one lock at the same moment; the next poll finds the rest
            return None

    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
        finish = super().finish_job
        await _patiently(lambda: finish(job, status, delete_job), job)

    async def retry_job(
        self,
        job: jobs.Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        wait = max(0.0, (retry_at - datetime.now(UTC)).total_seconds()) if retry_at else 0.0
        release = self.connector.execute_query_async
        await _patiently(lambda: release(_repository.RELEASE, id=job.id, wait=wait), job)


async def _patiently(write: Callable[[], Awaitable[None]], job: jobs.Job) -> None:
    deadline = asyncio.get_running_loop().time() + PATIENCE_S
    while True:
        try:
            return await write()
        except ConnectorException as error:
            if isinstance(error.__cause__, psycopg.errors.RaiseException):
                log.warning("a job was taken over while it ran", job=job.task_name, id=job.id)
                return None
            if asyncio.get_running_loop().time() > deadline:
                raise
        await asyncio.sleep(0.5)
