"""Centres and standards: one Chinese note among English ones, empty libraries, growing ones."""

from __future__ import annotations

import numpy as np
import pytest

from cortex.retrieval.centres import Space, shipped_spaces

RANDOM = np.random.default_rng(7)


def unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@pytest.fixture
def space() -> Space:
    base = np.zeros((1, 16), np.float32)
    english, chinese = base.copy(), base.copy()
    english[0, 0], chinese[0, 1] = 3, 3
    return Space(
        questions={"en": english[0] / 3, "zh": chinese[0] / 3},
        passages={
            "en": unit(english + RANDOM.normal(size=(50, 16))),
            "zh": unit(chinese + RANDOM.normal(size=(50, 16))),
        },
    )


NONE = np.zeros((0, 16), np.float32)


def test_the_shipped_spaces_are_those_of_the_bundled_embedders() -> None:
    spaces = shipped_spaces()
    assert {name: space.passages["zh"].shape[1] for name, space in spaces.items()} == {"deep": 384, "fast": 512}
    for space in spaces.values():
        assert len(space.passages["en"]) >= 50
        assert len(space.passages["zh"]) >= 50
        assert np.isfinite(space.questions["en"]).all()


def test_without_own_passages_the_shipped_ones_say_what_is_ordinary(space: Space) -> None:
    question = space.centre(unit(RANDOM.normal(size=(1, 16)))[0], "en")
    standard = space.standard(question, "zh", NONE, 0)
    scores = space.passages["zh"] @ question
    assert standard.mean == pytest.approx(float(scores.mean()), abs=1e-5)
    assert standard.of(float(scores.mean())) == pytest.approx(0, abs=1e-4)


def test_one_note_of_a_language_is_not_its_own_measure(space: Space) -> None:
    """Taken from the library alone, the only Chinese note would always be exactly ordinary."""
    note = space.passages["zh"][0]
    question = space.centre(note, "en")
    standard = space.standard(question, "zh", note[None, :], 1)
    assert standard.of(float(note @ question)) > 1.5


def test_a_large_library_is_its_own_measure(space: Space) -> None:
    own = unit(space.passages["en"][:1] * 4 + RANDOM.normal(size=(400, 16)))
    question = space.centre(unit(RANDOM.normal(size=(1, 16)))[0], "en")
    standard = space.standard(question, "en", own, 100_000)
    scores = own @ question
    assert standard.mean == pytest.approx(float(scores.mean()), abs=0.01)
    assert standard.deviation == pytest.approx(float(scores.std()), abs=0.01)


def test_the_shares_meet_as_the_library_grows(space: Space) -> None:
    own = unit(RANDOM.normal(size=(100, 16)))
    question = space.centre(unit(RANDOM.normal(size=(1, 16)))[0], "zh")
    means = [space.standard(question, "zh", own, count).mean for count in (0, 10, 30, 300, 10_000)]
    ends = sorted([means[0], means[-1]])
    assert all(ends[0] - 1e-6 <= mean <= ends[1] + 1e-6 for mean in means)


def test_equal_passages_do_not_divide_by_zero(space: Space) -> None:
    own = np.repeat(space.passages["en"][:1], 40, axis=0)
    standard = space.standard(np.zeros(16, np.float32), "en", own, 40)
    assert standard.deviation > 0
    assert np.isfinite(standard.of(0.3))
    assert np.isfinite(standard.absolute(0.3))


def test_a_passage_of_one_topic_is_longer_than_the_mean_of_many(space: Space) -> None:
    topics = space.passages["en"][:20]
    many = topics.mean(0, keepdims=True)
    assert space.lengths(many, "en")[0] < space.lengths(topics, "en").mean()
