"""Two edits of one note: both are there where they touch different paragraphs, and neither is lost silently where they do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.library.merge import merge, merge_line

BASE = "# Plan\n\nFirst we measure.\n\nThen we cut.\n\n- saw\n- glue\n"


@pytest.mark.parametrize(
    ("mine", "theirs", "merged"),
    [
        (
            BASE.replace("measure", "measure twice"),
            BASE.replace("cut.", "cut once."),
            BASE.replace("measure", "measure twice").replace("cut.", "cut once."),
        ),
        (BASE.replace("- saw", "- fret saw"), BASE + "- clamps\n", BASE.replace("- saw", "- fret saw") + "- clamps\n"),
        (BASE.replace("First we measure.\n\n", ""), BASE.replace("glue", "bone glue"),
         "# Plan\n\nThen we cut.\n\n- saw\n- bone glue\n"),
        (BASE.replace("# Plan", "# The plan"), "First of all.\n\n" + BASE,
         "First of all.\n\n" + BASE.replace("# Plan", "# The plan")),
        (BASE + "\nOn the phone.\n", BASE + "\nAt the desk.\n", BASE + "\nAt the desk.\n\nOn the phone.\n"),
        (BASE.replace("measure", "weigh"), BASE.replace("measure", "guess"), None),
        (BASE.replace("First we measure.\n\n", ""), BASE.replace("measure", "guess"), None),
        (BASE + "\nWe hired", BASE + "\nWe hired Bob.\n", None),
        ("", BASE.replace("measure", "guess"), None),
        (BASE.replace("\n\n- saw", "\n\n\n\n- saw"), BASE.replace("measure", "guess"),
         BASE.replace("measure", "guess").replace("\n\n- saw", "\n\n\n\n- saw")),
        ("\n\n" + BASE, BASE + "\n\n", "\n\n" + BASE + "\n\n"),
    ],
)  # fmt: skip
def test_what_two_edits_give(mine: str, theirs: str, merged: str | None) -> None:
    assert merge(BASE, mine, theirs) == merged
    assert merge(BASE, theirs, mine) == merged


def test_paragraphs_that_never_stood_side_by_side_do_not_run_into_one() -> None:
    assert merge("a\n", "a\n\nb\n", "changed\n") == "changed\n\nb\n"
    assert merge("a\n# h\nz", "new\n\na\n# h\nz", "text instead\n\nz") == "new\n\ntext instead\n\nz"
    # A rule under a paragraph would make it a heading.
    merged = merge("a\n\nz", "a\n\n---\n\nz", "a\n\nb\n\nz")
    assert merged is not None
    assert "\n\n---" in merged


def test_a_line_goes_to_the_side_that_changed_it() -> None:
    assert merge_line("a", "b", "a") == merge_line("a", "a", "b") == merge_line("a", "b", "b") == "b"
    assert merge_line("a", "b", "c") is None


_WORDS = st.text(alphabet="abc 中文🐈", min_size=1, max_size=12).map(str.strip).filter(bool)
_PARAGRAPHS = st.lists(st.one_of(_WORDS, _WORDS.map(lambda w: f"- {w}"), _WORDS.map(lambda w: f"# {w}")), max_size=7)
_TEXTS = _PARAGRAPHS.map("\n\n".join)
_ANYTHING = st.text(alphabet="ab #-`>|\n", max_size=40)


@given(st.one_of(_TEXTS, _ANYTHING), st.one_of(_TEXTS, _ANYTHING))
def test_an_edit_of_one_side_alone_is_taken_as_it_is(base: str, edited: str) -> None:
    assert merge(base, base, edited) == merge(base, edited, base) == merge(base, edited, edited) == edited


@given(st.one_of(_TEXTS, _ANYTHING), st.one_of(_TEXTS, _ANYTHING), st.one_of(_TEXTS, _ANYTHING))
def test_it_makes_no_difference_which_side_is_mine(base: str, mine: str, theirs: str) -> None:
    assert merge(base, mine, theirs) == merge(base, theirs, mine)


@given(st.lists(_WORDS, min_size=2, max_size=7, unique=True), st.data())
def test_edits_of_different_paragraphs_are_both_there(paragraphs: list[str], data: st.DataObject) -> None:
    places = st.integers(0, len(paragraphs) - 1)
    one = data.draw(places)
    other = data.draw(places.filter(lambda at: at != one))
    edited, expected = [list(paragraphs), list(paragraphs)], list(paragraphs)
    for text, at, word in ((edited[0], one, "MINE"), (edited[1], other, "THEIRS")):
        text[at] = expected[at] = f"{text[at]} {word}"
    merged = merge(*("\n\n".join(text) for text in (paragraphs, *edited)))
    assert merged == "\n\n".join(expected)


@given(st.lists(_WORDS, max_size=6, unique=True), st.data())
def test_whatever_is_added_or_taken_away_in_different_places_is_merged_without_loss(
    paragraphs: list[str], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(paragraphs)))
    gone = data.draw(st.sets(st.sampled_from(paragraphs))) if paragraphs else set()
    mine = [*paragraphs[:at], "ADDED", *paragraphs[at:]]
    theirs = [words for words in paragraphs if words not in gone]
    merged = merge("\n\n".join(paragraphs), "\n\n".join(mine), "\n\n".join(theirs))
    if merged is not None:  # an addition in the middle of what the other side took away as a whole is a conflict
        assert merged.split("\n\n") == [words for words in mine if words not in gone]


def test_texts_that_differ_in_thousands_of_paragraphs_are_not_compared_for_minutes() -> None:
    base = "- x\n" * 20_000
    assert merge(base, "first\n\n" + base, base + "\nlast\n") == "first\n\n" + base + "\nlast\n"
    assert merge(base, "- y\n" * 20_000, "- z\n" + base) is None
