"""Sources, Welcome and Settings: folders that are added, runs that are followed, and the state that is told."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from . import fake_notes as notes
from . import fake_sources as listed
from .conftest import Open
from .fake_api import FakeApi

pytestmark = pytest.mark.browser

DONE = (
    'event: done\ndata: {"found": 12, "added": 12, "changed": 0, "unchanged": 0, "deleted": 0, "skipped": [], "failed": [], '
    '"complete": true, "missing": 0, "problem": null, "without_date": 0}\n\n'
)
"""The end of a run that left nothing out."""


async def test_a_folder_is_checked_then_listed_and_read(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/sources")
    await page.get_by_role("button", name="Add a folder").click()
    await expect(page.get_by_label("Folder", exact=True)).to_be_focused()
    await page.get_by_label("Folder", exact=True).fill("~/diary")
    await page.keyboard.press("Enter")
    found = page.locator(".folder-found")
    await expect(found).to_contain_text("812 notes to read · 95% dated · Obsidian vault")
    assert fake.added == []
    await found.locator("summary").click()
    await expect(found).to_contain_text("hidden folder: 2")
    await expect(found.get_by_label("Leave out Extras/Templates/**")).to_be_checked()
    await found.get_by_role("button", name="Read").click()
    await expect(page.locator("[data-name=diary]")).to_contain_text("812 notes")
    assert fake.added == [{"path": "/home/me/diary", "name": "diary", "exclude": ["Extras/Templates/**"]}]
    assert fake.synced == ["diary"]


async def test_a_mistake_names_its_field(open_page: Open) -> None:
    page = await open_page("/sources", quiet=False)
    await page.get_by_role("button", name="Add a folder").click()
    path = page.get_by_label("Folder", exact=True)
    await path.fill("/nowhere")
    await path.press("Enter")
    await expect(path).to_have_attribute("aria-invalid", "true")
    await expect(path).to_be_focused()
    described = (await path.get_attribute("aria-describedby") or "").split()
    texts = [await page.locator(f"#{name}").inner_text() for name in described]
    assert any("is not there" in text for text in texts)
    await path.fill("~/diary")
    await path.press("Enter")
    name = page.get_by_label("Name, for scopes and reports")
    await name.fill("journals")
    await name.press("Enter")
    await expect(name).to_be_focused()
    await expect(name).to_have_attribute("aria-invalid", "true")


async def test_a_run_that_is_under_way_is_joined_after_a_reload_and_cancelled(open_page: Open, fake: FakeApi) -> None:
    fake.sources[0]["syncing"] = True
    fake.sync_step_s = 0.6
    page = await open_page("/sources")
    journals = page.locator("[data-name=journals]")
    await expect(journals).to_contain_text("reading 10 of 52")
    await expect(journals).to_have_attribute("aria-busy", "true")
    assert fake.synced == []
    await page.reload()
    await expect(journals).to_contain_text("reading 10 of 52")
    await journals.get_by_role("button", name="Cancel").click()
    await expect(journals.get_by_role("button", name="Sync")).to_be_visible()


async def test_what_was_opened_stays_open_when_another_source_is_synced(open_page: Open) -> None:
    page = await open_page("/sources")
    await page.locator("[data-name=journals] .skipped summary").click()
    await page.locator("[data-name=papers]").get_by_role("button", name="Sync").click()
    await expect(page.locator("[data-name=papers]")).to_contain_text("synced")
    await expect(page.locator("[data-name=papers]")).not_to_have_attribute("aria-busy", "true")
    await expect(page.locator("[data-name=journals] .skipped")).to_have_attribute("open", "")
    await expect(page.locator("[data-name=journals] .undated")).not_to_have_attribute("open", "")


async def test_checking_only_changes_nothing_and_says_what_would_be(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/sources")
    await page.get_by_role("button", name="Check only").click()
    await expect(page.locator("[data-name=papers]")).to_contain_text("If synced now: changed 2 · unchanged 38")
    assert fake.sync_bodies == [{"dry_run": True}, {"dry_run": True}]


async def test_a_disk_that_is_away_is_asked_about(open_page: Open, fake: FakeApi) -> None:
    fake.sources = listed.troubled_sources()
    page = await open_page("/sources")
    photos = page.locator("[data-name=photos]")
    await expect(photos.get_by_role("alert")).to_contain_text(
        "812 of 812 notes are missing from “photos”. Nothing was removed. Is the drive connected?"
    )
    await photos.get_by_role("button", name="Keep").click()
    await expect(photos.get_by_role("alert")).to_have_count(0)
    assert fake.synced == []
    await page.reload()
    await photos.get_by_role("button", name="Remove").click()
    await expect(photos.get_by_role("button", name="Sync")).to_be_visible()
    assert fake.sync_bodies == [{"allow_deletes": True}]


async def test_a_source_off_the_list_says_how_long_it_is_kept(open_page: Open, fake: FakeApi) -> None:
    fake.sources = listed.troubled_sources()
    page = await open_page("/sources")
    old = page.locator("[data-name=old]")
    await expect(old).to_contain_text("Unlisted: out of every answer, kept until")
    await old.get_by_role("button", name="Remove").click()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(old.get_by_role("button", name="Remove")).to_be_focused()
    await old.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Its files are not touched.")
    await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(old).to_have_count(0)
    await expect(page.locator("[data-name=sample]")).to_contain_text("not used, you have notes of your own")


async def test_reasons_are_told_in_the_readers_language(open_page: Open, fake: FakeApi) -> None:
    fake.sources[0]["report"]["skipped"] = [{"item": "a.gdoc", "reason": "pointer, use a gdrive source"}]
    page = await open_page("/sources", lang="zh")
    await page.locator("[data-name=journals] summary").first.click()
    await expect(page.locator("[data-name=journals]")).to_contain_text("a.gdoc：只是指向 Google 文件的快捷方式")


async def test_a_long_list_of_files_left_out_says_how_many_more_there_are(open_page: Open, fake: FakeApi) -> None:
    fake.sources[0]["report"] |= {
        "skipped": [{"item": "a.heic", "reason": "another kind of file"}],
        "skipped_total": 4_000,
    }
    page = await open_page("/sources")
    row = page.locator("[data-name=journals]")
    await row.locator("summary").first.click()
    await expect(row).to_contain_text("4,000 left out")
    await expect(row).to_contain_text("and 3,999 more")


async def test_welcome_offers_the_sample_a_folder_or_later(open_page: Open, fake: FakeApi) -> None:
    fake.sources = [listed.sample(62)]
    page = await open_page("/welcome")
    await expect(page.get_by_text("62 notes")).to_be_visible()
    await page.get_by_label("Later").check()
    await expect(page.get_by_role("link", name="To the Ask page")).to_be_visible()
    await page.get_by_label("A folder on this computer").check()
    await page.get_by_label("Folder", exact=True).fill("~/diary")
    await page.get_by_role("button", name="Check").click()
    await page.get_by_role("button", name="Read").click()
    await expect(page.locator(".choice-part .notice.ok")).to_contain_text("notes are searchable")
    await page.get_by_role("link", name="Ask your notes").click()
    await expect(page.locator("#question")).to_be_focused()


async def test_welcome_changes_the_language(open_page: Open) -> None:
    page = await open_page("/welcome")
    await page.locator("#main").get_by_role("link", name="中文").click()
    await expect(page.locator("h1")).to_have_text("欢迎使用 Cortex")
    await expect(page.locator("#main [aria-current]")).to_have_text("中文")


async def test_no_notes_lead_to_welcome(open_page: Open, fake: FakeApi) -> None:
    fake.status = {**notes.status(filled=0, total=0), "documents": 0}
    fake.sources = []
    page = await open_page()
    await page.get_by_role("link", name="Begin").click()
    await page.wait_for_url("**/welcome")
    await expect(page.locator("#welcome-sample")).to_be_hidden()


async def test_indexing_is_paused_and_goes_on_with_the_focus_kept(open_page: Open, fake: FakeApi) -> None:
    fake.status = notes.status(filled=300, eta_s=540)
    page = await open_page("/settings/status")
    await expect(page.locator("#settings-part")).to_contain_text("300 of 900 passages · about 9 minutes")
    await page.get_by_role("button", name="Pause").click()
    await expect(page.get_by_role("button", name="Go on")).to_be_focused()
    await expect(page.locator("#settings-part")).to_contain_text("Getting better is paused.")
    await page.get_by_role("button", name="Go on").click()
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert fake.paused == [True, False]


async def test_the_state_says_what_stands_still(open_page: Open, fake: FakeApi) -> None:
    fake.status = {**notes.status(), "worker": {"alive": False, "heartbeat_s": None}}
    page = await open_page("/settings/status")
    await expect(page.locator(".notice.warn")).to_contain_text("The worker is not running")


async def test_keys_can_be_switched_off_on_this_device(open_page: Open) -> None:
    page = await open_page("/settings/device")
    await page.get_by_label("Let / and Ctrl K jump to the box").uncheck()
    await page.goto(page.url.replace("/settings/device", "/"))
    await page.locator("h1").click()
    await page.keyboard.press("/")
    await expect(page.locator("#question")).not_to_be_focused()
    await page.goto(page.url + "settings/device")
    await page.get_by_role("button", name="Forget it").click()
    await expect(page.get_by_label("Let / and Ctrl K jump to the box")).to_be_checked()


async def test_a_list_that_cannot_be_read_is_asked_for_again(open_page: Open) -> None:
    page = await open_page("/welcome", quiet=False)
    await page.route("**/api/sources", lambda route: route.abort())
    await page.get_by_role("link", name="Sources").click()
    await expect(page.locator("#desk-notice")).to_contain_text("Cortex is not running here.")
    await page.unroute("**/api/sources")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator("[data-name=journals]")).to_be_visible()
    await expect(page.locator("#desk-notice")).to_be_hidden()


async def test_an_unknown_address_leads_back(open_page: Open) -> None:
    page = await open_page("/nowhere", quiet=False)
    await expect(page.locator("h1")).to_have_text("There is no such page")
    await page.locator("#main").get_by_role("link", name="Ask your notes").click()
    await expect(page.locator("#question")).to_be_visible()


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "The folder /nowhere is not there. Is its disk connected?"),
        ("zh", "文件夹 /nowhere 不存在。磁盘连接了吗？"),
    ],
)
async def test_a_problem_with_a_slot_is_told_in_the_readers_language(open_page: Open, lang: str, told: str) -> None:
    page = await open_page("/sources", lang=lang, quiet=False)
    await page.locator("#add-open").click()
    await page.locator(".folder-row input").fill("/nowhere")
    await page.keyboard.press("Enter")
    await expect(page.locator(".field-error")).to_have_text(told)


async def test_a_report_leaves_out_what_did_not_happen(open_page: Open) -> None:
    page = await open_page("/sources")
    report = page.locator("[data-name=journals] .desk-report p").first
    await expect(report).to_have_text("changed 2 · unchanged 38")


async def test_the_form_closes_when_its_folder_is_read_and_the_focus_goes_to_the_folder(open_page: Open) -> None:
    page = await open_page("/sources")
    await page.get_by_role("button", name="Add a folder").click()
    await page.keyboard.type("~/diary")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Read")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("[data-name=diary]")).to_be_visible()
    await expect(page.locator("#add")).to_be_hidden()
    await expect(page.get_by_role("button", name="Sync: diary")).to_be_focused()
    await page.get_by_role("button", name="Add a folder").click()
    await expect(page.get_by_label("Folder", exact=True)).to_have_value("")
    await expect(page.get_by_label("Folder", exact=True)).to_be_focused()


async def test_a_removal_that_is_called_off_gives_the_focus_back(open_page: Open, fake: FakeApi) -> None:
    fake.sources[0]["removable"] = True
    page = await open_page("/sources")
    await page.get_by_role("button", name="Remove: journals").focus()
    await page.keyboard.press("Enter")
    await page.locator("dialog[open]").wait_for()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Remove: journals")).to_be_focused()


async def test_a_folder_that_was_read_whole_leads_to_the_first_question(open_page: Open) -> None:
    page = await open_page("/welcome")
    await page.get_by_label("Folder", exact=True).fill("~/diary")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Read")).to_be_focused()
    await page.route(
        "**/sync",
        lambda route: (
            route.fulfill(content_type="text/event-stream", body=DONE)
            if route.request.method == "GET"
            else route.continue_()
        ),
    )
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("link", name="Ask your notes")).to_be_focused()
    assert (await page.locator("#welcome-folder").inner_text()).split() == [
        "12",
        "notes",
        "are",
        "searchable.",
        "Ask",
        "your",
        "notes",
    ]


async def test_what_is_searchable_is_told_anew_after_a_sync(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/sources")
    await expect(page.locator("#under")).to_have_text("62 notes are searchable.")
    fake.status["documents"] = 70
    await page.get_by_role("button", name="Sync: journals").click()
    await expect(page.locator("#under")).to_have_text("70 notes are searchable.")
