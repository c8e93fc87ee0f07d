"""What initdb's and pg_ctl's output means for a person."""

from __future__ import annotations

from pathlib import Path

from cortex.errors import Upstream
from cortex.storage._programs import Programs, _problem, _quoted


def test_a_full_disk_is_named() -> None:
    problem = _problem("started", Path("/data"), "FATAL: could not write lock file: No space left on device\n")
    assert isinstance(problem, Upstream)
    assert "disk that holds /data is full" in problem.message


def test_the_last_reason_is_the_line() -> None:
    output = "LOG: starting\nFATAL:  could not map anonymous shared memory\nHINT: ...\npg_ctl: could not start server\n"
    message = _problem("started", Path("/data"), output).message
    assert message == "the database of /data could not be started: could not map anonymous shared memory"
    assert "no reason" in _problem("started", Path("/data"), "").message


def test_a_setting_passes_the_shell_as_one_word() -> None:
    assert _quoted("") == "''"
    assert _quoted("it's $HOME") == "'it'\\''s $HOME'"


def test_only_the_end_of_the_log_counts(tmp_path: Path) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    program = bin_folder / "pg_ctl"
    program.write_text('#!/bin/sh\necho "FATAL:  new reason" >> cluster/server.log\nexit 1\n')
    program.chmod(0o700)
    cluster = tmp_path / "cluster"
    cluster.mkdir()
    (cluster / "server.log").write_text("FATAL:  old reason\n")
    problem = Programs(bin_folder, tmp_path, None).start(cluster, {"port": "5432"})
    assert problem is not None
    assert problem.message.endswith("could not be started: new reason")


def test_a_log_that_grew_too_big_is_put_aside(tmp_path: Path) -> None:
    program = tmp_path / "pg_ctl"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o700)
    cluster = tmp_path / "cluster"
    cluster.mkdir()
    (cluster / "server.log").write_bytes(b"x" * 6_000_000)
    assert Programs(tmp_path, tmp_path, None).start(cluster, {}) is None
    assert (cluster / "server.log.1").exists()
