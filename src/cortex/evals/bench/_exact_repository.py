"""SQL that ranks every vector of a scope, without any index: what the legs' lists are compared with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import sql

from cortex.evals.bench._filling_repository import Owner

EXACT = """
    SELECT p.id FROM ai.passages p JOIN library.documents d ON d.owner_id = p.owner_id AND d.id = p.document_id
    JOIN {table} v ON v.owner_id = p.owner_id AND v.hash = p.hash
    WHERE p.owner_id = 1 AND p.lang = %(lang)s AND d.trashed_at IS NULL AND (%(topic)s = '' OR d.topic = %(topic)s)
    ORDER BY (v.embedding OPERATOR(public.<#>) %(vector)s::public.halfvec) + 0 LIMIT %(limit)s
"""


async def nearest(
    owner: Owner, space: str, lang: str, vector: NDArray[np.float32], topic: str, limit: int
) -> list[int]:
    """Passages by inner product, best first; an empty topic means all of them."""
    statement = sql.SQL(EXACT).format(table=sql.Identifier("ai", f"vectors_{space}"))
    values = {"lang": lang, "topic": topic, "vector": HalfVector(vector).to_text(), "limit": limit}
    return [row[0] for row in await (await owner.execute(statement, values)).fetchall()]
