"""Choosing where to look: the picker, the chips, the address."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from .conftest import PHONE, Open, answered, ask
from .fake_api import FakeApi

pytestmark = pytest.mark.browser


async def test_terms_are_picked_with_counts_kept_in_the_address_and_removed(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator("#scope-open").click()
    await expect(page.locator("#picker")).to_contain_text("Kafka 9")
    await page.get_by_role("button", name="搬家 4").click()
    await expect(page.locator("#scope .chosen")).to_have_text("搬家")
    await expect(page.locator("#scope-open")).to_be_focused()
    await page.locator("#scope-open").click()
    await page.get_by_role("button", name="#work 12").click()
    await ask(page, "What about the flat?")
    await answered(page)
    assert fake.asked[0]["scope"] == "topic:搬家;tag:work"
    await page.reload()
    await expect(page.locator("#scope .chosen")).to_have_count(2)
    await page.get_by_role("button", name="Remove 搬家").first.click()
    await expect(page.locator("#scope .chosen")).to_have_text("#work")
    assert "scope=tag%3Awork" in page.url


async def test_a_range_of_quarters(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator("#scope-open").click()
    await page.get_by_label("From").select_option("20254")
    await page.get_by_role("button", name="Use these quarters").click()
    await expect(page.locator("#scope .chosen")).to_have_text("Weekly notes, 2025 Q4 – 2026 Q1")
    await ask(page, "What did I do?")
    await answered(page)
    assert fake.asked[0]["scope"] == "weekly:20254-20261"


async def test_a_name_with_a_semicolon_and_a_percent_survives(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator("#scope-open").click()
    await page.get_by_role("button", name="A;B 100% 1").click()
    await ask(page, "What?")
    await answered(page)
    assert fake.asked[0]["scope"] == "topic:A%3BB 100%25"
    await page.reload()
    await expect(page.locator("#scope .chosen")).to_have_text("A;B 100%")


async def test_the_picker_finds_closes_by_escape_and_by_a_click_elsewhere(open_page: Open) -> None:
    page = await open_page()
    await page.locator("#scope-open").click()
    await page.get_by_role("searchbox").fill("kaf")
    await expect(page.locator("#picker .pill")).to_have_count(1)
    await page.get_by_role("searchbox").fill("nothing like it")
    await expect(page.locator("#picker")).to_contain_text("Nothing by that name.")
    await page.keyboard.press("Escape")
    await expect(page.locator("#picker")).to_be_hidden()
    await expect(page.locator("#scope-open")).to_be_focused()
    await page.locator("#scope-open").click()
    await page.locator("h1").click()
    await expect(page.locator("#picker")).to_be_hidden()


async def test_enter_in_the_picker_does_not_ask(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator("#question").fill("not yet")
    await page.locator("#scope-open").click()
    await page.get_by_role("searchbox").press("Enter")
    await expect(page.locator("#picker")).to_be_visible()
    assert fake.asked == []


async def test_a_guessed_scope_is_dashed_and_taking_it_off_asks_without_guessing(
    open_page: Open, fake: FakeApi
) -> None:
    page = await open_page()
    await ask(page, "guess the time")
    await answered(page)
    await expect(page.locator(".turn .guessed")).to_contain_text("2026 Q1 · from question")
    await page.get_by_role("button", name="Remove 2026 Q1").click()
    await page.locator(".turn").nth(1).wait_for()
    await answered(page)
    assert fake.asked[1]["times"] == "off"
    await expect(page.locator(".turn").nth(1).locator(".guessed")).to_have_count(0)


async def test_a_guessed_scope_is_still_a_guess_when_the_conversation_is_opened_again(
    open_page: Open, fake: FakeApi
) -> None:
    page = await open_page()
    await ask(page, "guess the time")
    await answered(page)
    await page.reload()
    await answered(page)
    await expect(page.locator(".turn .guessed")).to_contain_text("2026 Q1 · from question")
    await expect(page.locator("#scope .chosen")).to_have_count(0)
    await page.get_by_role("button", name="Remove 2026 Q1").click()
    await page.locator(".turn").nth(1).wait_for()
    await answered(page)
    assert (fake.asked[1]["scope"], fake.asked[1]["times"]) == ("", "off")


async def test_a_scope_of_one_note_is_told_by_its_title(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/?scope=note:82")
    await expect(page.locator("#scope .chosen")).to_have_text("队列选型")
    await ask(page, "cats how many?")
    await answered(page)
    await expect(page.locator(".turn .chosen")).to_have_text("队列选型")
    assert fake.asked[0]["scope"] == "note:82"


async def test_the_picker_shows_what_holds_now(open_page: Open) -> None:
    page = await open_page("/?scope=topic:Kafka")
    await page.locator("#scope-open").click()
    await expect(page.locator("#picker [aria-pressed=true]")).to_have_text("Kafka 9")
    await page.get_by_role("button", name="All notes 62").click()
    await page.locator("#scope-open").click()
    await expect(page.locator("#picker [aria-pressed=true]")).to_have_text("All notes 62")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("asked", [False, True])
async def test_on_a_phone_the_picker_is_a_sheet_above_the_tabs(open_page: Open, asked: bool, lang: str) -> None:
    page = await open_page(lang=lang, viewport=PHONE, has_touch=True, is_mobile=True)
    if asked:
        await ask(page, "Why Kafka?")
        await answered(page)
    await page.locator("#scope-open").tap()
    await page.locator("#picker .pill").first.wait_for()
    picker, nav = await page.locator("#picker").bounding_box(), await page.locator(".nav").bounding_box()
    assert picker is not None
    assert nav is not None
    assert picker["y"] >= 0
    assert picker["y"] + picker["height"] <= nav["y"] + 1
    # The keyboard would cover what there is to choose.
    assert await page.evaluate("document.activeElement.id") == "picker"
    await page.locator("#picker .pill").nth(1).tap()
    await expect(page.locator("#scope .chosen")).to_have_count(1)
