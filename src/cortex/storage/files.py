"""Files named by the hash of their bytes, in the data folder: written whole or not at all, and read in pieces.

A file is written beside its place (`.incoming/`), forced to the disk, and only then put there under its hash. The caller puts it
there inside the transaction that records it, under the lock of `FILE_LOCK`, so a crash leaves at most a file that nothing names.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from cortex.errors import TooLarge, Upstream
from cortex.storage.folder import folder_error

PIECE = 1 << 20
"""Bytes that are held in memory at a time."""

_INCOMING = ".incoming"


@dataclass(frozen=True)
class Received:
    """A file that came whole and lies beside its place. `hash` is the sha256 of its bytes."""

    path: Path
    hash: bytes
    size: int


@dataclass(frozen=True)
class Files:
    """The files below `folder`, as `ab/cdef…`. The methods that are not async block: call them in a thread."""

    folder: Path

    def path(self, hash_: bytes) -> Path:
        """Where the file of this hash is, or would be."""
        name = hash_.hex()
        return self.folder / name[:2] / name[2:]

    @asynccontextmanager
    async def receive(
        self, pieces: AsyncIterable[bytes], most: int, *, announced: int | None = None
    ) -> AsyncIterator[Received]:
        """Write what comes to a file beside its place; unless it was put in its place, it is gone at the end of the block.

        Args:
            most: bytes; more is refused as soon as it came.
            announced: how many are to come, where that is known; too many are refused before any is read.

        Raises:
            TooLarge: it has more bytes than that.
            Upstream: the disk is full, read-only, or failed.
        """
        _check(announced or 0, most)
        path = await asyncio.to_thread(self._begin)
        try:
            yield await self._written(path, pieces, most)
        finally:
            await asyncio.shield(asyncio.to_thread(_remove, path))

    async def put(self, received: Received) -> None:
        """Put a received file in its place. The bytes are its name, so whatever was there already was the same, or damaged.

        Raises:
            Upstream: the disk is full, read-only, or failed.
        """
        await asyncio.to_thread(self._put, received)

    def open(self, hash_: bytes) -> BinaryIO:
        """The file, for reading.

        Raises:
            Upstream: it is not there, or cannot be read.
        """
        try:
            return self.path(hash_).open("rb")
        except FileNotFoundError as error:
            told = f"the file of attachment {hash_.hex()} is missing: attach it again, or see `cortex doctor`"
            raise Upstream(told) from error
        except OSError as error:
            raise folder_error(self.folder, error) from error

    def remove(self, hash_: bytes) -> bool:
        """Delete the file; whether there was one."""
        return _remove(self.path(hash_))

    def keep(self, hash_: bytes, raw: bytes) -> None:
        """Put small bytes under a hash that need not be theirs; they may be lost in a crash, but are never there in part.

        Raises:
            Upstream: the disk is full, read-only, or failed.
        """
        path = self._begin()
        try:
            with self._telling():
                path.write_bytes(raw)
                place = self.path(hash_)
                place.parent.mkdir(mode=0o700, exist_ok=True)
                os.replace(path, place)
        finally:
            _remove(path)

    def hashes(self, older_than_s: float = 0) -> list[bytes]:
        """The hashes of all files that were put there so long ago, in no order."""
        return list(self._hashes(time.time() - older_than_s))

    def _hashes(self, before: float) -> Iterator[bytes]:
        for folder in _entries(self.folder):
            if len(folder.name) == 2 and folder.is_dir(follow_symlinks=False):
                for file in _entries(Path(folder.path)):
                    with suppress(ValueError, OSError):
                        found = bytes.fromhex(folder.name + file.name)
                        if len(found) == 32 and file.stat(follow_symlinks=False).st_mtime <= before:
                            yield found

    def remove_leftovers(self, older_than_s: float) -> int:
        """Delete what came only in part, so long ago that nobody writes it any more. Returns how many files went."""
        before, gone = time.time() - older_than_s, 0
        for file in _entries(self.folder / _INCOMING):
            with suppress(OSError):
                gone += file.stat(follow_symlinks=False).st_mtime <= before and _remove(Path(file.path))
        return gone

    def _begin(self) -> Path:
        folder = self.folder / _INCOMING
        with self._telling():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, path = tempfile.mkstemp(dir=folder)
            os.close(descriptor)
        return Path(path)

    async def _written(self, path: Path, pieces: AsyncIterable[bytes], most: int) -> Received:
        hashed, size = hashlib.sha256(), 0
        with path.open("wb", buffering=0) as file:

            def write(whole: bytes) -> None:
                hashed.update(whole)
                view = memoryview(whole)
                with self._telling():
                    while view:
                        view = view[file.write(view) :]

            waiting = bytearray()
            async for piece in pieces:
                size += len(piece)
                _check(size, most)
                waiting += piece
                if len(waiting) >= PIECE:
                    await asyncio.to_thread(write, bytes(waiting))
                    waiting.clear()
            await asyncio.to_thread(write, bytes(waiting))
            await asyncio.to_thread(self._force, file)
        return Received(path, hashed.digest(), size)

    def _put(self, received: Received) -> None:
        place = self.path(received.hash)
        with self._telling():
            made = not place.parent.is_dir()
            place.parent.mkdir(mode=0o700, exist_ok=True)
            os.utime(received.path)
            os.replace(received.path, place)
            _force_names(place.parent)
            if made:
                _force_names(self.folder)

    def _force(self, file: IO[bytes]) -> None:
        with self._telling():
            os.fsync(file.fileno())

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise folder_error(self.folder, error) from error


def _check(size: int, most: int) -> None:
    if size > most:
        told = f"the file is larger than {most / 1e6:g} MB, the most that limits.attachment_mb allows"
        raise TooLarge(told, field="limits.attachment_mb")


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except FileNotFoundError:
        return []


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def _force_names(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    if os.name == "nt":
        return  # a folder cannot be opened there, and its names are journalled
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
