"""SQL of passages, their postings and their vectors. Runs as the AI role: it reads the library and writes `ai`."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from psycopg import sql

from cortex.indexing.passages import Passage, Source
from cortex.providers.embedders import Vectors
from cortex.storage import Transaction

# Documents whose passages are not of their present version.
SOURCES = """
    SELECT d.id AS document_id, d.version, d.title, d.text, d.lang, d.kind, d.period, d.topic
    FROM library.documents d LEFT JOIN ai.indexed i ON i.owner_id = d.owner_id AND i.document_id = d.id
    WHERE d.owner_id = %(owner)s AND d.id = ANY (%(ids)s) AND d.trashed_at IS NULL
      AND (i.version IS DISTINCT FROM d.version OR i.failed IS NOT NULL)
    ORDER BY d.id
"""

# One writer a document at a time; held until the transaction ends.
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('passages', %(owner)s # id)) FROM unnest(%(ids)s::bigint[]) AS t (id) ORDER BY id"

# Nothing to do for a document that changed again or went meanwhile: a later job has it.
CURRENT = "SELECT id, version FROM library.documents WHERE owner_id = %(owner)s AND id = ANY (%(ids)s)"

DELETE_GONE = """
    DELETE FROM ai.passages WHERE owner_id = %(owner)s AND document_id = ANY (%(documents)s) AND NOT id = ANY (%(ids)s)
"""

# A passage whose text stayed keeps its postings and vectors; its place, prefix and version may be new.
UPSERT_PASSAGES = """
    INSERT INTO ai.passages (owner_id, id, document_id, version, ordinal, start_at, end_at, text, lang, headings, prefix, hash,
                             length, terms)
    VALUES (%(owner)s, %(id)s, %(document_id)s, %(version)s, %(ordinal)s, %(start)s, %(end)s, %(text)s, %(lang)s, %(headings)s,
            %(prefix)s, %(hash)s, %(length)s, %(terms)s)
    ON CONFLICT (owner_id, id) DO UPDATE SET version = excluded.version, ordinal = excluded.ordinal, start_at = excluded.start_at,
        end_at = excluded.end_at, headings = excluded.headings, prefix = excluded.prefix, hash = excluded.hash
"""

INSERT_POSTINGS = """
    INSERT INTO ai.postings (owner_id, term, passage_id, zh, tf, length)
    SELECT %(owner)s, * FROM unnest(%(term)s::bigint[], %(id)s::bigint[], %(zh)s::boolean[], %(tf)s::int[], %(length)s::int[])
    ON CONFLICT DO NOTHING
"""

DELETE_TITLES = "DELETE FROM ai.title_postings WHERE owner_id = %(owner)s AND document_id = ANY (%(documents)s)"

INSERT_TITLES = """
    INSERT INTO ai.title_postings (owner_id, term, document_id, zh, tf, length)
    SELECT %(owner)s, * FROM unnest(%(term)s::bigint[], %(id)s::bigint[], %(zh)s::boolean[], %(tf)s::int[], %(length)s::int[])
"""

MARK_INDEXED = """
    INSERT INTO ai.indexed (owner_id, document_id, version)
    SELECT %(owner)s, * FROM unnest(%(ids)s::bigint[], %(versions)s::int[])
    ON CONFLICT (owner_id, document_id) DO UPDATE SET version = excluded.version, failed = NULL, indexed_at = now()
"""

MARK_FAILED = """
    INSERT INTO ai.indexed (owner_id, document_id, version, failed)
    SELECT %(owner)s, d.id, %(version)s, %(reason)s FROM library.documents d WHERE d.owner_id = %(owner)s AND d.id = %(id)s
    ON CONFLICT (owner_id, document_id) DO UPDATE SET version = excluded.version, failed = excluded.failed, indexed_at = now()
"""

# Passages without a row in a table keyed by hash; one row a text.
MISSING = """
    SELECT DISTINCT ON (p.hash) p.hash, p.prefix, p.text, p.lang FROM ai.passages p
    WHERE p.owner_id = %(owner)s AND NOT EXISTS (SELECT FROM {table} v WHERE v.owner_id = p.owner_id AND v.hash = p.hash)
    ORDER BY p.hash LIMIT %(limit)s
