"""Backups as files in a folder: named by their time, complete under their name or not there, and cleared away by rule.

Only files that this library's own Cortex wrote are ever removed, and of those only the kinds that it may.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Literal

from cortex.errors import CortexError, Invalid, Upstream
from cortex.storage.archive import Archive

Kind = Literal["asked", "daily", "before"]
"""Made when a person said so; by the worker, one a day; before a migration. The first is never removed."""

NAMES: dict[Kind, re.Pattern[str]] = {
    "asked": re.compile(r"cortex-\d{8}T\d{6}Z(-\d+)?\.zip"),
    "daily": re.compile(r"cortex-daily-\d{8}T\d{6}Z(-\d+)?\.zip"),
    "before": re.compile(r"before-\d{4}-\d{8}T\d{6}Z(-\d+)?\.zip"),
}
_TIME = re.compile(r"(\d{8}T\d{6}Z)(-\d+)?\.zip$")
_PARTIAL = re.compile(r"\.cortex-[0-9a-f]{16}\.partial")
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
_ROOM = 100_000_000
"""Bytes that a backup leaves free (a twentieth of a small disk): a database whose disk is full stops."""


@dataclass
class NewFile:
    """A backup that is being written; `path` is what it will be called."""

    file: IO[bytes]
    path: Path


def backups_folder(data: Path) -> Path:
    """Where backups go if nobody names another folder."""
    return data / "backups"


def backup_name(kind: Kind, at: datetime, number: int = 0) -> str:
    """A name by which files sort by time; `number` is of the first migration that is to come, for the kind `before`."""
    prefix = {"asked": "cortex", "daily": "cortex-daily", "before": f"before-{number:04d}"}[kind]
    return f"{prefix}-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}.zip"


@contextmanager
def new_file(path: Path) -> Iterator[NewFile]:
    """Write a file that has its name only when it is complete and on the disk; a name that is taken gets a number.

    Whatever happens before, nothing is there under that name.

    Raises:
        Invalid: the folder is not there, or may not be written.
        Upstream: its disk is full, read-only or broken.
    """
    partial = path.parent / f".cortex-{os.urandom(8).hex()}.partial"
    try:
        descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
            with suppress(OSError):  # a file system without locks: what a killed process left stays there
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            new = NewFile(file, path)
            yield new
            file.flush()
            os.fsync(descriptor)
            new.path = _publish(partial, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise folder_trouble(path.parent, error) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def clear_partial(folder: Path) -> None:
    """Remove what killed backups left: files that no live process holds."""
    for path in folder.iterdir():
        if not _PARTIAL.fullmatch(path.name):
            continue
        with suppress(OSError):
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(descriptor)


def keep_newest(folder: Path, kind: Kind, library: str, keep: int) -> list[Path]:
    """Remove this library's backups of a kind but the newest `keep`; returns those removed.

    A file is one of them if its name, its manifest's kind and its manifest's library say so: anything else stays.
    """
    ours = sorted((path for path in folder.iterdir() if _is_ours(path, kind, library)), key=_when, reverse=True)
    for path in ours[keep:]:
        path.unlink(missing_ok=True)
    return ours[keep:]


def check_room(folder: Path, needed: int, what: str = "a backup") -> None:
    """Raises Upstream unless `needed` bytes fit on the folder's disk, with some room left for the database."""
    disk = shutil.disk_usage(folder)
    if disk.free - needed < min(_ROOM, disk.total // 20):
        raise Upstream(
            f"the disk that holds {folder} is too full: {what} needs about {needed / 1e6:,.0f} MB there, and "
            f"{disk.free / 1e6:,.0f} MB are free; free some space, or name another folder"
        )


def folder_trouble(folder: Path, error: OSError) -> CortexError:
    """What an operating system error on a folder for backups means for a person."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return Upstream(f"the disk that holds {folder} is full: free some space, or name another folder")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Invalid(f"the folder {folder} for backups is not there (is its disk mounted?): make it, or name another")
    if error.errno in (errno.EACCES, errno.EPERM):
        return Invalid(f"the folder {folder} for backups may not be written by this user: change that, or name another")
    return Upstream(f"no backup could be written to {folder}: {error.strerror or error}")


def _when(path: Path) -> tuple[str, int]:
    found = _TIME.search(path.name)
    return found[1] if found else "", path.stat().st_mtime_ns  # two of one second by when they were written


def _is_ours(path: Path, kind: Kind, library: str) -> bool:
    if not NAMES[kind].fullmatch(path.name) or path.is_symlink() or not path.is_file():
        return False
    try:
        with Archive(path) as archive:
            return archive.manifest.kind == kind and archive.manifest.library == library
    except CortexError:
        return False


def _publish(partial: Path, path: Path) -> Path:
    """Give the file its name, or the next one that is free; never over another file."""
    number = 1
    while True:
        final = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            os.link(partial, final)
            return final
        except FileExistsError:
            number += 1
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if not final.exists():
                partial.rename(final)
                return final
            number += 1


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # some file systems cannot
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
