"""SQL of past versions. The present one stands in documents alone."""

from __future__ import annotations

from typing import Any

from cortex.storage import Transaction

Row = dict[str, Any]

_NOW = """
    SELECT d.version, d.updated_at AS at, d.title, d.titled, d.lang, d.kind, d.date, d.topic, d.origin, d.size, {text}
           ARRAY (SELECT tag FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id ORDER BY tag) AS tags,
           EXISTS (SELECT FROM library.revisions k WHERE k.owner_id = d.owner_id AND k.document_id = d.id
                     AND k.version = d.version AND k.kept) AS kept
    FROM library.documents d WHERE d.owner_id = %(owner)s AND d.source = 'notes' AND d.id = %(id)s
"""
_PAST = """
    SELECT r.version, r.at, r.title, r.titled, r.lang, r.kind, r.date, r.topic, r.origin, r.size, {text} r.tags, r.kept
    FROM library.revisions r JOIN library.documents d ON d.owner_id = r.owner_id AND d.id = r.document_id
    WHERE r.owner_id = %(owner)s AND r.document_id = %(id)s AND r.version <> d.version
"""

REVISIONS = f"{_NOW.format(text='')} UNION ALL {_PAST.format(text='')} ORDER BY version DESC"

REVISION = f"""
    SELECT * FROM ({_NOW.format(text="d.text AS body,")} UNION ALL {_PAST.format(text="r.text AS body,")}) AS r
    WHERE r.version = %(version)s
"""

# The present version is written down when a person wants to keep it, or the next save would replace it.
KEEP_NOW = """
    INSERT INTO library.revisions (owner_id, document_id, version, at, title, titled, text, lang, kind, date, topic, tags, origin,
                                   size, kept)
    SELECT d.owner_id, d.id, d.version, d.updated_at, d.title, d.titled, d.text, d.lang, d.kind, d.date, d.topic,
           ARRAY (SELECT tag FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id ORDER BY tag),
           d.origin, d.size, true
    FROM library.documents d
    WHERE d.owner_id = %(owner)s AND d.source = 'notes' AND d.id = %(id)s AND d.version = %(version)s
    ON CONFLICT (owner_id, document_id, version) DO UPDATE SET kept = true
"""

SET_KEPT = """
    UPDATE library.revisions SET kept = %(kept)s
    WHERE owner_id = %(owner)s AND document_id = %(id)s AND version = %(version)s
"""

# Of each day, in UTC, the last revision stays.
THIN = """
    DELETE FROM library.revisions r
    WHERE r.owner_id = %(owner)s AND NOT r.kept AND r.at < now() - make_interval(days => %(days)s)
      AND EXISTS (SELECT FROM library.revisions l WHERE l.owner_id = r.owner_id AND l.document_id = r.document_id
                    AND l.version > r.version AND (l.at AT TIME ZONE 'UTC')::date = (r.at AT TIME ZONE 'UTC')::date)
"""


async def revisions(tx: Transaction, owner_id: int, note_id: int) -> list[Row]:
    return await (await tx.execute(REVISIONS, {"owner": owner_id, "id": note_id})).fetchall()


async def revision(tx: Transaction, owner_id: int, note_id: int, version: int) -> Row | None:
    given = {"owner": owner_id, "id": note_id, "version": version}
    return await (await tx.execute(REVISION, given)).fetchone()


async def set_kept(tx: Transaction, owner_id: int, note_id: int, version: int, kept: bool) -> None:
    given = {"owner": owner_id, "id": note_id, "version": version, "kept": kept}
    if kept:
        await tx.execute(KEEP_NOW, given)
    await tx.execute(SET_KEPT, given)


async def thin(tx: Transaction, owner_id: int, days: int) -> int:
    return (await tx.execute(THIN, {"owner": owner_id, "days": days})).rowcount
