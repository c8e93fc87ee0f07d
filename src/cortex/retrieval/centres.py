"""Where each language lies in a vector space, so that passages of two languages can be compared.

A multilingual embedder puts texts of one language near each other, whatever they say. So the mean of the questions of
its language is taken from a question before it searches, and what comes back is standardised by what an ordinary
passage of the same language would have scored: the moments of a sample of the library's own passages, shrunk towards
a sample that is shipped (a library with one Chinese note has no spread of its own). Stored vectors stay raw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from cortex.retrieval import constants
from cortex.text.language import Lang

Vectors = NDArray[np.float32]

SAMPLE = 512
"""Own passages per space and language that are enough for their moments; more change nothing."""


@dataclass(frozen=True)
class Standard:
    """What an ordinary passage scores for one question, among the library's passages and among the shipped ones."""

    mean: float
    deviation: float
    shipped_mean: float = 0.0
    length: float = 1.0
    """Of the centred question's vector."""

    def of(self, score: float) -> float:
        """Standard deviations above an ordinary passage of the library: what stands out there."""
        return (score - self.mean) / self.deviation

    def absolute(self, score: float) -> float:
        """How near a passage is, whatever the library holds: cosine above an ordinary shipped passage."""
        return (score - self.shipped_mean) / self.length


@dataclass(frozen=True)
class Space:
    """One embedding space: the question's centre per language, and passages of ours per language, shape (n, dims)."""

    questions: Mapping[Lang, Vectors]
    passages: Mapping[Lang, Vectors]

    def centre(self, question: Vectors, lang: Lang) -> Vectors:
        """The question's vector without what every question of its language has; not of length 1."""
        return np.asarray(question - self.questions[lang], np.float32)

    def lengths(self, passages: Vectors, lang: Lang) -> Vectors:
        """Lengths of passages' raw vectors once the mean of their language is taken off, shape (n,)."""
        return np.asarray(np.linalg.norm(passages - self.means[lang], axis=-1), np.float32)

    @cached_property
    def means(self) -> dict[Lang, Vectors]:
        return {lang: np.asarray(passages.mean(0), np.float32) for lang, passages in self.passages.items()}

    def standard(self, centred: Vectors, lang: Lang, own: Vectors, count: int) -> Standard:
        """What passages of `lang` score.

        Args:
            centred: the question, from `centre`.
            own: raw vectors of up to `SAMPLE` of the library's passages of the language, shape (n, dims); may be empty.
            count: how many passages of the language the library has.
        """
        shipped = self.passages[lang] @ centred
        shipped_mean = mean = float(shipped.mean())
        variance = float(shipped.var())
        if len(own) and count:
            scores = own @ centred
            share = count / (count + constants.PRIOR_PASSAGES)
            own_mean, own_variance = float(scores.mean()), float(scores.var())
            between = share * (1 - share) * (own_mean - mean) ** 2
            mean = share * own_mean + (1 - share) * mean
            variance = share * own_variance + (1 - share) * variance + between
        length = max(1e-6, float(np.linalg.norm(centred)))
        return Standard(mean, max(variance, 1e-8) ** 0.5, shipped_mean, length)


@cache
def shipped_spaces() -> dict[str, Space]:
    """The bundled embedders' spaces by name (`fast`, `deep`), from our own texts."""
    with (files("cortex.retrieval") / "data" / "centres.npz").open("rb") as opened, np.load(opened) as stored:
        arrays = {name: np.asarray(stored[name], np.float32) for name in stored.files}
    return {
        space: Space(
            questions={"en": arrays[f"{space}_questions_en"], "zh": arrays[f"{space}_questions_zh"]},
            passages={"en": arrays[f"{space}_passages_en"], "zh": arrays[f"{space}_passages_zh"]},
        )
        for space in ("fast", "deep")
    }
