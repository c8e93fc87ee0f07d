"""Checking the index for what should never be, and making it anew: for `cortex doctor` and `cortex reindex`."""

from __future__ import annotations

from dataclasses import dataclass

from cortex.errors import Invalid
from cortex.indexing import _upkeep_repository as repository
from cortex.indexing.pipeline import PRIORITY
from cortex.indexing.status import catch_up
from cortex.jobs import enqueue, held
from cortex.library import INDEX_JOB
from cortex.storage import Transaction


@dataclass(frozen=True)
class Orphans:
    """Counts of what belongs to nothing; all are 0 in a sound index."""

    postings: int
    vectors: int
    passages: int
    """Passages whose text is not their document's, though they name its present version."""
    stale: int
    """Passages of an old version, though the index says that it holds the present one."""

    @property
    def total(self) -> int:
        return self.postings + self.vectors + self.passages + self.stale


async def orphans(tx: Transaction, owner_id: int) -> Orphans:
    """Count orphans; reads the whole index, so it takes seconds on a large one."""
    tables = [f"vectors_{space}" for space in await repository.spaces(tx, owner_id)] + ["sentences"]
    return Orphans(
        postings=await repository.postings_without_passage(tx, owner_id),
        vectors=await repository.vectors_without_passage(tx, owner_id, tables),
        passages=await repository.passages_of_another_text(tx, owner_id),
        stale=await repository.stale_passages(tx, owner_id),
    )


async def forgotten(tx: Transaction, owner_id: int) -> int:
    """How many documents are not searchable as they are now, have not failed, and are in no job."""
    lost = set(await repository.waiting(tx, owner_id)) - await held(
        tx, INDEX_JOB, {"owner_id": owner_id}, "document_ids"
    )
    # A job may have ended between the two readings; its documents do not wait any more.
    return len(lost & set(await repository.waiting(tx, owner_id))) if lost else 0


async def embedded(tx: Transaction, owner_id: int, space: str = "fast") -> int:
    """How many texts were embedded in a space and are kept: the difference of two readings is what was embedded between."""
    return await repository.embedded(tx, owner_id, space)


async def cut_again(tx: Transaction, owner_id: int) -> int:
    """Have every document cut into passages anew; texts that stay the same keep their vectors. Returns how many."""
    await repository.forget_indexed(tx, owner_id)
    return await catch_up(tx, owner_id)


async def embed_again(tx: Transaction, owner_id: int, space: str) -> None:
    """Drop a space's vectors and have it filled anew; its leg finds less until then.

    Raises:
        Invalid: there is no such space; the message names those that there are.
    """
    known = await repository.spaces(tx, owner_id)
    if space not in known:
        raise Invalid(f"there is no space {space!r}; there are: {', '.join(known)}", field="--space")
    await repository.empty_space(tx, owner_id, space)
    await enqueue(
        tx,
        "fill_space",
        priority=PRIORITY["fill_space"],
        unique=f"fill_space:{owner_id}:{space}",
        owner_id=owner_id,
        space=space,
    )
