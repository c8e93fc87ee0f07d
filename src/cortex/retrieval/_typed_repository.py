"""SQL of finding notes while somebody types."""

from __future__ import annotations

from collections.abc import Sequence

from cortex.storage import Transaction

_NEWEST = 300
"""Notes whose text is looked through as it stands: those that changed last, some of which no index holds yet."""

# Notes that hold all of some terms, in their title or in any of their passages.
_HOLDING = """
    SELECT held.document_id FROM (
        SELECT t.document_id, t.term FROM ai.title_postings t WHERE t.owner_id = %(owner)s AND t.term = ANY (%({terms})s::bigint[])
        UNION
        SELECT p.document_id, w.term FROM ai.postings w JOIN ai.passages p ON p.owner_id = w.owner_id AND p.id = w.passage_id
        WHERE w.owner_id = %(owner)s AND w.term = ANY (%({terms})s::bigint[])
    ) AS held GROUP BY held.document_id HAVING count(DISTINCT held.term) = cardinality(%({terms})s::bigint[])
"""

MATCHING = f"""
    WITH newest AS MATERIALIZED (
        SELECT d.id FROM library.documents d WHERE d.owner_id = %(owner)s AND d.source = 'notes' AND d.trashed_at IS NULL
        ORDER BY d.updated_at DESC, d.id DESC LIMIT {_NEWEST}
    )
    SELECT d.id FROM library.documents d WHERE d.owner_id = %(owner)s AND d.source = 'notes' AND (
        d.title ILIKE %(pattern)s
        OR d.id IN ({_HOLDING.format(terms="terms")})
        OR (d.id IN (SELECT id FROM newest) AND d.text ILIKE %(pattern)s)
        OR (d.id IN ({_HOLDING.format(terms="before")}) AND (d.title ILIKE %(last)s OR d.text ILIKE %(last)s)))
"""


async def matching(
    tx: Transaction, owner_id: int, *, terms: Sequence[int], pattern: str, before: Sequence[int], last: str
) -> list[int]:
    given = {"owner": owner_id, "terms": list(terms), "pattern": pattern, "before": list(before), "last": last}
    return [row["id"] for row in await (await tx.execute(MATCHING, given)).fetchall()]
