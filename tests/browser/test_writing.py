"""Writing: input methods are left alone, links and tags complete themselves, and the preview shows what is written and no more."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from .conftest import Open
from .fake_api import FakeApi
from .notebook_steps import ANSWER, BREAD, KAFKA, MOVE, WEEK, InputMethod, eventually, opened, saved

pytestmark = pytest.mark.browser


async def test_a_composing_input_method_is_left_alone(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, "/notes/new")
    ime = await InputMethod.of(page)
    await page.keyboard.type("- ")
    await ime.compose("maicai")
    await page.wait_for_timeout(1200)
    assert fake.notebook.saves == []
    await ime.enter("买菜")
    await expect(page.locator("#note-body")).to_have_value("- 买菜")
    await saved(page)
    assert fake.notebook.saves[-1]["body"] == "- 买菜"
    await page.keyboard.press("Enter")
    await expect(page.locator("#note-body")).to_have_value("- 买菜\n- ")


async def test_an_enter_after_safaris_early_composition_end_does_not_break_the_line(open_page: Open) -> None:
    page = await opened(open_page, "/notes/new")
    await page.keyboard.type("- ceshi")
    prevented = await page.locator("#note-body").evaluate(
        """box => {
            box.dispatchEvent(new CompositionEvent("compositionstart", {bubbles: true}));
            box.dispatchEvent(new CompositionEvent("compositionend", {bubbles: true, data: "测试"}));
            const enter = {key: "Enter", code: "Enter", keyCode: 229, which: 229, bubbles: true, cancelable: true};
            const event = new KeyboardEvent("keydown", enter);
            box.dispatchEvent(event);
            return event.defaultPrevented;
        }"""
    )
    assert prevented is False
    await expect(page.locator("#note-body")).to_have_value("- ceshi")


async def test_a_link_is_completed_by_keyboard(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    body = page.locator("#note-body")
    await page.keyboard.type("See [[ret")
    options = page.locator(".completions [role=option]")
    await expect(options.first).to_have_text(re.compile("^Retention"))
    await expect(body).to_have_attribute("role", "combobox")
    await expect(body).to_have_attribute("aria-expanded", "true")
    await expect(body).to_have_attribute("aria-activedescendant", "completion-0")
    assert await page.locator("#completion-0").get_attribute("aria-selected") == "true"
    await page.keyboard.press("ArrowDown")
    await expect(body).to_have_attribute("aria-activedescendant", "completion-1")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(body).to_have_value(re.compile(r"See \[\[Retention\]\]$"))
    await expect(body).not_to_have_attribute("role", "combobox")
    await page.keyboard.press("Control+z")
    await expect(body).to_have_value(re.compile(r"See \[\[ret$"))
    await saved(page)


async def test_full_width_brackets_of_an_input_method_complete_too(open_page: Open) -> None:
    page = await opened(open_page, lang="zh")
    ime = await InputMethod.of(page)
    await ime.enter("见【【")
    await ime.compose("duilie")
    await page.wait_for_timeout(400)
    await expect(page.locator(".completions [role=option]")).to_have_count(0)
    await ime.enter("队列")
    await page.locator(".completions [role=option]", has_text="队列选型").click()
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"见\[\[队列选型\]\]$"))
    await expect(page.locator("#note-body")).to_be_focused()


async def test_a_tag_is_completed_after_both_signs_and_is_a_tag_of_the_note(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, lang="zh")
    ime = await InputMethod.of(page)
    await ime.enter("今天＃工")
    await expect(page.locator(".completions [role=option]")).to_have_text(re.compile("^#工作"))
    await page.keyboard.press("Enter")
    await expect(page.locator("#note-body")).to_have_value(re.compile("今天#工作 $"))
    await eventually(lambda: fake.notebook.notes[BREAD]["tags"] == ["kitchen", "工作"])


async def test_escape_closes_the_list_and_nothing_else(open_page: Open) -> None:
    page = await opened(open_page)
    await page.keyboard.type("[[zzz")
    await expect(page.locator(".completions [role=option]")).to_have_text(re.compile("^zzz"))
    await page.keyboard.press("Escape")
    await expect(page.locator(".completions")).to_be_hidden()
    await expect(page.locator("#note-body")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"\[\[zzz\n$"))


async def test_the_preview_follows_what_is_typed(open_page: Open) -> None:
    page = await opened(open_page, f"/notes/{WEEK}")
    preview = page.locator("#preview")
    await expect(preview.locator("h3").first).to_have_text("本周")
    await expect(preview.get_by_role("checkbox")).to_have_count(2)
    link = preview.get_by_role("link", name="队列选型")
    await expect(link).to_have_attribute("href", f"/notes/{KAFKA}")
    await preview.locator("li").first.evaluate("item => (item.dataset.same = 'yes')")
    await page.keyboard.type("\nAnd **rye**, _please_: [[Nobody wrote this]] snake_case_name [1] <b>bold</b>")
    await expect(preview.locator("strong")).to_have_text("rye")
    await expect(preview.locator("em")).to_have_text("please")
    await expect(preview).to_contain_text("snake_case_name [1] <b>bold</b>")
    await expect(preview.locator("a.missing")).to_have_attribute("href", "/notes/new?title=Nobody+wrote+this")
    # A block that did not change is the same element.
    await expect(preview.locator("li[data-same]")).to_have_count(1)


async def test_a_preview_fetches_nothing_but_attachments(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, f"/notes/{MOVE}")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await expect(page.locator("#preview img")).to_have_attribute("src", "/api/attachments/plan?name=plan.png")
    await page.keyboard.type(
        "\n![a](https://evil.example/x.png) ![b](//evil.example/y.png) ![c](/api/status) ![d](data:image/png;base64,AAAA)"
        " [e](javascript:alert(1)) [f](https://fine.example/) ![g](/api/attachments/../status)"
    )
    preview = page.locator("#preview")
    await expect(preview.locator("a[href^='https://fine.example']")).to_have_attribute("rel", "noopener noreferrer")
    await expect(preview.locator("img")).to_have_count(1)
    assert await preview.locator("[href^='javascript:']").count() == 0
    assert [url for url in asked if not url.startswith(fake.url)] == []


async def test_a_name_that_nobody_wrote_yet_begins_a_note(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.locator("#preview a.missing").click()
    await page.wait_for_url("**/notes/new?title=**")
    await expect(page.locator("#note-title")).to_have_value("Grandmother's oven")
    await page.keyboard.type("It was blue.")
    await saved(page)
    assert fake.notebook.saves[-1]["title"] == "Grandmother's oven"


async def test_a_note_that_an_answer_wrote_says_so_everywhere(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(f"/notes/{ANSWER}")
    await expect(page.locator("#editor-notices")).to_contain_text("Origin: from an answer.")
    await expect(page.locator(f".note-row[data-id='{ANSWER}']")).to_contain_text("from an answer")
    await page.goto(f"{fake.url}/d/{ANSWER}")
    await expect(page.locator("#document-meta")).to_contain_text("from an answer")
    await page.get_by_role("link", name="Edit").click()
    await page.wait_for_url(f"**/notes/{ANSWER}")


async def test_a_note_that_could_not_be_indexed_says_why_and_is_tried_again(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(f"/notes/{MOVE}")
    notice = page.locator("#editor-notices .notice")
    await expect(notice).to_contain_text("Saved, but not indexed: the worker was stopped three times")
    await notice.get_by_role("button", name="Try again").click()
    await expect(notice).to_have_count(0)
    await eventually(lambda: fake.notebook.notes[MOVE]["index"]["state"] == "waiting")


async def test_the_texts_own_language_is_spoken(open_page: Open) -> None:
    page = await open_page(f"/notes/{KAFKA}")
    await expect(page.locator("#note-body")).to_have_attribute("lang", "zh")
    await expect(page.locator("#note-title")).to_have_attribute("lang", "zh")
    await expect(page.locator("#preview")).to_have_attribute("lang", "zh")
