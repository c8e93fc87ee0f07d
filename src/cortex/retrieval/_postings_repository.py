"""SQL of the keyword legs: postings, how frequent words are, and what of that is in the scope. Runs as the AI role; changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import sql

from cortex.retrieval import _columns
from cortex.retrieval._bm25 import Postings
from cortex.retrieval._scope_repository import Where, fill
from cortex.storage import Transaction

# The postings of each term in one language, as two arrays' bytes: what holds it, and how often and among how many terms (one number,
# of which two halves are made in `postings`). Rows would cost more than all that is done with them.
_HELD = "array_send(array_agg(p.{key})) AS keys, array_send(array_agg((least(p.tf, 32767) << 16) | least(p.length, 65535))) AS stats"
POSTINGS = (
    """
    SELECT w.term, held.keys, held.stats FROM unnest(%(terms)s::bigint[]) AS w (term) CROSS JOIN LATERAL (
        SELECT """
    + _HELD
    + """ FROM {table} p WHERE p.owner_id = %(owner)s AND p.term = w.term AND p.zh = %(zh)s {narrow}
    ) AS held WHERE held.keys IS NOT NULL
"""
)

# The same of some passages (or titles) only: each is looked up, where a join might read a frequent term's whole list.
POSTINGS_OF = (
    """
    SELECT w.term, held.keys, held.stats FROM unnest(%(terms)s::bigint[]) AS w (term) CROSS JOIN LATERAL (
        SELECT """
    + _HELD
    + """ FROM unnest(%(keys)s::bigint[]) AS c (key) CROSS JOIN LATERAL (
            SELECT {key}, tf, length FROM {table} WHERE owner_id = %(owner)s AND term = w.term AND {key} = c.key OFFSET 0
        ) AS p
    ) AS held WHERE held.keys IS NOT NULL
"""
)

# Which of some passages are in the scope, and of which document each is.
PASSAGES_IN = (
    "SELECT p.id, p.document_id FROM ai.passages p WHERE p.owner_id = %(owner)s AND p.id = ANY (%(ids)s) {wide}"
)

DOCUMENTS_IN = "SELECT d.id FROM library.documents d WHERE d.id = ANY (%(ids)s) AND {where}"

# How many passages of a language (or titles) hold each term, counted up to `most`.
FREQUENCIES = """
    SELECT w.term, (SELECT count(*) FROM (SELECT FROM {table} p WHERE p.owner_id = %(owner)s AND p.term = w.term AND p.zh = %(zh)s
                                          LIMIT %(most)s) AS held) AS count
    FROM unnest(%(terms)s::bigint[]) AS w (term)
"""

# Terms that at least a hundredth of a sample holds, with that share. Hashes are spread evenly: the first ones are a fair sample.
FREQUENT_TERMS = """
    WITH sample AS MATERIALIZED (
        SELECT terms FROM ai.passages WHERE owner_id = %(owner)s AND lang = %(lang)s ORDER BY hash LIMIT %(passages)s
    ), size AS (SELECT count(*) AS passages FROM sample)
    SELECT t.term, count(*)::float / size.passages AS share FROM size, sample, unnest(sample.terms) AS t (term)
    GROUP BY t.term, size.passages HAVING count(*) >= .01 * size.passages
"""

_BODIES = {"key": sql.Identifier("passage_id"), "table": sql.Identifier("ai", "postings")}
_TITLES = {"key": sql.Identifier("document_id"), "table": sql.Identifier("ai", "title_postings")}

_NARROW = """AND p.passage_id IN (SELECT s.id FROM ai.passages s WHERE s.owner_id = %(owner)s
    AND s.document_id IN (SELECT d.id FROM library.documents d WHERE {where}))"""
_WIDE = "AND p.document_id IN (SELECT d.id FROM library.documents d WHERE {where})"


async def postings(
    tx: Transaction, inside: Where, terms: Sequence[int], zh: bool, *, titles: bool = False, narrow: bool = False
) -> dict[int, Postings]:
    """What passages (or titles) of one language hold each term; terms that none holds are left out.

    Args:
        narrow: the scope holds so few passages that they are looked up first.
    """
    early = sql.SQL(_NARROW).format(where=inside.clause) if narrow else sql.SQL("")
    statement = fill(POSTINGS, inside, narrow=early, **(_TITLES if titles else _BODIES))
    return await _postings(tx, statement, {**inside.values, "terms": list(terms), "zh": zh})


async def postings_of(tx: Transaction, owner_id: int, terms: Sequence[int], keys: Sequence[int]) -> dict[int, Postings]:
    """Which of the passages `keys` hold each term."""
    statement = sql.SQL(POSTINGS_OF).format(**_BODIES)
    return await _postings(tx, statement, {"owner": owner_id, "terms": list(terms), "keys": list(keys)})


async def _postings(tx: Transaction, statement: sql.Composed, values: Mapping[str, Any]) -> dict[int, Postings]:
    found: dict[int, Postings] = {}
    for row in await (await tx.execute(statement, values, binary=True)).fetchall():
        stats = _columns.numbers(row["stats"], small=True)
        found[row["term"]] = Postings(_columns.numbers(row["keys"]), stats >> 16, stats & 0xFFFF)
    return found


async def passages_in(tx: Transaction, inside: Where, ids: Sequence[int]) -> dict[int, int]:
    """The document of each of the passages that is in the scope."""
    wide = sql.SQL("" if inside.everything else _WIDE).format(where=inside.clause)
    rows = await (
        await tx.execute(fill(PASSAGES_IN, inside, wide=wide), {**inside.values, "ids": list(ids)})
    ).fetchall()
    return {row["id"]: row["document_id"] for row in rows if row["document_id"] not in inside.hidden}


async def documents_in(tx: Transaction, inside: Where, ids: Sequence[int]) -> set[int]:
    """Which of the documents are in the scope."""
    rows = await (await tx.execute(fill(DOCUMENTS_IN, inside), {**inside.values, "ids": list(ids)})).fetchall()
    return {row["id"] for row in rows}


async def frequencies(
    tx: Transaction, owner_id: int, terms: Sequence[int], zh: bool, *, titles: bool = False, most: int | None = None
) -> dict[int, int]:
    """How many passages of a language, or how many documents by their titles, hold each term; `most` if there are more."""
    statement = sql.SQL(FREQUENCIES).format(table=(_TITLES if titles else _BODIES)["table"])
    values = {"owner": owner_id, "terms": list(terms), "zh": zh, "most": most}
    return {row["term"]: row["count"] for row in await (await tx.execute(statement, values)).fetchall()}


async def frequent_terms(tx: Transaction, owner_id: int, lang: str, passages: int) -> dict[int, float]:
    """The share of a language's passages that hold a term, by a sample of so many; of those in at least a hundredth of it."""
    values = {"owner": owner_id, "lang": lang, "passages": passages}
    return {row["term"]: row["share"] for row in await (await tx.execute(FREQUENT_TERMS, values)).fetchall()}
