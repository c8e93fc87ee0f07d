"""What a reranker is, and the cross-encoders that plug in by name: `fastembed:MODEL` and `sentence-transformers:MODEL`.

MODEL is a folder, or a model's name on the Hugging Face hub, which is downloaded when it is first used. Neither package is a
dependency of Cortex: each is imported when a configuration names it, and its model is loaded at the first call.
"""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cortex.errors import Invalid, Upstream

Scores = NDArray[np.float32]
"""Shape (n,). Higher is better; the unit is the model's own (logits), comparable within one question."""

Score = Callable[[str, list[str]], Any]
"""A loaded model: question and passages to one number per passage."""

SETTING = "retrieval.cross_encoder"


class Reranker(Protocol):
    """Reads a question and passages together. Calls block; run them in a thread. Safe to call from several threads."""

    @property
    def name(self) -> str: ...

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Shape (len(texts),), float32. May hold NaN where the model gave one.

        Raises:
            Upstream: the model cannot be loaded, or failed.
        """
        ...


class CrossEncoder:
    """A cross-encoder of an optional package; its model loads at the first call, once, and one call runs at a time."""

    def __init__(self, name: str, load: Callable[[], Score]) -> None:
        self.name = name
        self._load = load
        self._lock = threading.Lock()
        self._model: Score | None = None
        self._broken: str | None = None

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        if not texts:
            return np.zeros(0, np.float32)
        with self._lock:
            model = self._loaded()
            try:
                given = model(_encodable(question), [_encodable(text) for text in texts])
                scores = np.asarray(given, np.float32)
            except Exception as error:  # a foreign package, which raises what it likes
                raise Upstream(f"the cross-encoder {self.name} failed: {_line(error)}", field=SETTING) from error
        if scores.shape != (len(texts),):
            raise Upstream(f"{self.name} is no cross-encoder: it must give one score per passage", field=SETTING)
        return scores

    def _loaded(self) -> Score:
        if self._broken:  # looking for it again would keep every question waiting for a download that fails
            raise Upstream(self._broken, field=SETTING)
        if self._model is None:
            try:
                self._model = self._load()
            except Exception as error:  # a foreign package, a hub and a disk, which raise what they like
                self._broken = (
                    f"the cross-encoder {self.name} cannot be loaded: {_line(error)}; "
                    f"mend {SETTING} or the connection to its hub, then start Cortex again"
                )
                raise Upstream(self._broken, field=SETTING) from error
        return self._model


def open_reranker(name: str, models: Path, *, threads: int = 1) -> CrossEncoder:
    """The cross-encoder of that name (`fastembed:MODEL` or `sentence-transformers:MODEL`); its model is not loaded yet.

    Args:
        models: the folder that downloaded models are kept in.
        threads: for the model's arithmetic, where its package can be told.

    Raises:
        Invalid: unknown package or one that is not installed, or a folder that is not there.
    """
    package, _, model = name.partition(":")
    if package not in _PACKAGES or not model:
        raise Invalid(f"{SETTING}: {name!r} must be fastembed:MODEL or sentence-transformers:MODEL", field=SETTING)
    module, load = _PACKAGES[package]
    if importlib.util.find_spec(module) is None:
        raise Invalid(
            f"{SETTING} names {package}, which is not installed; run: {sys.executable} -m pip install {package}",
            field=SETTING,
        )
    folder = Path(model).expanduser()
    if not folder.is_dir() and (model.startswith(("/", "~", ".")) or model.count("/") > 1):
        raise Invalid(f"{SETTING}: there is no folder {folder}", field=SETTING)
    return CrossEncoder(name, lambda: load(model, folder.absolute() if folder.is_dir() else None, models, threads))


def _load_fastembed(model: str, folder: Path | None, models: Path, threads: int) -> Score:
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    name = str(folder or model)
    if not any(name.lower() == known["model"].lower() for known in TextCrossEncoder.list_supported_models()):
        # The package loads what it knows: another model is made known under its own name.
        file = "model.onnx" if folder and (folder / "model.onnx").is_file() else "onnx/model.onnx"
        TextCrossEncoder.add_custom_model(name, sources=ModelSource(hf=name), model_file=file)
    where: dict[str, Any] = {"specific_model_path": str(folder)} if folder else {}
    encoder = TextCrossEncoder(name, cache_dir=str(models), threads=threads, cuda=False, **where)
    return lambda question, texts: list(encoder.rerank(question, texts))


def _load_sentence_transformers(model: str, folder: Path | None, models: Path, threads: int) -> Score:
    import sentence_transformers
    import torch

    # The model's own choice would squeeze its scores between 0 and 1, where the best ones cannot be told apart.
    logits = torch.nn.Identity()
    encoder = sentence_transformers.CrossEncoder(
        str(folder or model), cache_folder=str(models), local_files_only=folder is not None, activation_fn=logits
    )
    return lambda question, texts: encoder.predict([(question, text) for text in texts], show_progress_bar=False)


_PACKAGES: dict[str, tuple[str, Callable[[str, Path | None, Path, int], Score]]] = {
    "fastembed": ("fastembed", _load_fastembed),
    "sentence-transformers": ("sentence_transformers", _load_sentence_transformers),
}
"""By the name that a configuration writes, which is also pip's: the module, and what loads a model."""


def _encodable(text: str) -> str:
    """A lone surrogate cannot be encoded, and the tokenizers refuse it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
