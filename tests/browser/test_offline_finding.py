"""Asking and finding without Cortex: the notes of this device, by their words, and plainly no answer."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from .conftest import Open, ask
from .devices import copied, go_offline, ready, run
from .fake_api import FakeApi

pytestmark = pytest.mark.browser


async def offline(open_page: Open, fake: FakeApi, **options: Any) -> Page:
    page = await open_page("/", quiet=False, **options)
    await copied(page, len(fake.notebook.notes))
    await ready(page)
    await go_offline(page)
    return page


async def test_a_question_finds_own_notes_by_their_words(open_page: Open, fake: FakeApi) -> None:
    page = await offline(open_page, fake)
    await page.goto(fake.url)
    await expect(page.locator("#device-state")).to_contain_text(
        "Offline. You can write and find notes kept on this device."
    )
    await ask(page, "How long are events kept for the auditors?")
    await expect(page.locator(".turn-notice")).to_contain_text("Cortex is not running here.")
    found = page.locator(".found-here")
    await expect(found).to_contain_text("Found by words alone, and no answer.")
    await expect(found.locator("li a").first).to_have_text("Retention")
    await expect(found.locator("mark").first).to_be_visible()
    # The question waits in its box.
    await expect(page.locator("#question")).to_have_value("How long are events kept for the auditors?")
    await found.locator("a", has_text="Retention").first.click()
    await expect(page.locator("#note-body")).not_to_have_value("")


async def test_a_chinese_question_is_cut_into_words(open_page: Open, fake: FakeApi) -> None:
    page = await offline(open_page, fake, lang="zh")
    await ask(page, "我们关于 Kafka 的决定是什么？运维成本呢？")
    await expect(page.locator(".found-here li a").first).to_have_text("队列选型")


async def test_words_that_no_note_holds(open_page: Open, fake: FakeApi) -> None:
    page = await offline(open_page, fake)
    await ask(page, "zeppelin")
    await expect(page.locator(".found-here")).to_contain_text("No note on this device holds these words.")


async def test_the_find_page_finds_here_too(open_page: Open, fake: FakeApi) -> None:
    page = await offline(open_page, fake)
    await page.goto(f"{fake.url}/find?q=starter bread")
    await expect(page.locator(".found-here li a").first).to_have_text("Sunday bread")


async def test_nothing_is_found_where_nothing_is_kept(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/", quiet=False, copy=False)
    await page.context.set_offline(True)
    await ask(page, "How long are events kept?")
    await expect(page.locator(".turn-notice")).to_contain_text("Cortex is not running here.")
    await page.wait_for_timeout(300)
    await expect(page.locator(".found-here")).to_have_count(0)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("pumps", "pump"),  # with or without its s
        ("Ｐｕｍｐ", "pump"),  # full width
        ("水泵", "seal"),
        ("泵", "seal"),  # one character, where there is nothing else
        ("umpire", None),  # no word begins in the middle of another
        ("mp", None),
    ],
)
async def test_words_as_they_are_written(open_page: Open, question: str, best: str | None) -> None:
    page = await open_page("/settings/language")
    notes = [
        {"title": "pump", "body": "Pump 7 was repaired in May.", "tags": []},
        {"title": "seal", "body": "水泵的密封圈换了。", "tags": []},
    ]
    found = await run(
        page,
        "offline-find",
        "m.bestOf(arg.notes, arg.question, 5).map(({ note }) => note.title)",
        {"notes": notes, "question": question},
    )
    assert found == ([best] if best else [])
