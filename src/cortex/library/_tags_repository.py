"""SQL of renaming tags."""

from __future__ import annotations

from typing import Any

from cortex.storage import Transaction

# Each note has a tag once, whatever its case. The time of a note's change stays: nobody wrote in it.
RENAME = """
    WITH holding AS MATERIALIZED (
        SELECT d.id FROM library.documents d
        WHERE d.owner_id = %(owner)s AND d.source = 'notes'
          AND d.id IN (SELECT t.document_id FROM library.tags t WHERE t.owner_id = %(owner)s AND t.tag = %(old)s)
        ORDER BY d.id FOR UPDATE
    ), gone AS (
        DELETE FROM library.tags t USING holding h
        WHERE t.owner_id = %(owner)s AND t.document_id = h.id
          AND (t.tag = %(old)s OR (lower(t.tag) = lower(%(new)s) AND t.tag <> %(new)s))
    ), come AS (
        INSERT INTO library.tags (owner_id, document_id, tag) SELECT %(owner)s, id, %(new)s FROM holding ON CONFLICT DO NOTHING
    )
    UPDATE library.documents d SET version = d.version + 1 FROM holding h
    WHERE d.owner_id = %(owner)s AND d.id = h.id
    RETURNING d.id, d.external_id AS key, d.version, d.trashed_at
"""


async def rename(tx: Transaction, owner_id: int, old: str, new: str) -> list[dict[str, Any]]:
    return await (await tx.execute(RENAME, {"owner": owner_id, "old": old, "new": new})).fetchall()
