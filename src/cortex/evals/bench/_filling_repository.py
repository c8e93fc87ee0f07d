"""SQL that fills a library as its owner does, past row-level security: COPY first, the indexes after."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg import sql

from cortex.evals.bench.copying import HEADER, TRAILER

Owner = psycopg.AsyncConnection[Any]

FILLED = "SELECT count(*) FROM ai.passages WHERE owner_id = 1"

INDEXES = """
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made, c.conname AS constraint,
           pg_get_constraintdef(c.oid) AS promise
    FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype = 'p'
    WHERE i.indrelid = %(table)s::regclass
"""

WAITING = """
    INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size)
    SELECT 1, 'notes', 'waiting-' || w.n, w.title, w.text, w.lang, 'bench:' || w.n, '', length(w.text)
    FROM unnest(%(titles)s::text[], %(texts)s::text[], %(langs)s::text[]) WITH ORDINALITY AS w (title, text, lang, n)
    RETURNING id
"""

# COPY brought ids of its own.
NEXT_ID = "SELECT setval(pg_get_serial_sequence('library.documents', 'id'), (SELECT max(id) FROM library.documents))"

DELETE_WAITING = "DELETE FROM library.documents WHERE owner_id = 1 AND external_id LIKE 'waiting-%'"
NO_JOBS = "TRUNCATE jobs.procrastinate_jobs CASCADE"

# Passages whose deep vector is taken away, so that a worker has them to embed; what it embeds is taken away again.
FORGET = """
    DELETE FROM ai.vectors_deep v USING (SELECT hash FROM ai.passages WHERE owner_id = 1 ORDER BY document_id DESC LIMIT %(count)s) p
    WHERE v.owner_id = 1 AND v.hash = p.hash
"""

SIZE_OF = "SELECT pg_total_relation_size(%(table)s::regclass) AS size"


@asynccontextmanager
async def connect(login: str) -> AsyncIterator[Owner]:
    """A connection of the owner that commits each statement and has memory for building indexes."""
    async with await psycopg.AsyncConnection.connect(login, autocommit=True) as connection:
        for setting in ("maintenance_work_mem = '1GB'", "synchronous_commit = off", "search_path = jobs, public"):
            await connection.execute(f"SET {setting}".encode())
        yield connection


async def filled(owner: Owner) -> int:
    """How many passages the library has."""
    return await _one(owner, FILLED)


async def drop_indexes(owner: Owner, table: str) -> list[bytes]:
    """Drop a table's indexes and give the statements that make them again."""
    again = []
    for name, made, constraint, promise in await (await owner.execute(INDEXES, {"table": table})).fetchall():
        if constraint:
            await owner.execute(
                sql.SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(_table(table), sql.Identifier(constraint))
            )
            again.append(f"ALTER TABLE {table} ADD CONSTRAINT {constraint} {promise}".encode())
        else:
            await owner.execute(f"DROP INDEX {name}".encode())
            again.append(made.encode())
    return again


async def copy(owner: Owner, table: str, columns: Sequence[str], parts: Iterable[bytes]) -> None:
    """Copy rows in binary form."""
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(_table(table), names)
    async with owner.cursor() as cursor, cursor.copy(statement) as copying:
        await copying.write(HEADER)
        for part in parts:
            await copying.write(part)
        await copying.write(TRAILER)


async def run(owner: Owner, statement: bytes) -> None:
    await owner.execute(statement)


async def settle(owner: Owner) -> None:
    """What autovacuum does to a library within minutes: statistics, and pages marked as visible to all."""
    await owner.execute("VACUUM (ANALYZE)")
    await owner.execute("CHECKPOINT")


async def add_waiting(owner: Owner, titles: Sequence[str], texts: Sequence[str], langs: Sequence[str]) -> list[int]:
    """Documents that no worker has seen."""
    await owner.execute(NEXT_ID)
    values = {"titles": list(titles), "texts": list(texts), "langs": list(langs)}
    return [row[0] for row in await (await owner.execute(WAITING, values)).fetchall()]


async def forget_deep(owner: Owner, count: int) -> None:
    await owner.execute(FORGET, {"count": count})


async def clear_waiting(owner: Owner) -> None:
    await owner.execute(NO_JOBS)
    await owner.execute(DELETE_WAITING)


async def sizes(owner: Owner, tables: Sequence[str]) -> dict[str, int]:
    """Bytes of each table with its indexes."""
    return {table: await _one(owner, SIZE_OF, {"table": table}) for table in tables}


async def _one(owner: Owner, statement: str, values: dict[str, Any] | None = None) -> int:
    row = await (await owner.execute(statement.encode(), values)).fetchone()
    return int(row[0]) if row else 0


def _table(name: str) -> sql.Identifier:
    return sql.Identifier(*name.split("."))
