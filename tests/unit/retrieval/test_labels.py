"""Chips spell a span of days the way people say it."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.retrieval.scope import Term, parse


@pytest.mark.parametrize(
    ("dates", "english", "chinese"),
    [
        ("2024-01-01..2024-12-31", "2024", "2024年"),
        ("2024-01-01..2025-12-31", "2024 – 2025", "2024年 – 2025年"),
        ("2026-01-01..2026-03-31", "2026 Q1", "2026年第一季度"),
        ("2024-02-01..2024-02-29", "February 2024", "2024年2月"),
        ("2026-01-12..2026-01-18", "2026 W03, 12–18 Jan", "2026年第3周，1月12日 – 18日"),
        ("2025-12-29..2026-01-04", "2026 W01, 29 Dec–4 Jan", "2026年第1周，12月29日 – 1月4日"),
        ("2024-05-03..2024-05-03", "2024-05-03", "2024年5月3日"),
        ("2024-05-03..2024-06-03", "2024-05-03 – 2024-06-03", "2024年5月3日 – 2024年6月3日"),
        ("0001-01-01..2023-12-31", "until 2023-12-31", "2023年12月31日及以前"),
    ],
)
def test_labels(dates: str, english: str, chinese: str) -> None:
    (term,) = parse(f"date:{dates}").terms
    assert (term.label_en, term.label_zh) == (english, chinese)


@given(st.tuples(st.dates(), st.dates()).map(sorted))
def test_every_span_has_labels_and_can_be_read_back(days: list[dt.date]) -> None:
    term = Term("date", dates=(days[0], days[1]))
    assert term.label_en
    assert term.label_zh
    assert parse(str(term)).terms == (term,)