"""

KNOWN = "SELECT hash FROM {table} WHERE owner_id = %(owner)s AND hash = ANY (%(hashes)s)"

# Held by whoever writes what is made of texts; a deletion for good waits for them, and they for it.
SHARE_TEXTS = "SELECT pg_advisory_xact_lock_shared(ai.lock_of_texts(%(owner)s))"

# Until a passage uses it, a vector counts as unused: what a killed run leaves behind is collected like the rest. Nothing is kept of
# a text that went while it was being embedded: its document has to be there, or its passage.
INSERT_VECTORS = """
    INSERT INTO {table} (owner_id, hash, zh, embedding, unused_since)
    SELECT %(owner)s, %(hash)s, %(zh)s, %(embedding)s, CASE WHEN used.found THEN NULL ELSE now() END
    FROM (SELECT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = %(owner)s AND p.hash = %(hash)s) AS found) AS used
    WHERE used.found OR EXISTS (SELECT FROM library.documents d WHERE d.owner_id = %(owner)s AND d.id = %(document)s)
    ON CONFLICT DO NOTHING
"""

INSERT_SENTENCES = """
    INSERT INTO ai.sentences (owner_id, hash, starts, ends, vectors)
    SELECT %(owner)s, %(hash)s, %(starts)s, %(ends)s, %(vectors)s
    WHERE EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = %(owner)s AND p.hash = %(hash)s)
    ON CONFLICT DO NOTHING
"""

MARK_USED = "UPDATE {table} SET unused_since = NULL WHERE owner_id = %(owner)s AND hash = ANY (%(hashes)s) AND unused_since IS NOT NULL"

# A hash that a changed prefix left behind on a passage that stayed.
MARK_UNUSED = """
    UPDATE {table} v SET unused_since = now() WHERE v.owner_id = %(owner)s AND v.hash = ANY (%(hashes)s) AND v.unused_since IS NULL
      AND NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = %(owner)s AND p.hash = v.hash)
"""

HASHES_OF = "SELECT DISTINCT hash FROM ai.passages WHERE owner_id = %(owner)s AND document_id = ANY (%(documents)s)"

# Two workers that replace passages of one text at the same moment do not see each other, so a mark may be wrong: set right
# before anything is dropped.
MARK_STILL_USED = """
    UPDATE {table} v SET unused_since = NULL WHERE v.owner_id = %(owner)s AND v.unused_since IS NOT NULL
      AND EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = v.owner_id AND p.hash = v.hash)
"""
MARK_FORGOTTEN = """
    UPDATE {table} v SET unused_since = now() WHERE v.owner_id = %(owner)s AND v.unused_since IS NULL
      AND NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = v.owner_id AND p.hash = v.hash)
"""

COLLECT = "DELETE FROM {table} WHERE owner_id = %(owner)s AND unused_since < now() - %(days)s * interval '1 day'"


def table_of(space: str) -> sql.Composable:
    """The table of a space's vectors; `sentences` is the one of sentence vectors."""
    return sql.Identifier("ai", "sentences" if space == "sentences" else f"vectors_{space}")


def _on(statement: str, space: str) -> sql.Composed:
    return sql.SQL(statement).format(table=table_of(space))


async def sources(tx: Transaction, owner_id: int, ids: Sequence[int]) -> list[Source]:
    rows = await (await tx.execute(SOURCES, {"owner": owner_id, "ids": list(ids)})).fetchall()
    return [Source(**row) for row in rows]


async def current(tx: Transaction, owner_id: int, ids: Sequence[int]) -> dict[int, int]:
    """Locks the documents' passages and gives the documents' present versions."""
    await tx.execute(LOCK, {"owner": owner_id, "ids": sorted(ids)})
    rows = await (await tx.execute(CURRENT, {"owner": owner_id, "ids": list(ids)})).fetchall()
    return {row["id"]: row["version"] for row in rows}


async def replace(tx: Transaction, owner_id: int, documents: Sequence[Source], passages: Sequence[Passage],
                  titles: Sequence[Counter[int]], spaces: Iterable[str]) -> None:  # fmt: skip
    """Put the documents' new passages in the place of the old ones, all in this transaction."""
    ids = [document.document_id for document in documents]
    where = {"owner": owner_id, "documents": ids, "ids": [p.id for p in passages]}
    old = [row["hash"] for row in await (await tx.execute(HASHES_OF, where)).fetchall()]
    await tx.execute(DELETE_GONE, where)
    async with tx.cursor() as cursor:
        await cursor.executemany(UPSERT_PASSAGES, [_row(owner_id, p) for p in passages])
    await tx.execute(
        INSERT_POSTINGS, {"owner": owner_id, **_postings((p.id, p.lang == "zh", p.terms) for p in passages)}
    )
    await tx.execute(DELETE_TITLES, where)
    named = [(d.document_id, d.lang == "zh", t) for d, t in zip(documents, titles, strict=True)]
    await tx.execute(INSERT_TITLES, {"owner": owner_id, **_postings(named)})
    new = list({p.hash for p in passages})
    left = list(set(old) - set(new))
    for space in spaces:
        await tx.execute(_on(MARK_USED, space), {"owner": owner_id, "hashes": new})
        if left:
            await tx.execute(_on(MARK_UNUSED, space), {"owner": owner_id, "hashes": left})
    versions = [document.version for document in documents]
    await tx.execute(MARK_INDEXED, {"owner": owner_id, "ids": ids, "versions": versions})


