"""The time of a question: whatever is asked, and over questions that were not written for it."""

from __future__ import annotations

import datetime as dt
import json
import time
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.evals.golden import Question, load_questions, notes_folder
from cortex.retrieval import _times_calendar as calendar
from cortex.retrieval.times import Span, read, without
from cortex.sources.layout import place
from cortex.text import frontmatter

TODAY = dt.date(2026, 5, 20)
PIECES = [
    "last", "this", "the", "in", "since", "before", "between", "and", "to", "of", "week", "month", "year", "quarter", "Q1", "Q5", "May",
    "march", "30 February", "2024", "1900", "2099", "9999", "week 53", "0 days ago", "999 years ago", "2024-02-30", "20240503", "May 31st",
    "上", "上上上上周", "去年", "前年", "年底",
    "第53周", "第99周", "十三月", "二月三十号", "零月", "到", "至", "以来", "之前", "最近九十九年", "半年前",
    "1月到13月", "2024年", "99年", "「", "」", "《", "\"", "`", "[[", "İ", "ß", "𠮷", "🐈", "\u0000", "\u3000", "ＱＩ", "２０２４年５月",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=12)


@given(pieces=texts, glue=st.sampled_from(["", " ", ", ", "的"]), today=st.dates())
@settings(max_examples=400, deadline=None)
def test_it_never_raises_and_ends_no_earlier_than_it_begins(pieces: list[str], glue: str, today: dt.date) -> None:
    question = glue.join(pieces)
    span = read(question, today)
    if span is not None:
        assert span.first <= span.last
        assert span.first <= today
        assert span.words
        assert all(0 <= start < end <= len(question) for start, end in span.words)
        assert len(without(question, span)) <= len(question)


@pytest.mark.parametrize(
    "piece", ["last ", "上", "2024-", "三月到", "May 3 to ", "“", "去年", "2024年", "from 2024 to ", "a"]
)
def test_time_grows_with_the_size(piece: str) -> None:
    def seconds(length: int) -> float:
        question = (piece * length)[:length]
        spent = []
        for _ in range(3):
            started = time.process_time()
            read(question, TODAY)
            spent.append(time.process_time() - started)
        return min(spent)

    assert seconds(16_000) < 9 * (seconds(4_000) + 0.002)


def test_the_words_of_the_time_can_be_taken_out() -> None:
    question = "What did I cook between March and May 2025 in Tofino?"
    span = read(question, TODAY)
    assert span is not None
    assert [question[start:end] for start, end in span.words] == ["between March and May 2025"]
    assert without(question, span) == "What did I cook in Tofino?"
    assert without("上周小满班上做了什么？", Span(TODAY, TODAY, ((0, 2),))) == "小满班上做了什么？"


@pytest.mark.parametrize(
    "question", [question for question in load_questions() if question.kind == "time"], ids=lambda question: question.id
)
def test_the_time_questions_of_the_golden_notebook_reach_their_notes(question: Question) -> None:
    assert question.now is not None
    span = read(question.question, question.now.date())
    assert span is not None
    for note in question.notes:
        path = PurePosixPath(note)
        fields = frontmatter.split((notes_folder() / note).read_text(encoding="utf-8")).fields
        placed = place(path.parts[:-1], path.name, fields)
        if placed.date:
            days = (placed.date, placed.date + dt.timedelta(days=6 if placed.kind == "weekly" else 0))
        else:
            assert placed.period is not None
            days = calendar.quarter(placed.period // 10, placed.period % 10)
        assert span.first <= days[1]
        assert days[0] <= span.last


def test_questions_of_an_encyclopedia_hardly_ever_name_a_time_of_a_notebook(shared: Path) -> None:
    """A year such as 1870 never; a year of our time is dropped later unless notes of the library fall into it."""
    named = []
    asked = 0
    for file, fields in (("xquad_dev", ("question_en", "question_zh")), ("cmrc_trial", ("question",))):
        for line in (shared / "data" / file / "questions.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            for field in fields:
                asked += 1
                span = read(row[field], TODAY)
                if span and span.last >= dt.date(2022, 1, 1):
                    named.append(row[field])
    assert asked > 1000
    assert len(named) <= asked * 0.005, named
