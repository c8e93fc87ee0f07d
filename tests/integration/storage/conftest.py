"""Clusters of a test's own, with fsync on: for tests that start, stop and kill servers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from tests.conftest import POSTGRES

from cortex.settings import Settings
from cortex.storage import _postmaster, open_database
from cortex.storage.embedded import Server
from cortex.storage.opening import embedded_login

_numbers = itertools.count(1)

Program = Callable[[str], subprocess.Popen[str]]


@pytest.fixture(scope="session")
def seed(open_folder: Path) -> Path:
    """A data folder with a migrated, stopped cluster."""
    folder = open_folder / "seed"

    async def make() -> None:
        async with await open_database(Settings(data=folder, postgres_version=POSTGRES)):
            pass

    asyncio.run(make())
    return folder


@pytest.fixture
def data(seed: Path, open_folder: Path) -> Iterator[Path]:
    """A copy of the seed, whose server is killed at the end if the test leaves it running."""
    folder = open_folder / f"own{next(_numbers)}"
    subprocess.run(["cp", "-a", str(seed), str(folder)], check=True)
    yield folder
    found = _postmaster.running(cluster_of(folder))
    if found is not None:
        os.kill(found.pid, signal.SIGQUIT)
        shutil.rmtree(found.socket, ignore_errors=True)
    subprocess.run(
        ["rm", "-rf", str(folder)], check=False
    )  # may race with the dying server; the run's folder goes anyway


@pytest.fixture
def own_settings(data: Path) -> Settings:
    return Settings(data=data, postgres_version=POSTGRES)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Starts Python code in a process of its own, with pipes to talk through; killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            cwd=tmp_path,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


@pytest.fixture
async def empty(server: Server, settings: Settings, tmp_path: Path) -> Settings:
    """Settings with an empty database (as an external one) and a data folder that is not there yet."""
    login = await empty_database(server)
    return settings.model_copy(update={"database_url": login, "data": tmp_path / "restored", "config": None})


async def empty_database(server: Server) -> str:
    """The connection string of a new database without anything in it."""
    name = f"empty_{next(_numbers)}"
    owner = embedded_login(server, "owner", "postgres")
    async with await psycopg.AsyncConnection.connect(owner, autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {name}".encode())
    return embedded_login(server, "owner", name)


def cluster_of(data: Path) -> Path:
    return data / f"postgres{POSTGRES}"
