"""What is put back is what was there: every row, right and wall; and nothing of a backup that does not fit."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.integration.storage.compared import fill, how_many, made, rows, url
from tests.integration.storage.rows import Owner, add_document, count
from tests.integration.storage.test_failures import small_disk  # noqa: F401
from tests.unit.storage.test_archive import rewritten

from cortex import jobs
from cortex.errors import Conflict, Invalid
from cortex.indexing.status import catch_up, status
from cortex.settings import Settings
from cortex.storage import Database, schema
from cortex.storage.restoring import restore


async def test_what_is_made_again_is_left_out_and_found_to_be_missing(
    owner: Owner, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    await fill(owner)
    await restore((await made(settings, tmp_path / "a.zip")).path, empty)
    for table in (
        "ai.indexed",
        "ai.passages",
        "ai.postings",
        "ai.title_postings",
        "ai.sentences",
        "ai.vectors_fast",
        "ai.vectors_deep",
    ):
        assert await how_many(url(settings), table) > 0
        assert await how_many(url(empty), table) == 0
    async with (
        Database({"app": url(empty), "ai": url(empty)}, set_role=True) as database,
        database.transaction("ai", 1) as tx,
    ):
        assert (await status(tx, 1)).waiting == 1
        assert await catch_up(tx, 1) == 1


async def test_numbers_that_were_given_are_not_given_again(
    owner: Owner, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    """A note that was deleted for good must not have its id, and with it old links, come to another one."""
    gone = await add_document(owner, 1, "gone")
    await owner.execute("DELETE FROM library.documents WHERE id = %s", [gone])
    await restore((await made(settings, tmp_path / "a.zip")).path, empty)
    async with await psycopg.AsyncConnection.connect(url(empty)) as connection:
        assert await add_document(connection, 1, "new") == gone + 1


async def test_jobs_come_back_into_the_queue(owner: Owner, settings: Settings, empty: Settings, tmp_path: Path) -> None:
    for unique in ("a", "b"):
        await jobs.enqueue(owner, "note", unique=unique, lock="one", owner_id=1)
    # One of them runs in a worker, and has a successor with the same mark; another one was given up.
    await owner.execute("INSERT INTO jobs.procrastinate_workers DEFAULT VALUES")
    await owner.execute(
        "UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = (SELECT max(id) FROM jobs.procrastinate_workers)"
        " WHERE queueing_lock = 'a'"
    )
    await jobs.enqueue(owner, "note", unique="a", lock="one", owner_id=1)
    await jobs.enqueue(owner, "broken", owner_id=1)
    await owner.execute("UPDATE jobs.procrastinate_jobs SET status = 'failed' WHERE task_name = 'broken'")
    await owner.execute(
        "INSERT INTO jobs.failures (job_id, reason) SELECT id, 'no luck' FROM jobs.procrastinate_jobs WHERE task_name = 'broken'"
    )

    await restore((await made(settings, tmp_path / "a.zip")).path, empty)
    ran = []

    async def note(owner_id: int) -> None:
        ran.append(owner_id)

    async with Database({"app": url(empty), "ai": url(empty)}, set_role=True) as database:
        state = await jobs.queue_state(database)
        assert (state.pending, state.running, state.failed, state.worker_alive) == (3, 0, 1, False)
        assert state.oldest_s is not None
        assert [job.reason for job in await jobs.failed(database)] == ["no luck"]
        assert await jobs.drain(database, {"note": note}) == 3
    assert ran == [1, 1, 1]


async def test_a_database_that_is_not_empty_is_not_touched(owner: Owner, settings: Settings, tmp_path: Path) -> None:
    backup = await made(settings, tmp_path / "a.zip")
    await add_document(owner, 1)
    before = await rows(url(settings))
    with pytest.raises(Conflict, match="holds a library already"):
        await restore(backup.path, settings)
    assert await rows(url(settings)) == before


def changed(path: Path, **manifest: Any) -> Path:
    """The backup with another manifest."""
    other = path.with_name("other.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, json.dumps({**json.loads(content), **manifest}) if name == "manifest.json" else content)
    return other


async def test_one_from_a_newer_cortex_is_refused_by_name(settings: Settings, empty: Settings, tmp_path: Path) -> None:
    backup = await made(settings, tmp_path / "a.zip")
    with pytest.raises(
        Conflict, match=r"made by Cortex 9\.9 with schema 999, and this version knows \d+: install that version"
    ):
        await restore(changed(backup.path, schema_number=999, cortex="9.9"), empty)
    with pytest.raises(Conflict, match="another build of Cortex"):
        await restore(changed(backup.path, migrations={**backup.manifest.migrations, 1: "other"}), empty)
    assert not empty.data.exists()


async def test_into_a_newer_version_it_is_migrated(
    owner: Owner, settings: Settings, empty: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(owner)
    backup = await made(settings, tmp_path / "a.zip")
    known = schema.migrations()
    later = schema.Migration(
        known[-1].number + 1,
        "later",
        "CREATE TABLE library.titles AS SELECT owner_id, id, upper(title) AS title FROM library.documents;"
        "ALTER TABLE library.documents DROP COLUMN url;",
    )
    monkeypatch.setattr(schema, "migrations", lambda: [*known, later])
    await restore(backup.path, empty)
    async with await psycopg.AsyncConnection.connect(url(empty)) as connection:
        assert (await schema.schema_state(connection)).is_current
        assert await count(connection, "library.titles", "title = 'TITLE'") == 2


@pytest.mark.parametrize(
    ("table", "content", "says"),
    [
        ("library.documents", b"owner_id\tid\n1\t1\n", "other columns"),
        ("library.tags", b"owner_id\tdocument_id\ttag\n1\tx\tt\n", "do not fit"),
        ("library.tags", b"owner_id\tdocument_id\ttag\n1\t12345\tt\n", "do not fit"),
        ("library.tags", b"owner_id\tdocument_id\ttag\n1\n", "do not fit"),
        ("library.tags", b"owner_id\tdocument_id\ttag\n", "holds 0 rows"),
        ("library.tags", b"", "other columns"),
        ("library.tags", b"owner_id\tdocument_id\ttag); DROP TABLE library.tags; --\n", "other columns"),
    ],
)
async def test_rows_that_do_not_fit_change_nothing(
    owner: Owner, settings: Settings, empty: Settings, tmp_path: Path, table: str, content: bytes, says: str
) -> None:
    """Sums that are right do not make a file good: somebody may have made them."""
    await fill(owner)
    backup = await made(settings, tmp_path / "a.zip")
    with pytest.raises(Invalid, match=says):
        await restore(rewritten(backup.path, lambda held: held.update({f"database/{table}.tsv": content})), empty)
    async with await psycopg.AsyncConnection.connect(url(empty)) as connection:
        assert (await schema.schema_state(connection)).applied == 0


async def test_files_that_are_there_already_are_not_touched(
    settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    """With an external database the data folder may hold a configuration, and attachments that another machine has put there."""
    for data, text in ((settings.data, "theirs"), (empty.data, "ours")):
        (data / "attachments").mkdir(parents=True)
        (data / "config.yaml").write_text(text)
        (data / "attachments" / "ab").write_text("the same")
    (settings.data / "attachments" / "cd").write_text("another")
    settings = settings.model_copy(update={"config": settings.data / "config.yaml"})
    restored = await restore((await made(settings, tmp_path / "a.zip")).path, empty)
    assert restored.skipped == ("attachments/ab", "config.yaml")
    assert (empty.data / "config.yaml").read_text() == "ours"
    assert (empty.data / "attachments" / "cd").read_text() == "another"
