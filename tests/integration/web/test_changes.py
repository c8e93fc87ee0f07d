"""The feed and the changes of devices over HTTP; revisions, deletion for good, and what is refused."""

from __future__ import annotations

import json
import uuid
from typing import Any

import httpx
import pytest
from tests.integration.storage.rows import Owner
from tests.integration.web.test_notes import API, create

from cortex.bootstrap import Cortex, assemble
from cortex.providers import Embedders
from cortex.settings import LimitsSettings
from cortex.web.app import create_app

KEY = uuid.UUID(int=3).hex


async def send(client: httpx.AsyncClient, *changes: Any) -> list[dict[str, Any]]:
    # Not httpx's own JSON, which refuses half a surrogate pair.
    raw, headers = json.dumps({"changes": changes}), {"Content-Type": "application/json"}
    answer = await client.post("/api/changes", content=raw, headers=headers)
    assert answer.status_code == 200, answer.text
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


async def feed(client: httpx.AsyncClient, since: int = 0, **more: Any) -> dict[str, Any]:
    answer = await client.get("/api/changes", params={"since": since, **more})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def test_the_feed_tells_each_change_and_the_notes_as_they_are(client: httpx.AsyncClient) -> None:
    note, gone = await create(client, "Plan", "one"), await create(client, "Gone", "soon")
    await client.put(f"{API}/{note['id']}", json={"title": "Plan", "body": "two"}, headers={"If-Match": '"1"'})
    await client.delete(f"{API}/{gone['id']}")
    await client.delete(f"{API}/{gone['id']}", params={"for_good": True})
    told = await feed(client)
    assert [(c["seq"], c["op"], c["id"], c["version"]) for c in told["changes"]] == [
        (1, "saved", note["id"], 1), (2, "saved", gone["id"], 1), (3, "saved", note["id"], 2),
        (4, "trashed", gone["id"], 1), (5, "deleted", gone["id"], 1),
    ]  # fmt: skip
    assert [c["note"]["body"] for c in told["changes"] if "note" in c] == ["two"]
    assert (told["next"], told["more"]) == (5, False)
    assert (await feed(client, 5)) == {"feed": told["feed"], "changes": [], "next": 5, "more": False}
    latest = await feed(client, latest=True)
    assert [c["seq"] for c in latest["changes"]] == [3, 5]
    ahead = await client.get("/api/changes", params={"since": 6})
    assert ahead.status_code == 409
    assert ahead.json()["field"] == "since"


async def test_changes_come_in_in_order_and_a_bad_one_stops_no_other(client: httpx.AsyncClient) -> None:
    changes = [
        {"change_id": "1", "op": "save", "key": KEY, "title": "Offline", "body": "one", "tags": ["a"]},
        {"change_id": "2", "op": "save", "key": KEY, "base_version": 1, "title": "Offline", "body": "two"},
        {"change_id": "3", "op": "save", "key": "no key", "title": "x", "body": "x"},
        {"change_id": "4", "op": "save", "key": KEY, "base_version": 2, "title": "x", "body": "half \ud83d"},
        {"change_id": "5", "op": "save", "key": KEY, "base_version": 2, "title": "nul \0", "body": ""},
        {"change_id": "6", "op": "fly", "key": KEY},
        {"change_id": "7", "op": "save", "key": KEY, "base_version": 2},
        "nothing",
        {"op": "trash", "key": KEY},
        {"change_id": "8", "op": "save", "key": KEY, "date": "yesterday", "title": "", "body": ""},
        {"change_id": "9", "op": "trash", "key": KEY, "base_version": 2},
    ]
    results = await send(client, *changes)
    assert [result["outcome"] for result in results] == ["applied", "applied", *["rejected"] * 8, "applied"]
    assert [result["problem"].get("field") for result in results[2:10]] == [
        "key", "body", "title", "op", "body", "change", "change_id", "date",
    ]  # fmt: skip
    assert results[1]["note"]["tags"] == ["a"]
    assert (results[1]["key"], results[1]["version"], results[1]["id"]) == (KEY, 2, results[0]["id"])
    assert results[-1]["note"]["trashed_at"]
    again = await send(client, *changes)
    assert [result["outcome"] for result in again] == [result["outcome"] for result in results]
    assert [c["op"] for c in (await feed(client))["changes"]] == ["saved", "saved", "trashed"]


async def test_a_conflict_shows_both_notes(client: httpx.AsyncClient) -> None:
    note = await create(client, "Plan", "one")
    await client.put(f"{API}/{note['id']}", json={"title": "Plan", "body": "two"}, headers={"If-Match": '"1"'})
    base = {"title": "Plan", "body": "one"}
    sent = {
        "change_id": "1",
        "op": "save",
        "key": note["key"],
        "base_version": 1,
        "base": base,
        "title": "Plan",
        "body": "three",
    }
    (result,) = await send(client, sent)
    assert result["outcome"] == "conflict"
    assert (result["note"]["body"], result["copy"]["body"]) == ("two", "three")
    assert result["note"]["copies"] == [result["copy"]["id"]]
    assert result["copy"]["conflict_of"] == note["key"]
    listed = (await client.get(API)).json()
    assert {n["id"] for n in listed["notes"]} == {note["id"], result["copy"]["id"]}


