"""Which sentences are quoted."""

from __future__ import annotations

from cortex.answering.quotes import MAX_QUOTES, REFUSAL, Quote, ScoredSentence, choose


def sentence(n: int, start: int, text: str, score: float) -> ScoredSentence:
    return ScoredSentence(n, start, start + len(text), text, score)


def test_the_best_sentence_comes_first_and_weak_ones_stay_out() -> None:
    quotes = choose([sentence(1, 0, "Kafka was dropped.", 3.0), sentence(2, 0, "It rained.", 0.1)])
    assert quotes == [Quote(1, 0, 18, "Kafka was dropped.")]


def test_a_list_mark_is_no_part_of_a_quote_and_offsets_follow() -> None:
    quotes = choose([sentence(1, 10, "- [ ] 1. 不用 Kafka 了。", 3.0)])
    assert quotes == [Quote(1, 19, 19 + len("不用 Kafka 了。"), "不用 Kafka 了。")]


def test_a_text_that_two_notes_share_is_quoted_once() -> None:
    quotes = choose([sentence(1, 0, "运维成本太高。", 3.0), sentence(2, 5, "运维成本太高。", 2.9)])
    assert [quote.n for quote in quotes] == [1]


def test_two_of_a_source_at_most_in_reading_order() -> None:
    quotes = choose([sentence(1, at, f"Sentence {at}.", 3.0 - at / 100) for at in (40, 20, 0)])
    assert [quote.start for quote in quotes] == [0, 20]


def test_no_more_than_the_limit() -> None:
    assert len(choose([sentence(n, 0, f"Sentence {n}.", 3.0) for n in range(1, 9)])) == MAX_QUOTES


def test_rules_and_numbers_alone_are_no_answer() -> None:
    assert choose([sentence(1, 0, "----", 9.0), sentence(1, 5, "2024", 8.0)]) == []


def test_the_refusal_is_the_one_sentence_of_the_contract() -> None:
    assert REFUSAL == {
        "en": "I could not find an answer to this in your notes.",
        "zh": "在你的笔记里没有找到这个问题的答案。",
    }
