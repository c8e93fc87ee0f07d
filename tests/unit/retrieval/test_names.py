"""Names across the two scripts, by sound."""

from __future__ import annotations

import pytest

from cortex.retrieval import names


@pytest.mark.parametrize(
    ("latin", "chinese"),
    [
        ("Sheepshanks", "1857年约翰·希普尚克斯捐赠了画作"),
        ("Sullivan", "由皮塔德·沙利文设计"),
        ("Golovin", "尼古拉斯·戈洛文领导的委员会"),
        ("Goldenson", "戈登森的合并计划"),
        ("Huguenots", "胡格诺派信众"),
    ],
)
def test_a_name_is_heard_in_chinese(latin: str, chinese: str) -> None:
    assert any(names.heard(term, [chinese], chinese=True)[0] for term in names.sounds_of_latin(latin))


@pytest.mark.parametrize(
    ("han", "english"), [("希普尚克斯", "a bequest by John Sheepshanks"), ("戈登森", "Goldenson sold it")]
)
def test_a_name_in_chinese_is_heard_in_english(han: str, english: str) -> None:
    (term,) = names.sounds_of_han(han)
    assert names.heard(term, [english, "nothing of the kind, said Peter"], chinese=False).tolist() == [True, False]


def test_another_name_is_not_heard() -> None:
    for term in names.sounds_of_latin("Sheepshanks"):
        assert not names.heard(term, ["尼古拉斯·戈洛文", "今天天气很好", ""], chinese=True).any()


def test_short_names_and_words_of_other_characters_are_not_listened_for() -> None:
    assert names.sounds_of_latin("Lee") == []
    assert names.sounds_of_han("笔记本") == []
    assert names.sounds_of_han("") == []


def test_similarity_is_1_for_the_same_and_small_for_strangers() -> None:
    assert names.similarity("SPSNKS", "SPSNKS") == 1.0
    assert names.similarity("SPSNKS", "ML") < 0.3
    assert names.similarity("SPSNKS", "") < 0.3
