"""What every page must keep to: width, languages, landmarks, chips that break well, targets, nothing from elsewhere."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from . import fake_sources as listed
from .conftest import Open, answered, ask
from .fake_api import FakeApi

pytestmark = pytest.mark.browser

PATHS = [
    "/",
    "/?scope=weekly:20254-20261;topic:搬家;tag:work",
    "/notes",
    "/notes/502",
    "/notes/new",
    "/notes/502/history",
    "/notes/trash",
    "/find?q=kafka",
    "/d/81",
    "/sources",
    "/settings/language",
    "/settings/device",
    "/settings/backup",
    "/settings/status",
    "/welcome",
]


WIDTHS = (320, 390, 719, 720, 1023, 1024, 1280)


async def assert_no_sideways_scroll(page: Page) -> None:
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": 700})
        assert (
            await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        ), width


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", PATHS)
async def test_no_page_scrolls_sideways(open_page: Open, path: str, lang: str) -> None:
    page = await open_page(path, lang=lang)
    await page.wait_for_load_state("networkidle")
    if path.startswith("/?"):
        await page.locator("#scope-open").click()
        await page.locator("#picker .pill").first.wait_for()
    await assert_no_sideways_scroll(page)


@pytest.mark.parametrize("question", ["Why Kafka?", "cats how many?", "long story", "fails somehow"])
async def test_no_answer_scrolls_sideways(open_page: Open, question: str) -> None:
    page = await open_page()
    await ask(page, question)
    await answered(page)
    if question == "Why Kafka?":
        await page.locator(".why summary").click()
        await page.locator(".why table").wait_for()
    await assert_no_sideways_scroll(page)


async def test_no_chip_starts_a_line_at_any_width(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "long story")
    await answered(page)
    starts = await page.evaluate(
        """() => {
            const answer = document.querySelector(".answer");
            const starts = [];
            for (let width = 120; width <= 420; width += 1) {
                answer.style.width = `${width}px`;
                for (const chip of answer.querySelectorAll(".chip")) {
                    const range = document.createRange();
                    range.setStart(chip.previousSibling, 0);
                    range.setEnd(chip.previousSibling, chip.previousSibling.length);
                    const before = [...range.getClientRects()].filter(rect => rect.width > 0).at(-1);
                    const at = chip.getClientRects()[0];
                    if (chip.getClientRects().length !== 1 || !before || before.bottom < at.top + 2 || before.right > at.left + 2)
                        starts.push(width);
                }
            }
            return starts;
        }"""
    )
    assert starts == []


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/notes",
        "/notes/502",
        "/notes/502/history",
        "/notes/trash",
        "/find?q=kafka",
        "/d/81",
        "/sources",
        "/settings/device",
        "/settings/backup",
        "/settings/status",
        "/welcome",
    ],
)
async def test_landmarks_headings_and_names(open_page: Open, path: str) -> None:
    page = await open_page(path)
    await page.wait_for_load_state("networkidle")
    for role in ("main", "navigation", "banner"):
        assert await page.get_by_role(role).count() >= 1
    await expect(page.locator("h1")).to_have_count(1)
    unnamed = await page.evaluate(
        """() => [...document.querySelectorAll("button, a, input, select, textarea")]
            .filter(e => e.checkVisibility() && !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length))
            .map(e => e.outerHTML)"""
    )
    assert unnamed == []
    current = page.get_by_role("navigation", name="Main").locator("[aria-current=page]")
    await expect(current).to_have_count(0 if path in ("/d/81", "/welcome") else 1)
    await page.locator(".skip").focus()
    await expect(page.locator(".skip")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#main")).to_be_focused()


SMALL = """least => [...document.querySelectorAll("button, .nav a, .languages a, .recent a, .tab, .button, select, input, summary")]
    .filter(e => e.checkVisibility())
    .filter(e => !e.matches("input[type=checkbox], input[type=radio]") || !e.closest("label"))
    .filter(e => { const box = e.getBoundingClientRect(); return box.width < Math.min(least, 40) || box.height < least; })
    .map(e => e.outerHTML)"""


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 44)])
async def test_targets_are_large_enough(open_page: Open, fake: FakeApi, touch: bool, least: int) -> None:
    page = await open_page(has_touch=touch, is_mobile=touch, viewport={"width": 390, "height": 780})
    await ask(page, "cats how many?")
    await answered(page)
    assert await page.evaluate(SMALL, least) == []
    for path in (
        *("/notes", "/notes/502", "/notes/502/history", "/notes/trash"),
        *("/find?q=kafka", "/sources", "/settings/device", "/settings/backup", "/settings/status", "/welcome", "/d/81"),
    ):
        await page.goto(fake.url + path)
        await page.wait_for_load_state("networkidle")
        assert await page.evaluate(SMALL, least) == [], path


async def test_the_focus_is_never_under_the_box(open_page: Open) -> None:
    page = await open_page(viewport={"width": 1280, "height": 560})
    await ask(page, "cats how many?")
    await answered(page)
    await page.locator(".nearest a").first.focus()
    for _ in range(5):
        await page.keyboard.press("Tab")
        covered = await page.evaluate(
            "document.activeElement.getBoundingClientRect().bottom - document.querySelector('.asking').getBoundingClientRect().top"
        )
        assert covered <= 0


async def test_code_and_tables_scroll_in_boxes_of_their_own(open_page: Open) -> None:
    page = await open_page(viewport={"width": 320, "height": 700})
    await ask(page, "markdown please")
    await answered(page)
    await assert_no_sideways_scroll(page)
    await page.set_viewport_size({"width": 320, "height": 700})
    code = page.locator(".answer pre")
    assert await code.evaluate("box => box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === 'auto'")
    await code.focus()
    await expect(code).to_be_focused()
    assert await page.locator(".answer > *").evaluate_all("all => all.map(e => e.tagName)") == [
        "H5", "P", "OL", "BLOCKQUOTE", "DIV", "PRE",
    ]  # fmt: skip


async def test_printing_shows_quotes_with_their_sources(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "Why Kafka?")
    await answered(page)
    await page.emulate_media(media="print")
    await expect(page.locator(".answer li").first).to_be_visible()
    await expect(page.locator(".source-excerpt").first).to_be_visible()
    for hidden in (".asking", ".nav", ".turn-foot"):
        await expect(page.locator(hidden).first).to_be_hidden()


async def test_every_title_and_passage_speaks_its_own_language(open_page: Open) -> None:
    page = await open_page(lang="en")
    await ask(page, "Why Kafka?")
    await answered(page)
    assert await page.locator(".source-title").evaluate_all("all => all.map(e => e.lang)") == ["en", "zh", "en"]
    assert await page.locator(".source-excerpt").evaluate_all("all => all.map(e => e.lang)") == ["en", "zh", "en"]
    assert await page.locator(".answer li").evaluate_all("all => all.map(e => e.lang)") == ["en", "zh", "en"]
    await expect(page.locator(".turn h2")).to_have_attribute("lang", "en")


async def test_the_language_can_be_changed_and_stays(open_page: Open) -> None:
    page = await open_page("/?scope=topic:Kafka")
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    await page.get_by_role("link", name="中文").click()
    await expect(page.locator("html")).to_have_attribute("lang", "zh")
    await expect(page.locator("h1")).to_have_text("向你的笔记提问")
    await expect(page.locator("#scope .chosen")).to_have_text("Kafka")
    await page.get_by_role("link", name="来源").click()
    await expect(page.locator("h1")).to_have_text("来源")


async def test_only_our_own_host_is_ever_asked(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    for path in PATHS:
        await page.goto(fake.url + path)
        await page.wait_for_load_state("networkidle")
    await page.goto(fake.url)
    await ask(page, "Why Kafka?")
    await answered(page)
    assert hosts == {fake.url.split("/")[2]}


async def test_dark_follows_the_system_and_reduced_motion_is_kept(open_page: Open) -> None:
    page = await open_page(color_scheme="dark", reduced_motion="reduce")
    assert await page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 23, 21)"
    await ask(page, "Why Kafka?")
    await answered(page)
    await page.locator(".chip").first.click()
    assert await page.locator(".passage").evaluate("element => getComputedStyle(element).animationName") == "none"


async def test_forced_colours_keep_chips_and_marks(open_page: Open) -> None:
    page = await open_page(forced_colors="active")
    await ask(page, "Why Kafka?")
    await answered(page)
    assert await page.locator(".chip").first.evaluate("chip => getComputedStyle(chip).borderTopStyle") == "solid"


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_suggestions_on_a_phone_are_as_wide_as_the_box(open_page: Open, lang: str) -> None:
    page = await open_page(lang=lang, viewport={"width": 390, "height": 780})
    await page.locator(".suggestion").first.wait_for()
    widths = await page.locator(".suggestion, #composer").evaluate_all("all => all.map(e => e.offsetWidth)")
    assert len(set(widths)) == 1


async def test_a_control_has_the_face_of_its_own_language(open_page: Open, fake: FakeApi) -> None:
    fake.sources = [listed.sample()]
    page = await open_page(lang="zh")
    await page.locator(".suggestion").first.wait_for()
    faces = await page.locator(".suggestion").evaluate_all(
        "all => all.map(e => [e.lang, getComputedStyle(e).fontFamily])"
    )
    assert {lang: face.split(",")[0] for lang, face in faces} == {"en": "-apple-system", "zh": "Dot"}


async def test_a_dialog_dims_the_gutter_too(open_page: Open) -> None:
    page = await open_page()
    before = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    await page.locator(".recent-change").first.focus()
    await page.keyboard.press("Enter")
    await page.locator("dialog[open]").wait_for()
    assert await page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != before
    await page.keyboard.press("Escape")
    assert await page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == before


async def test_a_task_has_a_box_and_no_bullet(open_page: Open) -> None:
    page = await open_page("/d/83")
    await page.locator("#document-body p").first.wait_for()
    assert (
        await page.evaluate(
            """() => {
            const body = document.getElementById("document-body");
            const list = document.createElement("ul");
            const item = document.createElement("li");
            item.append(Object.assign(document.createElement("input"), { type: "checkbox", disabled: true, checked: true }), "pay");
            list.append(item);
            body.append(list);
            return getComputedStyle(item).listStyleType;
        }"""
        )
        == "none"
    )
