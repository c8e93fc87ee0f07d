"""Deletion for good: no word of the note is left in any table, whatever was under way; the rest of the library stays."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.integration.library.conftest import Write, never_committed, save
from tests.integration.storage.rows import Owner, count

from cortex.answering import conversations
from cortex.answering.answer import AskRequest
from cortex.answering.stream import follow
from cortex.bootstrap import Cortex
from cortex.cli.checks import _deleted, _orphans
from cortex.errors import Conflict, NotFound
from cortex.indexing.status import pause
from cortex.library import LOCAL_OWNER, changes, deletion, notes
from cortex.library.notes import LostRace, Note
from cortex.providers import Embedders
from cortex.text.keywords import analyse, term_id

WORD = "quokkaberry"
BODY = f"# Harvest\n\nThe {WORD} harvest came to forty baskets.\n\nWe sold the {WORD} jam at the market in May.\n"

COLUMNS = """
    SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema IN ('library', 'ai', 'accounts', 'jobs') ORDER BY 1, 2, 3
"""


async def places(owner: Owner, word: str) -> list[str]:
    """Every column of every table that holds the word, in whatever type it is stored."""
    found = []
    for schema, table, column, kind in await (await owner.execute(COLUMNS.encode())).fetchall():
        text = f"encode({column}, 'escape')" if kind == "bytea" else f"{column}::text"
        query = f'SELECT count(*) FROM {schema}.{table} WHERE "{column}" IS NOT NULL AND {text} ILIKE %s'
        row = await (await owner.execute(query.encode(), [f"%{word}%"])).fetchone()
        if row and row[0]:
            found.append(f"{schema}.{table}.{column}")
    return found


async def terms_left(owner: Owner, word: str) -> int:
    wanted = [term_id(term) for term in analyse(word, "en")]
    query = """SELECT (SELECT count(*) FROM ai.postings WHERE term = ANY (%(t)s)) + (SELECT count(*) FROM ai.title_postings
               WHERE term = ANY (%(t)s)) + (SELECT count(*) FROM ai.passages WHERE terms && %(t)s)"""
    row = await (await owner.execute(query.encode(), {"t": wanted})).fetchone()
    assert row is not None
    return int(row[0])


async def ask(cortex: Cortex, question: str) -> dict[str, Any]:
    answer_id = await cortex.answerer.ask(LOCAL_OWNER, AskRequest(question))
    async for _ in follow(cortex.database, LOCAL_OWNER, answer_id, bell=cortex.answerer.bell):
        pass
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        return await conversations.answer(tx, LOCAL_OWNER, answer_id)


async def throw_away(cortex: Cortex, note: Note) -> None:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id)


async def delete(cortex: Cortex, note: Note) -> list[deletion.UsedIn]:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        return await deletion.delete(tx, LOCAL_OWNER, note.id)


async def doctor_finds_nothing(cortex: Cortex) -> bool:
    checks = [await _deleted(cortex.database), await _orphans(cortex.database)]
    return all(check.ok for check in checks)


async def vectors(owner: Owner) -> dict[str, int]:
    return {table: await count(owner, f"ai.{table}") for table in ("vectors_fast", "vectors_deep", "sentences")}


async def test_no_word_of_it_is_left_in_any_table(cortex: Cortex, write: Write, owner: Owner) -> None:
    other = await write("Market", "We sold honey and candles at the market in May. Forty jars went.")
    await cortex.drain()
    before = await vectors(owner)
    note = await write(f"The {WORD}", BODY, topic=WORD, tags=[WORD], date=None)
    await cortex.drain()
    await owner.execute("UPDATE library.documents SET updated_at = now() - interval '1 hour' WHERE id = %s", [note.id])
    note = await save(cortex.database, note, BODY + f"\n[[{WORD} recipes]]: boil the {WORD} for an hour.\n")
    await cortex.drain()
    answer = await ask(cortex, "What did we sell at the market in May, and how long was it boiled?")
    assert WORD in answer["text"]
    assert {source["document_id"] for source in answer["sources"]} == {note.id, other.id}
    assert len(await places(owner, WORD)) > 12
    assert await terms_left(owner, WORD) > 0

    await throw_away(cortex, note)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        offered = await deletion.answers_using(tx, LOCAL_OWNER, note.id)
    assert await delete(cortex, note) == offered
    assert [(used.answer_id, used.question) for used in offered] == [(answer["answer_id"], answer["question"])]

    assert await places(owner, WORD) == []
    assert await terms_left(owner, WORD) == 0
    assert await vectors(owner) == before
    assert await doctor_finds_nothing(cortex)
    await cortex.drain()
    assert await vectors(owner) == before
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        feed = await changes.since(tx, LOCAL_OWNER, 0)
        assert [(c.op, c.id) for c in feed.changes if c.id == note.id][-1] == ("deleted", note.id)
        with pytest.raises(NotFound):
            await notes.get(tx, LOCAL_OWNER, note.id)


async def test_the_rest_of_an_answer_stays_and_its_markers_too(cortex: Cortex, write: Write, owner: Owner) -> None:
    other = await write("Market", "We sold honey [1] and candles at the market in May. Forty jars went.")
    note = await write("Harvest", BODY)
    await cortex.drain()
    answer = await ask(cortex, "What did we sell at the market in May?")
    numbers = {source["document_id"]: source["n"] for source in answer["sources"]}
    lines = answer["text"].split("\n")
    kept = [line for line in lines if line.endswith(f"[{numbers[other.id]}]")]
    assert kept
    assert len(kept) < len(lines)
    await throw_away(cortex, note)
    await delete(cortex, note)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        left = await conversations.answer(tx, LOCAL_OWNER, answer["answer_id"])
    assert [line for line in left["text"].split("\n") if line in kept] == kept
    assert left["text"].count(f"- … [{numbers[note.id]}]") == len(lines) - len(kept)
    told = [(c["i"], c["n"], bool(c["quote"])) for c in left["citations"]]
    assert told == [(c["i"], c["n"], c["n"] == numbers[other.id]) for c in answer["citations"]]
    blank = next(source for source in left["sources"] if source["n"] == numbers[note.id])
    assert (blank["deleted"], blank["title"], blank["passage"]["text"]) == (True, "", "")
    # Who follows the stream again sees the same.
    again = [event async for event in follow(cortex.database, LOCAL_OWNER, answer["answer_id"])]
    assert "".join(event.data["text"] for event in again if event.event == "delta") == left["text"]
    assert [event.event for event in again].count("citation") == len(answer["citations"])


async def test_what_another_note_says_too_stays_findable(cortex: Cortex, write: Write, owner: Owner) -> None:
    first, second = await write("Harvest", BODY), await write("Harvest", BODY)
    await cortex.drain()
    whole = await vectors(owner)
    await throw_away(cortex, first)
    await delete(cortex, first)
    assert await vectors(owner) == whole
    assert await count(owner, "ai.vectors_fast", "unused_since IS NOT NULL") == 0
    found = await ask(cortex, "How many baskets was the harvest?")
    assert {source["document_id"] for source in found["sources"]} == {second.id}


async def test_only_what_is_in_the_trash_is_deleted(cortex: Cortex, write: Write) -> None:
    note = await write("Plan", "one")
    with pytest.raises(Conflict, match="trash"):
        await delete(cortex, note)
    await throw_away(cortex, note)
    with pytest.raises(LostRace):
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await deletion.delete(tx, LOCAL_OWNER, note.id, 7)
    with pytest.raises(NotFound):
        async with cortex.database.transaction("app", 2) as tx:
            await deletion.delete(tx, 2, note.id)
    assert await delete(cortex, note) == []
    with pytest.raises(NotFound):
        await delete(cortex, note)


async def test_emptying_the_trash_takes_all_that_is_in_it(cortex: Cortex, write: Write, owner: Owner) -> None:
    thrown = [await write(f"{WORD} {n}", BODY) for n in range(3)]
    kept = await write("kept", "kept")
    await cortex.drain()
    for note in thrown:
        await throw_away(cortex, note)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        assert await deletion.empty_trash(tx, LOCAL_OWNER) == 3
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        assert await deletion.empty_trash(tx, LOCAL_OWNER) == 0
        assert [note.id for note in (await notes.listed(tx, LOCAL_OWNER)).notes] == [kept.id]
        feed = await changes.since(tx, LOCAL_OWNER, 0)
    assert sorted(c.id for c in feed.changes if c.op == "deleted") == sorted(note.id for note in thrown)
    assert [c.seq for c in feed.changes] == list(range(1, len(feed.changes) + 1))
    assert await places(owner, WORD) == []
    assert await doctor_finds_nothing(cortex)


async def test_half_a_deletion_is_none(cortex: Cortex, write: Write, owner: Owner) -> None:
    note = await write(WORD, BODY)
    await cortex.drain()
    await ask(cortex, "What did we sell at the market in May?")
    await throw_away(cortex, note)
    before, whole = await places(owner, WORD), await vectors(owner)
    async with never_committed(cortex.database) as tx:
        await deletion.delete(tx, LOCAL_OWNER, note.id)
    assert await places(owner, WORD) == before
    assert await vectors(owner) == whole


class _Interrupted:
    """An embedder that does something once, in the middle of its work."""

    def __init__(self, real: Any, act: Callable[[], None]) -> None:
        self._real, self._act = real, act

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def embed_passages(self, texts: Sequence[str]) -> Any:
        vectors = self._real.embed_passages(texts)
        if any(WORD in text for text in texts):
            self._act()
        return vectors


@pytest.mark.parametrize("space", ["fast", "deep", "sentences"])
async def test_a_note_that_is_deleted_while_it_is_embedded_leaves_no_vector(
    cortex: Cortex, write: Write, owner: Owner, space: str
) -> None:
    note = await write("Harvest", BODY)
    await throw_away(cortex, note)  # so that nothing indexes it yet
    await cortex.drain()
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await notes.restore(tx, LOCAL_OWNER, note.id)
    loop, deleted, calls = asyncio.get_running_loop(), threading.Event(), 0

    def act() -> None:
        nonlocal calls
        calls += 1
        # The first call of the fast embedder is for the passages, the next ones are for their sentences.
        if calls == (2 if space == "sentences" else 1):
            asyncio.run_coroutine_threadsafe(_throw_away_and_delete(cortex, note), loop).result()
            deleted.set()

    embedders = cortex.embedders
    name = "deep" if space == "deep" else "fast"
    broken = Embedders(
        **{"fast": embedders.fast, "deep": embedders.deep, name: _Interrupted(getattr(embedders, name), act)}
    )
    worker = replace(cortex, indexer=replace(cortex.indexer, embedders=broken))
    await worker.drain()
    assert deleted.is_set()
    assert await vectors(owner) == {"vectors_fast": 0, "vectors_deep": 0, "sentences": 0}
    assert await places(owner, WORD) == []
    assert await doctor_finds_nothing(cortex)
    assert await count(owner, "jobs.procrastinate_jobs") == 0


async def test_vectors_that_were_made_a_moment_ago_for_another_note_are_made_again(
    cortex: Cortex, write: Write, owner: Owner
) -> None:
    """A deletion for good takes all that nothing uses, also what a job has just embedded and not yet put to use."""
    gone = await write("Gone", "gone")
    await throw_away(cortex, gone)
    await cortex.drain()
    long = await write(
        "Long", "\n\n".join(f"# Part {n}\n\nThe {WORD} number {n} " + "and so on " * 120 for n in range(80))
    )
    loop, calls = asyncio.get_running_loop(), 0

    def act() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:  # the first batch's vectors are stored
            asyncio.run_coroutine_threadsafe(delete(cortex, gone), loop).result()

    fast = _Interrupted(cortex.embedders.fast, act)
    embedders = Embedders(fast=fast, deep=cortex.embedders.deep)
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await pause(tx, LOCAL_OWNER, True)  # the other spaces have nothing to do with it
    await replace(cortex, indexer=replace(cortex.indexer, embedders=embedders)).drain()
    assert calls > 2
    assert await count(owner, "ai.passages", f"document_id = {long.id}") > 64
    assert await count(owner, "ai.passages p", "NOT EXISTS (SELECT FROM ai.vectors_fast v WHERE v.hash = p.hash)") == 0


async def test_an_answer_that_is_being_made_keeps_no_word_of_a_note_that_goes(
    cortex: Cortex, write: Write, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = await write("Harvest", BODY)
    await write("Market", "We sold honey and candles at the market in May. Forty jars went.")
    await cortex.drain()
    real = cortex.retriever.sentences

    async def slowly(*args: Any) -> Any:
        found = await real(*args)
        await _throw_away_and_delete(cortex, note)
        return found

    monkeypatch.setattr(cortex.retriever, "sentences", slowly)
    answer = await ask(cortex, "What did we sell at the market in May?")
    assert WORD not in str(answer)
    assert answer["text"]
    assert await places(owner, WORD) == []
    assert await doctor_finds_nothing(cortex)


async def test_the_doctor_finds_what_is_left(cortex: Cortex, write: Write, owner: Owner) -> None:
    note = await write("Harvest", BODY)
    await cortex.drain()
    answer = await ask(cortex, "What did we sell at the market in May?")
    await throw_away(cortex, note)
    await delete(cortex, note)
    assert await doctor_finds_nothing(cortex)
    await owner.execute("UPDATE ai.citations SET quote = 'left' WHERE answer_id = %s", [answer["answer_id"]])
    check = await _deleted(cortex.database)
    assert not check.ok
    assert "quotes" in check.detail


async def _throw_away_and_delete(cortex: Cortex, note: Note) -> None:
    await throw_away(cortex, note)
    await delete(cortex, note)
