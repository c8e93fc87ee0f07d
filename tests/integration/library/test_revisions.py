"""Past versions: one a sitting, what a save threw away, restored, kept, thinned."""

from __future__ import annotations

from typing import Any

import pytest
from tests.integration.library.conftest import Write, save
from tests.integration.storage.rows import Owner, count

from cortex.bootstrap import Cortex
from cortex.errors import NotFound
from cortex.library import LOCAL_OWNER, revisions
from cortex.library.notes import LostRace, Note
from cortex.library.revisions import Revision
from cortex.library.tidying import tidy
from cortex.storage import Database


async def listed(database: Database, note: Note) -> list[Revision]:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await revisions.listed(tx, LOCAL_OWNER, note.id)


async def versions(database: Database, note: Note) -> list[int]:
    return [revision.version for revision in await listed(database, note)]


async def body(database: Database, note: Note, version: int) -> str:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return (await revisions.get(tx, LOCAL_OWNER, note.id, version)).body


async def pass_time(owner: Owner, note: Note, minutes: float) -> None:
    """The note's last save was so long ago."""
    await owner.execute(
        "UPDATE library.documents SET updated_at = now() - %s * interval '1 minute' WHERE id = %s", [minutes, note.id]
    )


async def test_a_sitting_leaves_one_revision(database: Database, write: Write, owner: Owner) -> None:
    note = await write("Plan", "first sitting")
    for n in range(3):
        note = await save(database, note, f"first sitting, save {n}", tags=["one"])
    assert await versions(database, note) == [4]
    await pass_time(owner, note, 9)
    note = await save(database, note, "first sitting, its end")
    assert await versions(database, note) == [5]
    await pass_time(owner, note, 11)
    note = await save(database, note, "second sitting", title="The plan", tags=["two"])
    note = await save(database, note, "second sitting, its end")
    assert await versions(database, note) == [7, 5]
    now, then = await listed(database, note)
    assert (then.title, then.tags, then.size, then.origin) == (
        "Plan",
        ("one",),
        len("first sitting, its end"),
        "person",
    )
    assert (now.title, now.tags, now.kept, now.body) == ("The plan", ("two",), False, "")
    assert now.at - then.at >= then.at - then.at
    assert await body(database, note, 5) == "first sitting, its end"
    assert await body(database, note, 7) == "second sitting, its end"
    with pytest.raises(NotFound):
        await body(database, note, 6)


async def test_a_save_that_throws_away_more_than_half_leaves_what_was(database: Database, write: Write) -> None:
    note = await write("Plan", "all that I wrote today. " * 20)
    note = await save(database, note, "")
    note = await save(database, note, "typed by mistake")
    assert await versions(database, note) == [3, 1]
    assert await body(database, note, 1) == "all that I wrote today. " * 20


async def test_a_past_version_comes_back_and_the_present_one_stays_in_the_history(
    database: Database, write: Write, owner: Owner
) -> None:
    note = await write("Plan", "one 🐈\n", tags=["a"], topic="Boats")
    await pass_time(owner, note, 60)
    note = await save(database, note, "two", title="Another", tags=["b"], topic=None)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        back = await revisions.restore(tx, LOCAL_OWNER, note.id, 1, note.version)
    assert (back.version, back.title, back.body, back.tags, back.topic, back.kind) == (
        3, "Plan", "one 🐈\n", ("a",), "Boats", "topic",
    )  # fmt: skip
    assert await versions(database, note) == [3, 2, 1]
    assert await body(database, note, 2) == "two"
    with pytest.raises(LostRace):
        async with database.transaction("app", LOCAL_OWNER) as tx:
            await revisions.restore(tx, LOCAL_OWNER, note.id, 1, 2)
    with pytest.raises(NotFound):
        async with database.transaction("app", LOCAL_OWNER) as tx:
            await revisions.restore(tx, LOCAL_OWNER, note.id, 99, 3)


async def test_a_title_from_the_body_is_restored_as_one(database: Database, write: Write, owner: Owner) -> None:
    note = await write("", "# Boats\n")
    await pass_time(owner, note, 60)
    note = await save(database, note, "# Ships\n", title="")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        back = await revisions.restore(tx, LOCAL_OWNER, note.id, 1, note.version)
    assert (back.title, back.titled) == ("Boats", False)


async def test_old_revisions_are_thinned_to_one_a_day_and_kept_ones_stay(
    database: Database, write: Write, owner: Owner
) -> None:
    note = await write("Plan", "v1")
    # Ages in hours, from a midnight 40 days ago: three of one day, two of the next, one of this week.
    for n, hours in enumerate([40 * 24 - 1, 40 * 24 - 2, 40 * 24 - 3, 39 * 24 - 1, 39 * 24 - 2, 48], start=2):
        await owner.execute(
            """UPDATE library.documents SET updated_at = date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
                   - %s * interval '1 hour' WHERE id = %s""",
            [hours, note.id],
        )
        note = await save(database, note, f"v{n}")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await revisions.keep(tx, LOCAL_OWNER, note.id, 2, True)
    assert await versions(database, note) == [7, 6, 5, 4, 3, 2, 1]
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await tidy(tx, LOCAL_OWNER)
        await tidy(tx, LOCAL_OWNER)
    assert await versions(database, note) == [7, 6, 5, 3, 2]
    assert [revision.kept for revision in await listed(database, note)] == [False, False, False, False, True]
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await revisions.keep(tx, LOCAL_OWNER, note.id, 2, False)
        await tidy(tx, LOCAL_OWNER)
    assert await versions(database, note) == [7, 6, 5, 3]


async def test_the_present_version_can_be_kept_though_the_sitting_goes_on(database: Database, write: Write) -> None:
    note = await write("Plan", "good")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await revisions.keep(tx, LOCAL_OWNER, note.id, 1, True)
    assert [(r.version, r.kept) for r in await listed(database, note)] == [(1, True)]
    note = await save(database, note, "worse")
    assert [(r.version, r.kept) for r in await listed(database, note)] == [(2, False), (1, True)]
    assert await body(database, note, 1) == "good"


async def test_a_new_sitting_has_the_old_ones_tidied_by_the_worker(cortex: Cortex, write: Write, owner: Owner) -> None:
    note = await write("Plan", "v1")
    await owner.execute(
        "INSERT INTO library.received (owner_id, change_id, at) VALUES (1, 'old', now() - interval '91 days')"
    )
    await owner.execute(
        "INSERT INTO library.received (owner_id, change_id, at) VALUES (1, 'new', now() - interval '89 days')"
    )
    await pass_time(owner, note, 60)
    await save(cortex.database, note, "v2")
    await cortex.drain()
    assert await count(owner, "library.received") == await count(owner, "library.received", "change_id = 'new'") == 1


async def test_nobody_else_sees_them(database: Database, write: Write, owner: Owner) -> None:
    note = await write("Plan", "v1")
    await pass_time(owner, note, 60)
    note = await save(database, note, "v2")
    verbs: list[Any] = [revisions.listed, lambda tx, o, n: revisions.get(tx, o, n, 1)]
    for verb in verbs:
        with pytest.raises(NotFound):
            async with database.transaction("app", 2) as tx:
                await verb(tx, 2, note.id)
