"""A folder of notes: what it lists, by names and stat alone.

Whitelist-only: a file counts when a pattern includes it and none excludes it. Links are followed only to what lies inside the
folder. A folder that could not be listed completely says so, and then nothing may be concluded from what is missing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, quote_from_bytes

from cortex.settings import SourceSettings
from cortex.sources._walk import Walk, external_id
from cortex.sources.calendar import Weeks
from cortex.sources.listing import Listing


@dataclass(frozen=True)
class Folder:
    """A local source as far as reading it needs. `path` is absolute, as the person wrote it."""

    name: str
    path: Path
    include: tuple[str, ...]
    exclude: tuple[str, ...] = ()
    layout: str | None = None
    weeks: Weeks = "quarter"
    type: str = "local"

    @classmethod
    def of(cls, source: SourceSettings) -> Folder:
        """The folder of a configured source."""
        path = Path(os.path.abspath(source.path.expanduser()))
        return cls(source.name, path, source.include, source.exclude, source.layout, source.weeks)


def list_folder(folder: Folder) -> Listing:
    """List a folder. Nothing is opened, links are resolved, no file's content is read."""
    root = os.path.realpath(folder.path)
    listing = Listing(root)
    try:
        names = os.listdir(root)
    except OSError as error:
        listing.problem, listing.complete = _folder_problem(folder.path, error), False
        return listing
    listing.obsidian = ".obsidian" in names or any(os.path.isdir(up / ".obsidian") for up in Path(root).parents)
    Walk(listing, folder.include, folder.exclude).run()
    return listing


def _folder_problem(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"the folder {path} is not there (is its disk mounted?)"
    if isinstance(error, NotADirectoryError):
        return f"{path} is no folder"
    return f"the folder {path} cannot be read: {error.strerror}"


def file_url(folder: Folder, path: str) -> str:
    """The file:// URL of a path below the folder (as listed, not its external id)."""
    return "file://" + quote_from_bytes(os.fsencode(os.path.join(folder.path, path)))


def open_url(folder: Folder, path: str, *, obsidian: bool) -> str | None:
    """A link that opens the file in Obsidian, where the folder is a vault. A browser follows no file:// link from a page."""
    if not obsidian or external_id(path) != path or not path.lower().endswith((".md", ".markdown", ".pdf", ".canvas")):
        return None
    return "obsidian://open?path=" + quote(os.path.join(folder.path, path), safe="")
