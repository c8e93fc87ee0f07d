"""The feed of changes: gapless and in order, whoever writes while it is read. The long form: CORTEX_FEED_CHANGES=10000."""

from __future__ import annotations

import asyncio
import os
import random

import pytest
from tests.integration.library.conftest import Write, never_committed, save, written
from tests.integration.storage.rows import Owner, add_owner

from cortex.errors import Conflict
from cortex.library import LOCAL_OWNER, changes, deletion, notes
from cortex.library.changes import Feed
from cortex.storage import Database

WRITERS = 8
CHANGES = int(os.environ.get("CORTEX_FEED_CHANGES", "400"))


async def read(database: Database, since: int = 0, limit: int = 100, *, latest: bool = False) -> Feed:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await changes.since(tx, LOCAL_OWNER, since, limit=limit, latest=latest)


async def test_every_verb_leaves_its_entry(database: Database, write: Write) -> None:
    note = await write("Plan", "one")
    note = await save(database, note, "two")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id)  # it is there already
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.restore(tx, LOCAL_OWNER, note.id)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await deletion.delete(tx, LOCAL_OWNER, note.id)
    feed = await read(database)
    assert [(c.seq, c.op, c.version) for c in feed.changes] == [
        (1, "saved", 1), (2, "saved", 2), (3, "trashed", 2), (4, "restored", 2), (5, "trashed", 2), (6, "deleted", 2),
    ]  # fmt: skip
    assert {(c.id, c.key) for c in feed.changes} == {(note.id, note.key)}
    assert (feed.next, feed.more) == (6, False)
    rest = await read(database, 6)
    assert (rest.changes, rest.next, rest.feed) == ([], 6, feed.feed)


async def test_a_change_that_was_rolled_back_leaves_no_gap(database: Database, write: Write) -> None:
    await write("one")
    async with never_committed(database) as tx:
        await notes.create(tx, LOCAL_OWNER, written("never"))
    await write("two")
    assert [c.seq for c in (await read(database)).changes] == [1, 2]


async def test_pages_and_the_last_change_of_each(database: Database, write: Write) -> None:
    first, second = await write("one"), await write("two")
    for n in range(3):
        first = await save(database, first, f"{n}")
    page = await read(database, limit=2)
    assert ([c.seq for c in page.changes], page.next, page.more) == ([1, 2], 2, True)
    page = await read(database, page.next, limit=3)
    assert ([c.seq for c in page.changes], page.more) == ([3, 4, 5], False)
    latest = await read(database, latest=True, limit=1)
    assert ([(c.seq, c.id) for c in latest.changes], latest.more) == ([(2, second.id)], True)
    latest = await read(database, latest.next, latest=True)
    assert [(c.seq, c.id) for c in latest.changes] == [(5, first.id)]


async def test_a_page_ends_before_the_notes_of_it_are_too_much(database: Database, write: Write) -> None:
    for n in range(6):
        await write(f"long {n}", "x" * 990_000)
    page = await read(database)
    assert (len(page.changes), page.more) == (4, True)
    page = await read(database, page.next)
    assert (len(page.changes), page.more) == (2, False)


async def test_a_reader_from_after_the_end_is_told_to_begin_again(database: Database, write: Write) -> None:
    assert (await read(database)).changes == []
    with pytest.raises(Conflict, match="since=0"):
        await read(database, 1)
    await write("one")
    with pytest.raises(Conflict):
        await read(database, 2)


async def test_owners_have_feeds_of_their_own(database: Database, owner: Owner, write: Write) -> None:
    await add_owner(owner, 2)
    await write("mine")
    theirs = await write("theirs", owner=2)
    assert [c.seq for c in (await read(database)).changes] == [1]
    async with database.transaction("app", 2) as tx:
        assert [(c.seq, c.id) for c in (await changes.since(tx, 2, 0)).changes] == [(1, theirs.id)]


async def test_a_reader_that_polls_beside_eight_writers_misses_nothing(database: Database) -> None:
    told: dict[int, list[tuple[str, int]]] = {}
    done = asyncio.Event()

    async def write_many(writer: int) -> None:
        dice = random.Random(writer)
        mine: list[notes.Note] = []
        made = 0
        while made < CHANGES // WRITERS:
            made += 1
            if not mine or dice.random() < 0.2:
                async with database.transaction("app", LOCAL_OWNER) as tx:
                    note, _ = await notes.create(tx, LOCAL_OWNER, written(f"{writer} {made}"))
                    await asyncio.sleep(dice.random() * 0.002)  # some commits are slow
                mine.append(note)
                told.setdefault(note.id, []).append(("saved", 1))
                continue
            at = dice.randrange(len(mine))
            note = mine[at]
            if note.trashed_at is None and dice.random() < 0.1:
                async with database.transaction("app", LOCAL_OWNER) as tx:
                    await notes.trash(tx, LOCAL_OWNER, note.id)
                async with database.transaction("app", LOCAL_OWNER) as tx:
                    mine[at] = await notes.get(tx, LOCAL_OWNER, note.id)
                told[note.id].append(("trashed", note.version))
            elif note.trashed_at is not None:
                async with database.transaction("app", LOCAL_OWNER) as tx:
                    mine[at] = await notes.restore(tx, LOCAL_OWNER, note.id)
                told[note.id].append(("restored", note.version))
            else:
                mine[at] = await save(database, note, f"{writer} {made}")
                told[note.id].append(("saved", mine[at].version))

    async def poll() -> list[changes.Change]:
        seen: list[changes.Change] = []
        while True:
            last_round = done.is_set()
            feed = await read(database, seen[-1].seq if seen else 0, limit=37)
            seen += feed.changes
            if last_round and not feed.more:
                return seen

    reader = asyncio.create_task(poll())
    try:
        await asyncio.gather(*(write_many(n) for n in range(WRITERS)))
    finally:
        done.set()
        seen = await reader
    assert [change.seq for change in seen] == list(range(1, CHANGES + 1))
    by_note: dict[int, list[tuple[str, int]]] = {}
    for change in seen:
        by_note.setdefault(change.id, []).append((change.op, change.version))
    assert by_note == told
