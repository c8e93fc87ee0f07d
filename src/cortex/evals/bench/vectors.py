"""Vectors as a library of real notes has them: clustered, two languages apart, of length 1. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


def cloud(real: Vectors, count: int, rng: np.random.Generator) -> Vectors:
    """`count` unit vectors among the real ones of a language, shape (count, dims).

    Each lies between two real passages, moved by the difference of two others: so the cloud keeps their directions and spread, and
    has neighbours at every distance. A little noise makes every vector its own.
    """
    first, second, third, fourth = rng.integers(0, len(real), (4, count))
    share = rng.random((count, 1), np.float32)
    made = share * real[first] + (1 - share) * real[second]
    made += 0.5 * (real[third] - real[fourth])
    made += rng.standard_normal(made.shape, np.float32) * np.float32(0.3 / np.sqrt(real.shape[1]))
    return unit(made)


def around(centres: Vectors, each: int, real: Vectors, rng: np.random.Generator) -> Vectors:
    """`each` vectors near every centre, as a passage's sentences are near it; shape (len(centres) * each, dims)."""
    count = len(centres) * each
    first, second = rng.integers(0, len(real), (2, count))
    return unit(np.repeat(centres, each, axis=0) + 0.7 * (real[first] - real[second]))


def unit(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled
