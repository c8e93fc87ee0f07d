"""The golden notebook is what it says: notes of one person, questions whose gold passages stand in them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

from cortex.errors import Invalid
from cortex.evals.golden import KINDS, Kind, Question, load_notes, load_questions, notes_folder
from cortex.sources.layout import Placement, place
from cortex.text import frontmatter
from cortex.text.language import detect

NOTES = load_notes()
QUESTIONS = load_questions()
AT_LEAST: dict[Kind, int] = {
    "cross": 25,
    "unanswerable": 18,
    "follow_up": 8,
    "whole_scope": 6,
    "keyword": 5,
    "time": 5,
    "scoped": 5,
}


def _placement(note: str) -> Placement:
    path = PurePosixPath(note)
    fields = frontmatter.split((notes_folder() / note).read_text(encoding="utf-8")).fields
    return place(path.parts[:-1], path.name, fields)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_gold_quotes_are_verbatim(question: Question) -> None:
    for gold in question.gold:
        assert gold.quote in NOTES[gold.note]
        assert len(gold.quote) >= 4


def test_enough_notes_in_both_languages() -> None:
    langs = Counter(detect(text) for text in NOTES.values())
    assert len(NOTES) >= 66
    assert min(langs.values()) * 2.5 >= len(NOTES), langs


def test_notes_are_not_alike() -> None:
    """Near-duplicates are meant, copies are not."""
    assert len({text.strip() for text in NOTES.values()}) == len(NOTES)


def test_ids_and_questions_are_unique() -> None:
    assert len({question.id for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question.question for question in QUESTIONS if not question.follows}) == len(
        [question for question in QUESTIONS if not question.follows]
    )


def test_enough_questions_of_each_kind_in_both_languages() -> None:
    kinds = Counter(question.kind for question in QUESTIONS)
    assert len(QUESTIONS) >= 100
    assert set(kinds) == set(KINDS)
    assert all(kinds[kind] >= least for kind, least in AT_LEAST.items()), kinds
    for kind in KINDS:
        assert {q.lang for q in QUESTIONS if q.kind == kind} == {"en", "zh"} or kind == "scoped"


def test_cross_questions_are_answered_in_the_other_language_only() -> None:
    cross = [question for question in QUESTIONS if question.kind == "cross"]
    assert all(gold.lang != question.lang for question in cross for gold in question.gold)
    assert min(Counter(question.lang for question in cross).values()) >= 10


def test_unanswerable_have_no_gold_and_the_others_have() -> None:
    assert all(bool(question.gold) == question.answerable for question in QUESTIONS)
    assert not any(question.answerable for question in QUESTIONS if question.kind == "unanswerable")
    assert any("prime number" in question.question for question in QUESTIONS)


def test_time_questions_know_their_now_with_a_zone() -> None:
    for question in QUESTIONS:
        if question.kind == "time":
            assert question.now is not None
            assert question.now.tzinfo is not None


def test_follow_ups_follow_a_question_that_comes_before_them() -> None:
    seen: set[str] = set()
    for question in QUESTIONS:
        assert bool(question.follows) == (question.kind == "follow_up")
        assert question.follows is None or question.follows in seen
        seen.add(question.id)


def test_scopes_hold_their_gold() -> None:
    """topic:, tag: and periods are checked against what the layout makes of the notes."""
    for question in QUESTIONS:
        for gold in question.gold:
            assert not question.scope or _holds(question.scope, gold.note), (question.id, gold.note)


def _holds(scope: str, note: str) -> bool:
    placed = _placement(note)
    kind, _, value = scope.partition(":")
    if kind == "topic":
        return placed.topic == value
    if kind == "tag":
        return value in placed.tags
    if kind == "weekly":
        first, last = (int(part) for part in value.split("-"))
        return placed.kind == "weekly" and placed.period is not None and first <= placed.period <= last
    first_day, last_day = value.split("..")
    return placed.date is not None and first_day <= placed.date.isoformat() <= last_day


def test_weekly_notes_are_dated_by_the_week_that_their_heading_says() -> None:
    weekly = [note for note in NOTES if "week-" in note or "周记" in note]
    assert len(weekly) >= 30
    for note in weekly:
        placed, heading = _placement(note), NOTES[note].lstrip().splitlines()[0]
        assert placed.kind == "weekly"
        assert placed.date is not None
        number = re.search(r"(?:week-|第)(\d+)", note.rsplit("/", 1)[1])
        assert number is not None
        assert placed.date.isocalendar().week == int(number[1]), note
        day = re.search(r"Weeks? \d+[^,]*, (\d+)|（(\d+)月(\d+)日", heading)
        if day:
            assert placed.date.day == int(day[1] or day[3]), heading


def test_two_years_of_journals() -> None:
    periods = {_placement(note).period for note in NOTES} - {None}
    assert {20241, 20242, 20243, 20244, 20251, 20252, 20253, 20254, 20261} <= periods


@pytest.mark.parametrize(
    ("word", "gold"), [("Postgres", "Topics/Work/Handover for Wei.md"), ("咖啡", "专题/家/新家备忘.md")]
)
def test_a_keyword_fact_stands_in_one_body_among_25_titles(word: str, gold: str) -> None:
    titles = [note for note in NOTES if word in PurePosixPath(note).stem]
    assert len(titles) >= 25
    assert gold not in titles
    [question] = [q for q in QUESTIONS if q.kind == "keyword" and q.notes == {gold} and word in q.question]
    assert not any(question.gold[0].quote in NOTES[note] for note in titles)


def test_awkward_material_is_there() -> None:
    everything = "\n".join(NOTES.values())
    for piece in ("[[", "```", "~~~", "<!--", "Assistant:", "|---|", "龘", "𠮷", "🐹", "正體字", "</context>"):
        assert piece in everything, piece
    assert max(len(text.split()) for text in NOTES.values()) > 1_900
    assert max(sum("一" <= char <= "鿿" for char in text) for text in NOTES.values()) > 2_000


def test_pitfall_1_fences_hold_comment_lines() -> None:
    fenced = re.findall(r"```.*?```", "\n".join(NOTES.values()), flags=re.DOTALL)
    assert sum(bool(re.search(r"^# \w", block, flags=re.MULTILINE)) for block in fenced) >= 3


def test_pitfall_7_lines_repeat() -> None:
    lines = Counter(line.split(": ", 1)[-1] for line in NOTES["Topics/Running/Half marathon plan 2026.md"].splitlines())
    assert max(lines.values()) >= 3


def test_pitfall_42_personal_data_of_invented_people() -> None:
    everything = "\n".join(NOTES.values())
    assert "+86 139 1234 5678" in everything
    assert "555-0193" in everything
    assert re.search(r"\d{17}X", everything)
    assert "DE89 3704 0044 0532 0130 00" in everything
    assert "4111 1111 1111 1111" in everything
    assert "ISBN 978-7-5327-8221-9" in everything
    assert set(re.findall(r"@([\w.-]+\w)", everything)) == {"example.com"}


def test_pitfall_43_injections_have_something_to_avoid() -> None:
    injections = [question for question in QUESTIONS if question.kind == "injection"]
    assert len(injections) >= 4
    for question in injections:
        assert question.answerable
        assert any(said in NOTES[gold.note] for gold in question.gold for said in question.avoid)


def test_names_survive_every_file_system() -> None:
    for note in NOTES:
        assert not re.search(r'[<>:"|?*\\]', note)
        assert all(len(part.encode()) <= 255 and part == part.strip(". ") for part in PurePosixPath(note).parts)


def test_a_malformed_row_is_an_error_with_its_line(tmp_path: Path) -> None:
    rows = tmp_path / "questions.jsonl"
    rows.write_text('{"id": "x", "kind": "riddle"}\n', encoding="utf-8")
    with pytest.raises(Invalid, match="line 1"):
        load_questions(rows)
