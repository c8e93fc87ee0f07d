"""The texts that the shipped centres are made from."""

from __future__ import annotations

from cortex.evals.centres import golden_passages, ordinary
from cortex.retrieval.centres import shipped_spaces
from cortex.text.language import Lang, detect


class Letters:
    """An embedder that only counts."""

    name = model = "letters"
    dims = 1

    def tokens(self, text: str) -> int:
        return len(text) // 3 + 1


def test_there_are_as_many_ordinary_questions_in_both_languages() -> None:
    assert len(ordinary("question", "en")) == len(ordinary("question", "zh")) >= 30
    assert len(ordinary("passage", "en")) == len(ordinary("passage", "zh")) >= 20


def test_they_are_in_the_language_that_they_say() -> None:
    langs: list[Lang] = ["en", "zh"]
    for lang in langs:
        for text in ordinary("question", lang) + ordinary("passage", lang):
            assert detect(text) == lang, text


def test_the_golden_notebook_has_passages_enough_for_both() -> None:
    for lang in ("en", "zh"):
        assert len(golden_passages(lang, Letters())) + len(ordinary("passage", lang)) >= 100  # type: ignore[arg-type]


def test_what_is_shipped_is_finite() -> None:
    for space in shipped_spaces().values():
        for passages in space.passages.values():
            assert (passages**2).sum(axis=1).round(1).tolist() == [1.0] * len(passages)
