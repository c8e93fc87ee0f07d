"""Settings → Backup: the age of the last one, one by hand, and what went wrong."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from .conftest import Open
from .fake_api import FakeApi
from .fake_backups import backup, no_backup

pytestmark = pytest.mark.browser


async def test_a_backup_is_made_by_hand_with_the_focus_kept(open_page: Open, fake: FakeApi) -> None:
    fake.status["backup"] = backup(days=16)
    page = await open_page("/settings/backup")
    await expect(page.locator(".notice.danger")).to_have_text(
        "The last backup was made 2 weeks ago. That is too long ago."
    )
    await page.get_by_role("button", name="Back up now").click()
    await expect(page.get_by_role("button", name="Backing up…")).to_be_focused()
    await expect(page.locator(".notice.ok")).to_have_text("The last backup was made this minute.")
    await expect(page.locator("#announcer")).to_have_text("The last backup was made this minute.")
    await expect(page.get_by_role("button", name="Back up now")).to_be_focused()


async def test_why_there_is_no_backup(open_page: Open, fake: FakeApi) -> None:
    fake.status["backup"] = {**no_backup(overdue=True), "error": "the disk that holds /mnt/usb is full"}
    page = await open_page("/settings/backup", quiet=False)
    await expect(page.locator(".notice.danger")).to_contain_text("There is no backup.")
    await expect(page.locator(".notice.warn")).to_have_text(
        "The last attempt failed: the disk that holds /mnt/usb is full"
    )
    fake.no_backups = "this is only done from Cortex's own page, on the machine that it runs on"
    await page.get_by_role("button", name="Back up now").click()
    await expect(page.get_by_role("alert")).to_have_text(fake.no_backups)


async def test_a_young_library_without_a_backup_alarms_nobody(open_page: Open, fake: FakeApi) -> None:
    fake.status["backup"] = no_backup(overdue=False)
    page = await open_page("/settings/backup")
    await expect(page.locator(".notice")).to_have_text("There is no backup yet.")
    await expect(page.locator(":is(.notice.ok, .notice.danger)")).to_have_count(0)
