"""The stand-in's own notes: versions, a lost race, revisions, the trash; as docs/api.md tells of the real ones."""

from __future__ import annotations

import datetime as dt
import itertools
import re
import uuid
from dataclasses import dataclass, field
from typing import Any

from .notebook_texts import NOTES

SITTING = dt.timedelta(minutes=10)
FIELDS = ("title", "body", "kind", "date", "topic", "tags")
TEMPLATE = {"en": "## What happened\n\n\n## Next week\n\n", "zh": "## 本周记录\n\n\n## 下周计划\n\n"}


class Refused(Exception):
    """A problem: status, kind, what is wrong, and its extension members."""

    def __init__(self, status: int, kind: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail, self.more = status, kind, detail, more


def lang_of(text: str) -> str:
    han, words = len(re.findall("[\u4e00-\u9fff]", text)), len(re.findall("[a-zA-Z]+", text))
    return "zh" if han > words * 1.5 else "en"


def titled(note: dict[str, Any]) -> str:
    """The title that was written, else the first heading, else the first line."""
    first = next((line.lstrip("# ").strip() for line in note["body"].splitlines() if line.strip()), "")
    return str(note["title"] or first[:80] or "Untitled")


@dataclass
class Notebook:
    """Notes by id, their revisions, and what a test may force."""

    notes: dict[int, dict[str, Any]] = field(default_factory=dict)
    revisions: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    saves: list[dict[str, Any]] = field(default_factory=list)
    """Each accepted body of a POST or PUT, in order."""
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    wait_s: float = 0.0
    """How long a save takes."""
    index: dict[str, Any] = field(default_factory=lambda: {"state": "indexed"})
    """What an accepted save says of the index."""
    ids: Any = field(default_factory=lambda: itertools.count(501))

    def __post_init__(self) -> None:
        for ago, told in NOTES:
            self.add(told, ago)
        keys = {note["title"]: note["key"] for note in self.notes.values()}
        for copy in [note for note in self.notes.values() if note["conflict_of"]]:
            copy["conflict_of"] = keys[copy["conflict_of"]]
            other = self.by_key(copy["conflict_of"])
            assert other
            other["copies"] = [copy["id"]]

    def add(self, told: dict[str, Any], ago: dt.timedelta = dt.timedelta()) -> dict[str, Any]:
        at = (dt.datetime.now(dt.UTC) - ago).isoformat()
        number = next(self.ids)
        note = {
            "id": number, "key": uuid.uuid4().hex, "kind": "note", "date": None, "period": None, "topic": None, "tags": [],
            "origin": "person", "version": 1, "created_at": at, "updated_at": at, "trashed_at": None, "url": f"/notes/{number}",
            "index": {"state": "indexed"}, "title": "", **{key: value for key, value in told.items() if key != "earlier"},
        }  # fmt: skip
        note |= {
            "titled": bool(note["title"]),
            "size": len(note["body"].encode()),
            "copies": [],
            "conflict_of": note.get("conflict_of"),
        }
        note |= {"lang": lang_of(note["body"] or note["title"]), "title": titled(note), "tags": sorted(note["tags"])}
        self.notes[number] = note
        self.revisions[number] = []
        for n, (before, body) in enumerate(told.get("earlier", []), 1):
            self._revise(
                {**note, "body": body, "version": n, "updated_at": (dt.datetime.now(dt.UTC) - before).isoformat()}
            )
            note["version"] = n + 1
        self._revise(note)
        return note

    def get(self, number: int) -> dict[str, Any]:
        if number not in self.notes:
            raise Refused(404, "not_found", f"there is no note {number}")
        return self.notes[number]

    def by_key(self, key: str | None) -> dict[str, Any] | None:
        return next((note for note in self.notes.values() if key and note["key"] == key), None)

    def save(self, number: int, if_match: str | None, told: dict[str, Any]) -> dict[str, Any]:
        """A new version, or a problem: 428 without If-Match, 409 with both texts when the race is lost."""
        note = self.get(number)
        if if_match is None:
            raise Refused(428, "precondition_required", "send If-Match with the version that was read")
        if if_match != f'"{note["version"]}"' or note["trashed_at"]:
            yours = {key: told.get(key) for key in FIELDS}
            raise Refused(409, "conflict", "this note has changed since", current=note, yours=yours)
        self.saves.append(told)
        note |= {key: told[key] for key in FIELDS if key in told}
        now = dt.datetime.now(dt.UTC)
        note |= {"version": note["version"] + 1, "updated_at": now.isoformat(), "index": dict(self.index)}
        note |= {
            "titled": bool(note["title"]),
            "title": titled(note),
            "lang": lang_of(note["body"]),
            "tags": sorted(note["tags"]),
        }
        newest = self.revisions[number][0]
        if now - dt.datetime.fromisoformat(newest["at"]) < SITTING:
            self.revisions[number].pop(0)
        self._revise(note)
        return note

    def _revise(self, note: dict[str, Any]) -> None:
        kept = {key: note[key] for key in ("version", "title", "origin", "body", "tags")}
        revision = {**kept, "at": note["updated_at"], "size": len(note["body"].encode()), "kept": False}
        self.revisions[note["id"]].insert(0, revision)

    def revision(self, number: int, version: int) -> dict[str, Any]:
        self.get(number)
        found = next((each for each in self.revisions[number] if each["version"] == version), None)
        if found is None:
            raise Refused(404, "not_found", f"there is no version {version}")
        return found

    def listed(self, *, trash: bool, asked: dict[str, str]) -> list[dict[str, Any]]:
        """Notes of a list, newest change first."""
        words = asked.get("q", "").lower().split()
        found = [
            note for note in self.notes.values()
            if bool(note["trashed_at"]) == trash
            and all(word in f"{note['title']} {note['body']}".lower() for word in words)
            and ("tag" not in asked or asked["tag"] in note["tags"])
            and all(asked[name] == note[name] for name in ("kind", "topic") if name in asked)
        ]  # fmt: skip
        return sorted(found, key=lambda note: str(note["updated_at"]), reverse=True)

    def dated(self, kind: str, date: str, language: str) -> tuple[dict[str, Any], bool]:
        """The note of a day or a week, made if missing; whether it was made."""
        day = dt.date.fromisoformat(date)
        year, week, _ = day.isocalendar()
        title = f"{year}-W{week:02}" if kind == "weekly" else date
        found = next((each for each in self.notes.values() if each["title"] == title and not each["trashed_at"]), None)
        if found:
            return found, False
        first = day - dt.timedelta(days=day.weekday()) if kind == "weekly" else day
        told = {
            "title": title,
            "body": TEMPLATE[language] if kind == "weekly" else "",
            "kind": kind,
            "date": first.isoformat(),
        }
        return self.add(told), True
