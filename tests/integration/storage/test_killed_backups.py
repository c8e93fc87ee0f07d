"""`cortex backup` and `cortex restore`, each killed with -9 at any moment: no half file, no half folder, nothing lost."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from tests.conftest import POSTGRES
from tests.integration.storage.compared import made, rows
from tests.integration.storage.test_restored_folders import filled, logged_in, place  # noqa: F401

from cortex.settings import Settings
from cortex.storage import _postmaster, open_database
from cortex.storage.archive import Archive

ROUNDS = 8


def start(settings: Settings, *arguments: str) -> subprocess.Popen[bytes]:
    unwanted = ("DATABASE_URL", "DATABASE_AI_URL", "CORTEX_DATA")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    return subprocess.Popen(
        [sys.executable, "-m", "cortex", arguments[0], "--data", str(settings.data), *arguments[1:]],
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "CORTEX_POSTGRES": str(POSTGRES)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def kill_once(process: subprocess.Popen[bytes], begun: Callable[[], object], after_s: float) -> None:
    """Kill the process some time after it has begun to write; it may have ended by then."""
    until = time.monotonic() + 60
    while not begun() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    time.sleep(after_s)
    process.kill()
    process.wait()


async def test_a_killed_backup_leaves_no_half_file(filled: Settings, open_folder: Path) -> None:  # noqa: F811
    for n in range(60):
        (filled.data / "attachments" / f"b{n}").write_bytes(os.urandom(2_000_000))
    to = open_folder / f"to-{filled.data.name}"
    to.mkdir()
    dice, killed = random.Random(11), 0
    for _ in range(ROUNDS):
        process = start(filled, "backup", "--to", str(to))
        kill_once(process, lambda: any(to.glob(".cortex-*.partial")), dice.random() * 0.5)
        killed += process.returncode == -signal.SIGKILL
        for path in to.glob("*.zip"):
            with Archive(path) as archive:
                assert len(archive.check()) > 60
            path.unlink()
    assert killed >= ROUNDS // 2
    assert start(filled, "backup", "--to", str(to)).wait() == 0
    [path] = to.iterdir()
    assert path.suffix == ".zip"


async def test_a_killed_restore_leaves_what_was_there(filled: Settings, place: Settings, tmp_path: Path) -> None:  # noqa: F811
    """Whole, at its place or aside; and the next restore clears away what the killed one left, its server too."""
    backup = (await made(filled, tmp_path / "a.zip")).path
    async with logged_in(filled) as login:
        expected = await rows(login)
    async with await open_database(place):
        pass
    async with logged_in(place) as login, await psycopg.AsyncConnection.connect(login, autocommit=True) as connection:
        await connection.execute("CREATE TABLE public.mine (a int)")
    beside = place.data.parent / ".data.restoring"
    dice, killed = random.Random(7), 0

    def mine() -> list[Path]:
        """The folders that are the old one: each has the mark that we set."""
        return [folder for folder in place.data.parent.iterdir() if (folder / "mine").exists()]

    (place.data / "mine").touch()
    for _ in range(ROUNDS):
        process = start(place, "restore", str(backup), "--replace")
        kill_once(process, beside.exists, dice.random() * 1.2)
        killed += process.returncode == -signal.SIGKILL
        assert len(mine()) == 1
        if mine() != [place.data]:  # it had come as far as moving it
            break
    assert killed >= 1
    assert await asyncio.to_thread(start(place, "restore", str(backup), "--replace").wait) == 0
    assert not beside.exists()
    assert not [pid for pid in Path("/proc").glob("[0-9]*") if _serves(pid, beside)]
    async with logged_in(place) as login:
        assert await rows(login) == expected
    [old] = mine()
    assert old != place.data
    async with (
        logged_in(place.model_copy(update={"data": old})) as login,
        await psycopg.AsyncConnection.connect(login) as connection,
    ):
        await connection.execute("SELECT FROM public.mine")


def _serves(process: Path, folder: Path) -> bool:
    """Whether the process works in this folder, which may be gone."""
    try:
        return os.readlink(process / "cwd").startswith(str(folder))
    except OSError:
        return False


async def test_two_restores_at_once(filled: Settings, place: Settings, tmp_path: Path) -> None:  # noqa: F811
    """One of them is told that the other is under way, or comes too late; both never mix."""
    backup = (await made(filled, tmp_path / "a.zip")).path
    processes = [start(place, "restore", str(backup)) for _ in range(3)]
    codes = sorted([await asyncio.to_thread(process.wait) for process in processes])
    assert codes == [0, 1, 1]
    assert os.listdir(place.data.parent) == ["data"]
    async with logged_in(filled) as login:
        expected = await rows(login)
    async with logged_in(place) as login:
        assert await rows(login) == expected
    assert _postmaster.running(place.data / f"postgres{POSTGRES}") is None
