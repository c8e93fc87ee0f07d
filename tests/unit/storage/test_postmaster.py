"""What is believed of a `postmaster.pid`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cortex.storage import _postmaster


def write(cluster: Path, pid: int) -> Path:
    file = cluster / "postmaster.pid"
    file.write_text(f"{pid}\n{cluster}\n0\n5432\n/run/x\n\n 0 0\nready\n")
    return file


def test_no_file(tmp_path: Path) -> None:
    assert _postmaster.running(tmp_path) is None
    _postmaster.remove_stale(tmp_path)


@pytest.mark.parametrize("text", ["", "\n", "no number\n", "-1\n", "0\n"])
def test_a_file_that_says_nothing_is_stale(tmp_path: Path, text: str) -> None:
    file = tmp_path / "postmaster.pid"
    file.write_text(text)
    assert _postmaster.running(tmp_path) is None
    _postmaster.remove_stale(tmp_path)
    assert not file.exists()


def test_a_live_process_that_is_no_server_is_stale(tmp_path: Path) -> None:
    file = write(tmp_path, os.getpid())
    _postmaster.remove_stale(tmp_path)
    assert not file.exists()


def test_a_zombie_is_stale(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, and not yet waited for
        file = write(tmp_path, process.pid)
        assert not _postmaster.is_postgres(process.pid, tmp_path)
        _postmaster.remove_stale(tmp_path)
        assert not file.exists()


def test_without_proc_it_asks_ps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_postmaster, "PROC", tmp_path / "none")
    assert not _postmaster.is_postgres(os.getpid(), tmp_path)
    shown = subprocess.CompletedProcess([], 0, stdout="Ss   /opt/bin/postgres\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: shown)
    assert _postmaster.is_postgres(1, tmp_path)
