"""Opening the database that the settings name: the embedded one, or an external one; and bringing its schema up to date."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from cortex.errors import Upstream
from cortex.settings import Settings
from cortex.storage import _roles
from cortex.storage._errors import readable_errors
from cortex.storage.backup import back_up_before_migrating
from cortex.storage.database import Database, connect_patiently
from cortex.storage.embedded import Server
from cortex.storage.schema import SchemaState, apply_migrations, schema_state

NAME = "cortex"
"""The embedded database's name."""

Before = Callable[[SchemaState], Awaitable[object]]
"""What is done before a database with rows in it is brought up to date."""


async def open_database(settings: Settings, *, migrate: bool = True) -> Database:
    """The database of the settings, ready to serve.

    Embedded: starts or joins the server, makes roles and database, and migrates (unless `migrate` is False), a database that is in
    use after a backup of it.
    External: checks the schema and never changes it.

    Raises:
        Invalid: the data folder or a login is wrong.
        Conflict: the schema is old (external), from the future, or of another PostgreSQL version.
        Upstream: the database does not start or answer.
    """
    if settings.database_url is not None:
        return await _open_external(settings)
    server = await asyncio.to_thread(Server, settings.data, settings.postgres_version)
    back_up = partial(back_up_before_migrating, partial(connect_owner, server, NAME), settings)
    return await open_embedded(server, migrate=migrate, before=back_up)


async def open_embedded(
    server: Server, *, name: str = NAME, migrate: bool = True, before: Before | None = None
) -> Database:
    """Join `server` and open its database `name`; the returned Database lets go of the server when it is closed."""
    await asyncio.to_thread(server.attach)
    try:
        with readable_errors():
            if migrate:
                await prepare_embedded(server, name, before=before)
            else:
                async with await connect_owner(server, name) as connection:
                    (await schema_state(connection)).check()
    except BaseException:
        await asyncio.to_thread(server.release)
        raise
    logins = {role: embedded_login(server, role, name) for role in ("app", "ai")}
    return Database(logins, set_role=False, revive=server.revive, released=server.release)  # type: ignore[arg-type]


async def prepare_embedded(
    server: Server, name: str = NAME, *, up_to: int | None = None, before: Before | None = None
) -> None:
    """Make the roles and the database `name` where they are missing, and migrate it; as for `apply_migrations`."""
    async with await connect_owner(server, "postgres") as connection:
        await _roles.create_database(connection, name)
    async with await connect_owner(server, name) as connection:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
        await apply_migrations(connection, up_to=up_to, before=before)


async def connect_owner(server: Server, name: str = NAME) -> psycopg.AsyncConnection[Any]:
    """An embedded database as the owner of its schema, in autocommit."""
    return await _connect(embedded_login(server, "owner", name), server.revive)


@asynccontextmanager
async def owner_connection(settings: Settings, *, prepare: bool = False) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    """The library as the owner of its schema, in autocommit, whatever its schema is; nothing is migrated.

    Args:
        prepare: external: make roles and extension first, as `cortex migrate` does.

    Raises:
        Invalid: external, and the login may not act as the owner.
        Upstream: the database does not start or answer.
    """
    with readable_errors():
        if settings.database_url is not None:
            async with await _connect(settings.database_url) as connection:
                if prepare:
                    await _roles.prepare_external(connection)
                await _roles.check_login(connection, "owner")
                await connection.execute("SET ROLE cortex_owner")
                yield connection
            return
        server = await asyncio.to_thread(Server, settings.data, settings.postgres_version)
        await asyncio.to_thread(server.attach)
        try:
            async with await connect_owner(server, NAME) as connection:
                yield connection
        finally:
            await asyncio.to_thread(server.release)


async def migrate(settings: Settings) -> int:
    """Bring the schema up to date (`cortex migrate`); returns how many migrations were applied.

    Raises:
        Invalid: external, and the login may not make what is missing; the message holds the SQL to run.
        Conflict: the schema is from the future.
    """
    if settings.database_url is None:
        async with await open_database(settings):
            return 0
    with readable_errors():
        async with await _connect(settings.database_url) as connection:
            await _roles.prepare_external(connection)
            await connection.execute("SET ROLE cortex_owner")
            return await apply_migrations(connection)


def embedded_login(server: Server, role: str, name: str) -> str:
    """The connection string of a role (owner, app, ai) over the server's socket."""
    return make_conninfo(
        host=str(server.socket),
        port=5432,
        user=f"cortex_{role}",
        dbname=name,
        application_name="cortex",
        connect_timeout=10,
        sslmode="disable",
        gssencmode="disable",
    )


async def _open_external(settings: Settings) -> Database:
    assert settings.database_url is not None
    logins = {"app": settings.database_url, "ai": settings.database_ai_url or settings.database_url}
    database = Database(logins, set_role=True)  # type: ignore[arg-type]
    try:
        with readable_errors():
            async with await _connect(settings.database_url) as connection:
                (await schema_state(connection)).check()
                await _roles.check_login(connection, "app")
            async with await _connect(logins["ai"]) as connection:
                await _roles.check_login(connection, "ai")
    except BaseException:
        await database.close()
        raise
    return database


async def _connect(login: str, revive: Callable[[], None] | None = None) -> psycopg.AsyncConnection[Any]:
    try:
        connection: psycopg.AsyncConnection[Any] = await connect_patiently(
            psycopg.AsyncConnection.connect, login, revive, autocommit=True
        )
        return connection
    except psycopg.OperationalError as error:
        raise Upstream(f"the database cannot be reached: {' '.join(str(error).split())}") from error
