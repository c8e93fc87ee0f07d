"""The stand-in's feed of changes and what it makes of changes that devices send, as docs/api.md tells of the real ones."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response, StreamingResponse

from .fake_notebook import FIELDS, Notebook, Refused

if TYPE_CHECKING:
    from .fake_api import FakeApi

Note = dict[str, Any]


@dataclass
class Feed:
    """Entries in order. They are found by looking at the notebook whenever somebody asks, so that a test may change it by hand."""

    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    entries: list[dict[str, Any]] = field(default_factory=list)
    seen: dict[int, tuple[str, int, bool]] = field(default_factory=dict)
    received: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What came of a change, by the id that the device gave it."""
    sent: list[list[dict[str, Any]]] = field(default_factory=list)
    """The changes of each POST, in order."""
    lose_replies: int = 0
    """So many replies to POST never arrive, although the changes are applied."""
    refuse: str = ""
    """A word: a change that holds it in its title is rejected."""

    def look(self, book: Notebook) -> None:
        now = {note["id"]: (note["key"], note["version"], bool(note["trashed_at"])) for note in book.notes.values()}
        for number, (key, version, _) in self.seen.items():
            if number not in now:
                self._add(number, key, "deleted", version)
        for number, (key, version, trashed) in now.items():
            before = self.seen.get(number)
            if before != now[number]:
                op = "saved" if before is None or before[2] == trashed else "trashed" if trashed else "restored"
                self._add(number, key, op, version)
        self.seen = now

    def _add(self, number: int, key: str, op: str, version: int) -> None:
        at = dt.datetime.now(dt.UTC).isoformat()
        self.entries.append(
            {"seq": len(self.entries) + 1, "id": number, "key": key, "op": op, "version": version, "at": at}
        )


def routes(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/changes")

    @router.get("")
    async def since(since: int = 0, limit: int = 100, latest: bool = False) -> dict[str, Any]:
        fake.feed.look(fake.notebook)
        entries = fake.feed.entries
        if since > len(entries):
            raise Refused(409, "conflict", "the feed ends before that; begin again at since=0", field="since")
        last = {entry["id"]: entry["seq"] for entry in entries}
        found = [entry for entry in entries[since:] if not latest or last[entry["id"]] == entry["seq"]]
        page, shown = [dict(entry) for entry in found[:limit]], set()
        for entry in reversed(page):
            note = fake.notebook.notes.get(entry["id"])
            if note and entry["op"] != "deleted" and entry["id"] not in shown:
                entry["note"] = note
                shown.add(entry["id"])
        feed = fake.feed.name if entries else None
        return {"feed": feed, "changes": page, "next": page[-1]["seq"] if page else since, "more": len(found) > limit}

    @router.post("")
    async def receive(body: dict[str, Any]) -> Response:
        fake.feed.sent.append(body["changes"])
        results = [_received(fake, change) for change in body["changes"]]
        fake.feed.look(fake.notebook)
        if fake.feed.lose_replies:
            fake.feed.lose_replies -= 1
            return StreamingResponse(_broken(), media_type="application/json")
        return JSONResponse({"results": results})

    return router


async def _broken() -> AsyncIterator[bytes]:
    # The beginning of a reply: a browser sends again by itself what was not answered at all.
    yield b'{"results": ['
    raise ConnectionError("lost on purpose")


def _received(fake: FakeApi, change: dict[str, Any]) -> dict[str, Any]:
    known = fake.feed.received
    if change["change_id"] not in known:
        told = {"change_id": change["change_id"], "key": change["key"]}
        if fake.feed.refuse and fake.feed.refuse in (change.get("title") or ""):
            problem = {
                "type": "invalid",
                "title": "Invalid",
                "status": 422,
                "detail": "a title has at most 500 characters",
            }
            return {**told, "outcome": "rejected", "problem": problem}
        known[change["change_id"]] = {**told, **_apply(fake.notebook, change)}
    result = known[change["change_id"]]
    there = fake.notebook.by_key(change["key"])
    return {**result, "id": there and there["id"], "version": there and there["version"], "note": there}


def _apply(book: Notebook, change: dict[str, Any]) -> dict[str, Any]:
    there = book.by_key(change["key"])
    if change["op"] == "save":
        return _save(book, there, change)
    if there is None:
        return {"outcome": "applied"}
    older = change["base_version"] is not None and change["base_version"] < there["version"]
    now = dt.datetime.now(dt.UTC).isoformat()
    if change["op"] == "restore":
        there |= {"trashed_at": None, "version": there["version"] + bool(there["trashed_at"])}
    elif older or (change["op"] == "delete" and not there["trashed_at"]):
        return {"outcome": "revived"}
    elif change["op"] == "trash" and not there["trashed_at"]:
        there |= {"trashed_at": now, "version": there["version"] + 1}
    elif change["op"] == "delete":
        del book.notes[there["id"]], book.revisions[there["id"]]
    return {"outcome": "applied"}


def _save(book: Notebook, there: Note | None, change: dict[str, Any]) -> dict[str, Any]:
    fields = {name: change[name] for name in FIELDS if name in change}
    if there is None:
        book.saves.append(change)
        book.add({"kind": "note", **fields, "key": change["key"], "index": dict(book.index)})
        return {"outcome": "applied" if change["base_version"] is None else "revived"}
    revived = bool(there["trashed_at"])
    if revived:
        there |= {"trashed_at": None, "version": there["version"] + 1}
    elif change["base_version"] is None or change["base_version"] < there["version"]:
        body = merged(change.get("base", {"body": ""})["body"], change["body"], there["body"])
        if body is None:
            copy = book.add({**{name: there[name] for name in FIELDS}, **fields, "conflict_of": there["key"],
                             "title": f"{change['title'] or there['title']} (conflict 2026-01-15 14:02)"})  # fmt: skip
            there["copies"] = [*there.get("copies", []), copy["id"]]
            return {"outcome": "conflict", "copy": copy}
        book.save(there["id"], f'"{there["version"]}"', {**fields, "body": body})
        return {"outcome": "merged"}
    book.save(there["id"], f'"{there["version"]}"', fields)
    return {"outcome": "revived" if revived else "applied"}


def merged(base: str, mine: str, theirs: str) -> str | None:
    """Both edits, where they touch different paragraphs and neither adds nor takes one away."""
    if mine == theirs or base == theirs:
        return mine
    old, one, other = (text.split("\n\n") for text in (base, mine, theirs))
    if not len(old) == len(one) == len(other):
        return None
    if any(was != left and was != right and left != right for was, left, right in zip(old, one, other, strict=True)):
        return None
    return "\n\n".join(left if left != was else right for was, left, right in zip(old, one, other, strict=True))
