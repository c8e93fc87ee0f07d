"""Server-sent events: how a stream is written, kept alive, resumed and ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Protocol

from starlette.responses import StreamingResponse

from cortex.errors import CortexError
from cortex.logs import get
from cortex.web.problems import KINDS

_log = get(__name__)

HEARTBEAT_SECONDS = 15.0
"""After this long without an event a comment line shows that the stream lives."""

_HEARTBEAT = b": heartbeat\n\n"


class Numbered(Protocol):
    """An event of a stream; `n` grows and is what a reader comes back with."""

    @property
    def n(self) -> int: ...

    @property
    def event(self) -> str: ...

    @property
    def data(self) -> dict[str, Any]: ...


def frame(event: Numbered) -> bytes:
    """One event as it is written. JSON escapes line ends, so the data is one line."""
    data = json.dumps(event.data, ensure_ascii=False, default=str)
    return f"id: {event.n}\nevent: {event.event}\ndata: {data}\n\n".encode()


def response(events: AsyncIterator[Numbered], stopping: asyncio.Event) -> StreamingResponse:
    """The events as a response that no proxy buffers; it ends with them, or at once when the server stops."""
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(written(events, stopping), media_type="text/event-stream", headers=headers)


async def written(
    events: AsyncIterator[Numbered], stopping: asyncio.Event, heartbeat_s: float = HEARTBEAT_SECONDS
) -> AsyncIterator[bytes]:
    """Frames, and heartbeats between them. A reader who is cut off resumes by the last id."""
    stop = asyncio.create_task(stopping.wait())
    coming: asyncio.Task[Numbered] | None = None
    try:
        while not stopping.is_set():
            coming = coming or asyncio.create_task(_next(events))
            await asyncio.wait({coming, stop}, timeout=heartbeat_s, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                if not stopping.is_set():
                    yield _HEARTBEAT
                continue
            done, coming = coming, None
            try:
                event = done.result()
            except StopAsyncIteration:
                return
            yield frame(event)
    except CortexError as error:
        yield _failure(KINDS[type(error)][1], KINDS[type(error)][2], error.message)
    except Exception as error:  # noqa: BLE001 - the headers are gone: the stream itself must say that it failed
        _log.error("stream failed", error=type(error).__name__, exc_info=error)
        yield _failure("internal", "The stream failed", "Cortex made a mistake. The log says more.")
    finally:
        await _end(stop, coming)
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


async def _next(events: AsyncIterator[Numbered]) -> Numbered:
    return await anext(events)


def _failure(kind: str, title: str, detail: str) -> bytes:
    """An error outside of the numbering: a reader who comes back gets what follows the last event."""
    data = json.dumps({"type": kind, "title": title, "detail": detail}, ensure_ascii=False)
    return f"event: error\ndata: {data}\n\n".encode()


async def _end(*tasks: asyncio.Task[Any] | None) -> None:
    for task in tasks:
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
