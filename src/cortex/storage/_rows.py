"""The rows of a library, out of a snapshot and back in: PostgreSQL's own text format, one table at a time.

No statement ever comes from a backup: names are looked up in the catalogue of the database that takes the rows, so a file
from a stranger is data, and the worst that it can hold is wrong notes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from cortex.errors import Invalid
from cortex.storage._tables import Table

Connection = psycopg.AsyncConnection[Any]

# One moment of the whole library, whatever is written meanwhile. row_security off: a row that a policy would hide is an error.
SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
ALL_ROWS = "SET LOCAL row_security = off"
SAME_TEXT = "SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC'"

# A worker that ran a job when the backup was made is not here: its job goes back into the queue, as at a takeover.
RELEASE_JOBS = """
    UPDATE jobs.procrastinate_jobs
    SET status = 'todo', queueing_lock = NULL, abort_requested = false, scheduled_at = NULL
    WHERE status = 'doing'
"""

# Readers of the feed of changes have seen numbers that are given again now: they see another feed, and begin anew.
OTHER_FEEDS = "UPDATE library.feeds SET feed = gen_random_uuid()"

# A space of vectors that a person added has its table made when the space is made, not by a migration.
MAKE_SPACES = """
    SELECT ai.create_space_table(name, max(dims)) FROM ai.spaces
    WHERE to_regclass('ai.vectors_' || name) IS NULL GROUP BY name
"""

_LONGEST_HEADING = 100_000

Sequences = dict[str, tuple[int, bool]]
"""By `schema.table.column`: the last number that was given, and whether it was."""


async def lock(connection: Connection, tables: Sequence[Table]) -> None:
    """Keep the tables as they are (not their rows) until the transaction ends."""
    names = sql.SQL(", ").join(_name(table.name) for table in tables)
    await connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(names))


async def copy_out(connection: Connection, table: Table) -> AsyncIterator[bytes]:
    """The table as text: a line of column names, then a line for each row."""
    columns = sql.SQL(", ").join(
        sql.SQL("NULL::{} AS {}").format(sql.SQL(column.type), sql.Identifier(column.name))
        if column.emptied
        else sql.Identifier(column.name)
        for column in table.columns
    )
    statement = sql.SQL("COPY (SELECT {} FROM {}) TO STDOUT (FORMAT text, HEADER)").format(columns, _name(table.name))
    async with connection.cursor() as cursor, cursor.copy(statement) as copy:
        async for piece in copy:
            yield bytes(piece)


async def copy_in(connection: Connection, table: Table, pieces: AsyncIterator[bytes]) -> int:
    """Put the lines of `copy_out` into the table, which must be empty; returns how many rows.

    Raises:
        Invalid: they are not this table's.
    """
    try:
        first = await anext(pieces, b"")
        while b"\n" not in first and len(first) < _LONGEST_HEADING and (more := await anext(pieces, b"")):
            first += more
        named = first.partition(b"\n")[0].decode().split("\t")
        known = {column.name for column in table.columns}
        if len(named) != len(set(named)) or set(named) != known:
            raise Invalid(f"the rows of {table.name} have other columns than this version's")
        statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT text, HEADER MATCH)").format(
            _name(table.name), sql.SQL(", ").join(sql.Identifier(name) for name in named)
        )
        async with connection.cursor() as cursor:
            async with cursor.copy(statement) as copy:
                await copy.write(first)
                async for piece in pieces:
                    await copy.write(piece)
            return cursor.rowcount
    except (psycopg.DataError, psycopg.IntegrityError, UnicodeDecodeError) as error:
        raise Invalid(f"the rows of {table.name} do not fit: {' '.join(str(error).split())[:200]}") from error


async def sequences(connection: Connection, tables: Sequence[Table]) -> Sequences:
    """How far each numbering is: a number that was given once is not given again after a restore."""
    found: Sequences = {}
    for table in tables:
        for column in table.columns:
            if column.sequence is not None:
                statement = sql.SQL("SELECT last_value, is_called FROM {}").format(_name(column.sequence))
                async with connection.cursor(row_factory=tuple_row) as cursor:
                    row = await (await cursor.execute(statement)).fetchone()
                assert row is not None
                found[f"{table.name}.{column.name}"] = (int(row[0]), bool(row[1]))
    return found


async def set_sequences(
    connection: Connection, tables: Sequence[Table], values: Mapping[str, tuple[int, bool]]
) -> None:
    """Go on numbering where the backup was."""
    for table in tables:
        for column in table.columns:
            value = values.get(f"{table.name}.{column.name}")
            if column.sequence is not None and value is not None:
                await connection.execute("SELECT setval(%s::regclass, %s, %s)", [column.sequence, *value])


async def empty(connection: Connection, tables: Sequence[Table]) -> None:
    """Drop every row of the tables, those that a migration put there included."""
    names = sql.SQL(", ").join(_name(table.name) for table in tables)
    await connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(names))


async def switch_triggers(connection: Connection, tables: Sequence[Table], on: bool) -> None:
    """What triggers would write is in the backup as rows already. References are checked all the same."""
    word = sql.SQL("ENABLE" if on else "DISABLE")
    for table in tables:
        await connection.execute(sql.SQL("ALTER TABLE {} {} TRIGGER USER").format(_name(table.name), word))


def _name(name: str) -> sql.Identifier:
    return sql.Identifier(*(part.strip('"') for part in name.split(".")))
