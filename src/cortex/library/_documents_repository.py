"""SQL of documents as they are read."""

from __future__ import annotations

from typing import Any

from cortex.storage import Transaction

# A document that may be seen now: not in the trash, its source listed (the sample only while alone).
VISIBLE = "d.trashed_at IS NULL AND d.source = ANY (library.open_sources(%(owner)s))"

DOCUMENT = f"""
    SELECT d.id AS document_id, d.version, d.title, d.text, d.lang, d.kind, d.source, d.external_id, d.url, d.open_url,
           d.date, d.period, d.topic, d.origin, d.metadata,
           ARRAY (SELECT tag FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id ORDER BY tag) AS tags
    FROM library.documents d
    WHERE d.owner_id = %(owner)s AND d.id = %(id)s AND {VISIBLE}
"""

BACKLINKS = f"""
    SELECT DISTINCT d.id AS document_id, d.title
    FROM library.links l JOIN library.documents d ON d.owner_id = l.owner_id AND d.id = l.document_id
    WHERE l.owner_id = %(owner)s AND l.target = ANY (%(names)s) AND d.id <> %(id)s AND {VISIBLE}
    ORDER BY d.title LIMIT 100
"""

# A wiki link names a title, a file name without its ending, or a path inside the source.
NAMED = f"""
    SELECT DISTINCT ON (wanted.target) wanted.target, d.id AS document_id
    FROM unnest(%(targets)s::text[]) AS wanted (target)
    JOIN library.documents d ON d.owner_id = %(owner)s AND (
        lower(d.title) = wanted.target
        OR lower(regexp_replace(d.external_id, '^.*/|\\.[^./]*$', '', 'g')) = wanted.target
        OR lower(d.external_id) IN (wanted.target, wanted.target || '.md'))
    WHERE {VISIBLE}
    ORDER BY wanted.target, d.id
"""

# Those whose title begins with the words first, then the shortest.
TITLED = f"""
    SELECT d.id AS document_id, d.title, d.source, d.kind, d.lang, d.date, d.period
    FROM library.documents d
    WHERE d.owner_id = %(owner)s AND d.title ILIKE '%%' || %(pattern)s || '%%' AND {VISIBLE}
    ORDER BY d.title ILIKE %(pattern)s || '%%' DESC, length(d.title), d.title, d.id LIMIT %(limit)s
"""

# Of the notes that are written here.
LATEST = f"""
    SELECT d.id AS document_id, d.title, d.source, d.kind, d.lang, d.date, d.period
    FROM library.documents d
    WHERE d.owner_id = %(owner)s AND d.source = 'notes' AND {VISIBLE}
    ORDER BY d.updated_at DESC, d.id DESC LIMIT %(limit)s
"""


async def document(tx: Transaction, owner_id: int, document_id: int) -> dict[str, Any] | None:
    return await (await tx.execute(DOCUMENT, {"owner": owner_id, "id": document_id})).fetchone()


async def backlinks(tx: Transaction, owner_id: int, document_id: int, names: list[str]) -> list[dict[str, Any]]:
    return await (await tx.execute(BACKLINKS, {"owner": owner_id, "id": document_id, "names": names})).fetchall()


async def named(tx: Transaction, owner_id: int, targets: list[str]) -> list[dict[str, Any]]:
    if not targets:
        return []
    return await (await tx.execute(NAMED, {"owner": owner_id, "targets": targets})).fetchall()


async def titled(tx: Transaction, owner_id: int, pattern: str, limit: int) -> list[dict[str, Any]]:
    return await (await tx.execute(TITLED, {"owner": owner_id, "pattern": pattern, "limit": limit})).fetchall()


async def latest(tx: Transaction, owner_id: int, limit: int) -> list[dict[str, Any]]:
    return await (await tx.execute(LATEST, {"owner": owner_id, "limit": limit})).fetchall()
