"""One run over one source: list, compare, read in batches, store each batch in a transaction, delete last."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cortex.errors import Invalid
from cortex.library import mirrors
from cortex.library.mirrors import Incoming, Mirror
from cortex.sources._plan import Plan, Renames, compare, why_withheld
from cortex.sources.listing import Item, Listing
from cortex.sources.reading import Outcome, Same, Skipped, read_all
from cortex.sources.report import SourceReport
from cortex.sources.source import Source
from cortex.storage import Database

Progress = Callable[[str, int, int], None]
"""Told (source, files done, files in all), after the listing and after every batch."""

_READING = 1
"""Grows when files are read or placed in another way: then every file is read again once."""
_DELETED_AT_ONCE = 200


@dataclass
class Run:
    """The run of one source; `report` grows with it, so that an interrupted run still tells what it did."""

    database: Database
    owner_id: int
    source: Source
    dry_run: bool = False
    allow_deletes: bool = False
    progress: Progress | None = None
    cancelled: Callable[[], bool] | None = None
    report: SourceReport = field(init=False)
    _listing: Listing = field(init=False)
    _known: dict[str, Mirror] = field(default_factory=dict)
    _renames: Renames = field(init=False)
    _done: int = 0

    def __post_init__(self) -> None:
        self.report = SourceReport(self.source.name)

    async def go(self) -> SourceReport:
        """Do it all.

        Raises:
            Upstream: the database is away, full or read-only; the batches before are kept.
        """
        self._listing = await asyncio.to_thread(self.source.list)
        async with self._transaction() as tx:
            self._known = await mirrors.inventory(tx, self.owner_id, self.source.name)
            again = self._other_rules(await mirrors.sources(tx, self.owner_id))
        plan = compare(self._listing, self._known, again=again)
        self._renames = Renames(plan.gone)
        self._take_listing(plan)
        finished = await self._read(plan, again=again)
        if finished:
            await self._delete()
        self._conclude(finished)
        await self._record()
        return self.report

    def _transaction(self) -> Any:
        return self.database.transaction("app", self.owner_id)

    def _take_listing(self, plan: Plan) -> None:
        report = self.report
        report.unchanged = len(plan.unchanged)
        report.without_date = sum(not self._known[name].dated for name in plan.unchanged)
        report.skipped = list(self._listing.skipped)
        report.failed = list(self._listing.failed)
        report.problem = self._listing.problem
        self._step(len(plan.unchanged))

    def _step(self, files: int) -> None:
        self._done += files
        if self.progress:
            self.progress(self.source.name, self._done, len(self._listing.files))

    async def _read(self, plan: Plan, *, again: bool) -> bool:
        """Read and store; the next batch is read while one is stored. False when it was cancelled."""

        def read(batch: Sequence[Any]) -> Awaitable[list[Outcome]]:
            return asyncio.to_thread(read_all, self.source, batch, self._known, again=again)

        batches = plan.batches()
        waiting = asyncio.ensure_future(read(first)) if (first := next(batches, None)) else None
        try:
            while waiting is not None:
                if self.cancelled and self.cancelled():
                    return False
                outcomes = await waiting
                waiting = asyncio.ensure_future(read(batch)) if (batch := next(batches, None)) else None
                await self._store(outcomes)
                self._step(len(outcomes))
        finally:
            if waiting is not None:
                await asyncio.gather(waiting, return_exceptions=True)
        return not (self.cancelled and self.cancelled())

    async def _store(self, outcomes: Sequence[Outcome]) -> None:
        report = self.report
        same = [outcome for outcome in outcomes if isinstance(outcome, Same)]
        items = [outcome for outcome in outcomes if isinstance(outcome, Incoming)]
        report.skipped += [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
        report.failed += [
            outcome for outcome in outcomes if isinstance(outcome, Item) and not isinstance(outcome, Skipped)
        ]
        moves = [(self._old(item), item) for item in items]
        if self.dry_run:
            for old, item in moves:
                self._count(
                    old, item, changed=old != item.external_id or self._known[old].content_hash != item.content_hash
                )
        elif items or same:
            await self._commit(moves, same)
        report.unchanged += len(same)
        report.without_date += sum(not self._known[outcome.external_id].dated for outcome in same)

    def _old(self, item: Incoming) -> str | None:
        """The external id that the item's document has in the library; None when it is new there."""
        return item.external_id if item.external_id in self._known else self._renames.take(item)

    async def _commit(self, moves: Sequence[tuple[str | None, Incoming]], same: Sequence[Same]) -> None:
        """Store a batch in one transaction; if the database refuses an item, each in its own, so that only it fails."""
        try:
            changed = await self._apply(moves, same)
        except Invalid:
            changed = set()
            for move in moves:
                try:
                    changed |= await self._apply([move], [])
                except Invalid as error:
                    self._refused(move, error)
            await self._apply([], same)
            moves = [move for move in moves if move[1].external_id not in {item.item for item in self.report.failed}]
        for old, item in moves:
            self._count(old, item, changed=item.external_id in changed)

    def _refused(self, move: tuple[str | None, Incoming], error: Invalid) -> None:
        self.report.failed.append(Item(move[1].external_id, error.message))

    async def _apply(self, moves: Sequence[tuple[str | None, Incoming]], same: Sequence[Same]) -> set[str]:
        owner, source = self.owner_id, self.source.name
        renamed = [(old, item) for old, item in moves if old is not None and old != item.external_id]
        kept = [item for old, item in moves if old is None or old == item.external_id]
        async with self._transaction() as tx:
            changed = await mirrors.rename(tx, owner, source, renamed)
            changed |= await mirrors.upsert(tx, owner, source, kept)
            stats = [(file.external_id, file.size, file.mtime_ns, file.content_hash) for file in same]
            await mirrors.touch(tx, owner, source, stats)
        return changed

    def _count(self, old: str | None, item: Incoming, *, changed: bool) -> None:
        if old is None:
            self.report.added += 1
        elif changed:
            self.report.changed += 1
        else:
            self.report.unchanged += 1
        self.report.without_date += item.date is None and item.period is None

    async def _delete(self) -> None:
        """Delete what is gone, unless the listing was incomplete or looks like an unmounted disk."""
        gone = sorted(self._renames.left)
        withheld = None if self.allow_deletes else why_withheld(self._listing, len(self._known), len(gone))
        if withheld:
            self.report.problem = self.report.problem or withheld
            self.report.missing = len(gone)
            return
        for start in range(0, len(gone), _DELETED_AT_ONCE):
            part = gone[start : start + _DELETED_AT_ONCE]
            if self.dry_run:
                self.report.deleted += len(part)
                continue
            async with self._transaction() as tx:
                self.report.deleted += await mirrors.remove(tx, self.owner_id, self.source.name, part)

    def _conclude(self, finished: bool) -> None:
        if not finished:
            self.report.problem = "cancelled; what was done is kept, the next run goes on"
        self.report.complete = finished and self._listing.complete and self.report.problem is None
        self.report.add_up()

    async def _record(self) -> None:
        if self.dry_run:
            return
        told = {**self.report.brief(), **({"rules": self._rules()} if self.report.complete else {})}
        async with self._transaction() as tx:
            await mirrors.record_run(tx, self.owner_id, self.source.name, told, complete=self.report.complete)

    def _rules(self) -> str:
        """What decides a document beside its file's bytes."""
        source = self.source
        rules = [_READING, source.place, source.layout, source.weeks, *self._listing.rules]
        return hashlib.sha256(json.dumps(rules).encode()).hexdigest()[:16]

    def _other_rules(self, sources: Sequence[mirrors.Source]) -> bool:
        """Whether the last run read the files under other rules."""
        report = next((source.report for source in sources if source.name == self.source.name), None) or {}
        return bool(self._listing.files) and report.get("rules", self._rules()) != self._rules()
