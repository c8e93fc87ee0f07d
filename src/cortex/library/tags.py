"""Tags of all notes at once: renamed, or merged into another."""

from __future__ import annotations

from cortex.errors import Invalid
from cortex.library import _tags_repository as repository
from cortex.library import changes, notes
from cortex.library.drafts import clean_tags
from cortex.storage import Transaction

_JOB_NOTES = 50


async def rename(tx: Transaction, owner_id: int, old: str, new: str) -> int:
    """Give every note that has the tag `old`, written just so, the tag `new` in its place; returns how many notes.

    Notes in the trash get it too. Tags of mirrors belong to their sources and stay.

    Raises:
        Invalid: a name is empty or too long.
    """
    before, after = _one(old, "from"), _one(new, "to")
    if before == after:
        return 0
    changed = await repository.rename(tx, owner_id, before, after)
    shown = [row["id"] for row in changed if row["trashed_at"] is None]
    for start in range(0, len(shown), _JOB_NOTES):
        await notes.enqueue_indexing(tx, owner_id, shown[start : start + _JOB_NOTES])
    await changes.record(tx, owner_id, "saved", [(row["id"], row["key"], row["version"]) for row in changed])
    return len(changed)


def _one(name: str, field: str) -> str:
    try:
        cleaned = clean_tags([name])
    except Invalid as error:
        raise Invalid(error.message, field=field) from error
    if not cleaned:
        raise Invalid("a tag has a name", field=field)
    return cleaned[0]
