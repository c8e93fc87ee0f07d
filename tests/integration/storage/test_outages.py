"""A database that is killed costs the console one line, however many connections were lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import suppress

import pytest
from tests.integration.storage.conftest import cluster_of

from cortex import logs
from cortex.errors import Upstream
from cortex.settings import Settings
from cortex.storage import Database, _postmaster, database, embedded, open_database

pytestmark = pytest.mark.usefixtures("logs_as_before")


async def _use(opened: Database, together: int = 6) -> None:
    meeting = asyncio.Barrier(together)

    async def use() -> None:
        async with opened.transaction("app", 1) as tx:
            await tx.execute("SELECT 1")
            await meeting.wait()

    # One that fails ends the others: they would wait for it for ever, each in its transaction.
    try:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(together):
                tasks.create_task(use())
    except* Upstream as lost:
        raise lost.exceptions[0] from None


def _kill(settings: Settings) -> int:
    found = _postmaster.running(cluster_of(settings.data))
    assert found is not None
    os.kill(found.pid, signal.SIGKILL)
    return found.pid


async def test_a_database_that_is_started_again_is_one_line(
    own_settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure()
    async with await open_database(own_settings) as opened:
        await _use(opened)
        killed = _kill(own_settings)
        async with asyncio.timeout(60):
            # Its processes live on for a moment: they serve, and then take transactions with them.
            while (found := _postmaster.running(cluster_of(own_settings.data))) is None or found.pid == killed:
                with suppress(Upstream):
                    await _use(opened)
        await _use(opened)
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["the database had ended by itself and was started again"]


async def test_a_database_that_cannot_be_started_is_one_line_with_the_reason(
    own_settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs.configure()
    monkeypatch.setattr(embedded, "START_RETRY_S", 0.0)
    monkeypatch.setattr(database, "WAIT_S", 2.0)
    async with await open_database(own_settings) as opened:
        await _use(opened)
        with (cluster_of(own_settings.data) / "postgresql.conf").open("a") as configuration:
            configuration.write("\nnonsense = 1\n")
        _kill(own_settings)
        refused = 0
        async with asyncio.timeout(60):
            while refused < 3:  # its processes live on for a moment
                try:
                    await _use(opened, 1)
                except Upstream:
                    refused += 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "could not be started" in json.loads(line)["reason"]
