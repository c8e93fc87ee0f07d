"""An answer as it stands there: sources, chips, what was quoted, copy, why, and its own warnings."""

from __future__ import annotations

from playwright.async_api import expect

from . import fake_notes as notes
from .conftest import Open, answered, ask


async def test_sources_stand_there_before_the_first_word(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "slow tell me")
    await page.locator(".source").nth(2).wait_for()
    assert len(await page.locator(".answer").inner_text()) < 200
    await expect(page.locator(".source").nth(1)).to_contain_text("队列选型")
    await expect(page.locator(".source-title").nth(1)).to_have_attribute("lang", "zh")
    await page.locator("#stop").click()


async def test_an_answer_has_chips_languages_and_one_label(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "Why did I drop Kafka?")
    await answered(page)
    chips = page.locator(".chip")
    await expect(chips).to_have_count(3)
    await expect(chips.nth(1)).to_have_attribute("aria-label", "Source 2, 队列选型, verified")
    await expect(page.locator(".answer li").nth(1)).to_have_attribute("lang", "zh")
    await expect(page.locator(".answer li").nth(0)).to_have_attribute("lang", "en")
    await expect(page.locator(".turn-state")).to_have_text("In your own words: sentences from your notes.")
    await expect(page.locator("#announcer")).to_have_text("Answer ready")
    await expect(page.locator(".answer")).not_to_have_attribute("aria-busy", "true")
    assert "/c/7" in page.url


async def test_a_citation_that_failed_is_a_dotted_sentence(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "unverified claims?")
    await answered(page)
    await expect(page.locator(".chip")).to_have_count(2)
    await expect(page.locator(".unsourced")).to_contain_text("Events are kept for thirty days.")
    await expect(page.locator(".unsourced-mark")).to_have_attribute("aria-label", "No source found for this sentence.")


async def test_copy_gives_markdown_with_its_sources(open_page: Open) -> None:
    page = await open_page(permissions=["clipboard-read", "clipboard-write"])
    await ask(page, "Why Kafka?")
    await answered(page)
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("## Why Kafka?\n\n- In week 03")
    assert f"[2]: {page.url.split('/c/')[0]}/d/82?at=" in copied


async def test_why_is_asked_only_when_it_is_opened(open_page: Open) -> None:
    page = await open_page()
    searches: list[str] = []
    page.on("request", lambda request: searches.append(request.url) if "/api/search" in request.url else None)
    await ask(page, "Why Kafka?")
    await answered(page)
    assert searches == []
    await page.locator(".why summary").click()
    await expect(page.locator(".why table")).to_contain_text("Meaning (deep)")
    await expect(page.locator(".why tbody tr")).to_have_count(3)


async def test_weak_coverage_is_said(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "weak evidence?")
    await answered(page)
    await expect(page.locator(".turn-foot .notice")).to_have_text("The match is weak. Please check the sources.")


async def test_what_was_quoted_is_lit_up_in_its_card_and_the_rest_is_plain(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "unverified claims?")
    await answered(page)
    await page.locator(".answer-actions").wait_for()
    assert await page.locator(".source-excerpt mark").all_inner_texts() == [notes.QUOTES[n][1] for n in (1, 2)]
    await expect(page.locator(".source.unused")).to_have_count(1)
    await expect(page.locator(".source").nth(2)).to_have_class("source unused")


async def test_a_mark_for_no_source_is_explained_where_no_pointer_hovers(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "unverified claims?")
    await answered(page)
    await expect(page.locator(".turn-foot .notice")).to_have_text("The sentence marked ? has no source in your notes.")
    await ask(page, "Why Kafka?")
    await page.locator(".turn").nth(1).locator(".answer-actions").wait_for()
    await expect(page.locator(".turn").nth(1).locator(".turn-foot .notice")).to_have_count(0)


async def test_a_quoted_row_and_a_link_between_notes_read_as_words(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "rows of what?")
    await answered(page)
    quotes = await page.locator(".answer li").all_inner_texts()
    assert [quote.replace("\u2060", "") for quote in quotes] == [
        "Kafka · 3 servers1",
        "The log is in Retention and that week.1",
    ]
