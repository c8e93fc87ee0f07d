"""From a file to Markdown, by its ending."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from cortex.errors import Invalid
from cortex.text import _office
from cortex.text._tables import table
from cortex.text.decode import decode


@dataclass(frozen=True)
class Converted:
    """A file as Markdown.

    `title` is the file's own (an HTML title, a document's properties), if it has a sensible one; `note` is something to report
    although the file was read, such as bytes that did not fit its encoding.
    """

    text: str
    title: str | None = None
    note: str | None = None


_POINTERS = (".gdoc", ".gsheet", ".gslides", ".gdraw", ".gform", ".gmap", ".gsite", ".glink")


def convert(raw: bytes, name: str) -> Converted:
    """Read a file whose name ends in one of ENDINGS.

    Raises:
        Invalid: it is of no such kind, broken, encrypted, or holds no text; the message says which, and what to do.
    """
    ending = PurePosixPath(name).suffix.casefold()
    if ending in _POINTERS:
        raise Invalid("this is only a pointer to a Google file; list its folder as a gdrive source instead")
    read = _READERS.get(ending)
    if read is None:
        raise Invalid(f"files that end in {ending or 'nothing'} are not read; known are {' '.join(ENDINGS)}")
    return read(raw)


def _text(raw: bytes) -> Converted:
    decoded = decode(raw)
    return Converted(decoded.text, note=_strays(decoded.replaced, decoded.encoding))


def _strays(replaced: int, encoding: str) -> str | None:
    return f"{replaced} places were not {encoding} and were read as well as possible" if replaced else None


_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,500}?)</title", re.IGNORECASE | re.DOTALL)


def _html(raw: bytes) -> Converted:
    decoded = decode(raw)
    title = _TITLE.search(decoded.text[:100_000])
    return Converted(
        _office.html(decoded.text),
        _office.sensible_title(title[1] if title else None),
        _strays(decoded.replaced, decoded.encoding),
    )


def _pdf(raw: bytes) -> Converted:
    return Converted(*_office.pdf(raw))


def _docx(raw: bytes) -> Converted:
    return Converted(*_office.docx(raw))


def _xlsx(raw: bytes) -> Converted:
    return Converted(*_office.xlsx(raw))


def _pptx(raw: bytes) -> Converted:
    return Converted(*_office.pptx(raw))


def _csv(raw: bytes) -> Converted:
    decoded = decode(raw)
    rows = [row for row in _records(decoded.text) if any(cell.strip() for cell in row)]
    return Converted(table(rows), note=_strays(decoded.replaced, decoded.encoding))


def _records(text: str) -> Iterator[list[str]]:
    head = text[:20_000].split("\n")[:20]
    counts = {mark: sum(line.count(mark) for line in head) for mark in ",;\t|"}
    delimiter = max(counts, key=lambda mark: (counts[mark], mark == ","))
    limit = csv.field_size_limit(len(text) + 1)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter if counts[delimiter] else ",")
    except csv.Error as error:
        raise Invalid(f"this CSV file cannot be read: {error}") from error
    finally:
        csv.field_size_limit(limit)


_READERS: dict[str, Callable[[bytes], Converted]] = {
    ".md": _text,
    ".markdown": _text,
    ".txt": _text,
    ".csv": _csv,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
    ".docx": _docx,
    ".xlsx": _xlsx,
    ".pptx": _pptx,
}

ENDINGS = tuple(_READERS)
"""Endings of names that are read, small letters, with the dot."""
