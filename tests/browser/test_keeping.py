"""Nothing typed is ever lost: a server that stops in mid-edit, lost replies, other tabs, other devices, the trash."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest
from playwright.async_api import Dialog, Error, Page, Route, expect

from .conftest import PHONE, Open
from .fake_api import FakeApi
from .notebook_steps import BREAD, COPY, KAFKA, RETENTION, eventually, opened, ready, saved

pytestmark = pytest.mark.browser

API = "**/api/**"


async def away(page: Page) -> None:
    await page.context.route(API, lambda route: route.abort())


async def back(page: Page) -> None:
    await page.context.unroute(API)


async def test_a_server_that_stops_in_mid_edit_loses_nothing(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, quiet=False)
    await away(page)
    await page.keyboard.type("Rye.")
    await expect(page.locator("#save-state")).to_have_text("Not saved yet, trying again…")
    await expect(page.locator("#editor-notices")).to_contain_text("Cortex cannot be reached. What you write stays here")
    await page.keyboard.type(" Or oats.")
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"Rye\. Or oats\.$"))
    await back(page)
    await saved(page)
    await expect(page.locator("#editor-notices .notice")).to_have_count(0)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye. Or oats.")


async def test_leaving_with_unsaved_text_is_asked_about(open_page: Open) -> None:
    page = await opened(open_page, quiet=False)
    asked: list[str] = []

    async def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        await dialog.dismiss()

    page.on("dialog", stay)
    await away(page)
    await page.keyboard.type("Rye.")
    await expect(page.locator("#save-state")).to_have_attribute("data-state", "waiting")
    await page.get_by_role("link", name="Find").click(no_wait_after=True)
    await eventually(lambda: asked == ["beforeunload"])
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"Rye\.$"))


async def test_a_tab_that_dies_has_its_text_again(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, quiet=False)
    await away(page)
    await page.keyboard.type("Rye.")
    await expect(page.locator("#save-state")).to_have_attribute("data-state", "waiting")
    context = page.context
    with contextlib.suppress(Error):
        await page.goto("chrome://crash")
    await page.close()
    await context.unroute(API)
    assert not fake.notebook.notes[BREAD]["body"].endswith("Rye.")
    page = await context.new_page()
    await page.goto(f"{fake.url}/notes")
    await expect(page.locator("#notes-notice")).to_contain_text("not saved yet")
    await page.locator("#notes-notice a").click()
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"Rye\.$"))
    await saved(page)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye.")
    await page.goto(f"{fake.url}/notes")
    await page.locator(".note-row").first.wait_for()
    await expect(page.locator("#notes-notice")).to_be_hidden()


async def test_a_new_note_that_could_not_be_made_has_its_text_again(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes/new", quiet=False)
    await ready(page)
    await away(page)
    await page.keyboard.type("Written in a tunnel.")
    await expect(page.locator("#save-state")).to_have_attribute("data-state", "waiting")
    assert "key=" in page.url
    page.on("dialog", lambda dialog: dialog.accept())
    await back(page)
    before = len(fake.notebook.notes)
    await page.reload()
    await expect(page.locator("#note-body")).to_have_value("Written in a tunnel.")
    await saved(page)
    assert len(fake.notebook.notes) == before + 1


async def test_the_last_keys_before_the_page_is_left_are_sent(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.keyboard.type("Rye.")
    await page.goto(f"{fake.url}/find")
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye."))
    await page.goto(f"{fake.url}/notes/{BREAD}")
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"Rye\.$"))
    await expect(page.locator(".conflict")).to_have_count(0)


async def test_a_save_whose_reply_was_lost_is_no_conflict(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, quiet=False)
    lost: list[int] = []

    async def swallow(route: Route) -> None:
        if route.request.method == "PUT" and not lost:
            lost.append((await route.fetch()).status)
            return await route.abort()
        return await route.continue_()

    await page.route(API, swallow)
    await page.keyboard.type("Rye.")
    await eventually(lambda: lost == [200])
    await page.keyboard.type(" Or oats.")
    await saved(page)
    await expect(page.locator(".conflict")).to_have_count(0)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye. Or oats.")
    assert fake.notebook.notes[BREAD]["version"] == 3


async def test_a_creation_whose_reply_was_lost_makes_one_note(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes/new", quiet=False)
    await ready(page)
    before = len(fake.notebook.notes)
    lost: list[int] = []

    async def swallow(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append((await route.fetch()).status)
            return await route.abort()
        return await route.continue_()

    await page.route("**/api/notes", swallow)
    await page.keyboard.type("Call the landlord.")
    await eventually(lambda: lost == [201])
    await page.keyboard.type(" Today.")
    await eventually(lambda: any(note["body"] == "Call the landlord. Today." for note in fake.notebook.notes.values()))
    assert len(fake.notebook.notes) == before + 1


def changed_elsewhere(fake: FakeApi, number: int, old: str, new: str) -> None:
    note = fake.notebook.notes[number]
    body = note["body"].replace(old, new)
    assert body != note["body"]
    fake.notebook.save(number, f'"{note["version"]}"', {"body": body})


async def in_conflict(open_page: Open, fake: FakeApi, **options: Any) -> Page:
    """Two people have changed the same line of the note about the queue, and another one each."""
    page = await opened(open_page, f"/notes/{KAFKA}", quiet=False, **options)
    changed_elsewhere(fake, KAFKA, "一张表顶着", "两张表顶着")
    changed_elsewhere(fake, KAFKA, "三台服务器，还要有人照看", "三台服务器，没有人照看")
    body = page.locator("#note-body")
    await body.fill((await body.input_value()).replace("一张表顶着", "三张表顶着").replace("三种方案", "四种方案"))
    await page.locator(".conflict").wait_for()
    return page


async def test_a_lost_race_shows_both_versions_and_overwrites_neither(open_page: Open, fake: FakeApi) -> None:
    page = await in_conflict(open_page, fake)
    conflict = page.locator(".conflict")
    await expect(conflict.get_by_role("heading", level=2)).to_be_focused()
    await expect(conflict).to_contain_text("Edited in two places. Both versions are kept.")
    row = conflict.locator(".diff-row", has_text="最后没有用 Kafka")
    await expect(row.locator(".there del")).to_have_text(re.compile("两"))
    await expect(row.locator(".here ins")).to_have_text(re.compile("三"))
    assert await row.locator(".diff-sign").text_content() == "±"
    await page.wait_for_timeout(1200)
    assert "两张表" in fake.notebook.notes[KAFKA]["body"]
    await expect(page.locator("#save-state")).to_have_text("Waiting for your choice")


async def test_mine_is_kept_when_i_say_so(open_page: Open, fake: FakeApi) -> None:
    page = await in_conflict(open_page, fake)
    await page.get_by_role("button", name="Keep mine").click()
    await saved(page)
    body = fake.notebook.notes[KAFKA]["body"]
    assert "三张表" in body
    assert "四种方案" in body
    assert "没有人照看" not in body


async def test_the_other_is_taken_when_i_say_so_and_undo_has_mine(open_page: Open, fake: FakeApi) -> None:
    page = await in_conflict(open_page, fake)
    saves = len(fake.notebook.saves)
    await page.get_by_role("button", name="Take the other").click()
    await expect(page.locator("#note-body")).to_have_value(re.compile("两张表"))
    await page.wait_for_timeout(1000)
    assert len(fake.notebook.saves) == saves
    await expect(page.locator("#note-body")).to_be_focused()
    await page.keyboard.press("Control+z")
    await expect(page.locator("#note-body")).to_have_value(re.compile("三张表"))


async def test_both_are_edited_together(open_page: Open, fake: FakeApi) -> None:
    page = await in_conflict(open_page, fake, lang="zh", viewport=PHONE)
    await page.get_by_role("button", name="合在一起编辑").click()
    await saved(page)
    body = fake.notebook.notes[KAFKA]["body"]
    for kept in ("两张表", "三张表", "四种方案", "没有人照看"):
        assert kept in body
    assert "还要有人照看" not in body


async def test_a_conflict_outlives_a_reload(open_page: Open, fake: FakeApi) -> None:
    page = await in_conflict(open_page, fake)
    page.on("dialog", lambda dialog: dialog.accept())
    await page.reload()
    await page.locator(".conflict").wait_for()
    await page.get_by_role("button", name="Keep mine").click()
    await saved(page)
    assert "三张表" in fake.notebook.notes[KAFKA]["body"]


async def test_a_version_that_was_kept_as_a_copy_is_compared_and_settled(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(f"/notes/{COPY}")
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator(".conflict ins").first).to_have_text("sixty")
    await page.get_by_role("button", name="Keep mine").click()
    await page.wait_for_url(f"**/notes/{RETENTION}")
    await eventually(lambda: fake.notebook.notes[COPY]["trashed_at"] is not None)
    note = fake.notebook.notes[RETENTION]
    assert "sixty days" in note["body"]
    assert note["title"] == "Retention"


async def test_a_second_tab_reads_along_until_it_asks_for_the_pen(open_page: Open, fake: FakeApi) -> None:
    first = await opened(open_page)
    second = await first.context.new_page()
    await second.goto(f"{fake.url}/notes/{BREAD}")
    await expect(second.locator("#editor-notices")).to_contain_text("open in another tab")
    await expect(second.locator("#note-body")).not_to_be_editable()
    await first.keyboard.type("Rye.")
    await expect(second.locator("#note-body")).to_have_value(re.compile(r"Rye\.$"))
    # What is not saved yet goes along, without waiting for its turn.
    await first.keyboard.type(" Oats.")
    await second.get_by_role("button", name="Edit here").click()
    await expect(second.locator("#note-body")).to_be_editable()
    await expect(second.locator("#note-body")).to_have_value(re.compile(r"Rye\. Oats\.$"))
    await expect(first.locator("#note-body")).not_to_be_editable()
    await second.locator("#note-body").press("Control+End")
    await second.keyboard.type(" And salt.")
    await expect(first.locator("#note-body")).to_have_value(re.compile(r"And salt\.$"))
    await second.close()
    await expect(first.locator("#note-body")).to_be_editable()
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye. Oats. And salt.")


async def test_a_note_that_went_into_the_trash_elsewhere_keeps_what_is_typed(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, quiet=False)
    fake.notebook.notes[BREAD]["trashed_at"] = "2026-01-01T00:00:00+00:00"
    await page.keyboard.type("Rye.")
    await expect(page.locator("#editor-notices")).to_contain_text("moved to the trash elsewhere")
    await page.get_by_role("button", name="Restore").click()
    await saved(page)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye.")


async def test_a_note_that_is_gone_for_good_says_so_and_keeps_what_is_typed(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, quiet=False)
    del fake.notebook.notes[BREAD]
    await page.keyboard.type("Rye.")
    await expect(page.locator("#save-state")).to_have_text("Not saved")
    await expect(page.locator("#editor-notices")).to_contain_text("Not saved: it is not there any more")
    await page.reload()
    await expect(page.locator("#note-failed")).to_contain_text("This note is not there any more.")


async def test_a_slow_save_never_runs_twice_at_once(open_page: Open, fake: FakeApi) -> None:
    fake.notebook.wait_s = 0.5
    page = await opened(open_page)
    for word in ["one", "two", "three", "four", "five"]:
        await page.keyboard.type(word + " ")
        await page.keyboard.press("Control+s")
        await page.wait_for_timeout(120)
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("five "))
    await expect(page.locator(".conflict")).to_have_count(0)
