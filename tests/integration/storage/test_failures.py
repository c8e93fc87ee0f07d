"""The database fails in mid-work: one clear line, and nothing half done (full disk, read-only, away)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.conftest import POSTGRES
from tests.integration.storage.rows import Owner, count

from cortex.errors import NotFound, Upstream
from cortex.settings import Settings
from cortex.storage import Database, open_database

INSERT = "INSERT INTO library.sources (owner_id, name, type) VALUES (1, 'half', 'local')"
GROW = "CREATE TEMPORARY TABLE big AS SELECT repeat('x', 100) t FROM generate_series(1, 1000000)"


async def execute(database: Database, *statements: str) -> None:
    async with database.transaction("app", 1) as tx:
        for statement in statements:
            await tx.execute(statement.encode())


@pytest.mark.parametrize(
    ("state", "says"),
    [("53100", "disk .* full"), ("25006", "read-only"), ("57P01", "went away"), ("08006", "went away")],
)
async def test_the_disk_is_full_or_the_database_read_only(database: Database, state: str, says: str) -> None:
    with pytest.raises(Upstream, match=says):
        await execute(database, INSERT, f"DO $$ BEGIN RAISE EXCEPTION 'as if' USING ERRCODE = '{state}'; END $$")
    async with database.transaction("app", 1) as tx:
        assert await count(tx, "library.sources", "name = 'half'") == 0


async def test_a_database_that_is_really_read_only(database: Database) -> None:
    with pytest.raises(Upstream, match="read-only"):
        await execute(database, "SET TRANSACTION READ ONLY", INSERT)


async def test_an_error_of_a_statement_passes_as_it_is(database: Database) -> None:
    with pytest.raises(psycopg.errors.UniqueViolation):
        await execute(database, INSERT, INSERT)
    with pytest.raises(NotFound):
        async with database.transaction("app", 1):
            raise NotFound("there is no such note")


async def test_the_connection_is_lost_in_a_transaction(database: Database) -> None:
    with pytest.raises(Upstream, match="went away"):
        await execute(database, INSERT, "SELECT pg_terminate_backend(pg_backend_pid())")
    async with database.transaction("app", 1) as tx:
        assert await count(tx, "library.sources", "name = 'half'") == 0


async def test_a_restart_of_the_server_costs_later_callers_nothing(database: Database, owner: Owner) -> None:
    """Several connections wait in the pool, all dead: one look is enough to drop them all."""
    together = asyncio.Barrier(4)

    async def use() -> None:
        async with database.transaction("app", 1) as tx:
            await tx.execute("SELECT 1")
            await together.wait()

    await asyncio.gather(*(use() for _ in range(4)))
    await owner.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with database.transaction("app", 1) as tx:
        await tx.execute("SELECT 1")
    assert (await database._pool("app")).get_stats()["returns_bad"] == 1


@pytest.fixture
def small_disk(open_folder: Path) -> Iterator[Path]:
    """A file system of 64 MB, which holds a fresh cluster and little more."""
    folder = Path(tempfile.mkdtemp(prefix="small-", dir=open_folder))
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m,mode=711", "none", str(folder)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


async def test_a_disk_that_is_full_at_the_start(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(b"x" * 50_000_000)
    with pytest.raises(Upstream, match="disk .* full"):
        await open_database(Settings(data=small_disk / "data", postgres_version=POSTGRES))


async def test_a_disk_that_fills_up_in_mid_work(small_disk: Path) -> None:
    async with await open_database(Settings(data=small_disk / "data", postgres_version=POSTGRES)) as database:
        with pytest.raises(Upstream, match="disk .* full"):
            await execute(database, INSERT, GROW)
        async with database.transaction("app", 1) as tx:
            assert await count(tx, "library.sources", "name = 'half'") == 0
