"""Stand-ins for models: same protocols, no weights. For tests, and for whoever wants to see the parts meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from cortex.providers.rerankers import Scores

_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]")


class FakeReranker:
    """Scores a passage by the question's words in it, or by the function it was given. Keeps what it was asked."""

    name = "fake"

    def __init__(self, score: Callable[[str, str], float] | None = None) -> None:
        self._score = score or _shared_words
        self.asked: list[tuple[str, list[str]]] = []

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        self.asked.append((question, list(texts)))
        return np.array([self._score(question, text) for text in texts], np.float32)


def _shared_words(question: str, text: str) -> float:
    return float(len(set(_WORD.findall(question.lower())) & set(_WORD.findall(text.lower()))))
