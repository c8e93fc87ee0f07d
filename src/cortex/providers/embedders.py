"""What an embedder is, and the set of them that a library uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Shape (n, dims), rows of length 1."""

Vector = NDArray[np.float32]
"""Shape (dims,), length 1."""


class Embedder(Protocol):
    """Turns text into vectors of one space. Calls block; run them in a thread. Safe to call from several threads."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def dims(self) -> int: ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims), float32, rows of length 1."""
        ...

    def embed_question(self, text: str) -> Vector:
        """Shape (dims,), float32, length 1."""
        ...

    def tokens(self, text: str) -> int:
        """How many of the model's tokens the text takes, its own marks included."""
        ...


@dataclass(frozen=True)
class Embedders:
    """The embedders in use, by the name of their space; `fast` and `deep` are always there."""

    fast: Embedder
    deep: Embedder

    def by_space(self) -> Mapping[str, Embedder]:
        return {"fast": self.fast, "deep": self.deep}
