"""Whether the material covers a question: strong, weak or none."""

from __future__ import annotations

from cortex.retrieval import constants
from cortex.retrieval.centres import Standard
from cortex.retrieval.coverage import judge
from cortex.retrieval.fusion import Candidate, Fused, fuse
from cortex.text.language import Lang

STANDARDS: dict[tuple[str, Lang], Standard] = {
    (space, lang): Standard(0.0, 0.05, 0.0, 0.6) for space in ("deep", "fast") for lang in ("en", "zh")
}


def ranked(*candidates: Candidate) -> list[tuple[Lang, Fused]]:
    fused = fuse(candidates, STANDARDS, "en")
    return sorted(((c.lang, f) for c, f in zip(candidates, fused, strict=True)), key=lambda pair: -pair[1].score)


ANSWER = Candidate("en", deep=0.16, deep_length=0.45, sentence=0.3, body=0.9, words=0.8)
STRANGER = Candidate("en", deep=0.03, deep_length=0.45, sentence=0.08, body=0.1, words=0.1)


def test_an_answer_among_strangers_is_strong() -> None:
    assert judge("en", ranked(ANSWER, *[STRANGER] * 9)).level == "strong"


def test_strangers_alone_cover_nothing() -> None:
    assert judge("en", ranked(*[STRANGER] * 10)).level == "none"


def test_an_empty_library_covers_nothing() -> None:
    assert judge("en", []).level == "none"
    assert judge("en", []).probability == 0.0


def test_a_library_of_one_note_can_answer() -> None:
    assert judge("en", ranked(ANSWER)).level != "none"
    assert judge("en", ranked(STRANGER)).level == "none"


def test_in_the_other_language_too() -> None:
    chinese = Candidate("zh", deep=0.13, deep_length=0.45, sentence=0.26, body=0.7, words=0.6)
    assert judge("en", ranked(chinese, *[STRANGER] * 9)).level != "none"


def test_more_of_the_question_in_it_is_more_likely() -> None:
    thin = Candidate("en", deep=0.1, deep_length=0.45, sentence=0.2, body=0.2, words=0.2)
    thick = Candidate("en", deep=0.1, deep_length=0.45, sentence=0.2, body=0.7, words=0.7)
    assert judge("en", ranked(thin, STRANGER)).probability < judge("en", ranked(thick, STRANGER)).probability


def test_extremes_stay_probabilities() -> None:
    wild = Candidate("en", deep=1e6, deep_length=1e-3, body=1.0)
    assert judge("en", ranked(wild)).probability <= 1.0
    assert judge("en", ranked(Candidate("en", deep=-1e6))).probability >= 0.0


def test_the_levels_are_in_order() -> None:
    assert 0 < constants.WEAK_OTHER < constants.WEAK < constants.STRONG < 1
