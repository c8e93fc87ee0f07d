"""Plans of questions: each word with what passages of either language may say for it."""

from __future__ import annotations

import numpy as np
import pytest

from cortex.retrieval import names, translation
from cortex.retrieval.dictionary import open_dictionary
from cortex.retrieval.translation import Translator, Wanted, coverage


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator(open_dictionary())


def alternatives(wanted: list[Wanted], term: str) -> dict[tuple[str, ...], float]:
    found = next(word for word in wanted if word.term == term)
    return {terms: weight for weight, terms in found.alternatives}


def test_a_chinese_word_is_looked_for_by_its_english_stems(translator: Translator) -> None:
    plan = translator.plan("1999年华沙的人口是多少？")
    assert ("warsaw",) in alternatives(plan["en"], "华沙")
    assert ("popul",) in alternatives(plan["en"], "人口")
    assert ("华沙",) in alternatives(plan["zh"], "华沙")


def test_an_english_word_is_looked_for_by_its_chinese_words(translator: Translator) -> None:
    plan = translator.plan("Which rivers cross Warsaw?")
    assert ("河流",) in alternatives(plan["zh"], "river")
    assert ("华沙",) in alternatives(plan["zh"], "warsaw")


def test_several_words_that_are_one_gloss_are_found_together(translator: Translator) -> None:
    plan = translator.plan("Who was prime minister?")
    assert ("首相",) in alternatives(plan["zh"], "prime")
    assert ("首相",) in alternatives(plan["zh"], "minist")


@pytest.mark.parametrize("question", ["GPT-4 和 v1.2.3 的區別", "GPT-4 against v1.2.3", "1,234 GPT-4 v1.2.3"])
def test_numbers_names_and_codes_pass_through(translator: Translator, question: str) -> None:
    plan = translator.plan(question)
    for lang in ("en", "zh"):
        assert {"gpt-4", "v1.2.3"} <= set(translation.terms(plan, lang))


def test_irregular_forms_are_the_same_word(translator: Translator) -> None:
    plan = translator.plan("Where did they flee?")
    assert ("fled",) in alternatives(plan["en"], "flee")
    assert ("larg",) in alternatives(translator.plan("the largest theatre")["en"], "largest")


def test_what_only_asks_counts_less(translator: Translator) -> None:
    plan = translator.plan("What is the name of the hamster?")
    weights = {word.term: word.weight for word in plan["en"]}
    assert weights["name"] < weights["hamster"]


def test_traditional_characters_ask_for_simplified_ones(translator: Translator) -> None:
    assert ("电脑",) in alternatives(translator.plan("電腦壞了")["zh"], "电脑")


def test_characters_that_make_no_word_still_count_apart(translator: Translator) -> None:
    plan = translator.plan("龘字刻到哪里崩了？")
    assert "龘" in translation.terms(plan, "zh")


@pytest.mark.parametrize("question", ["", "?", "the of and", "的了吗"])
def test_a_question_of_function_words_wants_nothing(translator: Translator, question: str) -> None:
    plan = translator.plan(question)
    assert translation.terms(plan, "en") == []
    assert coverage(plan["en"], {}, {}, 10).size == 0


def test_a_name_that_no_dictionary_has_is_listened_for(translator: Translator) -> None:
    plan = translator.plan("What did John Sheepshanks leave to the museum?")
    assert translation.sounds(plan, "zh") == [names.MARK + "SPSNK", names.MARK + "SPSNKS"]
    assert not any(term.startswith(names.MARK) for term in translation.terms(plan, "zh"))
    assert translation.sounds(plan, "en") == []


def holds(**terms: list[int]) -> dict[str, np.ndarray]:
    return {term: np.array(values, dtype=bool) for term, values in terms.items()}


def test_coverage_is_the_share_of_the_idf_mass() -> None:
    wanted = [Wanted("rare", ((1.0, ("rare",)),)), Wanted("common", ((1.0, ("common",)),))]
    shares = coverage(wanted, holds(rare=[1, 0, 1, 0], common=[1, 1, 0, 0]), {"rare": 1, "common": 50}, 100)
    assert shares[0] == pytest.approx(1.0)
    assert shares[3] == 0.0
    assert shares[2] > shares[1]
    assert shares[1] + shares[2] == pytest.approx(1.0)


def test_the_best_alternative_counts_once() -> None:
    wanted = [Wanted("car", ((0.5, ("bus",)), (1.0, ("automobil",)), (0.8, ("车",))))]
    shares = coverage(wanted, holds(bus=[1, 1, 0], automobil=[0, 1, 0]), {"bus": 3, "automobil": 2}, 10)
    assert shares.tolist() == [0.5, 1.0, 0.0]


def test_a_phrase_that_is_there_in_part_counts_in_part() -> None:
    wanted = [Wanted("首相", ((1.0, ("prime", "minist")),))]
    shares = coverage(wanted, holds(prime=[1, 0], minist=[1, 1]), {"prime": 2, "minist": 2}, 10)
    assert shares[0] == pytest.approx(1.0)
    assert 0.3 < shares[1] < 0.7


def test_a_word_in_every_passage_still_gives_a_share_between_0_and_1() -> None:
    shares = coverage([Wanted("note", ((1.0, ("note",)),))], holds(note=[1, 0]), {"note": 9}, 2)
    assert shares.tolist() == [1.0, 0.0]
