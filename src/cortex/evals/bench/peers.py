"""Chroma and LanceDB on the same vectors, in the same run; whoever is not installed is left out with a line."""

from __future__ import annotations

import importlib
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortex.evals.bench.timing import spread

DEPTH = 20
_BATCH = 5_000

Vectors = NDArray[np.float32]
Search = Callable[[Vectors], list[int]]


def compare(vectors: Vectors, questions: Vectors) -> dict[str, Any]:
    """By peer: seconds to build, milliseconds a question, recall@20; or why it was left out."""
    exact = [np.argpartition(-(vectors @ question), DEPTH)[:DEPTH].tolist() for question in questions]
    found: dict[str, Any] = {}
    for name, module, opened in (("Chroma", "chromadb", _chroma), ("LanceDB", "lancedb", _lancedb)):
        try:
            peer = importlib.import_module(module)
        except ImportError:
            found[name] = {"skipped": f"{module} is not installed (pip install 'cortex-notes[bench]')"}
            continue
        with tempfile.TemporaryDirectory() as folder:
            found[name] = _measure(opened, peer, Path(folder), vectors, questions, exact)
    return found


def _measure(
    opened: Any, peer: Any, folder: Path, vectors: Vectors, questions: Vectors, exact: list[list[int]]
) -> dict[str, Any]:
    started = time.perf_counter()
    with opened(peer, folder, vectors) as search:
        built = time.perf_counter() - started
        search(questions[0])
        samples, shares = [], []
        for question, best in zip(questions, exact, strict=True):
            started = time.perf_counter()
            brought = search(question)
            samples.append((time.perf_counter() - started) * 1e3)
            shares.append(len(set(brought) & set(best)) / len(best))
    return {"build_s": round(built, 1), **spread(samples).as_json(), "recall": round(float(np.mean(shares)), 3)}


@contextmanager
def _chroma(chromadb: Any, folder: Path, vectors: Vectors) -> Iterator[Search]:
    client = chromadb.PersistentClient(path=str(folder), settings=chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("bench", metadata={"hnsw:space": "ip"}, embedding_function=None)
    for at in range(0, len(vectors), _BATCH):
        part = vectors[at : at + _BATCH]
        collection.add(ids=[str(n) for n in range(at, at + len(part))], embeddings=part)

    def search(question: Vectors) -> list[int]:
        return [int(i) for i in collection.query(query_embeddings=[question], n_results=DEPTH, include=[])["ids"][0]]

    yield search


@contextmanager
def _lancedb(lancedb: Any, folder: Path, vectors: Vectors) -> Iterator[Search]:
    arrow = importlib.import_module("pyarrow")
    dims = vectors.shape[1]
    column = arrow.FixedSizeListArray.from_arrays(arrow.array(vectors.ravel()), dims)
    table = lancedb.connect(str(folder)).create_table(
        "bench", arrow.table({"id": np.arange(len(vectors)), "vector": column})
    )
    table.create_index(metric="dot", vector_column_name="vector", index_type="IVF_HNSW_SQ")

    def search(question: Vectors) -> list[int]:
        return [row["id"] for row in table.search(question).metric("dot").limit(DEPTH).select(["id"]).to_list()]

    yield search
