"""Passages: along headings, then paragraphs, then sentences, with exact places; PITFALLS 1, 2, 7, 8 and 9."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.indexing.chunking import TOKEN_BUDGET, Cut, cut, prefix
from cortex.settings import ChunkingSettings
from cortex.text.markdown import plain

HEADINGS = ChunkingSettings()
SMALL = ChunkingSettings(size_chars=200, overlap_chars=100)
WINDOW = ChunkingSettings(mode="window")


def tokens(text: str) -> int:
    """A stand-in for an embedder's tokens: .8 a Chinese character, 1.3 a word."""
    han = len(re.findall(r"[\u3400-\u9fff]", text))
    return int(han * 0.8 + len(re.findall(r"[A-Za-z]{1,8}|[^\sA-Za-z\u3400-\u9fff]", text)) * 1.1) + 2


def cuts(text: str, chunking: ChunkingSettings = HEADINGS, title: str = "A title") -> list[Cut]:
    return cut(text, title=title, settings=chunking, tokens=tokens)


def texts(text: str, chunking: ChunkingSettings = HEADINGS) -> list[str]:
    return [text[c.start : c.end] for c in cuts(text, chunking)]


def prose(language: str, sentences: int) -> str:
    if language == "zh":
        return "".join(f"这是第{n}句话，说的是检索系统里的一件事情。" for n in range(sentences))
    return " ".join(f"This is sentence {n} about one thing in the search system." for n in range(sentences))


@pytest.mark.parametrize("text", ["", " \n\t\n", "---\n\n***\n", "<!-- nothing -->\n"])
def test_a_text_without_words_has_no_passages(text: str) -> None:
    assert cuts(text) == []
    assert cuts(text, WINDOW) == []


def test_a_short_note_is_one_passage() -> None:
    text = "\n# 标题\n\n正文一句。\n\n- a\n- b\n\n"
    assert cuts(text) == [Cut(1, len(text) - 2, ("标题",), "zh")]


def test_large_sections_stand_alone_and_know_their_path() -> None:
    text = f"# A\n\n## B\n\n{prose('en', 15)}\n\n## C\n\n{prose('zh', 20)}\n"
    found = cuts(text)
    assert [c.headings for c in found] == [("A", "B"), ("A", "C")]
    assert [c.lang for c in found] == ["en", "zh"]
    assert text[found[0].start : found[0].end].startswith("# A\n\n## B")
    assert text[found[1].start :].startswith("## C")


def test_thirty_tiny_sections_are_not_thirty_passages() -> None:
    text = "# Log\n\n" + "".join(f"## Day {n}\n\nDid one thing.\n\n" for n in range(30))
    found = cuts(text)
    assert len(found) <= 4
    assert all(c.headings == ("Log",) for c in found)


