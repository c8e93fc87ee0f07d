"""A browser as a device: its service worker, its copy of the notes, its outbox, and what it is made to do offline."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from playwright.async_api import Error, Page

PATIENCE_S = 20
"""How long a state may take to come: never a measure of speed."""


async def run(page: Page, module: str, code: str, arg: Any = None) -> Any:
    """The value of an expression in which `m` is a module of the page and `arg` is given."""
    script = f"async arg => {{ const m = await import('/static/js/{module}.js'); return await ({code}); }}"
    return await page.evaluate(script, arg)


async def until(page: Page, module: str, code: str, arg: Any = None) -> Any:
    """Wait until the expression is true; gives its value. (Playwright's own waiting takes a promise for true.)"""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            value = await run(page, module, code, arg)
        except Error as error:
            # The page is just being left for another one.
            if "context was destroyed" not in error.message.lower() and "navigat" not in error.message.lower():
                raise
            value = None
        if value:
            return value
        assert time.monotonic() < end, f"never true in {page.url}: {code}"
        await asyncio.sleep(0.03)


async def ready(page: Page) -> None:
    """The service worker keeps the pages, and serves this one."""
    await until(page, "dom", "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)")


async def copied(page: Page, n: int) -> None:
    """So many notes are in the copy, and that is all of them."""
    await until(page, "offline-store", "m.facts().then(({ whole, notes }) => whole && notes >= arg)", n)


async def waiting(page: Page) -> list[dict[str, Any]]:
    """What is in the outbox."""
    found: list[dict[str, Any]] = await run(page, "outbox", "m.waiting()")
    return found


async def sent_all(page: Page) -> None:
    """Nothing waits any more."""
    await until(page, "outbox", "m.waiting().then(all => all.length === 0)")


async def go_offline(page: Page) -> None:
    """No network, and the page knows."""
    await page.context.set_offline(True)
    await until(page, "connection", "!m.isUp()")


async def go_online(page: Page) -> None:
    """The network is there again, and the page knows."""
    await page.context.set_offline(False)
    await until(page, "connection", "m.look()")
