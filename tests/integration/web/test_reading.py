"""Search, scopes, documents, sources, status and health over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from tests.integration.web.streams import events

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER, mirrors


@pytest.mark.usefixtures("filled")
async def test_search_shows_the_contract(client: httpx.AsyncClient) -> None:
    found = (await client.get("/api/search", params={"q": "greenhouse pump", "limit": 2, "legs": "all"})).json()
    assert len(found["results"]) == 2
    first = found["results"][0]
    assert first["title"] == "Week 03"
    assert first["kind"] == "weekly"
    assert first["period"] == 20241
    assert first["source"] == "journals"
    assert first["passage"]["text"]
    assert first["legs"]["body"]["rank"] == 1
    assert set(found["legs"]) == {"deep", "fast", "title", "body", "dictionary"}
    assert set(found["legs"]["body"][0]) == {"document_id", "title", "url"}
    assert "legs" not in (await client.get("/api/search", params={"q": "pump"})).json()


@pytest.mark.usefixtures("filled")
async def test_a_passage_stands_where_it_says_in_code_points(client: httpx.AsyncClient) -> None:
    first = (await client.get("/api/search", params={"q": "why thirty days of events, cost"})).json()["results"][0]
    document = (await client.get(f"/api/documents/{first['document_id']}")).json()
    passage = first["passage"]
    assert "🐈" in document["text"]
    assert document["text"][passage["start"] : passage["end"]] == passage["text"]
    assert [heading["text"] for heading in document["outline"]] == ["Kafka decisions", "Why"]
    assert "<script" not in document["html"]
    assert document["editable"] is False


@pytest.mark.usefixtures("filled")
async def test_backlinks_and_scopes(client: httpx.AsyncClient) -> None:
    week = (await client.get("/api/search", params={"q": "pump", "scope": "weekly"})).json()["results"]
    assert len(week) == 1
    document = (await client.get(f"/api/documents/{week[0]['document_id']}")).json()
    assert [link["title"] for link in document["backlinks"]] == ["Kafka decisions"]
    offered = (await client.get("/api/scopes")).json()
    assert offered["periods"] == [20241]
    assert offered["topics"] == ["Kafka"]
    assert offered["sources"] == ["journals"]
    assert offered["tags"] == ["pets"]
    assert offered["weekly"] == 1


@pytest.mark.usefixtures("filled")
async def test_a_source_that_is_not_there_is_named_with_those_that_are(client: httpx.AsyncClient) -> None:
    refused = await client.get("/api/search", params={"q": "pump", "scope": "source:jurnals"})
    assert refused.status_code == 422
    assert refused.json()["field"] == "scope"
    assert "'jurnals'" in refused.json()["detail"]
    assert "there are: journals" in refused.json()["detail"]
    found = (await client.get("/api/search", params={"q": "pump", "scope": "source:Journals"})).json()
    assert len(found["results"]) == 3


async def test_a_source_that_is_listed_and_empty_is_there(client: httpx.AsyncClient, cortex: Cortex) -> None:
    none = await client.get("/api/search", params={"q": "pump", "scope": "source:journals"})
    assert "cortex sync" in none.json()["detail"]
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await mirrors.reconcile(tx, LOCAL_OWNER, [("journals", "local")])
    found = await client.get("/api/search", params={"q": "pump", "scope": "source:journals"})
    assert (found.status_code, found.json()["results"]) == (200, [])


@pytest.mark.parametrize("params", [{"q": ""}, {"q": "x", "limit": 0}, {"q": "x", "scope": "colour:red"}, {}])
async def test_a_wrong_search_names_the_field(client: httpx.AsyncClient, params: dict[str, str | int]) -> None:
    response = await client.get("/api/search", params=params)
    assert response.status_code == 422
    assert response.json()["field"] in ("q", "limit", "scope")


@pytest.mark.parametrize("number", ["0", "-1", "x", str(2**63)])
async def test_a_document_has_a_number(client: httpx.AsyncClient, number: str) -> None:
    assert (await client.get(f"/api/documents/{number}")).status_code == 422


async def test_w4_sources_say_how_old_they_are(client: httpx.AsyncClient, filled: Cortex, vault: Path) -> None:
    (vault / "new.md").write_text("# New\n\nSomething new.\n", encoding="utf-8")
    shown = {source["name"]: source for source in (await client.get("/api/sources")).json()["sources"]}
    assert shown["journals"]["newer"] == 1
    assert shown["journals"]["synced_at"]
    assert shown["journals"]["open"] is True
    assert (shown["journals"]["syncable"], shown["notes"]["syncable"]) == (True, False)
    assert shown["journals"]["report"]["added"] == 3


async def test_a_sync_is_started_followed_and_found_again(client: httpx.AsyncClient) -> None:
    started = await client.post("/api/sources/journals/sync")
    assert started.status_code == 202
    told = events((await client.get("/api/sources/journals/sync")).text)
    assert told[-1].event == "done"
    assert told[-1].data["added"] == 3
    again = events((await client.get("/api/sources/journals/sync", headers={"Last-Event-ID": "99"})).text)
    assert again == told[-1:]
    assert (await client.delete("/api/sources/journals/sync")).json() == {"name": "journals", "syncing": False}


async def test_a_sync_of_what_is_not_listed_is_not_found(client: httpx.AsyncClient) -> None:
    assert (await client.post("/api/sources/elsewhere/sync")).status_code == 404
    assert (await client.get("/api/sources/journals/sync")).status_code == 404


async def test_y4_a_source_off_the_list_leaves_answers_and_can_be_removed(
    client: httpx.AsyncClient, filled: Cortex, owner: object
) -> None:
    assert (await client.delete("/api/sources/journals")).status_code == 409
    from cortex.library import LOCAL_OWNER, mirrors

    async with filled.database.transaction("app", LOCAL_OWNER) as tx:
        await mirrors.reconcile(tx, LOCAL_OWNER, [])
    assert (await client.get("/api/search", params={"q": "pump"})).json()["results"] == []
    object.__setattr__(filled.settings, "sources", ())
    shown = {source["name"]: source for source in (await client.get("/api/sources")).json()["sources"]}
    assert (shown["journals"]["listed"], shown["journals"]["syncable"]) == (False, False)
    assert shown["journals"]["removable"] is True
    assert (await client.delete("/api/sources/journals")).json() == {"deleted": 3}
    assert "journals" not in {source["name"] for source in (await client.get("/api/sources")).json()["sources"]}
    assert (await client.delete("/api/sources/nowhere")).status_code == 404


@pytest.mark.usefixtures("filled")
async def test_h6_the_status_shows_the_fill_and_the_pause(client: httpx.AsyncClient) -> None:
    status = (await client.get("/api/status")).json()
    assert status["documents"] == 3
    assert {space["name"] for space in status["spaces"]} == {"fast", "deep"}
    assert all(space["filled"] == space["total"] > 0 and space["eta_s"] == 0 for space in status["spaces"])
    assert set(status["queue"]) == {"pending", "running", "failed", "oldest_s", "per_minute", "eta_s", "failures"}
    assert status["queue"]["eta_s"] == 0
    assert status["queue"]["failures"] == status["failures"] == []
    assert {"alive", "heartbeat_s"} == set(status["worker"])
    assert (await client.post("/api/indexing", json={"paused": True})).json() == {"paused": True}
    assert (await client.get("/api/status")).json()["paused"] is True


async def test_health_tells_what_is_missing(client: httpx.AsyncClient) -> None:
    assert (await client.get("/health/live")).json() == {"status": "ok"}
    ready = await client.get("/health/ready")
    checks = ready.json()["checks"]
    assert checks["database"]["ok"] is True
    assert checks["migrations"]["ok"] is True
    assert checks["worker"]["ok"] is False
    assert ready.status_code == 503


async def test_health_is_ready_with_a_worker(client: httpx.AsyncClient, cortex: Cortex) -> None:
    stop = asyncio.Event()
    working = asyncio.create_task(cortex.work(stop))
    try:
        async with asyncio.timeout(20):
            while (await client.get("/health/ready")).status_code != 200:
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await working


async def test_there_is_no_page_that_loads_scripts_from_elsewhere(client: httpx.AsyncClient) -> None:
    assert (await client.get("/docs")).status_code == 404
    assert (await client.get("/redoc")).status_code == 404
    assert (await client.get("/api/openapi.json")).json()["info"]["title"] == "Cortex"
