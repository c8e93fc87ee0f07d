"""The asker's zone and the time of a question over HTTP: POST /api/ask infers, GET /api/search does not."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import httpx
import pytest
from tests.integration.web.streams import events

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER, mirrors

ZONE = "Pacific/Auckland"


@pytest.fixture
async def written_today(cortex: Cortex) -> dt.date:
    """One note of the present day in a zone far ahead."""
    day = dt.datetime.now(ZoneInfo(ZONE)).date()
    note = mirrors.Incoming(
        external_id="today.md", title="today", text="The pump arrived.", lang="en", url="file:///today.md", content_hash=b"0" * 32,
        size=1, mtime_ns=0, date=day, period=day.year * 10 + (day.month + 2) // 3,
    )  # fmt: skip
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await mirrors.reconcile(tx, LOCAL_OWNER, [("journals", "local")])
        await mirrors.upsert(tx, LOCAL_OWNER, "journals", [note])
    await cortex.drain()
    return day


async def test_today_is_the_askers_and_can_be_left_unread(client: httpx.AsyncClient, written_today: dt.date) -> None:
    body = {"question": "What did I write today?", "tz": ZONE}
    sources = events((await client.post("/api/ask", json=body)).text)[0].data
    assert sources["scope"] == f"date:{written_today}..{written_today}"
    assert [term["inferred"] for term in sources["scope_terms"]] == [True]
    sources = events((await client.post("/api/ask", json={**body, "times": "off"})).text)[0].data
    assert (sources["scope"], sources["scope_terms"]) == ("", [])


async def test_an_unknown_zone_is_named_as_the_fault(client: httpx.AsyncClient) -> None:
    response = await client.post("/api/ask", json={"question": "What did I write today?", "tz": "Mars/Olympus"})
    assert response.status_code == 422
    assert "Mars/Olympus" in response.json()["detail"]


async def test_a_search_takes_the_words_as_they_are(client: httpx.AsyncClient, written_today: dt.date) -> None:
    found = (await client.get("/api/search", params={"q": "What did I write today?"})).json()
    assert found["scope"] == ""
