"""What no passage uses any more goes after a while; what one uses stays, whatever two racing workers wrote about it."""

from __future__ import annotations

from tests.integration.conftest import Put

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER


async def _set(cortex: Cortex, unused_since: str) -> None:
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await tx.execute(f"UPDATE ai.vectors_fast SET unused_since = {unused_since}".encode())


async def _marks(cortex: Cortex) -> list[bool]:
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        found = await tx.execute("SELECT unused_since IS NOT NULL AS unused FROM ai.vectors_fast")
        return [row["unused"] for row in await found.fetchall()]


async def _delete_everything(cortex: Cortex) -> None:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await tx.execute("DELETE FROM library.documents")


async def test_a_used_vector_that_was_marked_unused_stays(cortex: Cortex, put: Put) -> None:
    await put("a.md", "The heron stood in the shallow water by the mill.")
    await cortex.drain()
    await _set(cortex, "now() - interval '30 days'")
    await cortex.indexer.collect_unused(LOCAL_OWNER)
    assert await _marks(cortex) == [False]


async def test_a_vector_of_nobody_goes_a_week_after_it_was_found_out(cortex: Cortex, put: Put) -> None:
    await put("a.md", "The heron stood in the shallow water by the mill.")
    await cortex.drain()
    await _delete_everything(cortex)
    await _set(cortex, "NULL")
    await cortex.indexer.collect_unused(LOCAL_OWNER)
    assert await _marks(cortex) == [True]
    await _set(cortex, "now() - interval '8 days'")
    await cortex.indexer.collect_unused(LOCAL_OWNER)
    assert await _marks(cortex) == []
