"""Makes a backup: the rows of one moment, then the files of attachments, then the configuration, in one file.

It is made beside a running Cortex and stops nobody. Rows come first: a file is on the disk before the row that names it is
committed, so no row of the snapshot lacks its file; what removes files asks `may_remove_files` first.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from cortex import __version__
from cortex.errors import Invalid
from cortex.logs import get
from cortex.settings import Settings
from cortex.storage import _rows, schema
from cortex.storage._tables import kept_tables
from cortex.storage.archive import PIECE, Manifest, Writer, may_be_member
from cortex.storage.keeping import (
    Kind,
    backup_name,
    backups_folder,
    check_room,
    clear_partial,
    folder_trouble,
    keep_newest,
    new_file,
)

_log = get(__name__)

LOCK = 0x6261636B7570  # "backup": shared by backups, so that no file goes while one reads them

KEEP_BEFORE = 3
"""How many backups before a migration are kept."""

ATTACHMENTS = "attachments"

TAKE_LOCK = "SELECT pg_advisory_lock_shared(%s)"
DROP_LOCK = "SELECT pg_advisory_unlock_shared(%s)"
TRY_LOCK = "SELECT pg_try_advisory_xact_lock(%s) AS free"

# Copies of a data folder aside, no two databases have the same: neither does one that was restored.
LIBRARY = """
    SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid FROM pg_database
    WHERE datname = current_database()
