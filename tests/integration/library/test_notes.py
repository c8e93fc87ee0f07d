"""Notes in the database: what a save does, refuses, costs and hides."""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import Any

import psycopg
import pytest
from tests.integration.library.conftest import Write, save, written
from tests.integration.storage.rows import Owner, add_owner, count

from cortex.bootstrap import Cortex
from cortex.errors import Invalid, NotFound
from cortex.library import LOCAL_OWNER, documents, notes, revisions
from cortex.library.notes import LostRace
from cortex.storage import Database

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that is sent, while the test lasts."""
    sent: list[str] = []
    execute = psycopg.AsyncCursor.execute

    async def counted(cursor: Any, query: Any, *args: Any, **options: Any) -> Any:
        sent.append(str(query))
        return await execute(cursor, query, *args, **options)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", counted)
    return sent


async def test_a_save_replaces_what_was_said_and_keeps_the_rest(database: Database, write: Write) -> None:
    note = await write("Plan", "one\r\ntwo [[Else]]", tags=["b", "a"], date=dt.date(2026, 2, 3), topic="Boats")
    assert (note.body, note.kind, note.period, note.tags) == ("one\ntwo [[Else]]", "topic", 20261, ("a", "b"))
    assert note.url == f"/notes/{note.id}"
    saved = await save(database, note, "three [[Other]]", tags=["c"])
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert await notes.get(tx, LOCAL_OWNER, note.id) == saved
        assert await count(tx, "library.links", "target = 'other'") == await count(tx, "library.links") == 1
    assert (saved.version, saved.body, saved.tags, saved.date, saved.topic) == (
        2, "three [[Other]]", ("c",), note.date, "Boats",
    )  # fmt: skip
    assert saved.created_at == note.created_at
    assert saved.updated_at > note.updated_at


async def test_a_save_of_the_same_is_none(database: Database, write: Write, owner: Owner) -> None:
    note = await write("Plan", "one", tags=["a"])
    assert await save(database, note, "one") == note
    assert await count(owner, "library.changes") == 1
    assert (await save(database, note, "one", title="plan")).version == 2


async def test_a_title_that_was_taken_from_the_body_follows_it(database: Database, write: Write) -> None:
    note = await write("", "# Boats\n\nThey float.")
    assert (note.title, note.titled) == ("Boats", False)
    note = await save(database, note, "# Ships\n\nThey float.", title="")
    assert note.title == "Ships"
    note = await save(database, note, "", title="")
    assert note.title == "Untitled"


async def test_of_two_saves_of_one_version_the_second_learns_both_texts(database: Database, write: Write) -> None:
    note = await write("Plan", "one")
    outcomes = await asyncio.gather(
        *(save(database, note, f"by {name}") for name in "abcdefgh"), return_exceptions=True
    )
    won = [outcome for outcome in outcomes if isinstance(outcome, notes.Note)]
    lost = [outcome for outcome in outcomes if isinstance(outcome, LostRace)]
    assert len(won) == 1
    assert len(lost) == 7
    for race in lost:
        assert race.current == won[0]
        assert race.yours is not None
        assert race.yours.body != won[0].body


async def test_a_note_in_the_trash_is_not_saved_over(database: Database, write: Write) -> None:
    note = await write("Plan", "one")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id, note.version)
    with pytest.raises(LostRace, match="in the trash") as lost:
        await save(database, note, "two")
    assert lost.value.current.trashed_at is not None
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id)
        back = await notes.restore(tx, LOCAL_OWNER, note.id)
        assert await notes.restore(tx, LOCAL_OWNER, note.id) == back == note


async def test_a_note_that_changed_is_not_thrown_away_by_who_has_not_seen_it(database: Database, write: Write) -> None:
    note = await write("Plan", "one")
    await save(database, note, "two")
    with pytest.raises(LostRace):
        async with database.transaction("app", LOCAL_OWNER) as tx:
            await notes.trash(tx, LOCAL_OWNER, note.id, note.version)


async def test_the_same_key_is_the_same_note_however_many_write_it_at_once(database: Database, write: Write) -> None:
    made = await asyncio.gather(*(write("Plan", f"by {n}", key=KEY) for n in range(6)))
    assert len({note.id for note in made}) == len({note.body for note in made}) == 1
    for wrong in ("", "x", KEY.upper(), KEY + "0", "day-2026-1-5", "../" + KEY):
        with pytest.raises(Invalid) as refused:
            notes.check_key(wrong)
        assert refused.value.field == "key"


@pytest.mark.parametrize("verb", ["get", "trash", "restore", "revisions"])
async def test_anothers_note_looks_like_none(database: Database, owner: Owner, write: Write, verb: str) -> None:
    await add_owner(owner, 2)
    note = await write("Mine", "secret", owner=2)
    verbs: dict[str, Any] = {
        "get": notes.get,
        "trash": notes.trash,
        "restore": notes.restore,
        "revisions": revisions.listed,
    }
    told = []
    for note_id in (note.id, 987_654):
        with pytest.raises(NotFound) as missing:
            async with database.transaction("app", LOCAL_OWNER) as tx:
                await verbs[verb](tx, LOCAL_OWNER, note_id)
        told.append(missing.value.message.replace(str(note_id), "N"))
    assert told[0] == told[1]
    with pytest.raises(NotFound):
        await save(database, note, "stolen")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert (await notes.listed(tx, LOCAL_OWNER)).total == 0
    assert (await write("Mine too", "", key=note.key)).id != note.id


async def test_a_mirror_is_no_note(cortex: Cortex, put: Any) -> None:
    mirror = await put("a.md", "mirrored")
    with pytest.raises(NotFound):
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await notes.save(tx, LOCAL_OWNER, mirror, 1, written("a", "changed"))
    with pytest.raises(NotFound):
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await notes.trash(tx, LOCAL_OWNER, mirror)


async def test_a_save_is_a_handful_of_statements(database: Database, write: Write, statements: list[str]) -> None:
    note = await write("Plan", "one", tags=["a"])
    del statements[:]
    await save(database, note, "words and more words, see [[A]] and [[B]]\n\n" * 1000, tags=["a", "b", "c"])
    # The transaction's begin and its owner, the lock, the note with its revision, tags and links, the job, the feed.
    assert len(statements) == 6


async def test_the_lists_statements_do_not_grow_with_its_rows(
    database: Database, write: Write, statements: list[str]
) -> None:
    async def cost() -> int:
        del statements[:]
        async with database.transaction("app", LOCAL_OWNER) as tx:
            await notes.listed(tx, LOCAL_OWNER, limit=100)
        return len(statements)

    await write("one", "1", tags=["a"])
    few = await cost()
    for n in range(20):
        await write(f"note {n}", "text", tags=["a", f"t{n}"])
    assert await cost() == few == 3


async def test_pages_of_the_list_hold_every_note_once_the_newest_change_first(database: Database, write: Write) -> None:
    made = [await write(f"note {n}", f"text {n}", tags=["even"] if n % 2 == 0 else []) for n in range(7)]
    await save(database, made[0], "changed last", topic="Kafka")
    seen: list[str] = []
    after: str | None = None
    while True:
        async with database.transaction("app", LOCAL_OWNER) as tx:
            page = await notes.listed(tx, LOCAL_OWNER, after=after, limit=3)
        assert page.total == 7
        seen += [note.title for note in page.notes]
        after = page.next
        if after is None:
            break
    assert seen == ["note 0", "note 6", "note 5", "note 4", "note 3", "note 2", "note 1"]
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert (await notes.listed(tx, LOCAL_OWNER, tag="EVEN")).total == 4
        assert (await notes.listed(tx, LOCAL_OWNER, kind="weekly")).total == 0
        assert (await notes.listed(tx, LOCAL_OWNER, topic="kafka")).total == 1
        for wrong in ("x", "AAAA", "中", "a" * 150):
            with pytest.raises(Invalid) as refused:
                await notes.listed(tx, LOCAL_OWNER, after=wrong)
            assert refused.value.field == "after"


async def test_an_excerpt_is_words_on_one_line(write: Write) -> None:
    note = await write("x", "# Head\n\n- **bold** [link](https://a.example)\n" + "🐈" * 500)
    assert note.excerpt.startswith("Head bold link 🐈")
    assert len(note.excerpt) == notes.EXCERPT_CHARS


async def test_the_trash_hides_links_backlinks_and_titles(database: Database, write: Write) -> None:
    target = await write("Harbour", "boats")
    source = await write("Trip", "to the [[Harbour]]")

    async def seen() -> tuple[list[str], list[str], dict[str, int]]:
        async with database.transaction("app", LOCAL_OWNER) as tx:
            offered = [found.title for found in await documents.offered(tx, LOCAL_OWNER, "harb", 5)]
            latest = [found.title for found in await documents.offered(tx, LOCAL_OWNER, " ", 5)]
            assert offered == [title for title in latest if title == "Harbour"]
            named = await documents.resolve_links(tx, LOCAL_OWNER, ["Harbour"])
            try:
                linked = await documents.backlinks(tx, LOCAL_OWNER, await documents.get(tx, LOCAL_OWNER, target.id))
            except NotFound:
                return latest, [], named
        return latest, [link.title for link in linked], named

    assert await seen() == (["Trip", "Harbour"], ["Trip"], {"harbour": target.id})
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, source.id)
    assert await seen() == (["Harbour"], [], {"harbour": target.id})
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, target.id)
    assert await seen() == ([], [], {})


@pytest.mark.parametrize("trash", [False, True])
async def test_a_page_of_ten_thousand_notes_comes_from_an_index(database: Database, owner: Owner, trash: bool) -> None:
    await owner.execute(
        """INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size, updated_at,
               trashed_at)
           SELECT 1, 'notes', 'n' || n, 'Title ' || n, 'Text', 'en', '/notes/' || n, '\\x00', 4, now() - n * interval '1 min',
                  CASE WHEN n % 3 = 0 THEN now() - n * interval '1 min' END
           FROM generate_series(1, 15000) n"""
    )
    await owner.execute("ANALYZE library.documents")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        page = await notes.listed(tx, LOCAL_OWNER, trash=trash, limit=50)
        assert page.total == (5_000 if trash else 10_000)
        assert page.next is not None
        plans = []
        execute = type(tx).execute

        class Explaining:
            async def execute(self, query: bytes, values: dict[str, Any]) -> Any:
                plans.append(await (await execute(tx, b"EXPLAIN " + query, values)).fetchall())
                return await execute(tx, query, values)

        await notes.listed(Explaining(), LOCAL_OWNER, trash=trash, limit=50, after=page.next)  # type: ignore[arg-type]
    listed, counted = ("\n".join(row["QUERY PLAN"] for row in plan) for plan in plans)
    assert ("notes_in_trash" if trash else "notes_by_change") in listed, listed
    for shown in (listed, counted):
        assert "Seq Scan on documents" not in shown, shown
        assert "\n  ->  Sort" not in shown, shown
        assert "conflict_of" not in shown or "Index Scan using notes_in_conflict" in shown, shown