def test_tiny_sections_under_other_parents_stay_apart() -> None:
    text = f"# A\n\n## B\n\n### C\n\nSmall.\n\n# D\n\n{prose('en', 15)}\n"
    assert [c.headings for c in cuts(text)] == [("A", "B", "C"), ("D",)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_long_paragraph_is_parted_at_sentences_and_overlaps(language: str) -> None:
    text = prose(language, 120)
    found = cuts(text)
    assert len(found) > 2
    for before, after in zip(found, found[1:], strict=False):
        overlap = before.end - after.start
        assert 0 < overlap <= HEADINGS.overlap_chars
        assert text[after.start :].startswith(("这是第", "This is sentence"))
    for c in found:
        assert c.end - c.start <= HEADINGS.size_chars
        assert text[c.end - 1] in "。."


def test_sections_do_not_overlap() -> None:
    text = f"# A\n\n{prose('en', 15)}\n\n# B\n\n{prose('en', 15)}\n"
    first, second = cuts(text)
    assert first.end < second.start


def test_passages_fit_the_embedder_with_their_prefix() -> None:
    text = f"# {'标题' * 20}\n\n## {'小节' * 20}\n\n{prose('zh', 300)}"
    for c in cuts(text, title="题目" * 20):
        above = prefix("题目" * 20, c.headings, "weekly", 20261, None)
        assert tokens(f"{above}\n{plain(text[c.start : c.end])}") <= TOKEN_BUDGET


def test_tokens_are_counted_sparingly() -> None:
    counted = 0

    def counting(text: str) -> int:
        nonlocal counted
        counted += 1
        return tokens(text)

    text = prose("en", 400)
    found = cut(text, title="x", settings=HEADINGS, tokens=counting)
    assert counted <= 4 * len(found)


def test_pitfall_1_a_fence_is_kept_whole_or_cut_between_lines() -> None:
    fence = "```py\n# comment\n" + "x = 1\n" * 30 + "```"
    text = f"# A\n\n{prose('en', 15)}\n\n{fence}\n\nafter\n"
    assert any(fence in part for part in texts(text))
    long = "```py\n" + "".join(f"line_{n} = {n}\n" for n in range(400)) + "```\n"
    for part in texts(long):
        assert all(re.fullmatch(r"```(py)?|line_\d+ = \d+", line) for line in part.split("\n"))


def test_pitfall_2_a_line_of_a_megabyte_ends_in_passages_and_the_rest_is_kept() -> None:
    text = "# A\n\nbefore\n\n" + "x" * 1_000_000 + "\n\nafter\n"
    parts = texts(text)
    assert sum(part.count("x") for part in parts) >= 1_000_000
    assert "before" in parts[0]
    assert "after" in parts[-1]
    assert len(texts("汉" * 100_000)) > 50


def test_pitfall_2_a_file_written_into_the_text_is_no_passage() -> None:
    text = f"# A\n\nbefore\n\n![](data:image/png;base64,{'iVBORw0K' * 10_000})\n\nafter\n"
    parts = texts(text)
    assert "".join(parts).count("iVBORw0K") == 0
    assert "before" in parts[0]
    assert "after" in parts[-1]


def test_lines_of_base64_are_no_passages() -> None:
    key = "\n".join("MIIEpAIBAAKCAQEA7Zq9aB3cD4eF5gH6iJ7kL8mN9oP0qR1sT2uV3wX4yZ5" for _ in range(20))
    assert texts(f"words\n\n```compressed-json\n{key}\n```\n") == ["words"]


def test_pitfall_7_a_repeated_line_is_cut_where_it_stands() -> None:
    text = f"# A\n\nSame line.\n\n{prose('en', 40)}\n\n# B\n\nSame line.\n\n{prose('en', 18)}"
    found = cuts(text)
    assert [text[c.start : c.end].count("Same line.") for c in found].count(1) == 2
    assert len({c.start for c in found}) == len(found)


def table(rows: int, width: int = 3) -> str:
    header = "| " + " | ".join(f"column {n}" for n in range(width)) + " |\n|" + "---|" * width
    return header + "".join("\n| " + " | ".join(f"cell {row} {n}" for n in range(width)) + " |" for row in range(rows))


@pytest.mark.parametrize("width", [3, 12])
def test_pitfall_8_a_long_table_is_cut_between_rows_and_each_part_has_the_header(width: int) -> None:
    text = f"# A\n\nwords\n\n{table(300, width)}\n\nafter\n"
    found = cuts(text)
    assert len(found) > 5
    for c in found:
        part = text[c.start : c.end]
        assert "column 0" in part or c.carry.startswith("| column 0") or "after" in part
        assert all(line.startswith("|") == line.endswith("|") for line in part.split("\n"))
    assert sum(len(re.findall(r"^\| cell \d+ 0 ", text[c.start : c.end], re.MULTILINE)) for c in found) == 300


def test_pitfall_8_a_table_that_fits_is_whole() -> None:
    assert texts(f"# A\n\n{table(5)}\n") == [f"# A\n\n{table(5)}"]


def test_pitfall_8_a_very_wide_table_has_a_short_header() -> None:
    found = cuts(table(3, 300))
    assert found
    assert all(len(c.carry) <= 400 for c in found)


def test_window_mode_overlaps_whatever_the_headings() -> None:
    text = "".join(f"## Part {n}\n\n{prose('en', 12)}\n\n" for n in range(12))
    found = cuts(text, WINDOW)
    sizes = [tokens(plain(text[c.start : c.end])) for c in found]
    assert max(sizes) <= 500
    assert min(sizes[:-1]) > 350
    for before, after in zip(found, found[1:], strict=False):
        assert before.end - after.start > 0
        assert tokens(text[after.start : before.end]) <= 50


LINES = st.sampled_from(
    ["", "# A", "## B", "### C", "## B", "一句中文的话。", "Some words of English text.", "- item", "  - sub",
     "> quote", "```", "| a | b |", "|---|---|",
     "| 1 | 2 |", "x" * 1500, "汉" * 700, "long words " * 200, "很长的一句话，" * 150, "---", "    code", "<div>", "text  ", "\t- tab"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(LINES, max_size=25).map("\n".join),
    st.sampled_from([HEADINGS, WINDOW, ChunkingSettings(size_chars=200, overlap_chars=100)]),
)
def test_cuts_are_in_order_and_hold_every_word(text: str, chunking: ChunkingSettings) -> None:
    found = cut(text, title="t", settings=chunking, tokens=tokens)
    held = bytearray(len(text))
    last = -1
    for c in found:
        assert last < c.start < c.end <= len(text)
        assert text[c.start : c.end].strip()
        last = c.start
        held[c.start : c.end] = b"\1" * (c.end - c.start)
        if chunking.mode == "headings":
            assert c.end - c.start <= chunking.size_chars
    assert not any(char.isalnum() for at, char in enumerate(text) if not held[at])
    assert len({c.end for c in found}) == len(found)


def test_pitfall_9_time_grows_with_the_size() -> None:
    unit = f"# A\n\n{prose('zh', 60)}\n\n{table(20)}\n\n- item\n- item\n\n## B\n\n{prose('en', 60)}\n\n"

    def seconds(call: Callable[[], object]) -> float:
        start = time.process_time()
        call()
        return time.process_time() - start

    assert seconds(lambda: cuts(unit * 80)) < 12 * seconds(lambda: cuts(unit * 20))


@pytest.mark.parametrize(
    ("title", "headings", "period", "topic", "line"),
    [
        ("读书笔记", ("第一章", "要点"), 20261, None, "读书笔记 › 第一章 › 要点 (2026 Q1)"),
        ("Reading", ("Reading", "Part"), None, "Books", "Reading › Part (Books)"),
        ("Week 3", (), 20254, "Work", "Week 3 (Work, 2025 Q4)"),
        ("xq-01-0", ("Part",), None, None, "Part"),
        ("Untitled", (), None, None, ""),
        ("Untitled 3", (), None, None, ""),
        ("20260115", (), 20261, None, "(2026 Q1)"),
        ("2026-W03", (), None, None, ""),
        ("未命名", ("标题",), None, None, "标题"),
        ("周记", (), None, None, "周记"),
        ("A", ("1", "2", "3", "4", "5"), None, None, "1 › 3 › 4 › 5"),
    ],
)
def test_the_prefix_says_where_a_passage_stands(
    title: str, headings: tuple[str, ...], period: int | None, topic: str | None, line: str
) -> None:
    assert prefix(title, headings, "note", period, topic) == line


def test_the_prefix_is_one_line_and_takes_its_period_from_a_date() -> None:
    assert prefix("A\ntitle", ("b\nc",), "note", None, None, "2024-11-02") == "A title › b c (2024 Q4)"
