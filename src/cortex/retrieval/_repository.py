"""SQL of the legs and of the candidates' details. Runs as the AI role; changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pgvector import HalfVector
from psycopg import sql

from cortex.providers.embedders import Vector, Vectors
from cortex.retrieval import _columns
from cortex.retrieval._scope_repository import Where, fill
from cortex.storage import Transaction

# Sizes that BM25 and the standardisation need, per language.
SIZES = """
    SELECT p.lang, count(*) AS passages, avg(p.length)::float AS length FROM ai.passages p WHERE p.owner_id = %(owner)s GROUP BY p.lang
"""

TITLE_SIZES = """
    SELECT zh, count(DISTINCT document_id) AS documents, sum(tf)::float / greatest(count(DISTINCT document_id), 1) AS length
    FROM ai.title_postings WHERE owner_id = %(owner)s GROUP BY zh
"""

# Vector leg by the HNSW index of one language.
NEAREST = """
    SELECT p.id AS passage_id, p.document_id, near.score
    FROM (SELECT v.hash, -(v.embedding OPERATOR(public.<#>) %(vector)s) AS score FROM {table} v
          WHERE v.owner_id = %(owner)s AND {language} ORDER BY v.embedding OPERATOR(public.<#>) %(vector)s LIMIT %(limit)s) AS near
    JOIN ai.passages p ON p.owner_id = %(owner)s AND p.hash = near.hash
    ORDER BY near.score DESC
"""

# The same under a wide scope: more are taken from the index than are wanted, and those that are inside are kept.
NEAREST_SCOPED = """
    SELECT p.id AS passage_id, p.document_id, near.score
    FROM (SELECT v.hash, -(v.embedding OPERATOR(public.<#>) %(vector)s) AS score FROM {table} v
          WHERE v.owner_id = %(owner)s AND {language} ORDER BY v.embedding OPERATOR(public.<#>) %(vector)s LIMIT %(taken)s) AS near
    JOIN ai.passages p ON p.owner_id = %(owner)s AND p.hash = near.hash
    WHERE p.document_id IN (SELECT d.id FROM library.documents d WHERE {where})
    ORDER BY near.score DESC LIMIT %(limit)s
"""

# The same exactly: all vectors of a small library or a narrow scope.
NEAREST_EXACT = """
    WITH inside AS MATERIALIZED (
        SELECT p.id, p.document_id, p.hash FROM ai.passages p
        WHERE p.owner_id = %(owner)s AND p.lang = %(lang)s AND p.document_id IN (SELECT d.id FROM library.documents d WHERE {where})
    )
    SELECT i.id AS passage_id, i.document_id, -(v.embedding OPERATOR(public.<#>) %(vector)s) AS score
    FROM inside i JOIN {table} v ON v.owner_id = %(owner)s AND v.hash = i.hash
    ORDER BY score DESC LIMIT %(limit)s
"""

# What re-scoring needs of each candidate. Vectors stay where they are: their products are hundreds of times smaller. `terms` comes
# as bytes, which become one array for all rows (`_columns`).
CANDIDATES = """
    SELECT p.id, p.document_id, p.lang, p.ordinal, array_send(p.terms) AS terms,
           -(f.embedding OPERATOR(public.<#>) %(fast)s) AS fast, -(e.embedding OPERATOR(public.<#>) %(deep)s) AS deep,
           e.embedding OPERATOR(public.<->) CASE p.lang WHEN 'zh' THEN %(mean_zh)s ELSE %(mean_en)s END AS deep_length
    FROM ai.passages p
    LEFT JOIN ai.vectors_fast f ON f.owner_id = p.owner_id AND f.hash = p.hash
    LEFT JOIN ai.vectors_deep e ON e.owner_id = p.owner_id AND e.hash = p.hash
    WHERE p.owner_id = %(owner)s AND p.id = ANY (%(ids)s)
"""

SENTENCE_VECTORS = """
    SELECT p.id, s.vectors FROM ai.passages p JOIN ai.sentences s ON s.owner_id = p.owner_id AND s.hash = p.hash
    WHERE p.owner_id = %(owner)s AND p.id = ANY (%(ids)s)
"""

PASSAGE_TEXTS = """
    SELECT p.id, p.text FROM ai.passages p WHERE p.owner_id = %(owner)s AND p.id = ANY (%(ids)s)
"""

# Of the first `pool` passages of each document the `each` that mean the most.
PASSAGES_OF = """
    SELECT t.id FROM unnest(%(documents)s::bigint[]) AS wanted (document_id)
    CROSS JOIN LATERAL (
        SELECT pool.id FROM (SELECT p.id, p.hash, p.ordinal FROM ai.passages p
                             WHERE p.owner_id = %(owner)s AND p.document_id = wanted.document_id
                             ORDER BY p.ordinal LIMIT %(pool)s) AS pool
        LEFT JOIN ai.vectors_deep e ON e.owner_id = %(owner)s AND e.hash = pool.hash
        ORDER BY e.embedding OPERATOR(public.<#>) %(deep)s NULLS LAST, pool.ordinal LIMIT %(each)s) AS t
"""

# Before a passage is shown its text is checked against the document as it is: where the document has changed since it was cut,
# the passage is looked for in the present text, and dropped (found = 0) if it is not there any more.
DETAILS = """
    SELECT p.id AS passage_id, p.document_id, d.version, d.title, d.url, d.open_url, d.source, d.external_id, d.kind, p.lang, d.date,
           d.period, d.topic, d.origin, p.text, p.headings, p.prefix, p.hash, p.end_at - p.start_at AS chars,
           CASE WHEN p.version = d.version THEN p.start_at + 1 ELSE strpos(d.text, p.text) END AS found
    FROM ai.passages p JOIN library.documents d ON d.owner_id = p.owner_id AND d.id = p.document_id
    WHERE p.owner_id = %(owner)s AND p.id = ANY (%(ids)s) AND {where}
"""

LEG_DOCUMENTS = (
    "SELECT id AS document_id, title, url FROM library.documents WHERE owner_id = %(owner)s AND id = ANY (%(ids)s)"
)

TITLE_TERMS = """
    SELECT document_id, array_send(array_agg(term)) AS terms FROM ai.title_postings
    WHERE owner_id = %(owner)s AND document_id = ANY (%(ids)s) GROUP BY document_id
"""

# The first hashes: a fair sample, and the same one as long as the library stays.
SAMPLE = """
    SELECT public.halfvec_send(embedding) AS embedding FROM {table} WHERE owner_id = %(owner)s AND {language}
    ORDER BY hash LIMIT %(limit)s
"""

SPACES = "SELECT name, dims FROM ai.spaces WHERE owner_id = %(owner)s"

SENTENCES_OF = (
    "SELECT hash, starts, ends, vectors FROM ai.sentences WHERE owner_id = %(owner)s AND hash = ANY (%(hashes)s)"
)

_TAKEN = (400, 1_000)
"""Passages taken from the index of which those inside a wide scope are kept; where that is not enough, all of it are compared."""

_EF = "SELECT set_config('hnsw.ef_search', %(ef)s, true)"


async def sizes(tx: Transaction, owner_id: int) -> list[dict[str, Any]]:
    return await (await tx.execute(SIZES, {"owner": owner_id})).fetchall()


async def title_sizes(tx: Transaction, owner_id: int) -> list[dict[str, Any]]:
    return await (await tx.execute(TITLE_SIZES, {"owner": owner_id})).fetchall()


async def nearest(
    tx: Transaction, inside: Where, space: str, lang: str, vector: Vector, limit: int, *, exact: bool
) -> list[dict[str, Any]]:
    """The passages of one language whose vectors have the largest inner product with `vector`, best first."""
    table = sql.Identifier("ai", f"vectors_{space}")
    language = sql.SQL("v.zh" if lang == "zh" else "NOT v.zh")
    values = {**inside.values, "vector": halfvec(vector), "limit": limit, "lang": lang}
    if inside.everything and not exact:
        found = await _nearest_of_all(tx, inside, sql.SQL(NEAREST).format(table=table, language=language), values)
        if found is not None:
            return found
    for taken in () if exact else _TAKEN:
        await tx.execute(_EF, {"ef": str(taken)})
        statement = fill(NEAREST_SCOPED, inside, table=table, language=language)
        found = await (await tx.execute(statement, {**values, "taken": taken})).fetchall()
        if len(found) == limit:
            return found
    return await (await tx.execute(fill(NEAREST_EXACT, inside, table=table, language=language), values)).fetchall()


async def _nearest_of_all(
    tx: Transaction, inside: Where, statement: sql.Composed, values: dict[str, Any]
) -> list[dict[str, Any]] | None:
    """The same where but a few documents are in the scope; None where those are in the way."""
    limit = values["limit"]
    wanted = limit + min(inside.hidden_passages, limit)
    await tx.execute(_EF, {"ef": str(2 * limit)})
    found = await (await tx.execute(statement, {**values, "limit": wanted})).fetchall()
    shown = [row for row in found if row["document_id"] not in inside.hidden]
    if len(shown) < limit and len(found) >= wanted:
        return None
    return shown[:limit] if inside.hidden else shown


async def candidates(
    tx: Transaction, owner_id: int, ids: Sequence[int], vectors: Mapping[str, Vector]
) -> list[dict[str, Any]]:
    """The passages' rows; `vectors` holds the question's `fast` and `deep`, and `mean_en` and `mean_zh` of the deep space."""
    values = {"owner": owner_id, "ids": list(ids), **{name: halfvec(vector) for name, vector in vectors.items()}}
    return await (await tx.execute(CANDIDATES, values, binary=True)).fetchall()


async def passage_texts(tx: Transaction, owner_id: int, ids: Sequence[int]) -> dict[int, str]:
    rows = await (await tx.execute(PASSAGE_TEXTS, {"owner": owner_id, "ids": list(ids)})).fetchall()
    return {row["id"]: row["text"] for row in rows}


async def passages_of(
    tx: Transaction, owner_id: int, documents: Sequence[int], deep: Vector, *, pool: int, each: int
) -> list[int]:
    """Of the documents' first `pool` passages the `each` nearest to the question."""
    values = {"owner": owner_id, "documents": list(documents), "deep": halfvec(deep), "pool": pool, "each": each}
    return [row["id"] for row in await (await tx.execute(PASSAGES_OF, values)).fetchall()]


async def details(tx: Transaction, inside: Where, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    rows = await (await tx.execute(fill(DETAILS, inside), {**inside.values, "ids": list(ids)})).fetchall()
    return {row["passage_id"]: row for row in rows if row["found"]}


async def leg_documents(tx: Transaction, owner_id: int, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    rows = await (await tx.execute(LEG_DOCUMENTS, {"owner": owner_id, "ids": list(ids)})).fetchall()
    return {row["document_id"]: row for row in rows}


async def title_terms(tx: Transaction, owner_id: int, ids: Sequence[int]) -> dict[int, bytes]:
    """By document: the terms of its title, as an array's bytes."""
    rows = await (await tx.execute(TITLE_TERMS, {"owner": owner_id, "ids": list(ids)}, binary=True)).fetchall()
    return {row["document_id"]: row["terms"] for row in rows}


async def sentence_vectors(tx: Transaction, owner_id: int, ids: Sequence[int]) -> dict[int, bytes]:
    """By passage: the matrix of its sentences' vectors, where they are embedded."""
    rows = await (await tx.execute(SENTENCE_VECTORS, {"owner": owner_id, "ids": list(ids)}, binary=True)).fetchall()
    return {row["id"]: row["vectors"] for row in rows}


async def sample(tx: Transaction, owner_id: int, space: str, zh: bool, limit: int) -> Vectors | None:
    """Raw vectors of one language, shape (at most limit, dims); None where there are none."""
    statement = sql.SQL(SAMPLE).format(
        table=sql.Identifier("ai", f"vectors_{space}"), language=sql.SQL("zh" if zh else "NOT zh")
    )
    rows = await (await tx.execute(statement, {"owner": owner_id, "limit": limit}, binary=True)).fetchall()
    return _columns.vectors([row["embedding"] for row in rows]) if rows else None


def halfvec(vector: Vector) -> HalfVector:
    """A parameter."""
    return HalfVector(np.asarray(vector, np.float32))


async def spaces(tx: Transaction, owner_id: int) -> list[tuple[str, int]]:
    rows = await (await tx.execute(SPACES, {"owner": owner_id})).fetchall()
    return [(row["name"], row["dims"]) for row in rows]


async def sentences_of(tx: Transaction, owner_id: int, hashes: Sequence[Any]) -> dict[Any, dict[str, Any]]:
    rows = await (await tx.execute(SENTENCES_OF, {"owner": owner_id, "hashes": list(hashes)})).fetchall()
    return {row["hash"]: row for row in rows}
