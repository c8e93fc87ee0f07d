"""SQL of deleting notes for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cortex.storage import Transaction

Row = dict[str, Any]

# Before any row is locked: whoever writes what is made of a text holds it too.
LOCK_TEXTS = "SELECT pg_advisory_xact_lock(ai.lock_of_texts(%(owner)s))"

LOCK_NOTES = """
    SELECT d.id, d.external_id AS key, d.version, d.trashed_at FROM library.documents d
    WHERE d.owner_id = %(owner)s AND d.source = 'notes' AND d.id = ANY (%(ids)s) ORDER BY d.id FOR UPDATE
"""

IN_TRASH = """
    SELECT d.id FROM library.documents d
    WHERE d.owner_id = %(owner)s AND d.source = 'notes' AND d.trashed_at IS NOT NULL ORDER BY d.id
"""

FORGET = "SELECT ai.forget_documents(%(ids)s)"

# Revisions, tags, links and what the index knows go with them. What devices sent holds ids only.
DELETE = "DELETE FROM library.documents WHERE owner_id = %(owner)s AND id = ANY (%(ids)s)"

ANSWERS = """
    SELECT a.id AS answer_id, a.conversation_id, a.question FROM ai.answers a
    WHERE a.owner_id = %(owner)s AND ai.names_any(a.sources, %(ids)s) ORDER BY a.id DESC
"""

# What must not be left of a note that was deleted for good; only its id is, in the feed.
LEFT = """
    WITH gone AS MATERIALIZED (
        SELECT DISTINCT document_id AS id FROM library.changes WHERE owner_id = %(owner)s AND op = 'deleted'
    ), ids AS MATERIALIZED (SELECT coalesce(array_agg(id), '{}') AS ids FROM gone)
    SELECT (SELECT count(*) FROM library.documents d JOIN gone ON gone.id = d.id WHERE d.owner_id = %(owner)s) AS documents,
           (SELECT count(*) FROM library.revisions r JOIN gone ON gone.id = r.document_id WHERE r.owner_id = %(owner)s) AS revisions,
           (SELECT count(*) FROM library.tags t JOIN gone ON gone.id = t.document_id WHERE t.owner_id = %(owner)s) AS tags,
           (SELECT count(*) FROM library.links l JOIN gone ON gone.id = l.document_id WHERE l.owner_id = %(owner)s) AS links,
           (SELECT count(*) FROM ai.passages p JOIN gone ON gone.id = p.document_id WHERE p.owner_id = %(owner)s) AS passages,
           (SELECT count(*) FROM ai.title_postings t JOIN gone ON gone.id = t.document_id WHERE t.owner_id = %(owner)s) AS titles,
           (SELECT count(*) FROM ai.citations c JOIN gone ON gone.id = c.document_id
            WHERE c.owner_id = %(owner)s AND c.quote <> '') AS quotes,
           (SELECT count(*) FROM ai.answers a, ids WHERE a.owner_id = %(owner)s
              AND a.sources <> ai.without_words(a.sources, ids.ids) AND ai.names_any(a.sources, ids.ids)) AS answers
"""


async def lock_texts(tx: Transaction, owner_id: int) -> None:
    await tx.execute(LOCK_TEXTS, {"owner": owner_id})


async def lock_notes(tx: Transaction, owner_id: int, ids: Sequence[int]) -> list[Row]:
    return await (await tx.execute(LOCK_NOTES, {"owner": owner_id, "ids": list(ids)})).fetchall()


async def in_trash(tx: Transaction, owner_id: int) -> list[int]:
    return [row["id"] for row in await (await tx.execute(IN_TRASH, {"owner": owner_id})).fetchall()]


async def forget(tx: Transaction, ids: Sequence[int]) -> None:
    """Take what the documents say out of answers and out of the index; they themselves stay."""
    if ids:
        await tx.execute(FORGET, {"ids": list(ids)})


async def delete(tx: Transaction, owner_id: int, ids: Sequence[int]) -> None:
    await forget(tx, ids)
    await tx.execute(DELETE, {"owner": owner_id, "ids": list(ids)})


async def answers(tx: Transaction, owner_id: int, ids: Sequence[int]) -> list[Row]:
    return await (await tx.execute(ANSWERS, {"owner": owner_id, "ids": list(ids)})).fetchall()


async def left(tx: Transaction, owner_id: int) -> dict[str, int]:
    row = await (await tx.execute(LEFT, {"owner": owner_id})).fetchone()
    return row or {}
