"""What holds for every request: an id for the log, a limit on the body's size, and an end that can be read."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cortex.logs import get
from cortex.web.problems import of_status, unexpected

_log = get(__name__)

BODY_BYTES = 1_000_000
"""The largest body that a route takes."""

STREAMED = re.compile(r"/api/notes/\d+/attachments")
"""Paths of the routes that read a body in pieces."""
NOTES = r"/api/(?:notes|changes)(?:/.*)?"
"""Routes whose bodies hold notes."""

NOTES_IN_A_BODY = 5
"""So many times the longest note fits: a change with the text that it was made from, both written as JSON."""


class RequestId:
    """ASGI middleware: each request has an id, in its log lines and in the response's X-Request-Id."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = uuid.uuid4().hex[:16]
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self.app(scope, receive, send_with_id)


class BodyLimit:
    """ASGI middleware: a body above the limit is refused, announced or not, before it is held in memory.

    Args:
        wider: the limits of routes that take more, by a pattern of the whole path; the first that fits holds.
        streamed: paths of routes that hold no body in memory, and count for themselves.
    """

    def __init__(
        self,
        app: ASGIApp,
        limit: int = BODY_BYTES,
        wider: Mapping[str, int] | None = None,
        streamed: re.Pattern[str] = STREAMED,
    ) -> None:
        self.app = app
        self.limit = limit
        self._wider = [(re.compile(path), size) for path, size in (wider or {}).items()]
        self.streamed = streamed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self.streamed.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        limit = next((size for path, size in self._wider if path.fullmatch(scope["path"])), self.limit)
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isdigit() and int(announced) > limit:
            await of_status(413, _reason(limit))(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(413, _reason(limit))
            return message

        await self.app(scope, receive_counted, send)


def _reason(limit: int) -> str:
    return f"A request holds at most {limit:,} bytes."


class Mistakes:
    """ASGI middleware: an error that nobody expected is logged and told as a problem, inside of the other layers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except Exception as error:
            if started or scope["type"] != "http":
                raise
            _log.error("request failed", path=scope["path"], error=type(error).__name__, exc_info=error)
            await unexpected(scope.get("state", {}).get("request_id"))(scope, receive, send)
