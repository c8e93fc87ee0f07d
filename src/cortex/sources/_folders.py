"""Reading folder names as years, quarters, months, weeks and topics."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cortex.sources import calendar
from cortex.sources.calendar import HAN, MONTH_WORD, WEEK_WORD, YEAR, Weeks, When

_PREFIX = re.compile(r"^[\W\d_]+")  # the ordering and the emoji that people put before a folder's name
_WEEKLY = re.compile(
    r"周(?:记|报|刊|复盘|总结|回顾)|weekl(?:y|ies)(?:[\s_-](?:notes?|journals?|reviews?|logs?))?|weeks"
)
_TOPICS = re.compile(r"topics?|专题|主题")
_YEAR = re.compile(YEAR + r"(?:年度?)?")
_QUARTER = re.compile(r"(?:q|quarter[\s_-]*|第)?([一二三四1-4])(?:季度?)?(?![0-9a-z]).*")
_QUARTER_MARK = re.compile(r"q[1-4]|quarter|第?[一二三四1-4]季")
_MONTH = re.compile(r"(0?[1-9]|1[0-2])(?:[\s._-]+" + MONTH_WORD + r")?")
_MONTH_NAMED = re.compile(MONTH_WORD + r"|" + HAN + r"月(?:份)?")
_DAY = re.compile(r"(0?[1-9]|[12]\d|3[01])(?:日|号)?")
_WEEK = re.compile(WEEK_WORD + r"[\s._-]*(\d{1,2})(?![0-9a-z]).*|第\s*" + HAN + r"\s*周.*")


@dataclass
class Folders:
    """What a path says. `month` is kept beside the period: a day from elsewhere must lie in it."""

    when: When = field(default_factory=When)
    year: int | None = None
    month: int | None = None
    weekly: bool = False
    topic: str | None = None

    def allows(self, when: When) -> bool:
        """Whether a date from front matter or the name may stand beside what the folders say."""
        if self.when.period is None:
            return True
        if when.date is None or self.month is None:
            return when.period == self.when.period
        return (when.date.year, when.date.month) == (self.year, self.month)


@dataclass
class _Path:
    """The state of reading a path from its top."""

    weeks: Weeks
    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    week: When | None = None
    near: bool = False
    """Nothing but dates since the year: only then is a bare number a month, or week-3 a week of that year."""


def read_folders(parts: Sequence[str], stem: str, weeks: Weeks) -> Folders:
    """Year, quarter, month, week, day and topic of a path; the file's own name counts where it is such a word."""
    path = _Path(weeks)
    weekly = False
    for part in parts:
        text = calendar.fold(part)
        if _WEEKLY.fullmatch(_PREFIX.sub("", text)):
            weekly = True
        else:
            path.near = _read_part(path, text, is_file=False)
    if path.near:
        _read_part(path, calendar.fold(stem), is_file=True)
    when = _when(path)
    return Folders(when, path.year, path.month, weekly or when.weekly, _topic(parts, stem))


def _read_part(path: _Path, text: str, *, is_file: bool) -> bool:
    """Take what one name says into `path`; False when it says nothing of time."""
    if not is_file and _take_year(path, text):
        return True
    if path.year is None:
        return False
    readers: tuple[Callable[[_Path, str], bool], ...] = (_take_week, _take_quarter, _take_month, _take_day)
    if is_file:  # 2024/16.md is the sixteenth of something; after a month a bare number is a day
        readers = (_take_week, _take_day)
    return any(take(path, text) for take in readers)


def _take_year(path: _Path, text: str) -> bool:
    if found := _YEAR.fullmatch(text):
        path.year, path.quarter, path.month, path.day = int(found[1]), None, None, None
        return True
    said = calendar.in_name(text)
    if said is None or not re.match(YEAR, text):
        return False
    if said.date is None and said.period:
        path.year, path.quarter = divmod(said.period, 10)
        named = re.match(YEAR + r"(?:[-_.]|\s*年\s*)" + HAN + r"\s*(?:月|$|(?=[\s_.-]))", text)
        path.month = None if re.search(_QUARTER_MARK, text[4:]) or not named else calendar.number(named[2])
        return True
    if said.weekly:
        path.week = said
    elif said.date:
        path.year, path.month, path.day = said.date.year, said.date.month, said.date.day
    return True


def _take_quarter(path: _Path, text: str) -> bool:
    found = _QUARTER.fullmatch(text) if _QUARTER_MARK.match(text) else None
    if found:
        path.quarter = calendar.number(found[1])
    return bool(found)


def _take_month(path: _Path, text: str) -> bool:
    if path.month is None and (found := _MONTH_NAMED.fullmatch(text)):
        month = calendar.month_number(found[1]) if found[1] else calendar.number(found[2])
        path.month = month if month and month <= 12 else None
        return path.month is not None
    if path.near and path.month is None and (found := _MONTH.fullmatch(text)):
        path.month = int(found[1])
        return True
    return False


def _take_day(path: _Path, text: str) -> bool:
    if path.near and path.month and path.day is None and (found := _DAY.fullmatch(text)):
        path.day = int(found[1])
        return True
    return False


def _take_week(path: _Path, text: str) -> bool:
    found = _WEEK.fullmatch(text) if path.near else None
    counted = calendar.number(found[1] or found[2]) if found else None
    if counted is None or path.year is None:
        return False
    path.week = resolve_week(path.year, path.quarter, path.month, counted, path.weeks)
    return path.week is not None


def resolve_week(year: int, quarter: int | None, month: int | None, counted: int, weeks: Weeks) -> When | None:
    """week-03: the third of the quarter or of the month that its folder names, else (or by `weeks: iso`) ISO week 3."""
    iso = calendar.week(year, counted)
    if month is not None:
        nth = calendar.week_of(year, month, 1, counted)
        inside = iso if iso and iso.period == year * 10 + (month + 2) // 3 else None
        return (inside or nth) if weeks == "iso" else (nth or inside)
    if quarter is not None and weeks == "quarter":
        return calendar.week_of(year, quarter * 3 - 2, 3, counted) or iso
    return iso


def _when(path: _Path) -> When:
    if path.year is None:
        return path.week or When()
    if path.month:
        path.quarter = (path.month + 2) // 3
    period = path.year * 10 + path.quarter if path.quarter else None
    if path.week:
        return When(path.week.date, period or path.week.period, weekly=True)
    said = calendar.day(path.year, path.month, path.day) if path.month and path.day else None
    return said or When(period=period)


def _topic(parts: Sequence[str], stem: str) -> str | None:
    for n, part in enumerate(parts):
        text = _PREFIX.sub("", calendar.fold(part))
        if _TOPICS.fullmatch(text):
            return parts[n + 1] if n + 1 < len(parts) else stem
        if text.endswith("专题") and len(text) > 2:
            return part.strip()
    return None
