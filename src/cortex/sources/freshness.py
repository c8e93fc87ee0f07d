"""How old each mirror is: when its source was synced, and how many files are newer, by stat alone."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cortex.library import mirrors
from cortex.library.mirrors import Mirror, Source
from cortex.settings import Settings
from cortex.sources.listing import Listing
from cortex.sources.local import Folder, list_folder
from cortex.storage import Database


@dataclass(frozen=True)
class Freshness:
    """A source as the sync line under the box shows it.

    `newer` counts files that are new or changed since the last sync; None where that cannot be told (no folder, or it is not
    there). A source off the list has `listed` False: remove it or list it again.
    """

    name: str
    type: str
    listed: bool
    synced_at: dt.datetime | None
    newer: int | None
    documents: int
    report: dict[str, Any] | None = None
    unlisted_at: dt.datetime | None = None


async def freshness(database: Database, owner_id: int, settings: Settings) -> list[Freshness]:
    """Every source of the library and of the configuration, by name."""
    folders = {source.name: Folder.of(source) for source in settings.sources}
    async with database.transaction("app", owner_id) as tx:
        sources = {source.name: source for source in await mirrors.sources(tx, owner_id)}
        known = {name: await mirrors.inventory(tx, owner_id, name) for name in folders if name in sources}
    newer: dict[str, int | None] = {}
    for name, folder in folders.items():
        listing = await asyncio.to_thread(list_folder, folder)
        newer[name] = None if listing.problem else _newer(listing, known.get(name, {}), sources.get(name))
    unsynced = [
        Source(name, folder.type, True, None, None, None, 0) for name, folder in folders.items() if name not in sources
    ]
    return [_fresh(source, name_newer=newer) for source in sorted([*sources.values(), *unsynced], key=lambda s: s.name)]


def _fresh(source: Source, name_newer: Mapping[str, int | None]) -> Freshness:
    return Freshness(
        source.name,
        source.type,
        source.listed,
        source.synced_at,
        name_newer.get(source.name),
        source.documents,
        source.report,
        source.unlisted_at,
    )


def _newer(listing: Listing, known: Mapping[str, Mirror], source: Source | None) -> int:
    """Files that a sync would read. What the last run could not take counts only when it was written since."""
    report = (source.report if source else None) or {}
    passed_over = {item["item"] for key in ("skipped", "failed") for item in report.get(key, ())}
    synced_ns = source.synced_at.timestamp() * 1e9 if source and source.synced_at else 0
    count = 0
    for name, file in listing.files.items():
        mirror = known.get(name)
        if mirror is None or name in passed_over:
            count += name not in passed_over or file.mtime_ns > synced_ns
        else:
            count += (mirror.size, mirror.mtime_ns) != (file.size, file.mtime_ns)
    return count
