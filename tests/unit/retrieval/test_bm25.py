"""Which words of a question are read whole, which are only looked up, and what their postings make of the passages."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from cortex.retrieval import _bm25
from cortex.retrieval._bm25 import Postings, Term, added, best, plan, score


def terms(part: Sequence[Term]) -> list[int]:
    return [term.term for term in part]


def held(keys: list[int], tf: list[int], length: list[int]) -> Postings:
    return Postings(np.array(keys), np.array(tf), np.array(length))


def test_a_few_postings_are_all_read() -> None:
    planned = plan([Term(1, 0, 1.0, 10), Term(2, 1, 1.0, 5_000)], 60_000)
    assert (terms(planned.rare), terms(planned.frequent)) == ([1, 2], [])


def test_frequent_words_are_looked_up_where_rarer_ones_bring_enough() -> None:
    asked = [Term(1, 0, 1.0, 30_000), Term(2, 1, 1.0, 19_000), Term(3, 2, 1.0, 1_500), Term(4, 2, 0.5, 10)]
    planned = plan(asked, 60_000)
    assert (terms(planned.rare), terms(planned.frequent)) == ([3, 4, 2], [1])


def test_whole_means_whole() -> None:
    assert not plan([Term(1, 0, 1.0, 60_000), Term(2, 1, 1.0, 60_000)], 60_000, whole=True).frequent


def test_a_single_frequent_word_is_read_whatever_it_costs() -> None:
    assert not plan([Term(1, 0, 1.0, 10 * _bm25.ALL)], 20 * _bm25.ALL).frequent


def test_a_score_is_that_of_the_books() -> None:
    keys, scores = score([Term(1, 0, 0.5, 9)], {1: held([7], [3], [80])}, 99, 100.0)
    rarity = math.log(1 + 90.5 / 9.5)
    assert keys.tolist() == [7]
    assert scores.tolist() == [pytest.approx(0.5 * rarity * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 0.8)))]


def test_words_add_up_and_of_the_forms_of_one_the_best_counts() -> None:
    asked = [Term(1, 0, 1.0, 2), Term(2, 0, 0.25, 2), Term(3, 1, 1.0, 2)]
    postings = {1: held([5, 9], [1, 1], [10, 10]), 2: held([3, 9], [1, 1], [10, 10]), 3: held([9], [1], [10])}
    keys, scores = score(asked, postings, 100, 10.0)
    of = dict(zip(keys.tolist(), scores.tolist(), strict=True))
    assert list(of) == [3, 5, 9]
    assert of[3] == pytest.approx(of[5] / 4)
    assert of[9] == pytest.approx(2 * of[5])


def test_a_term_that_nothing_holds_adds_nothing() -> None:
    keys, scores = score([Term(1, 0, 1.0, 2)], {}, 100, 10.0)
    assert (len(keys), len(scores)) == (0, 0)
    assert best(keys, scores, 5)[0].tolist() == []


def test_scores_of_the_same_key_are_summed() -> None:
    keys, scores = added([(np.array([2, 1]), np.array([1.0, 2.0])), (np.array([2]), np.array([4.0]))])
    assert (keys.tolist(), scores.tolist()) == ([1, 2], [2.0, 5.0])


def test_the_best_come_first_and_equal_ones_by_key() -> None:
    keys, scores = best(np.array([1, 2, 3, 4, 5]), np.array([1.0, 7.0, 3.0, 7.0, 3.0]), 3)
    assert (keys.tolist(), scores.tolist()) == ([2, 4, 3], [7.0, 7.0, 3.0])


def test_nothing_to_look_for() -> None:
    assert plan([], 0).rare == []
