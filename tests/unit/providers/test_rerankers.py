"""Cross-encoders by name: the real loading code on a tiny model that the test makes, and what is said when it cannot load."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.providers.tiny_cross_encoder import write

from cortex.errors import Invalid, Upstream
from cortex.providers import Reranker
from cortex.providers.fakes import FakeReranker
from cortex.providers.rerankers import CrossEncoder, open_reranker

WORDS = ["what", "soup", "did", "we", "cook", "tomato", "noodles", "rain", "汤", "番茄"]
QUESTION = "what soup did we cook"
TEXTS = ["rain", "we did cook tomato soup", "soup", "番茄 汤", ""]
SHARED = [0, 4, 1, 0, 0]

needs_sentence_transformers = pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is None,
    reason="sentence-transformers (with torch, several GB) is not installed, so its loading code was not run here",
)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


class TestFastembed:
    @pytest.mark.parametrize("file", ["model.onnx", "onnx/model.onnx"])
    def test_a_model_of_a_folder_reads_question_and_passage_together(self, tmp_path: Path, file: str) -> None:
        folder = write(tmp_path / "tiny", WORDS, file=file)
        reranker = open_reranker(f"fastembed:{folder}", tmp_path / "models")
        scores = reranker.score(QUESTION, TEXTS)
        assert scores.dtype == np.float32
        assert scores.tolist() == SHARED
        assert reranker.score(QUESTION, TEXTS[::-1]).tolist() == SHARED[::-1]
        assert not (tmp_path / "models").exists() or not any((tmp_path / "models").iterdir())

    def test_it_takes_any_text(self, tmp_path: Path) -> None:
        reranker = open_reranker(f"fastembed:{write(tmp_path / 'tiny', WORDS)}", tmp_path)
        odd = ["", "\0", "\ud800", "🦔" * 300, "soup " * 5_000]
        assert np.isfinite(reranker.score("\udfff soup", odd)).all()
        assert reranker.score(QUESTION, []).shape == (0,)

    def test_two_models_of_one_run_stay_apart(self, tmp_path: Path) -> None:
        first = open_reranker(f"fastembed:{write(tmp_path / 'one', WORDS)}", tmp_path)
        other = open_reranker(f"fastembed:{write(tmp_path / 'two', ['soup'])}", tmp_path)
        again = open_reranker(f"fastembed:{tmp_path / 'one'}", tmp_path)
        assert [r.score(QUESTION, TEXTS[1:2]).tolist() for r in (first, other, again)] == [[4], [1], [4]]

    def test_a_folder_without_a_model_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        reranker = open_reranker(f"fastembed:{tmp_path / 'empty'}", tmp_path)
        with pytest.raises(Upstream, match=r"fastembed:.*empty cannot be loaded: .*start Cortex again") as caught:
            reranker.score("?", ["text"])
        assert caught.value.field == "retrieval.cross_encoder"

    def test_a_model_that_cannot_be_downloaded_is_said(self, tmp_path: Path) -> None:
        reranker = open_reranker("fastembed:nobody/no-such-model", tmp_path)
        with pytest.raises(Upstream, match="fastembed:nobody/no-such-model cannot be loaded"):
            reranker.score("?", ["text"])


@needs_sentence_transformers
class TestSentenceTransformers:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """A BERT of two layers and eight dimensions, with the weights that chance gave it."""
        import torch
        from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

        torch.manual_seed(7)
        (tmp_path / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]), "utf-8")
        config = BertConfig(
            vocab_size=len(WORDS) + 5,
            hidden_size=8,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=64,
            num_labels=1,
            initializer_range=2.0,
        )
        BertForSequenceClassification(config).save_pretrained(tmp_path / "tiny")
        BertTokenizerFast(str(tmp_path / "vocab.txt"), model_max_length=64).save_pretrained(tmp_path / "tiny")
        return tmp_path / "tiny"

    def test_a_model_of_a_folder_gives_logits(self, folder: Path, tmp_path: Path) -> None:
        reranker = open_reranker(f"sentence-transformers:{folder}", tmp_path / "models")
        scores = reranker.score(QUESTION, TEXTS)
        assert scores.shape == (len(TEXTS),)
        assert scores.dtype == np.float32
        assert len(set(scores.tolist())) > 1
        assert np.allclose(reranker.score(QUESTION, TEXTS[::-1]), scores[::-1], atol=1e-5)

    def test_a_folder_without_a_model_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(Upstream, match="cannot be loaded"):
            open_reranker(f"sentence-transformers:{tmp_path}", tmp_path).score("?", ["text"])


class TestNames:
    @pytest.mark.parametrize("name", ["", "fastembed", "fastembed:", "cohere:rerank-3", "a/b"])
    def test_what_a_name_looks_like_is_said(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(Invalid, match="fastembed:MODEL or sentence-transformers:MODEL"):
            open_reranker(name, tmp_path)

    @pytest.mark.parametrize("package", ["fastembed", "sentence-transformers"])
    def test_a_missing_package_names_the_setting_and_the_command(
        self, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        said = rf"^retrieval\.cross_encoder names {package}, .* -m pip install {package}$"
        with pytest.raises(Invalid, match=said) as caught:
            open_reranker(f"{package}:some/model", tmp_path)
        assert caught.value.field == "retrieval.cross_encoder"

    @pytest.mark.parametrize("model", ["/nowhere/model", "~/nowhere/model", "./model", "a/b/c"])
    def test_a_folder_that_is_not_there_is_no_download(self, model: str, tmp_path: Path) -> None:
        with pytest.raises(Invalid, match="there is no folder"):
            open_reranker(f"fastembed:{model}", tmp_path)


class TestCrossEncoder:
    def _loaded(self, score: Callable[[str, list[str]], Any]) -> CrossEncoder:
        return CrossEncoder("test:model", lambda: score)

    def test_a_model_loads_once_at_the_first_call_and_runs_one_call_at_a_time(self) -> None:
        loads: list[int] = []
        inside = threading.Semaphore(1)

        def score(question: str, texts: list[str]) -> list[float]:
            assert inside.acquire(blocking=False)
            inside.release()
            return [1.0] * len(texts)

        def load() -> Callable[[str, list[str]], Any]:
            loads.append(1)
            return score

        encoder = CrossEncoder("test:model", load)
        assert loads == []
        given: list[list[float]] = []
        threads = [threading.Thread(target=lambda: given.append(encoder.score("?", ["a"]).tolist())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert given == [[1.0]] * 8
        assert loads == [1]

    def test_a_model_that_did_not_load_is_not_looked_for_again(self) -> None:
        tries: list[int] = []

        def load() -> Callable[[str, list[str]], Any]:
            tries.append(1)
            raise OSError("no network")

        encoder = CrossEncoder("test:model", load)
        for _ in range(3):
            with pytest.raises(Upstream, match="no network"):
                encoder.score("?", ["a"])
        assert tries == [1]

    def test_a_model_that_fails_is_said_and_asked_again(self) -> None:
        answers = iter([RuntimeError("out of memory"), [2.0]])

        def score(question: str, texts: list[str]) -> Any:
            answer = next(answers)
            if isinstance(answer, Exception):
                raise answer
            return answer

        encoder = self._loaded(score)
        with pytest.raises(Upstream, match="out of memory"):
            encoder.score("?", ["a"])
        assert encoder.score("?", ["a"]).tolist() == [2.0]

    @pytest.mark.parametrize("given", [[[0.1, 0.9]], [1.0, 2.0], 1.0])
    def test_a_classifier_is_no_cross_encoder(self, given: Any) -> None:
        with pytest.raises(Upstream, match="no cross-encoder"):
            self._loaded(lambda question, texts: given).score("?", ["a"])


def test_the_fake_counts_shared_words() -> None:
    fake: Reranker = FakeReranker()
    assert fake.score("我们 cook soup", ["Soup!", "我们", "rain"]).tolist() == [1, 2, 0]
