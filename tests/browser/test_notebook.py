"""The pages of notes over the real application: what is written is saved, found, cited, changed elsewhere, thrown away, gone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
import uvicorn
from playwright.async_api import Browser, Page, expect

from cortex.bootstrap import Cortex, assemble
from cortex.providers.bundled import open_bundled
from cortex.settings import Settings
from cortex.storage import Database
from cortex.web.app import create_app

from .conftest import answered, ask
from .fake_pictures import PLAN
from .notebook_steps import ready, saved

pytest.importorskip("cortex.library.notes")
pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Real:
    """The application: where it is served, and its jobs."""

    url: str
    cortex: Cortex

    async def note(self, page: Page) -> dict[str, object]:
        """The note that the page shows, as the API tells it."""
        number = page.url.split("?")[0].rsplit("/", 1)[1]
        async with httpx.AsyncClient(base_url=self.url) as client:
            found: dict[str, object] = (await client.get(f"/api/notes/{number}")).json()
        return found


@pytest.fixture
async def real(settings: Settings, database: Database) -> AsyncIterator[Real]:
    cortex = assemble(settings, database, open_bundled(1))
    web = uvicorn.Server(uvicorn.Config(create_app(cortex), port=0, log_level="critical", lifespan="off"))
    serving = asyncio.create_task(web.serve())
    while not web.started:
        await asyncio.sleep(0.02)
    yield Real(f"http://127.0.0.1:{web.servers[0].sockets[0].getsockname()[1]}", cortex)
    web.should_exit = True
    await serving
    await cortex.answerer.close()


@pytest.fixture
async def page(chromium: Browser, real: Real) -> AsyncIterator[Page]:
    """A page that fails the test for what it leaves on the console; a lost race and a note that is gone are told there too."""
    context = await chromium.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(error.message))
    yield page
    await context.close()
    assert [text for text in told if not re.search(r"status of (?:404|409)", text)] == []


async def written(page: Page, real: Real, text: str) -> int:
    """A new note; its number."""
    await page.goto(f"{real.url}/notes/new")
    await ready(page)
    await page.keyboard.insert_text(text)
    await saved(page)
    return int(page.url.rsplit("/", 1)[1])


async def test_what_is_written_is_found_linked_and_cited(page: Page, real: Real) -> None:
    queue = await written(page, real, "# 队列选型\n\n最后没有用 Kafka，运维成本太高；先用 Postgres 的一张表顶着。")
    await real.cortex.drain()
    await page.goto(f"{real.url}/notes/new?kind=weekly")
    await ready(page)
    assert re.fullmatch(r"\d{4}-W\d\d", await page.locator("#note-title").input_value())
    await page.keyboard.type("Decided in [[队列")
    await page.locator(".completions [role=option]", has_text="队列选型").click()
    await page.keyboard.type(" #wo")
    await page.keyboard.press("Escape")
    await saved(page)
    note = await real.note(page)
    assert note["kind"] == "weekly"
    assert "Decided in [[队列选型]]" in str(note["body"])
    await expect(page.locator("#preview a", has_text="队列选型")).to_have_attribute("href", f"/notes/{queue}")
    await real.cortex.drain()
    await page.get_by_label("Find in your notes").fill("Kaf")
    await expect(page.locator(".note-row")).to_have_count(1)
    await page.goto(f"{real.url}/d/{queue}")
    await expect(page.locator("#document-aside")).to_contain_text("Linked from 1 note")
    await expect(page.locator("#document-meta")).to_contain_text("written here")
    await page.goto(real.url)
    await ask(page, "为什么没有用 Kafka？")
    await answered(page)
    await expect(page.locator(".answer .chip").first).to_have_attribute("href", re.compile(f"^/d/{queue}"))
    await page.get_by_role("button", name="Save as note").click()
    await page.get_by_role("link", name="Open the note").click()
    await expect(page.locator("#editor-notices")).to_contain_text("Origin: from an answer.")
    assert (await real.note(page))["origin"] == "answer"


async def test_a_lost_race_is_decided_and_the_history_has_both(page: Page, real: Real) -> None:
    number = await written(page, real, "First line.\n\nSecond line, which both will change.\n\nThird line.")
    async with httpx.AsyncClient(base_url=real.url) as client:
        note = (await client.get(f"/api/notes/{number}")).json()
        body = note["body"].replace("which both will change", "changed elsewhere")
        told = {"title": "", "body": body}
        (
            await client.put(f"/api/notes/{number}", json=told, headers={"If-Match": f'"{note["version"]}"'})
        ).raise_for_status()
    text = page.locator("#note-body")
    await text.fill((await text.input_value()).replace("which both will change", "changed here"))
    await expect(page.locator(".conflict .there del")).to_contain_text("elsewhere")
    await expect(page.locator(".conflict .here ins")).to_contain_text("here")
    await page.get_by_role("button", name="Edit both together").click()
    await saved(page)
    body = str((await real.note(page))["body"])
    assert "changed elsewhere" in body
    assert "changed here" in body
    await page.get_by_role("link", name="History").click()
    await expect(page.locator("#revisions [aria-current]")).to_contain_text("now")
    await expect(page.locator("#revision-diff")).to_contain_text("changed here")


async def test_a_picture_is_attached_and_shown_everywhere(page: Page, real: Real) -> None:
    pytest.importorskip("cortex.library.attachments")
    number = await written(page, real, "The plan:\n\n")
    await page.locator("#attach-file").set_input_files({"name": "plan.png", "mimeType": "image/png", "buffer": PLAN})
    await expect(page.locator("#note-body")).to_have_value(
        re.compile(r"!\[plan\.png\]\(/api/attachments/[0-9a-f]{64}\?name=plan\.png\)")
    )
    for address, place in ((page.url, "#preview img"), (f"{real.url}/d/{number}", "#document-body img")):
        await page.goto(address)
        await page.locator(place).wait_for()
        assert await page.locator(place).evaluate("image => image.decode().then(() => image.naturalWidth > 0)")


async def test_what_is_deleted_for_good_is_gone(page: Page, real: Real) -> None:
    number = await written(page, real, "# The lift\n\nThe lift was repaired on the ninth of March for 4,300 euros.")
    await real.cortex.drain()
    await page.goto(real.url)
    await ask(page, "What did the repair of the lift cost?")
    await answered(page)
    await expect(page.locator(".answer")).to_contain_text("4,300")
    await page.goto(f"{real.url}/notes/{number}")
    await page.locator("#note-menu summary").click()
    await page.get_by_role("button", name="Move to the trash").click()
    await page.wait_for_url("**/notes")
    await expect(page.locator("#notes-notice")).to_contain_text("“The lift” is in the trash.")
    await page.get_by_role("link", name="Trash").click()
    await page.get_by_role("button", name="Delete for good: The lift").click()
    await expect(page.get_by_role("dialog")).to_contain_text("quotes in 1 answer go too")
    await page.get_by_role("dialog").get_by_role("button", name="Delete for good").click()
    await expect(page.locator("#trash-lead")).to_have_text("The trash is empty.")
    await page.goto(f"{real.url}/find?q=lift")
    await expect(page.locator("#find-state")).to_contain_text("No note matches")
    async with httpx.AsyncClient(base_url=real.url) as client:
        assert (await client.get(f"/api/notes/{number}")).status_code == 404
        assert "4,300" not in (await client.get("/api/conversations/1")).text
