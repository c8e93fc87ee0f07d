"""The words of the question that one sentence holds."""

from __future__ import annotations

import pytest

from cortex.retrieval.dictionary import open_dictionary
from cortex.retrieval.reading import closest_words, hear
from cortex.retrieval.translation import Translator


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator(open_dictionary())


def test_words_that_stand_together_say_more_than_words_apart(translator: Translator) -> None:
    wanted = translator.plan("When was the lighthouse built?")["en"]
    together = "The lighthouse was built in 1887. We ate noodles."
    apart = "We saw the lighthouse. The road was built last year."
    found = closest_words(wanted, [together, apart, "Nothing of it."], "en", {"lighthous": 2, "built": 3}, 50)
    assert found[0] > found[1] > found[2] == 0.0


def test_it_reads_chinese_sentences_for_an_english_question(translator: Translator) -> None:
    wanted = translator.plan("How long is the river?")["zh"]
    found = closest_words(wanted, ["这条河流有多长？一千公里。", "今天吃面。"], "zh", {}, 50)
    assert found[0] > 0 == found[1]


def test_a_question_without_words_finds_none(translator: Translator) -> None:
    assert closest_words(translator.plan("?")["en"], ["Some text."], "en", {}, 10).tolist() == [0.0]
    assert closest_words(translator.plan("river")["en"], [], "en", {}, 10).tolist() == []
    assert closest_words(translator.plan("river")["en"], ["", "   "], "en", {}, 10).tolist() == [0.0, 0.0]


def test_a_name_is_heard_in_the_text(translator: Translator) -> None:
    wanted = translator.plan("What did Sheepshanks leave?")["zh"]
    texts = ["约翰·希普尚克斯捐赠了画作。", "今天吃面。"]
    assert any(found.tolist() == [True, False] for found in hear(wanted, texts, "zh").values())
    assert closest_words(wanted, texts, "zh", {}, 50)[0] > 0
