"""One embedded PostgreSQL for the whole run, and for each test that asks a fresh database copied from a migrated template."""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
import structlog

from cortex import logs
from cortex.settings import Settings
from cortex.storage import Database
from cortex.storage.embedded import Server
from cortex.storage.opening import embedded_login, prepare_embedded

TEMPLATE = "template_cortex"
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
ROOM_BYTES = 8_000_000_000
"""A database is 9 MB, and a run makes hundreds: in memory if they fit, where making one is ten times as fast."""
POSTGRES = 16 if os.environ.get("CORTEX_POSTGRES") == "16" else 18

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A temporary folder that other users may pass through (pytest's own may not), removed at the end."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > ROOM_BYTES
    folder = Path(tempfile.mkdtemp(prefix="cortex-tests-", dir=memory if roomy else "/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def server(open_folder: Path) -> Iterator[Server]:
    """The run's PostgreSQL: fast, and safe against nothing. Kill tests make their own."""
    server = Server(open_folder / "data", POSTGRES, extra=FAST)
    server.attach()
    try:
        asyncio.run(prepare_embedded(server, TEMPLATE))
        yield server
    finally:
        server.release()


@pytest.fixture
async def database_name(server: Server) -> str:
    """A fresh, migrated database; the whole cluster goes at the end, so nobody drops it."""
    name = f"test_{next(_numbers)}"
    owner = embedded_login(server, "owner", "postgres")
    async with await psycopg.AsyncConnection.connect(owner, autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY".encode())
    return name


@pytest.fixture
async def database(server: Server, database_name: str) -> AsyncIterator[Database]:
    """A fresh database, connected as the roles that serve."""
    logins = {role: embedded_login(server, role, database_name) for role in ("app", "ai")}
    async with Database(logins, set_role=False) as database:  # type: ignore[arg-type]
        yield database


@pytest.fixture
async def owner(server: Server, database_name: str) -> AsyncIterator[psycopg.AsyncConnection[tuple[object, ...]]]:
    """The owner of the schema, on the same fresh database: past row-level security, for looking and for preparing."""
    login = embedded_login(server, "owner", database_name)
    async with await psycopg.AsyncConnection.connect(login, autocommit=True) as connection:
        await connection.execute("SET search_path = jobs, public")
        yield connection


@pytest.fixture
def settings(server: Server, database_name: str, tmp_path: Path) -> Settings:
    """Settings whose database is the fresh one (as an external one) and whose data folder is the test's own."""
    data = tmp_path / "data"
    data.mkdir()
    return Settings(data=data, database_url=embedded_login(server, "owner", database_name), postgres_version=POSTGRES)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `shared` beside the project, with public test material; skips where there is none."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("there is no folder `shared` beside the project")
    return folder


@pytest.fixture
def logs_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test may set up the logs of the whole process, and miss a database; the next one finds both as they were."""
    monkeypatch.setattr(logs, "_missed_at", -math.inf)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
