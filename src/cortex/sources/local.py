"""A folder of notes: what it lists, by names and stat alone.

Whitelist-only: a file counts when a pattern includes it and none excludes it. Links are followed only to what lies inside the
folder. A folder that could not be listed completely says so, and then nothing may be concluded from what is missing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from cortex.settings import SourceSettings
from cortex.sources._embedded import read_embedded
from cortex.sources._local_file import FolderListing, Root
from cortex.sources._walk import Walk
from cortex.sources.calendar import Weeks
from cortex.sources.source import Trouble


@dataclass(frozen=True)
class Folder:
    """A local source, as `source.Source` has it. `path` is absolute, as the person wrote it."""

    name: str
    path: Path
    include: tuple[str, ...]
    exclude: tuple[str, ...] = ()
    layout: str | None = None
    weeks: Weeks = "quarter"
    lists_at_once: ClassVar[bool] = True

    @classmethod
    def of(cls, source: SourceSettings) -> Folder:
        """The folder of a configured source."""
        path = Path(os.path.abspath(source.path.expanduser()))
        return cls(source.name, path, source.include, source.exclude, source.layout, source.weeks)

    @property
    def place(self) -> str:
        """The path."""
        return str(self.path)

    def list(self) -> FolderListing:
        """List it. Nothing is opened, links are resolved, no file's content is read."""
        real = os.path.realpath(self.path)
        try:
            names = os.listdir(real)
        except OSError as error:
            return FolderListing(root=Root(self.place, real), complete=False, problem=self._problem(error))
        obsidian = ".obsidian" in names or any(os.path.isdir(up / ".obsidian") for up in Path(real).parents)
        listing = FolderListing(root=Root(self.place, real, obsidian), rules=(obsidian,))
        Walk(listing, self.include, self.exclude).run()
        return listing

    def _problem(self, error: OSError) -> str:
        if isinstance(error, FileNotFoundError):
            return f"the folder {self.path} is not there (is its disk mounted?)"
        if isinstance(error, NotADirectoryError):
            return f"{self.path} is no folder"
        return f"the folder {self.path} cannot be read: {error.strerror}"

    def embedded(self, note: str, path: str) -> bytes:
        """An image from inside the folder, in no hidden part of it, and not left out by its patterns."""
        return read_embedded(self.place, self.exclude, note, path)

    def trouble(self) -> Trouble | None:
        """It is away, no folder, closed to this user, or empty."""
        if not self.path.exists():
            mend = "is its disk mounted? Else mend `path` in the configuration; nothing is deleted meanwhile"
            return Trouble(f"{self.path} is not there", mend)
        if not self.path.is_dir():
            return Trouble(f"{self.path} is no folder", "name a folder as `path` in the configuration")
        try:
            with os.scandir(self.path) as entries:
                empty = next(entries, None) is None
        except OSError as error:
            return Trouble(f"{self.path}: {error.strerror}", "let this user read the folder")
        return Trouble(f"{self.path} is empty", "is its disk mounted? Nothing is deleted meanwhile") if empty else None
