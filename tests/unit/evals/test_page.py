"""The page stands alone: nothing is fetched, nothing from a note becomes markup."""

from __future__ import annotations

import datetime as dt
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from cortex.evals import plots, runs
from cortex.evals.golden import Gold, Question
from cortex.evals.page import as_page
from cortex.evals.report import as_json
from cortex.evals.run import Answered, Found, Searched, run

GOLD = Gold("a.md", "The raise is 14 %.", "en")
ASKED = [
    Question("hit", "recall", "en", "How much is the raise?", (GOLD,), True),
    Question("miss", "cross", "zh", "<script>alert(1)</script> & 加薪多少？", (GOLD,), True),
    Question("none", "unanswerable", "en", "Who won?", (), False),
]


async def search(question: str, scope: str, now: dt.datetime | None) -> Searched:
    found = ["b.md"] if "script" in question else ["a.md", "b.md"]
    return Searched(
        [Found(note, "The raise is 14 %.") for note in found],
        covered="won" not in question,
        probability=0.2 if "won" in question else 0.8,
        legs={"deep": found, "body": ["b.md"]},
        without={"deep": ["b.md", "a.md"]},
        by_depth={5: found},
        reached={"a.md": 3, "b.md": 1},
    )


@pytest.fixture
async def stamped() -> dict[str, Any]:
    async def ask(question: str, scope: str, now: dt.datetime | None, language: str) -> Answered:
        return Answered("won" not in question and "script" in question, "14 %.", [])

    report = await run(search, ask, ASKED)
    return runs.stamped(as_json(report), dt.datetime(2026, 5, 3, tzinfo=dt.UTC))


class Shape(HTMLParser):
    """Counts elements and holds that each one that opens is closed."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


async def test_the_page_is_whole_and_fetches_nothing(stamped: dict[str, Any]) -> None:
    page = as_page(stamped)
    shape = Shape()
    shape.feed(page)
    assert shape.open == []
    assert {"svg", "table", "figure"} <= set(shape.seen)
    assert not {"script", "link", "img", "iframe"} & set(shape.seen)
    assert not re.search(r"https?:|url\(|@import|src=", page)
    assert "prefers-color-scheme: dark" in page


async def test_every_miss_is_listed_with_its_gold_and_what_came_first(stamped: dict[str, Any]) -> None:
    page = as_page(stamped)
    assert "Not first: 1" in page
    assert "Falsely refused: 1" in page
    assert "Answered without a right citation: 1" in page
    assert "Unanswerable, and not refused: 1" in page
    row = next(line for line in re.findall(r"<tr>.*?</tr>", page) if ">miss<" in line)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; 加薪多少？" in row
    assert "a.md" in row
    assert "b.md" in row


async def test_changes_stand_beside_their_figures(stamped: dict[str, Any]) -> None:
    before = {**stamped, "overall": {**stamped["overall"], "recall_at_1": 0.0}}
    page = as_page({**stamped, "difference": runs.difference(stamped, before)})
    assert '0.500<i class="up">+0.500</i>' in page
    assert "change since 2026-05-03T00:00:00+00:00" in page
    assert 'class="up"' not in as_page({**stamped, "difference": None})


def test_a_line_stays_inside_its_frame() -> None:
    drawn = plots.lines("t", {"a": [(0, 0), (1, 1)]}, "x", "y", marks={"a": (0.5, 0.5)})
    assert "M64.0 256.0L444.0 12.0" in drawn
    stepped = plots.lines("t", {"a": [(0, 0), (1, 1)]}, "x", "y", stepped=True)
    assert "M64.0 256.0H444.0V12.0" in stepped


def test_dots_beyond_the_axis_stand_at_its_end() -> None:
    drawn = plots.dots("t", {"row": {"a": 5.0, "b": -5.0}}, ["a", "b"], -1.0, 1.0)
    places = [float(place) for place in re.findall(r'cx="([\d.]+)"', drawn)]
    assert places == [436.0, 112.0]
    assert 'class="zero"' in drawn
