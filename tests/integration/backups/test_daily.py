"""The worker's backups: asked for when they are due, made in a process of their own while jobs go on, and told of."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.integration.storage.rows import Owner

from cortex import jobs
from cortex.backups import Backups, ask_for_backup, back_up, backup_health, daily, record
from cortex.cli.checks import Check, _backup
from cortex.errors import CortexError, Invalid
from cortex.settings import Settings
from cortex.storage import Database

DAY = timedelta(days=1)


@pytest.fixture
def backups(settings: Settings, database: Database) -> Backups:
    return Backups(settings, database)


async def born(owner: Owner, ago: timedelta) -> None:
    await owner.execute("UPDATE public.migrations SET applied_at = now() - %s", [ago])


def note(settings: Settings, **times: timedelta) -> None:
    """A record with these times, so long ago."""
    now = datetime.now(UTC)
    (settings.data / "backup.json").write_text(
        json.dumps({name: (now - ago).isoformat() for name, ago in times.items()})
    )


@pytest.mark.parametrize(
    ("age", "times", "due"),
    [
        (timedelta(minutes=5), {}, False),
        (timedelta(hours=2), {}, True),
        (30 * DAY, {"daily_at": timedelta(hours=23)}, False),
        (30 * DAY, {"daily_at": timedelta(hours=25)}, True),
        (30 * DAY, {"daily_at": -timedelta(hours=2)}, False),
        (30 * DAY, {"daily_at": -400 * DAY}, True),  # a clock that was wrong once
        (30 * DAY, {"failed_at": timedelta(minutes=30), "daily_at": 2 * DAY}, False),
        (30 * DAY, {"failed_at": timedelta(minutes=90), "daily_at": 2 * DAY}, True),
        (30 * DAY, {"at": timedelta(hours=1)}, True),  # one by hand, wherever it went, is not the daily one
    ],
)
async def test_when_a_daily_one_is_due(
    backups: Backups, owner: Owner, settings: Settings, age: timedelta, times: dict[str, timedelta], due: bool
) -> None:
    await born(owner, age)
    note(settings, **times)
    assert await backups.due() is due
    switched_off = settings.model_copy(update={"backup": settings.backup.model_copy(update={"daily": False})})
    assert await Backups(switched_off, backups.database).due() is False


@asynccontextmanager
async def working(backups: Backups) -> AsyncIterator[asyncio.Event]:
    stop = asyncio.Event()
    task = asyncio.create_task(backups.work(stop))
    try:
        yield stop
    finally:
        stop.set()
        await asyncio.wait_for(task, 60)


async def until(told: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(60):
        while not await told():
            await asyncio.sleep(0.05)


async def test_the_worker_makes_it_by_itself_and_tells(backups: Backups, owner: Owner, settings: Settings) -> None:
    await born(owner, 3 * DAY)
    before = await backup_health(backups.database, settings)
    assert (before.at, before.overdue, before.running) == (None, True, False)

    async def made() -> bool:
        return (await backup_health(backups.database, settings)).at is not None

    async with working(backups):
        await until(made)
        await until(lambda: none_left(backups.database))
    [path] = (settings.data / "backups").iterdir()
    after = await backup_health(backups.database, settings)
    assert (after.file, after.size, after.error, after.overdue) == (str(path), path.stat().st_size, None, False)
    assert path.name.startswith("cortex-daily-")
    assert after.age_s is not None
    assert not await backups.due()


async def none_left(database: Database) -> bool:
    return not await jobs.unfinished(database, daily.JOB)


async def test_indexing_goes_on_meanwhile(backups: Backups, owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup that takes long holds up no other job, and two are never made at once."""
    begun, may_end, running, most = asyncio.Event(), asyncio.Event(), 0, 0

    async def slow(self: Backups, kind: str) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        begun.set()
        await may_end.wait()
        running -= 1
        return 0

    monkeypatch.setattr(Backups, "_run", slow)
    done = asyncio.Event()

    async def index() -> None:
        done.set()

    for kind in ("asked", "asked"):
        await ask_for_backup(owner, kind)
    stop = asyncio.Event()
    worker = asyncio.create_task(jobs.run_worker(backups.database, {"index": index}, stop=stop))
    async with working(backups):
        async with asyncio.timeout(60):
            await begun.wait()
            await ask_for_backup(owner)  # while one is made, another may wait
            await jobs.enqueue(owner, "index")
            await done.wait()
        may_end.set()
        await until(lambda: none_left(backups.database))
    stop.set()
    await asyncio.wait_for(worker, 60)
    assert most == 1


