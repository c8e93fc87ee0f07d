"""The dictionary file in both directions, on a few lines of its format."""

from __future__ import annotations

import pytest

from cortex.retrieval.dictionary import Dictionary, open_dictionary

LINES = """# CC-CEDICT
% % [pa1] /percent (Tw)/
汽車 汽车 [qi4 che1] /car/automobile/bus/CL:輛|辆[liang4]/
華沙 华沙 [Hua2 sha1] /Warsaw, capital of Poland/
首相 首相 [shou3 xiang4] /prime minister (of Japan or UK etc)/
信息技術 信息技术 [xin4 xi1 ji4 shu4] /information technology/IT/
車 车 [che1] /car/vehicle/(old) chariot/
車 车 [Che1] /surname Che/
臺灣 台湾 [Tai2 wan1] /Taiwan/
台灣 台湾 [Tai2 wan1] /variant of 臺灣|台湾[Tai2 wan1]/
薩克森 萨克森 [Sa4 ke4 sen1] /Sachsen or Saxony/
壞 """


@pytest.fixture(scope="module")
def dictionary() -> Dictionary:
    return Dictionary(LINES.encode())


def test_a_chinese_word_has_its_glosses_the_usual_ones_first(dictionary: Dictionary) -> None:
    assert [words for _, words in dictionary.english("汽车")][-1] == ("bus",)
    assert {words for _, words in dictionary.english("汽车")} == {("car",), ("automobile",), ("bus",)}


def test_traditional_and_simplified_forms_find_the_same(dictionary: Dictionary) -> None:
    assert dictionary.english("汽車") == dictionary.english("汽车")
    assert "華沙" in dictionary
    assert "华沙" in dictionary


def test_what_follows_a_comma_explains_and_weighs_less(dictionary: Dictionary) -> None:
    weights = {words: weight for weight, words in dictionary.english("华沙")}
    assert weights["warsaw",] > weights["capital", "poland"]


def test_alternatives_inside_a_gloss_are_glosses(dictionary: Dictionary) -> None:
    assert ("saxony",) in [words for _, words in dictionary.english("萨克森")]


def test_surnames_classifiers_and_asides_translate_nothing(dictionary: Dictionary) -> None:
    words = {word for _, gloss in dictionary.english("车") for word in gloss}
    assert words == {"car", "vehicle", "chariot"}


def test_an_unknown_word_has_no_glosses(dictionary: Dictionary) -> None:
    assert dictionary.english("胡格诺") == []
    assert "胡格诺" not in dictionary
    assert dictionary.english("") == []


def test_english_words_are_found_in_short_glosses(dictionary: Dictionary) -> None:
    counts, positions = dictionary.uses("car")
    assert sorted(dictionary.entry(int(position))[0] for position in positions[counts == 1]) == ["汽车", "车"]
    assert dictionary.uses("minister")[0].tolist() == [2]
    assert dictionary.uses("zebra")[0].size == 0


def test_forms_are_the_words_that_begin_alike(dictionary: Dictionary) -> None:
    assert dictionary.forms("min") == ["minister"]
    assert dictionary.forms("") == []
    assert dictionary.forms("é") == []


def test_an_empty_dictionary_knows_nothing() -> None:
    empty = Dictionary(b"")
    assert empty.english("车") == []
    assert empty.uses("car")[0].size == 0


def test_the_dictionary_of_the_wheel_is_whole() -> None:
    dictionary = open_dictionary()
    assert ("computer",) in [words for _, words in dictionary.english("電腦")]
    assert ("warsaw",) in [words for _, words in dictionary.english("华沙")]
    assert open_dictionary() is dictionary
