"""SQL of how far the index is, and of the switch that pauses its filling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import sql

from cortex.indexing._repository import table_of
from cortex.storage import Transaction

SPACES = "SELECT name, provider, model, dims FROM ai.spaces WHERE owner_id = %(owner)s ORDER BY name DESC"

FILLED = """
    SELECT count(*) AS total, count(v.hash) AS filled
    FROM (SELECT DISTINCT hash FROM ai.passages WHERE owner_id = %(owner)s) p
    LEFT JOIN {table} v ON v.owner_id = %(owner)s AND v.hash = p.hash
"""

COUNTS = """
    SELECT (SELECT count(*) FROM library.documents WHERE owner_id = %(owner)s AND trashed_at IS NULL) AS documents,
           (SELECT count(*) FROM ai.passages WHERE owner_id = %(owner)s) AS passages,
           (SELECT count(*) FROM library.documents d LEFT JOIN ai.indexed i ON i.owner_id = d.owner_id AND i.document_id = d.id
            WHERE d.owner_id = %(owner)s AND d.trashed_at IS NULL AND i.version IS DISTINCT FROM d.version)
           AS waiting,
           (SELECT count(*) FROM ai.indexed i JOIN library.documents d ON d.owner_id = i.owner_id AND d.id = i.document_id
            WHERE i.owner_id = %(owner)s AND i.failed IS NOT NULL AND d.trashed_at IS NULL) AS failed,
           (SELECT count(*) FROM ai.indexed i WHERE i.owner_id = %(owner)s AND i.failed IS NULL
              AND i.indexed_at > now() - interval '1 minute') AS per_minute
"""

FAILED = "SELECT document_id FROM ai.indexed WHERE owner_id = %(owner)s AND failed IS NOT NULL ORDER BY document_id"

FAILURES = """
    SELECT d.id AS document_id, d.title, i.failed AS reason, i.indexed_at AS at
    FROM ai.indexed i JOIN library.documents d ON d.owner_id = i.owner_id AND d.id = i.document_id
    WHERE i.owner_id = %(owner)s AND i.failed IS NOT NULL AND d.trashed_at IS NULL ORDER BY i.indexed_at DESC LIMIT %(limit)s
"""

# Asked several times a second while somebody waits, so it counts nothing else.
WAITING = """
    SELECT count(*) AS n FROM library.documents d
    LEFT JOIN ai.indexed i ON i.owner_id = d.owner_id AND i.document_id = d.id
    WHERE d.owner_id = %(owner)s AND d.trashed_at IS NULL AND i.version IS DISTINCT FROM d.version
"""

STALE = """
    SELECT d.id FROM library.documents d LEFT JOIN ai.indexed i ON i.owner_id = d.owner_id AND i.document_id = d.id
    WHERE d.owner_id = %(owner)s AND d.trashed_at IS NULL AND (i.version IS DISTINCT FROM d.version OR i.failed IS NOT NULL)
    ORDER BY d.id
"""

STATES = """
    SELECT d.id, i.version = d.version AS present, i.failed
    FROM library.documents d LEFT JOIN ai.indexed i ON i.owner_id = d.owner_id AND i.document_id = d.id
    WHERE d.owner_id = %(owner)s AND d.id = ANY (%(ids)s)
"""

PAUSED = "SELECT paused FROM ai.indexing WHERE owner_id = %(owner)s"

SET_PAUSED = """
    INSERT INTO ai.indexing (owner_id, paused) VALUES (%(owner)s, %(paused)s)
    ON CONFLICT (owner_id) DO UPDATE SET paused = excluded.paused
"""


async def spaces(tx: Transaction, owner_id: int) -> list[dict[str, Any]]:
    return await (await tx.execute(SPACES, {"owner": owner_id})).fetchall()


async def filled(tx: Transaction, owner_id: int, space: str) -> dict[str, int]:
    row = await (await tx.execute(sql.SQL(FILLED).format(table=table_of(space)), {"owner": owner_id})).fetchone()
    return row or {"total": 0, "filled": 0}


async def counts(tx: Transaction, owner_id: int) -> dict[str, int]:
    row = await (await tx.execute(COUNTS, {"owner": owner_id})).fetchone()
    return row or {}


async def waiting(tx: Transaction, owner_id: int) -> int:
    row = await (await tx.execute(WAITING, {"owner": owner_id})).fetchone()
    return int(row["n"]) if row else 0


async def stale(tx: Transaction, owner_id: int) -> list[int]:
    rows = await (await tx.execute(STALE, {"owner": owner_id})).fetchall()
    return [row["id"] for row in rows]


async def states(tx: Transaction, owner_id: int, ids: Sequence[int]) -> list[dict[str, Any]]:
    return await (await tx.execute(STATES, {"owner": owner_id, "ids": list(ids)})).fetchall()


async def failed(tx: Transaction, owner_id: int) -> list[int]:
    rows = await (await tx.execute(FAILED, {"owner": owner_id})).fetchall()
    return [row["document_id"] for row in rows]


async def failures(tx: Transaction, owner_id: int, limit: int) -> list[dict[str, Any]]:
    return await (await tx.execute(FAILURES, {"owner": owner_id, "limit": limit})).fetchall()


async def paused(tx: Transaction, owner_id: int) -> bool:
    row = await (await tx.execute(PAUSED, {"owner": owner_id})).fetchone()
    return bool(row and row["paused"])


async def set_paused(tx: Transaction, owner_id: int, paused: bool) -> None:
    await tx.execute(SET_PAUSED, {"owner": owner_id, "paused": paused})
