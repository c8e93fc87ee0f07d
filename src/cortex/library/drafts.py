"""What a person wrote, checked and made ready to be stored. Pure functions."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from cortex.errors import Invalid
from cortex.text import markdown
from cortex.text.language import Lang, detect

Kind = Literal["weekly", "topic", "note"]

LONGEST_TITLE = 500
LONGEST_NAME = 200
"""Characters of a topic or a tag."""
MOST_TAGS = 100
UNTITLED: dict[Lang, str] = {"en": "Untitled", "zh": "无标题"}

_LONGEST_LINK = 500  # the index holds 2,700 bytes
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?")


@dataclass(frozen=True)
class Placement:
    """Where a note belongs. A weekly note's date is its week's Monday."""

    kind: Kind = "note"
    date: dt.date | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def period(self) -> int | None:
        """year * 10 + quarter; a week belongs to the quarter of its Thursday."""
        if self.date is None:
            return None
        day = self.date + dt.timedelta(days=3) if self.kind == "weekly" else self.date
        return day.year * 10 + (day.month + 2) // 3


@dataclass(frozen=True)
class Draft:
    """A note's new content. `placed` holds those of kind, date, topic and tags that were said; the others stay as they are.

    `language` names an empty note ("Untitled", "无标题"). Made by `draft`, which checks it all.
    """

    title: str
    body: str
    placed: dict[str, Any] = field(default_factory=dict)
    language: Lang | None = None

    def placement(self, before: Placement) -> Placement:
        """Where the note belongs now."""
        said = {"kind": before.kind, "date": before.date, "topic": before.topic, "tags": before.tags, **self.placed}
        kind = said["kind"]
        if "kind" not in self.placed and kind != "weekly":
            kind = "topic" if said["topic"] else "note"
        date = said["date"]
        if kind == "weekly" and date is not None:
            date -= dt.timedelta(days=date.weekday())
        return Placement(kind, date, said["topic"], said["tags"])

    @cached_property
    def lang(self) -> Lang:
        """The language of what was written."""
        words = f"{self.title}\n{self.body}"
        return detect(words) if words.strip() else self.language or "en"

    def read_through(self) -> Draft:
        """Itself, with all that takes time found out already: for a thread beside the one that serves."""
        _ = self.content, self.links
        return self

    @cached_property
    def content(self) -> dict[str, Any]:
        """The columns that hold the content; a title that was not given is taken from the body."""
        raw = self.body.encode()
        return {
            "title": self.title or derived_title(self.body) or UNTITLED[self.language or self.lang],
            "titled": bool(self.title),
            "text": self.body,
            "lang": self.lang,
            "content_hash": hashlib.sha256(raw).digest(),
            "size": len(raw),
        }

    @cached_property
    def links(self) -> list[str]:
        """What the body links to, folded."""
        return list(dict.fromkeys(target.casefold()[:_LONGEST_LINK] for target in markdown.links(self.body)))


def draft(title: str, body: str, *, most_bytes: int, language: Lang | None = None, **placed: Any) -> Draft:
    """Check what was written.

    Args:
        most_bytes: the longest body, in bytes of UTF-8.
        placed: kind, date, topic and tags, as far as they were said; None takes a date or topic away.

    Raises:
        Invalid: it names the field, and what may stand there.
    """
    title = " ".join(storable(title, "title").split())
    if len(title) > LONGEST_TITLE:
        raise Invalid(f"the title has {len(title):,} characters; {LONGEST_TITLE} are allowed", field="title")
    body = with_line_feeds(storable(body, "body"))
    size = len(body.encode())
    if size > most_bytes:
        raise Invalid(
            f"the note has {-(-size // 1000):,} KB; {most_bytes // 1000:,} are allowed (limits.note_kb): part it, or attach it as a file",
            field="body",
        )
    if "topic" in placed:
        placed["topic"] = _name(placed["topic"] or "", "topic") or None
    if "tags" in placed:
        placed["tags"] = clean_tags(placed["tags"] or ())
    if "kind" in placed and placed["kind"] is None:
        del placed["kind"]
    return Draft(title, body, placed, language)


def with_line_feeds(body: str) -> str:
    """The body as it is stored: lines end with LF, and no byte order mark stands before them."""
    return _LINE_ENDS.sub("\n", body.removeprefix("\ufeff"))


def storable(text: str, field: str) -> str:
    """The text, if the database can hold it.

    Raises:
        Invalid: it holds a NUL, or half of a surrogate pair.
    """
    found = _UNSTORABLE.search(text)
    if found:
        what = "a NUL character" if found[0] == "\0" else f"half of a surrogate pair (U+{ord(found[0]):04X})"
        raise Invalid(f"the {field} holds {what} at character {found.start() + 1}: take it out", field=field)
    return text


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags without `#`, each once, whatever its case.

    Raises:
        Invalid: one is too long, or there are too many.
    """
    named: dict[str, str] = {}
    for tag in tags:
        if cleaned := _name(tag.strip().lstrip("#＃"), "tags"):
            named.setdefault(cleaned.casefold(), cleaned)
    if len(named) > MOST_TAGS:
        raise Invalid(f"a note has at most {MOST_TAGS} tags", field="tags")
    return tuple(sorted(named.values()))


def derived_title(body: str) -> str:
    """The first heading, else the first line with words; "" where there is neither."""
    if heading := markdown.title(body):
        return heading
    for line in body[:20_000].split("\n"):
        if words := " ".join(markdown.plain(line).split()):
            return words[: markdown.LONGEST_HEADING].strip()
    return ""


def _name(name: str, field: str) -> str:
    cleaned = " ".join(storable(name, field).split())
    if len(cleaned) > LONGEST_NAME:
        raise Invalid(f"{cleaned[:40]}… has {len(cleaned):,} characters; {LONGEST_NAME} are allowed", field=field)
    return cleaned
