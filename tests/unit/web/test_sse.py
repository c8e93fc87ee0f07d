"""A stream is written event by event, shows that it lives, and ends when it should."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from cortex.errors import NotFound
from cortex.web import sse
from cortex.web.events import StreamEvent


async def _events(*events: StreamEvent, error: Exception | None = None) -> AsyncIterator[StreamEvent]:
    for event in events:
        yield event
    if error:
        raise error


async def _all(events: AsyncIterator[sse.Numbered]) -> list[str]:
    return [piece.decode() async for piece in sse.written(events, asyncio.Event())]


async def test_every_event_has_an_id_and_one_line_of_data() -> None:
    pieces = await _all(_events(StreamEvent(3, "delta", {"text": "a\nb\r 猫\u2028🐈"})))
    assert pieces == ['id: 3\nevent: delta\ndata: {"text": "a\\nb\\r 猫\u2028🐈"}\n\n']


async def test_a_heartbeat_shows_that_a_silent_stream_lives() -> None:
    more = asyncio.Event()

    async def slow() -> AsyncIterator[StreamEvent]:
        await more.wait()
        yield StreamEvent(1, "done", {})

    pieces = []
    async for piece in sse.written(slow(), asyncio.Event(), heartbeat_s=0.01):
        pieces.append(piece.decode())
        if len(pieces) == 3:
            more.set()
    assert pieces[:3] == [": heartbeat\n\n"] * 3
    assert pieces[-1].startswith("id: 1\nevent: done\n")


@pytest.mark.parametrize(("error", "kind"), [(NotFound("gone"), "not_found"), (RuntimeError("boom"), "internal")])
async def test_a_failure_ends_the_stream_with_an_error_outside_of_the_numbering(error: Exception, kind: str) -> None:
    pieces = await _all(_events(StreamEvent(1, "delta", {}), error=error))
    assert pieces[-1].startswith(f'event: error\ndata: {{"type": "{kind}"')
    assert "boom" not in pieces[-1]


async def test_a_server_that_stops_ends_the_stream() -> None:
    stopping = asyncio.Event()

    async def endless() -> AsyncIterator[StreamEvent]:
        yield StreamEvent(1, "status", {})
        await asyncio.Event().wait()

    pieces = []
    async for piece in sse.written(endless(), stopping):
        pieces.append(piece)
        stopping.set()
    assert len(pieces) == 1


async def test_a_reader_who_leaves_closes_the_source() -> None:
    closed = asyncio.Event()

    async def source() -> AsyncIterator[StreamEvent]:
        try:
            yield StreamEvent(1, "status", {})
            await asyncio.Event().wait()
        finally:
            closed.set()

    async with aclosing(sse.written(source(), asyncio.Event())) as pieces:  # type: ignore[type-var]
        await anext(pieces)
    assert closed.is_set()
