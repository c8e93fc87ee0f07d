"""Syncing folders into the library, on the real database."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.integration.sources.folders import Owner, configured, counts, documents, job_count, rows, run, write

from cortex.errors import Conflict, Invalid, Upstream
from cortex.library import LOCAL_OWNER, mirrors
from cortex.sources.listing import Item
from cortex.sources.sync import sync
from cortex.storage import Database


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    write(
        folder,
        {
            "2026/Q1/week-03-notes.md": "---\ntags: [work]\n---\n# Third week\n\nSee [[Kafka]].",
            "Topics/Kafka/consumers.md": "# Consumers\n\nA group shares partitions.",
            "随想.md": "今天没有日期。",
        },
    )
    return folder


async def test_a_folder_becomes_documents_and_a_job(database: Database, owner: Owner, vault: Path) -> None:
    report = await run(database, vault)
    assert counts(report) == (3, 0, 0, 0)
    assert (report.found, report.complete, report.ok, report.without_date) == (3, True, True, 2)
    found = await rows(
        owner, "SELECT external_id, title, kind, date, period, topic, lang, version FROM library.documents ORDER BY 1"
    )
    assert found == [
        ("2026/Q1/week-03-notes.md", "Third week", "weekly", dt.date(2026, 1, 12), 20261, None, "en", 1),
        ("Topics/Kafka/consumers.md", "Consumers", "topic", None, None, "Kafka", "en", 1),
        ("随想.md", "随想", "note", None, None, None, "zh", 1),
    ]
    assert await rows(owner, "SELECT tag FROM library.tags") == [("work",)]
    assert await rows(owner, "SELECT target FROM library.links") == [("kafka",)]
    jobs = await rows(owner, "SELECT task_name, args -> 'document_ids' FROM jobs.procrastinate_jobs")
    assert [name for name, _ in jobs] == ["index_documents"]
    assert sorted(jobs[0][1]) == sorted(number for number, _ in (await documents(owner)).values())


async def test_a_second_run_does_nothing(database: Database, owner: Owner, vault: Path) -> None:
    await run(database, vault)
    before, jobs = await documents(owner), await job_count(owner)
    assert counts(await run(database, vault)) == (0, 0, 0, 3)
    assert (await documents(owner), await job_count(owner)) == (before, jobs)


async def test_pitfall_4_a_new_time_or_line_ends_are_no_change(database: Database, owner: Owner, vault: Path) -> None:
    await run(database, vault)
    before, jobs = await documents(owner), await job_count(owner)
    os.utime(vault / "随想.md", ns=(1, 1))
    kafka = vault / "Topics/Kafka/consumers.md"
    kafka.write_bytes(kafka.read_bytes().replace(b"\n", b"\r\n"))
    assert counts(await run(database, vault)) == (0, 0, 0, 3)
    assert (await documents(owner), await job_count(owner)) == (before, jobs)
    times: dict[str, int] = dict(await rows(owner, "SELECT external_id, mtime_ns FROM library.documents"))
    assert times["随想.md"] == 1  # remembered, so that it is not read again


async def test_an_edit_and_a_deletion(database: Database, owner: Owner, vault: Path) -> None:
    await run(database, vault)
    before, jobs = await documents(owner), await job_count(owner)
    write(vault, {"2026/Q1/week-03-notes.md": "---\ntags: [home]\n---\n# Third week\n\nSee [[Redis]]."})
    (vault / "随想.md").unlink()
    assert counts(await run(database, vault)) == (0, 1, 1, 1)
    after = await documents(owner)
    week = before["2026/Q1/week-03-notes.md"]
    assert after == {
        "2026/Q1/week-03-notes.md": (week[0], week[1] + 1),
        "Topics/Kafka/consumers.md": before["Topics/Kafka/consumers.md"],
    }
    assert await rows(owner, "SELECT tag FROM library.tags") == [("home",)]
    assert await rows(owner, "SELECT target FROM library.links") == [("redis",)]
    assert await job_count(owner) == jobs + 1


@pytest.mark.parametrize("new", ["Topics/Redis/consumers.md", "renamed.md", "topics/kafka/CONSUMERS.md"])
async def test_pitfall_12_a_renamed_file_stays_the_same_document(
    database: Database, owner: Owner, vault: Path, new: str
) -> None:
    await run(database, vault)
    before = await documents(owner)
    (vault / new).parent.mkdir(parents=True, exist_ok=True)
    (vault / "Topics/Kafka/consumers.md").rename(vault / new)
    assert counts(await run(database, vault)) == (0, 1, 0, 2)
    after = await documents(owner)
    assert len(after) == 3
    assert after[new][0] == before["Topics/Kafka/consumers.md"][0]
    placed = await rows(owner, "SELECT topic, url FROM library.documents WHERE external_id = %s", new)
    assert placed == [({"Topics": "Redis", "topics": "kafka"}.get(new.split("/")[0]), f"file://{vault}/{new}")]


async def test_pitfall_12_a_moved_folder_stays_the_same_documents(
    database: Database, owner: Owner, vault: Path
) -> None:
    write(vault, {f"old/{n}.md": f"note {n}" for n in range(60)})
    await run(database, vault)
    before = {number for number, _ in (await documents(owner)).values()}
    (vault / "old").rename(vault / "new")
    assert counts(await run(database, vault)) == (0, 60, 0, 3)
    after = await documents(owner)
    assert {number for number, _ in after.values()} == before
    assert not any(name.startswith("old/") for name in after)


async def test_pitfall_12_deleted_and_made_again(database: Database, owner: Owner, vault: Path) -> None:
    await run(database, vault)
    text = (vault / "随想.md").read_text()
    (vault / "随想.md").unlink()
    assert counts(await run(database, vault)) == (0, 0, 1, 2)
    write(vault, {"随想.md": text})
    assert counts(await run(database, vault)) == (1, 0, 0, 2)
    assert len(await documents(owner)) == 3


async def test_two_files_that_swap_their_names(database: Database, owner: Owner, vault: Path) -> None:
    write(vault, {"a.md": "text a", "b.md": "text b"})
    await run(database, vault)
    write(vault, {"a.md": "text b", "b.md": "text a, longer"})
    assert counts(await run(database, vault)) == (0, 2, 0, 3)
    found = await rows(
        owner, "SELECT external_id, text FROM library.documents WHERE external_id IN ('a.md', 'b.md') ORDER BY 1"
    )
    assert found == [("a.md", "text b"), ("b.md", "text a, longer")]


async def test_one_bad_file_is_reported_and_passed_over(database: Database, owner: Owner, vault: Path) -> None:
    (vault / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    report = await run(database, vault)
    assert counts(report) == (3, 0, 0, 0)
    assert [item.item for item in report.failed] == ["broken.pdf"]
    assert report.complete
    assert not report.ok


async def test_an_item_that_the_database_refuses_fails_alone(
    database: Database, owner: Owner, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upsert = mirrors.upsert

    async def refuse(tx: Any, owner_id: int, source: str, items: Sequence[mirrors.Incoming]) -> set[str]:
        done = await upsert(tx, owner_id, source, items)
        if any(item.external_id == "随想.md" for item in items):
            raise Invalid("cannot be stored: too odd")
        return done

    monkeypatch.setattr(mirrors, "upsert", refuse)
    report = await run(database, vault)
    assert counts(report) == (2, 0, 0, 0)
    assert report.failed == [Item("随想.md", "cannot be stored: too odd")]
    assert len(await documents(owner)) == 2


async def test_an_unmounted_folder_deletes_nothing(database: Database, owner: Owner, vault: Path) -> None:
    await run(database, vault)
    before = await documents(owner)
    shutil.move(vault, vault.with_name("elsewhere"))
    report = await run(database, vault)
    assert (report.found, report.complete, report.ok) == (0, False, False)
    assert "is not there" in (report.problem or "")
    vault.mkdir()
    report = await run(database, vault)
    assert (report.complete, report.deleted) == (False, 0)
    assert "--allow-deletes" in (report.problem or "")
    assert await documents(owner) == before
    assert (await run(database, vault, allow_deletes=True)).deleted == 3


async def test_y3_a_sudden_loss_deletes_nothing_until_allowed(database: Database, owner: Owner, vault: Path) -> None:
    write(vault, {f"many/{n}.md": f"note {n}" for n in range(40)})
    await run(database, vault)
    shutil.rmtree(vault / "many")
    report = await run(database, vault)
    assert "40 of 43" in (report.problem or "")
    assert not report.ok
    assert len(await documents(owner)) == 43
    assert counts(await run(database, vault, allow_deletes=True)) == (0, 0, 40, 3)


async def test_a_subfolder_that_cannot_be_listed_deletes_nothing(
    database: Database, owner: Owner, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run(database, vault)
    (vault / "随想.md").unlink()
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).rstrip("/").endswith("Topics"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    report = await run(database, vault)
    assert (counts(report), report.complete) == ((0, 0, 0, 1), False)
    assert report.failed == [Item("Topics", "cannot be listed: Permission denied")]
    monkeypatch.undo()
    assert counts(await run(database, vault)) == (0, 0, 1, 2)


async def test_y3_a_file_whose_bytes_went_to_the_cloud_keeps_its_document(
    database: Database, owner: Owner, vault: Path
) -> None:
    await run(database, vault)
    (vault / "随想.md").unlink()
    write(vault, {".随想.md.icloud": "pointer"})
    report = await run(database, vault)
    assert (counts(report), report.ok) == ((0, 0, 0, 2), True)
    assert report.skipped == [Item("随想.md", "not downloaded")]
    assert len(await documents(owner)) == 3


async def test_one_source_in_trouble_does_not_stop_the_others(
    database: Database, owner: Owner, vault: Path, tmp_path: Path
) -> None:
    first, second = await sync(database, LOCAL_OWNER, configured(tmp_path / "missing", vault))
    assert (first.ok, second.ok, second.added) == (False, True, 3)


async def test_y4_a_source_off_the_list_is_kept_for_30_days(
    database: Database, owner: Owner, vault: Path, tmp_path: Path
) -> None:
    await run(database, vault)
    other = tmp_path / "other"
    write(other, {"x.md": "x"})
    await sync(database, LOCAL_OWNER, configured(other))
    assert await rows(owner, "SELECT unnest(library.open_sources(1)) ORDER BY 1") == [("notes",), ("other",)]
    before = await documents(owner)
    assert len(before) == 3
    report = (await sync(database, LOCAL_OWNER, configured(other, vault), ["vault"]))[0]
    assert counts(report) == (0, 0, 0, 3)
    assert await documents(owner) == before
    await sync(database, LOCAL_OWNER, configured(other))
    await owner.execute("UPDATE library.sources SET unlisted_at = now() - interval '31 days' WHERE name = 'vault'")
    await sync(database, LOCAL_OWNER, configured(other))
    assert await documents(owner) == {}
    assert await rows(owner, "SELECT name FROM library.sources ORDER BY 1") == [("notes",), ("other",)]


async def test_two_runs_at_once_are_a_conflict(database: Database, owner: Owner, vault: Path) -> None:
    taken = await database.connect("app")
    assert await mirrors.lock(taken, LOCAL_OWNER, "vault")
    with pytest.raises(Conflict, match="vault is being synced"):
        await run(database, vault)
    await taken.close()
    for attempt in range(50):  # the server lets go a moment after the connection closed
        try:
            assert (await run(database, vault)).added == 3
            return
        except Conflict:
            await asyncio.sleep(0.02 * attempt)
    pytest.fail("the lock outlived its connection")


async def test_a_dry_run_counts_and_changes_nothing(database: Database, owner: Owner, vault: Path) -> None:
    report = await run(database, vault, dry_run=True)
    assert (counts(report), report.without_date) == ((3, 0, 0, 0), 2)
    assert await rows(owner, "SELECT name FROM library.sources") == [("notes",)]
    await run(database, vault)
    before, jobs = await documents(owner), await job_count(owner)
    write(vault, {"new.md": "new", "Topics/Kafka/consumers.md": "edited"})
    (vault / "随想.md").rename(vault / "moved.md")
    (vault / "2026/Q1/week-03-notes.md").unlink()
    assert counts(await run(database, vault, dry_run=True)) == (1, 2, 1, 0)
    assert (await documents(owner), await job_count(owner)) == (before, jobs)
    assert counts(await run(database, vault)) == (1, 2, 1, 0)


async def test_pitfall_10_a_run_that_is_cut_off_goes_on_where_it_stopped(
    database: Database, owner: Owner, vault: Path
) -> None:
    write(vault, {f"many/{n:03}.md": f"note {n}" for n in range(147)})
    steps: list[int] = []
    report = await run(
        database,
        vault,
        progress=lambda source, done, total: steps.append(done),
        cancelled=lambda: bool(steps and steps[-1] >= 50),
    )
    assert (report.added, report.complete) == (50, False)
    assert "cancelled" in (report.problem or "")
    assert len(await documents(owner)) == 50
    assert counts(await run(database, vault)) == (100, 0, 0, 50)
    assert len(await documents(owner)) == 150
    assert await job_count(owner) == 3


@pytest.mark.parametrize(
    "failure", [psycopg.errors.DiskFull("could not extend file"), psycopg.OperationalError("server closed")]
)
async def test_pitfall_46_a_full_disk_leaves_nothing_half_done(
    database: Database, owner: Owner, vault: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    write(vault, {f"many/{n:03}.md": f"note {n}" for n in range(97)})
    calls: list[int] = []
    record = mirrors._enqueue

    async def fill(tx: Any, owner_id: int, ids: Sequence[int]) -> None:
        calls.append(len(ids))
        if len(calls) == 2:
            raise failure
        await record(tx, owner_id, ids)

    monkeypatch.setattr(mirrors, "_enqueue", fill)
    with pytest.raises(Upstream):
        await run(database, vault)
    assert (len(await documents(owner)), await job_count(owner)) == (50, 1)
    monkeypatch.undo()
    assert counts(await run(database, vault)) == (50, 0, 0, 50)


async def test_pitfall_46_a_read_only_database_is_a_clear_error(
    database: Database, owner: Owner, database_name: str, vault: Path
) -> None:
    await owner.execute(f"ALTER DATABASE {database_name} SET default_transaction_read_only = on".encode())
    with pytest.raises(Upstream, match="read-only"):
        await run(database, vault)


async def test_a_source_that_is_not_listed_does_not_exist(database: Database, vault: Path) -> None:
    with pytest.raises(Invalid, match="there is no source 'drive'; listed are: vault"):
        await sync(database, LOCAL_OWNER, configured(vault), ["drive"])
    with pytest.raises(Invalid, match="layout"):
        await sync(database, LOCAL_OWNER, configured(vault, layout="{yaer}"))


async def test_another_layout_places_every_file_again(database: Database, owner: Owner, vault: Path) -> None:
    write(vault, {"Projects/Apollo/x.md": "x"})
    await run(database, vault)
    (report,) = await sync(database, LOCAL_OWNER, configured(vault, layout="Projects/{topic}/**"))
    assert counts(report) == (0, 1, 0, 3)
    assert await rows(owner, "SELECT topic FROM library.documents WHERE external_id = 'Projects/Apollo/x.md'") == [
        ("Apollo",)
    ]
    (report,) = await sync(database, LOCAL_OWNER, configured(vault, layout="Projects/{topic}/**"))
    assert counts(report) == (0, 0, 0, 4)


async def test_owners_do_not_meet(database: Database, owner: Owner, vault: Path) -> None:
    await owner.execute("INSERT INTO accounts.users (owner_id, name) VALUES (7, 'seven')")
    await run(database, vault)
    (report,) = await sync(database, 7, configured(vault))
    assert counts(report) == (3, 0, 0, 0)
    assert await rows(owner, "SELECT owner_id, count(*) FROM library.documents GROUP BY 1 ORDER BY 1") == [
        (1, 3),
        (7, 3),
    ]


async def test_the_number_of_statements_does_not_grow_with_unchanged_files(
    database: Database, owner: Owner, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def statements() -> int:
        seen = 0
        execute = psycopg.AsyncConnection.execute

        async def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal seen
            seen += 1
            return await execute(self, *args, **kwargs)

        with monkeypatch.context() as patch:
            patch.setattr(psycopg.AsyncConnection, "execute", counted)
            await run(database, vault)
        return seen

    await run(database, vault)
    few = await statements()
    write(vault, {f"many/{n}.md": f"note {n}" for n in range(300)})
    await run(database, vault)
    assert await statements() == few


async def test_progress_is_told_after_the_listing_and_each_batch(database: Database, vault: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    await run(database, vault, progress=lambda *step: steps.append(step))
    assert steps == [("vault", 0, 3), ("vault", 3, 3)]


@pytest.mark.parametrize(("vault_name", "files"), [("shawn-weekly", 44), ("cs-self-learning", 270)])
async def test_real_vaults_add_up(database: Database, owner: Owner, shared: Path, vault_name: str, files: int) -> None:
    folder = shared / "data" / "vaults" / vault_name
    if not folder.is_dir():
        pytest.skip(f"no {vault_name}")
    settings = configured(folder, include=("**/*.md",))
    (report,) = await sync(database, LOCAL_OWNER, settings)
    assert (report.found, report.added, report.ok) == (files, files, True)
    (report,) = await sync(database, LOCAL_OWNER, settings)
    assert counts(report) == (0, 0, 0, files)