async def test_what_went_wrong_is_told_and_is_no_failed_job(backups: Backups, owner: Owner, settings: Settings) -> None:
    lost = settings.model_copy(update={"backup": settings.backup.model_copy(update={"to": settings.data / "usb"})})
    (settings.data / "config.yaml").write_text(f"backup: {{to: {settings.data / 'usb'}}}")
    lost = lost.model_copy(update={"config": settings.data / "config.yaml"})
    await ask_for_backup(owner)
    async with working(Backups(lost, backups.database)):
        await until(lambda: none_left(backups.database))
    health = await backup_health(backups.database, lost)
    assert health.error is not None
    assert "is not there (is its disk mounted?)" in health.error
    assert (await jobs.queue_state(backups.database)).failed == 0
    assert not (settings.data / "usb").exists()
    (settings.data / "usb").mkdir()
    await back_up(lost)
    assert (await backup_health(backups.database, lost)).error is None


async def test_a_process_that_is_killed_is_told_of(
    backups: Backups, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(daily, "_command", lambda *_: ["sh", "-c", "kill -9 $$"])
    await backups.make("asked")
    assert record.read(settings.data).reason == "the process that made it ended with -9; its log says more"


async def test_it_ends_with_the_worker(backups: Backups, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = settings.data / "mark"
    script = f"trap 'touch {mark}; exit 130' INT; while :; do sleep 0.05; done"
    monkeypatch.setattr(daily, "_command", lambda *_: ["sh", "-c", script])
    making = asyncio.create_task(backups.make("asked"))
    await asyncio.sleep(0.5)
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert mark.exists()


async def test_a_daily_one_that_was_made_meanwhile_is_not_made_again(backups: Backups, settings: Settings) -> None:
    note(settings, daily_at=timedelta(hours=1))
    await backups.make("daily")
    assert not (settings.data / "backups").exists()


@pytest.mark.parametrize(
    ("age", "times", "ok", "says"),
    [
        (timedelta(hours=3), {}, True, "none yet"),
        (2 * DAY, {}, False, "there is none"),
        (90 * DAY, {"at": 13 * DAY}, True, "13 days old"),
        (90 * DAY, {"at": 15 * DAY}, False, "15 days old"),
    ],
)
async def test_the_doctor(
    database: Database,
    owner: Owner,
    settings: Settings,
    age: timedelta,
    times: dict[str, timedelta],
    ok: bool,
    says: str,
) -> None:
    await born(owner, age)
    note(settings, **times)
    check: Check = await _backup(database, settings)
    assert (check.name, check.ok) == ("backup", ok)
    assert says in check.detail
    assert (check.mend is None) is ok
    record.note_failed(settings.data, "the disk is full")
    failed = await _backup(database, settings)
    assert not failed.ok
    assert "the disk is full" in failed.detail


async def test_a_backup_that_was_removed_counts_no_more(
    database: Database, owner: Owner, settings: Settings, tmp_path: Path
) -> None:
    """One on a disk that is in a drawer does."""
    await born(owner, 2 * DAY)
    usb = tmp_path / "usb"
    usb.mkdir()
    made = await back_up(settings, str(usb))
    assert (await backup_health(database, settings)).file == str(made.path)
    usb.rename(tmp_path / "drawer")
    assert not (await backup_health(database, settings)).overdue
    (tmp_path / "drawer").rename(usb)
    made.path.unlink()
    health = await backup_health(database, settings)
    assert (health.at, health.overdue) == (None, True)


async def test_places_that_are_mistyped(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "there.zip").write_text("mine")
    for to, says in (
        (tmp_path / "there.zip", "is there already"),
        (tmp_path / "no" / "a.zip", "is not there"),
        (f"{tmp_path}/no/", "is not there"),
        (tmp_path / "a.tar", r"ends in \.zip"),
    ):
        with pytest.raises(CortexError, match=says):
            await back_up(settings, str(to))
    assert (tmp_path / "there.zip").read_text() == "mine"
    assert os.listdir(tmp_path / "data") == []  # and none of it is noted as a failure of the backups


async def test_a_folder_without_a_notebook(settings: Settings) -> None:
    with pytest.raises(Invalid, match="there is no notebook"):
        await back_up(settings.model_copy(update={"database_url": None}))
    assert os.listdir(settings.data) == []
