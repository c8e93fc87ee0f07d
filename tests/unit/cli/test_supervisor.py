"""The child is started again when it dies, and ends when we end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cortex.cli import supervisor
from cortex.cli.supervisor import supervised

WAITS_FOR_STDIN = [sys.executable, "-c", "import sys; sys.stdin.read()"]


async def _until(told: object) -> None:
    async with asyncio.timeout(20):
        while not told():  # type: ignore[operator]
            await asyncio.sleep(0.01)


async def test_a_killed_child_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_FIRST_PAUSE_S", 0.01)
    async with supervised(WAITS_FOR_STDIN) as child:
        await _until(lambda: child.pid)
        first = child.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await _until(lambda: child.pid and child.pid != first)
        assert child.started == 2
        last = child.pid
    assert child.pid is None
    assert last is not None
    with pytest.raises(ProcessLookupError):
        os.kill(last, 0)


async def test_a_child_that_does_not_go_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_GRACE_S", 0.05)
    async with supervised([sys.executable, "-c", "import time; time.sleep(600)"]) as child:
        await _until(lambda: child.pid)
    assert child.pid is None


def test_a_child_ends_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    parent = f"""
import asyncio, pathlib
from cortex.cli.supervisor import supervised
async def main():
    async with supervised({WAITS_FOR_STDIN!r}) as child:
        while not child.pid:
            await asyncio.sleep(.01)
        pathlib.Path({str(tmp_path / "pid")!r}).write_text(str(child.pid))
        print("ready", flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        child = int((tmp_path / "pid").read_text())
        process.kill()
    asyncio.run(_until(lambda: not _lives(child)))


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
