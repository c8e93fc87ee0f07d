"""The three roles and the database: made in the embedded server, checked (and made where allowed) in an external one."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from cortex.errors import Invalid

ROLES = ("cortex_owner", "cortex_app", "cortex_ai")

LOCK = 0x726F6C6573  # "roles": roles belong to the whole server, so this lock is taken in one database

ROLE_EXISTS = "SELECT FROM pg_roles WHERE rolname = %s"
DATABASE_EXISTS = "SELECT FROM pg_database WHERE datname = %s"
EXTENSION_EXISTS = "SELECT FROM pg_extension WHERE extname = 'vector'"

MAY_BECOME = "SELECT pg_has_role(session_user, %s, 'SET') AS may"


async def create_database(connection: psycopg.AsyncConnection[Any], name: str) -> None:
    """Embedded: the roles that serve, and the database, where they are missing; `connection` is to `postgres` as owner."""
    await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    for role in ("cortex_app", "cortex_ai"):
        if not await _exists(connection, ROLE_EXISTS, role):
            await connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    if not await _exists(connection, DATABASE_EXISTS, name):
        await connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


async def prepare_external(connection: psycopg.AsyncConnection[Any]) -> None:
    """External: make the roles, their grants and the extension as the login of DATABASE_URL, if it may.

    Raises:
        Invalid: it may not; the message holds the statements for an administrator.
    """
    login, database = await _login_and_database(connection)
    missing = [role for role in ROLES if not await _exists(connection, ROLE_EXISTS, role)]
    statements = [f"CREATE ROLE {role} NOLOGIN" for role in missing]
    for role in ROLES:
        if role in missing or not await _may_become(connection, role):
            statements.append(f"GRANT {role} TO {_quote(login)} WITH SET TRUE")
    if not await _exists(connection, EXTENSION_EXISTS):
        statements.append("CREATE EXTENSION vector WITH SCHEMA public")
    if not await _owner_may_create(connection, missing):
        statements.append(f"GRANT CREATE ON DATABASE {_quote(database)} TO cortex_owner")
        statements.append("GRANT USAGE, CREATE ON SCHEMA public TO cortex_owner")
    try:
        async with connection.transaction():
            for statement in statements:
                await connection.execute(sql.SQL(statement))
    except (
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.FeatureNotSupported,
        psycopg.errors.UndefinedFile,
    ) as error:
        raise Invalid(
            f"the login {login!r} of DATABASE_URL may not prepare the database ({error.diag.message_primary}); "
            f"have an administrator run in {database!r}: {'; '.join(statements)};",
            field="DATABASE_URL",
        ) from error


async def check_login(connection: psycopg.AsyncConnection[Any], role: str) -> None:
    """Raises Invalid unless this login may become the role that serves."""
    if not await _exists(connection, ROLE_EXISTS, f"cortex_{role}") or not await _may_become(
        connection, f"cortex_{role}"
    ):
        login, _ = await _login_and_database(connection)
        variable = "DATABASE_AI_URL" if role == "ai" else "DATABASE_URL"
        raise Invalid(
            f"the login {login!r} may not act as cortex_{role}: run `GRANT cortex_{role} TO {_quote(login)} WITH SET TRUE`, "
            f"or give {variable} a login that may",
            field=variable,
        )


async def _owner_may_create(connection: psycopg.AsyncConnection[Any], missing: list[str]) -> bool:
    if "cortex_owner" in missing:
        return False
    cursor = await connection.execute(
        "SELECT has_database_privilege('cortex_owner', current_database(), 'CREATE')"
        " AND has_schema_privilege('cortex_owner', 'public', 'CREATE')"
    )
    return bool(_first(await cursor.fetchone()))


async def _may_become(connection: psycopg.AsyncConnection[Any], role: str) -> bool:
    cursor = await connection.execute(MAY_BECOME, [role])
    return bool(_first(await cursor.fetchone()))


async def _login_and_database(connection: psycopg.AsyncConnection[Any]) -> tuple[str, str]:
    async with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        await cursor.execute("SELECT session_user, current_database()")
        row = await cursor.fetchone()
        assert row is not None
        return str(row[0]), str(row[1])


async def _exists(connection: psycopg.AsyncConnection[Any], query: str, *parameters: str) -> bool:
    cursor = await connection.execute(query, parameters)
    return await cursor.fetchone() is not None


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _first(row: tuple[Any, ...] | None) -> Any:
    return row[0] if row is not None else None
