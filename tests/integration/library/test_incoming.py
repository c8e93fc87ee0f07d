"""Changes from devices that were offline: once, in order, merged, kept beside, revived; never lost."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest
from tests.integration.library.conftest import Give, Write, never_committed, save, written
from tests.integration.storage.rows import Owner, count

from cortex.bootstrap import Cortex
from cortex.errors import Invalid, NotFound
from cortex.library import LOCAL_OWNER, attachments, deletion, incoming, notes, revisions
from cortex.library.incoming import Base, Incoming, Op, Result
from cortex.library.notes import Note
from cortex.storage import Database

KEY = uuid.UUID(int=7).hex
TEXT = "# Plan\n\nFirst we measure.\n\nThen we cut.\n"


def change(op: Op, key: str, seen: Note | int | None = None, body: str | None = None, **more: Any) -> Incoming:
    """A change to `body`, made from the note or the version that was seen last."""
    title = more.pop("title", seen.title if isinstance(seen, Note) else "Plan")
    said = {name: more.pop(name) for name in list(more) if name in ("kind", "date", "topic", "tags")}
    if isinstance(seen, Note):
        more = {"base": Base(seen.title, seen.body), **more}
    return Incoming(
        more.pop("change_id", uuid.uuid4().hex),
        op,
        key,
        seen.version if isinstance(seen, Note) else seen,
        draft=None if body is None else written(title, body, **said),
        **more,
    )


async def receive(database: Database, sent: Incoming) -> Result:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await incoming.receive(tx, LOCAL_OWNER, sent)


async def trashed(database: Database, note: Note) -> None:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await notes.trash(tx, LOCAL_OWNER, note.id)


async def bodies(database: Database) -> list[str]:
    """The texts of all notes that are not in the trash, as they are now."""
    async with database.transaction("app", LOCAL_OWNER) as tx:
        page = await notes.listed(tx, LOCAL_OWNER, limit=100)
        return sorted([(await notes.get(tx, LOCAL_OWNER, note.id)).body for note in page.notes])


async def test_a_note_that_was_written_offline_comes_in_and_is_edited(database: Database) -> None:
    made = await receive(database, change("save", KEY, None, "one", tags=["a"]))
    assert made.outcome == "applied"
    assert made.note is not None
    assert (made.note.key, made.note.body, made.note.version, made.note.tags) == (KEY, "one", 1, ("a",))
    edited = await receive(database, change("save", KEY, made.note, "two"))
    assert edited.note is not None
    assert (edited.outcome, edited.note.body, edited.note.version, edited.note.tags) == ("applied", "two", 2, ("a",))


async def test_the_same_change_again_changes_nothing_and_gets_the_same_answer(database: Database, owner: Owner) -> None:
    sent = change("save", KEY, None, "one")
    first = await receive(database, sent)
    assert first.note is not None
    await save(database, first.note, "two")
    again = await receive(database, sent)
    assert again.note is not None
    assert (again.outcome, again.note.id, again.note.body) == ("applied", first.note.id, "two")
    assert await count(owner, "library.changes") == 2


async def test_one_change_that_comes_several_times_at_once_is_applied_once(database: Database, owner: Owner) -> None:
    note = await _note(database)
    sent = change("save", note.key, note, TEXT + "\nOnce.\n")
    outcomes = await asyncio.gather(*(receive(database, sent) for _ in range(6)))
    assert {outcome.outcome for outcome in outcomes} == {"applied"}
    assert {outcome.note and outcome.note.version for outcome in outcomes} == {2}
    assert await count(owner, "library.changes") == 2


async def test_edits_of_different_paragraphs_are_merged_and_what_was_stays_in_the_history(database: Database) -> None:
    note = await _note(database)
    server = await save(database, note, TEXT.replace("measure", "measure twice"), tags=["server"])
    result = await receive(database, change("save", note.key, note, TEXT.replace("cut", "cut once"), topic="Wood"))
    assert result.outcome == "merged"
    assert result.note is not None
    assert result.note.body == TEXT.replace("measure", "measure twice").replace("cut", "cut once")
    assert (result.note.tags, result.note.topic, result.note.version) == (("server",), "Wood", 3)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert (await revisions.get(tx, LOCAL_OWNER, note.id, 2)).body == server.body


async def test_edits_of_one_paragraph_are_both_kept(database: Database) -> None:
    note = await _note(database, tags=["wood"])
    await save(database, note, TEXT.replace("measure", "guess"))
    sent = change("save", note.key, note, TEXT.replace("measure", "weigh"))
    result = await receive(database, sent)
    assert result.outcome == "conflict"
    assert result.note is not None
    assert result.copy is not None
    assert result.note.body == TEXT.replace("measure", "guess")
    assert result.copy.body == TEXT.replace("measure", "weigh")
    assert result.copy.title.startswith("Plan (conflict 20")
    assert (result.copy.conflict_of, result.copy.tags) == (note.key, ("wood",))
    assert result.note.copies == (result.copy.id,)
    again = await receive(database, sent)
    assert again.copy == result.copy
    await trashed(database, result.copy)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert (await notes.get(tx, LOCAL_OWNER, note.id)).copies == ()


async def test_the_other_version_keeps_its_files_when_the_note_is_deleted_for_good(
    cortex: Cortex, write: Write, give: Give
) -> None:
    note = await write("Plan", TEXT)
    given = await give(note.id, b"a picture", "a.bin")
    await save(cortex.database, note, TEXT.replace("measure", "look"))
    copy = (await receive(cortex.database, change("save", note.key, note, TEXT.replace("measure", "think")))).copy
    assert copy is not None
    await trashed(cortex.database, note)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await deletion.delete(tx, LOCAL_OWNER, note.id)
    await cortex.drain()
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        [kept], _ = await attachments.of_note(tx, LOCAL_OWNER, copy.id)
    assert (kept.hash, kept.name) == (given.hash, "a.bin")
    assert cortex.files.path(kept.hash).read_bytes() == b"a picture"


async def test_a_conflict_is_told_in_the_notes_language_and_fits_into_a_title(database: Database) -> None:
    note = await _note(database, title="计划" * 250, body="先量再切。\n")
    await save(database, note, "先猜再切。\n")
    result = await receive(database, change("save", note.key, note, "先称再切。\n"))
    assert result.copy is not None
    assert "（冲突 20" in result.copy.title
    assert len(result.copy.title) == 500


async def test_titles_merge_like_texts(database: Database) -> None:
    note = await _note(database)
    await save(database, note, TEXT, title="The plan")
    result = await receive(database, change("save", note.key, note, TEXT + "\nMore.\n"))
    assert result.outcome == "merged"
    assert result.note is not None
    assert (result.note.title, result.note.body) == ("The plan", TEXT + "\nMore.\n")
    result = await receive(database, change("save", note.key, note, TEXT, title="A plan"))
    assert result.outcome == "conflict"


async def test_a_title_that_came_from_the_body_is_no_ones_edit(database: Database) -> None:
    note = await _note(database, title="")
    await save(database, note, TEXT.replace("# Plan", "# Better plan"), title="")
    for title in ("", "Plan"):
        result = await receive(database, change("save", note.key, note, TEXT.replace("cut", "saw"), title=title))
        assert result.note is not None
        assert (result.outcome, result.note.title, result.note.titled) == ("merged", "Better plan", False)


async def test_without_the_text_it_was_made_from_the_history_is_asked(database: Database, owner: Owner) -> None:
    note = await _note(database)
    await owner.execute("UPDATE library.documents SET updated_at = now() - interval '1 hour'")
    await save(database, note, TEXT.replace("measure", "measure twice"))
    cut = TEXT.replace("cut", "cut once")
    result = await receive(database, change("save", note.key, 1, cut))
    assert result.outcome == "merged"
    # Version 2 was replaced within its sitting: nobody knows what it was.
    note = await _get(database, note.id)
    note = await save(database, note, note.body + "\nEnd.\n")
    result = await receive(database, change("save", note.key, 2, cut.replace("First", "At first")))
    assert result.outcome == "conflict"


async def test_two_devices_that_make_the_days_note_make_one(database: Database) -> None:
    first = await receive(database, change("save", "day-2026-01-15", None, "From the phone.", title="2026-01-15"))
    second = await receive(database, change("save", "day-2026-01-15", None, "From the desk.", title="2026-01-15"))
    assert first.note is not None
    assert second.note is not None
    assert (second.outcome, second.note.id) == ("merged", first.note.id)
    assert second.note.body == "From the desk.\n\nFrom the phone."


async def test_an_edit_wins_over_a_deletion_on_the_other_side(database: Database) -> None:
    note = await _note(database)
    await trashed(database, note)
    result = await receive(database, change("save", note.key, note, TEXT.replace("cut", "saw")))
    assert result.note is not None
    assert (result.outcome, result.note.trashed_at) == ("revived", None)
    assert result.note.body == TEXT.replace("cut", "saw")
    # The other way round: the device throws away what was edited meanwhile.
    result = await receive(database, change("trash", note.key, note))
    assert result.note is not None
    assert (result.outcome, result.note.trashed_at, result.note.version) == ("revived", None, 2)


async def test_an_edit_of_what_was_edited_and_thrown_away_wins_and_loses_nothing(database: Database) -> None:
    note = await _note(database)
    await trashed(database, await save(database, note, TEXT.replace("measure", "guess")))
    result = await receive(database, change("save", note.key, note, TEXT.replace("measure", "weigh")))
    assert result.note is not None
    assert (result.outcome, result.note.body) == ("revived", TEXT.replace("measure", "weigh"))
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert (await revisions.get(tx, LOCAL_OWNER, note.id, 2)).body == TEXT.replace("measure", "guess")
    assert await bodies(database) == [TEXT.replace("measure", "weigh")]


async def test_an_edit_of_what_was_deleted_for_good_is_a_note_again(database: Database) -> None:
    note = await _note(database)
    await trashed(database, note)
    gone = await receive(database, change("delete", note.key, note))
    assert (gone.outcome, gone.note) == ("applied", None)
    result = await receive(database, change("save", note.key, note, "still here"))
    assert result.note is not None
    assert (result.outcome, result.note.key, result.note.version) == ("revived", note.key, 1)
    assert result.note.id != note.id


async def test_what_is_gone_already_may_go_again(database: Database) -> None:
    note = await _note(database)
    await trashed(database, note)
    for op, outcome in (("trash", "applied"), ("delete", "applied"), ("delete", "applied"), ("trash", "applied")):
        assert (await receive(database, change(op, note.key, note))).outcome == outcome  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        await receive(database, change("restore", note.key, note))


async def test_only_the_version_that_was_seen_is_deleted_for_good(database: Database) -> None:
    note = await _note(database)
    result = await receive(database, change("delete", note.key, note))
    assert result.outcome == "revived"
    await trashed(database, await save(database, note, "edited since"))
    result = await receive(database, change("delete", note.key, note))
    assert result.outcome == "revived"
    assert result.note is not None
    assert result.note.body == "edited since"
    assert (await receive(database, change("delete", note.key, 2))).note is None


async def test_a_device_that_is_ahead_of_a_restored_backup_brings_its_text_back(database: Database) -> None:
    note = await _note(database)
    result = await receive(database, change("save", note.key, 9, "newer", base=Base("Plan", "something between")))
    assert result.note is not None
    assert (result.outcome, result.note.body, result.note.version) == ("applied", "newer", 2)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        assert (await revisions.get(tx, LOCAL_OWNER, note.id, 1)).body == TEXT


async def test_the_same_edit_on_both_sides_is_no_conflict(database: Database) -> None:
    note = await _note(database)
    await save(database, note, "the same")
    result = await receive(database, change("save", note.key, note, "the same"))
    assert result.note is not None
    assert (result.outcome, result.note.version) == ("applied", 2)


async def test_line_ends_of_a_base_are_no_edit(database: Database) -> None:
    note = await _note(database)
    await save(database, note, TEXT.replace("measure", "measure twice"))
    base = Base("Plan", TEXT.replace("\n", "\r\n"))
    result = await receive(database, change("save", note.key, 1, TEXT.replace("cut", "saw"), base=base))
    assert result.outcome == "merged"


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        (change("save", "no key", None, "x"), "key"),
        (change("save", KEY, None, "x", change_id=""), "change_id"),
        (change("save", KEY, None, "x", change_id="x" * 101), "change_id"),
        (change("save", KEY, None, "x", change_id="a\0"), "change_id"),
        (change("save", KEY, None), "body"),
    ],
)
async def test_what_is_no_change_is_refused_and_leaves_nothing(
    database: Database, owner: Owner, sent: Incoming, field: str
) -> None:
    with pytest.raises(Invalid) as refused:
        await receive(database, sent)
    assert refused.value.field == field
    assert await count(owner, "library.received") == await count(owner, "library.documents") == 0


async def test_the_answers_that_are_remembered_hold_no_text(database: Database, owner: Owner) -> None:
    note = await _note(database, title="Zanzibar", body="zanzibar\n", tags=["zanzibar"])
    await save(database, note, "zanzibar, else\n")
    await receive(database, change("save", note.key, note, "zanzibar, otherwise\n"))
    assert await count(owner, "library.received", "received::text ILIKE '%zanzibar%'") == 0


async def _note(database: Database, title: str = "Plan", body: str = TEXT, **placed: Any) -> Note:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return (await notes.create(tx, LOCAL_OWNER, written(title, body, **placed)))[0]


async def _get(database: Database, note_id: int) -> Note:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await notes.get(tx, LOCAL_OWNER, note_id)


@pytest.mark.usefixtures("write")
async def test_a_change_that_fails_half_way_leaves_nothing(database: Database, owner: Owner, write: Write) -> None:
    note = await write("Plan", TEXT, key=KEY)
    async with never_committed(database) as tx:
        await incoming.receive(tx, LOCAL_OWNER, change("save", KEY, note, "half"))
    assert await count(owner, "library.received") == 0
    assert await bodies(database) == [TEXT]
    assert await count(owner, "jobs.procrastinate_jobs") == 1
