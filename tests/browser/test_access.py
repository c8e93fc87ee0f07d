"""What a checker of accessibility looks for, on every page: contrast, names, references, headings, the way of the focus."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from .conftest import PHONE, WIDE, Open
from .fake_api import FakeApi
from .notebook_steps import BREAD, COPY, KAFKA, MOVE, RETENTION, ready
from .scenes_notes import attaching, completing, conflict, deleting, facts, in_trash, menu, unreachable
from .test_looks import PATHS

pytestmark = pytest.mark.browser

FAINT = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = color => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
    const ground = element => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            const color = rgba(getComputedStyle(at).backgroundColor);
            if (color[3] > 0) layers.push(color);
            if (color[3] === 1) break;
        }
        return layers.reverse().reduce((under, color) => over(color, under), [255, 255, 255, 1]);
    };
    const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, n) => sum + v * [.2126, .7152, .0722][n], 0);
    const seen = element => {
        let opacity = 1;
        for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
        return opacity;
    };
    const faint = [];
    const check = (element, style, words, pseudo = false) => {
        if (!words.trim() || element.closest(":disabled, [inert], .visually-hidden, .skip")) return;
        if (!element.checkVisibility({ visibilityProperty: true })) return;
        const under = ground(element);
        const color = rgba(style.color);
        color[3] *= seen(element) * (pseudo ? Number(style.opacity) : 1);
        const [one, other] = [light(over(color, under)), light(under)].sort((a, b) => b - a);
        const ratio = (one + .05) / (other + .05);
        const size = parseFloat(style.fontSize);
        const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 600) ? 3 : 4.5;
        if (ratio < least) faint.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className} ${words.trim().slice(0, 40)}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement: element, data } = walker.currentNode;
        check(element, getComputedStyle(element), data);
    }
    for (const field of document.querySelectorAll("input, textarea, select")) {
        check(field, getComputedStyle(field), field.value);
        if (field.placeholder && !field.value) check(field, getComputedStyle(field, "::placeholder"), field.placeholder, true);
    }
    return faint;
}"""

WRONG = """() => {
    const wrong = [];
    const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
    wrong.push(...ids.filter((id, n) => ids.indexOf(id) !== n).map(id => `twice: #${id}`));
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant", "for", "list"])
        for (const element of document.querySelectorAll(`[${name}]`))
            for (const id of element.getAttribute(name).split(/\\s+/))
                if (id && !document.getElementById(id)) wrong.push(`${name} of ${element.tagName} names no #${id}`);
    const named = e => e.ariaLabel || e.getAttribute("aria-labelledby") || e.textContent.trim() || e.labels?.length || e.title;
    const wants = "button, a[href], input:not([type=hidden], [hidden]), select, textarea, summary, dialog, section, nav";
    for (const element of document.querySelectorAll(`${wants}, [role=listbox], [role=group]`))
        if (element.checkVisibility() && !named(element)) wrong.push(`no name: ${element.outerHTML.slice(0, 120)}`);
    for (const image of document.querySelectorAll("img:not([alt])")) wrong.push(`no alt: ${image.src}`);
    const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
        .filter(e => e.checkVisibility() && !e.closest(".prose")).map(e => Number(e.tagName[1]));
    levels.forEach((level, n) => n > 0 && level > levels[n - 1] + 1 && wrong.push(`h${levels[n - 1]} then h${level}`));
    for (const list of document.querySelectorAll("ul, ol"))
        for (const child of list.children)
            if (!child.matches("li, script, template")) wrong.push(`${child.tagName} in ${list.tagName}`);
    for (const option of document.querySelectorAll("[role=option]"))
        if (!option.closest("[role=listbox]") || !option.hasAttribute("aria-selected")) wrong.push("an option without its list");
    for (const element of document.querySelectorAll("[tabindex]"))
        if (element.tabIndex > 0) wrong.push(`tabindex ${element.tabIndex}`);
    for (const element of document.querySelectorAll("a a, a button, button a, button button, label label"))
        wrong.push(`inside another: ${element.outerHTML.slice(0, 80)}`);
    if (!["en", "zh"].includes(document.documentElement.lang)) wrong.push("no language");
    return wrong;
}"""

OVER = """() => [...document.querySelectorAll("main *")].filter(e => e.checkVisibility() && !e.closest("pre, .table-box, .editor-tools"))
    .filter(e => { const box = e.getBoundingClientRect(); return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1); })
    .filter(e => !e.closest(".visually-hidden")).map(e => e.outerHTML.slice(0, 120))"""

FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return {
        at: [...document.querySelectorAll("*")].indexOf(element),
        name: element.outerHTML.slice(0, 100),
        ring: style.outlineStyle !== "none" || style.boxShadow !== "none" || element.matches("textarea, #main"),
        inside: box.width > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PATHS)
