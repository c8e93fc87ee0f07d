"""Notes over HTTP: written, found, saved, thrown away."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from cortex.bootstrap import Cortex

API = "/api/notes"


async def create(client: httpx.AsyncClient, title: str = "", body: str = "", **more: Any) -> dict[str, Any]:
    made = await client.post(API, json={"title": title, "body": body, **more})
    assert made.status_code == 201, made.text
    note: dict[str, Any] = made.json()
    return note


async def found(client: httpx.AsyncClient, words: str) -> list[int]:
    results = (await client.get("/api/search", params={"q": words})).json()["results"]
    return [result["document_id"] for result in results]


async def test_a_note_is_saved_at_once_and_found_when_the_worker_was_there(
    client: httpx.AsyncClient, cortex: Cortex
) -> None:
    note = await create(client, "Turnips", "The turnips froze in the night. 萝卜冻坏了。")
    assert note["version"] == 1
    assert note["index"] == {"state": "waiting"}
    await cortex.drain()
    shown = await client.get(f"{API}/{note['id']}")
    assert shown.headers["ETag"] == '"1"'
    assert shown.json() == {**note, "index": {"state": "indexed"}}
    assert await found(client, "turnips froze") == [note["id"]]
    assert await found(client, "萝卜") == [note["id"]]
    document = (await client.get(f"/api/documents/{note['id']}")).json()
    assert document["editable"] is True
    assert document["url"] == f"/notes/{note['id']}"


async def test_a_save_names_the_version_that_it_was_made_from(client: httpx.AsyncClient) -> None:
    note = await create(client, "Plan", "one")
    url = f"{API}/{note['id']}"
    unnamed = await client.put(url, json={"title": "Plan", "body": "two"})
    assert unnamed.status_code == 428
    saved = await client.put(url, json={"title": "Plan", "body": "two"}, headers={"If-Match": '"1"'})
    assert saved.status_code == 200
    assert saved.headers["ETag"] == '"2"'
    lost = await client.put(url, json={"title": "Plan", "body": "three", "tags": ["x"]}, headers={"If-Match": '"1"'})
    assert lost.status_code == 409
    assert lost.headers["content-type"] == "application/problem+json"
    problem = lost.json()
    assert problem["current"]["body"] == "two"
    assert problem["current"]["version"] == 2
    assert problem["yours"] == {"title": "Plan", "body": "three", "tags": ["x"]}
    wrong = await client.put(url, json={"body": "x"}, headers={"If-Match": "yesterday's"})
    assert wrong.status_code == 422
    assert wrong.json()["field"] == "If-Match"


@pytest.mark.usefixtures("filled")
async def test_the_trash_hides_at_once(client: httpx.AsyncClient, cortex: Cortex) -> None:
    note = await create(client, "Turnips", "The turnips froze, see [[Week 03]].", tags=["garden"], topic="Soil")
    await cortex.drain()
    assert note["id"] in await found(client, "turnips froze")
    assert (await client.delete(f"{API}/{note['id']}")).status_code == 204
    assert note["id"] not in await found(client, "turnips froze")
    scopes = (await client.get("/api/scopes")).json()
    assert "garden" not in scopes["tags"]
    assert "Soil" not in scopes["topics"]
    assert (await client.get("/api/documents", params={"q": "Turnips"})).json()["documents"] == []
    assert (await client.get(f"/api/documents/{note['id']}")).status_code == 404
    assert (await client.get(API)).json()["total"] == 0
    thrown = (await client.get(API, params={"trash": True})).json()
    assert [n["id"] for n in thrown["notes"]] == [note["id"]]
    back = (await client.post(f"{API}/{note['id']}/restore")).json()
    assert back["trashed_at"] is None
    assert back["version"] == note["version"]
    assert note["id"] in await found(client, "turnips froze")


async def test_a_picture_that_was_pasted_as_text_does_not_hide_the_words_around_it(
    client: httpx.AsyncClient, cortex: Cortex
) -> None:
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB" * 30_000
    note = await create(
        client, "Pasted", f"The turnips.\n\n![x](data:image/png;base64,{picture})\n\nThe radishes froze.\n"
    )
    await cortex.drain()
    assert (await client.get(f"{API}/{note['id']}")).json()["index"] == {"state": "indexed"}
    assert await found(client, "radishes froze") == await found(client, "turnips") == [note["id"]]


async def test_names_of_all_kinds_are_kept_as_they_are(client: httpx.AsyncClient, cortex: Cortex) -> None:
    for title in (
        "🐈‍⬛ 猫",
        "#%@|;'\"",
        "a. ",
        "../etc/passwd",
        "<script>alert(1)</script>",
        "é" * 500,
        "[[x]]",
        "%00",
        "日" * 85,
    ):
        note = await create(client, title, "text", tags=[title[:100]])
        assert note["title"] == title.strip()
        assert note["tags"] == [title[:100].strip().lstrip("#")]
        listed = (await client.get(API, params={"tag": note["tags"][0]})).json()
        assert [n["id"] for n in listed["notes"]] == [note["id"]]
    await cortex.drain()
    states = {n["index"]["state"] for n in (await client.get(API)).json()["notes"]}
    assert states == {"indexed"}
