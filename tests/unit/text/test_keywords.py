"""Terms of documents and questions meet; PITFALLS 14 and 15."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.text.keywords import LONGEST, analyse, analyse_query, stem, term_id

Clock = Callable[[Callable[[], object]], float]


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("ＡＢＣ１２３", "abc123"),
        ("筆記", "笔记"),
        ("笔记", "讀書筆記"),
        ("電腦", "电脑坏了"),
        ("裏面", "里面"),
        ("東京", "东京都"),
        ("东京", "我住在东京都港区"),
        ("数据库", "分布式数据库系统"),
        ("猫", "一只小猫咪"),
        ("混合 检索", "混合检索的方案"),
        ("running", "he runs"),
        ("cafe", "café"),
        ("cafe\u0301", "CAFÉ"),
        ("hnsw", "用HNSW索引"),
        ("wal_level", "set wal_level=replica;"),
        ("level", "wal_level"),
        ("v1.2.3", "升级到v1.2.3。"),
        ("1.2.3", "v1.2.3"),
        ("C++", "Modern C++, C# and F#."),
        ("c#", "C#很好"),
        ("node.js", "(node.js)"),
        ("li.lei@example.com", "写信给<li.lei@example.com>。"),
        ("example.com", "li.lei@example.com"),
        ("2024", "2024-05-03"),
        ("12", "第12周"),
        ("3000", "3,000 yuan"),
        ("iphone 15", "iPhone15"),
        ("l’été", "l'été"),
        ("well-known", "well known"),
        ("记账", "记\u200b账"),
        ("東京", "東\ufe0f京"),
        ("ガンダム", "ｶﾞﾝﾀﾞﾑ"),
        ("서울", "서울에서"),
        ("Москва", "МОСКВА"),
        ("𠮷野家", "去𠮷野家吃饭"),
    ],
)
def test_pitfalls_14_and_15_forms_of_one_word_find_each_other(question: str, document: str) -> None:
    wanted = set(analyse_query(question))
    assert wanted
    assert wanted & set(analyse(document, "zh"))


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("猫", ["猫"]),
        ("的", ["的"]),
        ("x", ["x"]),
        ("检索 系统", ["检索", "系统"]),
        ("东京都", ["东京都", "东京", "京都"]),
        ("我的猫很乖", ["猫", "乖"]),
        ("What did I say about the reranker?", ["say", "rerank"]),
        ("what does IT cost", ["it", "cost"]),
        ("去年预算是3,000元吗", ["去年", "预算", "3000", "元"]),
        ("can you do that?", []),
        ("", []),
        ("？！", []),
    ],
)
def test_questions_keep_what_they_ask_for(question: str, terms: list[str]) -> None:
    assert analyse_query(question) == terms


WORDS = st.sampled_from(
    [
        "检索",
        "系统",
        "的",
        "清华大学",
        "數據庫",
        "running",
        "The",
        "v1.2.3",
        "wal_level",
        "a@b.com",
        "ＡＢ",
        "12",
        "1,000",
        "猫",
        "IT",
        "C++",
        "ü",
        "カナ",
        "、",
        " ",
        ".",
        "\n",
    ]
)


@given(st.lists(WORDS, max_size=12).map("".join))
def test_every_term_of_a_question_is_one_of_the_same_text_as_document(text: str) -> None:
    assert set(analyse_query(text)) <= set(analyse(text, "zh"))


@given(st.text(max_size=300))
def test_terms_are_short_and_never_blank(text: str) -> None:
    terms = analyse(text, "en")
    assert all(term and len(term) <= LONGEST and not term.isspace() for term in terms)
    assert set(analyse_query(text)) <= set(terms)


def test_repeats_are_kept_in_documents() -> None:
    assert analyse("note notes noted", "en") == ["note", "note", "note"]


def test_term_ids_are_signed_64_bit_and_stable() -> None:
    assert term_id("检索") == term_id("检索") != term_id("系统")
    assert all(-(2**63) <= term_id(str(n)) < 2**63 for n in range(100))
    # Written into every index: another number would orphan what is stored.
    assert term_id("检索") == 525103618461018017


def test_naughty_strings_raise_nothing(naughty: list[str]) -> None:
    for text in naughty:
        for term in (*analyse(text, "en"), *analyse_query(text)):
            term_id(term)


def test_pitfall_9_hostile_texts_take_linear_time(hostile: str, clock: Clock) -> None:
    assert clock(lambda: analyse(hostile * 4, "en")) < 16 * clock(lambda: analyse(hostile, "en")) + 0.05


def test_threads_do_not_break_each_others_words() -> None:
    """A question is analysed while the worker's thread analyses a document, in one process."""
    bases, endings = ("walk", "nation", "garden", "argu", "connect"), ("ing", "s", "ed", "ally", "ment")
    words = [base + ending for base in bases for ending in endings]
    alone = {word: stem.__wrapped__(word) for word in words}
    with ThreadPoolExecutor(8) as pool:
        rounds = list(pool.map(lambda n: [stem.__wrapped__(word) for word in words[n % 5 :]], range(400)))
    assert all(got == [alone[word] for word in words[n % 5 :]] for n, got in enumerate(rounds))
