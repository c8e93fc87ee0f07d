"""Every page and state that is looked at: where it is, and what is done to get there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Page

from . import fake_notes as notes
from . import fake_sources as listed
from .conftest import answered, ask
from .fake_api import FakeApi
from .fake_backups import backup, no_backup
from .scenes_notes import SCENES as OF_NOTES

Steps = Callable[[Page, str], Awaitable[None]]
Prepare = Callable[[FakeApi], None]

ANSWERED = {"en": "How long does Pelican's nightly rebuild take now?", "zh": "妈妈的红烧肉起锅前放什么秘密？"}
REFUSED = {"en": "What did we eat at Mia's ninth birthday party?", "zh": "我小时候学过小提琴吗？"}
FOLLOWED = {"en": "How long was the write downtime of the upgrade night?", "zh": "腌笃鲜要炖多久？"}
QUARTER = {"en": "Summarise the first quarter of 2025.", "zh": "2026年2月的年夜饭来了几个人？"}
EARLIER = [
    "Which port comes first for Heron and why not Rotterdam?",
    "京都的町家一晚多少钱？",
    "What hydration works for the sourdough loaf?",
    "外婆的擀面杖是怎么来的？",
    "Why did I fail my first road test?",
    "搬家一共花了多少钱？",
]
"""Asked before any scene, oldest first, so that the rail is that of a notebook in use."""

KAFKA = {"en": "Why did I drop Kafka in the first quarter?", "zh": "我第一季度为什么不用 Kafka 了？"}
CATS = {"en": "How many cats did I have as a child?", "zh": "我小时候养过几只猫？"}
FOUND = {"en": "moving the cat to Vancouver", "zh": "京都看樱花"}


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


async def _card(page: Page, lang: str) -> None:
    await _answer(page, lang)
    await page.keyboard.press("Shift+Tab")
    await page.locator(".chip").first.focus()
    await page.locator("#cite-card:not([hidden])").wait_for()


async def _follow_up(page: Page, lang: str) -> None:
    await _answer(page, lang)
    await ask(page, FOLLOWED[lang])
    await page.locator(".turn").nth(1).wait_for()
    await answered(page)


async def _quarter(page: Page, lang: str) -> None:
    await ask(page, QUARTER[lang])
    await answered(page)


async def _draft(page: Page, lang: str) -> None:
    await page.locator("#question").fill(
        {
            "en": "Compare what I wrote about the move in spring with what I wrote once we were here.\n\n"
            "What was I afraid of, and what of it came true?",
            "zh": "比较一下春天我写的搬家和到了温哥华之后写的。\n\n我当时担心什么，后来哪些真的发生了？",
        }[lang]
    )


async def _nothing_asked(page: Page, lang: str) -> None:
    await page.locator("#send").click()


async def _titles(page: Page, lang: str) -> None:
    await page.locator("#question").press_sequentially({"en": "Postgres", "zh": "妈妈"}[lang])
    await page.locator("#titles a").first.wait_for()


async def _picker(page: Page, lang: str) -> None:
    await page.locator("#scope-open").click()
    await page.locator("#picker .pill").first.wait_for()


def _asks(question: dict[str, str], wait_for: str, wait_ms: int = 0) -> Steps:
    async def steps(page: Page, lang: str) -> None:
        await ask(page, question[lang])
        await page.locator(wait_for).first.wait_for()
        await page.wait_for_timeout(wait_ms)

    return steps


def _plays(kind: str) -> Prepare:
    def prepare(fake: FakeApi) -> None:
        fake.plays = kind

    return prepare


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


async def _folder_missing(page: Page, lang: str) -> None:
    await page.locator("#add-open").click()
    await page.locator(".folder-row input").first.fill("/Volumes/journals")
    await page.locator(".folder-row button").first.click()
    await page.locator(".field[aria-invalid]").wait_for()


async def _removing(page: Page, lang: str) -> None:
    await page.locator("[data-name=sample] .desk-buttons button").click()
    await page.locator("dialog[open]").wait_for()


async def _why_left_out(page: Page, lang: str) -> None:
    await page.locator(".desk-report summary").first.wait_for()
    for summary in await page.locator(".desk-report summary").all():
        await summary.click()


async def _later(page: Page, lang: str) -> None:
    await page.locator("input[value=later]").check()


async def _sample(page: Page, lang: str) -> None:
    await page.locator("input[value=sample]").check()


async def _drafted(page: Page, lang: str) -> None:
    await page.locator("#question").fill(KAFKA[lang])
    await page.goto(page.url.rsplit("/", 1)[0] + "/settings/device")


async def _reading(page: Page, lang: str) -> None:
    await page.locator("[data-name=journals] .desk-buttons button").click()
    await page.locator("[data-name=journals] progress").wait_for()


def lived_in(fake: FakeApi) -> None:
    """The stand-in's rail in a notebook in use."""
    oldest = len(EARLIER)
    fake.conversations += [
        {"conversation_id": 20 + n, "title": title, "created_at": notes.ago(days=oldest - n), "updated_at": notes.ago(days=oldest - n)}
        for n, title in reversed(list(enumerate(EARLIER[1:])))
    ]  # fmt: skip


def _filling(fake: FakeApi) -> None:
    fake.status = notes.status(filled=300, eta_s=540)


def _empty(fake: FakeApi) -> None:
    fake.status = {**notes.status(filled=0, total=0), "documents": 0}
    fake.sources = []
    fake.conversations = []


