"""The file of a backup: a zip that every system opens, with a sum for each byte of content.

    database/SCHEMA.TABLE.tsv   the rows, as PostgreSQL's text format with a heading (deflated)
    attachments/…               the files of the data folder's `attachments/`, as they are there
    config.yaml, sources.d/…    the configuration
    SHA256SUMS                  of all of these: `sha256sum -c SHA256SUMS` works on an unpacked backup
    manifest.json               what the backup is of, and the sum of SHA256SUMS; written last

A backup that is read is not trusted: names, sizes and sums are checked before anything of it is used.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict

from cortex.errors import Conflict, Invalid, Upstream

FORMAT: Literal[1] = 1
"""Of the file. A change that an older Cortex cannot read makes it 2."""

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
PIECE = 1 << 20

LARGEST_MANIFEST, LARGEST_SUMS = 10_000_000, 1_000_000_000
MOST_TIMES, SURELY_FINE = 100, 1_000_000_000
"""A backup unpacks to at most a hundred times its size, unless that is little anyway: more is a bomb."""

_MEMBER = re.compile(r"database/\w+\.\w+\.tsv|config\.yaml|sources\.d/[^/]+\.yaml|attachments/.+")
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError),
    *(ValueError, KeyError, TypeError, IndexError, OverflowError, MemoryError),
)
"""What reading a damaged zip or JSON raises."""


class Manifest(BaseModel):
    """What a backup is of.

    `migrations` are sums by number, `tables` counts of rows, `sequences` the last number of each and whether it was given.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = FORMAT
    cortex: str
    schema_number: int
    migrations: dict[int, str]
    made_at: AwareDatetime
    kind: str
    library: str
    tables: dict[str, int]
    sequences: dict[str, tuple[int, bool]]
    attachments: int
    sums: str = ""


@dataclass
class Writer:
    """Fills a backup's file, member by member; `finish` makes it one."""

    file: IO[bytes]
    _zip: zipfile.ZipFile = field(init=False)
    _sums: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._zip = zipfile.ZipFile(self.file, "w", zipfile.ZIP_STORED, allowZip64=True)

    @contextmanager
    def member(self, name: str, *, deflated: bool = False) -> Iterator[Any]:
        """A function that takes the member's bytes, piece by piece."""
        digest = hashlib.sha256()
        with self._zip.open(self._entry(name, deflated), "w", force_zip64=True) as out:

            def write(piece: bytes) -> None:
                digest.update(piece)
                out.write(piece)

            yield write
        self._sums[name] = digest.hexdigest()

    def finish(self, manifest: Manifest) -> Manifest:
        """Write the sums and the manifest, and close the zip (not the file). Returns the manifest with the sum in it."""
        sums = "".join(f"{digest}  {name}\n" for name, digest in self._sums.items()).encode()
        manifest = manifest.model_copy(update={"sums": hashlib.sha256(sums).hexdigest()})
        self._zip.writestr(self._entry(SUMS, True), sums)
        self._zip.writestr(self._entry(MANIFEST, False), manifest.model_dump_json(indent=1))
        self._zip.close()
        return manifest

    def abandon(self) -> None:
        """The file is of no use any more: its zip is not closed, which would write to it."""
        self._zip.fp = None

    @staticmethod
    def _entry(name: str, deflated: bool) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(name, datetime.now(UTC).timetuple()[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
        entry.external_attr = 0o600 << 16
        return entry


class Archive:
    """A backup's file, opened; a context manager. What is asked of it is checked, or `Invalid` is raised."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            Invalid: it is not there, no backup, or damaged.
            Conflict: a newer Cortex made it.
        """
        self.path = path
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise Invalid(f"the backup {path} cannot be opened: {error.strerror}", field="FILE") from error
        try:
            self._open()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _open(self) -> None:
        with self._reading():
            self._zip = zipfile.ZipFile(self._file)
            self._entries = {entry.filename: entry for entry in self._zip.infolist()}
            if MANIFEST not in self._entries:
                raise Invalid(f"{self.path} is no backup of Cortex: there is no {MANIFEST} in it", field="FILE")
            told = json.loads(self._whole(MANIFEST, LARGEST_MANIFEST))
            if told["format"] > FORMAT:
                raise Conflict(
                    f"{self.path} was made by Cortex {_short(told.get('cortex'))}, which is newer than this one: install that version"
                )
            self.manifest = Manifest.model_validate(told)

    def check(self) -> Mapping[str, int]:
        """Read all of it, and compare everything with the sums; sizes by name.

        Raises:
            Invalid: something is damaged, missing, too much, or named in a way that leads elsewhere.
        """
        with self._reading():
            self._check_directory()
            self._sums = self._read_sums()
        for name in self._sums:
            for _ in self.read(name):
                pass
        return {name: self._entries[name].file_size for name in self._sums}

    def read(self, name: str) -> Iterator[bytes]:
        """The member's bytes, checked again while they are read; call `check` before.

        Raises:
            Invalid: they are not what was written.
        """
        digest, size = hashlib.sha256(), 0
        with self._reading(), self._zip.open(self._entries[name]) as member:
            while piece := member.read(PIECE):
                digest.update(piece)
                size += len(piece)
                yield piece
        if digest.hexdigest() != self._sums[name] or size != self._entries[name].file_size:
            raise self._damaged(f"{name} is not what was written")

    def _check_directory(self) -> None:
        entries = self._zip.infolist()
        if len(entries) != len(self._entries):
            raise self._damaged("a name is in it twice")
        total = sum(entry.file_size for entry in entries)
        packed = sum(entry.compress_size for entry in entries)
        on_disk = self.path.stat().st_size
        if packed > on_disk or total > max(MOST_TIMES * on_disk, SURELY_FINE):
            raise self._damaged(f"it would unpack to {total:,} bytes")
        for entry in entries:
            plain = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not entry.flag_bits & 0x1
            if not plain or not (entry.filename in (MANIFEST, SUMS) or may_be_member(entry.filename)):
                raise self._damaged(f"{_short(entry.filename)} does not belong into a backup")

    def _read_sums(self) -> dict[str, str]:
        raw = self._whole(SUMS, LARGEST_SUMS)
        if hashlib.sha256(raw).hexdigest() != self.manifest.sums:
            raise self._damaged(f"{SUMS} is not what was written")
        lines = [line.split("  ", 1) for line in raw.decode().split("\n") if line]
        sums = {name: digest for digest, name in lines}
        if set(sums) != set(self._entries) - {MANIFEST, SUMS}:
            raise self._damaged("a part is missing, or there is one too many")
        return sums

    def _whole(self, name: str, largest: int) -> bytes:
        if self._entries[name].file_size > largest:
            raise self._damaged(f"{name} is too large")
        return self._zip.read(name)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as error:
            raise self._damaged(" ".join(str(error).split())[:200] or type(error).__name__) from error
        except OSError as error:
            raise Upstream(f"the backup {self.path} cannot be read: {error.strerror or error}") from error

    def _damaged(self, why: str) -> Invalid:
        return Invalid(f"{self.path} is damaged, or no backup of Cortex ({why}): take another one", field="FILE")


def may_be_member(name: str) -> bool:
    """Whether a backup may hold a file of this name: it must lead to one of its places, and never out of them."""
    parts = name.split("/")
    clean = all(part not in ("", ".", "..") and len(part.encode()) <= 255 for part in parts) and name.isprintable()
    return clean and "\\" not in name and _MEMBER.fullmatch(name) is not None


def _short(text: object) -> str:
    return "".join(c for c in str(text) if c.isprintable())[:80]
