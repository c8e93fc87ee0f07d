"""A worker process is killed in mid-job, on a cluster of its own with fsync on: the job is not lost."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from tests.conftest import POSTGRES
from tests.integration.storage.conftest import Program, cluster_of

from cortex import jobs
from cortex.jobs import _takeover
from cortex.settings import Settings
from cortex.storage import _postmaster, open_database

# The fixtures of clusters of one's own.
from tests.integration.storage.conftest import data, own_settings, program, seed  # noqa: F401  isort: skip

WORKER = """
import asyncio
from pathlib import Path
from cortex import jobs
from cortex.settings import Settings
from cortex.storage import open_database

async def hang(**args):
    print("begun", flush=True)
    await asyncio.sleep(600)

async def main():
    database = await open_database(Settings(data=Path({data!r}), postgres_version={version}))
    await jobs.run_worker(database, {{"note": hang}}, stop=asyncio.Event())

asyncio.run(main())
"""


@pytest.mark.usefixtures("data")
async def test_a_job_of_a_killed_worker_and_a_killed_server_runs_again(
    own_settings: Settings,  # noqa: F811
    program: Program,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_takeover, "GRACE_S", 0.5)
    folder: Path = own_settings.data
    seen: list[object] = []

    async def handler(**args: object) -> None:
        seen.append(args)

    async with await open_database(own_settings) as database:
        async with database.transaction("app", 1) as tx:
            await jobs.enqueue(tx, "note", owner_id=1)
        killed = program(WORKER.format(data=str(folder), version=POSTGRES))
        assert killed.stdout is not None
        assert await asyncio.to_thread(killed.stdout.readline) == "begun\n"
        assert (await jobs.queue_state(database)).running == 1
        found = _postmaster.running(cluster_of(folder))
        assert found is not None
        os.kill(found.pid, signal.SIGKILL)
        killed.kill()
        killed.wait()
        async with asyncio.timeout(60):
            assert await jobs.drain(database, {"note": handler}) == 1
    assert seen == [{"owner_id": 1}]
