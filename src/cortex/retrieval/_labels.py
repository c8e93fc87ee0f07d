"""How spans of days read on a chip: a whole year, quarter, month or week by its name, weeks with their days too."""

from __future__ import annotations

import datetime as dt

from cortex.retrieval import _times_calendar as calendar

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def english(first: dt.date, last: dt.date) -> str:
    if first == calendar.BEGINNING:
        return f"until {last}"
    name = _name(first, last)
    if name == "year":
        return str(first.year) if first.year == last.year else f"{first.year} – {last.year}"
    if name == "quarter":
        return f"{first.year} Q{last.month // 3}"
    if name == "month":
        return f"{_MONTHS[first.month - 1]} {first.year}"
    if name == "week":
        year, week, _ = first.isocalendar()
        begin = f"{first.day} {_MONTHS[first.month - 1][:3]}" if first.month != last.month else str(first.day)
        return f"{year} W{week:02}, {begin}–{last.day} {_MONTHS[last.month - 1][:3]}"
    return str(first) if first == last else f"{first} – {last}"


def chinese(first: dt.date, last: dt.date) -> str:
    if first == calendar.BEGINNING:
        return f"{_day(last)}及以前"
    name = _name(first, last)
    if name == "year":
        return f"{first.year}年" if first.year == last.year else f"{first.year}年 – {last.year}年"
    if name == "quarter":
        return f"{first.year}年第{'一二三四'[last.month // 3 - 1]}季度"
    if name == "month":
        return f"{first.year}年{first.month}月"
    if name == "week":
        year, week, _ = first.isocalendar()
        end = f"{last.day}日" if first.month == last.month else f"{last.month}月{last.day}日"
        return f"{year}年第{week}周，{first.month}月{first.day}日 – {end}"
    return _day(first) if first == last else f"{_day(first)} – {_day(last)}"


def _day(date: dt.date) -> str:
    return f"{date.year}年{date.month}月{date.day}日"


def _name(first: dt.date, last: dt.date) -> str:
    """Which whole unit the days are: year (or several), quarter, month, week; empty for none."""
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return "year"
    if (first, last) == calendar.quarter(first.year, (first.month + 2) // 3):
        return "quarter"
    if (first, last) == calendar.month(first.year, first.month):
        return "month"
    return "week" if (last - first).days == 6 and first.weekday() == 0 else ""