"""

# What the rows take on the disk of the database, which is more than they take in a backup.
SIZE = "SELECT coalesce(sum(pg_table_size(name::regclass)), 0)::bigint FROM unnest(%s::text[]) name"

Connection = psycopg.AsyncConnection[Any]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Backup:
    """A backup that was made."""

    path: Path
    size: int
    manifest: Manifest


async def may_remove_files(tx: Connection) -> bool:
    """Whether files of attachments may be removed in this transaction: not while a backup may be about to read them."""
    row = await (await tx.execute(TRY_LOCK, [LOCK])).fetchone()
    return bool(row["free"] if isinstance(row, dict) else row and row[0])


async def library_mark(connection: Connection) -> str:
    """What tells this database from every other."""
    return hashlib.sha256(str(await _value(connection, LIBRARY)).encode()).hexdigest()[:16]


async def make_backup(
    connection: Connection,
    settings: Settings,
    target: Path,
    kind: Kind,
    *,
    migrating: bool = False,
    progress: Progress = lambda what, done, total: None,
) -> Backup:
    """Write a backup of everything to `target`, a file that is not there yet.

    Args:
        connection: to the library as cortex_owner, in autocommit; of its own, for the lock that it takes.
        migrating: the caller holds the lock of migrations; else it is waited for.

    Raises:
        Invalid, Upstream: as `new_file` says. Nothing is left of what was written.
    """
    state = await schema.schema_state(connection)
    if state.applied > state.known:
        state.check()
    await connection.execute(TAKE_LOCK, [LOCK])
    await _check_room(connection, settings.data, target.parent)
    with new_file(target) as new:
        writer = Writer(new.file)
        try:
            made_at = datetime.now(UTC).replace(microsecond=0)
            counts, numbers, applied = await _write_rows(connection, writer, progress, migrating=migrating)
            files = await _write_files(writer, settings, progress)
            manifest = writer.finish(
                Manifest(
                    cortex=__version__,
                    schema_number=max(applied),
                    migrations=applied,
                    made_at=made_at,
                    kind=kind,
                    library=await library_mark(connection),
                    tables=counts,
                    sequences=numbers,
                    attachments=files,
                )
            )
            size = new.file.tell()
        except BaseException:
            writer.abandon()
            raise
    return Backup(new.path, size, manifest)


async def back_up_before_migrating(
    connect: Callable[[], Awaitable[Connection]], settings: Settings, state: schema.SchemaState
) -> Backup:
    """A backup in the data folder before a migration of a database that has one behind it; the newest few are kept."""
    folder = backups_folder(settings.data)
    prepare_folder(folder)
    target = folder / backup_name("before", datetime.now(UTC), state.applied + 1)
    async with await connect() as connection:
        made = await make_backup(connection, settings, target, "before", migrating=True)
        await asyncio.to_thread(keep_newest, folder, "before", made.manifest.library, KEEP_BEFORE)
    _log.info("a backup was made before the database is brought up to date", file=str(made.path), size=made.size)
    return made


def prepare_folder(folder: Path, *, make: bool = True) -> None:
    """Have the folder there, private, and free of what killed backups left.

    Raises:
        Invalid: it is not there and is not to be made, or not to be written.
    """
    try:
        if make:
            folder.mkdir(mode=0o700, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, "not writable") if folder.is_dir() else FileNotFoundError(2, "not there")
        clear_partial(folder)
    except OSError as error:
        raise folder_trouble(folder, error) from error


async def _check_room(connection: Connection, data: Path, folder: Path) -> None:
    rows = int(await _value(connection, SIZE, [[table.name for table in await kept_tables(connection)]]))
    files = sum(path.stat().st_size for path, _ in _attachments(data))
    try:
        check_room(folder, rows // 2 + files)
    except OSError as error:
        raise folder_trouble(folder, error) from error


async def _write_rows(
    connection: Connection, writer: Writer, progress: Progress, *, migrating: bool
) -> tuple[dict[str, int], _rows.Sequences, dict[int, str]]:
    """The rows of one moment; how many there are of each table, the numberings, and the migrations that are applied."""
    counts: dict[str, int] = {}
    if not migrating:  # no table comes or goes between reading which there are and locking them
        await connection.execute(TAKE_LOCK, [schema.LOCK])
    await connection.execute(_rows.SNAPSHOT)
    try:
        await connection.execute(_rows.ALL_ROWS)
        await connection.execute(_rows.SAME_TEXT.encode())
        tables = await kept_tables(connection)
        await _rows.lock(connection, tables)
        applied = await schema.read_applied(connection)
        if not migrating:
            await connection.execute(DROP_LOCK, [schema.LOCK])
        for done, table in enumerate(tables):
            progress("rows", done, len(tables))
            lines = -1  # the heading
            with writer.member(f"database/{table.name}.tsv", deflated=True) as write:
                async for piece in _rows.copy_out(connection, table):
                    lines += piece.count(b"\n")
                    write(piece)
            counts[table.name] = lines
        numbers = await _rows.sequences(connection, tables)
    finally:
        if not connection.closed:
            await connection.execute("ROLLBACK")
    return counts, numbers, applied


async def _write_files(writer: Writer, settings: Settings, progress: Progress) -> int:
    """Attachments and configuration; returns how many attachments. A file that goes away meanwhile was not in use."""
    found = list(_attachments(settings.data))
    written = 0
    for done, (path, name) in enumerate(found):
        progress("attachments", done, len(found))
        written += await _write_file(writer, path, name)
    if settings.config is not None:
        await _write_file(writer, settings.config, "config.yaml")
    beside = (settings.config or settings.data / "config.yaml").parent / "sources.d"
    for path in sorted(beside.glob("*.yaml")):
        if may_be_member(f"sources.d/{path.name}"):
            await _write_file(writer, path, f"sources.d/{path.name}")
    return written


async def _write_file(writer: Writer, path: Path, name: str) -> bool:
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Invalid(f"{path} cannot be read, so there is no backup: {error.strerror}", field=str(path)) from error
    with file, writer.member(name) as write:
        while piece := file.read(PIECE):
            write(piece)
            await asyncio.sleep(0)  # so that a stop is heard between two pieces
    return True


def _attachments(data: Path) -> Iterator[tuple[Path, str]]:
    """The files of attachments and their names in a backup. Links are not followed; files that begin with a dot are in the making."""
    for parent, folders, files in os.walk(data / ATTACHMENTS):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(files):
            path = Path(parent, file)
            name = path.relative_to(data).as_posix()
            if not file.startswith(".") and may_be_member(name) and path.is_file() and not path.is_symlink():
                yield path, name


async def _value(connection: Connection, query: str, parameters: list[Any] | None = None) -> Any:
    async with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        await cursor.execute(query.encode(), parameters)
        row = await cursor.fetchone()
    assert row is not None
    return row[0]
