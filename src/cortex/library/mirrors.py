"""Mirrors: read-only copies of what the listed sources hold. Every change enqueues its indexing in the same transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import psycopg

from cortex import jobs
from cortex.errors import Invalid
from cortex.library import INDEX_JOB
from cortex.library import _mirrors_repository as repository
from cortex.storage import Transaction
from cortex.text.language import Lang

KEPT_DAYS = 30
"""How long the documents of a source that was taken off the list stay, out of every answer."""
BATCH = 50
"""Documents of one job, and about as many of one transaction."""
_PRIORITY = 10  # what changed is indexed before any space is filled further
_LONGEST_NAME = 500  # of a tag or a link: the index holds 2,700 bytes


@dataclass(frozen=True, slots=True)
class Mirror:
    """What the library has of one item of a source. `dated`: it has a day or a quarter."""

    document_id: int
    version: int
    size: int
    mtime_ns: int
    content_hash: bytes
    dated: bool


@dataclass(frozen=True)
class Incoming:
    """One item as it is in its source now. `text` is without front matter; `content_hash` is the sha256 of its bytes."""

    external_id: str
    title: str
    text: str
    lang: Lang
    url: str
    content_hash: bytes
    size: int
    mtime_ns: int
    kind: str = "note"
    date: dt.date | None = None
    period: int | None = None
    topic: str | None = None
    open_url: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """A source and its last run. Off the list, its documents are in no answer and go 30 days after `unlisted_at`."""

    name: str
    type: str
    listed: bool
    unlisted_at: dt.datetime | None
    synced_at: dt.datetime | None
    report: dict[str, Any] | None
    documents: int


async def reconcile(tx: Transaction, owner_id: int, listed: Iterable[tuple[str, str]]) -> None:
    """Make the sources those that are listed, as (name, type). A name that is gone leaves every answer at once.

    It is kept for 30 days and then deleted with its documents; one that comes back is as before. `notes` and `sample` are not
    the configuration's, and stay.
    """
    pairs = list(listed)
    names, types = [name for name, _ in pairs], [kind for _, kind in pairs]
    await repository.list_sources(tx, owner_id, names, types, KEPT_DAYS)


async def sources(tx: Transaction, owner_id: int) -> list[Source]:
    """Every source, listed or not, by name."""
    return [Source(**row) for row in await repository.sources(tx, owner_id)]


async def inventory(tx: Transaction, owner_id: int, source: str) -> dict[str, Mirror]:
    """What the library has of a source, by external id."""
    rows = await repository.inventory(tx, owner_id, source)
    return {
        row["external_id"]: Mirror(
            row["id"], row["version"], row["size"], row["mtime_ns"], bytes(row["content_hash"]), row["dated"]
        )
        for row in rows
    }


async def upsert(tx: Transaction, owner_id: int, source: str, items: Sequence[Incoming]) -> set[str]:
    """Add or replace documents, with their tags and links. What is the same as before keeps its version and gets no job.

    Returns:
        The external ids that were added or changed.

    Raises:
        Invalid: the database takes none of one item's values; nothing of this call may be committed then.
    """
    changed: dict[str, int] = {}
    for item in items:
        values = {key: value for key, value in asdict(item).items() if key not in ("tags", "links")}
        try:
            row = await repository.upsert(tx, owner_id, source, values)
        except psycopg.DataError as error:
            raise Invalid(f"cannot be stored: {error.diag.message_primary or error}", field=item.external_id) from error
        if row:
            changed[item.external_id] = row["id"]
    await touch(tx, owner_id, source, [item for item in items if item.external_id not in changed])
    if changed:
        await _replace_names(
            tx, owner_id, [(changed[item.external_id], item) for item in items if item.external_id in changed]
        )
        await _enqueue(tx, owner_id, list(changed.values()))
    return set(changed)


async def rename(tx: Transaction, owner_id: int, source: str, moves: Sequence[tuple[str, Incoming]]) -> set[str]:
    """Move documents from their old external id to what their item is now. The document's id stays, its version grows."""
    for old, item in moves:
        await repository.move(tx, owner_id, source, old, item.external_id)
    return await upsert(tx, owner_id, source, [item for _, item in moves])


async def touch(
    tx: Transaction, owner_id: int, source: str, items: Sequence[Incoming | tuple[str, int, int, bytes]]
) -> None:
    """Remember size, time and hash of items whose document did not change: no new version, no job."""
    stats = [
        item if isinstance(item, tuple) else (item.external_id, item.size, item.mtime_ns, item.content_hash)
        for item in items
    ]
    if stats:
        await repository.touch(tx, owner_id, source, stats)


async def remove(tx: Transaction, owner_id: int, source: str, external_ids: Sequence[str]) -> int:
    """Delete documents; their passages go with them. Returns how many there were."""
    return await repository.remove(tx, owner_id, source, external_ids)


async def record_run(tx: Transaction, owner_id: int, source: str, report: Mapping[str, Any], *, complete: bool) -> None:
    """Keep the report of a source's run; a complete one is what `synced_at` tells."""
    await repository.record_run(tx, owner_id, source, report, complete=complete)


async def lock(connection: Transaction, owner_id: int, source: str) -> bool:
    """Take the right to sync a source until `connection` (not of a pool) closes; False when another run has it."""
    return await repository.lock(connection, owner_id, source)


async def add_sample(tx: Transaction, owner_id: int) -> bool:
    """List the sample source, unless there is a document or the sample was ever there. Returns whether it is new."""
    return await repository.add_sample(tx, owner_id)


async def remove_sample(tx: Transaction, owner_id: int) -> int:
    """Delete the sample's documents for good; the source stays, off the list, so that it never comes back by itself."""
    await repository.remove_sample(tx, owner_id)
    return await remove(tx, owner_id, "sample", await repository.external_ids(tx, owner_id, "sample"))


async def _replace_names(tx: Transaction, owner_id: int, changed: Sequence[tuple[int, Incoming]]) -> None:
    tags = [(n, tag[:_LONGEST_NAME]) for n, item in changed for tag in item.tags]
    links = [(n, link.casefold()[:_LONGEST_NAME]) for n, item in changed for link in item.links]
    await repository.replace_names(tx, owner_id, [n for n, _ in changed], tags, links)


async def _enqueue(tx: Transaction, owner_id: int, ids: Sequence[int]) -> None:
    for start in range(0, len(ids), BATCH):
        part = list(ids[start : start + BATCH])
        await jobs.enqueue(tx, INDEX_JOB, priority=_PRIORITY, owner_id=owner_id, document_ids=part)
