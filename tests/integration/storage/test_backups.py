"""A backup is of one moment, whole or not there, and holds all that cannot be made again and nothing else."""

from __future__ import annotations

import asyncio
import itertools
import zipfile
from pathlib import Path

import psycopg
import pytest
from tests.integration.storage.compared import made, url
from tests.integration.storage.conftest import empty_database
from tests.integration.storage.rows import Owner, add_document, count
from tests.integration.storage.test_failures import small_disk  # noqa: F401

from cortex import jobs
from cortex.backups import back_up
from cortex.errors import Invalid, Upstream
from cortex.settings import Settings
from cortex.storage import Database, _tables, schema
from cortex.storage.archive import Archive
from cortex.storage.backup import make_backup, may_remove_files
from cortex.storage.embedded import Server
from cortex.storage.opening import embedded_login, owner_connection
from cortex.storage.restoring import restore


async def test_every_table_of_the_catalogue_is_kept_or_named_with_a_reason(owner: Owner) -> None:
    cursor = await owner.execute(_tables.TABLES.encode(), [list(_tables.SCHEMAS)])
    names = {row[0] for row in await cursor.fetchall()}
    kept = await _tables.kept_tables(owner)
    left_out = names - {table.name for table in kept}
    assert left_out == {
        *(
            "ai.indexed",
            "ai.passages",
            "ai.postings",
            "ai.sentences",
            "ai.title_postings",
            "ai.vectors_deep",
            "ai.vectors_fast",
        ),
        *("jobs.procrastinate_periodic_defers", "jobs.procrastinate_workers"),
    }
    assert [table.name for table in kept if table.name.startswith("library.")] != []
    for table in kept:
        for column in (column for column in table.columns if column.emptied):
            assert (table.name, column.name) == ("jobs.procrastinate_jobs", "worker_id"), (
                "it must be nullable: say so here"
            )


async def test_a_backup_beside_writers_is_of_one_moment(
    database: Database, owner: Owner, settings: Settings, server: Server, tmp_path: Path
) -> None:
    """Each writer's transaction touches three tables; in any backup all of it is there, or nothing."""
    stop = asyncio.Event()
    written = 0

    async def write(writer: int) -> None:
        nonlocal written
        for n in itertools.count():
            if stop.is_set():
                return
            async with database.transaction("app", 1) as tx:
                row = await (
                    await tx.execute(
                        "INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size)"
                        " VALUES (1, 'notes', %s, 't', %s, 'en', 'u', '', 1) RETURNING id",
                        [f"{writer}-{n}", "text " * 200],
                    )
                ).fetchone()
                assert row is not None
                await tx.execute("INSERT INTO library.tags VALUES (1, %s, 'tag')", [row["id"]])
                await jobs.enqueue(tx, "index", owner_id=1, document_id=row["id"])
                # And a move within one table: the number of titles stays what it is.
                await tx.execute(
                    "UPDATE library.documents SET version = version + 1 WHERE owner_id = 1 AND id = %s", [row["id"]]
                )
            written += 1

    writers = [asyncio.create_task(write(n)) for n in range(4)]
    backups = []
    for n in range(4):
        await asyncio.sleep(0.2)
        backups.append(await made(settings, tmp_path / f"{n}.zip"))
    stop.set()
    await asyncio.gather(*writers)
    counts = [backup.manifest.tables["library.documents"] for backup in backups]
    assert counts == sorted(set(counts)), "the writers went on meanwhile"
    assert written > counts[-1]
    for n, backup in enumerate(backups):
        login = await empty_database(server)
        await restore(backup.path, settings.model_copy(update={"database_url": login, "data": tmp_path / f"data{n}"}))
        async with await psycopg.AsyncConnection.connect(login) as connection:
            documents = await count(connection, "library.documents")
            assert documents == counts[n]
            assert await count(connection, "library.tags") == documents
            assert await count(connection, "library.documents", "version <> 2") == 0
            assert await count(connection, "jobs.procrastinate_jobs", "task_name = 'index'") == documents
            odd = "NOT EXISTS (SELECT FROM library.documents d WHERE d.id = (args->>'document_id')::bigint)"
            assert await count(connection, "jobs.procrastinate_jobs", odd) == 0


