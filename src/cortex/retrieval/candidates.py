"""From the legs' rows to judged passages: every candidate gets every feature, whichever leg brought it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortex.retrieval import _repository as repository
from cortex.retrieval import constants, translation
from cortex.retrieval.centres import Standard, shipped_spaces
from cortex.retrieval.fusion import Candidate, Fused, fuse
from cortex.retrieval.legs import Found, Question
from cortex.retrieval.reading import closest_words, hear
from cortex.retrieval.statistics import Statistics, document_counts
from cortex.retrieval.translation import Wanted
from cortex.storage import Transaction
from cortex.text.keywords import term_id
from cortex.text.language import Lang

PASSAGES_EACH = 12
"""Passages judged of a document that words alone brought: its best one for words need not be its best one."""


@dataclass(frozen=True)
class Judged:
    """A candidate with its fused score."""

    passage_id: int
    document_id: int
    lang: Lang
    ordinal: int
    fused: Fused
    sentence: float | None = None
    """The best inner product of its sentences; None while they have no vectors."""


@dataclass(frozen=True)
class Trace:
    """What a search weighed, for those who ask how another weighing would have ranked."""

    lang: Lang
    """The question's."""
    found: Found
    judged: Sequence[Judged]
    """Every candidate, in no order."""
    standards: Mapping[tuple[str, Lang], Standard]


@dataclass(frozen=True)
class _Words:
    """What of the question counts in passages of one language, and how often the library has it."""

    plan: Sequence[Wanted]
    ids: Mapping[str, int]
    documents: Mapping[str, int]
    total: int

    def cover(self, held: Sequence[set[int]], heard: Mapping[str, NDArray[np.bool_]] | None = None) -> list[float]:
        """The share of the question that each set of terms holds, 0 to 1."""
        holds = {term: np.array([key in terms for terms in held], dtype=bool) for term, key in self.ids.items()}
        found = translation.coverage(self.plan, {**holds, **(heard or {})}, self.documents, self.total)
        return [float(share) for share in found] if len(found) else [0.0] * len(held)


async def judge(
    tx: Transaction,
    owner_id: int,
    asked: Question,
    found: Found,
    standards: Mapping[tuple[str, Lang], Standard],
    statistics: Statistics,
) -> list[Judged]:
    """Score the best passages of every leg, in no order; the best of them are read, sentence by sentence, and scored again."""
    rows = await repository.candidates(tx, owner_id, await _chosen(tx, owner_id, found))
    titles = await repository.title_terms(tx, owner_id, sorted({row["document_id"] for row in rows}))
    words = {lang: await _words(tx, owner_id, asked, lang, statistics) for lang in {row["lang"] for row in rows}}
    candidates: dict[int, Candidate] = {}
    for lang, wanted in words.items():
        part = [row for row in rows if row["lang"] == lang]
        body = wanted.cover([set(row["terms"]) for row in part])
        title = wanted.cover([titles.get(row["document_id"], set()) for row in part])
        for n, row in enumerate(part):
            candidates[row["id"]] = _candidate(row, lang, asked, body[n], title[n])
    first = fuse(list(candidates.values()), standards, asked.lang)
    order = sorted(zip(candidates, first, strict=True), key=lambda pair: -pair[1].score)[: constants.READ]
    candidates |= await _read(tx, owner_id, {key: candidates[key] for key, _ in order}, rows, words)
    again = dict(zip(candidates, fuse(list(candidates.values()), standards, asked.lang), strict=True))
    return [
        Judged(
            row["id"], row["document_id"], row["lang"], row["ordinal"], again[row["id"]], candidates[row["id"]].sentence
        )
        for row in rows
    ]


async def _words(tx: Transaction, owner_id: int, asked: Question, lang: Lang, statistics: Statistics) -> _Words:
    ids = {term: term_id(term) for term in translation.terms(asked.wanted, lang)}
    counts = await document_counts(tx, owner_id, statistics, sorted(set(ids.values())), lang == "zh")
    documents = {term: counts.get(key, 0) for term, key in ids.items()}
    return _Words(asked.wanted[lang], ids, documents, statistics.sizes[lang].passages)


def _candidate(row: Mapping[str, Any], lang: Lang, asked: Question, body: float, title: float) -> Candidate:
    deep = None if row["deep"] is None else row["deep"].to_numpy().astype(np.float32)
    return Candidate(
        lang=lang,
        deep=None if deep is None else float(deep @ asked.vectors["deep"]),
        deep_length=None if deep is None else float(shipped_spaces()["deep"].lengths(deep[None, :], lang)[0]),
        fast=_dot(row["fast"], asked.vectors["fast"]),
        sentence=_best_sentence(row["sentences"], asked.vectors["fast"]),
        body=body,
        title=title,
    )


async def _read(
    tx: Transaction,
    owner_id: int,
    best: Mapping[int, Candidate],
    rows: Sequence[Mapping[str, Any]],
    words: Mapping[Lang, _Words],
) -> dict[int, Candidate]:
    """What the text of the best passages adds: the most that one sentence holds, and names that are only heard."""
    texts = await repository.passage_texts(tx, owner_id, sorted(best))
    terms = {row["id"]: set(row["terms"]) for row in rows if row["id"] in texts}
    read: dict[int, Candidate] = {}
    for lang, wanted in words.items():
        ids = [key for key, candidate in best.items() if candidate.lang == lang and key in texts]
        said = [texts[key] for key in ids]
        closest = closest_words(wanted.plan, said, lang, wanted.documents, wanted.total)
        heard = hear(wanted.plan, said, lang)
        body = wanted.cover([terms[key] for key in ids], heard) if heard else [best[key].body for key in ids]
        for key, share, whole in zip(ids, closest, body, strict=True):
            read[key] = replace(best[key], words=float(share), body=whole)
    return read


async def _chosen(tx: Transaction, owner_id: int, found: Found) -> list[int]:
    """The best passages of each leg and language, and all passages of documents that words brought."""
    chosen, documents = brought(found, constants.CANDIDATES_PER_LEG)
    chosen.update(await repository.passages_of(tx, owner_id, sorted(documents), PASSAGES_EACH))
    return sorted(chosen)


def brought(found: Found, each: int) -> tuple[set[int], set[int]]:
    """The first `each` of every leg and language: passages, and the documents of which more passages are judged."""
    passages: set[int] = set()
    documents: set[int] = set()
    for (leg, _), rows in found.rows.items():
        for row in rows[:each]:
            if row.passage_id is not None:
                passages.add(row.passage_id)
            if leg not in ("deep", "fast"):
                documents.add(row.document_id)
    return passages, documents


def _dot(stored: Any, vector: NDArray[np.float32]) -> float | None:
    return None if stored is None else float(stored.to_numpy().astype(np.float32) @ vector)


def _best_sentence(stored: bytes | None, vector: NDArray[np.float32]) -> float | None:
    """The best inner product among a passage's sentence vectors (a matrix of float16, row by row)."""
    if stored is None:
        return None
    matrix = np.frombuffer(stored, "<f2").reshape(-1, len(vector)).astype(np.float32)
    return float((matrix @ vector).max())
