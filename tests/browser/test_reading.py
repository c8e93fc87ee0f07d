"""From a chip to the passage, by pointer, by finger and by keyboard alone; and the note that opens at it."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from . import fake_notes as notes
from .conftest import PHONE, Open, answered, ask
from .fake_api import FakeApi

pytestmark = pytest.mark.browser


async def lit(page: Page) -> str:
    """The marked text, without what a line break or markup between two marks made of it."""
    texts = await page.locator("#document-body mark").all_text_contents()
    return "".join("".join(texts).split())


@pytest.mark.parametrize("n", [1, 2, 3])
async def test_the_cited_text_is_what_lights_up_emoji_included(open_page: Open, n: int) -> None:
    document_id, quote = notes.QUOTES[n]
    start, end = notes.place(n)
    page = await open_page(f"/d/{document_id}?at={start}-{end}")
    await page.locator("#document-body mark").first.wait_for()
    assert await lit(page) == "".join(quote.split())
    await expect(page.locator("#document-body mark").first).to_be_in_viewport()
    await expect(page.locator("#document-body")).to_have_attribute("lang", notes.TEXTS[document_id][2])


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("measure** it.", "measureit."),
        ("keep Postgres 🐘 for", "keepPostgres🐘for"),
        ("小林 about 运维", "小林about运维"),
        ("Kafka 💸 | 3 servers", "Kafka💸3servers"),
        ('"jobs"  # 🐘 one', '"jobs"#🐘one'),
        ("❄️. Mostly", "❄️.Mostly"),
        ("see [[Retention]].\n\n## Next", "seeRetention.Next"),
        ("`jobs` table", "jobstable"),
    ],
)
async def test_any_passage_lights_up_across_markup(open_page: Open, quote: str, shown: str) -> None:
    start = notes.WEEK.index(quote)
    page = await open_page(f"/d/81?at={start}-{start + len(quote)}")
    await page.locator("#document-body mark").first.wait_for()
    assert await lit(page) == shown


async def test_a_passage_that_is_gone_is_said(open_page: Open) -> None:
    page = await open_page("/d/83?at=5000-5010")
    await expect(page.locator("#document-notice")).to_contain_text("this note has changed")


async def test_a_note_shows_its_facts_outline_and_links(open_page: Open) -> None:
    page = await open_page("/d/81")
    await expect(page.get_by_role("heading", level=1)).to_have_text("2026 Q1 week 03 🗓️")
    await expect(page.locator("#document-meta")).to_contain_text("journals · 12 Jan 2026")
    await page.get_by_role("link", name="Next", exact=True).click()
    await expect(page.locator("#document-body h2").last).to_be_in_viewport()
    await expect(page.locator("#document-body").get_by_role("link", name="Retention")).to_have_attribute(
        "href", "/d/83"
    )
    await expect(page.get_by_role("link", name="Ask this note")).to_have_attribute("href", "/?scope=note:81")
    await expect(page.get_by_role("button", name="Copy path")).to_be_visible()


async def test_only_safe_links_open_the_original(open_page: Open) -> None:
    page = await open_page("/d/82")
    await expect(page.get_by_role("link", name="Open in Obsidian")).to_have_attribute(
        "href", "obsidian://open?path=%2Fnotes%2F82.md"
    )
    page = await open_page("/d/83")
    await expect(page.locator("#document-actions")).not_to_contain_text("Open")


async def test_own_images_are_shown_and_others_are_named_not_fetched(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/d/84", quiet=False)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.reload()
    body = page.locator("#document-body")
    plan = body.get_by_role("img", name="a plan")
    await expect(plan).to_have_attribute("src", "/api/documents/84/files/img%2Fplan.png")
    await plan.scroll_into_view_if_needed()
    await expect(plan).to_have_js_property("complete", True)
    assert await plan.evaluate("image => image.naturalWidth") == 450
    await expect(body).to_contain_text("Image not found: the view")
    await expect(body).to_contain_text("Image on example.com, not loaded: a chart.")
    link = body.get_by_role("link", name="Open the original")
    await expect(link).to_have_attribute("href", "https://example.com/x.png")
    await expect(link).to_have_attribute("rel", "noopener noreferrer")
    assert [url for url in asked if not url.startswith(fake.url)] == []


async def test_a_note_that_is_not_there(open_page: Open) -> None:
    page = await open_page("/d/999", quiet=False)
    await expect(page.locator("#document-notice")).to_contain_text("not there any more")


async def test_a_click_opens_the_passage_beside_and_gives_the_focus_back(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "Why Kafka?")
    await answered(page)
    chip = page.locator(".chip").nth(1)
    await chip.click()
    await expect(page.locator(".passage mark")).to_have_text(notes.QUOTES[2][1])
    await expect(page.locator(".passage-title")).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".passage mark")).to_have_text(notes.QUOTES[3][1])
    await page.keyboard.press("Escape")
    await expect(page.locator(".passage")).to_be_hidden()
    await expect(chip).to_be_focused()


async def test_a_tap_opens_a_sheet_over_the_page(open_page: Open) -> None:
    page = await open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    await ask(page, "Why Kafka?")
    await answered(page)
    await page.locator(".chip").nth(1).tap()
    box = await page.locator(".passage").bounding_box()
    assert box is not None
    assert box["x"] == 0
    assert box["y"] + box["height"] == PHONE["height"]
    await expect(page.locator(".passage mark")).to_be_in_viewport()
    await page.get_by_role("button", name="Close the passage").tap()
    await expect(page.locator(".passage")).to_be_hidden()


async def test_the_card_of_a_chip_shows_its_quote_can_be_entered_and_dismissed(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "Why Kafka?")
    await answered(page)
    card = page.locator("#cite-card")
    await page.locator(".chip").nth(1).hover()
    await expect(card).to_be_visible()
    await expect(card.locator("blockquote")).to_have_text(notes.QUOTES[2][1])
    await expect(card.locator("blockquote")).to_have_attribute("lang", "zh")
    await card.hover()
    await expect(card).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(card).to_be_hidden()


async def test_by_keyboard_alone_from_the_question_to_the_note_and_back(open_page: Open) -> None:
    page = await open_page()
    await page.keyboard.type("Why did I drop Kafka?")
    await page.keyboard.press("Enter")
    await answered(page)
    await reach(page, ".chip[data-i='2']", back=True)
    await expect(page.locator("#cite-card")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.locator(".passage-title")).to_be_focused()
    await reach(page, ".passage a[href^='/d/82']")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/d/82?at=*")
    await expect(page.locator("#document-body mark")).to_have_text(notes.QUOTES[2][1])
    await expect(page.locator("#document-body mark")).to_be_focused()
    await reach(page, "#document-actions a[href^='obsidian:']", back=True)
    await reach(page, "#back", back=True)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/c/7")
    await expect(page.locator(".chip")).to_have_count(3)


async def reach(page: Page, selector: str, *, back: bool = False) -> None:
    """Press Tab (or Shift+Tab) until the element has the focus, and see that the focus is visible."""
    for _ in range(40):
        await page.keyboard.press("Shift+Tab" if back else "Tab")
        if await page.locator(f"{selector}:focus").count():
            assert await page.locator(selector).evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
            return
    raise AssertionError(f"{selector} cannot be reached by Tab")


async def test_a_whole_passage_has_the_bar_alone_and_a_quote_the_yellow(open_page: Open) -> None:
    page = await open_page(f"/d/82?at=8-{len(notes.CHOICE)}")
    await page.locator("#document-body mark").first.wait_for()
    clear = "rgba(0, 0, 0, 0)"
    colours = "all => all.map(mark => getComputedStyle(mark).backgroundColor)"
    assert set(await page.locator("#document-body mark").evaluate_all(colours)) == {clear}
    assert await page.locator("#document-body .has-passage").count() > 2
    page = await open_page("/d/82?at={}-{}".format(*notes.place(2)))
    await page.locator("#document-body mark").first.wait_for()
    assert clear not in await page.locator("#document-body mark").evaluate_all(colours)


async def test_a_link_inside_a_quote_is_lit_up_too(open_page: Open) -> None:
    start = notes.WEEK.index("Retention stays")
    page = await open_page(f"/d/81?at={start}-{start + len('Retention stays at thirty days, see [[Retention]].')}")
    link = page.locator("#document-body a mark")
    await expect(link).to_have_text("Retention")
    assert await link.evaluate("mark => getComputedStyle(mark).backgroundColor") != "rgba(0, 0, 0, 0)"
