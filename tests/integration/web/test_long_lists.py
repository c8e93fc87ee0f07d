"""Pitfall 50: lists come in pages, whatever a library holds."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER
from cortex.sources.report import LISTED
from cortex.sources.sync import sync

CONVERSATIONS = 130


async def test_pitfall_50_conversations_come_in_pages_without_a_gap(client: httpx.AsyncClient, cortex: Cortex) -> None:
    # Many have the same moment: a page must not end between them and lose some.
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await tx.execute(
            "INSERT INTO ai.conversations (owner_id, title, updated_at)"
            " SELECT %s, 'talk ' || n, now() - (n / 40) * interval '1 hour' FROM generate_series(1, %s) AS n",
            [LOCAL_OWNER, CONVERSATIONS],
        )
    seen: list[int] = []
    while True:
        params = {"limit": 50, **({"before": seen[-1]} if seen else {})}
        page = (await client.get("/api/conversations", params=params)).json()["conversations"]
        assert len(page) <= 50
        if not page:
            break
        seen += [row["conversation_id"] for row in page]
    assert len(seen) == len(set(seen)) == CONVERSATIONS


@pytest.mark.parametrize("path", ["/api/conversations", "/api/search?q=pump", "/api/documents?q=w"])
async def test_pitfall_50_no_page_is_longer_than_a_hundred(client: httpx.AsyncClient, path: str) -> None:
    joined = f"{path}{'&' if '?' in path else '?'}limit="
    assert (await client.get(joined + "100")).status_code == 200
    assert (await client.get(joined + "101")).status_code == 422


async def test_pitfall_50_a_source_tells_the_first_files_that_it_left_out_and_how_many(
    client: httpx.AsyncClient, cortex: Cortex, vault: Path
) -> None:
    for n in range(LISTED + 25):
        (vault / f"pointer-{n}.gdoc").write_text("{}", encoding="utf-8")
    (report,) = await sync(cortex.database, LOCAL_OWNER, cortex.settings)
    assert len(report.skipped) == LISTED + 25
    kept = (await client.get("/api/sources")).json()["sources"][0]["report"]
    assert (len(kept["skipped"]), kept["skipped_total"], kept["failed_total"]) == (LISTED, LISTED + 25, 0)
    assert kept["found"] == report.found
