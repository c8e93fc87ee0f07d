"""Make the shipped centres again: `python -m cortex.evals.centres [--out FILE]`. Needed when a bundled embedder changes.

Questions' centres come from the ordinary questions beside the data file, passages from the ordinary texts there and from a
sample of the golden notebook's passages. All of it is ours to ship.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from cortex.evals.golden import notes_folder
from cortex.indexing.passages import Source, build, embedded_text
from cortex.providers.bundled import open_bundled
from cortex.providers.embedders import Embedder
from cortex.settings import ChunkingSettings
from cortex.text import frontmatter, markdown
from cortex.text.language import Lang, detect

SAMPLE = 100
"""Passages shipped per language: their mean and spread move little with more."""

_DATA = files("cortex.retrieval") / "data"


def ordinary(kind: str, lang: Lang) -> list[str]:
    """Our own short texts: `question` or `passage`."""
    rows = [json.loads(line) for line in (_DATA / "ordinary.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row[f"{kind}_{lang}"] for row in rows if f"{kind}_{lang}" in row]


def golden_passages(lang: Lang, embedder: Embedder) -> list[str]:
    """The golden notebook's passages of one language, as they would be embedded."""
    texts: list[str] = []
    for number, file in enumerate(sorted(notes_folder().rglob("*.md"))):
        text = frontmatter.split(file.read_text(encoding="utf-8")).body
        title = markdown.title(text) or file.stem
        source = Source(number, 1, title, text, detect(text), "note", None, None)
        passages = build(source, ChunkingSettings(), embedder.tokens)
        texts += [embedded_text(passage.prefix, passage.text) for passage in passages if passage.lang == lang]
    return texts


def centres() -> dict[str, np.ndarray]:
    """The arrays of the data file, half precision."""
    arrays = {}
    langs: Sequence[Lang] = ("en", "zh")
    for space, embedder in open_bundled().by_space().items():
        for lang in langs:
            questions = np.stack([embedder.embed_question(text) for text in ordinary("question", lang)])
            texts = golden_passages(lang, embedder) + ordinary("passage", lang)
            chosen = np.sort(np.random.default_rng(0).permutation(len(texts))[:SAMPLE])
            passages = embedder.embed_passages([texts[n] for n in chosen])
            arrays[f"{space}_questions_{lang}"] = questions.mean(0).astype(np.float16)
            arrays[f"{space}_passages_{lang}"] = passages.astype(np.float16)
    return arrays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(str(_DATA / "centres.npz")))
    arrays: dict[str, Any] = dict(centres())
    np.savez_compressed(parser.parse_args().out, **arrays)


if __name__ == "__main__":
    main()
