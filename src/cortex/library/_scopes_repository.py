"""SQL of what scopes can be chosen."""

from __future__ import annotations

from typing import Any

from cortex.library._documents_repository import VISIBLE
from cortex.storage import Transaction

OFFERED = f"""
    WITH seen AS MATERIALIZED (
        SELECT d.id, d.kind, d.period, d.topic, d.source FROM library.documents d
        WHERE d.owner_id = %(owner)s AND {VISIBLE}
    ), offered AS (
        SELECT 'all' AS kind, '' AS name, count(*) AS count FROM seen
        UNION ALL SELECT 'weekly', '', count(*) FROM seen WHERE kind = 'weekly'
        UNION ALL SELECT 'period', period::text, count(*) FROM seen WHERE kind = 'weekly' AND period IS NOT NULL GROUP BY period
        UNION ALL SELECT 'topic', topic, count(*) FROM seen WHERE topic IS NOT NULL GROUP BY topic
        UNION ALL SELECT 'source', source, count(*) FROM seen GROUP BY source
        UNION ALL SELECT 'tag', t.tag, count(*) FROM seen JOIN library.tags t ON t.owner_id = %(owner)s AND t.document_id = seen.id
                  GROUP BY t.tag
    ), ranked AS (
        SELECT *, row_number() OVER (PARTITION BY kind ORDER BY count DESC, name) AS place FROM offered
        WHERE kind IN ('all', 'weekly') OR strpos(lower(name), lower(%(query)s)) > 0
    )
    SELECT kind, name, count FROM ranked WHERE place <= %(limit)s ORDER BY kind, place
"""

# Cortex's own notes are a source from the start; it is worth naming once there are some.
SOURCES = """
    SELECT s.name, s.type <> 'notes' OR EXISTS (
               SELECT FROM library.documents d WHERE d.owner_id = s.owner_id AND d.source = s.name) AS told
    FROM library.sources s WHERE s.owner_id = %(owner)s AND s.listed ORDER BY s.name
"""


async def offered(tx: Transaction, owner_id: int, query: str, limit: int) -> list[dict[str, Any]]:
    return await (await tx.execute(OFFERED, {"owner": owner_id, "query": query, "limit": limit})).fetchall()


async def sources(tx: Transaction, owner_id: int) -> list[dict[str, Any]]:
    return await (await tx.execute(SOURCES, {"owner": owner_id})).fetchall()
