"""How old each mirror is: when its source was synced, and how many files are newer, where listing alone tells it at once."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cortex.library import mirrors
from cortex.library.mirrors import Mirror
from cortex.settings import Settings
from cortex.sources.listing import Listing
from cortex.sources.opening import open_source
from cortex.storage import Database


@dataclass(frozen=True)
class Freshness:
    """A source as the sync line under the box shows it.

    `newer` counts files that are new or changed since the last sync; None where that cannot be told (it is not there, or
    does not list at once). A source off the list has `listed` False: remove it or list it again. `syncable`: a sync of it can
    be started; Cortex's own sources have none.
    """

    name: str
    type: str
    listed: bool
    synced_at: dt.datetime | None
    newer: int | None
    documents: int
    syncable: bool
    report: dict[str, Any] | None = None
    unlisted_at: dt.datetime | None = None


async def freshness(database: Database, owner_id: int, settings: Settings) -> list[Freshness]:
    """Every source of the library and of the configuration, by name."""
    listed = {source.name: source for source in settings.sources}
    at_once = {name: opened for name in listed if (opened := open_source(settings, listed[name])).lists_at_once}
    async with database.transaction("app", owner_id) as tx:
        sources = {source.name: source for source in await mirrors.sources(tx, owner_id)}
        known = {name: await mirrors.inventory(tx, owner_id, name) for name in at_once if name in sources}
    newer: dict[str, int | None] = {}
    for name, opened in at_once.items():
        listing = await asyncio.to_thread(opened.list)
        newer[name] = None if listing.problem else _newer(listing, known.get(name, {}), sources.get(name))
    unsynced = [
        mirrors.Source(name, source.type, True, None, None, None, 0)
        for name, source in listed.items()
        if name not in sources
    ]
    return [
        _fresh(source, newer.get(source.name), syncable=source.listed and source.name in listed)
        for source in sorted([*sources.values(), *unsynced], key=lambda s: s.name)
    ]


def _fresh(source: mirrors.Source, newer: int | None, *, syncable: bool) -> Freshness:
    return Freshness(
        source.name,
        source.type,
        source.listed,
        source.synced_at,
        newer,
        source.documents,
        syncable,
        source.report,
        source.unlisted_at,
    )


def _newer(listing: Listing, known: Mapping[str, Mirror], source: mirrors.Source | None) -> int:
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