async def test_a_file_that_comes_with_its_row_while_a_backup_is_made_is_in_it(
    owner: Owner, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    """As attachments are stored: the file first, then its row. No row of a backup is without its file."""
    folder = settings.data / "attachments"
    folder.mkdir()
    stop = asyncio.Event()

    async def attach() -> None:
        async with await psycopg.AsyncConnection.connect(url(settings), autocommit=True) as connection:
            for n in itertools.count():
                if stop.is_set():
                    return
                (folder / f"{n:06d}").write_bytes(b"x" * 100)
                await connection.execute(
                    "INSERT INTO library.links SELECT 1, min(id), %s FROM library.documents", [f"{n:06d}"]
                )
                await asyncio.sleep(0)

    await add_document(owner, 1)
    attaching = asyncio.create_task(attach())
    await asyncio.sleep(0.3)
    backup = await made(settings, tmp_path / "a.zip")
    stop.set()
    await attaching
    await restore(backup.path, empty)
    async with await psycopg.AsyncConnection.connect(url(empty)) as connection:
        named = {row[0] for row in await (await connection.execute("SELECT target FROM library.links")).fetchall()}
    assert named
    assert named <= {path.name for path in (empty.data / "attachments").iterdir()}


async def test_files_are_not_removed_under_a_backup(
    database: Database, owner: Owner, settings: Settings, tmp_path: Path
) -> None:
    told: list[bool] = []

    async def look() -> None:
        async with database.transaction("app", 1) as tx:
            told.append(await may_remove_files(tx))

    await look()
    looks: list[asyncio.Task[None]] = []
    (settings.data / "attachments").mkdir()
    (settings.data / "attachments" / "a").touch()
    async with owner_connection(settings) as connection:
        progress = lambda what, done, total: looks.append(asyncio.ensure_future(look()))  # noqa: E731
        await make_backup(connection, settings, tmp_path / "a.zip", "asked", progress=progress)
        await asyncio.gather(*looks)
    await look()
    assert told[0]
    assert told[-1]
    assert not any(told[1:-1])


async def test_nothing_else_of_the_data_folder_is_in_it(settings: Settings, tmp_path: Path) -> None:
    for name in (
        ".env",
        "serve.lock",
        "backup.json",
        "attachments/.upload-1",
        "attachments/.tmp/x",
        "sources.d/a.txt",
        "backups/b.zip",
    ):
        (settings.data / name).parent.mkdir(exist_ok=True)
        (settings.data / name).write_text("SECRET")
    (settings.data / "attachments" / "link").symlink_to("/etc/passwd")
    (settings.data / "attachments" / "away").symlink_to("/etc", target_is_directory=True)
    backup = await made(settings, tmp_path / "a.zip")
    with zipfile.ZipFile(backup.path) as opened:
        assert [name for name in opened.namelist() if not name.startswith("database/")] == [
            "SHA256SUMS",
            "manifest.json",
        ]
    assert b"SECRET" not in backup.path.read_bytes()


async def test_daily_ones_are_cleared_away_and_others_are_not(settings: Settings) -> None:
    settings = settings.model_copy(update={"backup": settings.backup.model_copy(update={"keep": 2})})
    asked = await back_up(settings)
    dailies = []
    for _ in range(4):
        dailies.append((await back_up(settings, kind="daily")).path)
    folder = settings.data / "backups"
    assert sorted(folder.iterdir()) == sorted([asked.path, *dailies[2:]])
    assert folder.stat().st_mode & 0o777 == 0o700


async def test_a_disk_that_is_full(owner: Owner, settings: Settings, small_disk: Path) -> None:  # noqa: F811
    """Found out before, where sizes tell it, or in mid-writing; either way nothing is left of it."""
    (settings.data / "attachments").mkdir()
    big = settings.data / "attachments" / "big"
    with big.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(Upstream, match="too full"):
        await made(settings, small_disk / "a.zip")
    big.unlink()
    (small_disk / "ballast").write_bytes(b"x" * 59_000_000)
    await owner.execute(
        "INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size)"
        " SELECT 1, 'notes', n::text, 't', (SELECT string_agg(md5(n::text || m), '') FROM generate_series(1, 500) m), 'en', 'u', '', 1"
        " FROM generate_series(1, 1000) n"
    )
    with pytest.raises(Upstream, match="full"):
        await made(settings, small_disk / "a.zip")
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]


async def test_a_login_that_may_not_read_everything_is_told(
    settings: Settings, server: Server, database_name: str, tmp_path: Path
) -> None:
    settings = settings.model_copy(update={"database_url": embedded_login(server, "app", database_name)})
    with pytest.raises(Invalid, match="may not act as cortex_owner: run `GRANT cortex_owner TO"):
        await made(settings, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


async def test_the_manifest_says_what_it_is_of(settings: Settings, tmp_path: Path) -> None:
    first, second = await made(settings, tmp_path / "a.zip"), await made(settings, tmp_path / "b.zip")
    with Archive(first.path) as archive:
        assert archive.manifest == first.manifest
    assert first.manifest.library == second.manifest.library
    assert first.manifest.kind == "asked"
    assert first.manifest.schema_number == schema.migrations()[-1].number
    assert first.size == first.path.stat().st_size
