"""Taking a source's documents out for good: the sample, or one that the configuration lists no more."""

from __future__ import annotations

from cortex.errors import Conflict, NotFound
from cortex.library import mirrors
from cortex.settings import Settings
from cortex.sources.sample import NAME, remove_sample
from cortex.storage import Database


async def remove_source(database: Database, owner_id: int, settings: Settings, name: str) -> int:
    """Delete the documents that were mirrored from a source; its files are not touched. Returns how many went.

    Raises:
        NotFound: there is no such source.
        Conflict: it is Cortex's own notes, or the configuration lists it: it would come back with the next sync.
    """
    if name == NAME:
        return await remove_sample(database, owner_id)
    if any(source.name == name for source in settings.sources):
        raise Conflict(f"{name} is listed in the configuration: take it out there first, then remove it", field="name")
    async with database.transaction("app", owner_id) as tx:
        found = next((source for source in await mirrors.sources(tx, owner_id) if source.name == name), None)
        if found is None:
            raise NotFound(f"there is no source {name!r}", field="name")
        if found.type == "notes":
            raise Conflict("your own notes are no mirror: delete the notes themselves", field="name")
        if found.listed:  # the configuration may have changed since these settings were read; the last sync knows
            raise Conflict(
                f"{name} is listed in the configuration: take it out there first, then remove it", field="name"
            )
        return await mirrors.remove(tx, owner_id, name, list(await mirrors.inventory(tx, owner_id, name)))