async def test_too_many_changes_at_once_are_refused_as_a_whole(client: httpx.AsyncClient) -> None:
    changes = [{"change_id": str(n), "op": "trash", "key": KEY} for n in range(101)]
    refused = await client.post("/api/changes", json={"changes": changes})
    assert refused.status_code == 422
    assert refused.json()["field"] == "changes"


async def test_the_history_over_http(client: httpx.AsyncClient, owner: Owner) -> None:
    note = await create(client, "Plan", "one", date="2026-01-15")
    url = f"{API}/{note['id']}"
    await owner.execute("UPDATE library.documents SET updated_at = now() - interval '1 hour'")
    await client.put(url, json={"title": "Plan", "body": "two"}, headers={"If-Match": '"1"'})
    listed = (await client.get(f"{url}/revisions")).json()["revisions"]
    assert [(r["version"], r["kept"], r["origin"], r["date"]) for r in listed] == [
        (2, False, "person", "2026-01-15"), (1, False, "person", "2026-01-15"),
    ]  # fmt: skip
    assert "body" not in listed[0]
    assert (await client.get(f"{url}/revisions/1")).json()["body"] == "one"
    assert (await client.get(f"{url}/revisions/9")).status_code == 404
    assert (await client.patch(f"{url}/revisions/1", json={"kept": True})).status_code == 204
    assert (await client.get(f"{url}/revisions/1")).json()["kept"] is True
    assert (await client.post(f"{url}/revisions/1/restore")).status_code == 428
    lost = await client.post(f"{url}/revisions/1/restore", headers={"If-Match": '"1"'})
    assert lost.status_code == 409
    assert lost.json()["current"]["body"] == "two"
    back = await client.post(f"{url}/revisions/1/restore", headers={"If-Match": '"2"'})
    assert (back.json()["body"], back.headers["ETag"]) == ("one", '"3"')


async def test_deletion_for_good_over_http(client: httpx.AsyncClient, cortex: Cortex) -> None:
    note = await create(client, "Harvest", "The quokkaberry harvest came to forty baskets in May.")
    await cortex.drain()
    url = f"{API}/{note['id']}"
    answered = await client.post("/api/ask", json={"question": "How many baskets was the harvest?"})
    assert "quokkaberry" in answered.text
    used = (await client.get(f"{url}/answers")).json()["answers"]
    assert [answer["question"] for answer in used] == ["How many baskets was the harvest?"]
    assert set(used[0]) == {"answer_id", "conversation_id", "question"}
    assert (await client.delete(url, params={"for_good": True})).status_code == 409
    assert (await client.delete(url, headers={"If-Match": '"1"'})).status_code == 204
    gone = await client.delete(url, params={"for_good": True})
    assert gone.json() == {"answers": used}
    assert (await client.get(url)).status_code == 404
    conversation = await client.get(f"/api/conversations/{used[0]['conversation_id']}")
    assert conversation.status_code == 200
    assert "quokkaberry" not in conversation.text
    await create(client, "x", "y")
    await client.delete(f"{API}/{(await create(client, 'z', 'z'))['id']}")
    assert (await client.delete(f"{API}/trash")).json() == {"deleted": 1}


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"title": "a\0", "body": ""}, "title"),
        ({"title": "", "body": "a\0"}, "body"),
        ({"title": "", "body": "a\ud800"}, "body"),
        ({"title": "", "body": "", "tags": ["\udfff"]}, "tags"),
        ({"title": "", "body": "", "topic": "t\0"}, "topic"),
        ({"title": "x" * 501, "body": ""}, "title"),
        ({"title": "", "body": "x" * 1_000_001}, "body"),
        ({"title": "", "body": "", "kind": "poem"}, "kind"),
        ({"title": "", "body": "", "date": "2026-02-30"}, "date"),
        ({"title": "", "body": "", "key": "mine"}, "key"),
        ({"title": "", "body": "", "colour": "red"}, "colour"),
        ({"title": 1, "body": ""}, "title"),
    ],
)
async def test_what_cannot_be_stored_is_refused_by_name(
    client: httpx.AsyncClient, sent: dict[str, Any], field: str
) -> None:
    refused = await client.post(API, content=json.dumps(sent), headers={"Content-Type": "application/json"})
    assert refused.status_code == 422, refused.text
    assert refused.json()["field"] == field
    assert (await client.get(API)).json()["total"] == 0


