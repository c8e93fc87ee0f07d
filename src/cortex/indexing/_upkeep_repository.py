"""SQL of what commands check and mend in the index. Runs as the AI role."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import sql

from cortex.storage import Transaction

TABLES = "SELECT name FROM ai.spaces WHERE owner_id = %(owner)s ORDER BY name DESC"

# Every vector that was ever made and is still there, used or not: it only grows while texts are embedded.
EMBEDDED = "SELECT count(*) AS n FROM {table} WHERE owner_id = %(owner)s"

POSTINGS_WITHOUT_PASSAGE = """
    SELECT count(*) AS n FROM ai.postings t
    WHERE t.owner_id = %(owner)s
      AND NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = t.owner_id AND p.id = t.passage_id)
"""

# Unused vectors are marked when their passage goes; one that is neither used nor marked would stay for ever.
VECTORS_WITHOUT_PASSAGE = """
    SELECT count(*) AS n FROM {table} v
    WHERE v.owner_id = %(owner)s AND v.unused_since IS NULL
      AND NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = v.owner_id AND p.hash = v.hash)
"""

# Each passage reads its document's text again: long ones are left out, or the check would take hours.
PASSAGES_OF_ANOTHER_TEXT = """
    SELECT count(*) AS n FROM ai.passages p JOIN library.documents d ON d.owner_id = p.owner_id AND d.id = p.document_id
    WHERE p.owner_id = %(owner)s AND p.version = d.version AND octet_length(d.text) < 500000
      AND substr(d.text, p.start_at + 1, p.end_at - p.start_at) <> p.text
"""

# The index says that it holds the present version, and a passage is of another one.
STALE_PASSAGES = """
    SELECT count(*) AS n FROM ai.passages p JOIN library.documents d ON d.owner_id = p.owner_id AND d.id = p.document_id
    JOIN ai.indexed i ON i.owner_id = p.owner_id AND i.document_id = p.document_id
    WHERE p.owner_id = %(owner)s AND p.version <> d.version AND i.version = d.version AND i.failed IS NULL
"""

# Failed ones count as well where they have changed since.
WAITING = """
    SELECT d.id FROM library.documents d LEFT JOIN ai.indexed i ON i.owner_id = d.owner_id AND i.document_id = d.id
    WHERE d.owner_id = %(owner)s AND d.trashed_at IS NULL AND i.version IS DISTINCT FROM d.version
"""

FORGET_INDEXED = "UPDATE ai.indexed SET version = 0 WHERE owner_id = %(owner)s"

EMPTY_SPACE = "DELETE FROM {table} WHERE owner_id = %(owner)s"


async def spaces(tx: Transaction, owner_id: int) -> list[str]:
    return [row["name"] for row in await (await tx.execute(TABLES, {"owner": owner_id})).fetchall()]


async def embedded(tx: Transaction, owner_id: int, space: str) -> int:
    return await _count(tx, owner_id, EMBEDDED, f"vectors_{space}")


async def postings_without_passage(tx: Transaction, owner_id: int) -> int:
    return await _count(tx, owner_id, POSTINGS_WITHOUT_PASSAGE)


async def vectors_without_passage(tx: Transaction, owner_id: int, tables: Sequence[str]) -> int:
    return sum([await _count(tx, owner_id, VECTORS_WITHOUT_PASSAGE, table) for table in tables])


async def passages_of_another_text(tx: Transaction, owner_id: int) -> int:
    return await _count(tx, owner_id, PASSAGES_OF_ANOTHER_TEXT)


async def waiting(tx: Transaction, owner_id: int) -> list[int]:
    return [row["id"] for row in await (await tx.execute(WAITING, {"owner": owner_id})).fetchall()]


async def stale_passages(tx: Transaction, owner_id: int) -> int:
    return await _count(tx, owner_id, STALE_PASSAGES)


async def forget_indexed(tx: Transaction, owner_id: int) -> None:
    await tx.execute(FORGET_INDEXED, {"owner": owner_id})


async def empty_space(tx: Transaction, owner_id: int, space: str) -> None:
    await tx.execute(_of(EMPTY_SPACE, f"vectors_{space}"), {"owner": owner_id})


async def _count(tx: Transaction, owner_id: int, statement: str, table: str = "") -> int:
    row = await (await tx.execute(_of(statement, table), {"owner": owner_id})).fetchone()
    return int(row["n"]) if row else 0


def _of(statement: str, table: str) -> sql.Composed:
    return sql.SQL(statement).format(table=sql.Identifier("ai", table or "passages"))
