"""What stands under the box before a question: what is searchable, what is stale, the sample."""

from __future__ import annotations

from playwright.async_api import expect

from . import fake_notes as notes
from . import fake_sources as listed
from .conftest import Open
from .fake_api import FakeApi


async def test_index_progress_says_what_is_searchable(open_page: Open, fake: FakeApi) -> None:
    fake.status = notes.status(filled=300, eta_s=540)
    page = await open_page()
    await expect(page.locator("#under")).to_contain_text(
        "62 notes are searchable. Answers get better for about 9 minutes."
    )
    await expect(page.locator("#under progress")).to_have_attribute("aria-label", "66 % read")
    fake.status = notes.status()
    await expect(page.locator("#under")).to_contain_text("62 notes are searchable.")
    await expect(page.locator("#under progress")).to_have_count(0)


async def test_no_notes_yet(open_page: Open, fake: FakeApi) -> None:
    fake.status = {**notes.status(filled=0, total=0), "documents": 0}
    fake.sources = []
    page = await open_page()
    await expect(page.locator("#under")).to_contain_text("No notes yet.")


async def test_a_stale_folder_is_synced_from_the_line_under_the_box(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    line = page.locator(".under-sources")
    await expect(line).to_contain_text("journals: synced 6 days ago, 14 files newer.")
    await expect(line).not_to_contain_text("papers")
    await line.get_by_role("button", name="Sync now").click()
    await expect(line).not_to_contain_text("journals")
    assert fake.synced == ["journals"]


async def test_the_sample_is_named_and_removed(open_page: Open, fake: FakeApi) -> None:
    fake.sources = [listed.sample(62)]
    page = await open_page()
    await page.locator(".under-sources").get_by_role("button", name="Remove the sample").click()
    await expect(page.locator(".under-sources")).to_be_empty()
    assert fake.sources == []


async def test_sources_are_listed_with_reasons_and_synced(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/sources")
    journals = page.locator("[data-name=journals]")
    await expect(journals).to_contain_text("40 notes · synced 6 days ago · 14 files newer")
    await journals.locator("summary").first.click()
    await expect(journals).to_contain_text("日记/photo.heic: this kind of file is not read")
    await expect(page.locator("[data-name=papers]")).to_contain_text("nothing was removed")
    await page.get_by_role("button", name="Sync all").click()
    await expect(page.locator("#sync-all")).to_be_enabled()
    await expect(journals).not_to_contain_text("newer")
    assert fake.synced == ["journals", "papers"]
