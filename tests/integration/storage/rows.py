"""The smallest rows that tests of the schema need."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg

Owner = psycopg.AsyncConnection[Any]


async def add_owner(owner: Owner, owner_id: int) -> None:
    await owner.execute("INSERT INTO accounts.users (owner_id, name) VALUES (%s, 'someone')", [owner_id])
    await owner.execute("INSERT INTO library.sources (owner_id, name, type) VALUES (%s, 'notes', 'notes')", [owner_id])


async def add_document(owner: Owner, owner_id: int, name: str = "a") -> int:
    cursor = await owner.execute(
        """INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size)
           VALUES (%s, 'notes', %s, 'Title', 'Text', 'en', 'file:///a', '\\x00', 4) RETURNING id""",
        [owner_id, name],
    )
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def add_passage(owner: Owner, owner_id: int, document_id: int, passage_id: int, text_hash: uuid.UUID) -> None:
    """A passage of two terms (7 and 8), with its postings, vectors and sentences."""
    await owner.execute(
        """INSERT INTO ai.passages
               (owner_id, id, document_id, version, ordinal, start_at, end_at, text, lang, hash, length, terms)
           VALUES (%s, %s, %s, 1, 0, 0, 4, 'Text', 'en', %s, 2, '{7,8}')""",
        [owner_id, passage_id, document_id, text_hash],
    )
    await owner.execute(
        "INSERT INTO ai.postings SELECT %s, t, %s, false, 1, 2 FROM unnest('{7,8}'::bigint[]) t", [owner_id, passage_id]
    )
    await owner.execute(
        "INSERT INTO ai.sentences (owner_id, hash, starts, ends, vectors) VALUES (%s, %s, '{0}', '{4}', '')"
        " ON CONFLICT DO NOTHING",
        [owner_id, text_hash],
    )
    for space, dims in (("fast", 512), ("deep", 384)):
        await owner.execute(
            f"INSERT INTO ai.vectors_{space} (owner_id, hash, zh, embedding)"
            f" VALUES (%s, %s, false, array_fill(0.1::real, '{{{dims}}}')::halfvec) ON CONFLICT DO NOTHING".encode(),
            [owner_id, text_hash],
        )


async def count(connection: Any, table: str, where: str = "true") -> int:
    cursor = await connection.execute(f"SELECT count(*) AS n FROM {table} WHERE {where}".encode())
    row = await cursor.fetchone()
    return int(row["n"] if isinstance(row, dict) else row[0])
