"""Answers by quotes: events in order, citations that stand in the text, honest refusals, streams that resume."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.integration.conftest import Put

from cortex.answering import conversations, stream
from cortex.answering.answer import AskRequest
from cortex.answering.quotes import REFUSAL
from cortex.bootstrap import Cortex
from cortex.errors import Invalid, NotFound
from cortex.indexing.status import IndexStatus, status
from cortex.library import LOCAL_OWNER
from cortex.storage import Transaction


async def events(cortex: Cortex, answer_id: int, after: int = 0) -> list[stream.Event]:
    following = stream.follow(cortex.database, LOCAL_OWNER, answer_id, after=after, bell=cortex.answerer.bell)
    return [event async for event in following]


async def ask(cortex: Cortex, question: str, **fields: Any) -> list[stream.Event]:
    return await events(cortex, await cortex.answerer.ask(LOCAL_OWNER, AskRequest(question, **fields)))


@pytest.fixture
async def notes(cortex: Cortex, put: Put) -> dict[str, str]:
    texts = {
        "kafka": "## 结论\n\n- 最后没有用 Kafka，运维成本太高。\n- 先用 Postgres 的一张表。\n",
        "cat": "Our cat Mimi 🐈 had kittens under the stairs. We kept two of them. It rained all week.",
        "bike": "The bicycle needs a new chain. The shop on Elm Street sells one for 30 euros.",
    }
    for name, text in texts.items():
        await put(f"{name}.md", text)
    await cortex.drain()
    return texts


async def test_events_come_in_order_and_every_quote_stands_in_its_note(cortex: Cortex, notes: dict[str, str]) -> None:
    got = await ask(cortex, "How many kittens did we keep?")
    assert [event.n for event in got] == list(range(1, len(got) + 1))
    assert got[0].event == "sources"
    assert got[-1].event == "done"
    sources = {source["n"]: source for source in got[0].data["sources"]}
    assert got[0].data["in_scope"] == 3
    citations = [event.data for event in got if event.event == "citation"]
    assert [citation["i"] for citation in citations] == list(range(1, len(citations) + 1))
    for citation in citations:
        text = notes[sources[citation["n"]]["title"]]
        assert text[citation["start"] : citation["end"]] == citation["quote"]
        assert citation["verified"] is True
    text = "".join(event.data["text"] for event in got if event.event == "delta")
    assert "We kept two of them. [1]" in text
    done = got[-1].data
    assert (done["refused"], done["cached"], done["language"]) == (False, False, "en")
    assert done["sent"] == {"provider": None, "passages": 0, "hidden": {}}


async def test_the_other_language_is_quoted_as_it_stands(cortex: Cortex, notes: dict[str, str]) -> None:
    got = await ask(cortex, "Why did we not use Kafka?")
    assert got[-1].data["refused"] is False
    quotes = [event.data["quote"] for event in got if event.event == "citation"]
    assert "最后没有用 Kafka，运维成本太高。" in quotes


@pytest.mark.parametrize(
    ("question", "language"),
    [("What is a prime number?", "en"), ("法国大革命是哪一年开始的？", "zh"), ("Who won the election in Peru?", "en")],
)
async def test_what_the_notes_do_not_say_is_refused(
    cortex: Cortex, notes: dict[str, str], question: str, language: Any
) -> None:
    """PITFALLS 40: unrelated notes do not become an answer, and the nearest ones are still shown."""
    got = await ask(cortex, question)
    assert "".join(event.data["text"] for event in got if event.event == "delta") == REFUSAL[language]
    assert got[-1].data["refused"] is True
    assert got[0].data["coverage"] == "none"
    assert got[0].data["sources"]
    assert not [event for event in got if event.event == "citation"]


async def test_an_empty_library_refuses(cortex: Cortex) -> None:
    got = await ask(cortex, "Anything?")
    assert got[0].data["sources"] == []
    assert got[-1].data["refused"] is True


async def test_a_refusal_says_what_could_not_be_searched_yet(cortex: Cortex, notes: dict[str, str], put: Put) -> None:
    question = "What is a prime number?"
    everything = (await ask(cortex, question))[-1].data
    assert everything["unread"] is None
    await put("new.md", "A prime number has no divisors but one and itself.")
    got = await ask(cortex, question)
    assert "".join(event.data["text"] for event in got if event.event == "delta") == REFUSAL["en"]
    assert got[-1].data["unread"]["notes"] == {"waiting": 1, "total": 4}
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        kept = await conversations.answer(tx, LOCAL_OWNER, got[-1].data["answer_id"])
    assert kept["done"]["unread"] == got[-1].data["unread"]
    assert (await ask(cortex, "How many kittens did we keep?"))[-1].data["unread"] is None


async def test_a_refusal_says_when_a_space_is_not_full(cortex: Cortex, notes: dict[str, str]) -> None:
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        total = await (await tx.execute("DELETE FROM ai.vectors_deep RETURNING hash")).fetchall()
    unread = (await ask(cortex, "What is a prime number?"))[-1].data["unread"]
    assert unread["notes"]["waiting"] == 0
    assert unread["passages"] == {"waiting": len(total), "total": len(total)}


async def test_a_library_that_was_read_whole_is_counted_again_only_after_new_work(
    cortex: Cortex, notes: dict[str, str], put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = 0

    async def counting(tx: Transaction, owner_id: int) -> IndexStatus:
        nonlocal counted
        counted += 1
        return await status(tx, owner_id)

    monkeypatch.setattr("cortex.answering.unread.status", counting)
    for _ in range(3):
        assert (await ask(cortex, "What is a prime number?"))[-1].data["unread"] is None
    assert counted == 1
    await put("new.md", "A prime number has no divisors but one and itself.")
    assert (await ask(cortex, "What is a prime number?"))[-1].data["unread"] is not None
    await cortex.drain()
    for _ in range(2):
        last = (await ask(cortex, "Who discovered the moons of Jupiter?"))[-1].data
        assert last["refused"]
        assert last["unread"] is None
    assert counted == 3


async def test_a_stream_resumes_where_it_was_left(cortex: Cortex, notes: dict[str, str]) -> None:
    answer_id = await cortex.answerer.ask(LOCAL_OWNER, AskRequest("How many kittens did we keep?"))
    whole = await events(cortex, answer_id)
    assert await events(cortex, answer_id, after=2) == whole[2:]
    assert await events(cortex, answer_id, after=whole[-1].n) == []


async def test_an_answer_is_kept_whole(cortex: Cortex, notes: dict[str, str]) -> None:
    got = await ask(cortex, "How many kittens did we keep?")
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        kept = await conversations.answer(tx, LOCAL_OWNER, got[0].data["answer_id"])
        whole = await conversations.get(tx, LOCAL_OWNER, got[0].data["conversation_id"])
    assert kept["text"] == "".join(event.data["text"] for event in got if event.event == "delta")
    assert kept["sources"] == got[0].data["sources"]
    assert [c["quote"] for c in kept["citations"]] == [e.data["quote"] for e in got if e.event == "citation"]
    assert not any(c["changed"] for c in kept["citations"])
    assert whole["title"] == "How many kittens did we keep?"
    assert [a["answer_id"] for a in whole["answers"]] == [kept["answer_id"]]


async def test_a_citation_says_when_its_note_has_changed(cortex: Cortex, notes: dict[str, str], put: Put) -> None:
    got = await ask(cortex, "How many kittens did we keep?")
    await put("cat.md", "We gave all kittens away.")
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        kept = await conversations.answer(tx, LOCAL_OWNER, got[0].data["answer_id"])
    assert kept["citations"][0]["changed"] is True
    assert kept["citations"][0]["quote"] == "We kept two of them."


async def test_a_second_question_joins_its_conversation(cortex: Cortex, notes: dict[str, str]) -> None:
    first = (await ask(cortex, "How many kittens did we keep?"))[0].data["conversation_id"]
    second = await ask(cortex, "What does the bicycle need?", conversation_id=first)
    assert second[0].data["conversation_id"] == first
    with pytest.raises(NotFound):
        await ask(cortex, "What?", conversation_id=first + 1000)


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("", ""),
        ("   ", ""),
        ("x" * 2001, ""),
        ("\ud800", ""),
        ("a\0b", ""),
        ("What?", "moon"),
        ("What?", "source:moon"),
    ],
)
async def test_a_bad_question_names_its_field(cortex: Cortex, question: str, scope: str) -> None:
    with pytest.raises(Invalid) as caught:
        await ask(cortex, question, scope=scope)
    assert caught.value.field == ("scope" if scope else "question")


async def test_a_picked_note_is_read_even_when_it_seems_to_say_nothing(cortex: Cortex, notes: dict[str, str]) -> None:
    """UX W8: a false refusal is not a dead end."""
    everything = await ask(cortex, "What is a prime number?")
    note = everything[0].data["sources"][0]["document_id"]
    assert (await ask(cortex, "What is a prime number?", scope=f"note:{note}"))[-1].data["refused"] is False


async def test_an_answer_whose_process_died_ends_as_interrupted(cortex: Cortex, notes: dict[str, str]) -> None:
    answer_id = (await ask(cortex, "How many kittens did we keep?"))[0].data["answer_id"]
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await tx.execute("UPDATE ai.answers SET state = 'running', heartbeat_at = now() - interval '1 minute'")
        await tx.execute("DELETE FROM ai.answer_events WHERE n > 2")
    got = await events(cortex, answer_id)
    assert [event.n for event in got] == [1, 2, 3]
    assert (got[-1].event, got[-1].data["type"]) == ("error", "interrupted")


async def test_a_stop_keeps_what_came(cortex: Cortex, notes: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    real, shown = cortex.retriever.sentences, asyncio.Event()

    async def slow(*args: Any) -> Any:
        shown.set()
        await asyncio.sleep(30)
        return await real(*args)

    monkeypatch.setattr(cortex.retriever, "sentences", slow)
    answer_id = await cortex.answerer.ask(LOCAL_OWNER, AskRequest("How many kittens did we keep?"))
    await shown.wait()
    await cortex.answerer.stop(LOCAL_OWNER, answer_id)
    got = await events(cortex, answer_id)
    assert [event.event for event in got] == ["sources", "done"]
    assert got[-1].data["stopped"] is True
    await cortex.answerer.stop(LOCAL_OWNER, answer_id)
    with pytest.raises(NotFound):
        await cortex.answerer.stop(LOCAL_OWNER, answer_id + 1000)
