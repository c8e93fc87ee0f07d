"""Files as a browser meets them: opened by themselves, in a picture, as sound; what could run does not."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import uvicorn
from playwright.async_api import Browser, Error, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.unit.library.pictures import picture
from tests.unit.text.papers import pdf

from cortex.text.media import media_type
from cortex.web.files import FileResponse, headers_of
from cortex.web.security import CONTENT_SECURITY_POLICY, Security

RUN = "document.title = 'it ran'; fetch('/stolen')"
SOUND = bytes(8000)
FILES = {
    "picture.png": picture("PNG", (30, 20)),
    "sound.wav": struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + len(SOUND), b"WAVEfmt ", 16, 1, 1, 8000, 8000, 1, 8, b"data",
                             len(SOUND)) + SOUND,
    "paper.pdf": pdf("words"),
    "page.png": f"<!DOCTYPE html><title>page</title><script>{RUN}</script>".encode(),
    "drawing.svg": f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>{RUN}</script></svg>'.encode(),
    "both.gif": b"GIF89a/*" + f"*/={RUN}//<script>{RUN}</script>".encode(),
    "script.js": RUN.encode(),
}  # fmt: skip
"""What the bytes of each are stands in test_media."""


@pytest.fixture
async def asked() -> list[str]:
    return []


@pytest.fixture
async def origin(tmp_path: Path, asked: list[str]) -> AsyncIterator[str]:
    for name, raw in FILES.items():
        (tmp_path / name).write_bytes(raw)

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        drawn = "drawn" in request.query_params
        kind = "image/svg+xml" if drawn else media_type(FILES[name])
        return FileResponse(lambda: (tmp_path / name).open("rb"), name, headers_of(kind, name, drawn=drawn))

    async def rest(request: Request) -> Response:
        asked.append(request.url.path)
        shown = request.query_params.get("show", "")
        return HTMLResponse(
            f"<!DOCTYPE html><title>notes</title>{shown}", headers={"Content-Security-Policy": CONTENT_SECURITY_POLICY}
        )

    app = Starlette(routes=[Route("/api/{name}", file), Route("/{rest:path}", rest)])
    app.add_middleware(Security)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
    serving = asyncio.create_task(server.serve([listening]))
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    await serving
    listening.close()


@pytest.fixture
async def page(chromium: Browser) -> AsyncIterator[Page]:
    context = await chromium.new_context()
    yield await context.new_page()
    await context.close()


async def opened(page: Page, url: str) -> bool:
    """Whether it is shown; False: it is a download."""
    try:
        await page.goto(url)
    except Error as error:
        if "Download is starting" not in str(error) and "ERR_ABORTED" not in str(error):
            raise
        return False
    return True


async def test_a_picture_and_sound_open_by_themselves(page: Page, origin: str) -> None:
    assert await opened(page, f"{origin}/api/picture.png")
    assert await page.evaluate("document.querySelector('img').naturalWidth") == 30
    assert await opened(page, f"{origin}/api/sound.wav")
    await page.wait_for_function("document.querySelector('video, audio').duration === 1")


@pytest.mark.parametrize("name", ["page.png", "drawing.svg", "drawing.svg?drawn=1", "script.js", "both.gif"])
async def test_what_could_run_does_not(page: Page, origin: str, asked: list[str], name: str) -> None:
    await page.goto(origin)
    asked.clear()
    shown = await opened(page, f"{origin}/api/{name}")
    assert shown == (name == "both.gif")
    await page.wait_for_timeout(100)
    assert "it ran" not in await page.title()
    assert "/stolen" not in asked


@pytest.mark.parametrize("name", FILES)
async def test_no_page_runs_a_file_as_its_script(page: Page, origin: str, asked: list[str], name: str) -> None:
    await page.goto(f"{origin}/?show=<script src='/api/{name}'></script><p>end")
    await page.wait_for_timeout(100)
    assert await page.title() == "notes"
    assert "/stolen" not in asked


async def test_a_note_shows_pictures_sound_and_the_drawings_of_a_folder(page: Page, origin: str) -> None:
    shown = "<img src='/api/picture.png'><img src='/api/drawing.svg?drawn=1'><audio src='/api/sound.wav'></audio>"
    await page.goto(f"{origin}/?show={shown}")
    widths = await page.evaluate("[...document.images].map(image => image.naturalWidth)")
    assert widths == [30, 9]
    await page.wait_for_function("document.querySelector('audio').duration === 1")
    assert await page.title() == "notes"