def _row(owner_id: int, p: Passage) -> dict[str, Any]:
    return {"owner": owner_id, "id": p.id, "document_id": p.document_id, "version": p.version, "ordinal": p.ordinal,
            "start": p.start, "end": p.end, "text": p.text, "lang": p.lang, "headings": list(p.headings), "prefix": p.prefix,
            "hash": p.hash, "length": p.length, "terms": list(p.terms)}  # fmt: skip


def _postings(entries: Iterable[tuple[int, bool, Counter[int]]]) -> dict[str, list[Any]]:
    flat = [(term, key, zh, tf, terms.total()) for key, zh, terms in entries for term, tf in terms.items()]
    columns = list(zip(*flat, strict=True)) or [()] * 5
    return {name: list(column) for name, column in zip(("term", "id", "zh", "tf", "length"), columns, strict=True)}


async def mark_failed(tx: Transaction, owner_id: int, document_id: int, version: int, reason: str) -> None:
    await tx.execute(MARK_FAILED, {"owner": owner_id, "id": document_id, "version": version, "reason": reason})


async def missing(tx: Transaction, owner_id: int, space: str, limit: int) -> list[dict[str, Any]]:
    return await (await tx.execute(_on(MISSING, space), {"owner": owner_id, "limit": limit})).fetchall()


async def known(tx: Transaction, owner_id: int, space: str, hashes: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    rows = await (await tx.execute(_on(KNOWN, space), {"owner": owner_id, "hashes": list(hashes)})).fetchall()
    return {row["hash"] for row in rows}


async def share_texts(tx: Transaction, owner_id: int) -> None:
    """The first statement of a transaction that writes what is made of texts."""
    await tx.execute(SHARE_TEXTS, {"owner": owner_id})


async def insert_vectors(
    tx: Transaction, owner_id: int, space: str, keys: Sequence[tuple[uuid.UUID, bool, int | None]], vectors: Vectors
) -> None:
    """`keys`: of each vector the hash, whether it is Chinese, and the document that is about to use it (None: a passage does)."""
    rows = [
        {"owner": owner_id, "hash": key, "zh": chinese, "document": document, "embedding": halfvec(vector)}
        for (key, chinese, document), vector in zip(keys, vectors, strict=True)
    ]
    await share_texts(tx, owner_id)
    async with tx.cursor() as cursor:
        await cursor.executemany(_on(INSERT_VECTORS, space), rows)


async def insert_sentences(
    tx: Transaction, owner_id: int, rows: Sequence[tuple[uuid.UUID, Sequence[tuple[int, int]], Vectors]]
) -> None:
    values = [
        {"owner": owner_id, "hash": key, "starts": [s for s, _ in spans], "ends": [e for _, e in spans],
         "vectors": vectors.astype("<f2").tobytes()}
        for key, spans, vectors in rows
    ]  # fmt: skip
    await share_texts(tx, owner_id)
    async with tx.cursor() as cursor:
        await cursor.executemany(INSERT_SENTENCES, values)


def halfvec(vector: np.ndarray[Any, Any]) -> Any:
    """The database's type for a vector of 16 bit floats."""
    from pgvector import HalfVector

    return HalfVector(vector)


async def collect(tx: Transaction, owner_id: int, spaces: Iterable[str], days: float) -> int:
    """Set the marks right, then drop what has been unused for so many days. Returns how many rows went."""
    gone = 0
    for space in spaces:
        await tx.execute(_on(MARK_STILL_USED, space), {"owner": owner_id})
        await tx.execute(_on(MARK_FORGOTTEN, space), {"owner": owner_id})
        gone += (await tx.execute(_on(COLLECT, space), {"owner": owner_id, "days": days})).rowcount
    return gone
