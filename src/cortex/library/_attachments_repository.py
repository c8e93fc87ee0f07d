"""SQL of attachments: what is known of each content, and which notes have it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from psycopg.types.json import Jsonb

from cortex.storage import Transaction

Row = dict[str, Any]

# A note, in the trash or not; what was read out of an attachment is no note. It stays while the transaction lasts.
NOTE = """
    SELECT id FROM library.documents
    WHERE owner_id = %(owner)s AND id = %(note)s AND source = 'notes' FOR KEY SHARE
"""

# Held until the transaction ends: whoever puts or drops a file of this hash does it alone.
FILE_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('attachment ' || %(hash)s::text, 0))"

# A content whose text could not be read gets another chance when it comes again.
RECORD = """
    INSERT INTO library.attachments AS a (owner_id, hash, name, media_type, size, width, height, text_state)
    VALUES (%(owner)s, %(hash)s, %(name)s, %(media_type)s, %(size)s, %(width)s, %(height)s, %(text_state)s)
    ON CONFLICT (owner_id, hash) DO UPDATE
    SET media_type = excluded.media_type, width = excluded.width, height = excluded.height, unlinked_at = NULL,
        text_state = CASE WHEN a.document_id IS NULL THEN excluded.text_state ELSE a.text_state END, problem = NULL
"""

LINK = """
    INSERT INTO library.note_attachments (owner_id, document_id, hash, name) VALUES (%(owner)s, %(note)s, %(hash)s, %(name)s)
    ON CONFLICT (owner_id, document_id, hash) DO UPDATE SET name = excluded.name
"""

UNLINK = """
    DELETE FROM library.note_attachments WHERE owner_id = %(owner)s AND document_id = %(note)s AND hash = ANY (%(hashes)s)
"""

COLUMNS = "a.hash, a.media_type, a.size, a.width, a.height, a.document_id, a.text_state, a.problem"

OF_NOTE = f"""
    SELECT {COLUMNS}, l.name, l.created_at
    FROM library.note_attachments l JOIN library.attachments a ON a.owner_id = l.owner_id AND a.hash = l.hash
    WHERE l.owner_id = %(owner)s AND l.document_id = %(note)s AND (%(hash)s::bytea IS NULL OR l.hash = %(hash)s)
      AND (%(after)s::timestamptz IS NULL OR (l.created_at, l.hash) > (%(after)s, %(after_hash)s::bytea))
    ORDER BY l.created_at, l.hash LIMIT %(limit)s
"""

ONE = f"SELECT {COLUMNS}, a.name, a.created_at FROM library.attachments a WHERE a.owner_id = %(owner)s AND a.hash = %(hash)s"

HASHES_OF_NOTE = (
    "SELECT hash FROM library.note_attachments WHERE owner_id = %(owner)s AND document_id = %(note)s ORDER BY hash"
)

# The texts that would go with a note: those of contents that no other note has.
SHARE = """
    INSERT INTO library.note_attachments (owner_id, document_id, hash, name)
    SELECT owner_id, %(to)s, hash, name FROM library.note_attachments WHERE owner_id = %(owner)s AND document_id = %(note)s
    ON CONFLICT DO NOTHING
"""

ONLY_TEXTS = """
    SELECT a.document_id FROM library.note_attachments l
    JOIN library.attachments a ON a.owner_id = l.owner_id AND a.hash = l.hash
    WHERE l.owner_id = %(owner)s AND l.document_id = %(note)s AND a.document_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM library.note_attachments o
        WHERE o.owner_id = l.owner_id AND o.hash = l.hash AND o.document_id <> l.document_id)
    ORDER BY 1
"""

LOCK = "SELECT FROM library.attachments WHERE owner_id = %(owner)s AND hash = ANY (%(hashes)s) ORDER BY hash FOR UPDATE"

# What each content is called, and by whom: the oldest note out of the trash, else the oldest one in it; NULL where none has it.
STANDING = """
    SELECT a.hash, a.document_id, l.name, l.external_id AS note, l.trashed_at, l.note_id
    FROM library.attachments a LEFT JOIN LATERAL (
        SELECT l.name, d.external_id, d.trashed_at, d.id AS note_id
        FROM library.note_attachments l JOIN library.documents d ON d.owner_id = l.owner_id AND d.id = l.document_id
        WHERE l.owner_id = a.owner_id AND l.hash = a.hash
        ORDER BY d.trashed_at IS NOT NULL, l.created_at, l.document_id LIMIT 1) l ON true
    WHERE a.owner_id = %(owner)s AND a.hash = ANY (%(hashes)s)
"""

NAME = """
    UPDATE library.attachments SET name = coalesce(%(name)s, name), unlinked_at = CASE WHEN %(linked)s THEN NULL ELSE now() END
    WHERE owner_id = %(owner)s AND hash = %(hash)s
"""

# The text of a content stands and falls with the notes that have it.
FOLLOW = """
    UPDATE library.documents SET trashed_at = %(trashed_at)s, title = %(title)s, metadata = metadata || %(metadata)s,
        version = version + (title IS DISTINCT FROM %(title)s)::int, updated_at = now()
    WHERE owner_id = %(owner)s AND id = %(id)s
      AND (trashed_at, title, metadata) IS DISTINCT FROM (%(trashed_at)s, %(title)s, metadata || %(metadata)s)
    RETURNING trashed_at
