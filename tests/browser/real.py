"""The real application over real Postgres, and browsers as devices of one person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from playwright.async_api import Browser, BrowserContext, Page

from cortex.bootstrap import Cortex
from cortex.web.app import create_app

from .conftest import WIDE
from .devices import copied, run, until
from .devices import ready as worker_ready


@dataclass
class Real:
    """Where the application is served."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def api(self, method: str, path: str, **how: Any) -> Any:
        """What the API answers; a problem fails the test."""
        async with httpx.AsyncClient(base_url=self.url, timeout=30) as client:
            response = await client.request(method, f"/api{path}", **how)
        assert response.status_code < 300, (method, path, response.text)
        return response.json() if response.content else None

    async def note(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = await self.api("GET", f"/notes/{number}")
        return found

    async def notes(self) -> dict[str, dict[str, Any]]:
        """Every note by its key, those in the trash too."""
        found: dict[str, dict[str, Any]] = {}
        for trash in ("false", "true"):
            page: dict[str, Any] = {"next": ""}
            while page["next"] is not None:
                after = {"after": page["next"]} if page["next"] else {}
                page = await self.api("GET", "/notes", params={"trash": trash, "limit": 100, **after})
                for listed in page["notes"]:
                    found[listed["key"]] = await self.note(listed["id"])
        return found


@asynccontextmanager
async def serving(cortex: Cortex, port: int = 0) -> AsyncIterator[Real]:
    """Serve on a port, the same one again after a stop if it is named."""
    config = uvicorn.Config(create_app(cortex), port=port, log_level="critical", lifespan="off")
    web = uvicorn.Server(config)
    running = asyncio.create_task(web.serve())
    while not web.started:
        await asyncio.sleep(0.02)
        assert not running.done()
    yield Real(web.servers[0].sockets[0].getsockname()[1])
    web.should_exit = web.force_exit = True
    await running


async def device(browser: Browser, real: Real, lang: str = "en-GB") -> Page:
    """A browser of its own that has a copy of everything, and pages that need no server."""
    context: BrowserContext = await browser.new_context(locale=lang, viewport=WIDE)  # type: ignore[arg-type]
    page = await context.new_page()
    await page.goto(f"{real.url}/notes")
    await copied(page, 0)
    await worker_ready(page)
    return page


async def caught_up(page: Page) -> None:
    """All that was written here is sent, and all that is there is here."""
    await until(page, "connection", "m.look()")
    await until(
        page,
        "send-changes",
        "m.send().then(() => import('/static/js/outbox.js')).then(o => o.waiting()).then(all => !all.length)",
    )
    await until(page, "feed", "m.readFeed()")


async def copy_of(page: Page) -> dict[str, dict[str, Any]]:
    """The notes as this device has them, by key."""
    return {note["key"]: note for note in await run(page, "offline-store", "m.allNotes()")}


SAME = ("id", "title", "body", "kind", "date", "topic", "tags", "version")


def told(note: dict[str, Any]) -> dict[str, Any]:
    """What must be the same everywhere."""
    return {name: note[name] for name in SAME} | {"trashed": bool(note["trashed_at"])}
