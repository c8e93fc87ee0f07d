"""What a listing gives: files, and what was passed over and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from cortex.errors import Invalid

LARGEST = 50_000_000
"""Bytes of one file; more is left out with a reason."""


class Content(NamedTuple):
    """A file's bytes, with its size and time from before they were read: a write meanwhile shows as a change at the next run."""

    raw: bytes
    size: int
    mtime_ns: int


class NotHere(Invalid):
    """The file was listed and cannot be read now, for no fault of its own: it is skipped, not failed."""


class File(Protocol):
    """One listed file. Each type of source has a class of its own for them; attributes may be plain ones."""

    @property
    def external_id(self) -> str:
        """Its path in the source, `/` between parts: text of at most 2,000 bytes without NUL, and no other file's.

        Folder words, dates and, where the text has none, the title are read from it. Its ending says how the bytes are
        converted (`text.convert.ENDINGS`).
        """

    @property
    def size(self) -> int:
        """Bytes; 0 where the source does not tell. A file whose size and time are those of the last run is not read."""

    @property
    def mtime_ns(self) -> int:
        """When it was last changed, in nanoseconds since 1970."""

    def read(self) -> Content:
        """Its bytes, LARGEST at most. Called in a thread, once a run, for what seems new or changed.

        Raises:
            NotHere: it went meanwhile, or its bytes are elsewhere.
            CortexError: it cannot be read; the message stands in the report. The run goes on with the next file.
        """

    def url(self) -> str:
        """Where it is, as its document tells."""

    def open_url(self) -> str | None:
        """A link by which a page opens it, if there is one."""


@dataclass(frozen=True)
class Item:
    """A file or folder that was passed over, and why."""

    item: str
    reason: str


@dataclass
class Listing:
    """What a source holds now, by external id."""

    files: Mapping[str, File] = field(default_factory=dict)
    skipped: list[Item] = field(default_factory=list)
    failed: list[Item] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)
    """Ids that are there but cannot be read now: what the library has of them stays."""
    complete: bool = True
    """All of it could be listed: then what is missing is gone."""
    problem: str | None = None
    """Why the source as a whole could not be listed; then it is not complete."""
    rules: tuple[Any, ...] = ()
    """What the listing found that decides how documents look, beside the files' bytes, as JSON has it: when it is another, every
    file is read again."""
