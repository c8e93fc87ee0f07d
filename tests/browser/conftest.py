"""Debian's Chromium, one for the run, and a page that fails the test for any message it leaves on the console."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, ConsoleMessage, Error, Page, async_playwright

from .fake_api import FakeApi, serve

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}

Open = Callable[..., Awaitable[Page]]


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        except Error as error:
            pytest.skip(f"no Chromium at {CHROMIUM}: {error.message.splitlines()[0]}")
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
def fake_server() -> Iterator[FakeApi]:
    with serve(FakeApi()) as fake:
        yield fake


@pytest.fixture
def fake(fake_server: FakeApi) -> FakeApi:
    fake_server.forget()
    return fake_server


@pytest.fixture
async def open_page(chromium: Browser, fake: FakeApi) -> AsyncIterator[Open]:
    """`await open_page("/", lang="zh", viewport=PHONE)`: a page of the stand-in, in a context of its own.

    A console message, an uncaught error or a violation of the Content-Security-Policy fails the test; a test that breaks
    connections on purpose passes `quiet=False`.
    """
    contexts = []
    messages: list[str] = []

    async def open_(
        path: str = "/", *, lang: str = "en", viewport: dict[str, int] = WIDE, quiet: bool = True, **options: Any
    ) -> Page:
        locale = {"en": "en-GB", "zh": "zh-CN"}[lang]
        context = await chromium.new_context(viewport=viewport, locale=locale, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = await context.new_page()
        if quiet:
            page.on("console", lambda message: messages.append(_told(message)))
            page.on("pageerror", lambda error: messages.append(error.message))
        await page.goto(fake.url + path)
        return page

    yield open_
    for context in contexts:
        await context.close()
    assert messages == []


def _told(message: ConsoleMessage) -> str:
    return f"{message.type}: {message.text}"


async def ask(page: Page, question: str) -> None:
    """Type a question and press Enter."""
    await page.locator("#question").fill(question)
    await page.locator("#question").press("Enter")


async def answered(page: Page) -> None:
    """Wait until the last answer stands there whole."""
    await page.locator(".turn").last.locator(".answer:not([aria-busy])").wait_for(state="attached")
