"""Reading documents: one document as a person sees it, with its outline and what links to it."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from cortex.errors import NotFound
from cortex.library import _documents_repository as repository
from cortex.storage import Transaction
from cortex.text.html import to_html
from cortex.text.language import Lang
from cortex.text.markdown import Heading, outline


@dataclass(frozen=True)
class Link:
    """Another document, as far as a list needs it."""

    document_id: int
    title: str


@dataclass(frozen=True)
class Titled:
    """A document that a list of titles offers."""

    document_id: int
    title: str
    source: str
    kind: str
    lang: Lang
    date: dt.date | None
    period: int | None


@dataclass(frozen=True)
class Document:
    """A document as it is now. Offsets everywhere count code points of `text`."""

    document_id: int
    version: int
    title: str
    text: str
    lang: Lang
    kind: str
    source: str
    external_id: str
    url: str
    open_url: str | None
    date: dt.date | None
    period: int | None
    topic: str | None
    tags: tuple[str, ...]
    origin: str
    metadata: dict[str, Any] = field(default_factory=dict)


async def get(tx: Transaction, owner_id: int, document_id: int) -> Document:
    """The document.

    Raises:
        NotFound: it is not there, not this owner's, in the trash, or its source is off the list.
    """
    row = await repository.document(tx, owner_id, document_id)
    if row is None:
        raise NotFound(f"there is no document {document_id}", field="document_id")
    return Document(**{**row, "tags": tuple(row["tags"])})


async def titled(tx: Transaction, owner_id: int, words: str, limit: int) -> list[Titled]:
    """Documents whose title holds `words` as they stand, upper or lower case; none for no words."""
    words = words.replace("\0", "").strip()
    if not words:
        return []
    pattern = re.sub(r"([\\%_])", r"\\\1", words)
    return [Titled(**row) for row in await repository.titled(tx, owner_id, pattern, limit)]


async def offered(tx: Transaction, owner_id: int, words: str, limit: int) -> list[Titled]:
    """What a link may lead to: documents whose title holds `words`; without words the notes that changed last."""
    if words.replace("\0", "").strip():
        return await titled(tx, owner_id, words, limit)
    return [Titled(**row) for row in await repository.latest(tx, owner_id, limit)]


async def backlinks(tx: Transaction, owner_id: int, document: Document) -> list[Link]:
    """Documents that link to this one by its title, file name or path; at most 100, by title."""
    path = PurePosixPath(document.external_id)
    names = {document.title, path.name, path.stem, document.external_id, str(path.with_suffix(""))}
    rows = await repository.backlinks(tx, owner_id, document.document_id, sorted(name.casefold() for name in names))
    return [Link(row["document_id"], row["title"]) for row in rows]


async def resolve_links(tx: Transaction, owner_id: int, targets: list[str]) -> dict[str, int]:
    """The documents that wiki-link targets name, by casefolded target; a name that several share goes to the oldest."""
    folded = sorted({target.casefold() for target in targets})
    return {row["target"]: row["document_id"] for row in await repository.named(tx, owner_id, folded)}


def headings(document: Document) -> list[Heading]:
    """The document's outline."""
    return outline(document.text)


def render(document: Document, links: dict[str, int]) -> str:
    """The document's text as safe HTML; block elements carry data-s and data-e, code points of the text."""

    def resolve(target: str) -> str | None:
        found = links.get(target.casefold())
        return f"/d/{found}" if found else None

    return to_html(document.text, resolve=resolve)


def page_url(document_id: int, start: int | None = None, end: int | None = None) -> str:
    """Where the page shows a document, at a passage if one is given."""
    return f"/d/{document_id}" + (f"?at={start}-{end}" if start is not None else "")


def file_url(path: str) -> str:
    """A file:// URL of an absolute path."""
    return "file://" + quote(path)
