"""Looking at a folder before it is listed as a source: what would come of it. Reads names and times, and the front matter of a few.

Of all types only a folder is added from the page; this and `adding` are about folders, and the sync is not.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from cortex.settings import SourceSettings
from cortex.sources._local_file import FolderListing, LocalFile
from cortex.sources._walk import POINTERS
from cortex.sources.layout import place
from cortex.sources.local import Folder
from cortex.text import decode, frontmatter
from cortex.text.convert import ENDINGS

_LOOKED_AT = 200
_NOTES = (".md", ".markdown", ".txt")
_KINDS = tuple(ENDINGS)
_TEMPLATES = ("templates", "template", "模板")


@dataclass(frozen=True)
class FolderCheck:
    """What listing a folder would bring.

    `files` would be mirrored, of them `notes` are Markdown or text; `left_out` counts what is passed over by reason; `dated`
    is the share (0 to 1) of a sample of the notes that have a day or a quarter; `exclude` proposes patterns for template
    folders. `problem` says why the folder cannot be listed.
    """

    path: Path
    files: int = 0
    notes: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    obsidian: bool = False
    dated: float = 0.0
    exclude: tuple[str, ...] = ()
    problem: str | None = None


def check_folder(path: Path, exclude: Sequence[str] = ()) -> FolderCheck:
    """Check a folder, with the patterns that a source has by default. Takes the time of a listing; changes nothing."""
    folder = Folder.of(SourceSettings(name="check", type="local", path=path, exclude=tuple(exclude)))
    listing = folder.list()
    if listing.problem:
        return FolderCheck(folder.path, problem=listing.problem)
    notes = [file for file in listing.files.values() if file.external_id.lower().endswith(_NOTES)]
    return FolderCheck(
        path=folder.path,
        files=len(listing.files),
        notes=len(notes),
        left_out=_left_out(listing),
        obsidian=listing.root.obsidian,
        dated=_dated_share(notes),
        exclude=_template_folders(listing),
    )


def _left_out(listing: FolderListing) -> dict[str, int]:
    reasons = Counter(item.reason for item in [*listing.skipped, *listing.failed])
    for _, folders, files in os.walk(listing.root.real):
        hidden = [name for name in folders if name.startswith(".")]
        folders[:] = [name for name in folders if not name.startswith(".")]
        reasons["dot folder"] += len(hidden)
        reasons["another kind of file"] += sum(not name.lower().endswith((*_KINDS, *POINTERS)) for name in files)
    return {reason: count for reason, count in sorted(reasons.items()) if count}


def _dated_share(notes: list[LocalFile]) -> float:
    step = max(1, len(notes) // _LOOKED_AT)
    sample = sorted(notes, key=lambda file: file.external_id)[::step][:_LOOKED_AT]
    return sum(_is_dated(file) for file in sample) / len(sample) if sample else 0.0


def _is_dated(file: LocalFile) -> bool:
    path = PurePosixPath(file.external_id)
    try:
        fields = frontmatter.split(decode.decode(file.read().raw[:65_536]).text).fields
    except Exception:  # noqa: BLE001 - a note that cannot be read is undated here, and is reported by the sync
        fields = {}
    placed = place(path.parts[:-1], path.name, fields)
    return placed.date is not None or placed.period is not None


def _template_folders(listing: FolderListing) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in sorted(listing.files):
        steps = name.split("/")[:-1]
        for n, step in enumerate(steps):
            if step.casefold() in _TEMPLATES:
                found["/".join(steps[: n + 1]) + "/**"] = None
                break
    return tuple(found)
