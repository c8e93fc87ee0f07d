"""Fused scores: nothing that a leg does not know may hurt, and every leg can be heard."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.retrieval import constants
from cortex.retrieval.centres import Standard
from cortex.retrieval.fusion import Candidate, fuse
from cortex.text.language import Lang

STANDARDS: dict[tuple[str, Lang], Standard] = {
    ("deep", "en"): Standard(0.2, 0.05),
    ("deep", "zh"): Standard(0.1, 0.04),
    ("fast", "en"): Standard(0.1, 0.1),
    ("fast", "zh"): Standard(0.0, 0.1),
}
ORDINARY = Candidate("en", deep=0.2, fast=0.1, sentence=0.1)


def score(candidate: Candidate, question: Lang = "en") -> float:
    return fuse([candidate], STANDARDS, question)[0].score


@pytest.mark.parametrize(
    "better",
    [
        {"deep": 0.3},
        {"sentence": 0.4},
        {"body": 0.5},
        {"title": 0.5},
        {"words": 0.5},
    ],
)
def test_more_of_any_feature_is_better(better: dict[str, float]) -> None:
    assert score(replace(ORDINARY, **better)) > score(ORDINARY)  # type: ignore[arg-type]


def test_scores_of_two_languages_are_compared_by_their_own_standards() -> None:
    english = Candidate("en", deep=0.25, fast=0.2, sentence=0.2)
    chinese = Candidate("zh", deep=0.18, fast=0.1, sentence=0.1)  # lower, but two deviations up where English is one
    assert score(chinese) > score(english)


def test_a_vector_that_is_not_there_yet_counts_as_ordinary() -> None:
    missing = Candidate("en", deep=None, fast=0.1, sentence=0.1)
    assert score(missing) == pytest.approx(score(ORDINARY))
    assert score(Candidate("en", deep=0.2, body=0.4)) == pytest.approx(score(replace(ORDINARY, body=0.4)))


def test_a_space_without_a_standard_says_nothing() -> None:
    (fused,) = fuse([ORDINARY], {}, "en")
    assert fused.features["deep"] == constants.MISSING


def test_without_sentences_the_whole_passage_speaks() -> None:
    assert score(Candidate("en", deep=0.2, fast=0.3)) == pytest.approx(score(Candidate("en", deep=0.2, sentence=0.3)))


def test_a_sentence_of_two_words_cannot_outshout_the_rest() -> None:
    assert score(replace(ORDINARY, sentence=5.0)) == score(replace(ORDINARY, sentence=50.0))


def test_the_questions_own_language_has_to_earn_its_place() -> None:
    assert score(ORDINARY, "zh") > score(ORDINARY, "en")


def test_nothing_comes_of_nothing() -> None:
    assert fuse([], STANDARDS, "en") == []


NUMBER = st.floats(-1, 1)


@given(st.builds(Candidate, st.sampled_from(["en", "zh"]), NUMBER, st.none(), NUMBER, NUMBER), NUMBER)
def test_a_candidates_score_does_not_depend_on_its_company(candidate: Candidate, other: float) -> None:
    alone = fuse([candidate], STANDARDS, "zh")[0].score
    assert fuse([Candidate("en", deep=other), candidate], STANDARDS, "zh")[1].score == alone


def test_a_passage_whose_turn_in_the_deep_space_has_not_come_is_not_taken_for_far_away() -> None:
    """A new vault is asked before its deep space is filled: what the other features say stands in."""
    here = Candidate("en", sentence=0.6, body=0.9, words=0.8)
    (guessed,) = fuse([here], STANDARDS, "en")
    assert guessed.features["deep"] > 1.0
    assert 0.3 < guessed.features["deep_cosine"] < 0.8
    (thin,) = fuse([Candidate("en", sentence=0.0)], STANDARDS, "en")
    assert thin.features["deep_cosine"] < 0.1
