"""Which words of a question are read whole, and which are only looked up."""

from __future__ import annotations

import math

import pytest

from cortex.retrieval import _bm25
from cortex.retrieval._bm25 import Term, plan


def test_a_few_postings_are_all_read() -> None:
    planned = plan([Term(1, 0, 1.0, 10), Term(2, 1, 1.0, 5_000)], 60_000, 100.0)
    assert planned.whole
    assert planned.values["single_terms"] == [1, 2]
    assert planned.values["more_terms"] == []


def test_frequent_words_are_looked_up_where_rarer_ones_bring_enough() -> None:
    terms = [Term(1, 0, 1.0, 30_000), Term(2, 1, 1.0, 19_000), Term(3, 2, 1.0, 1_500), Term(4, 2, 0.5, 10)]
    planned = plan(terms, 60_000, 100.0, most=7)
    assert not planned.whole
    assert planned.values["terms"] == [3, 4]
    assert planned.values["single_terms"] == [2]
    assert planned.values["more_terms"] == [1]
    assert planned.values["most"] == 7


def test_whole_means_whole() -> None:
    planned = plan([Term(1, 0, 1.0, 60_000), Term(2, 1, 1.0, 60_000)], 60_000, 100.0, whole=True, all_of=60)
    assert planned.whole
    assert planned.values["most"] == 60


def test_a_single_frequent_word_is_read_whatever_it_costs() -> None:
    assert plan([Term(1, 0, 1.0, 10 * _bm25.ALL)], 20 * _bm25.ALL, 100.0).whole


def test_weights_hold_the_rarity() -> None:
    planned = plan([Term(1, 0, 0.5, 9)], 99, 100.0)
    assert planned.values["single_weights"] == [pytest.approx(0.5 * 2.2 * math.log(1 + 90.5 / 9.5))]
    assert planned.values["fixed"] == pytest.approx(0.3)
    assert planned.values["by_length"] == pytest.approx(0.009)


def test_nothing_to_look_for() -> None:
    assert plan([], 0, 1.0).whole
