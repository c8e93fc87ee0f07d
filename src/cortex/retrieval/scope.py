"""The scope of a question, as a string and as terms: which documents may answer it.

`""` everything · `weekly` · `weekly:20241-20252` · `date:2024-05-01..2024-05-31` · `topic:NAME` · `source:NAME` · `tag:NAME` ·
`note:ID` · `origin:answer|agent|mcp`; several joined by `;` must all hold. A name may be percent-encoded.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from urllib.parse import unquote

from cortex.errors import Invalid
from cortex.retrieval import _labels

_KNOWN = (
    "weekly, weekly:20241-20252, date:2024-05-01..2024-05-31, topic:NAME, source:NAME, tag:NAME, note:ID, "
    "origin:answer|agent|mcp"
)
_WEEKLY = re.compile(r"(\d{4}[1-4])(?:-(\d{4}[1-4]))?")
_DATES = re.compile(r"(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?")
_ORIGINS = ("answer", "agent", "mcp")
_MAX_CHARS = 1000


@dataclass(frozen=True)
class Term:
    """One condition. `kind` says which of the other fields counts."""

    kind: str
    name: str = ""
    periods: tuple[int, int] | None = None
    dates: tuple[dt.date, dt.date] | None = None
    note: int | None = None
    inferred: bool = False
    """Read out of the question, not chosen."""

    def __str__(self) -> str:
        if self.periods:
            return f"weekly:{self.periods[0]}-{self.periods[1]}"
        if self.dates:
            return f"date:{self.dates[0]}..{self.dates[1]}"
        if self.kind == "weekly":
            return "weekly"
        return (
            f"{self.kind}:{self.note if self.note is not None else self.name.replace('%', '%25').replace(';', '%3B')}"
        )

    @property
    def label_en(self) -> str:
        """The chip's text in English."""
        if self.periods:
            first, last = (f"{p // 10} Q{p % 10}" for p in self.periods)
            return f"Weekly notes, {first}" + (f" – {last}" if last != first else "")
        if self.dates:
            return _labels.english(*self.dates)
        return {"weekly": "Weekly notes", "note": f"Note {self.note}", "tag": f"#{self.name}"}.get(
            self.kind
        ) or self.name

    @property
    def label_zh(self) -> str:
        """The chip's text in Chinese."""
        if self.periods:
            first, last = (f"{p // 10} 年第{'一二三四'[p % 10 - 1]}季度" for p in self.periods)
            return f"周记，{first}" + (f" – {last}" if last != first else "")
        if self.dates:
            return _labels.chinese(*self.dates)
        return {"weekly": "周记", "note": f"笔记 {self.note}", "tag": f"#{self.name}"}.get(self.kind) or self.name


@dataclass(frozen=True)
class Scope:
    """Terms that must all hold; none means everything that a person wrote."""

    terms: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return ";".join(str(term) for term in self.terms)

    @property
    def picked_note(self) -> int | None:
        """The one note that was picked on purpose, if the scope is just that."""
        return self.terms[0].note if len(self.terms) == 1 and self.terms[0].kind == "note" else None


def parse(text: str) -> Scope:
    """Read a scope string.

    Raises:
        Invalid: a term is unknown or malformed; the message lists the known ones.
    """
    if len(text) > _MAX_CHARS:
        raise Invalid(f"the scope is longer than {_MAX_CHARS} characters", field="scope")
    return Scope(tuple(_term(part.strip()) for part in text.split(";") if part.strip()))


def storable(text: str) -> bool:
    """Whether the database can hold the text: no NUL, and no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _term(part: str) -> Term:
    kind, colon, value = part.partition(":")
    value = unquote(value).strip()
    if not storable(value):
        raise Invalid("the scope holds a character that no text can hold; write it without", field="scope")
    if kind == "weekly":
        return _weekly(part, value) if colon else Term("weekly")
    if kind == "date":
        return _dates(part, value)
    if kind in ("topic", "source", "tag") and value:
        return Term(kind, name=value.removeprefix("#") if kind == "tag" else value)
    if kind == "note" and value.isascii() and value.isdigit() and len(value) < 19:
        return Term(kind, note=int(value))
    if kind == "origin" and value in _ORIGINS:
        return Term(kind, name=value)
    raise Invalid(f"the scope term {part!r} is not known; use one of: {_KNOWN}", field="scope")


def _weekly(part: str, value: str) -> Term:
    found = _WEEKLY.fullmatch(value)
    if not found:
        raise Invalid(f"{part!r} must name quarters, such as weekly:20241-20252", field="scope")
    first, last = int(found[1]), int(found[2] or found[1])
    if first > last:
        raise Invalid(f"{part!r} ends before it begins", field="scope")
    return Term("weekly", periods=(first, last))


def _dates(part: str, value: str) -> Term:
    found = _DATES.fullmatch(value)
    try:
        if not found:
            raise ValueError
        first, last = dt.date.fromisoformat(found[1]), dt.date.fromisoformat(found[2] or found[1])
    except ValueError as error:
        raise Invalid(f"{part!r} must name dates, such as date:2024-05-01..2024-05-31", field="scope") from error
    if first > last:
        raise Invalid(f"{part!r} ends before it begins", field="scope")
    return Term("date", dates=(first, last))
