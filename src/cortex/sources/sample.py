"""The sample notebook of a first run: there while nothing else is, gone with one click, never back by itself."""

from __future__ import annotations

from pathlib import Path

from cortex.library import mirrors
from cortex.settings import Settings
from cortex.sources.local import Folder
from cortex.sources.report import SourceReport
from cortex.sources.sync import sync_one
from cortex.storage import Database

NAME = "sample"


def sample_folder(path: Path) -> Folder:
    """The sample as a source; `path` is the folder of its notes, inside the package."""
    return Folder(NAME, path.absolute(), include=("**/*.md",))


async def add_sample(database: Database, owner_id: int, settings: Settings, path: Path) -> SourceReport | None:
    """On a first run, when nothing is configured and there is no document, mirror the sample; else bring it up to date.

    Returns:
        What was done; None when the sample is not wanted: something is configured, or it was removed.
    """
    if settings.sources:
        return None
    async with database.transaction("app", owner_id) as tx:
        await mirrors.add_sample(tx, owner_id)
        listed = any(source.name == NAME and source.listed for source in await mirrors.sources(tx, owner_id))
    return await sync_one(database, owner_id, sample_folder(path)) if listed else None


async def remove_sample(database: Database, owner_id: int) -> int:
    """Remove the sample for good. Returns how many documents went."""
    async with database.transaction("app", owner_id) as tx:
        return await mirrors.remove_sample(tx, owner_id)
