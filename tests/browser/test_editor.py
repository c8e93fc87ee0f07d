"""The editor: what is typed is saved by itself, keys do what they do elsewhere, lists and links complete themselves."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from .conftest import Open
from .fake_api import FakeApi
from .notebook_steps import BREAD, KAFKA, UNTITLED, WEEK, eventually, opened, ready, saved

pytestmark = pytest.mark.browser


async def test_what_is_typed_is_saved_a_moment_after_the_last_key(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.keyboard.type("A little rye next time.")
    await expect(page.locator("#save-state")).to_have_text("Edited")
    await saved(page)
    await expect(page.locator("#save-state")).to_have_text(re.compile(r"^Saved \d\d:\d\d$"))
    assert len(fake.notebook.saves) == 1
    assert fake.notebook.notes[BREAD]["body"].endswith("A little rye next time.")
    await expect(page.locator(".note-row").first).to_contain_text("Sunday bread")


async def test_mod_s_and_leaving_the_text_save_at_once(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.clock.install()
    await page.keyboard.type("Rye.")
    await page.keyboard.press("Control+s")
    await saved(page)
    await page.keyboard.type(" Or oats.")
    await page.keyboard.press("Tab")
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye. Or oats."))


async def test_tab_leaves_the_text_and_comes_back(open_page: Open) -> None:
    page = await opened(open_page)
    before = await page.locator("#note-body").input_value()
    await page.keyboard.press("Tab")
    await expect(page.locator("#note-body")).not_to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await expect(page.locator("#note-body")).to_be_focused()
    assert await page.locator("#note-body").input_value() == before


async def test_a_new_note_is_made_by_its_first_words_and_only_once(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes/new")
    await ready(page)
    await page.wait_for_timeout(1000)
    assert fake.notebook.saves == []
    await page.keyboard.type("# Lift\n\nCall the landlord.")
    await saved(page)
    await expect(page.locator("#note-title")).to_have_attribute("placeholder", "Lift")
    number = max(fake.notebook.notes)
    assert page.url == f"{fake.url}/notes/{number}"
    assert len(fake.notebook.saves[0]["key"]) == 32
    await page.keyboard.type(" Today.")
    await saved(page)
    await eventually(lambda: len(fake.notebook.saves) == 2)
    assert "key" not in fake.notebook.saves[1]
    assert fake.notebook.notes[number]["title"] == "Lift"
    await expect(page.locator(".note-row").first).to_contain_text("Lift")
    await expect(page).to_have_title("Lift · Cortex")
    await page.reload()
    await expect(page.locator("#note-body")).to_have_value("# Lift\n\nCall the landlord. Today.")
    await expect(page.locator("#note-title")).to_have_value("")


async def test_this_week_and_today_are_made_once_and_found_again(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes")
    before = len(fake.notebook.notes)
    for _ in range(2):
        await page.get_by_role("link", name="This week").click()
        await page.wait_for_url(re.compile(r"/notes/\d+$"))
        await expect(page.locator("#note-title")).to_have_value(re.compile(r"^\d{4}-W\d\d$"))
        await page.go_back()
    assert len(fake.notebook.notes) == before + 1
    await page.get_by_role("link", name="Today").click()
    await page.wait_for_url(re.compile(r"/notes/\d+$"))
    await expect(page.locator("#note-title")).to_have_value(re.compile(r"^\d{4}-\d\d-\d\d$"))


async def test_the_weeks_template_waits_at_its_first_gap(open_page: Open) -> None:
    page = await open_page("/notes/new?kind=weekly", lang="zh")
    await expect(page.locator("#note-body")).to_be_focused()
    await page.keyboard.type("决定了")
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"^## 本周记录\n\n决定了\n"))


async def test_a_title_that_was_given_stays_and_a_derived_one_follows(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, f"/notes/{UNTITLED}")
    await expect(page.locator("#note-title")).to_have_value("")
    await page.locator("#note-body").press("Control+Home")
    await page.keyboard.type("On the way: ")
    await saved(page)
    assert fake.notebook.notes[UNTITLED]["title"].startswith("On the way: A line without a title")
    await page.locator("#note-title").fill("Lyon to Geneva")
    await page.locator("#note-title").press("Enter")
    await expect(page.locator("#note-body")).to_be_focused()
    await eventually(lambda: fake.notebook.notes[UNTITLED]["title"] == "Lyon to Geneva")


async def test_kind_date_topic_and_tags_are_saved(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.locator("#note-facts summary").click()
    await page.get_by_label("Topic", exact=True).last.fill("Baking")
    await expect(page.locator("#note-kind")).to_have_value("topic")
    await page.get_by_label("Date").fill("2026-01-14")
    await page.get_by_label("Tags").fill("＃面包，rye")
    await page.get_by_label("Tags").press("Enter")
    await expect(page.locator("#note-facts-shown")).to_have_text(
        "14 Jan 2026 · topic Baking · #\u2060kitchen · #\u2060面包 · #\u2060rye"
    )
    await page.get_by_label("Tags").press("Backspace")
    await page.get_by_role("button", name="Remove kitchen").click()
    await eventually(lambda: fake.notebook.notes[BREAD]["tags"] == ["面包"])
    note = fake.notebook.notes[BREAD]
    assert (note["kind"], note["date"], note["topic"]) == ("topic", "2026-01-14", "Baking")


async def test_lists_go_on_and_undo_takes_it_back(open_page: Open) -> None:
    page = await opened(open_page, "/notes/new")
    body = page.locator("#note-body")
    await page.keyboard.type("- milk")
    await page.keyboard.press("Enter")
    await page.keyboard.type("flour")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Control+]")
    await page.keyboard.type("rye")
    await expect(body).to_have_value("- milk\n- flour\n  - rye")
    await page.keyboard.press("Control+[")
    await expect(body).to_have_value("- milk\n- flour\n- rye")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(body).to_have_value("- milk\n- flour\n- rye\n")
    for _ in range(20):
        await page.keyboard.press("Control+z")
    await expect(body).to_have_value("")
    for _ in range(20):
        await page.keyboard.press("Control+Shift+z")
    await expect(body).to_have_value("- milk\n- flour\n- rye\n")


async def test_bold_and_italic_go_around_the_selection_and_can_be_undone(open_page: Open) -> None:
    page = await opened(open_page, "/notes/new")
    await page.keyboard.type("a word")
    await page.keyboard.press("Control+Shift+ArrowLeft")
    await page.keyboard.press("Control+b")
    await expect(page.locator("#note-body")).to_have_value("a **word**")
    await page.keyboard.press("Control+i")
    await expect(page.locator("#note-body")).to_have_value("a ***word***")
    await page.keyboard.press("Control+z")
    await page.keyboard.press("Control+z")
    await expect(page.locator("#note-body")).to_have_value("a word")


async def test_mod_enter_saves_and_reads_and_goes_back_to_writing(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.keyboard.type("Rye.")
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#preview")).to_be_focused()
    await expect(page.locator("#preview")).to_contain_text("Rye.")
    await expect(page.locator("#note-body")).to_be_hidden()
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye."))
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#note-body")).to_be_focused()
    await expect(page.locator("#preview")).to_be_visible()


async def test_a_new_note_is_written_however_the_last_one_was_looked_at(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.get_by_role("button", name="Read").click()
    await page.goto(f"{fake.url}/notes/{BREAD}")
    await expect(page.locator("#note-body")).to_be_hidden()
    await page.goto(f"{fake.url}/notes/new")
    await expect(page.locator("#note-body")).to_be_focused()


async def test_what_links_here_stands_with_the_facts(open_page: Open) -> None:
    page = await opened(open_page, f"/notes/{KAFKA}")
    await page.locator("#note-facts summary").click()
    await expect(page.locator("#note-backlinks")).to_have_text("Linked from 1 note2026-W03")
    await expect(page.locator("#note-backlinks a")).to_have_attribute("href", f"/d/{WEEK}")
