"""An answer's events, in the database: written in batches, followed by any number of readers, resumed by number.

A reader needs no tie to the process that answers: it reads rows. A process that died shows as a heartbeat that stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from cortex.answering import _repository as repository
from cortex.errors import NotFound
from cortex.storage import Database, Transaction

BEAT_SECONDS = 2.0
"""How often an answering process shows that it lives."""

SILENT_SECONDS = 15.0
"""After this long without a heartbeat an answer counts as interrupted."""

_BATCH_SECONDS = 0.1
_POLL_SECONDS = 0.15

LAST = ("done", "error")
"""The events that end a stream."""


@dataclass(frozen=True)
class Event:
    """One event; `n` counts from 1 within the answer and is the stream's `id:`."""

    n: int
    event: str
    data: dict[str, Any]


class Listener:
    """A reader of an answer in the process that makes it. `rung` is set when there is news."""

    def __init__(self) -> None:
        self.rung = asyncio.Event()
        self._told: list[Event] = []

    def tell(self, events: Sequence[Event]) -> None:
        self._told += events
        self.rung.set()

    def told(self, after: int) -> list[Event]:
        """What was told since the last call and follows event `after` without a gap."""
        self.rung.clear()
        told, self._told = [event for event in self._told if event.n > after], []
        return told if told and told[0].n == after + 1 else []


class Bell:
    """Tells the readers of an answer in this process at once what was written; readers elsewhere poll."""

    def __init__(self) -> None:
        self._readers: dict[int, set[Listener]] = {}

    def ring(self, answer_id: int, events: Sequence[Event] = ()) -> None:
        """`events` are in the database by now; without any the readers look there."""
        for reader in self._readers.get(answer_id, ()):
            reader.tell(events)

    @contextmanager
    def listening(self, answer_id: int) -> Iterator[Listener]:
        """A listener that is told whenever the answer has news."""
        reader = Listener()
        self._readers.setdefault(answer_id, set()).add(reader)
        try:
            yield reader
        finally:
            self._readers[answer_id].discard(reader)
            if not self._readers[answer_id]:
                del self._readers[answer_id]


@dataclass
class EventLog:
    """Writes one answer's events; small ones are gathered for a tenth of a second."""

    database: Database
    owner_id: int
    answer_id: int
    bell: Bell
    _n: int = 0
    _waiting: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)
    _written: float = 0.0

    async def add(self, event: str, data: dict[str, Any]) -> None:
        """Add an event; it is in the database within a batch's time, or when `flush` is called."""
        self._n += 1
        self._waiting.append((self._n, event, data))
        if asyncio.get_running_loop().time() - self._written >= _BATCH_SECONDS:
            await self.flush()

    async def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            async with self._writing():
                pass

    @asynccontextmanager
    async def writing(self, event: str, data: dict[str, Any]) -> AsyncIterator[Transaction]:
        """The transaction that writes an event at once, with what waits, and whatever the caller writes with it."""
        self._n += 1
        self._waiting.append((self._n, event, data))
        async with self._writing() as tx:
            yield tx

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[Transaction]:
        waiting, self._waiting = self._waiting, []
        self._written = asyncio.get_running_loop().time()
        try:
            async with self.database.transaction("ai", self.owner_id) as tx:
                await repository.append(tx, self.owner_id, self.answer_id, waiting)
                yield tx
        except BaseException:
            # Cancelled or failed in mid-write: the closing transaction writes them (again).
            self._waiting = waiting + self._waiting
            raise
        self.bell.ring(self.answer_id, [Event(*row) for row in waiting])

    def close(self, event: str, data: dict[str, Any]) -> list[tuple[int, str, dict[str, Any]]]:
        """What still waits and the last event, for the transaction that ends the answer."""
        self._n += 1
        waiting, self._waiting = self._waiting, []
        return [*waiting, (self._n, event, data)]


async def follow(
    database: Database, owner_id: int, answer_id: int, *, after: int = 0, bell: Bell | None = None
) -> AsyncIterator[Event]:
    """The answer's events with a number above `after`, as they come, until the last one.

    If the process that answered died, the stream ends with an `error` of type `interrupted`.

    Raises:
        NotFound: there is no such answer.
    """
    with (bell or Bell()).listening(answer_id) as listener:
        while True:
            events = listener.told(after)
            if not events:
                state, events = await _read(database, owner_id, answer_id, after)
            for event in events:
                after = event.n
                yield event
                if event.event in LAST:
                    return
            if events:
                continue
            if state["state"] != "running":
                return
            if state["silent_s"] > SILENT_SECONDS:
                yield Event(after + 1, "error", INTERRUPTED)
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(listener.rung.wait(), _POLL_SECONDS)


async def _read(database: Database, owner_id: int, answer_id: int, after: int) -> tuple[dict[str, Any], list[Event]]:
    async with database.transaction("ai", owner_id) as tx:
        state = await repository.answer(tx, owner_id, answer_id)
        if state is None:
            raise NotFound(f"there is no answer {answer_id}", field="answer_id")
        events = await repository.events_after(tx, owner_id, answer_id, after)
    return state, [Event(**row) for row in events]


INTERRUPTED = {
    "type": "interrupted",
    "title": "The answer was interrupted",
    "detail": "The process that was answering ended. What came is kept; ask again for a whole answer.",
}
