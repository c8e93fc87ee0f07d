"""What stands between two rules at the top; PITFALL 5."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.text.frontmatter import LONGEST, split


def test_fields_and_body_are_parted() -> None:
    found = split("---\ntitle: A note\ndate: 2024-05-03\n---\n\n# Body\n")
    assert found.fields == {"title": "A note", "date": "2024-05-03"}
    assert (found.body, found.problem) == ("# Body\n", None)


def test_pitfall_5_broken_yaml_names_its_problem_and_keeps_body_and_plain_fields() -> None:
    found = split("---\ntitle: a: b: [c\ndate: 2024-05-03\ntags: [x, y]\n---\nbody")
    assert found.body == "body"
    assert found.problem is not None
    assert "line 2" in found.problem
    assert found.fields["date"] == "2024-05-03"
    assert found.fields["tags"] == ["x", "y"]


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("tags: [a, b]", ["a", "b"]),
        ("tags: a, b", ["a", "b"]),
        ("tags: a b", ["a", "b"]),
        ("tags: '#a #b/c'", ["a", "b/c"]),
        ("tags:\n  - 读书\n  - 2024\n  -", ["读书", "2024"]),
        ("Tags: 读书、旅行", ["读书", "旅行"]),
        ("标签: 读书", ["读书"]),
        ("tag: x\ntags: [x, y]", ["x", "y"]),
        ("tags:", []),
        ("tags: [no, on]", ["no", "on"]),
    ],
)
def test_pitfall_5_tags_as_string_or_list(written: str, tags: list[str]) -> None:
    assert split(f"---\n{written}\n---\n").fields["tags"] == tags


def test_pitfall_5_dates_without_a_zone_stay_without() -> None:
    found = split("---\na: 2024-05-03T10:20:30\nb: 2024-05-03 10:20\nc: 2024-05-03T10:20:30+08:00\nd: 12:30\n---\n")
    assert found.fields == {
        "a": "2024-05-03T10:20:30",
        "b": "2024-05-03 10:20",
        "c": "2024-05-03T10:20:30+08:00",
        "d": "12:30",
    }


def test_pitfall_5_an_impossible_date_is_a_problem_not_an_error() -> None:
    found = split("---\ndate: 2024-13-45\n---\nx")
    assert found.body == "x"
    assert found.problem
    assert found.fields["date"] == "2024-13-45"


def test_pitfall_5_a_rule_later_in_the_body_is_no_end() -> None:
    found = split("---\ntitle: x\n---\none\n\n---\n\ntwo: three\n")
    assert found.body == "one\n\n---\n\ntwo: three\n"


@pytest.mark.parametrize(
    "text",
    ["---\nJust some words.\n\n---\nMore.\n", "---\n# Heading\n---\nx", "---\n", "text\n---\na: b\n---\n", "--- a: b"],
)
def test_a_text_that_begins_with_a_rule_is_all_body(text: str) -> None:
    assert split(text).body == text


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff---\ntitle: x\n---\nb",
        "---\r\ntitle: x\r\n---\r\nb",
        "---  \ntitle: x\n...\nb",
        "---\ntitle: x\n---\n\n\nb",
    ],
)
def test_marks_and_ends_of_line_do_not_matter(text: str) -> None:
    found = split(text)
    assert (found.fields, found.body) == ({"title": "x"}, "b")


def test_empty_front_matter_is_gone() -> None:
    assert split("---\n---\nb").body == "b"


@pytest.mark.parametrize(
    "written",
    [
        "a: &a [1, 2]\nb: *a",
        "a: !!python/object/apply:os.system [ls]",
        "a: " + "[" * 5_000,
        "? [a]\n: b",
        "a: .nan\nb: .inf\nc: 1e400",
        "\ta: b",
        "a: 'open",
        "title: {{date}}",
        "a: \x01",
        "x: " + "y" * (LONGEST + 10) + "\ntitle: z",
        "a: 99999999999999999999999999",
        "true: yes\n2: 3\n2024-01-01: 4",
    ],
)
def test_hostile_fields_are_json_or_a_problem(written: str) -> None:
    found = split(f"---\n{written}\n---\nbody")
    assert found.body == "body"
    json.dumps(found.fields, allow_nan=False)


@given(st.text(alphabet=st.sampled_from("ab:-[]{}'\"#&*!|>% \n\t2024中"), max_size=200))
def test_nothing_raises_and_fields_are_json(written: str) -> None:
    found = split(f"---\n{written}\n---\nbody")
    json.dumps(found.fields, allow_nan=False)
    assert found.body.endswith("body")
