"""What a listing gives: files, and what was passed over and why."""

from __future__ import annotations

from dataclasses import dataclass, field

LARGEST = 50_000_000
"""Bytes of one file; more is left out with a reason."""
NOT_DOWNLOADED = "not downloaded"


@dataclass(frozen=True)
class File:
    """One listed file. `real` is where its bytes are, relative to the folder's real path; no part of it is a link."""

    external_id: str
    path: str
    """As listed, below the folder: the external id with its undecodable bytes."""
    real: str
    size: int
    mtime_ns: int
    hollow: bool = False
    """It has a size and no blocks: a cloud drive may have taken its bytes away."""


@dataclass(frozen=True)
class Item:
    """A file or folder that was passed over, and why."""

    item: str
    reason: str


@dataclass
class Listing:
    """What a folder holds now, by external id (the path below the folder, `/` between parts)."""

    root: str
    files: dict[str, File] = field(default_factory=dict)
    skipped: list[Item] = field(default_factory=list)
    failed: list[Item] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)
    """Ids that are there but cannot be read now: what the library has of them stays."""
    complete: bool = True
    """Every folder in it could be listed: then what is missing is gone."""
    problem: str | None = None
    """Why the folder as a whole could not be listed."""
    obsidian: bool = False
