"""Puts a backup back: into a data folder that is built beside its place and moved there whole, or into an empty external database.

The schema is made by this version's own migrations, as far as the backup's had come; then its rows go in; then the later
migrations run. So roles, grants and policies are those of every other library, whatever the backup's database had.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from cortex.errors import Conflict, Invalid
from cortex.settings import Settings
from cortex.storage import _rows, schema
from cortex.storage._errors import readable_errors
from cortex.storage._place import Place
from cortex.storage._tables import kept_tables
from cortex.storage.archive import Archive, Manifest
from cortex.storage.embedded import Server
from cortex.storage.folder import folder_error, prepare_folder
from cortex.storage.opening import connect_owner, owner_connection, prepare_embedded

Connection = psycopg.AsyncConnection[Any]
Progress = Callable[[str, int, int], None]

_FILE_MODE, _FOLDER_MODE = 0o600, 0o700


@dataclass(frozen=True)
class Restored:
    """What was put back; `aside` is where the folder went that was there before, `skipped` names files that were there already."""

    manifest: Manifest
    data: Path
    aside: Path | None = None
    skipped: tuple[str, ...] = ()


async def restore(
    file: Path, settings: Settings, *, replace: bool = False, progress: Progress = lambda what, done, total: None
) -> Restored:
    """Put a backup into the data folder of the settings, which holds nothing yet, or into the empty database of DATABASE_URL.

    Args:
        replace: move a folder that holds something aside.

    Raises:
        Invalid: the backup is damaged or none; nothing was touched.
        Conflict: it is from a newer Cortex, or there is something in the place, or somebody uses it.
        Upstream: the disk or the database failed; the place is as it was.
    """
    with Archive(file) as archive:
        progress("checking", 0, 1)
        sizes = await asyncio.to_thread(archive.check)
        _check_version(archive.manifest)
        if settings.database_url is not None:
            return await _into_external(archive, sizes, settings, progress)
        place = Place(settings.data.resolve(), settings.postgres_version)
        place.check(replace=replace)
        with place.building(sum(sizes.values())) as folder:
            await asyncio.to_thread(_write_files, archive, sizes, folder)
            await _into_embedded(archive, Server(folder, settings.postgres_version), progress)
            await asyncio.to_thread(os.sync)
            aside = place.take(replace=replace)
        return Restored(archive.manifest, settings.data, aside)


def _check_version(manifest: Manifest) -> None:
    known = {migration.number: migration.sha256 for migration in schema.migrations()}
    newest = max(known)
    if manifest.schema_number > newest:
        raise Conflict(
            f"the backup was made by Cortex {manifest.cortex} with schema {manifest.schema_number}, and this version knows {newest}: "
            "install that version, or a later one, and restore with it"
        )
    if manifest.migrations != {n: digest for n, digest in known.items() if n <= manifest.schema_number}:
        raise Conflict(
            f"the backup was made by another build of Cortex {manifest.cortex}, whose schema differs from this one's: "
            "restore it with that build"
        )


async def _into_embedded(archive: Archive, server: Server, progress: Progress) -> None:
    await asyncio.to_thread(server.attach)
    try:
        with readable_errors():
            await prepare_embedded(server, up_to=0)
            async with await connect_owner(server) as connection:
                await _load(connection, archive, progress)
    finally:
        await asyncio.to_thread(server.release)


async def _into_external(
    archive: Archive, sizes: Mapping[str, int], settings: Settings, progress: Progress
) -> Restored:
    async with owner_connection(settings, prepare=True) as connection:
        if (await schema.schema_state(connection)).applied:
            raise Conflict(
                "the database of DATABASE_URL holds a library already: make an empty one and name that",
                field="DATABASE_URL",
            )
        prepare_folder(settings.data, None)
        skipped = await asyncio.to_thread(_write_files, archive, sizes, settings.data)
        await _load(connection, archive, progress)
    return Restored(archive.manifest, settings.data, skipped=tuple(skipped))


async def _load(connection: Connection, archive: Archive, progress: Progress) -> None:
    """All of the schema and all rows, or nothing."""
    manifest = archive.manifest
    async with connection.transaction():
        await schema.apply_migrations(connection, up_to=manifest.schema_number)
        tables = await kept_tables(connection)
        if {table.name for table in tables} != set(manifest.tables):
            raise Invalid(
                f"{archive.path} does not hold the tables that its schema has: take another one", field="FILE"
            )
        await connection.execute(_rows.SAME_TEXT.encode())
        await _rows.switch_triggers(connection, tables, on=False)
        await _rows.empty(connection, tables)
        for done, table in enumerate(tables):
            progress("rows", done, len(tables))
            rows = await _rows.copy_in(connection, table, _pieces(archive, f"database/{table.name}.tsv"))
            if rows != manifest.tables[table.name]:
                raise Invalid(
                    f"{archive.path} holds {rows} rows of {table.name}, not {manifest.tables[table.name]}", field="FILE"
                )
        await _rows.set_sequences(connection, tables, manifest.sequences)
        await connection.execute(_rows.RELEASE_JOBS)
        await connection.execute(_rows.MAKE_SPACES)
        await _rows.switch_triggers(connection, tables, on=True)
        await schema.apply_migrations(connection)
        await connection.execute(_rows.OTHER_FEEDS)
    await connection.execute("ANALYZE")


async def _pieces(archive: Archive, name: str) -> AsyncIterator[bytes]:
    for piece in archive.read(name):
        yield piece


def _write_files(archive: Archive, names: Mapping[str, int], folder: Path) -> list[str]:
    """Attachments and configuration; returns those that were there already, which are not touched."""
    skipped = []
    for name in (name for name in names if not name.startswith("database/")):
        try:
            _write_file(folder / name, archive.read(name))
        except FileExistsError:
            skipped.append(name)
        except OSError as error:
            raise folder_error(folder, error) from error
    return skipped


def _write_file(path: Path, pieces: Iterator[bytes]) -> None:
    path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        for piece in pieces:
            file.write(piece)
