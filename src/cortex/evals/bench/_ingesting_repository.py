"""SQL of what a library has embedded: the texts that the bare embedders are given in their turn."""

from __future__ import annotations

from typing import Any

from cortex.storage import Transaction

# Each text once, with where its sentences stand.
EMBEDDED = """
    SELECT DISTINCT ON (p.hash) p.prefix, p.text, s.starts, s.ends
    FROM ai.passages p JOIN ai.sentences s ON s.owner_id = p.owner_id AND s.hash = p.hash
    JOIN ai.vectors_deep d ON d.owner_id = p.owner_id AND d.hash = p.hash
    WHERE p.owner_id = %(owner)s ORDER BY p.hash
"""


async def embedded(tx: Transaction, owner_id: int) -> list[dict[str, Any]]:
    return await (await tx.execute(EMBEDDED, {"owner": owner_id})).fetchall()
