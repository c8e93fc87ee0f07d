"""Blocks with exact places; headings, links and plain words; PITFALLS 1, 2 and 6."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cortex.text.markdown import Heading, blocks, links, outline, plain, title

Clock = Callable[[Callable[[], object]], float]


def headings(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in outline(text)]


def test_blocks_carry_kind_place_and_path() -> None:
    text = "# A\nwords\nmore\n\n## B\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n---\n"
    found = [(block.kind, text[block.start : block.end], block.headings) for block in blocks(text)]
    assert found == [
        ("heading", "# A", ("A",)),
        ("paragraph", "words\nmore", ("A",)),
        ("heading", "## B", ("A", "B")),
        ("list", "- one", ("A", "B")),
        ("list", "- two", ("A", "B")),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |", ("A", "B")),
        ("quote", "> said", ("A", "B")),
        ("rule", "---", ("A", "B")),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```sh\n# no\n```\n",
        "~~~\n# no\n~~~\n",
        "````md\n```\n# no\n```\n# no\n````\n",
        "~~~\n```\n# no\n~~~\n",
        "```\n# no, unclosed\n\n# no\n",
        "- item\n\n  ```\n  # no\n  ```\n",
        "1. item\n   ```\n# no\n   ```\n",
        "> ```\n> # no\n> ```\n",
        "    # indented code\n",
        "<!--\n# no\n-->\n",
        "<pre>\n# no\n\n# no\n</pre>\n",
        "#hashtag\n",
        "```` `\n",
        "text ``` # no\n",
    ],
)
def test_pitfall_1_code_and_comments_give_no_headings(text: str) -> None:
    assert headings(text) == []


def test_pitfall_1_headings_after_a_fence_count() -> None:
    assert headings("```\n# no\n```\n# yes\n> ```\n> # no\n\n# yes too\n") == [(1, "yes"), (1, "yes too")]


def test_setext_headings_and_closing_hashes() -> None:
    assert headings("One\n===\n\nTwo\n---\n\n### Three ##\n\n#### C#\n\n#\n") == [
        (1, "One"),
        (2, "Two"),
        (3, "Three"),
        (4, "C#"),
    ]


def test_headings_are_words_without_markup() -> None:
    assert headings("# **A** [b](c) [[d|e]] `f`\n") == [(1, "A b e f")]
    assert outline("x\n\n## 标题") == [Heading(2, "标题", 3)]


def test_the_title_is_the_first_heading_of_any_level() -> None:
    assert title("words\n\n## Second\n# First\n") == "Second"
    assert title("no heading") is None


def test_pitfall_6_links_inside_a_source() -> None:
    text = "[[a|b]] [[c#h]] ![[d.png]] [e](../f%20g.md#x) [h](https://i/j) [k](#l) `[[no]]` [[a]]\n\n```\n[[no]]\n```\n| [[m\\|n]] |\n"
    assert links(text) == ["a", "c", "d.png", "../f g.md", "m"]


def test_pitfall_6_wiki_links_are_searched_as_their_text() -> None:
    assert plain("see [[a|b]], [[a#h]] and ![[embed]]") == "see b, a h and embed"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**bold** _it_ ~~gone~~ ==mark== `code`", "bold it gone mark code"),
        ("[words](https://example.com/x) ![alt](img.png)", "words alt"),
        ("- [ ] do\n1. first\n> said\n## Head", "do\nfirst\nsaid\nHead"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n\n1 | 2"),
        ("a <b>c</b> <!-- d --> e", "a  c    e"),
        ("vector<int> and a < b > c", "vector<int> and a < b > c"),
        ("![x](data:image/png;base64," + "A" * 500 + ") after", "x after"),
        ("snake_case_name stays, 2 * 3 * 4 too", "snake_case_name stays, 2 * 3 * 4 too"),
        ("see https://www.example.com/guide/install?utm=1#top now", "see example.com guide install now"),
        ("[ref][1]\n\n[1]: https://example.com\n[^1]: a footnote", "ref\n\n[^1]: a footnote"),
        ("一句。^ab12\nwords ^cd-34\n2^10", "一句。\nwords\n2^10"),
        ("a &amp; b \\* c", "a & b * c"),
        ("```python\nx = 1\n```", "x = 1"),
    ],
)
def test_plain_words(text: str, words: str) -> None:
    assert plain(text) == words


@given(st.text(alphabet=st.sampled_from("#->`~=*_|[]()!<>:\\ \n\t1.a中。"), max_size=300))
def test_blocks_are_apart_in_order_and_leave_only_blanks(text: str) -> None:
    found = blocks(text)
    at = 0
    for block in found:
        assert not text[at : block.start].strip()
        assert block.start < block.end <= len(text)
        at = block.end
    assert not text[at:].strip()


@given(
    st.lists(
        st.sampled_from(["# A", "## B", "text", "", "```", "- item", "> q", "    code", "===", "| a |", "|---|"]),
        max_size=12,
    )
)
def test_headings_agree_with_a_full_parser(lines: list[str]) -> None:
    text = "\n".join(lines)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    theirs = [int(token.tag[1]) for token in tokens if token.type == "heading_open" and token.level == 0]
    assert [block.level for block in blocks(text) if block.kind == "heading"] == theirs


def test_naughty_strings_raise_nothing(naughty: list[str]) -> None:
    for text in naughty:
        blocks(text), outline(text), title(text), links(text), plain(text)


def test_pitfall_2_and_9_hostile_texts_take_linear_time(hostile: str, clock: Clock) -> None:
    for function in (blocks, links, plain):
        assert clock(lambda f=function: f(hostile * 4)) < 16 * clock(lambda f=function: f(hostile)) + 0.05, function  # type: ignore[misc]


def test_real_notes_have_the_headings_that_a_full_parser_finds(shared: Path) -> None:
    parser = MarkdownIt("commonmark").enable("table").disable("inline")
    wrong = total = 0
    for file in sorted((shared / "data" / "vaults").rglob("*.md"))[::20]:
        text = file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        theirs = [int(t.tag[1]) for t in parser.parse(text) if t.type == "heading_open" and t.level == 0]
        mine = [block.level for block in blocks(text) if block.kind == "heading"]
        wrong, total = wrong + (theirs != mine), total + 1
    assert wrong <= total / 100
