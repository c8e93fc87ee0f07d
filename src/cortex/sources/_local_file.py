"""A file below a listed folder: its links, and its bytes, which no link may bring from elsewhere."""

from __future__ import annotations

import errno
import os
import stat
import sys
from dataclasses import dataclass, field
from urllib.parse import quote, quote_from_bytes

from cortex.errors import Invalid
from cortex.sources.listing import LARGEST, Content, Listing, NotHere

NOT_DOWNLOADED = "not downloaded"
_DATALESS = 0x40000000  # SF_DATALESS of macOS: the bytes are in the cloud, and reading would fetch them


@dataclass(frozen=True)
class Root:
    """The top of a folder: `path` as the person wrote it, absolute; `real` with its links resolved when it was listed."""

    path: str
    real: str
    obsidian: bool = False


@dataclass(frozen=True)
class LocalFile:
    """One listed file. `real` is where its bytes are, below the root's real path; no part of it is a link."""

    external_id: str
    size: int
    mtime_ns: int
    root: Root = field(repr=False)
    path: str
    """As listed, below the folder: the external id with its undecodable bytes."""
    real: str
    hollow: bool = False
    """It has a size and no blocks: a cloud drive may have taken its bytes away."""

    def read(self) -> Content:
        """See `listing.File`."""
        try:
            return read_bytes(self.root.real, self.real, hollow=self.hollow)
        except FileNotFoundError as error:
            raise NotHere("it went while the folder was read") from error
        except OSError as error:
            raise Invalid(f"cannot be read: {error.strerror or error}") from error

    def url(self) -> str:
        """The file:// URL, with the bytes that the name has on the disk."""
        return "file://" + quote_from_bytes(os.fsencode(os.path.join(self.root.path, self.path)))

    def open_url(self) -> str | None:
        """A link that opens it in Obsidian, where the folder is a vault. A browser follows no file:// link from a page."""
        opens = self.path.lower().endswith((".md", ".markdown", ".pdf", ".canvas"))
        if not self.root.obsidian or not opens or self.external_id != self.path:
            return None
        return "obsidian://open?path=" + quote(os.path.join(self.root.path, self.path), safe="")


@dataclass
class FolderListing(Listing):
    """What a folder holds now."""

    files: dict[str, LocalFile] = field(default_factory=dict)
    root: Root = field(kw_only=True)


def read_bytes(root: str, real: str, *, hollow: bool = False) -> Content:
    """The bytes of a file below a real path.

    Every folder on the way is opened without following links, so a link put there since the listing leads nowhere.

    Raises:
        NotHere: it is hollow, and its bytes are not on this machine.
        Invalid: it became a link, is no file, or is too large.
        OSError: it cannot be read.
    """
    descriptor = _open_inside(root, real)
    with open(descriptor, "rb") as opened:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise Invalid("not a file")
        if found.st_size > LARGEST:
            raise Invalid(f"larger than {LARGEST // 1_000_000} MB")
        if hollow and _is_elsewhere(descriptor, found):
            raise NotHere(NOT_DOWNLOADED)
        return Content(opened.read(), found.st_size, found.st_mtime_ns)


def _open_inside(root: str, real: str) -> int:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if os.open not in os.supports_dir_fd:
        path = os.path.join(root, real)
        if os.path.realpath(path) != path:
            raise Invalid("became a link while it was read")
        return os.open(path, flags)
    *folders, name = real.split("/")
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)  # a real path: its end was no link
    try:
        for step in folders:
            below = os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = below
        return os.open(name, flags, dir_fd=at)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise Invalid("became a link while it was read") from error
        raise
    finally:
        os.close(at)


def _is_elsewhere(descriptor: int, found: os.stat_result) -> bool:
    """Whether a file with a size and no blocks holds nothing here. Some file systems count no blocks at all, so ask for data."""
    if sys.platform == "darwin":
        return bool(getattr(found, "st_flags", 0) & _DATALESS)
    try:
        os.lseek(descriptor, 0, os.SEEK_DATA)
    except OSError as error:
        return error.errno == errno.ENXIO
    os.lseek(descriptor, 0, os.SEEK_SET)
    return False
