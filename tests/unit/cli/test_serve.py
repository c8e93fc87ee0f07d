"""Where it may be served, and what is said where it may not."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cortex.cli import app
from cortex.cli.serve import listen, worker_command
from cortex.errors import Conflict
from cortex.settings import Settings


def test_pitfall_48_a_taken_port_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(Conflict, match="is taken.*--port") as told:
        listen(taken.getsockname()[1])
    assert "\n" not in told.value.message


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org"])
def test_only_this_machine_is_served(host: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["serve", "--host", host, "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert host in done.stderr


def test_a_part_of_the_program_cannot_be_served_yet(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["serve", "--role", "ask", "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "--role" in done.stderr


def test_the_worker_gets_the_same_settings(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, config=tmp_path / "c.yaml")
    command = worker_command(settings, debug=True)
    assert command[1:5] == ["-m", "cortex", "worker", "--supervised"]
    assert command[5:] == ["--data", str(tmp_path), "--config", str(tmp_path / "c.yaml"), "--debug"]


def test_an_answers_body_does_not_wait_for_its_head_to_be_confirmed() -> None:
    with listen(0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
