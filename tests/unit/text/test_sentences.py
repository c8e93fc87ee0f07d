"""Where sentences end; the spans are verbatim."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.text.language import Lang
from cortex.text.sentences import LONGEST, sentences

Clock = Callable[[Callable[[], object]], float]


def said(text: str, lang: Lang = "en") -> list[str]:
    return [text[start:end] for start, end in sentences(text, lang)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("今天天气很好。我们去了公园！你呢？", ["今天天气很好。", "我们去了公园！", "你呢？"]),
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("第一；第二。", ["第一；", "第二。"]),
        ("嗯……好吧。", ["嗯……", "好吧。"]),
        ("（见附录。）下一句。", ["（见附录。）", "下一句。"]),
        ("用v1.2.3版本，价格3.5元。然后部署", ["用v1.2.3版本，价格3.5元。", "然后部署"]),
        ("It works. Really? Yes!", ["It works.", "Really?", "Yes!"]),
        ("Dr. Smith paid $3.50 for v1.2. He left.", ["Dr. Smith paid $3.50 for v1.2.", "He left."]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("Use tools, e.g. Make or etc. and so on. Next.", ["Use tools, e.g. Make or etc. and so on.", "Next."]),
        ("Wait... then go. Done.", ["Wait... then go.", "Done."]),
        ("See https://a.b/c.d?e=f. Next one.", ["See https://a.b/c.d?e=f.", "Next one."]),
        ("J. R. R. Tolkien wrote it. Good.", ["J. R. R. Tolkien wrote it.", "Good."]),
        ("We met at 5 p.m. Then we ate.", ["We met at 5 p.m.", "Then we ate."]),
        ("我用 Postgres. 很好。", ["我用 Postgres.", "很好。"]),
        ("3.5 million people. **Bold** start.", ["3.5 million people.", "**Bold** start."]),
    ],
)
def test_enders(text: str, parts: list[str]) -> None:
    assert said(text, "zh" if any("\u4e00" <= c <= "\u9fff" for c in text) else "en") == parts


def test_lines_items_rows_and_headings_are_boundaries() -> None:
    assert said("一句。^ab12", "zh") == ["一句。"]
    text = "## 标题\n- [ ] 下周三前给出评测报告\n1. First\n2. Second\n| a | b |\n|---|---|\n| 1 | 2 |\n> quoted\n***\n一行\n二行"
    assert said(text, "zh") == [
        "标题",
        "下周三前给出评测报告",
        "First",
        "Second",
        "| a | b |",
        "| 1 | 2 |",
        "quoted",
        "一行",
        "二行",
    ]


def test_a_wrapped_line_of_english_goes_on() -> None:
    text = "We discussed the reranking plan for the search system, and\ndecided to use hybrid search first. Then\n\nwe stopped."
    assert said(text) == [
        "We discussed the reranking plan for the search system, and\ndecided to use hybrid search first.",
        "Then",
        "we stopped.",
    ]
    assert said("Python's\n[_f-string_](https://docs.python.org/3/reference/lexical_analysis.html)\nare good.") == [
        "Python's\n[_f-string_](https://docs.python.org/3/reference/lexical_analysis.html)\nare good."
    ]


def test_code_is_said_line_by_line_without_its_fences() -> None:
    code = "a_long_line_of_code_that_an_editor_did_not_wrap(with, arguments, of, its, own)"
    assert said(f"```py\n{code}\nnext_line()\n```\n^anchor-1 ") == [code, "next_line()"]


def test_a_long_sentence_is_parted_at_commas_then_spaces_then_anywhere() -> None:
    assert all(part.endswith("，") for part in said("很长的一句话没有句号，" * 100, "zh")[:-1])
    assert all(not part.startswith("ord") for part in said("word " * 500))
    assert "".join(said("x" * 2000)) == "x" * 2000


@given(
    st.text(alphabet=st.sampled_from("。！？；…”’.!?;,， \n\t\"'()-*#>|123aBcé中文标"), max_size=500),
    st.sampled_from(["en", "zh"]),
)
def test_spans_are_in_order_short_and_hold_every_word(text: str, lang: Lang) -> None:
    found = sentences(text, lang)
    at = 0
    for start, end in found:
        assert at <= start < end
        assert end - start <= LONGEST
        assert text[start:end] == text[start:end].strip()
        assert not any(c.isalpha() for c in text[at:start].replace("一", ""))
        at = end
    assert not any(c.isalpha() for c in text[at:])


def test_naughty_strings_raise_nothing(naughty: list[str]) -> None:
    for text in naughty:
        sentences(text, "en"), sentences(text, "zh")


def test_hostile_texts_take_linear_time(hostile: str, clock: Clock) -> None:
    assert clock(lambda: sentences(hostile * 4, "en")) < 16 * clock(lambda: sentences(hostile, "en")) + 0.05
