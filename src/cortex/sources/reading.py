"""Reading listed files into documents: bytes, hash, text, title and placement. No database; runs in a thread."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from cortex.errors import CortexError
from cortex.library.mirrors import Incoming, Mirror
from cortex.sources.layout import place
from cortex.sources.listing import Content, File, Item, NotHere
from cortex.sources.source import Source
from cortex.text import convert, frontmatter, language, markdown
from cortex.text.decode import storable

_TEXTS = (".md", ".markdown", ".txt")
_LONGEST_TITLE = 500


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


def read_all(source: Source, files: Sequence[File], known: dict[str, Mirror], *, again: bool) -> list[Outcome]:
    """Read files, each on its own: one bad file is one `Item`.

    Args:
        again: make the document anew even where the bytes are known (the source's layout or place changed).
    """
    return [_read_one(source, file, None if again else known.get(file.external_id)) for file in files]


def _read_one(source: Source, file: File, mirror: Mirror | None) -> Outcome:
    try:
        content = file.read()
        hashed = hashlib.sha256(content.raw).digest()
        if mirror and mirror.content_hash == hashed:
            return Same(file.external_id, content.size, content.mtime_ns, hashed)
        return _document(source, file, content, hashed)
    except NotHere as error:
        return Skipped(file.external_id, error.message)
    except CortexError as error:
        return Item(file.external_id, error.message)
    except Exception as error:  # noqa: BLE001 - a converter's fault on one file must not end the run; it is in the report
        return Item(file.external_id, f"cannot be converted: {type(error).__name__}: {error}"[:300])


def _document(source: Source, file: File, content: Content, hashed: bytes) -> Incoming:
    path = PurePosixPath(file.external_id)
    converted = convert.convert(content.raw, path.name)
    front = (
        frontmatter.split(converted.text)
        if path.suffix.lower() in _TEXTS
        else frontmatter.FrontMatter(body=converted.text)
    )
    text = storable(front.body)
    fields = _storable_fields(front.fields)
    title = _title(fields, converted.title or _top_heading(text), path.stem)
    place_ = place(path.parts[:-1], path.name, fields, source.layout, source.weeks, title=title)
    notes = {"note": converted.note, "front_matter_problem": front.problem}
    return Incoming(
        external_id=file.external_id,
        title=title,
        text=text,
        lang=language.detect(f"{title}\n{text}"),
        url=file.url(),
        open_url=file.open_url(),
        content_hash=hashed,
        size=content.size,
        mtime_ns=content.mtime_ns,
        kind=place_.kind,
        date=place_.date,
        period=place_.period,
        topic=place_.topic,
        metadata={**({"fields": fields} if fields else {}), **{key: value for key, value in notes.items() if value}},
        tags=place_.tags,
        links=tuple(dict.fromkeys(storable(link) for link in markdown.links(text))),
    )


def _title(fields: dict[str, Any], heading: str | None, stem: str) -> str:
    """Front matter's title, else the heading at the top, else the file's name without its ending; never empty."""
    said = next((value for key, value in fields.items() if key.casefold() in ("title", "标题")), None)
    written = str(said) if isinstance(said, (str, int, float)) and not isinstance(said, bool) else ""
    for title in (written, heading or "", stem):
        if line := " ".join(storable(title).split())[:_LONGEST_TITLE]:
            return line
    return "?"


def _top_heading(text: str) -> str | None:
    """The first heading, if it is of the first level: "## Agenda" names a part, and the file's name says more."""
    first = next(iter(markdown.outline(text)), None)
    return first.text if first and first.level == 1 else None


def _storable_fields(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(key)): _storable_fields(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable_fields(item) for item in value]
    return value