def _stands(fake: FakeApi) -> None:
    fake.status = {**notes.status(filled=300, eta_s=None), "worker": {"alive": False, "heartbeat_s": None}, "failed": 3}


def _old_backup(fake: FakeApi) -> None:
    fake.status["backup"] = backup(days=16)


def _no_backup(fake: FakeApi) -> None:
    fake.status["backup"] = {
        **no_backup(overdue=True),
        "error": "the folder /mnt/usb/cortex for backups is not there (is its disk mounted?): make it, or name another",
        "to": "/mnt/usb/cortex",
    }


def _backing_up(fake: FakeApi) -> None:
    fake.looks = -100
    fake.status["backup"]["running"] = True


def _troubles(fake: FakeApi) -> None:
    fake.sources = listed.troubled_sources()


def _slow_sync(fake: FakeApi) -> None:
    fake.sync_step_s = 3.0


SCENES = [
    Scene("ask-empty", "/"),
    Scene("ask-titles", "/", _titles),
    Scene("ask-picker", "/", _picker),
    Scene("ask-answered", "/", _answer),
    Scene("ask-passage", "/", _passage),
    Scene("ask-why", "/", _why),
    Scene("ask-card", "/", _card),
    Scene("ask-follow-up", "/", _follow_up),
    Scene("ask-quarter", "/", _quarter),
    Scene("ask-draft", "/", _draft),
    Scene("ask-nothing-asked", "/", _nothing_asked),
    Scene("ask-refused", "/", _refusal),
    Scene("document-passage", "/", _document),
    Scene("find-empty", "/find"),
    Scene("find-found", "/find", _found),
    Scene("sources", "/sources"),
    Scene("settings-language", "/settings/language"),
    Scene("settings-device", "/settings/device"),
    Scene("settings-backup", "/settings/backup"),
    Scene("settings-status", "/settings/status"),
    Scene("welcome", "/welcome"),
    Scene("welcome-sample", "/welcome", _sample),
    Scene("missing", "/nowhere"),
    Scene("ask-recent", "/", _rail, "fake"),
    Scene("ask-rename", "/", _conversations, "fake"),
    Scene("ask-filling", "/", None, "fake", _filling),
    Scene("ask-no-notes", "/", None, "fake", _empty),
    Scene("ask-scoped", "/?scope=weekly:20261-20261;topic:Kafka", None, "fake"),
    Scene("ask-streaming", "/", _asks(KAFKA, ".source", 1200), "fake", _plays("slow")),
    Scene("ask-several", "/", _asks(KAFKA, ".answer-actions"), "fake", _plays("quotes")),
    Scene("ask-reconnecting", "/", _asks(KAFKA, ".turn-notice p"), "fake", _plays("gone")),
    Scene("ask-interrupted", "/", _asks(KAFKA, ".turn-notice button"), "fake", _plays("lost")),
    Scene("ask-failed", "/", _asks(KAFKA, ".turn-notice button"), "fake", _plays("fails")),
    Scene("ask-weak", "/", _asks(KAFKA, ".answer-actions"), "fake", _plays("weak")),
    Scene("ask-unverified", "/", _asks(KAFKA, ".unsourced-mark"), "fake", _plays("unverified")),
    Scene("ask-cached", "/", _asks(KAFKA, ".turn-notice button"), "fake", _plays("cached")),
    Scene("ask-guessed", "/", _asks(KAFKA, ".answer-actions"), "fake", _plays("guess")),
    Scene("ask-nearest", "/?scope=weekly:20261-20261", _asks(CATS, ".nearest"), "fake", _plays("cats")),
    Scene("ask-markdown", "/", _asks(KAFKA, ".answer-actions"), "fake", _plays("markdown")),
    Scene("ask-away", "/", _asks(KAFKA, ".turn-notice button"), "fake", away=True),
    Scene("document", "/d/81", None, "fake"),
    Scene("document-chinese", "/d/82?at={}-{}".format(*notes.place(2)), None, "fake"),
    Scene("document-images", "/d/84", None, "fake"),
    Scene("document-gone", "/d/999", None, "fake"),
    Scene("find-nothing", "/find?q=zeppelin&scope=topic:Kafka", None, "fake"),
    Scene("sources-list", "/sources", None, "fake"),
    Scene("sources-why", "/sources", _why_left_out, "fake"),
    Scene("sources-empty", "/sources", None, "fake", _empty),
    Scene("sources-troubles", "/sources", None, "fake", _troubles),
    Scene("sources-removing", "/sources", _removing, "fake", _troubles),
    Scene("sources-reading", "/sources", _reading, "fake", _slow_sync),
    Scene("sources-checked", "/sources", _checked, "fake"),
    Scene("sources-no-folder", "/sources", _folder_missing, "fake"),
    Scene("sources-away", "/sources", None, "fake", away=True),
    Scene("device-draft", "/", _drafted, "fake"),
    Scene("status-stands", "/settings/status", None, "fake", _stands),
    Scene("settings-backup-made", "/settings/backup", None, "fake"),
    Scene("settings-backup-old", "/settings/backup", None, "fake", _old_backup),
    Scene("settings-backup-none", "/settings/backup", None, "fake", _no_backup),
    Scene("settings-backup-running", "/settings/backup", None, "fake", _backing_up),
    Scene("welcome-checked", "/welcome", _checked, "fake"),
    Scene("welcome-later", "/welcome", _later, "fake"),
    *(Scene(name, path, steps, "fake", prepare) for name, path, steps, prepare in OF_NOTES),
]  # fmt: skip