async def test_every_page_is_read_by_everybody(open_page: Open, fake: FakeApi, path: str, scheme: str) -> None:
    page = await open_page(path, color_scheme=scheme, lang="zh" if scheme == "dark" else "en")
    await page.wait_for_load_state("networkidle")
    assert await page.evaluate(FAINT) == []
    assert await page.evaluate(WRONG) == []


async def test_what_is_too_faint_or_wrong_is_noticed(open_page: Open) -> None:
    page = await open_page("/notes/trash")
    await page.wait_for_load_state("networkidle")
    await page.evaluate(
        """() => {
            document.querySelector("h1").style.color = "#8a8a8a";
            document.querySelector("#trash-lead").style.opacity = ".5";
            const list = document.getElementById("trash-list");
            list.append(document.createElement("p"), Object.assign(document.createElement("button"), { id: "main" }));
        }"""
    )
    assert len(await page.evaluate(FAINT)) == 1
    assert len(await page.evaluate(WRONG)) == 4


STATES: dict[str, Any] = {
    "completing": (f"/notes/{BREAD}", completing),
    "facts": (f"/notes/{KAFKA}", facts),
    "menu": (f"/notes/{BREAD}", menu),
    "not indexed": (f"/notes/{MOVE}", None),
    "copies": (f"/notes/{COPY}", None),
    "conflict": (f"/notes/{KAFKA}", conflict),
    "unreachable": (f"/notes/{BREAD}", unreachable),
    "attaching": (f"/notes/{BREAD}", attaching),
    "deleting": ("/notes/trash", deleting),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
async def test_every_state_of_a_note_is_read_by_everybody(
    open_page: Open, fake: FakeApi, state: str, scheme: str
) -> None:
    path, steps = STATES[state]
    if state == "deleting":
        in_trash(fake)
    page = await open_page(path, color_scheme=scheme, quiet=False, viewport=PHONE if scheme == "dark" else WIDE)
    await page.wait_for_load_state("networkidle")
    if steps:
        await steps(page, "en")
    assert await page.evaluate(FAINT) == []
    assert await page.evaluate(WRONG) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("state", STATES)
async def test_no_state_of_a_note_scrolls_sideways(open_page: Open, fake: FakeApi, state: str, lang: str) -> None:
    path, steps = STATES[state]
    if state == "deleting":
        in_trash(fake)
    page = await open_page(path, lang=lang, quiet=False)
    if steps:
        await steps(page, lang)
    for width in (320, 390, 1280):
        await page.set_viewport_size({"width": width, "height": 700})
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await page.evaluate(wide) <= 0, width
        # The page of notes cuts off what does not fit: nothing may reach over its edge.
        over = await page.evaluate(OVER)
        assert over == [], width


async def walk(page: Page, most: int = 120) -> list[dict[str, Any]]:
    """Everything that Tab reaches, in its order, from the top of the page."""
    seen: list[dict[str, Any]] = []
    for _ in range(most):
        await page.keyboard.press("Tab")
        found = await page.evaluate(FOCUSED)
        if found is None or (seen and found["at"] == seen[0]["at"]):
            return seen
        seen.append(found)
    return seen


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("path", ["/notes", f"/notes/{RETENTION}", f"/notes/{KAFKA}/history", "/notes/trash"])
async def test_the_focus_goes_through_the_page_in_order_and_is_seen(
    open_page: Open, fake: FakeApi, path: str, viewport: dict[str, int]
) -> None:
    in_trash(fake) if path == "/notes/trash" else None
    page = await open_page(path, viewport=viewport)
    await page.wait_for_load_state("networkidle")
    seen = await walk(page)
    assert len(seen) > 8
    assert [each["at"] for each in seen] == sorted(each["at"] for each in seen)
    assert [each["name"] for each in seen if not each["ring"]] == []
    assert [each["name"] for each in seen if not each["inside"]] == []


async def test_a_note_is_written_and_left_by_keyboard_alone(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes")
    await page.locator(".note-row").first.wait_for()
    for _ in range(30):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.getAttribute('href') === '/notes/new'"):
            break
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/notes/new")
    await ready(page)
    await page.keyboard.type("Written by hand alone.")
    await page.keyboard.press("Control+s")
    await expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#preview")).to_be_focused()
    await page.keyboard.press("Control+Enter")
    await page.keyboard.press("Tab")
    await expect(page.locator("#note-body")).not_to_be_focused()


@pytest.mark.parametrize("path", ["/notes", f"/notes/{BREAD}"])
async def test_forced_colours_keep_the_current_note_and_what_is_pressed(open_page: Open, path: str) -> None:
    page = await open_page(path, forced_colors="active")
    await page.locator(".note-row").first.wait_for()
    if path != "/notes":
        current = page.locator(".note-row [aria-current]")
        assert await current.evaluate("element => getComputedStyle(element).outlineStyle") != "none"
        pressed = page.locator("#editor-modes [aria-pressed=true]")
        assert await pressed.evaluate("element => getComputedStyle(element).outlineStyle") != "none"
