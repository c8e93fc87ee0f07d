"""A second type of source, for tests: notes that are kept in memory, under addresses of their own, and no folder anywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from cortex.errors import NotFound, Upstream
from cortex.settings import ListedSource, Settings
from cortex.sources import opening
from cortex.sources.calendar import Weeks
from cortex.sources.listing import Content, Item, Listing, NotHere
from cortex.sources.source import Trouble


class MemorySettings(ListedSource):
    type: Literal["memory"] = "memory"
    account: str = "me"


@dataclass
class Shelf:
    """What is kept: text and a revision by path. `broken` cannot be read, `gone` goes between listing and reading."""

    notes: dict[str, tuple[str, int]] = field(default_factory=dict)
    images: dict[str, bytes] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    closed: bool = False
    at_once: bool = False
    read: list[str] = field(default_factory=list)

    def put(self, **notes: str) -> None:
        """Add or change notes, as Markdown, each with the next revision."""
        for name, text in notes.items():
            path = name.replace("__", "/") + ".md"
            self.notes[path] = (text, self.notes.get(path, ("", 0))[1] + 1)


@dataclass(frozen=True)
class MemoryFile:
    external_id: str
    mtime_ns: int
    shelf: Shelf
    size: int = 0

    def read(self) -> Content:
        self.shelf.read.append(self.external_id)
        if self.external_id in self.shelf.broken:
            raise Upstream("the shelf did not answer")
        if self.external_id in self.shelf.gone:
            raise NotHere("it went meanwhile")
        text, revision = self.shelf.notes[self.external_id]
        return Content(text.encode(), 0, revision)

    def url(self) -> str:
        return f"https://shelf.example/{self.external_id}"

    def open_url(self) -> str | None:
        return self.url()


@dataclass(frozen=True)
class MemorySource:
    listed: MemorySettings
    shelf: Shelf

    @property
    def name(self) -> str:
        return self.listed.name

    @property
    def place(self) -> str:
        return f"the shelf of {self.listed.account}"

    @property
    def layout(self) -> str | None:
        return self.listed.layout

    @property
    def weeks(self) -> Weeks:
        return self.listed.weeks

    @property
    def lists_at_once(self) -> bool:
        return self.shelf.at_once

    def list(self) -> Listing:
        if self.shelf.closed:
            return Listing(complete=False, problem="the shelf is closed")
        files = {path: MemoryFile(path, revision, self.shelf) for path, (_, revision) in self.shelf.notes.items()}
        return Listing(files, skipped=[Item("a drawing", "this kind is not read")])

    def embedded(self, note: str, path: str) -> bytes:
        if path not in self.shelf.images:
            raise NotFound(f"there is no {path} on the shelf", field="path")
        return self.shelf.images[path]

    def trouble(self) -> Trouble | None:
        return Trouble("the shelf is closed", "open it") if self.shelf.closed else None


def registered(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Make `memory` a type of source, and give the shelf that all its sources read."""
    shelf = Shelf()
    monkeypatch.setitem(opening.OPENERS, "memory", lambda _, listed: MemorySource(listed, shelf))
    return shelf


def with_sources(settings: Settings, *sources: Any) -> Settings:
    """These settings with these sources; their `type` is one that no configuration file may name."""
    return settings.model_copy(update={"sources": sources})
