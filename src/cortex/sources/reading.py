"""Reading one listed file into a document: bytes, hash, text, title and placement. No database; runs in a thread."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from cortex.errors import Invalid
from cortex.library.mirrors import Incoming, Mirror
from cortex.sources.layout import place
from cortex.sources.listing import LARGEST, NOT_DOWNLOADED, File, Item, Listing
from cortex.sources.local import Folder, file_url, open_url
from cortex.text import convert, frontmatter, language, markdown

_TEXTS = (".md", ".markdown", ".txt")
_LONGEST_TITLE = 500
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_DATALESS = 0x40000000  # SF_DATALESS of macOS: the bytes are in the cloud, and reading would fetch them


@dataclass(frozen=True)
class Same:
    """The file's bytes are those that the library knows; only its time changed."""

    external_id: str
    size: int
    mtime_ns: int
    content_hash: bytes


@dataclass(frozen=True)
class Skipped(Item):
    """The file is there and cannot be read now, for no fault of its own."""


Outcome = Incoming | Same | Skipped | Item
"""What reading a file gave; a bare Item says why it failed."""


def read_all(
    folder: Folder, listing: Listing, files: Sequence[File], known: dict[str, Mirror], *, again: bool
) -> list[Outcome]:
    """Read files, each on its own: one bad file is one `Item`.

    Args:
        again: make the document anew even where the bytes are known (the source's layout or place changed).
    """
    return [_read_one(folder, listing, file, None if again else known.get(file.external_id)) for file in files]


def _read_one(folder: Folder, listing: Listing, file: File, mirror: Mirror | None) -> Outcome:
    try:
        raw, found = read_bytes(listing.root, file)
        hashed = hashlib.sha256(raw).digest()
        if mirror and mirror.content_hash == hashed:
            return Same(file.external_id, found.st_size, found.st_mtime_ns, hashed)
        return _document(folder, listing, file, raw, hashed, found)
    except _NotHere as error:
        return Skipped(file.external_id, error.message)
    except Invalid as error:
        return Item(file.external_id, error.message)
    except FileNotFoundError:
        return Skipped(file.external_id, "it went while the folder was read")
    except OSError as error:
        return Item(file.external_id, f"cannot be read: {error.strerror or error}")
    except Exception as error:  # noqa: BLE001 - a converter's fault on one file must not end the run; it is in the report
        return Item(file.external_id, f"cannot be converted: {type(error).__name__}: {error}"[:300])


class _NotHere(Invalid):
    """The file's bytes are not on this machine."""


def read_bytes(root: str, file: File) -> tuple[bytes, os.stat_result]:
    """The bytes, and the stat from before they were read: a write meanwhile shows as a change at the next run.

    Every folder on the way is opened without following links, so a link put there since the listing leads nowhere.

    Raises:
        Invalid: it became a link, is no file, or is too large.
        OSError: it cannot be read.
    """
    descriptor = _open_inside(root, file.real)
    with open(descriptor, "rb") as opened:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise Invalid("not a file")
        if found.st_size > LARGEST:
            raise Invalid(f"larger than {LARGEST // 1_000_000} MB")
        if file.hollow and _is_elsewhere(descriptor, found):
            raise _NotHere(NOT_DOWNLOADED)
        return opened.read(), found


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


def _document(
    folder: Folder, listing: Listing, file: File, raw: bytes, hashed: bytes, found: os.stat_result
) -> Incoming:
    path = PurePosixPath(file.external_id)
    converted = convert.convert(raw, path.name)
    front = (
        frontmatter.split(converted.text)
        if path.suffix.lower() in _TEXTS
        else frontmatter.FrontMatter(body=converted.text)
    )
    text = _storable(front.body)
    fields = _storable_fields(front.fields)
    title = _title(fields, converted.title or _top_heading(text), path.stem)
    place_ = place(path.parts[:-1], path.name, fields, folder.layout, folder.weeks, title=title)
    notes = {"note": converted.note, "front_matter_problem": front.problem}
    return Incoming(
        external_id=file.external_id,
        title=title,
        text=text,
        lang=language.detect(f"{title}\n{text}"),
        url=file_url(folder, file.path),
        open_url=open_url(folder, file.path, obsidian=listing.obsidian),
        content_hash=hashed,
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
        kind=place_.kind,
        date=place_.date,
        period=place_.period,
        topic=place_.topic,
        metadata={**({"fields": fields} if fields else {}), **{key: value for key, value in notes.items() if value}},
        tags=place_.tags,
        links=tuple(dict.fromkeys(_storable(link) for link in markdown.links(text))),
    )


def _title(fields: dict[str, Any], heading: str | None, stem: str) -> str:
    """Front matter's title, else the heading at the top, else the file's name without its ending; never empty."""
    said = next((value for key, value in fields.items() if key.casefold() in ("title", "标题")), None)
    written = str(said) if isinstance(said, (str, int, float)) and not isinstance(said, bool) else ""
    for title in (written, heading or "", stem):
        if line := " ".join(_storable(title).split())[:_LONGEST_TITLE]:
            return line
    return "?"


def _top_heading(text: str) -> str | None:
    """The first heading, if it is of the first level: "## Agenda" names a part, and the file's name says more."""
    first = next(iter(markdown.outline(text)), None)
    return first.text if first and first.level == 1 else None


def _storable(text: str) -> str:
    """Without what the database cannot hold: NUL, and halves of surrogate pairs (from \\ud800 in YAML or HTML)."""
    return _UNSTORABLE.sub("\ufffd", text) if _UNSTORABLE.search(text) else text


def _storable_fields(value: Any) -> Any:
    if isinstance(value, str):
        return _storable(value)
    if isinstance(value, dict):
        return {_storable(str(key)): _storable_fields(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable_fields(item) for item in value]
    return value
