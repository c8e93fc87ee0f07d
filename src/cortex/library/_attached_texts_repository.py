"""SQL of the texts that are read out of attachments, and of what is left of attachments that nobody has."""

from __future__ import annotations

from typing import Any

from psycopg.types.json import Jsonb

from cortex.storage import Transaction

Row = dict[str, Any]

# Those in the trash wait their turn behind the others: they are not searched.
WAITING = """
    SELECT hash, name, media_type FROM library.attachments WHERE owner_id = %(owner)s AND text_state = 'waiting'
    ORDER BY unlinked_at IS NOT NULL, created_at, hash LIMIT 1
"""

# Whoever reads it last is right, so long as it is still wanted.
WANTED = """
    SELECT name, media_type FROM library.attachments
    WHERE owner_id = %(owner)s AND hash = %(hash)s AND text_state = 'waiting' FOR UPDATE
"""

FINISH = """
    UPDATE library.attachments SET text_state = %(state)s, problem = %(problem)s, document_id = %(document_id)s
    WHERE owner_id = %(owner)s AND hash = %(hash)s
"""

SOURCE = "INSERT INTO library.sources (owner_id, name, type) VALUES (%(owner)s, 'attachments', 'notes') ON CONFLICT DO NOTHING"

TEXT = """
    INSERT INTO library.documents AS d (owner_id, source, external_id, title, text, lang, url, metadata, content_hash, size)
    VALUES (%(owner)s, 'attachments', %(external_id)s, %(title)s, %(text)s, %(lang)s, %(url)s, %(metadata)s, %(content_hash)s, %(size)s)
    ON CONFLICT (owner_id, source, external_id) DO UPDATE
    SET version = d.version + 1, updated_at = now(), title = excluded.title, text = excluded.text, lang = excluded.lang,
        metadata = excluded.metadata, content_hash = excluded.content_hash, size = excluded.size
    RETURNING id
"""

RECORDS = "SELECT hash, name, size FROM library.attachments WHERE owner_id = %(owner)s ORDER BY hash"

# Texts that no record names: there should be none.
TEXTS_ALONE = """
    SELECT count(*) AS n FROM library.documents d
    WHERE d.owner_id = %(owner)s AND d.source = 'attachments'
      AND NOT EXISTS (SELECT FROM library.attachments a WHERE a.owner_id = d.owner_id AND a.document_id = d.id)
"""


async def waiting(tx: Transaction, owner_id: int) -> Row | None:
    return await (await tx.execute(WAITING, {"owner": owner_id})).fetchone()


async def wanted(tx: Transaction, owner_id: int, hash_: bytes) -> Row | None:
    """Locks the record."""
    return await (await tx.execute(WANTED, {"owner": owner_id, "hash": hash_})).fetchone()


async def finish(
    tx: Transaction,
    owner_id: int,
    hash_: bytes,
    state: str,
    *,
    problem: str | None = None,
    document_id: int | None = None,
) -> None:
    given = {"owner": owner_id, "hash": hash_, "state": state, "problem": problem, "document_id": document_id}
    await tx.execute(FINISH, given)


async def put_text(tx: Transaction, owner_id: int, values: Row) -> int:
    await tx.execute(SOURCE, {"owner": owner_id})
    given = {"owner": owner_id, **values, "metadata": Jsonb(values["metadata"])}
    row = await (await tx.execute(TEXT, given)).fetchone()
    assert row is not None
    return int(row["id"])


async def records(tx: Transaction, owner_id: int) -> list[Row]:
    return await (await tx.execute(RECORDS, {"owner": owner_id})).fetchall()


async def texts_alone(tx: Transaction, owner_id: int) -> int:
    row = await (await tx.execute(TEXTS_ALONE, {"owner": owner_id})).fetchone()
    assert row is not None
    return int(row["n"])
