"""The list of notes, and answers that become notes."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from .conftest import PHONE, Open, answered, ask
from .fake_api import FakeApi
from .notebook_steps import ANSWER, BREAD, KAFKA, MOVE, RETENTION, WEEK, InputMethod, eventually, opened, saved

pytestmark = pytest.mark.browser


async def test_the_list_is_searched_as_one_types_and_the_address_says_it(open_page: Open) -> None:
    page = await open_page("/notes")
    await expect(page.locator("#notes-count")).to_have_text("8 notes")
    await page.get_by_label("Find in your notes").press_sequentially("kafka")
    await expect(page.locator("#notes-count")).to_have_text("3 notes")
    await expect(page.locator(".note-row mark").first).to_have_text("Kafka")
    await expect(page.locator("#announcer")).to_have_text("3 notes")
    assert page.url.endswith("/notes?q=kafka")
    await page.get_by_label("Find in your notes").fill("zeppelin")
    await expect(page.locator(".notes-empty")).to_contain_text("No note matches.")
    await page.get_by_role("link", name="Show all notes").click()
    await expect(page.locator("#notes-count")).to_have_text("8 notes")


async def test_a_search_waits_for_the_input_method(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes", lang="zh")
    await page.locator(".note-row").first.wait_for()
    await page.locator("#notes-q").focus()
    ime = await InputMethod.of(page)
    await ime.compose("duilie")
    await page.wait_for_timeout(500)
    await expect(page.locator(".note-row")).to_have_count(8)
    await ime.enter("队列")
    await expect(page.locator(".note-row")).to_have_count(2)


async def test_the_list_is_narrowed_and_stays_so_beside_the_note(open_page: Open) -> None:
    page = await open_page("/notes")
    await page.locator("#notes-tag").select_option("work")
    await expect(page.locator(".note-row")).to_have_count(3)
    await page.locator("#notes-kind").select_option("topic")
    await expect(page.locator(".note-row")).to_have_count(1)
    await page.locator(".note-row a").click()
    await page.wait_for_url(f"**/notes/{KAFKA}?kind=topic&tag=work")
    await expect(page.locator(".note-row")).to_have_count(1)
    await expect(page.locator(".note-row [aria-current=page]")).to_have_count(1)
    await expect(page.locator("#notes-kind")).to_have_value("topic")
    await page.go_back()
    await expect(page.locator(".note-row")).to_have_count(1)


async def test_a_tag_is_renamed_into_another_on_every_note(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes?tag=work")
    await page.get_by_role("button", name="Rename #work…").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("New name")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Rename #work…")).to_be_focused()
    await page.keyboard.press("Enter")
    await dialog.get_by_label("New name").fill("#工作")
    await expect(dialog).to_contain_text("There is #工作 already: the notes of #work join it.")
    await page.keyboard.press("Enter")
    await expect(page.locator("#notes-tag")).to_have_value("工作")
    await expect(page.locator(".note-row")).to_have_count(4)
    await expect(page.locator("#announcer")).to_have_text("3 notes have the new name.")
    assert all("work" not in note["tags"] for note in fake.notebook.notes.values())


async def test_what_a_person_should_know_stands_in_the_list(open_page: Open) -> None:
    page = await open_page("/notes")
    await expect(page.locator(f"[data-id='{RETENTION}'] .note-row-mark")).to_have_text("2 versions")
    await expect(page.locator(f"[data-id='{MOVE}'] .note-row-mark")).to_have_text("not indexed")
    await expect(page.locator(f"[data-id='{ANSWER}'] .note-row-facts")).to_have_text("from an answer")
    await expect(page.locator(f"[data-id='{WEEK}'] .note-row-facts")).to_have_text(
        "weekly · 12 – 18 Jan 2026 · #\u2060工作"
    )
    await expect(page.locator(f"[data-id='{KAFKA}'] .note-row-title")).to_have_attribute("lang", "zh")


async def test_a_long_list_is_paged_and_keeps_its_place(open_page: Open, fake: FakeApi) -> None:
    for n in range(120):
        fake.notebook.add({"title": f"Note {n}", "body": "words"})
    page = await open_page("/notes")
    await expect(page.locator(".note-row")).to_have_count(50)
    await page.get_by_role("button", name="More").click()
    await expect(page.locator(".note-row")).to_have_count(100)
    await page.get_by_role("link", name="Note 45").click()
    await page.wait_for_url(re.compile(r"/notes/\d+$"))
    await expect(page.locator(".note-row")).to_have_count(100)
    await expect(page.locator(".note-row [aria-current]")).to_be_in_viewport()


async def test_the_list_is_walked_by_arrows(open_page: Open) -> None:
    page = await open_page("/notes")
    await page.locator(".note-row").first.wait_for()
    await page.get_by_label("Find in your notes").press("ArrowDown")
    await expect(page.locator(".note-row a").first).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(".note-row a").nth(1)).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    await expect(page.get_by_label("Find in your notes")).to_be_focused()
    await page.locator("h1").click()
    await page.keyboard.press("/")
    await expect(page.get_by_label("Find in your notes")).to_be_focused()


async def test_no_notes_yet(open_page: Open, fake: FakeApi) -> None:
    fake.notebook.notes.clear()
    page = await open_page("/notes", lang="zh")
    await expect(page.locator(".notes-empty")).to_contain_text("还没有笔记。")
    await page.get_by_role("link", name="新笔记").click()
    await expect(page.locator("#note-body")).to_be_focused()


async def test_a_list_that_cannot_be_read_is_asked_for_again(open_page: Open) -> None:
    page = await open_page("/find", quiet=False)
    await page.route("**/api/notes?**", lambda route: route.abort())
    await page.get_by_role("link", name="Notes", exact=True).click()
    await expect(page.locator("#notes-notice")).to_contain_text("Cortex is not running here.")
    await page.unroute("**/api/notes?**")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".note-row")).to_have_count(8)


async def test_on_a_phone_the_note_has_the_screen_and_the_tools_ride_at_its_foot(open_page: Open) -> None:
    page = await open_page("/notes", viewport=PHONE, has_touch=True, is_mobile=True)
    await page.get_by_role("link", name="Sunday bread").tap()
    await page.wait_for_url(f"**/notes/{BREAD}")
    await expect(page.locator(".notes-scroll")).to_be_hidden()
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    await page.locator("#note-body").tap()
    await expect(page.locator(".nav")).to_be_hidden()
    foot = await page.locator(".editor-bar").bounding_box()
    assert foot
    assert abs(foot["y"] + foot["height"] - 780) <= 1
    await page.locator("#editor[data-writes]").wait_for(state="attached")
    await page.get_by_role("button", name="Task").tap()
    await expect(page.locator("#note-body")).to_be_focused()
    await page.get_by_role("button", name="Read").tap()
    await expect(page.locator("#preview")).to_be_visible()
    await page.get_by_role("link", name="Notes").first.tap()
    await expect(page.locator(".note-row").first).to_be_visible()


async def test_the_first_tap_on_a_tool_is_not_lost(open_page: Open) -> None:
    page = await open_page(f"/notes/{BREAD}")
    await page.locator("#preview p").first.wait_for()
    await page.get_by_role("button", name="Link to a note").click()
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"\[\["))


async def test_an_answer_is_saved_as_a_note(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await ask(page, "Why Kafka?")
    await answered(page)
    await page.get_by_role("button", name="Save as note").click()
    await page.get_by_role("link", name="Open the note").click()
    await expect(page.locator("#editor-notices")).to_contain_text("from an answer")
    saved_as = fake.notebook.saves[-1]
    assert saved_as["answer_id"] == 1
    assert saved_as["title"] == "Why Kafka?"
    assert saved_as["body"].endswith("- [1] [[2026 Q1 week 03 🗓️]]\n- [2] [[队列选型]]\n- [3] [[Retention]]\n")


async def test_an_answer_that_could_not_be_saved_is_tried_again_and_saved_once(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(quiet=False)
    await ask(page, "Why Kafka?")
    await answered(page)
    await page.route("**/api/notes", lambda route: route.abort())
    await page.get_by_role("button", name="Save as note").click()
    await expect(page.locator(".answer-unsaved")).to_contain_text("Not saved: Cortex is not running here.")
    await page.unroute("**/api/notes")
    before = len(fake.notebook.notes)
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("link", name="Open the note")).to_be_visible()
    assert len(fake.notebook.notes) == before + 1


async def test_the_pen_is_not_needed_to_save_over_a_copy(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, f"/notes/{RETENTION}")
    await page.get_by_role("button", name="Compare").click()
    await page.get_by_role("button", name="Take the other").click()
    await saved(page)
    await eventually(lambda: fake.notebook.notes[RETENTION + 1]["trashed_at"] is not None)
    assert "sixty days" in fake.notebook.notes[RETENTION]["body"]
    await expect(page.locator("#editor-notices .notice")).to_have_count(0)
