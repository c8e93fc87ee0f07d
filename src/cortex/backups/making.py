"""Making a backup where the settings, or a person, say; and noting what came of it."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path

from cortex.backups import record
from cortex.errors import Conflict, CortexError, Invalid
from cortex.settings import Settings
from cortex.storage.backup import Backup, Progress, make_backup, prepare_folder
from cortex.storage.folder import lacks_notebook
from cortex.storage.keeping import Kind, backup_name, backups_folder, keep_newest
from cortex.storage.opening import owner_connection

_NICE = 10


async def back_up(
    settings: Settings,
    to: str | None = None,
    kind: Kind = "asked",
    *,
    gentle: bool = False,
    progress: Progress = lambda what, done, total: None,
) -> Backup:
    """Make a backup beside whatever runs.

    Args:
        to: a folder, or a file that is not there yet and whose name ends in .zip; the settings' folder if None.
        kind: daily ones are cleared away but the newest `backup.keep`; no others ever.
        gentle: this process gives way to all others from then on.

    Raises:
        Invalid: there is no notebook, or the place cannot be written.
        Conflict: the file is there already.
        Upstream: the disk is full, or the database failed. Nothing is left of what was begun.
    """
    if settings.database_url is None and lacks_notebook(settings.data):
        raise Invalid(f"there is no notebook at {settings.data}, so there is nothing to back up", field="--data")
    try:
        target = await asyncio.to_thread(_target, settings, to, kind)
        async with owner_connection(settings) as connection:
            if gentle:
                os.nice(_NICE)  # only now: a database that was started by us keeps its own priority
            made = await make_backup(connection, settings, target, kind, progress=progress)
        if kind == "daily":
            await asyncio.to_thread(keep_newest, target.parent, kind, made.manifest.library, settings.backup.keep)
    except CortexError as error:
        if to is None:  # a place that was mistyped is no failure of the backups
            record.note_failed(settings.data, error.message)
        raise
    record.note_made(settings.data, made.path, made.size, daily=kind == "daily")
    return made


def usual_folder(settings: Settings) -> Path:
    """Where backups go if nobody says where."""
    return settings.backup.to or backups_folder(settings.data)


def _target(settings: Settings, to: str | None, kind: Kind) -> Path:
    if to is None:
        folder = usual_folder(settings)
        # A folder that was named is not made: where a disk is not mounted, its folder would be on another one.
        prepare_folder(folder, make=settings.backup.to is None)
        return folder / backup_name(kind, datetime.now(UTC))
    named = Path(to).expanduser().absolute()
    if named.is_dir() or to.endswith(os.sep):
        prepare_folder(named, make=False)
        return named / backup_name(kind, datetime.now(UTC))
    if named.suffix != ".zip":
        raise Invalid(f"{named} is no folder that is there; the name of a file ends in .zip", field="--to")
    if named.exists():
        raise Conflict(f"{named} is there already: name another file, or the folder", field="--to")
    prepare_folder(named.parent, make=False)
    return named
