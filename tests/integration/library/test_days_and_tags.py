"""The notes of a day and a week, and tags of all notes at once."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest
from tests.integration.library.conftest import Write, save, written
from tests.integration.storage.rows import Owner, count

from cortex.bootstrap import Cortex
from cortex.errors import Invalid
from cortex.indexing.status import states
from cortex.library import LOCAL_OWNER, changes, days, notes, scopes, tags
from cortex.library.notes import Note
from cortex.storage import Database

THURSDAY = dt.date(2026, 1, 15)


async def day(database: Database, date: dt.date = THURSDAY) -> tuple[Note, bool]:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await days.day(tx, LOCAL_OWNER, date, "zh")


async def week(database: Database, date: dt.date = THURSDAY) -> tuple[Note, bool]:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await days.week(tx, LOCAL_OWNER, date, "zh")


async def rename(database: Database, old: str, new: str) -> int:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await tags.rename(tx, LOCAL_OWNER, old, new)


async def test_a_day_has_one_note(database: Database) -> None:
    made = await asyncio.gather(*(day(database) for _ in range(5)))
    assert sorted(new for _, new in made) == [False, False, False, False, True]
    assert len({note.id for note, _ in made}) == 1
    note = made[0][0]
    assert (note.title, note.kind, note.date, note.period, note.key) == (
        "2026-01-15", "note", THURSDAY, 20261, "day-2026-01-15",
    )  # fmt: skip
    await save(database, note, "写了些什么", title="一个好天")
    again, new = await day(database)
    assert (again.id, again.title, new) == (note.id, "一个好天", False)


@pytest.mark.parametrize(
    ("date", "title", "monday", "period"),
    [
        (THURSDAY, "2026-W03", dt.date(2026, 1, 12), 20261),
        (dt.date(2026, 1, 1), "2026-W01", dt.date(2025, 12, 29), 20261),
        (dt.date(2027, 1, 3), "2026-W53", dt.date(2026, 12, 28), 20264),
    ],
)
async def test_a_week_has_one_note(database: Database, date: dt.date, title: str, monday: dt.date, period: int) -> None:
    note, new = await week(database, date)
    assert (note.title, note.kind, note.date, note.period, new) == (title, "weekly", monday, period, True)
    assert note.body.startswith("## 本周")
    assert await week(database, monday) == (note, False)


async def test_a_day_that_was_thrown_away_comes_back(database: Database) -> None:
    note, _ = await day(database)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id)
    again, new = await day(database)
    assert (again, new) == (note, False)


async def test_a_days_note_that_was_written_under_another_key_is_it(database: Database, write: Write) -> None:
    mine = await write("2026-01-15", "from my old notebook", date=THURSDAY)
    assert await day(database) == (mine, False)


async def test_a_tag_is_renamed_on_every_note_that_has_it(cortex: Cortex, write: Write) -> None:
    database = cortex.database
    first, second = await write("one", "1", tags=["work", "home"]), await write("two", "2", tags=["work"])
    other = await write("three", "3", tags=["Work"])
    thrown = await write("four", "4", tags=["work"])
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, thrown.id)
    await cortex.drain()
    assert await rename(database, "#work", " 工作 ") == 3
    async with database.transaction("app", LOCAL_OWNER) as tx:
        found = await notes.of_ids(tx, LOCAL_OWNER, [first.id, second.id, other.id, thrown.id])
        assert {note.title: note.tags for note in found.values()} == {
            "one": ("home", "工作"), "two": ("工作",), "three": ("Work",), "four": ("工作",),
        }  # fmt: skip
        assert found[first.id].version == 2
        assert found[first.id].updated_at == first.updated_at
        assert (await scopes.offer(tx, LOCAL_OWNER)).tags == ["工作", "Work", "home"]
        feed = await changes.since(tx, LOCAL_OWNER, 5)
    assert sorted((c.op, c.id, c.version) for c in feed.changes) == [
        ("saved", note.id, 2) for note in (first, second, thrown)
    ]
    await cortex.drain()
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert {s.state for s in (await states(tx, LOCAL_OWNER, [first.id, second.id])).values()} == {"indexed"}


async def test_a_tag_takes_in_another_and_every_spelling_of_itself(
    database: Database, write: Write, owner: Owner
) -> None:
    note = await write("one", "1", tags=["life", "WORK"])
    assert await rename(database, "life", "work") == 1
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert (await notes.get(tx, LOCAL_OWNER, note.id)).tags == ("work",)
    assert await rename(database, "work", "Work") == 1
    assert await rename(database, "Work", "Work") == await rename(database, "nobody's", "x") == 0
    assert await count(owner, "library.tags") == 1
    for old, new, field in (("", "x", "from"), ("x", "#", "to"), ("x", "y" * 201, "to"), ("a\0", "b", "from")):
        with pytest.raises(Invalid) as refused:
            await rename(database, old, new)
        assert refused.value.field == field


async def test_a_tag_of_a_mirror_stays_its_sources(cortex: Cortex, put: object, write: Write) -> None:
    await put("a.md", "mirrored", tags=("work",))  # type: ignore[operator]
    await write("mine", "1", tags=["work"])
    assert await rename(cortex.database, "work", "job") == 1
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        assert sorted((await scopes.offer(tx, LOCAL_OWNER)).tags) == ["job", "work"]


async def test_a_renamed_tag_and_a_save_at_once_lose_neither(database: Database, write: Write) -> None:
    note = await write("one", "1", tags=["work"])

    async def saved() -> object:
        async with database.transaction("app", LOCAL_OWNER) as tx:
            now = await notes.get(tx, LOCAL_OWNER, note.id)
            return await notes.save(tx, LOCAL_OWNER, note.id, now.version, written("one", "2"))

    await asyncio.gather(rename(database, "work", "job"), saved(), return_exceptions=True)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        now = await notes.get(tx, LOCAL_OWNER, note.id)
    assert now.tags == ("job",)
