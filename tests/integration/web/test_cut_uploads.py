"""Uploads over a real connection: cut off, too long, or slow; and downloads that nobody waits for."""

from __future__ import annotations

import asyncio
import hashlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from tests.integration.storage.rows import Owner, add_document, count

from cortex.bootstrap import Cortex
from cortex.web.app import create_app


@pytest.fixture
async def address(cortex: Cortex) -> AsyncIterator[tuple[str, int]]:
    limits = cortex.settings.limits.model_copy(update={"attachment_mb": 2})
    object.__setattr__(cortex, "settings", cortex.settings.model_copy(update={"limits": limits}))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(cortex), log_config=None, lifespan="off"))
    serving = asyncio.create_task(server.serve([listening]))
    yield listening.getsockname()
    server.should_exit = True
    await serving
    listening.close()


@pytest.fixture
async def note(owner: Owner) -> int:
    return await add_document(owner, 1, "note")


def left(cortex: Cortex) -> list[Path]:
    return [path for path in cortex.files.folder.rglob("*") if path.is_file()]


async def gone(cortex: Cortex) -> None:
    async with asyncio.timeout(20):
        while left(cortex):
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("header", "body"),
    [("Content-Length: 1000000", b"x" * 300_000), ("Transfer-Encoding: chunked", b"5\r\nhello\r\n400\r\nxx")],
)
async def test_an_upload_that_is_cut_leaves_nothing(
    address: tuple[str, int], cortex: Cortex, note: int, owner: Owner, header: str, body: bytes
) -> None:
    reader, writer = await asyncio.open_connection(*address)
    writer.write(
        f"POST /api/notes/{note}/attachments?name=a HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n\r\n".encode() + body
    )
    await writer.drain()
    async with asyncio.timeout(20):
        while not left(cortex):  # it is under way
            await asyncio.sleep(0.02)
    writer.close()
    await gone(cortex)
    assert await count(owner, "library.attachments") == 0
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{address[1]}") as client:
        assert (await client.post(f"/api/notes/{note}/attachments", content=body)).status_code == 201
    assert len(left(cortex)) == 1


@pytest.mark.parametrize("announced", [True, False])
async def test_one_that_is_too_large_is_told_so(
    address: tuple[str, int], cortex: Cortex, note: int, announced: bool
) -> None:
    """The answer comes through although the sender is still at it."""

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{address[1]}", timeout=60) as client:
        content = b"x" * 10_000_000 if announced else pieces()
        answer = await client.post(f"/api/notes/{note}/attachments", content=content)
        assert (answer.status_code, answer.json()["type"]) == (413, "too_large")
        assert "2 MB" in answer.json()["detail"]
        assert (await client.post(f"/api/notes/{note}/attachments", content=b"x")).status_code == 201
    assert len(left(cortex)) == 1


async def test_a_large_file_goes_in_and_out_in_pieces(address: tuple[str, int], cortex: Cortex, note: int) -> None:
    raw = bytes(range(256)) * 7_000
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{address[1]}") as client:
        told = (await client.post(f"/api/notes/{note}/attachments", content=raw)).json()
        assert told["hash"] == hashlib.sha256(raw).hexdigest()
        assert (await client.get(told["url"])).content == raw
        parts = [
            (await client.get(told["url"], headers={"Range": f"bytes={at}-{at + 299_999}"})).content
            for at in range(0, len(raw), 300_000)
        ]
        assert b"".join(parts) == raw
        head = await client.head(told["url"])
        assert (head.content, head.headers["content-length"]) == (b"", str(len(raw)))


async def test_a_reader_who_leaves_keeps_no_file_open(address: tuple[str, int], cortex: Cortex, note: int) -> None:
    raw = b"x" * 1_900_000
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{address[1]}") as client:
        url = (await client.post(f"/api/notes/{note}/attachments", content=raw)).json()["url"]
        for _ in range(5):
            async with client.stream("GET", url) as answer:
                assert answer.status_code == 200
    path = str(cortex.files.path(hashlib.sha256(raw).digest()))
    async with asyncio.timeout(20):
        while any(str(each.resolve()) == path for each in Path("/proc/self/fd").iterdir() if each.is_symlink()):
            await asyncio.sleep(0.02)
