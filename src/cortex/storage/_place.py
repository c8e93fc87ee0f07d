"""The place of a data folder that is restored: what is in it, the folder that is built beside it, and the moment they change places."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from cortex.errors import Conflict, Invalid
from cortex.storage.embedded import Server
from cortex.storage.folder import claim_serving, folder_error
from cortex.storage.keeping import check_room

MARK = ".restoring"
"""A file by which a folder that a killed restore left is known."""

_CARRIED = ("backups", "backup.json", "models", ".env")
"""What no backup holds: it moves along from the folder that was there."""
_LOCKS = ("serve.lock", "postgres.start.lock", "postgres.users.lock")
_EMPTY_CLUSTER = 100_000_000


@dataclass(frozen=True)
class Place:
    """Where a library is to be: the data folder's path, without links in it."""

    data: Path
    version: Literal[16, 18]

    @property
    def beside(self) -> Path:
        """Where it is built."""
        return self.data.parent / f".{self.data.name}.restoring"

    def check(self, *, replace: bool) -> None:
        """
        Raises:
            Conflict: something is there and is not to be replaced, or somebody uses it.
            Invalid: a folder cannot be moved there.
        """
        if not self.data.exists():
            return
        if not self.data.is_dir():
            raise Invalid(f"{self.data} is not a folder: name another data folder with --data", field="--data")
        if self._taken() and not replace:
            raise Conflict(
                f"the data folder {self.data} is not empty: name a new one with --data, or move this one aside with --replace"
            )
        if self.data.stat().st_dev != self.data.parent.stat().st_dev:
            raise Invalid(
                f"{self.data} is a disk of its own, and a restore moves a whole folder into place: name one inside of it with --data",
                field="--data",
            )
        with self._alone():
            pass

    @contextmanager
    def building(self, size: int) -> Iterator[Path]:
        """An empty folder for `size` bytes, beside the place; removed at the end unless `take` moved it.

        Raises:
            Conflict: another restore into this place is under way.
            Invalid, Upstream: the folder cannot be made, or the disk has no room for it.
        """
        try:
            self.data.parent.mkdir(parents=True, exist_ok=True)
            descriptor = self._make_beside()
        except OSError as error:
            raise folder_error(self.beside, error) from error
        try:
            check_room(self.beside, size + _EMPTY_CLUSTER, "the restored library")
            yield self.beside
        finally:
            if self.beside.is_dir() and os.path.samestat(self.beside.stat(), os.fstat(descriptor)):
                shutil.rmtree(self.beside, ignore_errors=True)
            os.close(descriptor)

    def take(self, *, replace: bool) -> Path | None:
        """Move the built folder into place; returns where the one went that was there, if it held something.

        Raises:
            Conflict: as for `check`; in the meantime somebody may have come.
        """
        try:
            if not self.data.exists():
                self.beside.rename(self.data)
                aside = None
            else:
                self.check(replace=replace)
                with self._alone():
                    aside = self._change_places()
            (self.data / MARK).unlink()
            return aside
        except OSError as error:
            raise folder_error(self.data, error) from error

    def _change_places(self) -> Path | None:
        aside = self.data.with_name(f"{self.data.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        self.data.rename(aside)
        try:
            self.beside.rename(self.data)
        except BaseException:
            aside.rename(self.data)
            raise
        for name in _CARRIED:
            with suppress(FileNotFoundError):
                (aside / name).rename(self.data / name)
        for name in _LOCKS:
            (aside / name).unlink(missing_ok=True)
        with suppress(OSError):
            aside.rmdir()
            return None
        return aside

    def _taken(self) -> bool:
        return any(name not in (*_CARRIED, *_LOCKS) for name in os.listdir(self.data))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with ExitStack() as stack:
            try:
                stack.enter_context(claim_serving(self.data, 0))
            except Conflict as error:
                raise Conflict(f"{error.message.partition(': open')[0]}: stop that first, then restore") from error
            stack.enter_context(_server_of(self.data, self.version).alone())
            yield

    def _make_beside(self) -> int:
        """A descriptor that holds the folder's lock. What a killed restore left is removed first."""
        while True:
            with suppress(FileExistsError):
                self.beside.mkdir(mode=0o700)
            descriptor = os.open(self.beside, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if self._is_ours(descriptor):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def _is_ours(self, descriptor: int) -> bool:
        """Whether we hold the folder now, and it is empty."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Conflict(f"another restore into {self.data} is under way: wait for it") from error
        if not self.beside.is_dir() or not os.path.samestat(os.fstat(descriptor), self.beside.stat()):
            return False
        if set(os.listdir(descriptor)) <= {MARK}:
            (self.beside / MARK).touch()
            return True
        self._clear_beside()
        return False

    def _clear_beside(self) -> None:
        if MARK not in os.listdir(self.beside):
            raise Conflict(f"{self.beside} is in the way: move it away, and restore again")
        with _server_of(self.beside, self.version).alone():
            shutil.rmtree(self.beside)


def _server_of(data: Path, version: Literal[16, 18]) -> Server:
    """The server of the cluster that is there, of whichever version it is."""
    found = [each for each in (16, 18) if (data / f"postgres{each}").is_dir()]
    return Server(data, found[0] if len(found) == 1 else version)
