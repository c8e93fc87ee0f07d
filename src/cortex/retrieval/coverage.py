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
    pair = "same" if lang == question_lang else "other"
    weights = constants.COVERAGE[pair]
    rest = [fused.score for _, fused in ranked[1:]]
    features = {
        "bias": 1.0,
        "score": best.score,
        "deep": best.features["deep"],
        "body": best.features["body"],
        "margin": best.score - max(rest) if rest else 0.0,
    }
    probability = 1.0 / (1.0 + math.exp(-sum(weights[name] * features[name] for name in weights)))
    if probability < constants.WEAK[pair]:
        return Coverage("none", probability)
    return Coverage("strong" if probability >= constants.STRONG else "weak", probability)
