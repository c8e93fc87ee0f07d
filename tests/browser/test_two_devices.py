"""Two browsers of one person over the real application: one is offline, the other is not, and not a word is lost."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Page, Route, expect

from cortex.bootstrap import assemble
from cortex.providers.bundled import open_bundled
from cortex.settings import Settings
from cortex.storage import Database

from .devices import go_offline, go_online, run, sent_all, until, waiting
from .fake_pictures import PLAN
from .notebook_steps import eventually, ready, saved
from .real import Real, caught_up, copy_of, device, serving, told

pytestmark = pytest.mark.browser

BODY = "#note-body"
TEXT = "What we know.\n\nThe pump is old.\n\nThe seal is new.\n"


@pytest.fixture
async def real(settings: Settings, database: Database) -> AsyncIterator[Real]:
    cortex = assemble(settings, database, open_bundled(1))
    async with serving(cortex) as real:
        yield real
    await cortex.answerer.close()


@pytest.fixture
async def laptop(chromium: Browser, real: Real) -> AsyncIterator[Page]:
    page = await device(chromium, real)
    yield page
    await page.context.close()


@pytest.fixture
async def phone(chromium: Browser, real: Real) -> AsyncIterator[Page]:
    page = await device(chromium, real, "zh-CN")
    yield page
    await page.context.close()


async def written(real: Real, *devices: Page, body: str = TEXT, **fields: str) -> int:
    """A note that every device has."""
    note = await real.api("POST", "/notes", json={"title": "Pump", "body": body, **fields})
    for page in devices:
        await caught_up(page)
    return int(note["id"])


async def opened(page: Page, real: Real, number: int) -> None:
    await page.goto(f"{real.url}/notes/{number}")
    await ready(page)


async def typed(page: Page, old: str, new: str) -> None:
    """A hand changes some words."""
    body = page.locator(BODY)
    text = await body.input_value()
    assert old in text
    await body.fill(text.replace(old, new))


async def kept(page: Page) -> None:
    await expect(page.locator("#save-state")).to_have_attribute("data-state", "kept")


async def one_mind(real: Real, *devices: Page) -> dict[str, dict[str, object]]:
    """Every device has exactly what Cortex has."""
    for page in devices:
        await caught_up(page)
    there = {key: told(note) for key, note in (await real.notes()).items()}
    for page in devices:
        assert {key: told(note) for key, note in (await copy_of(page)).items()} == there
        assert await waiting(page) == []
    return there


async def test_different_paragraphs_are_put_together_on_both(real: Real, laptop: Page, phone: Page) -> None:
    number = await written(real, laptop, phone)
    await opened(laptop, real, number)
    await opened(phone, real, number)
    await go_offline(laptop)
    await typed(laptop, "The pump is old.", "The pump is old, and loud.")
    await kept(laptop)
    await typed(phone, "The seal is new.", "The seal is new, from Osaka.")
    await saved(phone)
    await go_online(laptop)
    await saved(laptop)
    both = "What we know.\n\nThe pump is old, and loud.\n\nThe seal is new, from Osaka.\n"
    assert (await real.note(number))["body"] == both
    await expect(laptop.locator(BODY)).to_have_value(both)
    await run(phone, "feed", "m.readFeed()")
    await expect(phone.locator(BODY)).to_have_value(both)
    await one_mind(real, laptop, phone)


async def test_the_same_paragraph_is_kept_in_both_versions_and_shown(real: Real, laptop: Page, phone: Page) -> None:
    number = await written(real, laptop, phone)
    await opened(laptop, real, number)
    await opened(phone, real, number)
    await go_offline(laptop)
    await typed(laptop, "The pump is old.", "The pump is thirty years old.")
    await kept(laptop)
    await typed(phone, "The pump is old.", "The pump is new.")
    await saved(phone)
    await go_online(laptop)
    await expect(laptop.locator(".conflict")).to_contain_text("Edited in two places. Both versions are kept.")
    await expect(laptop.locator(".conflict .there")).to_contain_text(["The pump is new."])
    await expect(laptop.locator(".conflict .here")).to_contain_text(["The pump is thirty years old."])
    there = await one_mind(real, laptop, phone)
    assert sorted("thirty" in str(note["body"]) for note in there.values()) == [False, True]
    # The other device hears of it too.
    await phone.goto(f"{real.url}/notes")
    await expect(phone.locator(".note-row", has_text="两个版本")).to_have_count(2)
    await laptop.get_by_role("button", name="Keep mine").click()
    await saved(laptop)
    await sent_all(laptop)
    there = await one_mind(real, laptop, phone)
    assert sorted((note["trashed"], "thirty" in str(note["body"])) for note in there.values()) == [
        (False, True),
        (True, True),
    ]


async def test_deleted_here_and_edited_there_keeps_the_edit_and_says_so(real: Real, laptop: Page, phone: Page) -> None:
    number = await written(real, laptop, phone)
    await opened(laptop, real, number)
    await go_offline(laptop)
    await laptop.locator("#note-menu summary").click()
    await laptop.get_by_role("button", name="Move to the trash").click()
    await laptop.wait_for_url("**/notes")
    await opened(phone, real, number)
    await typed(phone, "The seal is new.", "The seal is from Osaka.")
    await saved(phone)
    await go_online(laptop)
    await expect(laptop.locator("#notes-news")).to_contain_text("Changed elsewhere meanwhile, so it was not deleted.")
    (note,) = (await one_mind(real, laptop, phone)).values()
    assert "Osaka" in str(note["body"])
    assert note["trashed"] is False


async def test_edited_here_and_deleted_for_good_there_is_there_again_and_says_so(
    real: Real, laptop: Page, phone: Page
) -> None:
    number = await written(real, laptop, phone)
    await opened(laptop, real, number)
    await go_offline(laptop)
    await typed(laptop, "The seal is new.", "The seal is from Osaka.")
    await kept(laptop)
    await real.api("DELETE", f"/notes/{number}")
    await real.api("DELETE", f"/notes/{number}", params={"for_good": "true"})
    await caught_up(phone)
    assert await copy_of(phone) == {}
    await go_online(laptop)
    await expect(laptop.locator("#editor-notices")).to_contain_text("Deleted elsewhere. Your edit brought it back.")
    (note,) = (await one_mind(real, laptop, phone)).values()
    assert "Osaka" in str(note["body"])
    assert laptop.url == f"{real.url}/notes/{note['id']}"


async def test_trashed_there_and_edited_here_is_taken_out_of_it(real: Real, laptop: Page, phone: Page) -> None:
    number = await written(real, laptop, phone)
    await opened(laptop, real, number)
    await go_offline(laptop)
    await typed(laptop, "The seal is new.", "The seal is from Osaka.")
    await kept(laptop)
    await real.api("DELETE", f"/notes/{number}")
    await go_online(laptop)
    await expect(laptop.locator("#editor-notices")).to_contain_text("Your edit brought it back.")
    (note,) = (await one_mind(real, laptop, phone)).values()
    assert note["trashed"] is False
    assert "Osaka" in str(note["body"])


async def test_a_quiet_editor_hears_of_the_trash_and_of_the_way_out(real: Real, laptop: Page) -> None:
    number = await written(real, laptop)
    await opened(laptop, real, number)
    await real.api("DELETE", f"/notes/{number}")
    await run(laptop, "feed", "m.readFeed()")
    await expect(laptop.locator("#editor-notices")).to_contain_text("moved to the trash elsewhere")
    await real.api("POST", f"/notes/{number}/restore")
    await run(laptop, "feed", "m.readFeed()")
    await expect(laptop.locator("#editor-notices .notice")).to_have_count(0)


async def test_a_reload_offline_shows_the_page_and_the_edit(real: Real, laptop: Page) -> None:
    number = await written(real, laptop)
    await opened(laptop, real, number)
    await go_offline(laptop)
    await typed(laptop, "The seal is new.", "The seal is from Osaka.")
    await kept(laptop)
    await laptop.reload()
    await expect(laptop.locator(BODY)).to_have_value(re.compile("from Osaka"))
    await expect(laptop.locator("#save-state")).to_have_text("Saved on this device, 1 waiting")
    await laptop.context.new_page()
    await go_online(laptop)
    await saved(laptop)
    assert "Osaka" in (await real.note(number))["body"]


async def test_a_reply_that_is_lost_is_asked_for_again_and_applied_once(real: Real, laptop: Page) -> None:
    number = await written(real, laptop)
    lost: list[int] = []

    async def swallow(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append((await route.fetch()).status)
            return await route.abort()
        return await route.continue_()

    await laptop.context.route("**/api/changes", swallow)
    await opened(laptop, real, number)
    await typed(laptop, "The seal is new.", "The seal is from Osaka.")
    await eventually(lambda: lost == [200])
    await sent_all(laptop)
    note = await real.note(number)
    assert (note["version"], note["copies"]) == (2, [])
    await saved(laptop)


async def test_a_server_that_stops_in_mid_save_loses_nothing_that_was_kept(
    settings: Settings, database: Database, chromium: Browser
) -> None:
    cortex = assemble(settings, database, open_bundled(1))
    async with serving(cortex) as real:
        page = await device(chromium, real)
        number = await written(real, page)
        await opened(page, real, number)
        await page.locator(BODY).press("Control+End")
        await page.keyboard.type("One.")
        await page.keyboard.press("Control+s")
    # Stopped while that was on its way, or just behind it.
    await page.keyboard.type(" Two.")
    await kept(page)
    await page.reload()
    await ready(page)
    await page.keyboard.type(" Three.")
    await kept(page)
    async with serving(cortex, real.port):
        await until(page, "connection", "m.look()")
        await sent_all(page)
        note = await real.note(number)
        assert note["body"] == f"{TEXT}One. Two. Three."
        assert note["copies"] == []
        await one_mind(real, page)
    await page.context.close()
    await cortex.answerer.close()


async def test_files_added_offline_arrive_with_the_note_that_was_begun_there(
    real: Real, laptop: Page, phone: Page
) -> None:
    await go_offline(laptop)
    await laptop.goto(f"{real.url}/notes/new")
    await ready(laptop)
    await laptop.keyboard.type("The plan:")
    files: Any = [
        {"name": "plan.png", "mimeType": "image/png", "buffer": PLAN},
        {"name": "list.txt", "mimeType": "text/plain", "buffer": b"salt"},
    ]
    await laptop.locator("#attach-file").set_input_files(files)
    await expect(laptop.locator(BODY)).to_have_value(re.compile(r"plan\.png\]\(/api/.*list\.txt\]\(/api/", re.DOTALL))
    await expect(laptop.locator("#preview img")).to_have_attribute("src", re.compile("^data:image/png"))
    await kept(laptop)
    await laptop.reload()
    await kept(laptop)
    await go_online(laptop)
    await sent_all(laptop)
    (note,) = (await one_mind(real, laptop, phone)).values()
    found = await real.api("GET", f"/notes/{note['id']}/attachments")
    assert {each["name"] for each in found["attachments"]} == {"plan.png", "list.txt"}
    sha = hashlib.sha256(PLAN).hexdigest()
    async with httpx.AsyncClient(base_url=real.url) as client:
        assert (await client.get(f"/api/attachments/{sha}")).content == PLAN
    await phone.goto(f"{real.url}/notes/{note['id']}")
    await phone.locator("#preview img").wait_for()
    assert await phone.locator("#preview img").evaluate("image => image.decode().then(() => image.naturalWidth > 0)")


async def test_one_week_begun_on_two_devices_is_one_note(real: Real, laptop: Page, phone: Page) -> None:
    for page, words in ((laptop, "From the laptop."), (phone, "手机上写的。")):
        await go_offline(page)
        await page.goto(f"{real.url}/notes/new?kind=weekly&date=2026-01-14")
        await ready(page)
        await page.locator(BODY).press("Control+Home" if page is laptop else "Control+End")
        await page.keyboard.insert_text(f"{words}\n\n")
        await kept(page)
    await go_online(laptop)
    await saved(laptop)
    await go_online(phone)
    await sent_all(phone)
    there = await one_mind(real, laptop, phone)
    titles = {str(note["title"]) for note in there.values()}
    assert {title for title in titles if not re.search("conflict|冲突", title)} == {"2026-W03"}
    everything = " ".join(str(note["body"]) for note in there.values())
    assert "From the laptop." in everything
    assert "手机上写的。" in everything


async def test_tags_of_both_sides_are_there(real: Real, laptop: Page, phone: Page) -> None:
    """Only what was changed is sent: a tag from elsewhere outlives an edit of the text here."""
    number = await written(real, laptop, phone)
    await opened(laptop, real, number)
    await go_offline(laptop)
    await typed(laptop, "The seal is new.", "The seal is from Osaka.")
    await kept(laptop)
    note = await real.note(number)
    await real.api(
        "PUT",
        f"/notes/{number}",
        json={"title": "Pump", "body": note["body"], "tags": ["works"]},
        headers={"If-Match": '"1"'},
    )
    await go_online(laptop)
    await sent_all(laptop)
    (found,) = (await one_mind(real, laptop, phone)).values()
    assert found["tags"] == ["works"]
    assert "Osaka" in str(found["body"])


async def test_a_restored_notebook_is_followed(real: Real, database: Database, laptop: Page) -> None:
    """After a restore the feed has another name: what is not there any more goes, and what waits here comes back."""
    await written(real, laptop)
    await written(real, laptop, body="Another one.")
    await go_offline(laptop)
    async with database.transaction("app", 1) as tx:
        await tx.execute(b"DELETE FROM library.documents WHERE source = 'notes' AND text = 'Another one.'")
        await tx.execute(b"UPDATE library.feeds SET feed = gen_random_uuid(), last = 1")
        await tx.execute(b"DELETE FROM library.changes WHERE seq > 1")
    await go_online(laptop)
    await until(laptop, "feed", "m.readFeed()")
    await asyncio.sleep(0)
    assert [note["body"] for note in (await copy_of(laptop)).values()] == [TEXT]
