from __future__ import annotations

import pytest

from cortex.evals.metrics import (
    area_under_curve,
    holds,
    hybrid_minus_best_leg,
    mean_reciprocal_rank,
    overlaps,
    rank_of,
    rate,
    recall_at,
)


def test_rank_is_that_of_the_first_gold_note() -> None:
    assert rank_of({"b", "c"}, ["a", "b", "c"]) == 2
    assert rank_of({"z"}, ["a"]) is None
    assert rank_of(set(), []) is None


def test_recall_counts_what_is_within_k_and_what_is_missing() -> None:
    ranks = [1, 2, 5, 6, None]
    assert recall_at(ranks, 1) == pytest.approx(0.2)
    assert recall_at(ranks, 5) == pytest.approx(0.6)


def test_reciprocal_rank_of_what_was_not_found_is_nought() -> None:
    assert mean_reciprocal_rank([1, 2, None]) == pytest.approx(0.5)


def test_area_under_the_curve_is_a_chance() -> None:
    assert area_under_curve([0.9, 0.8], [0.1]) == 1
    assert area_under_curve([0.5], [0.5, 0.9]) == pytest.approx(0.25)


def test_means_over_nothing_are_none() -> None:
    assert recall_at([], 5) is None
    assert mean_reciprocal_rank([]) is None
    assert rate([]) is None
    assert hybrid_minus_best_leg([], {}) is None


def test_hybrid_is_compared_with_the_best_leg() -> None:
    legs = {"deep": [1, 2, None, 1], "body": [2, 1, None, None]}
    assert hybrid_minus_best_leg([1, 1, None, 1], legs) == pytest.approx(0.25)
    assert hybrid_minus_best_leg([2, 2, None, 1], legs) == pytest.approx(-0.25)


def test_no_leg_means_no_comparison() -> None:
    assert hybrid_minus_best_leg([1], {}) is None


@pytest.mark.parametrize(
    ("quote", "gold", "same"),
    [
        ("took 30 dollars plus tax for the inspection and said", "took 30 dollars plus tax", True),
        ("took  30 DOLLARS\nplus tax", "took 30 dollars plus tax", True),
        ("小满一共收了 3,600 元，我们说好", "小满一共收了 3,600 元", True),
        ("一共收了 ３,600 元，我们说好存起来", "压岁钱：小满一共收了 3,600 元", True),
        ("She bought a very large lock", "The fairy paid 20 yuan and left a receipt.", False),
        ("她买了一盒水彩", "小满一共收了 3,600 元", False),
        ("", "anything", False),
        ("anything", " ", False),
    ],
)
def test_overlap_is_of_words_not_of_spacing(quote: str, gold: str, same: bool) -> None:
    assert overlaps(quote, gold) is same


def test_a_passage_holds_a_quote_whole_or_cut() -> None:
    passage = "From today I am a staff engineer. The raise is 14 %."
    assert holds(passage, "The raise is 14 %.")
    assert holds(passage, "I am a staff engineer. The raise is 14 %. I bought cake.")
    assert not holds(passage, "Mia skated without the penguin for the first time")
