"""Writing where this browser keeps the notes: kept here first, sent when it can be, and two edits of one note never lose a word."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import Any

import pytest
from playwright.async_api import Error, Page, expect

from .conftest import PHONE, Open
from .devices import copied, go_offline, go_online, run, sent_all, until, waiting
from .devices import ready as worker_ready
from .fake_api import FakeApi
from .fake_pictures import PLAN
from .notebook_steps import BREAD, KAFKA, MOVE, RETENTION, InputMethod, eventually, opened, ready, saved

pytestmark = pytest.mark.browser

BODY = "#note-body"
PICTURE: Any = {"name": "plan.png", "mimeType": "image/png", "buffer": PLAN}


async def whole(open_page: Open, fake: FakeApi, path: str = f"/notes/{BREAD}", **options: Any) -> Page:
    """A note that is open in a browser that has a copy of everything and needs no server for its pages."""
    page = await opened(open_page, path, quiet=False, **options)
    await copied(page, len(fake.notebook.notes))
    await worker_ready(page)
    return page


async def kept(page: Page, n: int = 1) -> None:
    await expect(page.locator("#save-state")).to_have_text(f"Saved on this device, {n} waiting")


def changed_elsewhere(fake: FakeApi, number: int, old: str, new: str) -> None:
    note = fake.notebook.notes[number]
    body = note["body"].replace(old, new)
    assert body != note["body"]
    fake.notebook.save(number, f'"{note["version"]}"', {"body": body})


async def test_a_save_is_kept_here_first_and_then_there(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    fake.notebook.wait_s = 0
    await page.keyboard.type("Rye.")
    await saved(page)
    await expect(page.locator("#save-state")).to_have_text(re.compile(r"^Saved \d\d:\d\d$"))
    assert await waiting(page) == []
    await expect(page.locator("#device-state")).to_be_hidden()
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye.")


async def test_offline_a_note_is_written_found_and_written_on_after_a_reload(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.keyboard.type("Rye.")
    await kept(page)
    await expect(page.locator("#device-state")).to_contain_text(
        "Offline. You can write and find notes kept on this device."
    )
    await page.reload()
    await expect(page.locator(BODY)).to_have_value(re.compile(r"Rye\.$"))
    await kept(page)
    await ready(page)
    await page.keyboard.type(" Oats.")
    await until(page, "outbox", "m.waiting().then(([{ fields }]) => fields.body.endsWith('Rye. Oats.'))")
    assert len(await waiting(page)) == 1
    await page.goto(f"{fake.url}/notes?q=oats")
    await expect(page.locator(".note-row")).to_have_count(1)
    await expect(page.locator(".note-row")).to_contain_text("on this device")
    await expect(page.locator("#notes-count")).to_have_text("1 note on this device")
    await go_online(page)
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye. Oats."))
    await sent_all(page)
    assert fake.notebook.notes[BREAD]["version"] == 2
    await expect(page.locator("#device-state")).to_be_hidden()


async def test_a_new_note_is_begun_offline_and_gets_its_address_later(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.goto(f"{fake.url}/notes/new")
    await ready(page)
    await page.keyboard.type("# Tunnel\n\nWritten in it.")
    await kept(page)
    await page.reload()
    await expect(page.locator(BODY)).to_have_value("# Tunnel\n\nWritten in it.")
    await page.goto(f"{fake.url}/notes")
    row = page.locator(".note-row").first
    await expect(row).to_contain_text("Tunnel")
    await row.locator("a").click()
    await ready(page)
    await page.keyboard.type(" And on.")
    await kept(page)
    await go_online(page)
    await saved(page)
    number = max(fake.notebook.notes)
    await page.wait_for_url(f"**/notes/{number}")
    assert fake.notebook.notes[number]["body"] == "# Tunnel\n\nWritten in it. And on."
    assert [note["title"] for note in fake.notebook.notes.values()].count("Tunnel") == 1


async def test_this_weeks_note_is_begun_offline_under_the_key_that_every_device_gives_it(
    open_page: Open, fake: FakeApi
) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.goto(f"{fake.url}/notes/new?kind=weekly&date=2024-12-30")
    await expect(page.locator("#note-title")).to_have_value("2025-W01")
    await ready(page)
    await page.keyboard.type("Done.")
    await kept(page)
    (change,) = await waiting(page)
    assert (change["key"], change["fields"]["kind"], change["fields"]["date"]) == (
        "week-2025-W01",
        "weekly",
        "2024-12-30",
    )
    await page.goto(f"{fake.url}/notes/new?kind=weekly&date=2025-01-02")
    await expect(page.locator(BODY)).to_have_value(re.compile("Done"))


async def test_edits_of_different_paragraphs_are_put_together_under_the_hand(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake, f"/notes/{KAFKA}")
    await go_offline(page)
    changed_elsewhere(fake, KAFKA, "三台服务器", "五台服务器")
    body = page.locator(BODY)
    await body.fill((await body.input_value()).replace("一张表", "两张表"))
    await body.evaluate("box => box.setSelectionRange(3, 3)")
    await kept(page)
    await go_online(page)
    await saved(page)
    for text in (fake.notebook.notes[KAFKA]["body"], await body.input_value()):
        assert "五台服务器" in text
        assert "两张表" in text
    assert await body.evaluate("box => box.selectionStart") == 3
    await expect(page.locator("#editor-notices")).to_contain_text("Changed elsewhere too. Both edits are in it.")


async def test_edits_of_one_paragraph_are_both_kept_shown_and_settled(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake, f"/notes/{KAFKA}")
    before = len(fake.notebook.notes)
    await go_offline(page)
    changed_elsewhere(fake, KAFKA, "一张表", "五张表")
    body = page.locator(BODY)
    await body.fill((await body.input_value()).replace("一张表", "两张表"))
    await kept(page)
    await go_online(page)
    await page.locator(".conflict").wait_for()
    await expect(page.locator(".conflict")).to_contain_text("Edited in two places. Both versions are kept.")
    assert len(fake.notebook.notes) == before + 1
    copy = fake.notebook.notes[max(fake.notebook.notes)]
    assert "两张表" in copy["body"]
    await page.get_by_role("button", name="Edit both together").click()
    await eventually(lambda: copy["trashed_at"] is not None)
    text = fake.notebook.notes[KAFKA]["body"]
    assert "两张表" in text
    assert "五张表" in text


async def test_a_conflict_is_seen_after_a_reload_and_in_the_list(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake, f"/notes/{KAFKA}")
    await go_offline(page)
    changed_elsewhere(fake, KAFKA, "一张表", "五张表")
    await page.locator(BODY).fill((await page.locator(BODY).input_value()).replace("一张表", "两张表"))
    await kept(page)
    await page.goto(f"{fake.url}/notes")
    await go_online(page)
    await expect(page.locator("#notes-news")).to_contain_text("Edited in two places. Both versions are kept.")
    await expect(page.locator(f".note-row[data-id='{KAFKA}']")).to_contain_text("2 versions")
    await page.locator("#notes-news a").click()
    await page.get_by_role("button", name="Compare").click()
    await page.locator(".conflict").wait_for()
    await page.goto(f"{fake.url}/notes")
    await page.locator(".note-row").first.wait_for()
    await expect(page.locator("#notes-news")).to_have_count(0)


async def test_what_is_typed_while_a_conflict_comes_is_kept_with_the_copy(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake, f"/notes/{KAFKA}")
    await go_offline(page)
    changed_elsewhere(fake, KAFKA, "一张表", "五张表")
    body = page.locator(BODY)
    await body.fill((await body.input_value()).replace("一张表", "两张表"))
    await kept(page)
    ime = await InputMethod.of(page)
    await body.press("Control+End")
    await ime.compose("haiyou")
    await go_online(page)
    await sent_all(page)
    # An input method is at work: nothing takes its place.
    await expect(page.locator(".conflict")).to_have_count(0)
    await ime.enter("还有这句")
    await page.locator(".conflict").wait_for()
    await expect(page.locator(".conflict")).to_contain_text("还有这句")
    await eventually(lambda: "还有这句" in fake.notebook.notes[max(fake.notebook.notes)]["body"])


async def test_a_later_version_from_elsewhere_comes_into_a_quiet_editor(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    fake.notebook.save(BREAD, '"1"', {"body": fake.notebook.notes[BREAD]["body"] + "\n\nFrom the phone."})
    await run(page, "feed", "m.readFeed()")
    await expect(page.locator(BODY)).to_have_value(re.compile(r"From the phone\.$"))
    await page.keyboard.type(" Here too.")
    await saved(page)
    assert fake.notebook.notes[BREAD]["version"] == 3


async def test_nothing_is_replaced_under_a_hand_that_writes(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    ime = await InputMethod.of(page)
    old = await page.locator(BODY).input_value()
    await ime.compose("heimai")
    fake.notebook.save(BREAD, '"1"', {"body": f"From the phone.\n\n{old}"})
    await run(page, "feed", "m.readFeed()")
    await page.wait_for_timeout(300)
    assert not (await page.locator(BODY).input_value()).startswith("From the phone.")
    await ime.enter("黑麦")
    # What was there elsewhere is a paragraph more: the stand-in does not merge that, and both are kept.
    await page.locator(".conflict").wait_for()
    assert fake.notebook.notes[BREAD]["body"] == f"From the phone.\n\n{old}"


async def test_a_composition_that_is_given_up_lets_the_later_version_in(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    ime = await InputMethod.of(page)
    await ime.compose("x")
    fake.notebook.save(BREAD, '"1"', {"body": "Another text."})
    await run(page, "feed", "m.readFeed()")
    await ime.compose("")
    await expect(page.locator(BODY)).to_have_value("Another text.")


async def test_deleted_elsewhere_and_edited_here_is_there_again_and_says_so(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.keyboard.type("Rye.")
    await kept(page)
    del fake.notebook.notes[BREAD], fake.notebook.revisions[BREAD]
    await go_online(page)
    await saved(page)
    number = max(fake.notebook.notes)
    assert fake.notebook.notes[number]["body"].endswith("Rye.")
    await page.wait_for_url(f"**/notes/{number}")
    await expect(page.locator("#editor-notices")).to_contain_text("Deleted elsewhere. Your edit brought it back.")


async def test_trashed_here_and_edited_elsewhere_is_kept_and_says_so(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.locator("#note-menu summary").click()
    await page.get_by_role("button", name="Move to the trash").click()
    await page.wait_for_url("**/notes")
    await expect(page.locator(f".note-row[data-id='{BREAD}']")).to_have_count(0)
    await page.locator(".note-row").first.wait_for()
    fake.notebook.save(BREAD, '"1"', {"body": "Written on the phone."})
    await go_online(page)
    await expect(page.locator("#notes-news")).to_contain_text("Changed elsewhere meanwhile, so it was not deleted.")
    await expect(page.locator(f".note-row[data-id='{BREAD}']")).to_contain_text("Written on the phone.")
    await page.get_by_role("button", name="Dismiss").click()
    await expect(page.locator("#notes-news")).to_have_count(0)


async def test_the_trash_works_offline(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.locator("#note-menu summary").click()
    await page.get_by_role("button", name="Move to the trash").click()
    await page.wait_for_url("**/notes")
    await page.goto(f"{fake.url}/notes/trash")
    row = page.locator(f".trash-row[data-id='{BREAD}']")
    await row.get_by_role("button", name="Restore").click()
    await expect(row).to_have_count(0)
    await page.goto(f"{fake.url}/notes")
    await expect(page.locator(f".note-row[data-id='{BREAD}']")).to_have_count(1)
    await go_online(page)
    await sent_all(page)
    assert [change["op"] for batch in fake.feed.sent for change in batch] == ["trash", "restore"]
    assert fake.notebook.notes[BREAD]["trashed_at"] is None


async def test_a_tab_that_dies_has_its_text_sent_by_the_next_page(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await page.keyboard.type("Rye.")
    # Typed, and gone before it was sent.
    await page.wait_for_function("() => Object.keys(localStorage).some(name => name.startsWith('cortex.unsaved.'))")
    context = page.context
    with contextlib.suppress(Error):
        await page.goto("chrome://crash")
    await page.close()
    assert fake.feed.sent == []
    page = await context.new_page()
    await page.goto(f"{fake.url}/find")
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye."))
    await sent_all(page)


async def test_the_last_keys_before_the_page_is_left_arrive_once(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await page.keyboard.type("Rye.")
    await page.goto(f"{fake.url}/find")
    await eventually(lambda: str(fake.notebook.notes[BREAD]["body"]).endswith("Rye."))
    await sent_all(page)
    await page.goto(f"{fake.url}/notes/{BREAD}")
    await expect(page.locator(BODY)).to_have_value(re.compile(r"Rye\.$"))
    assert fake.notebook.notes[BREAD].get("copies") == []


async def test_a_server_that_dies_in_mid_save_loses_nothing(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    fake.feed.lose_replies = 2
    await page.keyboard.type("Rye.")
    await page.keyboard.press("Control+s")
    await eventually(lambda: len(fake.feed.sent) >= 1)
    await page.keyboard.type(" Oats.")
    await sent_all(page)
    await saved(page)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye. Oats.")
    assert fake.notebook.notes[BREAD].get("copies") == []


async def test_a_picture_added_offline_is_shown_and_arrives(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.locator("#attach-file").set_input_files(PICTURE)
    await expect(page.locator(BODY)).to_have_value(
        re.compile(r"!\[plan\.png\]\(/api/attachments/[0-9a-f]{64}\?name=plan\.png\)")
    )
    # Shown from here: it is nowhere else yet.
    await expect(page.locator("#preview img")).to_have_attribute("src", re.compile("^data:image/png"))
    await kept(page, 2)
    await page.reload()
    await kept(page, 2)
    await go_online(page)
    await sent_all(page)
    (sha,) = [
        sha for sha, (media, raw) in fake.notebook.files.items() if raw == PICTURE["buffer"] and media == "image/png"
    ]
    assert sha in fake.notebook.notes[BREAD]["body"]


async def test_a_picture_makes_a_new_note_offline(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await go_offline(page)
    await page.goto(f"{fake.url}/notes/new")
    await ready(page)
    await page.locator("#attach-file").set_input_files(PICTURE)
    await expect(page.locator(BODY)).to_have_value(re.compile("/api/attachments/"))
    await kept(page, 2)
    await go_online(page)
    await sent_all(page)
    assert any(raw == PICTURE["buffer"] for _, raw in fake.notebook.files.values())
    number = max(fake.notebook.notes)
    assert "/api/attachments/" in fake.notebook.notes[number]["body"]


async def test_a_change_that_cortex_refuses_says_why_and_is_kept(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    fake.feed.refuse = "Sunday"
    await page.keyboard.type("Rye.")
    await expect(page.locator("#save-state")).to_have_text("Not saved")
    await expect(page.locator("#editor-notices")).to_contain_text("a title has at most 500 characters")
    assert len(await waiting(page)) == 1
    fake.feed.refuse = ""
    await page.keyboard.type(" Oats.")
    await saved(page)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye. Oats.")
    assert await waiting(page) == []


async def test_no_room_in_the_browser_is_named_and_saving_goes_on(open_page: Open, fake: FakeApi) -> None:
    page = await whole(open_page, fake)
    await page.evaluate(
        """() => {
            const full = () => { throw new DOMException("full", "QuotaExceededError"); };
            IDBObjectStore.prototype.put = full;
            IDBObjectStore.prototype.add = full;
        }"""
    )
    await page.keyboard.type("Rye.")
    await saved(page)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye.")
    await expect(page.locator("#device-state")).to_contain_text("This device has no room left.")


async def test_two_tabs_of_one_note_stay_of_one_mind_offline(open_page: Open, fake: FakeApi) -> None:
    first = await whole(open_page, fake)
    second = await first.context.new_page()
    await second.goto(f"{fake.url}/notes/{BREAD}")
    await expect(second.locator(BODY)).not_to_be_editable()
    await go_offline(first)
    await first.keyboard.type("Rye.")
    await kept(first)
    await expect(second.locator(BODY)).to_have_value(re.compile(r"Rye\.$"))
    await second.get_by_role("button", name="Edit here").click()
    await expect(second.locator(BODY)).to_be_editable()
    await second.locator(BODY).press("Control+End")
    await second.keyboard.type(" Oats.")
    await until(second, "outbox", "m.waiting().then(all => all.at(-1).fields.body.endsWith('Rye. Oats.'))")
    await go_online(first)
    await sent_all(second)
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye. Oats.")
    assert fake.notebook.notes[BREAD]["version"] == 2


async def test_safari_is_told_that_edits_may_be_cleared(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(f"/notes/{MOVE}", quiet=False, viewport=PHONE)
    await page.context.add_init_script(
        "Object.defineProperty(navigator, 'vendor', { get: () => 'Apple Computer, Inc.' })"
    )
    await copied(page, len(fake.notebook.notes))
    await worker_ready(page)
    await page.goto(f"{fake.url}/notes/{RETENTION}")
    await ready(page)
    await go_offline(page)
    sentence = "Edits wait here and Safari may clear them after 7 days."
    await expect(page.locator("#device-state")).not_to_contain_text(sentence)
    await page.keyboard.type("x")
    await kept(page)
    await expect(page.locator("#device-state")).to_contain_text(sentence)
    await page.evaluate("() => { Object.defineProperty(navigator, 'standalone', { get: () => true }); }")
    await run(page, "outbox", "m.count()")
    await expect(page.locator("#device-state")).not_to_contain_text(sentence)


async def test_no_list_stands_there_where_nothing_was_copied_yet(open_page: Open, fake: FakeApi) -> None:
    """ "No notes yet" would be a lie."""
    page = await open_page("/settings/language", quiet=False)
    await page.context.route("**/api/changes?**", lambda route: route.abort())
    await page.context.route("**/api/notes?**", lambda route: route.abort())
    await run(page, "database", "m.removeDatabase()")
    await page.goto(f"{fake.url}/notes")
    await expect(page.locator("#notes-notice")).to_contain_text("Cortex is not running here.")
    await expect(page.locator(".notes-empty")).to_have_count(0)
    await asyncio.sleep(0)
