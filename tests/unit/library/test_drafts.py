"""What a person wrote: normalised, named, placed, and refused by name where it cannot be stored."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from cortex.errors import Invalid
from cortex.library.drafts import Draft, Placement, derived_title, draft
from cortex.text.language import Lang


def drafted(title: str = "", body: str = "", **placed: Any) -> Draft:
    return draft(title, body, most_bytes=1000, **placed)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# Heading\n\ntext", "Heading"),
        ("First words\nand more\n\n## Later heading", "Later heading"),
        ("**First** words\nand more", "First words"),
        ("\n\n- [ ] buy milk", "buy milk"),
        ("```\n# no heading\n```\n", "no heading"),
        ("第一行\n第二行", "第一行"),
        ("🐈", "🐈"),
        ("", ""),
        ("---\n***\n", ""),
    ],
)
def test_a_title_that_was_not_given_comes_from_the_body(body: str, title: str) -> None:
    assert derived_title(body) == title
    content = drafted("", body).content
    assert content["title"] == (title or "Untitled")
    assert content["titled"] is False


@pytest.mark.parametrize(("language", "title"), [("en", "Untitled"), ("zh", "无标题"), (None, "Untitled")])
def test_an_empty_note_is_named_in_the_readers_language(language: Lang | None, title: str) -> None:
    assert draft("", "", most_bytes=9, language=language).content["title"] == title


def test_lines_end_with_lf_and_nothing_else_changes() -> None:
    content = drafted("  A \n title ", "\ufeffone\r\ntwo\rthree\n\n  four \u2028 🐈").content
    assert content["title"] == "A title"
    assert content["text"] == "one\ntwo\nthree\n\n  four \u2028 🐈"
    assert content["size"] == len(content["text"].encode())


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"title": "a\0b"}, "title", "NUL"),
        ({"body": "a\0b"}, "body", "character 2"),
        ({"body": "a\ud83d"}, "body", "D83D"),
        ({"topic": "\udc00"}, "topic", "surrogate"),
        ({"tags": ["fine", "x\0"]}, "tags", "NUL"),
        ({"title": "x" * 501}, "title", "501"),
        ({"body": "中" * 334}, "body", "limits.note_kb"),
        ({"topic": "t" * 201}, "topic", "201"),
        ({"tags": ["t" * 201]}, "tags", "201"),
        ({"tags": [f"t{n}" for n in range(101)]}, "tags", "100"),
    ],
)
def test_what_cannot_be_stored_is_refused_by_name(given: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(Invalid, match=words) as refused:
        drafted(**given)
    assert refused.value.field == field


def test_a_body_of_just_the_limit_fits() -> None:
    assert drafted("", "中" * 333 + "x").content["size"] == 1000


def test_tags_are_each_once_without_their_sign() -> None:
    assert drafted(tags=["#work", " Work ", "＃生活", "生活", "two  words", "#", ""]).placed["tags"] == (
        "two words",
        "work",
        "生活",
    )


def test_what_was_not_said_stays() -> None:
    before = Placement("topic", dt.date(2026, 1, 14), "Kafka", ("a",))
    assert drafted().placement(before) == before
    assert drafted(tags=["b"]).placement(before) == Placement("topic", before.date, "Kafka", ("b",))
    assert drafted(date=None, tags=None).placement(before) == Placement("topic", None, "Kafka", ())
    assert drafted(topic=None).placement(before).kind == "note"
    assert drafted(topic="Tides").placement(Placement()).kind == "topic"
    assert drafted(kind="note", topic="Tides").placement(Placement()).kind == "note"


def test_a_weekly_notes_date_is_its_monday_and_its_quarter_that_of_its_thursday() -> None:
    placed = drafted(kind="weekly", date=dt.date(2026, 1, 1)).placement(Placement())
    assert placed.date == dt.date(2025, 12, 29)
    assert placed.period == 20261
    assert drafted(date=dt.date(2025, 12, 31)).placement(Placement()).period == 20254
    assert drafted(kind="weekly").placement(Placement()).period is None


def test_links_are_those_of_the_body_folded_and_cut() -> None:
    links = drafted("", f"[[Alpha|a]] [[alpha#h]] ![[图 片]] `[[code]]` [x](sub/b.md) [[{'é' * 300}]]").links
    assert links == ["alpha", "图 片", "sub/b.md", "é" * 300]
