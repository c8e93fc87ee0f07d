"""Scope strings: read, written back, refused with the known terms."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.errors import Invalid
from cortex.retrieval.scope import Scope, Term, parse, storable


def test_an_empty_scope_is_everything() -> None:
    assert parse("") == Scope()
    assert parse(" ; ") == Scope()


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("weekly", Term("weekly")),
        ("weekly:20241-20252", Term("weekly", periods=(20241, 20252))),
        ("weekly:20241", Term("weekly", periods=(20241, 20241))),
        ("date:2024-05-01..2024-05-31", Term("date", dates=(dt.date(2024, 5, 1), dt.date(2024, 5, 31)))),
        ("topic:Kafka", Term("topic", name="Kafka")),
        ("topic:a%3Bb", Term("topic", name="a;b")),
        ("topic:a:b", Term("topic", name="a:b")),
        ("source:journals", Term("source", name="journals")),
        ("tag:#工作", Term("tag", name="工作")),
        ("note:81", Term("note", note=81)),
        ("origin:answer", Term("origin", name="answer")),
    ],
)
def test_each_term_is_read(text: str, term: Term) -> None:
    assert parse(text).terms == (term,)


def test_several_terms_are_joined() -> None:
    assert [term.kind for term in parse("weekly:20241-20241; topic:搬家;tag:a").terms] == ["weekly", "topic", "tag"]


@pytest.mark.parametrize(
    "text",
    ["monthly", "weekly:2024", "weekly:20245-20251", "weekly:20252-20241", "date:2024-13-01..2024-12-01", "date:yesterday",
     "date:2024-05-02..2024-05-01", "topic:", "note:x", "note:-1", "note:9999999999999999999999", "origin:person", "topic"],
)  # fmt: skip
def test_a_term_that_is_wrong_says_what_would_be_right(text: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse(text)
    assert caught.value.field == "scope"
    assert (
        "weekly:20241-20252" in caught.value.message
        or "date:2024-05-01" in caught.value.message
        or "ends before" in caught.value.message
    )


@pytest.mark.parametrize("text", ["topic:%00", "tag:\ud800", "source:a\0b"])
def test_what_no_text_can_hold_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="no text can hold"):
        parse(text)


@given(st.text(min_size=1, max_size=40).filter(lambda name: name.strip() == name and name[0] != "#" and storable(name)))
def test_any_name_survives_being_written_and_read(name: str) -> None:
    for kind in ("topic", "source", "tag"):
        scope = Scope((Term(kind, name=name), Term("weekly")))
        assert parse(str(scope)) == scope


def test_labels_spell_out_quarters_and_days() -> None:
    term = parse("weekly:20261-20262").terms[0]
    assert term.label_en == "Weekly notes, 2026 Q1 – 2026 Q2"
    assert term.label_zh == "周记，2026 年第一季度 – 2026 年第二季度"
    assert parse("date:2026-01-05..2026-01-05").terms[0].label_zh == "2026年1月5日"
