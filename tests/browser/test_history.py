"""What was: the versions of a note, and the trash."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from .conftest import Open
from .fake_api import FakeApi
from .notebook_steps import BREAD, KAFKA, opened

pytestmark = pytest.mark.browser


async def test_a_note_goes_into_the_trash_and_comes_back(open_page: Open, fake: FakeApi) -> None:
    page = await opened(open_page)
    await page.keyboard.type("Rye.")
    await page.locator("#note-menu summary").click()
    await page.get_by_role("button", name="Move to the trash").click()
    await page.wait_for_url("**/notes")
    await expect(page.locator("#notes-notice")).to_contain_text("“Sunday bread” is in the trash.")
    assert fake.notebook.notes[BREAD]["body"].endswith("Rye.")
    await expect(page.locator(".note-row")).to_have_count(7)
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".note-row")).to_have_count(8)
    await expect(page.locator("#notes-notice")).to_be_hidden()


async def thrown_away(fake: FakeApi, *numbers: int) -> None:
    for number in numbers:
        fake.notebook.notes[number]["trashed_at"] = "2026-01-20T10:00:00+00:00"


async def test_the_trash_gives_back(open_page: Open, fake: FakeApi) -> None:
    await thrown_away(fake, BREAD, KAFKA)
    page = await open_page("/notes/trash")
    await expect(page.locator("#trash-lead")).to_have_text(
        "2 notes. They stay here until you empty the trash. Their text has 0.5 kB."
    )
    await page.get_by_role("button", name="Restore: Sunday bread").click()
    await expect(page.locator(".trash-row")).to_have_count(1)
    await expect(page.get_by_role("button", name="Restore: 队列选型")).to_be_focused()
    assert fake.notebook.notes[BREAD]["trashed_at"] is None


async def test_deleting_for_good_says_what_goes_and_offers_the_conversations(open_page: Open, fake: FakeApi) -> None:
    await thrown_away(fake, KAFKA)
    page = await open_page("/notes/trash")
    await page.get_by_role("button", name="Delete for good: 队列选型").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading")).to_have_text(
        "Delete for good? Its history and its quotes in 2 answers go too. This cannot be undone."
    )
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Delete for good: 队列选型")).to_be_focused()
    await page.keyboard.press("Enter")
    await dialog.get_by_label("Why did I drop Kafka in Q1?").check()
    await dialog.get_by_role("button", name="Delete for good").click()
    await expect(page.locator("#trash-lead")).to_have_text("The trash is empty.")
    assert KAFKA not in fake.notebook.notes
    assert 7 not in [each["conversation_id"] for each in fake.conversations]
    assert 8 in [each["conversation_id"] for each in fake.conversations]


async def test_the_trash_is_emptied_after_a_question(open_page: Open, fake: FakeApi) -> None:
    await thrown_away(fake, BREAD, KAFKA)
    page = await open_page("/notes/trash", lang="zh")
    await page.get_by_role("button", name="清空回收站").click()
    await expect(page.get_by_role("dialog")).to_contain_text("彻底删除 2 篇笔记？")
    await page.get_by_role("dialog").get_by_role("button", name="彻底删除").click()
    await expect(page.locator("#trash-lead")).to_have_text("回收站是空的。")
    await expect(page.get_by_role("button", name="清空回收站")).to_be_hidden()
    assert not {BREAD, KAFKA} & set(fake.notebook.notes)


async def test_a_note_in_the_trash_can_be_read_and_taken_back(open_page: Open, fake: FakeApi) -> None:
    await thrown_away(fake, BREAD)
    page = await open_page(f"/notes/{BREAD}")
    await expect(page.locator("#note-body")).not_to_be_editable()
    await page.get_by_role("button", name="Restore").click()
    await expect(page.locator("#note-body")).to_be_editable()


async def test_the_history_shows_what_changed_by_words(open_page: Open) -> None:
    page = await open_page(f"/notes/{KAFKA}/history")
    await expect(page.locator("#revisions li")).to_have_count(3)
    await expect(page.locator("#revisions [aria-current]")).to_contain_text("now")
    row = page.locator(".diff-row[data-kind=changed]", has_text="最后没有用")
    await expect(row).to_have_count(1)
    assert await row.locator("del").all_text_contents() == ["三张", "十万"]
    assert await row.locator("ins").all_text_contents() == ["一张", "一百万"]
    await expect(row).to_contain_text("Postgres 的")
    assert await row.locator(".diff-sign").text_content() == "±"
    await expect(row.locator("p")).to_have_attribute("lang", "zh")
    added = page.locator(".diff-row[data-kind=ins]").first
    assert await added.locator(".diff-sign").text_content() == "+"
    await page.locator("#revisions a").nth(1).click()
    await expect(page.locator("#revision")).to_be_focused()
    await expect(page).to_have_url(re.compile(r"\?v=2$"))


async def test_what_did_not_change_is_folded_and_opens(open_page: Open, fake: FakeApi) -> None:
    lines = [f"line {n}" for n in range(60)]
    note = fake.notebook.add({"title": "Long", "body": "\n".join(lines)})
    fake.notebook.revisions[note["id"]][0]["at"] = "2026-01-01T00:00:00+00:00"
    fake.notebook.save(note["id"], '"1"', {"body": "\n".join([*lines[:30], "a new line", *lines[30:]])})
    page = await open_page(f"/notes/{note['id']}/history")
    folds = page.locator(".diff-fold")
    await expect(folds).to_have_count(2)
    await expect(folds.first).to_have_text("28 unchanged lines")
    await folds.first.click()
    await expect(page.get_by_text("line 3", exact=True)).to_be_visible()
    await expect(folds).to_have_count(1)


async def test_a_version_is_kept_and_restored(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(f"/notes/{KAFKA}/history?v=1")
    await page.get_by_role("button", name="Keep this version").click()
    await expect(page.locator("#keep")).to_have_attribute("aria-pressed", "true")
    await expect(page.locator("#keep")).to_be_focused()
    assert fake.notebook.revision(KAFKA, 1)["kept"] is True
    await page.get_by_role("button", name="Restore this version").click()
    await page.wait_for_url(f"**/notes/{KAFKA}")
    await expect(page.locator("#note-body")).to_have_value(re.compile("先用 Kafka 的三台服务器顶着"))
    assert fake.notebook.notes[KAFKA]["version"] == 4


async def test_a_restore_over_a_newer_version_looks_first(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(f"/notes/{KAFKA}/history?v=1", quiet=False)
    await page.get_by_role("button", name="Restore this version").wait_for()
    note = fake.notebook.notes[KAFKA]
    fake.notebook.save(KAFKA, f'"{note["version"]}"', {"body": note["body"] + "更多。"})
    await page.get_by_role("button", name="Restore this version").click()
    await expect(page.locator("#history-notice")).to_contain_text("The note has changed meanwhile.")
    assert fake.notebook.notes[KAFKA]["body"].endswith("更多。")


async def test_a_version_is_compared_with_now(open_page: Open) -> None:
    page = await open_page(f"/notes/{KAFKA}/history?v=1")
    await expect(page.locator("#revision-diff")).to_contain_text("The first version.")
    await page.goto(page.url.replace("v=1", "v=2"))
    await page.get_by_label("Compare with now").check()
    await expect(page.locator("#revision-diff ins").last).to_contain_text("没有")
