"""Dates, weeks and quarters as people write them: in front matter and in names. Validates; never invents one.

A week is named by its Monday and belongs to the quarter of its Thursday, as ISO 8601 does it for years. `period` is
year * 10 + quarter everywhere.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Weeks = Literal["iso", "quarter"]

YEAR = r"((?:19|20)\d\d)"
WEEK_WORD = r"(?:week|wk|w)"
_WEEK = dt.timedelta(days=7)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_WORD = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
HAN = r"([〇零一二三四五六七八九十\d]{1,3})"
_HAN_DIGITS = {mark: n for n, mark in enumerate("零一二三四五六七八九")} | {"〇": 0}


@dataclass(frozen=True)
class When:
    """What a name or a field says of time. `date` is the day, or the Monday of a week; a bare month has a period only."""

    date: dt.date | None = None
    period: int | None = None
    weekly: bool = False


def day(year: int, month: int, day_of_month: int) -> When | None:
    """That day, if the calendar has it (20261345 is none)."""
    try:
        date = dt.date(year, month, day_of_month)
    except ValueError:
        return None
    return When(date, period_of(date)) if 1900 <= year < 2100 else None


def month(year: int, number: int) -> When | None:
    """That month, which has no day but a quarter."""
    return When(period=year * 10 + (number + 2) // 3) if 1 <= number <= 12 and 1900 <= year < 2100 else None


def week(year: int, number: int) -> When | None:
    """That ISO week; none for week 53 of a year without one."""
    try:
        monday = dt.date.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return When(monday, period_of(monday + dt.timedelta(days=3)), weekly=True)


def week_of(year: int, first_month: int, months: int, number: int) -> When | None:
    """The n-th week of a quarter (months=3) or a month (1): its first is the one that holds its first Thursday."""
    if not 1 <= first_month <= 12:
        return None
    first = dt.date(year, first_month, 1)
    monday = first + dt.timedelta(days=(3 - first.weekday()) % 7 - 3) + (number - 1) * _WEEK
    thursday = monday + dt.timedelta(days=3)
    if number < 1 or thursday.year != year or not first_month <= thursday.month < first_month + months:
        return None
    return When(monday, period_of(thursday), weekly=True)


def period_of(date: dt.date) -> int:
    """year * 10 + quarter."""
    return date.year * 10 + (date.month + 2) // 3


def number(text: str) -> int | None:
    """A number in digits or in Chinese up to 99: 3, 03, 三, 十二, 五十三."""
    if text.isascii() and text.isdigit():
        return int(text)
    tens, ten, ones = text.partition("十")
    if not ten:
        return _HAN_DIGITS.get(text)
    if (tens and tens not in _HAN_DIGITS) or (ones and ones not in _HAN_DIGITS):
        return None
    return _HAN_DIGITS.get(tens, 1) * 10 + _HAN_DIGITS.get(ones, 0)


def month_number(word: str) -> int:
    """1 to 12 of an English month, full or short."""
    return _MONTHS.index(word[:3].casefold()) + 1


def fold(text: str) -> str:
    """Full-width forms narrowed, lower case, no space around: how names are compared here."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


# Not after a digit, a letter (id20260115, v2026.01.15) or another group of a longer number (010-20260115, +86 2026…).
_BEFORE = r"(?<![0-9a-z#+])(?<!\d[-. ])"
_DASHED = re.compile(_BEFORE + YEAR + r"([-_/])(\d{1,2})\2(\d{1,2})(?!\d)")
_DOTTED = re.compile(_BEFORE + YEAR + r"(\.)(\d\d)\.(\d\d)(?!\.?\d)")
_TIME = r"([01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?"
_COMPACT = re.compile(_BEFORE + YEAR + r"()(\d\d)(\d\d)(?:t?[-_]?" + _TIME + r")?(?![0-9a-z])(?![-_]\d{5})")
_STAMP = re.compile(r"^" + YEAR + r"()(\d\d)(\d\d)" + _TIME + r"(?![0-9a-z])")
_HAN_DATE = re.compile(YEAR + r"\s*(年)\s*" + HAN + r"\s*月\s*" + HAN + r"\s*(?:[日号]|(?![\d日号年月]))")
_ENGLISH = re.compile(r"(?<![a-z])" + MONTH_WORD + r"\.?[ _-](\d{1,2})(?:st|nd|rd|th)?,?[ _-]" + YEAR + r"(?!\d)")
_BRITISH = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[ _-]" + MONTH_WORD + r"\.?,?[ _-]" + YEAR + r"(?!\d)")
_COUNTED = re.compile(
    r"(?:\b(?:id|no|nr|tel|phone|fax|qq|isbn|issn|sn|order|ticket|issue|pr|rfc|rev|build|version|ver)|"
    r"电话|手机|编号|单号|订单|工单|版本|传真)[\s:：#._-]*$"
)

