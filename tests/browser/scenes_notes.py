"""The scenes of the notes that are written here; all by the stand-in."""

from __future__ import annotations

from playwright.async_api import Page

from .fake_api import FakeApi
from .notebook_steps import BREAD, COPY, KAFKA, MOVE, RETENTION, WEEK

PASTE = {
    "en": "In week 03 we measured: one table takes four thousand jobs a second. See [[ret",
    "zh": "本周量过了：一张表每秒写四千条。见【【队",
}


async def ready(page: Page, _: str = "") -> None:
    await page.locator("#note-body").focus()
    await page.locator("#editor[data-writes]").wait_for(state="attached")
    await page.locator("#note-body").press("Control+End")


async def mode(page: Page, name: str) -> None:
    await page.locator("#editor").wait_for()
    button = page.locator(f"#editor-modes [data-mode={name}]")
    if await button.is_visible():
        await button.click()
    elif name == "read":
        await page.locator("#read-toggle").click()


async def write(page: Page, _: str) -> None:
    await mode(page, "write")
    await ready(page)


async def read(page: Page, _: str) -> None:
    await mode(page, "read")
    await page.locator("#preview h3, #preview p").first.wait_for()


async def searched(page: Page, lang: str) -> None:
    await page.locator("#notes-q").fill({"en": "worker", "zh": "方案"}[lang])
    await page.locator(".note-row mark").first.wait_for()


async def narrowed(page: Page, _: str) -> None:
    await page.locator("#rename-tag").click()
    await page.locator("dialog[open]").wait_for()


async def nothing(page: Page, lang: str) -> None:
    await page.locator("#notes-q").fill({"en": "zeppelin", "zh": "飞艇"}[lang])
    await page.locator(".notes-empty").wait_for()


async def facts(page: Page, _: str) -> None:
    await page.locator("#note-facts summary").click()


async def completing(page: Page, lang: str) -> None:
    await write(page, lang)
    await page.keyboard.press("Enter")
    await page.keyboard.insert_text(PASTE[lang])
    await page.locator(".completions li").first.wait_for()


async def saving(page: Page, lang: str) -> None:
    await ready(page)
    await page.keyboard.insert_text({"en": "Rye next time.", "zh": "下次加黑麦。"}[lang])
    await page.keyboard.press("Control+s")


async def saved(page: Page, lang: str) -> None:
    await saving(page, lang)
    await page.locator("#save-state[data-state=saved]").wait_for()


async def unreachable(page: Page, lang: str) -> None:
    await page.route("**/api/**", lambda route: route.abort())
    await saving(page, lang)
    await page.locator("#save-state[data-state=waiting]").wait_for()


async def conflict(page: Page, _: str) -> None:
    """What another place saved comes in between, by the page's own hands."""
    await ready(page)
    await page.evaluate(
        """async id => {
            const note = await (await fetch(`/api/notes/${id}`)).json();
            const body = note.body.replace("一张表顶着", "两张表顶着").replace("三台服务器，还要有人照看", "三台服务器，没有人照看");
            const headers = { "Content-Type": "application/json", "If-Match": `"${note.version}"` };
            await fetch(`/api/notes/${id}`, { method: "PUT", headers, body: JSON.stringify({ title: note.title, body }) });
        }""",
        KAFKA,
    )
    body = page.locator("#note-body")
    await body.fill((await body.input_value()).replace("一张表顶着", "三张表顶着").replace("三种方案", "四种方案"))
    await page.locator(".conflict").wait_for()


async def menu(page: Page, _: str) -> None:
    await page.locator("#note-menu summary").click()


async def second_tab(page: Page, _: str) -> None:
    await page.evaluate(
        "id => fetch(`/api/notes/${id}`).then(r => r.json()).then(note => sessionStorage.setItem('k', note.key))", BREAD
    )
    key = await page.evaluate("sessionStorage.getItem('k')")
    other = await page.context.new_page()
    await other.goto(page.url.rsplit("/", 2)[0] + "/find")
    await other.evaluate(
        "key => void navigator.locks.request(`cortex.note.${key}`, { steal: true }, () => new Promise(() => {}))", key
    )
    await page.locator("#editor[data-read-only]").wait_for(state="attached")
    await page.bring_to_front()


async def attaching(page: Page, _: str) -> None:
    await ready(page)
    await page.route("**/attachments?name=plan**", lambda route: None)
    for name, size in (("plan.png", 400_000), ("film.huge", 90_000)):
        await page.locator("#attach-file").set_input_files(
            {"name": name, "mimeType": "image/png", "buffer": b"0" * size}
        )
    await page.locator(".attaching .field-error").wait_for()


async def history(page: Page, _: str) -> None:
    await page.locator(".diff-row").first.wait_for()


async def deleting(page: Page, _: str) -> None:
    await page.locator(f"[data-id='{KAFKA}'] .danger").click()
    await page.locator("dialog[open] .check").first.wait_for()


def no_notes(fake: FakeApi) -> None:
    fake.notebook.notes.clear()


def slow(fake: FakeApi) -> None:
    fake.notebook.wait_s = 30.0


def in_trash(fake: FakeApi) -> None:
    for number in (BREAD, KAFKA, MOVE):
        fake.notebook.notes[number]["trashed_at"] = "2026-11-20T10:00:00+00:00"


SCENES = [
    ("notes-list", "/notes", None, None),
    ("notes-empty", "/notes", None, no_notes),
    ("notes-searched", "/notes", searched, None),
    ("notes-nothing", "/notes", nothing, None),
    ("notes-narrowed", "/notes?tag=work", None, None),
    ("notes-renaming", "/notes?tag=work", narrowed, None),
    ("notes-new", "/notes/new", ready, None),
    ("notes-split", f"/notes/{WEEK}", None, None),
    ("notes-write", f"/notes/{RETENTION}", write, None),
    ("notes-read", f"/notes/{KAFKA}", read, None),
    ("notes-picture", f"/notes/{MOVE}", read, None),
    ("notes-facts", f"/notes/{KAFKA}", facts, None),
    ("notes-completing", f"/notes/{WEEK}", completing, None),
    ("notes-saving", f"/notes/{BREAD}", saving, slow),
    ("notes-saved", f"/notes/{BREAD}", saved, None),
    ("notes-unreachable", f"/notes/{BREAD}", unreachable, None),
    ("notes-conflict", f"/notes/{KAFKA}", conflict, None),
    ("notes-copies", f"/notes/{COPY}", None, None),
    ("notes-menu", f"/notes/{BREAD}", menu, None),
    ("notes-second-tab", f"/notes/{BREAD}", second_tab, None),
    ("notes-attaching", f"/notes/{BREAD}", attaching, None),
    ("notes-answer", "/notes/507", None, None),
    ("notes-gone", "/notes/999", None, None),
    ("notes-history", f"/notes/{KAFKA}/history", history, None),
    ("notes-trash", "/notes/trash", None, in_trash),
    ("notes-trash-empty", "/notes/trash", None, None),
    ("notes-deleting", "/notes/trash", deleting, in_trash),
]
"""(name, path, steps, preparation)."""
