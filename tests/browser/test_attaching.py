"""Files in notes: pasted, dropped, chosen; with progress, and with errors that say what is wrong."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import FilePayload, Page, Route, expect

from .conftest import Open
from .fake_api import FakeApi
from .fake_pictures import PLAN
from .notebook_steps import BREAD, eventually, opened, ready, saved

pytestmark = pytest.mark.browser

GIVE = """([how, name, type, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name, { type }));
    const body = document.getElementById("note-body");
    const options = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
    body.dispatchEvent(how === "paste" ? new ClipboardEvent("paste", options) : new DragEvent("drop", options));
}"""

PICTURE = FilePayload(name="plan (1).png", mimeType="image/png", buffer=PLAN)


@pytest.mark.parametrize("how", ["paste", "drop"])
async def test_a_picture_that_is_given_stands_in_the_text_and_is_shown(
    open_page: Open, fake: FakeApi, how: str
) -> None:
    page = await opened(open_page)
    await page.evaluate(GIVE, [how, "plan (1).png", "image/png", list(PLAN)])
    await expect(page.locator("#note-body")).to_have_value(
        re.compile(r"!\[plan \(1\)\.png\]\(/api/attachments/[0-9a-f]{64}\?name=plan%20%281%29\.png\)\n$")
    )
    await expect(page.locator("#preview img")).to_have_attribute("alt", "plan (1).png")
    assert await page.locator("#preview img").evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    await saved(page)
    assert "(attaching:" not in "".join(save["body"] for save in fake.notebook.saves)
    assert next(iter(fake.notebook.files.values())) == ("image/png", PLAN)


async def test_a_file_of_another_kind_is_a_link(open_page: Open) -> None:
    page = await opened(open_page)
    await page.locator("#attach-file").set_input_files(
        {"name": "合同.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4"}
    )
    await expect(page.locator("#note-body")).to_have_value(
        re.compile(r"(?<!!)\[合同\.pdf\]\(/api/attachments/[0-9a-f]{64}\?name=%E5")
    )
    await expect(page.locator("#preview a", has_text="合同.pdf")).to_have_attribute(
        "href", re.compile("^/api/attachments/")
    )
    await expect(page.locator("#announcer")).to_have_text("合同.pdf is attached.")


async def test_words_that_bring_a_picture_of_themselves_are_words(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    prevented = await page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text/plain", "a\\tb");
            data.setData("text/html", "<table></table>");
            data.items.add(new File([new Uint8Array([1])], "image.png", { type: "image/png" }));
            const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data });
            document.getElementById("note-body").dispatchEvent(event);
            return event.defaultPrevented;
        }"""
    )
    assert prevented is False
    assert fake.notebook.files == {}


async def held_back(page: Page) -> tuple[asyncio.Event, list[str]]:
    """Uploads wait until the event is set."""
    go = asyncio.Event()
    seen: list[str] = []

    async def wait(route: Route) -> None:
        seen.append(route.request.url)
        await go.wait()
        await route.continue_()

    await page.route(
        "**/attachments?**", lambda route: wait(route) if route.request.method == "POST" else route.continue_()
    )
    return go, seen


async def test_one_writes_on_while_a_file_is_on_its_way(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    go, seen = await held_back(page)
    await page.locator("#attach-file").set_input_files(PICTURE)
    await expect(page.get_by_role("progressbar", name="plan (1).png: on its way")).to_be_visible()
    await page.keyboard.type("Below the picture.")
    await saved(page)
    assert fake.notebook.notes[BREAD]["body"].endswith("Below the picture.")
    assert "attaching" not in fake.notebook.notes[BREAD]["body"]
    await eventually(lambda: len(seen) == 1)
    go.set()
    await expect(page.locator("#note-body")).to_have_value(
        re.compile(r"\?name=plan%20%281%29\.png\)\nBelow the picture\.$")
    )
    await page.keyboard.type(" Still here.")
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"Below the picture\. Still here\.$"))
    await expect(page.locator(".attaching")).to_have_count(0)


async def test_a_file_that_is_called_off_leaves_nothing(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, quiet=False)
    before = await page.locator("#note-body").input_value()
    await held_back(page)
    await page.locator("#attach-file").set_input_files(PICTURE)
    await page.locator(".attaching").get_by_role("button", name="Cancel").click()
    await expect(page.locator(".attaching")).to_have_count(0)
    assert (await page.locator("#note-body").input_value()).strip() == before.strip()
    assert fake.notebook.files == {}


async def test_a_file_that_is_too_large_is_named(open_page: Open) -> None:
    page = await opened(open_page, quiet=False)
    await page.locator("#attach-file").set_input_files(
        {"name": "film.huge", "mimeType": "video/mp4", "buffer": b"0" * 2_000_000}
    )
    row = page.locator(".attaching")
    await expect(row.get_by_role("alert")).to_have_text("film.huge was not attached: it is too large (2 MB)")
    await expect(row.get_by_role("button", name="Try again")).to_have_count(0)
    await row.get_by_role("button", name="Remove").click()
    await expect(page.locator("#note-body")).not_to_have_value(re.compile("attaching"))


async def test_a_server_that_is_away_is_named_and_tried_again(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page, quiet=False)
    await page.route("**/attachments?**", lambda route: route.abort())
    await page.locator("#attach-file").set_input_files(PICTURE)
    row = page.locator(".attaching")
    await expect(row.get_by_role("alert")).to_have_text("plan (1).png was not attached: Cortex cannot be reached")
    await page.unroute("**/attachments?**")
    await row.get_by_role("button", name="Try again").click()
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"/api/attachments/[0-9a-f]{64}"))


async def test_a_picture_makes_a_new_note(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes/new")
    await ready(page)
    await page.evaluate(GIVE, ["paste", "image.png", "image/png", list(PLAN)])
    await expect(page.locator("#note-body")).to_have_value(
        re.compile(r"^!\[image\.png\]\(/api/attachments/[0-9a-f]{64}")
    )
    await page.wait_for_url(re.compile(r"/notes/\d+$"))
    await eventually(lambda: "/api/attachments/" in fake.notebook.notes[max(fake.notebook.notes)]["body"])


async def test_a_file_that_arrives_while_an_input_method_composes_waits(open_page: Open) -> None:
    page = await opened(open_page)
    go, _ = await held_back(page)
    await page.locator("#attach-file").set_input_files(PICTURE)
    await page.locator(".attaching").wait_for()
    session = await page.context.new_cdp_session(page)
    await session.send("Input.imeSetComposition", {"text": "ce", "selectionStart": 2, "selectionEnd": 2})
    go.set()
    await page.wait_for_timeout(500)
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"attaching:1\)\nce$"))
    await session.send("Input.insertText", {"text": "测"})
    await expect(page.locator("#note-body")).to_have_value(re.compile(r"/api/attachments/[0-9a-f]{64}\S+\n测$"))