async def test_a_note_of_just_the_limit_is_saved_however_it_is_written(client: httpx.AsyncClient) -> None:
    """A megabyte of what JSON escapes is two on the wire, and a change holds the text twice."""
    body = '"' * 999_999 + "x"
    note = await create(client, "Quotes", body)
    assert note["size"] == 1_000_000
    base = {"title": "Quotes", "body": body}
    new = body[:-1] + "y"
    sent = {
        "change_id": "1",
        "op": "save",
        "key": note["key"],
        "base_version": 1,
        "base": base,
        "title": "Quotes",
        "body": new,
    }
    (result,) = await send(client, sent)
    assert result["outcome"] == "applied"
    above = await client.post(API, json={"title": "", "body": '"' * 2_600_000})
    assert above.status_code == 413
    elsewhere = await client.post("/api/ask", json={"question": "x" * 1_100_000})
    assert elsewhere.status_code == 413


async def test_the_limit_is_a_setting(cortex: Cortex, embedders: Embedders) -> None:
    small = cortex.settings.model_copy(update={"limits": LimitsSettings(note_kb=1)})
    transport = httpx.ASGITransport(create_app(assemble(small, cortex.database, embedders)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client:
        refused = await client.post(API, json={"title": "", "body": "中" * 334})
        assert refused.status_code == 422
        assert "limits.note_kb" in refused.json()["detail"]
        await create(client, "", "中" * 333)


async def test_titles_for_links_and_the_days_notes(client: httpx.AsyncClient) -> None:
    await create(client, "Harbour", "boats")
    day = await client.post(f"{API}/day", json={"date": "2026-01-15", "language": "zh"})
    assert (day.status_code, day.json()["title"], day.headers["ETag"]) == (201, "2026-01-15", '"1"')
    assert (await client.post(f"{API}/day", json={"date": "2026-01-15"})).status_code == 200
    week = await client.post(f"{API}/week", json={"date": "2026-01-15"})
    assert (week.status_code, week.json()["kind"], week.json()["date"]) == (201, "weekly", "2026-01-12")
    titles = (await client.get(f"{API}/titles", params={"q": "harb"})).json()["titles"]
    assert [(t["title"], t["source"], t["kind"]) for t in titles] == [("Harbour", "notes", "note")]
    newest = (await client.get(f"{API}/titles")).json()["titles"]
    assert [t["title"] for t in newest] == ["2026-W03", "2026-01-15", "Harbour"]
    weekly = (await client.get("/api/search", params={"q": "what happened", "scope": "weekly:20261-20261"})).json()
    assert weekly["results"] == []


async def test_a_saved_answer_is_no_evidence_unless_asked_for(client: httpx.AsyncClient, cortex: Cortex) -> None:
    note = await create(client, "Answer", "The quokkaberry harvest came to forty baskets.", answer_id=7)
    assert note["origin"] == "answer"
    await cortex.drain()
    plain = (await client.get("/api/search", params={"q": "quokkaberry harvest"})).json()["results"]
    named = (await client.get("/api/search", params={"q": "quokkaberry harvest", "scope": "origin:answer"})).json()
    assert plain == []
    assert [result["document_id"] for result in named["results"]] == [note["id"]]
    typed = (await client.get(API, params={"q": "quokka"})).json()
    assert [n["id"] for n in typed["notes"]] == [note["id"]]
    assert typed["notes"][0]["excerpt"].startswith("The quokkaberry")


async def test_a_failed_note_is_tried_again(client: httpx.AsyncClient, cortex: Cortex, owner: Owner) -> None:
    note = await create(client, "Plan", "one")
    await cortex.drain()
    await owner.execute("UPDATE ai.indexed SET failed = 'too strange'")
    shown = (await client.get(f"{API}/{note['id']}")).json()
    assert shown["index"] == {"state": "failed", "reason": "too strange"}
    status = (await client.get("/api/status")).json()
    assert [(f["document_id"], f["title"], f["reason"]) for f in status["failures"]] == [
        (note["id"], "Plan", "too strange")
    ]
    again = await client.post(f"{API}/{note['id']}/index")
    assert (again.status_code, again.json()["index"]) == (202, {"state": "waiting"})
    await cortex.drain()
    assert (await client.get(f"{API}/{note['id']}")).json()["index"] == {"state": "indexed"}
    await owner.execute("UPDATE ai.indexed SET failed = 'too strange'")
    assert (await client.post("/api/indexing/retry")).json() == {"retried": 1}
    assert (await client.post(f"{API}/999/index")).status_code == 404


async def test_ids_that_are_none_are_not_there(client: httpx.AsyncClient) -> None:
    for method, path in (
        ("GET", ""), ("DELETE", ""), ("POST", "/restore"), ("GET", "/revisions"), ("GET", "/answers"), ("POST", "/index"),
    ):  # fmt: skip
        assert (await client.request(method, f"{API}/424242{path}")).status_code == 404
    for wrong in ("0", "-1", "x", str(2**63)):
        assert (await client.get(f"{API}/{wrong}")).status_code == 422