_WEEK_FORMS = (
    re.compile(r"(?<![0-9a-z])" + YEAR + r"[\s._-]*" + WEEK_WORD + r"[\s._-]*(\d{1,2})(?![0-9a-z])"),
    re.compile(YEAR + r"\s*年?\s*第\s*" + HAN + r"\s*周"),
)
_WEEK_FIRST = re.compile(r"(?<![0-9a-z])" + WEEK_WORD + r"[\s._-]*(\d{1,2})[\s,._-]+" + YEAR + r"(?![0-9a-z])")
_QUARTER_FORMS = (
    re.compile(r"(?<![0-9a-z])" + YEAR + r"[\s._-]*q([1-4])(?![0-9a-z])"),
    re.compile(YEAR + r"\s*年?\s*第?\s*([一二三四1-4])\s*季度?"),
)
_QUARTER_FIRST = re.compile(r"(?<![0-9a-z])q([1-4])[\s,._-]*" + YEAR + r"(?![0-9a-z])")
_MONTH_FORMS = (
    re.compile(r"^" + YEAR + r"[-_.](\d\d)(?![-_./]?\d)(?![a-z])"),
    re.compile(YEAR + r"\s*年\s*" + HAN + r"\s*月(?!\s*[\d一二三四五六七八九十])"),
)


def in_name(name: str) -> When | None:
    """What a file or folder name (without its ending) says: a day, else a week, a quarter or a month; the first of them.

    Two days that bound a week (2026-01-12~2026-01-18) are that week.
    """
    text = fold(name)
    days = [found for _, found in sorted(_days(text), key=lambda pair: pair[0])]
    if days:
        dates = [found.date for found in days if found.date]
        bounds_week = len(dates) > 1 and 4 <= (dates[1] - dates[0]).days <= 7
        return When(days[0].date, days[0].period, weekly=bounds_week)
    return _span(text)


def _days(text: str) -> Iterator[tuple[int, When]]:
    for form in (_STAMP, _DASHED, _DOTTED, _HAN_DATE, _COMPACT):
        for found in form.finditer(text):
            if form is _COMPACT and _COUNTED.search(text[: found.start()]):
                continue
            when = day(int(found[1]), number(found[3]) or 0, number(found[4]) or 0)
            if when:
                yield found.start(), when
    for found in _ENGLISH.finditer(text):
        if when := day(int(found[3]), month_number(found[1]), int(found[2])):
            yield found.start(), when
    for found in _BRITISH.finditer(text):
        if when := day(int(found[3]), month_number(found[2]), int(found[1])):
            yield found.start(), when


def _span(text: str) -> When | None:
    for form in _WEEK_FORMS:
        if found := form.search(text):
            return week(int(found[1]), number(found[2]) or 0)
    if found := _WEEK_FIRST.search(text):
        return week(int(found[2]), int(found[1]))
    for form in _QUARTER_FORMS:
        if found := form.search(text):
            return When(period=int(found[1]) * 10 + (number(found[2]) or 0))
    if found := _QUARTER_FIRST.search(text):
        return When(period=int(found[2]) * 10 + int(found[1]))
    for form in _MONTH_FORMS:
        if found := form.search(text):
            return month(int(found[1]), number(found[2]) or 0)
    return None


def in_field(value: Any) -> When | None:
    """What a front matter value says: a date, a time (its day as written), a text or a number such as 20260115."""
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if isinstance(value, dt.datetime):
        value = value.date()
    if isinstance(value, dt.date):
        return day(value.year, value.month, value.day)
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    return in_name(str(value))
