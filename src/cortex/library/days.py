"""The note of a day and the note of a week: there is one of each, made when it is first asked for."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from cortex.library import _notes_repository as repository
from cortex.library import notes
from cortex.library.drafts import Draft, Kind
from cortex.library.notes import Note
from cortex.storage import Transaction
from cortex.text.language import Lang

WEEK: dict[Lang, str] = {
    "en": "## What happened\n\n\n## What I learned\n\n\n## Next week\n\n",
    "zh": "## 本周记录\n\n\n## 收获\n\n\n## 下周计划\n\n",
}
"""What a new week's note holds."""


@dataclass(frozen=True)
class _Dated:
    """What names such a note. The key is the same on every device, so that two of them that are offline make one note."""

    key: str
    title: str
    kind: Kind
    date: dt.date
    body: str


async def day(tx: Transaction, owner_id: int, date: dt.date, language: Lang) -> tuple[Note, bool]:
    """The note of a day, and whether it is new. One that is in the trash comes back."""
    name = date.isoformat()
    return await _open(tx, owner_id, _Dated(f"day-{name}", name, "note", date, ""), language)


async def week(tx: Transaction, owner_id: int, date: dt.date, language: Lang) -> tuple[Note, bool]:
    """The note of the ISO week that holds the day, and whether it is new. One that is in the trash comes back."""
    year, number, weekday = date.isocalendar()
    name = f"{year:04d}-W{number:02d}"
    monday = date - dt.timedelta(days=weekday - 1)
    return await _open(tx, owner_id, _Dated(f"week-{name}", name, "weekly", monday, WEEK[language]), language)


async def _open(tx: Transaction, owner_id: int, wanted: _Dated, language: Lang) -> tuple[Note, bool]:
    written = await repository.of_day(tx, owner_id, wanted.date, wanted.kind, wanted.title)
    found = await notes.lock_by_key(tx, owner_id, written or wanted.key)
    if found is not None:
        return (await notes.restore(tx, owner_id, found.id) if found.trashed_at else found), False
    draft = Draft(wanted.title, wanted.body, {"kind": wanted.kind, "date": wanted.date}, language)
    return await notes.create(tx, owner_id, draft, key=wanted.key)
