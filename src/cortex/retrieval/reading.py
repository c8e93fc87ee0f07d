"""Reading the best passages: how much of the question one sentence holds. Words that stand together say more than words apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cortex.retrieval import names, translation
from cortex.retrieval.translation import Wanted
from cortex.text import keywords
from cortex.text.language import Lang
from cortex.text.markdown import plain
from cortex.text.sentences import sentences


def closest_words(
    wanted: Sequence[Wanted], texts: Sequence[str], lang: Lang, documents: Mapping[str, int], total: int
) -> NDArray[np.float64]:
    """The share of the question's idf mass that the best single sentence of each passage holds, shape (texts,), 0 to 1.

    Args:
        wanted: of the passages' language, `lang`.
        texts: the passages.
        documents, total: as for `translation.coverage`.
    """
    spans = [(n, plain(text[start:end])) for n, text in enumerate(texts) for start, end in sentences(text, lang)]
    best = np.zeros(len(texts))
    if spans:
        held = [set(keywords.analyse(sentence, lang)) for _, sentence in spans]
        terms = translation.terms({lang: wanted}, lang)
        holds = {term: np.array([term in words for words in held], dtype=bool) for term in terms}
        holds |= hear(wanted, [sentence for _, sentence in spans], lang)
        if holds:
            np.maximum.at(best, [n for n, _ in spans], translation.coverage(wanted, holds, documents, total))
    return best


def hear(wanted: Sequence[Wanted], texts: Sequence[str], lang: Lang) -> dict[str, NDArray[np.bool_]]:
    """Which texts have the names that are found by sound only, for `translation.coverage`. Seldom any."""
    terms = translation.sounds({lang: wanted}, lang)
    return {term: names.heard(term, texts, chinese=lang == "zh") for term in terms}
