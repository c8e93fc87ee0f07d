"""What the browser tests of notes do over and over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from playwright.async_api import CDPSession, Page, expect

from .conftest import Open

WEEK, KAFKA, RETENTION, COPY, MOVE, BREAD, ANSWER, UNTITLED = range(501, 509)
"""The stand-in's notes."""

PATIENCE_S = 10


async def opened(open_page: Open, path: str = f"/notes/{BREAD}", **options: Any) -> Page:
    """A note with the caret at the end of its text, and everything there that writing needs."""
    page = await open_page(path, **options)
    await ready(page)
    return page


async def ready(page: Page) -> None:
    await page.locator("#editor").wait_for()
    await page.locator("#note-body").focus()
    await page.locator("#editor[data-writes]").wait_for(state="attached")
    await page.locator("#note-body").press("Control+End")


async def saved(page: Page) -> None:
    await expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait for something outside of the browser."""
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, "it did not happen"
        await asyncio.sleep(0.02)


class InputMethod:
    """A Chinese input method, by the protocol that real ones use."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session

    @classmethod
    async def of(cls, page: Page) -> InputMethod:
        return cls(await page.context.new_cdp_session(page))

    async def compose(self, text: str) -> None:
        await self._session.send(
            "Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
        )

    async def enter(self, text: str) -> None:
        """Confirm with Enter what is composed; the key belongs to the input method."""
        key = {"key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229, "nativeVirtualKeyCode": 229}
        await self._session.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
        await self._session.send("Input.insertText", {"text": text})
        await self._session.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})
