"""Dates as people write them, and what only looks like one."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.sources import calendar
from cortex.sources.calendar import When

DAYS = {
    "2026-01-15": (2026, 1, 15),
    "2026-1-5 dentist": (2026, 1, 5),
    "2023-08-13整理给老妹的必备macos软件": (2023, 8, 13),
    "白板 2023-08-01": (2023, 8, 1),
    "2026.01.15": (2026, 1, 15),
    "2026_01_15 notes": (2026, 1, 15),
    "20260115": (2026, 1, 15),
    "日记20260115": (2026, 1, 15),
    "IMG_20260115_103000": (2026, 1, 15),
    "202601151030 a zettel": (2026, 1, 15),
    "20260115T1030": (2026, 1, 15),
    "2026年1月15日": (2026, 1, 15),
    "2026年01月15日会议": (2026, 1, 15),
    "２０２６年１月１５日": (2026, 1, 15),
    "2026年十二月三十一日": (2026, 12, 31),
    "January 15, 2026": (2026, 1, 15),
    "3 Mar 2026": (2026, 3, 3),
    "2026-01-15-1030 call": (2026, 1, 15),
    "2024-02-29": (2024, 2, 29),
    "2022-07-25T10:12:00+08:00": (2022, 7, 25),
}


@pytest.mark.parametrize("name", DAYS)
def test_a_day_in_a_name(name: str) -> None:
    found = calendar.in_name(name)
    assert found is not None
    assert found.date == dt.date(*DAYS[name])
    assert found.period == calendar.period_of(found.date)


@pytest.mark.parametrize(
    "name",
    [
        "20261345",
        "2026-13-45",
        "2026-02-30",
        "20230229",
        "v2026.01.15",
        "python 3.12.20260115",
        "release 2024.01.15.3",
        "2024.1",
        "1.20240115",
        "13920260115",
        "139 20260115",
        "010-20260115",
        "+8620260115",
        "电话20260115",
        "QQ 20260115",
        "id20260115",
        "order-20260115",
        "ticket #20260115",
        "20260115a7f3",
        "a20260115",
        "2026011512345678901",
        "20260115-7700123",
        "ISBN 9787302511625",
        "978-20-26011-5",
        "3f2026-01-15",
        "1024",
        "2024",
        "1984",
        "week 3",
        "Q1",
        "5W2H",
        "2026-Q5",
        "2026-W54",
        "2025-W53",
        "2025-XX-XX",
        "{{date}}",
        "18991231",
        "210001011",
        "127.0.0.1",
        "1920x1080",
        "rfc 2616",
        "给下属写周报",
        "",
    ],
)
def test_no_date_is_invented(name: str) -> None:
    assert calendar.in_name(name) is None


@pytest.mark.parametrize(
    "name", ["2026-W03", "2026W3", "2026 week 03 notes", "2026年第3周", "2026年第三周", "W03 2026", "2026-wk3"]
)
def test_a_week_is_its_monday(name: str) -> None:
    assert calendar.in_name(name) == When(dt.date(2026, 1, 12), 20261, weekly=True)


def test_two_days_that_bound_a_week() -> None:
    assert calendar.in_name("2026-01-12~2026-01-18") == When(dt.date(2026, 1, 12), 20261, weekly=True)
    assert calendar.in_name("2026-01-12 to 2026-03-18") == When(dt.date(2026, 1, 12), 20261)


def test_a_week_belongs_to_the_quarter_of_its_thursday() -> None:
    assert calendar.week(2026, 1) == When(dt.date(2025, 12, 29), 20261, weekly=True)
    assert calendar.week(2020, 53) == When(dt.date(2020, 12, 28), 20204, weekly=True)


@pytest.mark.parametrize(
    ("name", "period"),
    [
        ("2026-Q2 review", 20262),
        ("Q3 2025", 20253),
        ("2026年第一季度", 20261),
        ("2026年四季度总结", 20264),
        ("2026年3月", 20261),
        ("2026-07", 20263),
    ],
)
def test_a_quarter_or_month_has_no_day(name: str, period: int) -> None:
    assert calendar.in_name(name) == When(None, period)


@pytest.mark.parametrize(
    ("value", "day"),
    [
        (dt.date(2026, 1, 15), 15),
        (dt.datetime(2026, 1, 15, 23, 59, tzinfo=dt.timezone(dt.timedelta(hours=-8))), 15),
        (dt.datetime(2026, 1, 15), 15),
        ("2026-01-15 10:12", 15),
        ("2026/01/15", 15),
        (20260115, 15),
        (["2026-01-15"], 15),
    ],
)
def test_front_matter_dates_with_and_without_a_zone(value: object, day: int) -> None:
    assert calendar.in_field(value) == When(dt.date(2026, 1, day), 20261)


@pytest.mark.parametrize("value", [None, True, 1700000000, 3.5, {}, [], "soon", dt.date(1, 1, 1)])
def test_other_values_are_no_dates(value: object) -> None:
    assert calendar.in_field(value) is None


@given(st.dates(dt.date(1900, 1, 1), dt.date(2099, 12, 31)))
def test_every_day_is_read_in_every_form(date: dt.date) -> None:
    for text in (
        f"{date}",
        f"{date:%Y%m%d}",
        f"{date.year}年{date.month}月{date.day}日",
        f"{date:%Y.%m.%d}",
        f"notes {date} x",
    ):
        found = calendar.in_name(text)
        assert found is not None
        assert found.date == date


@given(st.text(max_size=40))
def test_any_name_is_read_without_an_error(name: str) -> None:
    found = calendar.in_name(name)
    assert found is None or found.period


@given(st.integers(1900, 2099), st.integers(1, 4))
def test_weeks_of_a_quarter_tile_it(year: int, quarter: int) -> None:
    weeks = [calendar.week_of(year, quarter * 3 - 2, 3, n) for n in range(1, 16)]
    found = [week for week in weeks if week]
    assert len(found) in (12, 13, 14)  # Q1 of a common year may hold 12 Thursdays
    assert {week.period for week in found} == {year * 10 + quarter}
    assert weeks[: len(found)] == found
