"""What a run has to do: a listing held against what the library has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from cortex.library.mirrors import BATCH, Incoming, Mirror
from cortex.sources.listing import File, Listing

_BATCH_BYTES = 2_000_000
_MANY = 20
_SHARE = 0.25


@dataclass
class Plan:
    """`unchanged` by size and time; `to_read`, in batches; `gone`: documents whose files are no longer there."""

    unchanged: list[str]
    to_read: list[File]
    gone: dict[str, Mirror] = field(default_factory=dict)

    def batches(self) -> Iterator[list[File]]:
        """What to read, about 50 files or 2 MB at a time, so that a kill loses no more than that."""
        batch: list[File] = []
        size = 0
        for file in self.to_read:
            if batch and (len(batch) >= BATCH or size + file.size > _BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(file)
            size += file.size
        if batch:
            yield batch


def compare(listing: Listing, known: Mapping[str, Mirror], *, again: bool = False) -> Plan:
    """Hold a listing against the library. `again`: read even what is unchanged (its place or layout is another now)."""
    unchanged: list[str] = []
    to_read: list[File] = []
    for name in sorted(listing.files):
        file, mirror = listing.files[name], known.get(name)
        same = mirror is not None and mirror.size == file.size and mirror.mtime_ns == file.mtime_ns
        if same and not again:
            unchanged.append(name)
        else:
            to_read.append(file)
    plan = Plan(unchanged, to_read)
    if listing.complete:
        plan.gone = {
            name: mirror for name, mirror in known.items() if name not in listing.files and name not in listing.kept
        }
    return plan


def why_withheld(listing: Listing, mirrored: int, gone: int) -> str | None:
    """Why what is gone must not be deleted yet: it looks like an unmounted disk, not like a person tidying up.

    Args:
        mirrored: documents of the source before the run.
        gone: of them, those that are missing and were not renamed.
    """
    if not gone:
        return None
    if not listing.files:
        return (
            f"it lists no file where the library has {mirrored}; nothing was deleted. If that is right: --allow-deletes"
        )
    if gone > _MANY and gone > mirrored * _SHARE:
        return f"{gone} of {mirrored} documents are missing; nothing was deleted. If that is right: --allow-deletes"
    return None


class Renames:
    """Finds the document that a new file was before: same bytes, else a name that differs in case only."""

    def __init__(self, gone: Mapping[str, Mirror]) -> None:
        self.left = dict(gone)
        self._by_hash: dict[bytes, list[str]] = defaultdict(list)
        self._by_name = {name.casefold(): name for name in gone}
        for name, mirror in gone.items():
            self._by_hash[mirror.content_hash].append(name)

    def take(self, item: Incoming) -> str | None:
        """The old external id of this new item, which is used up by it."""
        old = self._same_bytes(item) or self._by_name.get(item.external_id.casefold())
        if old is None or old not in self.left:
            return None
        del self.left[old]
        return old

    def _same_bytes(self, item: Incoming) -> str | None:
        names = [name for name in self._by_hash.get(item.content_hash, ()) if name in self.left]
        name = PurePosixPath(item.external_id).name
        return next((old for old in names if PurePosixPath(old).name == name), names[0] if names else None)
