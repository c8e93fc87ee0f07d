"""Synthetic words and vectors: as frequent, as long and as near to each other as real ones."""

from __future__ import annotations

import numpy as np
import pytest

from cortex.evals.bench import timing, vectors, vocabulary
from cortex.text import keywords
from cortex.text.language import Lang

TEXTS: dict[Lang, str] = {"en": "The sea and the ship and the captain.", "zh": "船长看见大海，大海看见船长。"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_frequent_words_of_the_texts_come_first_and_rare_ones_somewhere(lang: Lang) -> None:
    words = vocabulary.vocabulary(lang, [TEXTS[lang]], np.random.default_rng(1), size=200)
    analysed = keywords.analyse(TEXTS[lang], lang)
    assert set(analysed) <= set(words.words)
    assert words.words[0] == max(dict.fromkeys(analysed), key=analysed.count)
    assert len(set(words.words)) == len(words.words) == 200
    assert words.ids.tolist() == [keywords.term_id(word) for word in words.words]


@pytest.mark.parametrize(
    ("lang", "rank", "low", "high"), [("en", 9, 0.5, 0.85), ("en", 99, 0.06, 0.2), ("zh", 99, 0.15, 0.4)]
)
def test_terms_are_as_frequent_as_in_real_passages(lang: Lang, rank: int, low: float, high: float) -> None:
    words = vocabulary.vocabulary(lang, [], np.random.default_rng(1))
    drawn = vocabulary.draw(words, 2_000, np.random.default_rng(2))
    assert low < (drawn.rank == rank).sum() / 2_000 < high


def test_drawn_terms_add_up_to_the_lengths() -> None:
    words = vocabulary.vocabulary("en", [TEXTS["en"]], np.random.default_rng(1), size=300)
    drawn = vocabulary.draw(words, 50, np.random.default_rng(2))
    assert np.bincount(drawn.passage, drawn.tf, 50).tolist() == drawn.lengths.tolist()
    assert len(set(zip(drawn.passage.tolist(), drawn.rank.tolist(), strict=True))) == len(drawn.rank)


def test_texts_hold_terms_of_their_passage() -> None:
    words = vocabulary.vocabulary("en", [TEXTS["en"]], np.random.default_rng(1), size=300)
    drawn = vocabulary.draw(words, 3, np.random.default_rng(2))
    made = vocabulary.texts(words, drawn, "en", np.random.default_rng(3))
    assert len(made) == 3
    for number, text in enumerate(made):
        own = {words.words[rank] for rank in drawn.rank[drawn.passage == number].tolist()}
        assert set(text.replace(".", " ").split()) <= own


def test_a_cloud_has_neighbours_at_every_distance() -> None:
    rng = np.random.default_rng(4)
    real = vectors.unit(rng.standard_normal((40, 32)).astype(np.float32))
    made = vectors.cloud(real, 500, rng)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    nearest = np.sort(made @ made[0])[::-1][1:]
    assert nearest[0] > 0.5 > nearest[len(nearest) // 2]


def test_sentences_lie_near_their_passage() -> None:
    rng = np.random.default_rng(4)
    real = vectors.unit(rng.standard_normal((40, 32)).astype(np.float32))
    near = vectors.around(real[:2], 5, real, rng)
    assert near.shape == (10, 32)
    assert (near[:5] @ real[0]).mean() > (near[5:] @ real[0]).mean()


def test_a_spread_is_a_median_and_a_tail() -> None:
    found = timing.spread([1.0] * 90 + [100.0] * 10)
    assert (found.p50, found.p95, found.n) == (1.0, 100.0, 100)
    assert str(found) == "1 / 100"
