"""Migrations: whole or not at all, one process at a time, and never on a schema from the future."""

from __future__ import annotations

import asyncio
import subprocess

import psycopg
import pytest
from tests.integration.storage.conftest import Program, cluster_of
from tests.integration.storage.rows import Owner, count

from cortex.errors import Conflict, Upstream
from cortex.settings import Settings
from cortex.storage import migrate, open_database, schema
from cortex.storage.embedded import Server
from cortex.storage.opening import embedded_login, prepare_embedded

NEWEST = schema.migrations()[-1].number


@pytest.fixture
async def empty(server: Server, database_name: str) -> str:
    """The connection string of a database without any schema."""
    name = f"{database_name}_empty"
    async with await psycopg.AsyncConnection.connect(
        embedded_login(server, "owner", "postgres"), autocommit=True
    ) as connection:
        await connection.execute(f"CREATE DATABASE {name}".encode())
    login = embedded_login(server, "owner", name)
    async with await psycopg.AsyncConnection.connect(login, autocommit=True) as connection:
        await connection.execute("CREATE EXTENSION vector")
    return login


async def apply(login: str) -> int:
    async with await psycopg.AsyncConnection.connect(login, autocommit=True) as connection:
        return await schema.apply_migrations(connection)


async def test_two_at_once_apply_each_migration_once(empty: str) -> None:
    assert sorted(await asyncio.gather(*(apply(empty) for _ in range(3)))) == [0, 0, len(schema.migrations())]


async def test_a_broken_migration_leaves_nothing(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    good = schema.migrations()
    broken = schema.Migration(NEWEST + 1, "broken", "CREATE TABLE public.half (a int); SELECT 1/0;")
    monkeypatch.setattr(schema, "migrations", lambda: [*good, broken])
    with pytest.raises(psycopg.errors.DivisionByZero):
        await apply(empty)
    async with await psycopg.AsyncConnection.connect(empty) as connection:
        row = await (await connection.execute("SELECT to_regclass('public.half')")).fetchone()
        assert row == (None,)
        assert (await schema.schema_state(connection)).applied == NEWEST
    monkeypatch.undo()
    assert await apply(empty) == 0


async def test_notes_outlive_an_upgrade_of_the_schema_by_every_step(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = schema.migrations()
    for known in range(1, NEWEST + 1):
        monkeypatch.setattr(schema, "migrations", lambda known=known: every[:known])
        await apply(empty)
        if known == 1:
            async with await psycopg.AsyncConnection.connect(empty, autocommit=True) as connection:
                await connection.execute(
                    """INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size)
                       VALUES (1, 'notes', 'a', 'Title', 'Text', 'en', 'file:///a', '\\x00', 4)"""
                )
    async with await psycopg.AsyncConnection.connect(empty) as connection:
        row = await (await connection.execute("SELECT title, text, version, titled FROM library.documents")).fetchone()
        assert row == ("Title", "Text", 1, True)
        assert (await schema.schema_state(connection)).is_current


KILLED = """
import asyncio, psycopg
from cortex.storage import schema

async def main():
    slow = schema.Migration({number}, "slow", "CREATE TABLE public.half (a int); SELECT pg_sleep(60);")
    good = schema.migrations()
    schema.migrations = lambda: [*good, slow]
    async with await psycopg.AsyncConnection.connect({login!r}, autocommit=True) as connection:
        print("ready", flush=True)
        await schema.apply_migrations(connection)

asyncio.run(main())
"""


async def test_a_process_killed_in_mid_migration_leaves_no_lock_and_no_half(empty: str, program: Program) -> None:
    killed = program(KILLED.format(number=NEWEST + 1, login=empty))
    assert killed.stdout is not None
    await asyncio.to_thread(killed.stdout.readline)
    async with await psycopg.AsyncConnection.connect(empty, autocommit=True) as watch:
        for _ in range(500):
            if await count(watch, "pg_stat_activity", "query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()"):
                break
            await asyncio.sleep(0.02)
        killed.kill()
        killed.wait()
    assert await asyncio.wait_for(apply(empty), 30) == 0
    async with await psycopg.AsyncConnection.connect(empty) as connection:
        row = await (await connection.execute("SELECT to_regclass('public.half')")).fetchone()
        assert row == (None,)


async def test_a_start_on_a_schema_from_the_future(own_settings: Settings) -> None:
    server = Server(own_settings.data, own_settings.postgres_version)
    server.attach()
    async with await psycopg.AsyncConnection.connect(embedded_login(server, "owner", "cortex")) as connection:
        await connection.execute("INSERT INTO public.migrations (number, name, sha256) VALUES (999, 'later', '')")
    server.release()
    with pytest.raises(Conflict, match="newer Cortex.*999"):
        await open_database(own_settings)
    with pytest.raises(Conflict, match="newer Cortex.*999"):
        await open_database(own_settings, migrate=False)
    assert not (cluster_of(own_settings.data) / "postmaster.pid").exists()


async def test_a_migration_changed_after_it_was_applied(owner: Owner, settings: Settings) -> None:
    await owner.execute("UPDATE public.migrations SET sha256 = 'other' WHERE number = 1")
    with pytest.raises(Conflict, match="0001_foundation was changed"):
        await open_database(settings)


async def test_an_external_database_with_an_old_schema_is_not_touched(owner: Owner, settings: Settings) -> None:
    await owner.execute("DELETE FROM public.migrations WHERE number > 1")
    with pytest.raises(Conflict, match="run `cortex migrate`"):
        await open_database(settings)
    assert await count(owner, "public.migrations") == 1


async def test_an_external_database_that_is_empty_is_migrated_by_command_only(empty: str, settings: Settings) -> None:
    external = settings.model_copy(update={"database_url": empty})
    with pytest.raises(Conflict, match="run `cortex migrate`"):
        await open_database(external)
    assert await migrate(external) == len(schema.migrations())
    assert await migrate(external) == 0
    async with await open_database(external) as database, database.transaction("ai", 1) as tx:
        row = await (await tx.execute("SELECT current_user AS role, session_user AS login")).fetchone()
        assert row == {"role": "cortex_ai", "login": "cortex_owner"}


async def test_a_database_that_is_not_there(settings: Settings) -> None:
    url = "postgresql://nobody@127.0.0.1:1/none"
    with pytest.raises(Upstream, match="cannot be reached"):
        await open_database(settings.model_copy(update={"database_url": url}))


async def test_preparing_again_changes_nothing(server: Server, database_name: str) -> None:
    await prepare_embedded(server, database_name)


async def test_the_cluster_is_the_recipes(own_settings: Settings) -> None:
    async with await open_database(own_settings) as database, database.connection("app") as connection:
        cursor = await connection.execute(
            "SELECT datcollate, datctype, encoding FROM pg_database WHERE datname = 'cortex'"
        )
        row = await cursor.fetchone()
        assert row is not None
        assert row["encoding"] == 6  # UTF8
    hba = subprocess.run(
        ["cat", cluster_of(own_settings.data) / "pg_hba.conf"], capture_output=True, text=True, check=True
    )
    assert hba.stdout == "local all all peer map=cortex\n"
