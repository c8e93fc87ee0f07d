"""A second opinion reorders what it has read, within each language, and never harms when it has nothing to say."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from cortex.errors import Upstream
from cortex.providers.fakes import FakeReranker
from cortex.providers.rerankers import CrossEncoder, Scores
from cortex.retrieval import constants
from cortex.retrieval.candidates import Judged
from cortex.retrieval.fusion import Fused
from cortex.retrieval.second_opinion import blend, reread, sentence_ranks
from cortex.text.language import Lang


def judged(document: int, score: float, *, lang: Lang = "en", sentence: float = 2.0, read: bool = True) -> Judged:
    """A candidate whose only passage has the document's number."""
    known = sentence if read else None
    return Judged(document, document, lang, 0, Fused(score, {"sentence": sentence, "deep": 1.0}), known)


def documents(candidates: Sequence[Judged]) -> list[int]:
    return [one.document_id for one in candidates]


BEST = [judged(n, 10.0 - n / 10) for n in range(1, 6)]
TEXTS = {n: f"passage {n}" for n in range(1, 6)}


async def read(score: Callable[[str, str], float], best: Sequence[Judged] = BEST) -> list[int]:
    return documents((await reread(FakeReranker(score), "which?", best, {n.passage_id: "text" for n in best}))[0])


class TestReread:
    async def test_the_passage_that_answers_comes_first(self) -> None:
        fake = FakeReranker(lambda question, text: 5.0 if text == "passage 4" else -5.0)
        best, places = await reread(fake, "which?", BEST, TEXTS)
        assert documents(best) == [4, 1, 2, 3, 5]
        assert fake.asked == [("which?", list(TEXTS.values()))]
        assert (places[4].rank, places[4].score) == (1, 5.0)
        assert [places[n].rank for n in (1, 2, 3, 5)] == [2, 3, 4, 5]
        assert best[0].fused.features["cross_encoder"] > 0 > best[1].fused.features["cross_encoder"]

    @pytest.mark.parametrize("score", [0.0, 7.5, math.nan, math.inf, -math.inf])
    async def test_scores_that_say_nothing_change_nothing(self, score: float) -> None:
        assert await read(lambda question, text: score) == documents(BEST)

    async def test_one_score_that_is_no_number_discredits_all(self) -> None:
        odd = iter([1.0, math.nan, 9.0, 1.0, 1.0])
        best, places = await reread(FakeReranker(lambda question, text: next(odd)), "?", BEST, TEXTS)
        assert (best, places) == (BEST, {})

    async def test_a_model_that_cannot_be_loaded_changes_nothing(self) -> None:
        def load() -> Callable[[str, list[str]], Scores]:
            raise OSError("no network")

        encoder = CrossEncoder("fastembed:far/away", load)
        with pytest.raises(Upstream):
            encoder.score("?", ["text"])
        assert await reread(encoder, "?", BEST, TEXTS) == (BEST, {})

    async def test_noise_moves_nothing_far(self) -> None:
        noise = np.random.default_rng(3).normal(-11.0, 0.02, 5).tolist()
        apart = [judged(n, 10.0 - n) for n in range(1, 6)]
        assert await read(lambda question, text: noise.pop(), apart) == documents(apart)

    async def test_only_the_best_are_read_and_the_others_keep_their_scores(self) -> None:
        many = [judged(n, 50.0 - n) for n in range(1, 41)]
        fake = FakeReranker(lambda question, text: -float(text))
        best, places = await reread(fake, "?", many, {n: str(n) for n in range(1, 41)})
        assert len(fake.asked[0][1]) == len(places) == constants.REREAD
        scores = {one.document_id: one.fused.score for one in best}
        assert all(scores[n] == 50.0 - n for n in range(constants.REREAD + 1, 41))
        assert list(scores.values()) == sorted(scores.values(), reverse=True)

    async def test_a_passage_whose_text_is_gone_is_not_read(self) -> None:
        best, places = await reread(FakeReranker(lambda question, text: -float(text)), "?", BEST, {1: "1", 3: "3"})
        assert set(places) == {1, 3}
        assert sorted(documents(best)) == documents(BEST)

    async def test_nothing_found_asks_nothing_of_the_order(self) -> None:
        assert await reread(FakeReranker(), "?", [], {}) == ([], {})


class TestBlend:
    MIXED = [judged(n, 10.0 - n / 10, lang="zh" if n % 2 else "en") for n in range(1, 7)]

    def test_a_model_that_is_blind_in_one_language_does_not_push_it_down(self) -> None:
        """An English-only model: every Chinese passage scores low, whatever it says."""
        blind = {n: -11.0 if one.lang == "zh" else 3.0 - n for n, one in enumerate(self.MIXED)}
        before = {one.document_id: one.fused.score for one in self.MIXED}
        after = {one.document_id: one.fused.score for one in blend(self.MIXED, blind)}
        assert all(
            after[one.document_id] == pytest.approx(before[one.document_id]) for one in self.MIXED if one.lang == "zh"
        )

    def test_the_noise_of_one_language_stays_noise_beside_the_answer_of_the_other(self) -> None:
        scores = dict(enumerate([5.0, -11.2, -11.0, -11.1, -11.0, -10.7]))
        opinions = {one.document_id: one.fused.features["cross_encoder"] for one in blend(self.MIXED, scores)}
        assert opinions[1] > 1.5
        assert all(abs(opinions[n]) < 0.2 for n in (2, 4, 6))

    def test_it_takes_the_place_of_the_sentence(self) -> None:
        """What a misleading sentence gave is taken back."""
        misled, answer = judged(1, 10.0, sentence=5.0), judged(2, 9.0, sentence=1.0)
        after = blend([misled, answer], {0: -4.0, 1: 4.0})
        assert documents(after) == [2, 1]
        gain = after[0].fused.score - answer.fused.score
        assert gain == pytest.approx(constants.FUSION["sentence"] * 2.0 + constants.CROSS_ENCODER * 1.0)

    def test_the_mean_of_what_was_read_stays(self) -> None:
        after = blend(BEST, dict(enumerate([1.0, 5.0, -3.0, 0.0, 2.0])))
        assert np.mean([one.fused.score for one in after]) == pytest.approx(np.mean([one.fused.score for one in BEST]))


def test_sentences_rank_documents_by_their_best_one_and_leave_out_what_is_not_embedded_yet() -> None:
    candidates = [
        judged(1, 0, sentence=1.5),
        judged(2, 0, sentence=4.0),
        judged(1, 0, sentence=3.0),
        judged(3, 9, read=False),
    ]
    places = sentence_ranks(candidates)
    assert {document: (place.rank, place.score) for document, place in places.items()} == {2: (1, 4.0), 1: (2, 3.0)}
