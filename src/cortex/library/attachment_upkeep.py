"""Attachments that nobody has any more, files that nothing names: what collects them, and what the doctor counts."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from cortex import jobs
from cortex.errors import CortexError
from cortex.library import _attached_texts_repository as texts
from cortex.library import _attachments_repository as repository
from cortex.library import attachments
from cortex.storage import Database, Transaction, may_remove_files
from cortex.storage.files import PIECE, Files

COLLECT_JOB = "collect_attachments"
"""The job that deletes what nobody has had for a day: (owner_id)."""
KEPT_S = 86_400.0
"""How long a file without a record is kept, and a record without a note: somebody may be about to use it again."""
_BATCH = 500
_PRIORITY = -10


@dataclass(frozen=True)
class Stock:
    """What there is, in bytes and numbers, and what is wrong with it: hashes of files that are missing, or are not what they were."""

    records: int
    size: int
    missing: tuple[str, ...]
    damaged: tuple[str, ...]
    files_alone: int
    """Files that no record of anybody names."""
    records_alone: int
    """Records that no note has."""
    texts_alone: int
    """Texts that no record names."""


@dataclass(frozen=True)
class AttachmentKeeper:
    """The handlers of the collecting jobs, with what they need."""

    database: Database
    files: Files
    thumbnails: Files

    def handlers(self) -> Mapping[str, jobs.Handler]:
        return {COLLECT_JOB: self.collect, attachments.DROP_JOB: self.drop}

    async def collect(self, owner_id: int) -> None:
        """Delete records that no note has had for a day, and files of that age that nobody has a record of."""
        async with self.database.transaction("app", owner_id) as tx:
            await repository.lock(tx, owner_id, gone := await repository.unlinked(tx, owner_id, KEPT_S))
            still = set(
                await repository.unlinked(tx, owner_id, KEPT_S)
            )  # one may have been taken up before the lock was had
            await attachments.delete(tx, owner_id, [hash_ for hash_ in gone if hash_ in still])
        await asyncio.to_thread(self.files.remove_leftovers, KEPT_S)
        for files in (self.files, self.thumbnails):
            for some in _in_batches(await asyncio.to_thread(files.hashes, KEPT_S)):
                await self._drop_of(owner_id, some)

    async def drop(self, owner_id: int, hashes: Sequence[str]) -> None:
        """Delete the files of these hashes, unless somebody has a record of them again."""
        await self._drop_of(owner_id, [bytes.fromhex(hash_) for hash_ in hashes])

    async def _drop_of(self, owner_id: int, hashes: Sequence[bytes]) -> None:
        async with self.database.transaction("app", owner_id) as tx:
            kept = await repository.kept(tx, hashes)
        for hash_ in hashes:
            if hash_ not in kept:
                async with self.database.transaction("app", owner_id) as tx:
                    if not await may_remove_files(tx):
                        return  # a backup copies them; another day
                    await repository.lock_file(tx, hash_)
                    if not await repository.kept(tx, [hash_]):
                        await asyncio.to_thread(self.files.remove, hash_)
                        await asyncio.to_thread(self.thumbnails.remove, hash_)


async def enqueue_collecting(tx: Transaction, owner_id: int) -> None:
    """Have what nobody has be collected; one waiting job is enough."""
    await jobs.enqueue(tx, COLLECT_JOB, priority=_PRIORITY, unique=f"{COLLECT_JOB}:{owner_id}", owner_id=owner_id)


async def stock(database: Database, owner_id: int, files: Files) -> Stock:
    """Count and check everything. Reads every file to its end, so it takes seconds for each gigabyte."""
    async with database.transaction("app", owner_id) as tx:
        records = await texts.records(tx, owner_id)
        records_alone = len(await repository.unlinked(tx, owner_id, 0))
        texts_alone = await texts.texts_alone(tx, owner_id)
        there = set(await asyncio.to_thread(files.hashes))
        kept = {hash_ for some in _in_batches(there) for hash_ in await repository.kept(tx, some)}
    hashes = [bytes(record["hash"]) for record in records]
    missing = tuple(hash_.hex() for hash_ in hashes if hash_ not in there)
    damaged = await asyncio.to_thread(lambda: [h.hex() for h in hashes if h in there and not _sound(files, h)])
    size = sum(record["size"] for record in records)
    return Stock(len(records), size, missing, tuple(damaged), len(there - kept), records_alone, texts_alone)


def _sound(files: Files, hash_: bytes) -> bool:
    """Whether a file is what its name says; one that went meanwhile is."""
    hashed = hashlib.sha256()
    try:
        with files.open(hash_) as file:
            while piece := file.read(PIECE):
                hashed.update(piece)
    except CortexError:
        return not files.path(hash_).exists()
    except OSError:
        return False
    return hashed.digest() == hash_


def _in_batches(hashes: Iterable[bytes]) -> Iterator[list[bytes]]:
    every = iter(hashes)
    while some := list(islice(every, _BATCH)):
        yield some