"""

TRASH = (
    "UPDATE library.documents SET trashed_at = now() WHERE owner_id = %(owner)s AND id = %(id)s AND trashed_at IS NULL"
)

DELETE = """
    WITH gone AS (
        DELETE FROM library.attachments WHERE owner_id = %(owner)s AND hash = ANY (%(hashes)s) RETURNING document_id)
    DELETE FROM library.documents d USING gone WHERE d.owner_id = %(owner)s AND d.id = gone.document_id RETURNING d.id
"""

UNLINKED = """
    SELECT hash FROM library.attachments a WHERE a.owner_id = %(owner)s
      AND NOT EXISTS (SELECT FROM library.note_attachments l WHERE l.owner_id = a.owner_id AND l.hash = a.hash)
      AND coalesce(a.unlinked_at, a.created_at) <= now() - make_interval(secs => %(age)s)
    ORDER BY hash
"""

KEPT = "SELECT hash FROM library.attachments_kept(%(hashes)s) AS k (hash)"


async def note_exists(tx: Transaction, owner_id: int, note: int) -> bool:
    return await (await tx.execute(NOTE, {"owner": owner_id, "note": note})).fetchone() is not None


async def lock_file(tx: Transaction, hash_: bytes) -> None:
    await tx.execute(FILE_LOCK, {"hash": hash_.hex()})


async def record(tx: Transaction, owner_id: int, values: Row) -> None:
    await tx.execute(RECORD, {"owner": owner_id, **values})


async def link(tx: Transaction, owner_id: int, note: int, hash_: bytes, name: str) -> None:
    await tx.execute(LINK, {"owner": owner_id, "note": note, "hash": hash_, "name": name})


async def unlink(tx: Transaction, owner_id: int, note: int, hashes: Sequence[bytes]) -> int:
    return (await tx.execute(UNLINK, {"owner": owner_id, "note": note, "hashes": list(hashes)})).rowcount


async def of_note(
    tx: Transaction, owner_id: int, note: int, limit: int, after: tuple[dt.datetime, bytes] | None = None
) -> list[Row]:
    """`after`: when the last one of the page before came, and its hash."""
    at, hash_ = after or (None, None)
    given = {"owner": owner_id, "note": note, "hash": None, "limit": limit, "after": at, "after_hash": hash_}
    return await (await tx.execute(OF_NOTE, given)).fetchall()


async def of_note_one(tx: Transaction, owner_id: int, note: int, hash_: bytes) -> Row:
    given = {"owner": owner_id, "note": note, "hash": hash_, "limit": 1, "after": None, "after_hash": None}
    row = await (await tx.execute(OF_NOTE, given)).fetchone()
    assert row is not None
    return row


async def one(tx: Transaction, owner_id: int, hash_: bytes) -> Row | None:
    return await (await tx.execute(ONE, {"owner": owner_id, "hash": hash_})).fetchone()


async def hashes_of_note(tx: Transaction, owner_id: int, note: int) -> list[bytes]:
    rows = await (await tx.execute(HASHES_OF_NOTE, {"owner": owner_id, "note": note})).fetchall()
    return [bytes(row["hash"]) for row in rows]


async def only_texts(tx: Transaction, owner_id: int, note: int) -> list[int]:
    rows = await (await tx.execute(ONLY_TEXTS, {"owner": owner_id, "note": note})).fetchall()
    return [row["document_id"] for row in rows]


async def share(tx: Transaction, owner_id: int, note: int, to: int) -> None:
    await tx.execute(SHARE, {"owner": owner_id, "note": note, "to": to})


async def lock(tx: Transaction, owner_id: int, hashes: Sequence[bytes]) -> None:
    await tx.execute(LOCK, {"owner": owner_id, "hashes": list(hashes)})


async def standing(tx: Transaction, owner_id: int, hashes: Sequence[bytes]) -> list[Row]:
    """Locks the contents, then tells who has them: in a second statement, which sees what was waited for."""
    await lock(tx, owner_id, hashes)
    return await (await tx.execute(STANDING, {"owner": owner_id, "hashes": list(hashes)})).fetchall()


async def name(tx: Transaction, owner_id: int, hash_: bytes, name: str | None) -> None:
    """None: no note has it any more."""
    await tx.execute(NAME, {"owner": owner_id, "hash": hash_, "name": name, "linked": name is not None})


async def follow(tx: Transaction, owner_id: int, document_id: int, values: Row, metadata: Row) -> bool:
    """Whether the text changed and is to be found."""
    given = {"owner": owner_id, "id": document_id, **values, "metadata": Jsonb(metadata)}
    row = await (await tx.execute(FOLLOW, given)).fetchone()
    return row is not None and row["trashed_at"] is None


async def trash(tx: Transaction, owner_id: int, document_id: int) -> None:
    await tx.execute(TRASH, {"owner": owner_id, "id": document_id})


async def delete(tx: Transaction, owner_id: int, hashes: Sequence[bytes]) -> list[int]:
    rows = await (await tx.execute(DELETE, {"owner": owner_id, "hashes": list(hashes)})).fetchall()
    return [row["id"] for row in rows]


async def unlinked(tx: Transaction, owner_id: int, older_than_s: float) -> list[bytes]:
    rows = await (await tx.execute(UNLINKED, {"owner": owner_id, "age": older_than_s})).fetchall()
    return [bytes(row["hash"]) for row in rows]


async def kept(tx: Transaction, hashes: Sequence[bytes]) -> set[bytes]:
    """Those that any owner has a record of."""
    rows = await (await tx.execute(KEPT, {"hashes": list(hashes)})).fetchall()
    return {bytes(row["hash"]) for row in rows}
