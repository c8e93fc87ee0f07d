"""The copy, the outbox and the feed in the browser, module by module: nothing is lost, nothing is sent twice, nothing is overwritten."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page

from .conftest import Open
from .devices import copied, go_offline, go_online, run, sent_all, until, waiting
from .fake_api import FakeApi

pytestmark = pytest.mark.browser

FIELDS: dict[str, Any] = {
    "title": "Plan",
    "body": "one\n\ntwo",
    "kind": "note",
    "date": None,
    "topic": None,
    "tags": [],
}


@pytest.fixture
async def page(open_page: Open, fake: FakeApi) -> Page:
    """A page whose copy is whole."""
    page = await open_page("/settings/language", quiet=False)
    await copied(page, len(fake.notebook.notes))
    return page


async def edit(page: Page, note: dict[str, Any], body: str, base: str, **fields: Any) -> None:
    """As the editor does: `base` is the text that it was written over."""
    over = {name: note.get(name, default) for name, default in FIELDS.items()}
    arg = {"note": note, "fields": {**over, **fields, "body": body}, "from": {**over, "body": base}}
    await run(page, "outbox", "m.keepEdit(arg.note, arg.fields, arg.from)", arg)


async def send(page: Page) -> None:
    await run(page, "send-changes", "m.send()")


async def local(page: Page, key: str) -> Any:
    return await run(page, "offline-store", "m.noteOf(arg)", key)


def new(key: str = "a" * 32) -> dict[str, Any]:
    return {"key": key, "version": 0}


async def test_hours_offline_are_one_change(page: Page, fake: FakeApi) -> None:
    await go_offline(page)
    for n in range(5):
        await edit(page, new(), f"draft {n}", "", title="Plan")
    assert [(change["op"], change["fields"]["body"]) for change in await waiting(page)] == [("save", "draft 4")]
    await go_online(page)
    await send(page)
    assert [note["body"] for note in fake.notebook.notes.values() if note["title"] == "Plan"] == ["draft 4"]
    assert await waiting(page) == []


async def test_a_lost_reply_is_asked_for_again_and_applied_once(page: Page, fake: FakeApi) -> None:
    fake.feed.lose_replies = 1
    await edit(page, new(), "first", "")
    await send(page)
    assert len(await waiting(page)) == 1
    # Written on, before anybody knows what became of the first.
    await edit(page, new(), "first and second", "first")
    assert [change["fields"]["body"] for change in await waiting(page)] == ["first", "first and second"]
    await run(page, "send-changes", "m.send()")
    await sent_all(page)
    ids = [change["change_id"] for batch in fake.feed.sent for change in batch]
    assert ids[0] == ids[1]
    assert len(ids) == 3
    note = fake.notebook.by_key("a" * 32)
    assert note is not None
    assert (note["body"], note["version"], note.get("copies")) == ("first and second", 2, [])


async def test_two_tabs_send_nothing_twice(page: Page, fake: FakeApi) -> None:
    other = await page.context.new_page()
    await other.goto(fake.url + "/settings/language")
    await go_offline(page)
    for n in range(30):
        await edit(page, new(f"{n:032x}"), f"text {n}", "")
    await go_online(page)
    await asyncio.gather(send(page), send(other), send(page), send(other))
    await sent_all(page)
    ids = [change["change_id"] for batch in fake.feed.sent for change in batch]
    assert len(ids) == len(set(ids)) == 30


async def test_what_waits_behind_a_creation_follows_it(page: Page, fake: FakeApi) -> None:
    await go_offline(page)
    key = "b" * 32
    await edit(page, new(key), "text", "")
    await run(page, "outbox", "m.keepWish('trash', arg)", {"key": key, "version": 0})
    await run(page, "outbox", "m.keepWish('restore', arg)", {"key": key, "version": 0})
    await run(page, "outbox", "m.keepWish('trash', arg)", {"key": key, "version": 0})
    assert (await local(page, key))["trashed_at"]
    await go_online(page)
    await send(page)
    note = fake.notebook.by_key(key)
    assert note is not None
    assert note["trashed_at"]
    assert (await local(page, key))["trashed_at"]
    assert "waiting" not in await local(page, key)
    # One change of a note at a time: what became of it decides what the next one means.
    assert [[change["op"] for change in batch] for batch in fake.feed.sent] == [
        ["save"],
        ["trash"],
        ["restore"],
        ["trash"],
    ]


async def test_an_edit_over_an_older_version_is_merged_and_never_laid_over(page: Page, fake: FakeApi) -> None:
    note = dict(fake.notebook.add({"title": "Plan", "body": "one\n\ntwo"}))
    await run(page, "feed", "m.readFeed()")
    fake.notebook.save(note["id"], f'"{note["version"]}"', {"body": "one, there\n\ntwo"})
    # The feed brings the newer version before the edit of the older one is kept.
    await run(page, "feed", "m.readFeed()")
    await go_offline(page)
    await edit(page, {**note, "version": 2}, "one\n\ntwo, here", "one\n\ntwo")
    await go_online(page)
    await send(page)
    assert fake.notebook.get(note["id"])["body"] == "one, there\n\ntwo, here"
    assert (await local(page, note["key"]))["body"] == "one, there\n\ntwo, here"


async def test_a_conflict_keeps_both_and_what_was_typed_meanwhile_goes_on_in_the_copy(
    page: Page, fake: FakeApi
) -> None:
    note = dict(fake.notebook.add({"title": "Plan", "body": "one"}))
    await run(page, "feed", "m.readFeed()")
    fake.notebook.save(note["id"], '"1"', {"body": "one, there"})
    fake.feed.lose_replies = 1
    await edit(page, note, "one, here", "one")
    await send(page)
    await edit(page, note, "one, here and on", "one, here")
    await send(page)
    await sent_all(page)
    there = fake.notebook.get(note["id"])
    copies = [each for each in fake.notebook.notes.values() if each.get("conflict_of") == note["key"]]
    assert there["body"] == "one, there"
    assert [copy["body"] for copy in copies] == ["one, here and on"]
    news = await run(page, "offline-store", "m.withNews()")
    assert [(each["key"], each["news"]["outcome"], each["news"]["copy"]["id"]) for each in news] == [
        (note["key"], "conflict", copies[0]["id"])
    ]


async def test_deleted_there_and_edited_here_is_there_again(page: Page, fake: FakeApi) -> None:
    note = dict(fake.notebook.add({"title": "Plan", "body": "one"}))
    await run(page, "feed", "m.readFeed()")
    await go_offline(page)
    await edit(page, note, "one and more", "one")
    del fake.notebook.notes[note["id"]], fake.notebook.revisions[note["id"]]
    await go_online(page)
    await run(page, "connection", "m.look()")
    await run(page, "feed", "m.readFeed()")
    await sent_all(page)
    back = fake.notebook.by_key(note["key"])
    assert back is not None
    assert back["body"] == "one and more"
    found = await local(page, note["key"])
    assert (found["id"], found["body"]) == (back["id"], "one and more")


async def test_trashed_here_and_edited_there_is_kept_and_told(page: Page, fake: FakeApi) -> None:
    note = dict(fake.notebook.add({"title": "Plan", "body": "one"}))
    await run(page, "feed", "m.readFeed()")
    await go_offline(page)
    await run(page, "outbox", "m.keepWish('trash', arg)", note)
    fake.notebook.save(note["id"], '"1"', {"body": "one, there"})
    await go_online(page)
    await send(page)
    found = await local(page, note["key"])
    assert (found["trashed_at"], found["body"]) == (None, "one, there")
    (news,) = await run(page, "offline-store", "m.withNews()")
    assert (news["news"]["outcome"], news["news"]["op"]) == ("revived", "trash")


async def test_a_change_that_is_refused_stops_no_other_and_is_not_lost(page: Page, fake: FakeApi) -> None:
    fake.feed.refuse = "Bad"
    await edit(page, new("c" * 32), "text", "", title="Bad title")
    await edit(page, new("d" * 32), "text", "", title="Good title")
    await send(page)
    (left,) = await waiting(page)
    assert left["problem"]["detail"] == "a title has at most 500 characters"
    assert fake.notebook.by_key("d" * 32) is not None
    # What is written next replaces it, and is sent.
    await edit(page, new("c" * 32), "text", "text", title="Better title")
    await send(page)
    assert await waiting(page) == []
    assert fake.notebook.by_key("c" * 32) is not None


async def test_only_what_was_changed_of_a_note_is_said(page: Page, fake: FakeApi) -> None:
    note = dict(fake.notebook.add({"title": "Plan", "body": "one", "tags": ["work"], "topic": "Kafka"}))
    await run(page, "feed", "m.readFeed()")
    await edit(page, note, "one two", "one")
    await send(page)
    (change,) = fake.feed.sent[-1]
    assert not {"kind", "date", "topic", "tags"} & set(change)
    await edit(page, {**note, "version": 2}, "one two", "one two", tags=["work", "q1"])
    await send(page)
    (change,) = fake.feed.sent[-1]
    assert (change["tags"], "topic" in change) == (["work", "q1"], False)


async def test_a_reader_of_the_feed_ends_up_with_what_is_there(page: Page, fake: FakeApi) -> None:
    book = fake.notebook
    one = book.add({"title": "One", "body": "1"})
    two = book.add({"title": "Two", "body": "2"})
    await run(page, "feed", "m.readFeed()")
    book.save(one["id"], '"1"', {"body": "1, changed"})
    two["trashed_at"], two["version"] = "2026-01-01T00:00:00Z", 2
    await run(page, "feed", "m.readFeed()")
    assert (await local(page, one["key"]))["body"] == "1, changed"
    assert (await local(page, two["key"]))["trashed_at"]
    del book.notes[two["id"]], book.revisions[two["id"]]
    await run(page, "feed", "m.readFeed()")
    assert await local(page, two["key"]) is None


async def test_another_feed_is_read_from_the_beginning(page: Page, fake: FakeApi) -> None:
    """After a restore from a backup: what is not there any more goes, earlier versions are the true ones, edits stay."""
    book = fake.notebook
    gone = book.add({"title": "Gone", "body": "g"})
    older = book.add({"title": "Older", "body": "new"})
    older["version"] = 7
    await run(page, "feed", "m.readFeed()")
    await go_offline(page)
    await edit(page, dict(gone), "g, written on", "g")
    fake.feed = type(fake.feed)()
    del book.notes[gone["id"]], book.revisions[gone["id"]]
    older |= {"version": 3, "body": "old"}
    await go_online(page)
    await sent_all(page)
    await until(page, "offline-store", "m.noteOf(arg).then(note => note.body === 'old')", older["key"])
    back = book.by_key(gone["key"])
    assert back is not None
    assert back["body"] == "g, written on"


async def test_a_feed_that_ends_before_the_reader_is_read_anew(page: Page, fake: FakeApi) -> None:
    n = len(fake.notebook.notes)
    fake.feed.entries, fake.feed.seen = [], {}
    for note in list(fake.notebook.notes.values())[2:]:
        del fake.notebook.notes[note["id"]]
    assert n > 2
    assert await run(page, "feed", "m.readFeed()") is True
    assert len(await run(page, "offline-store", "m.allNotes()")) == 2


async def test_a_copy_that_was_cleared_comes_again(page: Page, fake: FakeApi) -> None:
    await run(page, "database", "m.removeDatabase()")
    await run(page, "feed", "m.readFeed()")
    await copied(page, len(fake.notebook.notes))


async def test_damaged_records_are_passed_over_and_come_again(page: Page, fake: FakeApi) -> None:
    note = next(iter(fake.notebook.notes.values()))
    await run(
        page,
        "database",
        "m.write(({ notes }) => { notes.put({ key: arg, id: 1 }); notes.put({ key: 'x', note: 7 }); })",
        note["key"],
    )
    assert await local(page, note["key"]) is None
    await run(page, "offline-store", "m.allNotes()")
    await run(page, "feed", "m.readFeed()")
    await until(page, "offline-store", "m.noteOf(arg).then(note => note?.body?.length > 0)", note["key"])


async def test_a_database_of_another_shape_is_made_anew(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/settings/language")
    await page.evaluate(
        """async () => {
            const { removeDatabase } = await import("/static/js/database.js");
            await removeDatabase();
            await new Promise((settle) => {
                const request = indexedDB.open("cortex", 1);
                request.onupgradeneeded = () => request.result.createObjectStore("something");
                request.onsuccess = () => { request.result.close(); settle(); };
            });
        }"""
    )
    await page.reload()
    await copied(page, len(fake.notebook.notes))


async def test_a_database_of_a_later_cortex_is_left_alone(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/settings/language")
    await copied(page, len(fake.notebook.notes))
    await page.evaluate(
        """() => new Promise((settle, refuse) => {
            const request = indexedDB.open("cortex", 99);
            request.onerror = refuse;
            request.onsuccess = () => { request.result.close(); settle(); };
        })"""
    )
    reason = await run(page, "offline-store", "m.allNotes().then(() => null, problem => problem.reason)")
    assert reason == "newer"


FULL = """() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
        if (this.name === "notes" && !globalThis.room) {
            this.transaction.abort();
            throw new DOMException("full", "QuotaExceededError");
        }
        return put.apply(this, given);
    };
    const remove = IDBObjectStore.prototype.delete;
    IDBObjectStore.prototype.delete = function (...given) {
        globalThis.room = globalThis.room || this.name === "notes";
        return remove.apply(this, given);
    };
}"""


async def test_copies_make_room_for_an_edit(page: Page, fake: FakeApi) -> None:
    await go_offline(page)
    await page.evaluate(FULL)
    await edit(page, new(), "kept", "")
    assert [change["fields"]["body"] for change in await waiting(page)] == ["kept"]
    assert (await run(page, "offline-store", "m.facts()"))["full"]


async def test_without_any_room_the_problem_has_a_name(page: Page, fake: FakeApi) -> None:
    await page.evaluate(FULL.replace('globalThis.room || this.name === "notes"', "false"))
    reason = await run(
        page,
        "outbox",
        "m.keepEdit({ key: 'e', version: 0 }, arg, null).then(() => null, problem => problem.reason)",
        FIELDS,
    )
    assert reason == "quota"
