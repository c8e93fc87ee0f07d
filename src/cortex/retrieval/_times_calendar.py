"""Days, weeks, months, quarters and years as spans of days, and where a span without a year belongs.

Weeks run from Monday to Sunday and are numbered as ISO 8601 does it. Functions raise ValueError or OverflowError for what the
calendar does not have.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from re import Match, Pattern
from typing import Literal

Days = tuple[dt.date, dt.date]
"""First and last day."""

Place = Callable[[int], Days]
"""Where something that comes every year lies in a given one."""

Part = Literal["early", "mid", "late"]
Unit = Literal["day", "week", "month", "quarter", "year"]

BEGINNING = dt.date.min
"""The first day of a span that has no beginning ("before 2024")."""

_ONE = dt.timedelta(days=1)
_YEARS_BACK = 9
"""29 February and week 53 are at most eight years apart."""


@dataclass(frozen=True)
class Mention:
    """A time that a text names, at `start` to `end`. It counts only if its surroundings match: see `needs`."""

    start: int
    end: int
    days: Days
    place: Place | None = None
    """Set where no year is named: `days` is then the latest that fits."""
    needs: str = ""
    """What must stand right before it (a pattern), as the word alone may be anything; empty: it speaks for itself."""


def day(year: int, month: int, number: int) -> Days:
    date = dt.date(year, month, number)
    return date, date


def month(year: int, number: int) -> Days:
    """`number` may run over: month 0 is December of the year before."""
    years, index = divmod(number - 1, 12)
    first = dt.date(year + years, index + 1, 1)
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def months(year: int, first: int, count: int) -> Days:
    return month(year, first)[0], month(year, first + count - 1)[1]


def quarter(year: int, number: int) -> Days:
    return months(year, number * 3 - 2, 3)


def half(year: int, number: int) -> Days:
    return months(year, number * 6 - 5, 6)


def year(number: int) -> Days:
    return months(number, 1, 12)


def season(year: int, number: int) -> Days:
    """0 spring … 3 winter, by the months of the northern hemisphere; winter begins in December of its year."""
    return months(year, number * 3 + 3, 3)


def week(year: int, number: int) -> Days:
    monday = dt.date.fromisocalendar(year, number, 1)
    return monday, monday + 6 * _ONE


def week_around(date: dt.date) -> Days:
    monday = date - date.weekday() * _ONE
    return monday, monday + 6 * _ONE


def seven_days(days: Days, *, last: bool) -> Days:
    """The first or the last week of a month or a year."""
    return (days[1] - 6 * _ONE, days[1]) if last else (days[0], days[0] + 6 * _ONE)


def part(days: Days, which: Part) -> Days:
    """A third of a week, month or quarter; of a year its first or last quarter, or May to August. Generous on purpose."""
    first, last = days
    length = (last - first).days + 1
    if length > 92:
        return months(first.year, {"early": 1, "mid": 5, "late": 10}[which], 4 if which == "mid" else 3)
    third = length // 3
    bounds = {"early": (0, third), "mid": (third - 1, length - third - 1), "late": (length - third - 1, length - 1)}[
        which
    ]
    return first + bounds[0] * _ONE, first + bounds[1] * _ONE


def around(unit: Unit, today: dt.date, back: int) -> Days:
    """The whole calendar unit that lies `back` units before that of today."""
    if unit == "day":
        return (today - back * _ONE,) * 2
    if unit == "week":
        return week_around(today - 7 * back * _ONE)
    if unit == "month":
        return month(today.year, today.month - back)
    if unit == "quarter":
        return quarter(today.year, (today.month + 2) // 3 - back)
    return year(today.year - back)


def rolling(unit: Unit, today: dt.date, count: int) -> Days:
    """The `count` units that end today."""
    if unit in ("day", "week"):
        return today - ((count if unit == "day" else 7 * count) - 1) * _ONE, today
    first, last = month(today.year, today.month - count * {"month": 1, "quarter": 3, "year": 12}[unit])
    return first.replace(day=min(today.day, last.day)) + _ONE, today


def weekday(number: int, today: dt.date, *, strictly: bool = False) -> Days:
    """The latest such weekday (0 is Monday), today included unless `strictly`."""
    back = (today.weekday() - number) % 7
    return around("day", today, back or (7 if strictly else 0))


def latest(place: Place, today: dt.date, *, ended: bool = False) -> Days:
    """The latest of its kind that has begun, or that has `ended`, before today."""
    for number in range(today.year, today.year - _YEARS_BACK, -1):
        try:
            days = place(number)
        except ValueError:
            continue
        if (days[1] < today) if ended else (days[0] <= today):
            return days
    raise ValueError("no year has it")


Reading = tuple[Days, Place | None, str]
"""What a form says: `days`, `place` and `needs` of a mention."""

Reader = Callable[[Match[str], dt.date], Reading]


def compiled(forms: Iterable[tuple[str, Reader]]) -> list[tuple[Pattern[str], Reader]]:
    return [(re.compile(form), read) for form, read in forms]


def found(forms: Iterable[tuple[Pattern[str], Reader]], text: str, today: dt.date) -> Iterator[Mention]:
    """What the forms find in a text, overlapping ones too; what the calendar does not have is passed over."""
    for form, read in forms:
        for match in form.finditer(text):
            with suppress(ValueError, OverflowError):
                days, place, needs = read(match, today)
                yield Mention(match.start(), match.end(), days, place, needs)
