"""How files of the library leave: the one place that decides which are shown, which are only downloaded, and under which headers.

What a browser shows by itself gets no origin, runs nothing and loads nothing. What could be a page, a drawing with a script, or
anything unknown is a download, whatever its name says.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Mapping
from typing import BinaryIO
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from cortex.text.filenames import safe_name
from cortex.text.media import PICTURES, UNKNOWN
from cortex.web.problems import of_status

SHOWN = PICTURES | {
    "application/pdf",
    *(f"audio/{kind}" for kind in ("mpeg", "mp4", "aac", "ogg", "wav", "flac", "webm")),
    *(f"video/{kind}" for kind in ("mp4", "webm", "ogg", "quicktime")),
}
"""What a browser may show by itself."""

DRAWN = frozenset({"image/svg+xml", "image/bmp"})
"""What it may show inside an `<img>` alone, where no script runs; opened by itself it is a download."""

_PIECE = 256 * 1024
_RANGE = re.compile(r"bytes=\s*(\d*)\s*-\s*(\d*)\s*")


def headers_of(media_type: str, name: str | None = None, *, drawn: bool = False) -> dict[str, str]:
    """The headers that keep a file from doing anything.

    Args:
        media_type: what the bytes are.
        name: under which it is saved; None: the browser takes the last part of the address.
        drawn: it is embedded in a note of the person's own files, where drawings are shown.
    """
    kind = media_type if media_type in SHOWN or (drawn and media_type in DRAWN) else UNKNOWN
    return {
        "Content-Type": kind,
        "Content-Disposition": disposition("inline" if kind in SHOWN else "attachment", name),
        "Content-Security-Policy": _policy(kind),
        "X-Content-Type-Options": "nosniff",
    }


def _policy(kind: str) -> str:
    """Sound and films are asked for a second time by the page that a browser makes of them; it may, and still runs nothing."""
    plays = kind.startswith(("audio/", "video/"))
    sandbox = "sandbox allow-same-origin; media-src 'self'" if plays else "sandbox"
    return f"{sandbox}; default-src 'none'; style-src 'unsafe-inline'"


def disposition(how: str, name: str | None) -> str:
    """A Content-Disposition (RFC 6266): the name in ASCII for old programs, and as it is (RFC 8187)."""
    if name is None:
        return how
    name = safe_name(name)
    ascii_name = re.sub(r'[^ -~]|["\\%]', "_", name)
    written = f'{how}; filename="{ascii_name}"'
    return written if ascii_name == name else f"{written}; filename*=UTF-8''{quote(name, safe='')}"


def lasting(tag: str) -> dict[str, str]:
    """The headers of bytes that never change under their address: the tag is for ever."""
    return {"ETag": f'"{tag}"', "Cache-Control": "private, max-age=31536000, immutable"}


def is_known(request: Headers, tag: str) -> bool:
    """Whether who asks has the bytes of this tag."""
    listed = request.get("if-none-match")
    return listed is not None and any(
        each.strip().removeprefix("W/") in ("*", f'"{tag}"') for each in listed.split(",")
    )


class FileResponse(Response):
    """A file in pieces, or the part that the request's Range names. Its bytes never change, so its tag is for ever.

    Args:
        open_file: called in a thread when the response begins; its errors are told as problems.
        tag: changes with the bytes.
    """

    def __init__(self, open_file: Callable[[], BinaryIO], tag: str, headers: Mapping[str, str]) -> None:
        super().__init__(headers={**headers, **lasting(tag), "Accept-Ranges": "bytes", "Content-Length": "0"})
        self._open = open_file
        self._tag = tag

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Headers(scope=scope)
        if is_known(request, self._tag):
            await Response(status_code=304, headers=lasting(self._tag))(scope, receive, send)
            return
        file = await asyncio.to_thread(self._open)
        try:
            size = os.fstat(file.fileno()).st_size
            wanted = _wanted(request, self.headers["etag"], size)
            if wanted is None:
                refused = of_status(416, f"The file has {size} bytes, and the range lies outside of them.")
                refused.headers["Content-Range"] = f"bytes */{size}"
                await refused(scope, receive, send)
                return
            await self._send(file, wanted, size, send, body=scope["method"] != "HEAD")
        finally:
            await asyncio.shield(asyncio.to_thread(file.close))

    async def _send(self, file: BinaryIO, wanted: range, size: int, send: Send, *, body: bool) -> None:
        part = len(wanted) != size
        if part:
            self.headers["Content-Range"] = f"bytes {wanted.start}-{wanted.stop - 1}/{size}"
        self.headers["Content-Length"] = str(len(wanted))
        await send({"type": "http.response.start", "status": 206 if part else 200, "headers": self.raw_headers})
        left = len(wanted) if body else 0
        await asyncio.to_thread(file.seek, wanted.start)
        while left:
            piece = await asyncio.to_thread(file.read, min(_PIECE, left))
            if not piece:
                break  # it was cut meanwhile; the server ends a connection that got less than it was told
            left -= len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _wanted(request: Headers, tag: str, size: int) -> range | None:
    """The bytes that are asked for; all of them without a Range, with one that is not understood, or with several; None: none."""
    everything = range(size)
    found = _RANGE.fullmatch(request.get("range", ""))
    if not found or not (found[1] or found[2]) or request.get("if-range", tag) != tag:
        return everything
    if found[1]:
        start, stop = int(found[1]), min(int(found[2]) + 1, size) if found[2] else size
        if found[2] and int(found[2]) < int(found[1]):
            return everything
    else:
        start, stop = max(0, size - int(found[2])), size
    return range(start, stop) if start < stop else None
