"""Migrations: numbered SQL files, each applied once, in order, in a transaction of its own."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any

import psycopg

from cortex.errors import Conflict

LOCK = 0x636F72746578  # "cortex": one migrating process a database

MADE_AT = "SELECT min(applied_at) AS at FROM public.migrations"

READ_APPLIED = "SELECT number, name, sha256 FROM public.migrations ORDER BY number"

RECORD = "INSERT INTO public.migrations (number, name, sha256) VALUES (%s, %s, %s)"

CREATE_TABLE = """
    CREATE TABLE IF NOT EXISTS public.migrations (
        number     integer PRIMARY KEY,
        name       text NOT NULL,
        sha256     text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    );
    GRANT SELECT ON public.migrations TO cortex_app, cortex_ai;
"""


@dataclass(frozen=True)
class Migration:
    """One file `NNNN_name.sql`."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True)
class SchemaState:
    """The number of the last applied migration (0: none), and of the last one that this version knows."""

    applied: int
    known: int

    @property
    def is_current(self) -> bool:
        return self.applied == self.known

    def check(self) -> None:
        """Raises Conflict, naming what to do, unless the schema is the one this version serves."""
        if self.applied > self.known:
            raise Conflict(
                f"this database was made by a newer Cortex (its schema is {self.applied}, this version knows {self.known}): "
                "install the newer version, or restore a backup that was made before the upgrade"
            )
        if self.applied < self.known:
            raise Conflict(
                f"the database's schema is {self.applied} and this version needs {self.known}: run `cortex migrate`"
            )


def migrations() -> list[Migration]:
    """Every migration of this version, in order."""
    found = []
    for file in (resources.files("cortex.storage") / "migrations").iterdir():
        if file.name.endswith(".sql"):
            number, _, name = file.name.removesuffix(".sql").partition("_")
            found.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    return sorted(found, key=lambda migration: migration.number)


async def schema_state(connection: psycopg.AsyncConnection[Any]) -> SchemaState:
    """What is applied; raises Conflict if a migration was changed after it had been applied."""
    known = migrations()
    cursor = await connection.execute("SELECT to_regclass('public.migrations')")
    applied = await read_applied(connection) if _first(await cursor.fetchone()) else {}
    for migration in known:
        if applied.get(migration.number, migration.sha256) != migration.sha256:
            raise Conflict(
                f"migration {migration.number:04d}_{migration.name} was changed after this database had applied it: "
                "install the version that made this database, or start with a new data folder"
            )
    return SchemaState(applied=max(applied, default=0), known=max((m.number for m in known), default=0))


async def made_at(connection: psycopg.AsyncConnection[Any]) -> dt.datetime:
    """When this database got its first tables: by a first start, or by a restore."""
    at = _first(await (await connection.execute(MADE_AT)).fetchone())
    assert isinstance(at, dt.datetime)
    return at


async def apply_migrations(
    connection: psycopg.AsyncConnection[Any],
    *,
    up_to: int | None = None,
    before: Callable[[SchemaState], Awaitable[object]] | None = None,
) -> int:
    """Apply what is missing, on an autocommit connection as cortex_owner; returns how many. Racing callers wait.

    A process that is killed leaves whole migrations only, and its lock goes with its connection.

    Args:
        up_to: the last migration to apply; all if None.
        before: awaited before a database that has rows already is changed; what it raises leaves all as it was.

    Raises:
        Conflict: the schema is from the future, or an applied migration was changed.
    """
    await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        state = await schema_state(connection)
        if state.applied > state.known:
            state.check()
        missing = [m for m in migrations() if state.applied < m.number <= (state.known if up_to is None else up_to)]
        if missing and state.applied and before is not None:
            await before(state)
        await connection.execute(CREATE_TABLE)
        for migration in missing:
            await _apply(connection, migration)
        return len(missing)
    finally:
        if not connection.closed:
            await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


async def _apply(connection: psycopg.AsyncConnection[Any], migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute("SET LOCAL search_path = public")
        # Package data, not input; without parameters a file of many statements goes through as it is.
        await connection.execute(migration.sql.encode())
        await connection.execute("SET LOCAL search_path = public")
        await connection.execute(RECORD, [migration.number, migration.name, migration.sha256])


async def read_applied(connection: psycopg.AsyncConnection[Any]) -> dict[int, str]:
    """The sums of the applied migrations by number."""
    async with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        await cursor.execute(READ_APPLIED)
        return {number: sha256 for number, _, sha256 in await cursor.fetchall()}


def _first(row: Any) -> Any:
    return next(iter(row.values() if isinstance(row, dict) else row)) if row is not None else None
