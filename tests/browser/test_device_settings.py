"""Settings → This device: what is kept here, what waits, and how it is forgotten."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from .conftest import PHONE, Open
from .devices import copied, go_offline, go_online, run, sent_all, until, waiting
from .fake_api import FakeApi
from .notebook_steps import BREAD, eventually, ready

pytestmark = pytest.mark.browser

FIELDS: dict[str, Any] = {"title": "Plan", "body": "one", "kind": "note", "date": None, "topic": None, "tags": []}
LATER = """() => new Promise(settle => {
    indexedDB.open("cortex", 99).onsuccess = event => { event.target.result.close(); settle(); };
})"""


async def settings(open_page: Open, fake: FakeApi, **options: Any) -> Page:
    page = await open_page("/settings/device", quiet=False, **options)
    await copied(page, len(fake.notebook.notes))
    return page


async def with_an_edit(page: Page) -> None:
    """A note that waits, and nobody there to take it."""
    await go_offline(page)
    await run(page, "outbox", "m.keepEdit({ key: 'a'.repeat(32), version: 0 }, arg, null)", FIELDS)


async def test_what_is_kept_is_said_in_notes_and_bytes(open_page: Open, fake: FakeApi) -> None:
    page = await settings(open_page, fake)
    await expect(page.locator("#copy-on")).to_be_checked()
    await expect(page.locator("#copy")).to_contain_text(re.compile(r"^8 notes, [\d.]+ kB"))
    await expect(page.locator("#copy")).to_contain_text("Nothing. All that was written here is with Cortex.")


async def test_what_waits_is_listed_and_sent_now(open_page: Open, fake: FakeApi) -> None:
    page = await settings(open_page, fake, viewport=PHONE)
    await with_an_edit(page)
    row = page.locator(".waiting-rows li")
    await expect(row).to_contain_text("Plan")
    await expect(row.locator("a")).to_have_attribute("href", f"/notes/new?key={'a' * 32}")
    await expect(page.locator("#copy")).to_contain_text("Cortex cannot be reached.")
    await page.context.set_offline(False)
    await until(page, "connection", "m.look()")
    await sent_all(page)
    await expect(row).to_have_count(0)
    assert fake.notebook.by_key("a" * 32) is not None


async def test_a_refused_change_says_why_can_be_tried_again_and_thrown_away(open_page: Open, fake: FakeApi) -> None:
    fake.feed.refuse = "Plan"
    page = await settings(open_page, fake)
    await run(page, "outbox", "m.keepEdit({ key: 'a'.repeat(32), version: 0 }, arg, null)", FIELDS)
    await run(page, "send-changes", "m.send()")
    row = page.locator(".waiting-rows li")
    await expect(row).to_contain_text("Refused: a title has at most 500 characters.")
    sent = len(fake.feed.sent)
    await page.get_by_role("button", name="Send now").click()
    await eventually(lambda: len(fake.feed.sent) > sent)
    await expect(row).to_contain_text("Refused")
    await row.get_by_role("button", name="Throw it away").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Throw away what waits of “Plan”?")
    await page.get_by_role("dialog").get_by_role("button", name="Throw it away").click()
    await expect(row).to_have_count(0)
    assert await waiting(page) == []
    assert await run(page, "offline-store", "m.noteOf('a'.repeat(32))") is None


async def test_forgetting_is_refused_with_a_choice_while_edits_wait(open_page: Open, fake: FakeApi) -> None:
    page = await settings(open_page, fake)
    await with_an_edit(page)
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name="Forget this device").click()
    await expect(dialog).to_contain_text("1 edit waits here and is nowhere else.")
    await expect(dialog.get_by_role("button", name="Send now")).to_be_focused()
    # Nobody is there to take it: it is asked again, and nothing is gone.
    await dialog.get_by_role("button", name="Send now").click()
    await expect(dialog).to_contain_text("1 edit waits here")
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    assert len(await waiting(page)) == 1
    await go_online(page)
    await sent_all(page)
    await page.get_by_role("button", name="Forget this device").click()
    await expect(page.locator("#forgotten")).to_have_text("Forgotten. The offline copy is off.")
    await expect(dialog).to_have_count(0)


async def test_a_forgotten_device_keeps_nothing_and_does_not_begin_again(open_page: Open, fake: FakeApi) -> None:
    page = await settings(open_page, fake)
    await until(page, "dom", "navigator.serviceWorker.ready.then(() => true)")
    await with_an_edit(page)
    await page.get_by_role("button", name="Forget this device").click()
    await page.get_by_role("button", name="Throw them away").click()
    await expect(page.locator("#copy-on")).not_to_be_checked()
    await page.context.set_offline(False)
    for path in ("/settings/device", f"/notes/{BREAD}", "/"):
        await page.goto(fake.url + path)
        await page.wait_for_timeout(300)
    assert await page.evaluate("indexedDB.databases()") == []
    assert await page.evaluate("caches.keys()") == []
    assert await page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0
    assert await page.evaluate("Object.keys(localStorage)") == ["cortex.copy-off"]
    assert fake.notebook.by_key("a" * 32) is None


async def test_the_copy_is_switched_off_and_on(open_page: Open, fake: FakeApi) -> None:
    page = await settings(open_page, fake)
    await with_an_edit(page)
    await page.locator("#copy-on").uncheck()
    await expect(page.get_by_role("dialog")).to_contain_text("1 edit waits here")
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(page.locator("#copy-on")).to_be_checked()
    await go_online(page)
    await sent_all(page)
    await page.locator("#copy-on").uncheck()
    await expect(page.locator("#copy")).to_contain_text("Off. Notes are read from Cortex each time")
    assert await page.evaluate("indexedDB.databases()") == []
    # Written without it: straight to Cortex, against its version.
    await page.goto(f"{fake.url}/notes/{BREAD}")
    await ready(page)
    await page.keyboard.type("Rye.")
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye."))
    await page.goto(f"{fake.url}/settings/device")
    await page.locator("#copy-on").check()
    await copied(page, len(fake.notebook.notes))
    await expect(page.locator("#copy")).to_contain_text("9 notes")


async def test_the_browser_is_asked_to_keep_it(open_page: Open, fake: FakeApi) -> None:
    page = await settings(open_page, fake)
    await page.evaluate("() => { navigator.storage.persist = async () => false; }")
    await page.get_by_role("button", name="Keep it even then").click()
    await expect(page.locator("#copy")).to_contain_text("The browser said no.")
    await page.evaluate("() => { navigator.storage.persist = navigator.storage.persisted = async () => true; }")
    await page.get_by_role("button", name="Keep it even then").click()
    await expect(page.locator("#copy")).to_contain_text("The browser keeps it until you forget it.")


async def test_a_copy_that_cannot_be_read_says_so(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/settings/language")
    await copied(page, len(fake.notebook.notes))
    await page.evaluate(LATER)
    await page.goto(f"{fake.url}/settings/device")
    await expect(page.locator("#copy")).to_contain_text("The copy was made by a later Cortex and is left alone.")
    await page.goto(f"{fake.url}/notes/{BREAD}")
    await ready(page)
    await page.keyboard.type("Rye.")
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye."))
