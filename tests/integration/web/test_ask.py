"""Asking over HTTP: the stream of the contract, coming back to it, reading it later, stopping it."""

from __future__ import annotations

import httpx
import pytest
from tests.integration.web.streams import events

from cortex.bootstrap import Cortex

pytestmark = pytest.mark.usefixtures("filled")


async def test_an_answer_streams_its_sources_first_and_cites_them(client: httpx.AsyncClient) -> None:
    response = await client.post("/api/ask", json={"question": "What did I do about the greenhouse pump?"})
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["x-accel-buffering"] == "no"
    assert response.headers["cache-control"] == "no-store"
    told = events(response.text)
    assert [event.id for event in told] == list(range(1, len(told) + 1))
    assert told[0].event == "sources"
    assert told[-1].event == "done"
    sources, done = told[0].data, told[-1].data
    assert {"answer_id", "conversation_id", "scope", "scope_terms", "coverage", "in_scope", "read"} <= set(sources)
    assert sources["sources"][0]["title"] == "Week 03"
    assert sources["in_scope"] == 3
    assert {"answer_id", "refused", "cached", "language", "usage", "sent", "timings_ms"} <= set(done)
    if not done["refused"]:
        text = "".join(event.data["text"] for event in told if event.event == "delta")
        assert "[1]" in text
        assert any(event.event == "citation" and event.data["verified"] for event in told)


async def test_a_reader_who_comes_back_gets_what_was_missed(client: httpx.AsyncClient) -> None:
    told = events((await client.post("/api/ask", json={"question": "我养过几只猫？"})).text)
    answer_id = told[0].data["answer_id"]
    again = await client.get(f"/api/answers/{answer_id}/stream", headers={"Last-Event-ID": "1"})
    assert events(again.text) == told[1:]
    whole = await client.get(f"/api/answers/{answer_id}/stream", headers={"Last-Event-ID": "nonsense"})
    assert events(whole.text) == told
    answer = (await client.get(f"/api/answers/{answer_id}")).json()
    assert answer["language"] == "zh"
    assert answer["state"] == "done"
    assert answer["text"] == "".join(event.data["text"] for event in told if event.event == "delta")


async def test_stopping_an_ended_answer_changes_nothing(client: httpx.AsyncClient) -> None:
    told = events((await client.post("/api/ask", json={"question": "Kafka?"})).text)
    answer_id = told[0].data["answer_id"]
    before = (await client.get(f"/api/answers/{answer_id}")).json()
    assert (await client.post(f"/api/answers/{answer_id}/stop")).status_code == 204
    assert (await client.get(f"/api/answers/{answer_id}")).json() == before


async def test_conversations_are_listed_opened_renamed_and_deleted(client: httpx.AsyncClient) -> None:
    first = events((await client.post("/api/ask", json={"question": "Kafka?"})).text)[0].data
    more = {"question": "And the pump?", "conversation_id": first["conversation_id"]}
    await client.post("/api/ask", json=more)
    listed = (await client.get("/api/conversations")).json()["conversations"]
    assert [one["conversation_id"] for one in listed] == [first["conversation_id"]]
    path = f"/api/conversations/{first['conversation_id']}"
    opened = (await client.get(path)).json()
    assert [answer["question"] for answer in opened["answers"]] == ["Kafka?", "And the pump?"]
    assert (await client.patch(path, json={"title": "Queues"})).status_code == 204
    assert (await client.get(path)).json()["title"] == "Queues"
    assert (await client.delete(path)).status_code == 204
    assert (await client.get(path)).status_code == 404
    assert (await client.get(f"/api/answers/{first['answer_id']}")).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"question": " "}, 422, "question"),
        ({"question": "x" * 2001}, 422, "question"),
        ({"question": "a\0b"}, 422, "question"),
        ({"question": "x", "scope": "colour:red"}, 422, "scope"),
        ({"question": "x", "scope": "weekly;source:nope"}, 422, "scope"),
        ({"question": "x", "conversation_id": 999}, 404, "conversation_id"),
        ({"question": "x", "web": True}, 422, "web"),
        ({"question": "x", "nonsense": 1}, 422, "nonsense"),
        ({}, 422, "question"),
    ],
)
async def test_what_is_wrong_with_a_question_is_named(
    client: httpx.AsyncClient, body: dict[str, object], status: int, field: str
) -> None:
    response = await client.post("/api/ask", json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["field"] == field


@pytest.mark.parametrize("path", ["/api/answers/99", "/api/answers/99/stream", "/api/conversations/99"])
async def test_what_is_not_there_is_not_found(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)
    assert response.status_code == 404
    assert response.json()["type"] == "not_found"


async def test_pitfall_49_a_foreign_page_cannot_ask(client: httpx.AsyncClient, cortex: Cortex) -> None:
    response = await client.post("/api/ask", json={"question": "x"}, headers={"Origin": "https://evil.example"})
    assert response.status_code == 403
    assert (await client.get("/api/conversations")).json() == {"conversations": []}
