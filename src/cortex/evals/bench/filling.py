"""Synthetic libraries: documents of ten passages in two languages, with postings, vectors of both spaces and sentences."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortex.evals.bench import _filling_repository as repository
from cortex.evals.bench import copying, vectors, vocabulary
from cortex.evals.bench._filling_repository import Owner
from cortex.evals.golden import notes_folder
from cortex.retrieval.centres import shipped_spaces
from cortex.text import keywords
from cortex.text.decode import decode
from cortex.text.language import Lang, detect

Progress = Callable[[str, int, int], None]

PER_DOCUMENT = 10
CHUNK = 5_000
"""Passages made at a time; all of one language."""

SENTENCES = 11
"""Sentences of a passage, as in the golden notebook."""

SENTENCES_UP_TO = 100_000
"""Passages that get sentence vectors: 11 KB each, so a million would be more disk than a bench should take."""

SCOPES = {"1 %": "topic:one", "30 %": "topic:thirty"}

TABLES = (
    "library.documents",
    "ai.passages",
    "ai.postings",
    "ai.title_postings",
    "ai.vectors_fast",
    "ai.vectors_deep",
    "ai.sentences",
)
_TITLE_TERMS = 5


@dataclass(frozen=True)
class Maker:
    """Makes chunks; the same seed makes the same library."""

    vocabularies: dict[Lang, vocabulary.Vocabulary]
    rng: np.random.Generator

    @staticmethod
    def seeded(seed: int) -> Maker:
        rng = np.random.default_rng(seed)
        notes = golden_texts()
        by_lang: dict[Lang, list[str]] = {"en": [], "zh": []}
        for _, text in notes:
            by_lang[detect(text)].append(text)
        return Maker({lang: vocabulary.vocabulary(lang, texts, rng) for lang, texts in by_lang.items()}, rng)


@dataclass
class Chunk:
    """Passages of one language with everything that stands about them in the tables."""

    lang: Lang
    documents: NDArray[np.int64]
    drawn: vocabulary.Drawn
    texts: list[str]
    ids: NDArray[np.int64]
    hashes: NDArray[Any]
    spaces: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def document_of(self) -> NDArray[np.int64]:
        return np.repeat(self.documents, PER_DOCUMENT)


def golden_texts() -> list[tuple[str, str]]:
    """Title and text of each golden note."""
    files = sorted(file for file in notes_folder().rglob("*") if file.suffix in (".md", ".txt"))
    return [(file.stem, decode(file.read_bytes()).text) for file in files]


async def fill(owner: Owner, passages: int, *, seed: int = 7, progress: Progress | None = None) -> dict[str, float]:
    """Fill an empty library and build its indexes; returns seconds per part."""
    maker = Maker.seeded(seed)
    seconds: dict[str, float] = {}
    again = {table: await repository.drop_indexes(owner, table) for table in TABLES if "ocuments" not in table}
    started = time.perf_counter()
    done = 0
    for chunk in _chunks(maker, passages):
        await _copy(owner, maker, chunk, with_sentences=done < SENTENCES_UP_TO)
        done += len(chunk.ids)
        if progress:
            progress("synthetic passages", done, passages)
    seconds["rows"] = time.perf_counter() - started
    for number, (table, statements) in enumerate(again.items(), 1):
        started = time.perf_counter()
        for statement in statements:
            await repository.run(owner, statement)
        seconds[f"indexes of {table}"] = time.perf_counter() - started
        if progress:
            progress("indexes", number, len(again))
    await repository.settle(owner)
    return {name: round(value, 1) for name, value in seconds.items()}


def _chunks(maker: Maker, passages: int) -> Iterator[Chunk]:
    size = min(CHUNK, max(PER_DOCUMENT, passages // 5 // PER_DOCUMENT * PER_DOCUMENT))
    for number, start in enumerate(range(0, passages, size)):
        lang: Lang = "zh" if number % 5 in (1, 3) else "en"
        yield _chunk(maker, lang, start, min(size, passages - start))


def _chunk(maker: Maker, lang: Lang, start: int, size: int) -> Chunk:
    rng = maker.rng
    drawn = vocabulary.draw(maker.vocabularies[lang], size, rng)
    first = start // PER_DOCUMENT + 1
    chunk = Chunk(
        lang,
        np.arange(first, first + size // PER_DOCUMENT),
        drawn,
        vocabulary.texts(maker.vocabularies[lang], drawn, lang, rng),
        rng.integers(-(2**62), 2**62, size),
        np.frombuffer(rng.bytes(16 * size), "V16"),
    )
    for name, space in shipped_spaces().items():
        chunk.spaces[name] = vectors.cloud(space.passages[lang], size, rng)
    return chunk


async def _copy(owner: Owner, maker: Maker, chunk: Chunk, *, with_sentences: bool) -> None:
    words = maker.vocabularies[chunk.lang]
    terms = words.ids[chunk.drawn.rank]
    bounds = np.searchsorted(chunk.drawn.passage, np.arange(1, len(chunk.ids)))
    titles = [
        [words.words[r] for r in ranks]
        for ranks in maker.rng.integers(0, 3_000, (len(chunk.documents), _TITLE_TERMS)).tolist()
    ]
    await repository.copy(owner, "library.documents", _DOCUMENT, _documents(chunk, titles))
    await repository.copy(owner, "ai.indexed", ("owner_id", "document_id", "version"), [_indexed(chunk)])
    await repository.copy(owner, "ai.passages", _PASSAGE, _passages(chunk, np.split(terms, bounds)))
    places, lengths = chunk.drawn.passage, chunk.drawn.lengths
    bodies = _postings(chunk.lang, terms, chunk.ids[places], chunk.drawn.tf, lengths[places])
    await repository.copy(owner, "ai.postings", _posting("passage_id"), [bodies])
    await repository.copy(owner, "ai.title_postings", _posting("document_id"), [_titles(chunk, titles)])
    for name, space in chunk.spaces.items():
        await repository.copy(owner, f"ai.vectors_{name}", _VECTOR, [_vectors(chunk, space)])
    if with_sentences:
        real = shipped_spaces()["fast"].passages[chunk.lang]
        near = vectors.around(chunk.spaces["fast"], SENTENCES, real, maker.rng).astype("<f2")
        await repository.copy(
            owner, "ai.sentences", ("owner_id", "hash", "starts", "ends", "vectors"), _sentences(chunk, near)
        )


_DOCUMENT = ("owner_id", "id", "source", "external_id", "title", "text", "lang", "url", "content_hash", "size", "topic")
_VECTOR = ("owner_id", "hash", "zh", "embedding")
_PASSAGE = (
    "owner_id",
    "id",
    "document_id",
    "version",
    "ordinal",
    "start_at",
    "end_at",
    "text",
    "lang",
    "hash",
    "length",
    "terms",
)


def _posting(key: str) -> tuple[str, ...]:
    return ("owner_id", "term", key, "zh", "tf", "length")


def _indexed(chunk: Chunk) -> bytes:
    ones = np.ones(len(chunk.documents), np.int64)
    return copying.rows({"o": ones, "d": chunk.documents, "v": ones.astype(np.int32)})


def _vectors(chunk: Chunk, space: NDArray[np.float32]) -> bytes:
    zh = np.full(len(chunk.ids), chunk.lang == "zh")
    return copying.rows({"o": _ones(chunk.ids), "h": chunk.hashes, "z": zh, "e": copying.halfvecs(space)})


def _documents(chunk: Chunk, titles: list[list[str]]) -> Iterator[bytes]:
    for number, (key, title) in enumerate(zip(chunk.documents.tolist(), titles, strict=True)):
        body = "\n\n".join(chunk.texts[number * PER_DOCUMENT : (number + 1) * PER_DOCUMENT])
        topic = "one" if key % 100 == 0 else "thirty" if key % 10 in (3, 6, 9) else "rest"
        yield copying.row(copying.int8(1), copying.int8(key), b"notes", copying.text(f"bench-{key}"), copying.text(" ".join(title)),
                          copying.text(body), copying.text(chunk.lang), copying.text(f"bench:{key}"), b"", copying.int8(len(body)),
                          copying.text(topic))  # fmt: skip


def _passages(chunk: Chunk, terms: list[NDArray[np.int64]]) -> Iterator[bytes]:
    start = 0
    for n, text in enumerate(chunk.texts):
        ordinal = n % PER_DOCUMENT
        start = 0 if ordinal == 0 else start
        yield copying.row(copying.int8(1), copying.int8(int(chunk.ids[n])), copying.int8(int(chunk.document_of[n])), copying.int4(1),
                          copying.int4(ordinal), copying.int4(start), copying.int4(start + len(text)), copying.text(text),
                          copying.text(chunk.lang), bytes(chunk.hashes[n]), copying.int4(int(chunk.drawn.lengths[n])),
                          copying.int8_array(terms[n]))  # fmt: skip
        start += len(text) + 2


def _postings(
    lang: Lang, terms: NDArray[np.int64], keys: NDArray[np.int64], tf: NDArray[Any], lengths: NDArray[Any]
) -> bytes:
    return copying.rows({"o": _ones(terms), "t": terms, "k": keys, "z": np.full(len(terms), lang == "zh"),
                         "f": tf.astype(np.int32), "l": lengths.astype(np.int32)})  # fmt: skip


def _titles(chunk: Chunk, titles: list[list[str]]) -> bytes:
    pairs = sorted(
        {
            (key, keywords.term_id(word))
            for key, title in zip(chunk.documents.tolist(), titles, strict=True)
            for word in title
        }
    )
    keys, terms = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    return _postings(chunk.lang, terms, keys, _ones(terms), np.full(len(terms), _TITLE_TERMS))


def _sentences(chunk: Chunk, near: NDArray[Any]) -> Iterator[bytes]:
    starts = copying.int4_array([n * 40 for n in range(SENTENCES)])
    ends = copying.int4_array([n * 40 + 39 for n in range(SENTENCES)])
    for n in range(len(chunk.ids)):
        matrix = near[n * SENTENCES : (n + 1) * SENTENCES].tobytes()
        yield copying.row(copying.int8(1), bytes(chunk.hashes[n]), starts, ends, matrix)


def _ones(like: NDArray[Any]) -> NDArray[np.int64]:
    return np.ones(len(like), np.int64)
