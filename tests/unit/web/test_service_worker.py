"""What the service worker is served with: every file, every page, and a version that changes with any of them."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from httpx import ASGITransport, AsyncClient

from cortex.web import pages, service_worker


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    app = FastAPI()
    app.include_router(service_worker.router)
    app.include_router(pages.router)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://127.0.0.1:8765") as client:
        yield client


@pytest.fixture
def fresh() -> Iterator[None]:
    service_worker.version.cache_clear()
    yield
    service_worker.version.cache_clear()


async def test_it_is_a_script_at_the_root_that_is_asked_for_each_time(client: AsyncClient) -> None:
    answer = await client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text.endswith((pages.STATIC / "js" / "sw.js").read_text("utf-8"))


async def test_it_names_every_file_and_each_page_says_its_version(client: AsyncClient) -> None:
    first = (await client.get("/sw.js")).text.splitlines()[0]
    shell = json.loads(first.removeprefix("self.SHELL = ").removesuffix(";"))
    assert {f"/static/{path.relative_to(pages.STATIC)}" for path in pages.STATIC.rglob("*.*")} == set(shell["files"])
    for path in shell["pages"]:
        answer = await client.get(path)
        assert answer.headers[service_worker.HEADER] == shell["version"]
        assert f'data-version="{shell["version"]}"' in answer.text


def test_every_page_of_the_router_is_kept() -> None:
    shapes = {re.sub(r"\{\w+\}", "0", route.path) for route in pages.router.routes if isinstance(route, APIRoute)}
    parts = {f"/settings/{part}" for part in pages.Part.__args__}  # type: ignore[attr-defined]
    assert (shapes - {"/settings", "/settings/0"}) | parts == set(service_worker.PAGES)


@pytest.mark.usefixtures("fresh")
def test_the_version_changes_with_any_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {service_worker.version()}
    for name, text in (("a.js", "1"), ("a.js", "2"), ("b.js", "2"), ("css/c.css", "2")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        monkeypatch.setattr(service_worker, "STATIC", tmp_path)
        service_worker.version.cache_clear()
        seen.add(service_worker.version())
    assert len(seen) == 5


def test_the_manifest_names_icons_that_are_there_and_of_their_size() -> None:
    manifest = json.loads((pages.STATIC / "cortex.webmanifest").read_text("utf-8"))
    assert (manifest["id"], manifest["scope"], manifest["start_url"], manifest["display"]) == (
        "/",
        "/",
        "/",
        "standalone",
    )
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon.get("purpose", "any")) for icon in drawn} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    for icon in drawn:
        raw = (pages.STATIC / icon["src"].removeprefix("/static/")).read_bytes()
        width, height = (int.from_bytes(raw[at : at + 4], "big") for at in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"
