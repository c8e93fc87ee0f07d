"""A page and its translation: what is asked, and where the twin stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cortex.evals import twins

PAGES = {
    "a.md": "# 编译原理\n\n![图](x.png)\n\n这门课讲编译器。作业是写一个。\n",
    "a.en.md": "# Compilers\n\n- Hours: 80\n\nThis course is about compilers. You write one.\n",
    "b.md": "# CS142\n\n网页应用。\n",
    "b.en.md": "# CS142\n\n```\ncode\n```\n",
}
PAIRS = [
    {"path_zh": "a.md", "path_en": "a.en.md", "title_zh": "编译原理", "title_en": "Compilers"},
    {"path_zh": "b.md", "path_en": "b.en.md", "title_zh": "CS142", "title_en": "CS142"},
]


def hit(path: str) -> dict[str, str]:
    return {"url": f"file:///vault/{path}", "lang": "en" if ".en." in path else "zh"}


def test_the_first_sentence_is_no_heading_list_or_picture() -> None:
    assert twins.first_sentence(PAGES["a.md"], "zh") == "这门课讲编译器。"
    assert twins.first_sentence(PAGES["a.en.md"], "en") == "This course is about compilers."
    assert twins.first_sentence("# Only a heading\n", "en") == ""


def test_only_results_in_the_twins_language_count() -> None:
    results = [hit("a.md"), hit("c.en.md"), hit("%E4%B8%AD.en.md"), hit("a.en.md")]
    assert twins.place(results, "a.en.md", "en") == 3
    assert twins.place(results, "中.en.md", "en") == 2
    assert twins.place(results, "b.en.md", "en") is None


def test_each_direction_is_counted_with_what_it_missed() -> None:
    asked: list[str] = []

    def search(question: str) -> Sequence[Mapping[str, Any]]:
        asked.append(question)
        return [hit("a.md"), hit("a.en.md")]

    found = twins.measure(PAIRS, PAGES.__getitem__, search)
    assert asked[0] == "编译原理. 这门课讲编译器。"
    assert found["zh→en, titles differ"] == {"pairs": 1, "first": 1, "in_5": 1, "missed": []}
    assert found["en→zh, all"] == {"pairs": 2, "first": 1, "in_5": 1, "missed": ["b.md"]}
