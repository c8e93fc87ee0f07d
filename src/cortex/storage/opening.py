"""Opening the database that the settings name: the embedded one, or an external one; and bringing its schema up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from cortex.errors import Upstream
from cortex.settings import Settings
from cortex.storage import _roles
from cortex.storage._errors import readable_errors
from cortex.storage.database import Database, connect_patiently
from cortex.storage.embedded import Server
from cortex.storage.schema import apply_migrations, schema_state

NAME = "cortex"
"""The embedded database's name."""


async def open_database(settings: Settings, *, migrate: bool = True) -> Database:
    """The database of the settings, ready to serve.

    Embedded: starts or joins the server, makes roles and database, and migrates (unless `migrate` is False).
    External: checks the schema and never changes it.

    Raises:
        Invalid: the data folder or a login is wrong.
        Conflict: the schema is old (external), from the future, or of another PostgreSQL version.
        Upstream: the database does not start or answer.
    """
    if settings.database_url is not None:
        return await _open_external(settings)
    server = await asyncio.to_thread(Server, settings.data, settings.postgres_version)
    return await open_embedded(server, migrate=migrate)


async def open_embedded(server: Server, *, name: str = NAME, migrate: bool = True) -> Database:
    """Join `server` and open its database `name`; the returned Database lets go of the server when it is closed."""
    await asyncio.to_thread(server.attach)
    try:
        with readable_errors():
            if migrate:
                await prepare_embedded(server, name)
            else:
                async with await _connect_owner(server, name) as connection:
                    (await schema_state(connection)).check()
    except BaseException:
        await asyncio.to_thread(server.release)
        raise
    logins = {role: embedded_login(server, role, name) for role in ("app", "ai")}
    return Database(logins, set_role=False, revive=server.revive, released=server.release)  # type: ignore[arg-type]


async def prepare_embedded(server: Server, name: str = NAME) -> None:
    """Make the roles and the database `name` where they are missing, and migrate it."""
    async with await _connect_owner(server, "postgres") as connection:
        await _roles.create_database(connection, name)
    async with await _connect_owner(server, name) as connection:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
        await apply_migrations(connection)


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


async def _connect_owner(server: Server, name: str) -> psycopg.AsyncConnection[Any]:
    return await _connect(embedded_login(server, "owner", name), server.revive)


async def _connect(login: str, revive: Callable[[], None] | None = None) -> psycopg.AsyncConnection[Any]:
    try:
        connection: psycopg.AsyncConnection[Any] = await connect_patiently(
            psycopg.AsyncConnection.connect, login, revive, autocommit=True
        )
        return connection
    except psycopg.OperationalError as error:
        raise Upstream(f"the database cannot be reached: {' '.join(str(error).split())}") from error
