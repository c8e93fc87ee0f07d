"""Rankings that were not: made from one search's rows and features."""

from __future__ import annotations

import pytest

from cortex.evals import ablation
from cortex.retrieval import constants
from cortex.retrieval.candidates import Judged, Trace
from cortex.retrieval.centres import Standard
from cortex.retrieval.fusion import Fused
from cortex.retrieval.legs import Found, Row
from cortex.text.language import Lang

NAMES = ("deep", "fast", "sentence", "body", "words", "title", "same", "deep_cosine", "sentence_absolute")


def judged(document: int, lang: Lang = "en", ordinal: int = 0, **features: float) -> Judged:
    """A passage whose id is 100 times its document's, asked for in English."""
    had = {**dict.fromkeys(NAMES, 0.0), **features}
    score = sum(weight * had[name] for name, weight in constants.FUSION.items())
    return Judged(100 * document + ordinal, document, lang, ordinal, Fused(score, had))


def trace(candidates: list[Judged], rows: dict[tuple[str, Lang], list[Row]]) -> Trace:
    standards: dict[tuple[str, Lang], Standard] = {
        ("deep", "en"): Standard(0.0, 1.0),
        ("deep", "zh"): Standard(0.5, 1.0),
        ("fast", "en"): Standard(0.0, 1.0),
        ("fast", "zh"): Standard(0.0, 1.0),
    }
    return Trace("en", Found(rows), candidates, standards)


@pytest.fixture
def weighed() -> Trace:
    """1 by its words, 2 by its meaning, 3 by a translation, 4 by its title alone."""
    return trace(
        [
            judged(1, body=1.0, words=0.6),
            judged(2, deep=3.0, sentence=3.0, fast=0.5),
            judged(3, "zh", body=0.9, words=0.6, title=0.5),
            judged(4, title=1.0),
        ],
        {
            ("deep", "en"): [Row(2, 3.0, 200), Row(1, 0.1, 100)],
            ("deep", "zh"): [Row(3, 0.4, 300)],
            ("body", "en"): [Row(1, 9.0, 100)],
            ("dictionary", "zh"): [Row(3, 5.0, 300)],
            ("title", "en"): [Row(4, 2.0)],
            ("title", "zh"): [Row(3, 1.0)],
        },
    )


def test_all_together_is_what_the_search_made_of_it(weighed: Trace) -> None:
    by_score = sorted(weighed.judged, key=lambda one: -one.fused.score)
    assert ablation.fused(weighed) == [one.document_id for one in by_score]


def test_a_leg_alone_joins_its_languages_by_what_is_ordinary_in_each(weighed: Trace) -> None:
    alone = ablation.alone(weighed)
    assert alone["deep"] == [2, 1, 3]
    assert alone["title"] == [4, 3]
    assert alone["fast"] == []


def test_without_a_leg_its_candidates_and_its_features_are_gone(weighed: Trace) -> None:
    assert 4 not in ablation.without(weighed, "title")
    assert ablation.without(weighed, "body").index(2) < ablation.without(weighed, "body").index(1)
    assert ablation.without(weighed, "deep")[-1] != 1


def test_without_the_dictionary_no_title_is_translated(weighed: Trace) -> None:
    order = ablation.without(weighed, "dictionary")
    assert set(order) == {1, 2, 3, 4}  # 3 is still brought by its vector
    assert order[-1] == 3
    assert ablation.fused(weighed).index(3) < 2


def test_without_the_best_sentence_the_whole_passage_speaks(weighed: Trace) -> None:
    features = ablation._lacking("sentence", weighed.judged[1], weighed)
    assert features["sentence"] == 0.5
    assert ablation._lacking("reading", weighed.judged[0], weighed)["words"] == constants.WORDS_OF_BODY


@pytest.mark.parametrize("part", ablation.PARTS)
def test_leaving_out_never_adds_a_document(weighed: Trace, part: str) -> None:
    assert set(ablation.without(weighed, part)) <= set(ablation.fused(weighed))


def test_fewer_candidates_bring_fewer_documents(weighed: Trace) -> None:
    assert ablation.reached(weighed) == {1: 1, 2: 1, 3: 1, 4: 1}
    deep = trace([judged(n) for n in (1, 2)], {("deep", "en"): [Row(1, 2.0, 100), Row(2, 1.0, 200)]})
    assert ablation.fused(deep, 1) == [1]
    assert ablation.fused(deep, 2) == [1, 2]
    assert ablation.reached(deep) == {1: 1, 2: 2}


def test_other_passages_of_a_document_that_words_brought_count(weighed: Trace) -> None:
    found: dict[tuple[str, Lang], list[Row]] = {("title", "en"): [Row(7, 1.0)], ("deep", "en"): [Row(8, 1.0, 800)]}
    candidates = [judged(7, ordinal=3, title=1.0), judged(8), judged(8, ordinal=1, deep=9.0)]
    assert ablation.fused(trace(candidates, found)) == [7, 8]
