"""Every page and state that is looked at: where it is, and what is done to get there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Page

from . import fake_notes as notes
from .conftest import answered, ask
from .fake_api import FakeApi

Steps = Callable[[Page, str], Awaitable[None]]
Prepare = Callable[[FakeApi], None]

ANSWERED = {"en": "How long does Pelican's nightly rebuild take now?", "zh": "妈妈的红烧肉起锅前放什么秘密？"}
REFUSED = {"en": "What is a prime number?", "zh": "光合作用是怎么发生的？"}
FOUND = {"en": "moving the cat to Vancouver", "zh": "带猫搬家"}


@dataclass(frozen=True)
class Scene:
    """`on` says where it plays: the real application over the golden notebook, or the stand-in."""

    name: str
    path: str
    steps: Steps | None = None
    on: Literal["real", "fake"] = "real"
    prepare: Prepare | None = None
    away: bool = False
    """The API cannot be reached; the page can."""


async def _answer(page: Page, lang: str) -> None:
    await ask(page, ANSWERED[lang])
    await answered(page)


async def _passage(page: Page, lang: str) -> None:
    await _answer(page, lang)
    await page.locator(".chip").first.click()
    await page.locator(".passage mark").first.wait_for()


async def _why(page: Page, lang: str) -> None:
    await _answer(page, lang)
    await page.locator(".why summary").click()
    await page.locator(".why table").wait_for()
    await page.locator(".why").scroll_into_view_if_needed()


async def _document(page: Page, lang: str) -> None:
    await _passage(page, lang)
    await page.locator(".passage a[href^='/d/']").first.click()
    await page.locator("#document-body mark").first.wait_for()


async def _refusal(page: Page, lang: str) -> None:
    await ask(page, REFUSED[lang])
    await answered(page)


async def _found(page: Page, lang: str) -> None:
    await page.locator("#find-q").fill(FOUND[lang])
    await page.locator("#find-q").press("Enter")
    await page.locator(".found").first.wait_for()


async def _titles(page: Page, lang: str) -> None:
    await page.locator("#question").press_sequentially({"en": "Postgres", "zh": "妈妈"}[lang])
    await page.locator("#titles a").first.wait_for()


async def _picker(page: Page, lang: str) -> None:
    await page.locator("#scope-open").click()
    await page.locator("#picker .pill").first.wait_for()


def _asks(question: str, wait_for: str) -> Steps:
    async def steps(page: Page, lang: str) -> None:
        await ask(page, question)
        await page.locator(wait_for).first.wait_for()

    return steps


async def _conversations(page: Page, lang: str) -> None:
    if await page.locator(".recent-open").is_visible():
        await page.locator(".recent-open").click()
    await page.locator(".recent-change").nth(1).focus()
    await page.locator(".recent-change").nth(1).press("Enter")
    await page.locator("dialog[open]").wait_for()


async def _rail(page: Page, lang: str) -> None:
    if await page.locator(".recent-open").is_visible():
        await page.locator(".recent-open").click()
    await page.locator(".recent-row").first.wait_for()


async def _checked(page: Page, lang: str) -> None:
    if await page.locator("#add-open").count():
        await page.locator("#add-open").click()
    await page.locator(".folder-row input").first.fill("~/journals")
    await page.locator(".folder-row button").first.click()
    await page.locator(".folder-facts").wait_for()


async def _reading(page: Page, lang: str) -> None:
    await page.locator("[data-name=journals] .desk-buttons button").click()
    await page.locator("[data-name=journals] progress").wait_for()


def _filling(fake: FakeApi) -> None:
    fake.status = notes.status(filled=300, eta_s=540)


def _empty(fake: FakeApi) -> None:
    fake.status = {**notes.status(filled=0, total=0), "documents": 0}
    fake.sources = []
    fake.conversations = []


def _stands(fake: FakeApi) -> None:
    fake.status = {**notes.status(filled=300, eta_s=None), "worker": {"alive": False, "heartbeat_s": None}, "failed": 3}


def _troubles(fake: FakeApi) -> None:
    fake.sources = notes.troubled_sources()


def _slow_sync(fake: FakeApi) -> None:
    fake.sync_step_s = 3.0


SCENES = [
    Scene("ask-empty", "/"),
    Scene("ask-titles", "/", _titles),
    Scene("ask-picker", "/", _picker),
    Scene("ask-answered", "/", _answer),
    Scene("ask-passage", "/", _passage),
    Scene("ask-why", "/", _why),
    Scene("ask-refused", "/", _refusal),
    Scene("document-passage", "/", _document),
    Scene("find-empty", "/find"),
    Scene("find-found", "/find", _found),
    Scene("sources", "/sources"),
    Scene("settings-language", "/settings/language"),
    Scene("settings-device", "/settings/device"),
    Scene("settings-status", "/settings/status"),
    Scene("welcome", "/welcome"),
    Scene("missing", "/nowhere"),
    Scene("ask-recent", "/", _rail, "fake"),
    Scene("ask-rename", "/", _conversations, "fake"),
    Scene("ask-filling", "/", None, "fake", _filling),
    Scene("ask-no-notes", "/", None, "fake", _empty),
    Scene("ask-streaming", "/", _asks("slow tell me", ".source"), "fake"),
    Scene("ask-several", "/", _asks("Why did I drop Kafka?", ".answer-actions"), "fake"),
    Scene("ask-reconnecting", "/", _asks("gone for a while", ".turn-notice p"), "fake"),
    Scene("ask-interrupted", "/", _asks("lost in the middle", ".turn-notice button"), "fake"),
    Scene("ask-failed", "/", _asks("fails somehow", ".turn-notice button"), "fake"),
    Scene("ask-weak", "/", _asks("weak match?", ".answer-actions"), "fake"),
    Scene("ask-unverified", "/", _asks("unverified claim?", ".unsourced-mark"), "fake"),
    Scene("ask-cached", "/", _asks("cached question?", ".turn-notice button"), "fake"),
    Scene("ask-guessed", "/", _asks("guess the time", ".answer-actions"), "fake"),
    Scene("ask-markdown", "/", _asks("markdown please", ".answer-actions"), "fake"),
    Scene("ask-away", "/", _asks("Why Kafka?", ".turn-notice button"), "fake", away=True),
    Scene("document", "/d/81", None, "fake"),
    Scene("document-gone", "/d/999", None, "fake"),
    Scene("find-nothing", "/find?q=nothing", None, "fake"),
    Scene("sources-list", "/sources", None, "fake"),
    Scene("sources-empty", "/sources", None, "fake", _empty),
    Scene("sources-troubles", "/sources", None, "fake", _troubles),
    Scene("sources-reading", "/sources", _reading, "fake", _slow_sync),
    Scene("sources-checked", "/sources", _checked, "fake"),
    Scene("sources-away", "/sources", None, "fake", away=True),
    Scene("status-stands", "/settings/status", None, "fake", _stands),
    Scene("welcome-checked", "/welcome", _checked, "fake"),
]  # fmt: skip
