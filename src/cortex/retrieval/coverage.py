"""Does the material answer the question at all? A logistic regression on the features of the best passages.

The constants and how they were fitted: `constants.py`. No probability is certain: `weak` asks the answer to be
careful.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cortex.retrieval import constants
from cortex.retrieval.fusion import Fused
from cortex.text.language import Lang

Level = Literal["strong", "weak", "none"]

_OTHERS = 5


@dataclass(frozen=True, slots=True)
class Coverage:
    level: Level
    probability: float


def judge(question_lang: Lang, ranked: Sequence[tuple[Lang, Fused]]) -> Coverage:
    """How well the best passages cover the question.

    Args:
        ranked: language and fused score of the best passages, best first, at most one per document; ten are enough.
    """
    if not ranked:
        return Coverage("none", 0.0)
    lang, best = ranked[0]
    features = {**best.features, "bias": 1.0, "margin": best.score - _others([fused.score for _, fused in ranked[1:]])}
    logit = sum(weight * features[name] for name, weight in constants.COVERAGE.items())
    probability = 1.0 / (1.0 + math.exp(-max(-500.0, min(500.0, logit))))
    if probability < (constants.WEAK if lang == question_lang else constants.WEAK_OTHER):
        return Coverage("none", probability)
    return Coverage("strong" if probability >= constants.STRONG else "weak", probability)


def _others(scores: Sequence[float]) -> float:
    """The mean of the next five. What a small library lacks of them counts as ordinary passages, which score nothing."""
    return sum(scores[:_OTHERS]) / _OTHERS
