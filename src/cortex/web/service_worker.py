"""The service worker at /sw.js: the page's own code, below a line that says which version of the pages and files it keeps."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import Response

from cortex import __version__

HEADER = "Cortex-Version"
"""The response header in which each page says of which version it is."""

STATIC = Path(__file__).parent / "static"
_FRAGMENTS = Path(__file__).parent / "fragments"
_LANGS = ("en", "zh")

PAGES = (
    "/",
    "/c/0",
    "/d/0",
    "/notes",
    "/notes/new",
    "/notes/0",
    "/notes/0/history",
    "/notes/trash",
    "/find",
    "/sources",
    "/settings/language",
    "/settings/device",
    "/settings/status",
    "/settings/backup",
    "/welcome",
)
"""Every page there is, once; 0 stands for any number."""

router = APIRouter(include_in_schema=False)


@router.get("/sw.js")
async def service_worker() -> Response:
    return Response(script(), media_type="text/javascript", headers={"Cache-Control": "no-cache", HEADER: version()})


@cache
def version() -> str:
    """The files and pages as they are, in 16 digits: the same on every server of one release, another one after each change."""
    digest = hashlib.sha256(__version__.encode())
    for folder in (STATIC, _FRAGMENTS):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                raw = path.read_bytes()
                digest.update(f"{path.relative_to(folder).as_posix()} {len(raw)} ".encode() + raw)
    return digest.hexdigest()[:16]


@cache
def script() -> str:
    """The worker, and what it keeps: every file of ours and every page, in both languages."""
    files = [f"/static/{path.relative_to(STATIC).as_posix()}" for path in sorted(STATIC.rglob("*")) if path.is_file()]
    shell = {"version": version(), "files": files, "pages": PAGES, "langs": _LANGS}
    return f"self.SHELL = {json.dumps(shell)};\n" + (STATIC / "js" / "sw.js").read_text("utf-8")
