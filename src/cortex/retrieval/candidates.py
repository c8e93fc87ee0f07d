"""From the legs' rows to judged passages: every candidate gets every feature, whichever leg brought it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortex.retrieval import _repository as repository
from cortex.retrieval import constants, translation
from cortex.retrieval.centres import Standard
from cortex.retrieval.fusion import Candidate, Fused, fuse
from cortex.retrieval.legs import LANGS, Found, Question
from cortex.retrieval.statistics import Statistics
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


@dataclass(frozen=True)
class Trace:
    """What a search weighed, for those who ask how another weighing would have ranked."""

    lang: Lang
    """The question's."""
    found: Found
    judged: Sequence[Judged]
    """Every candidate, in no order."""
    standards: Mapping[tuple[str, Lang], Standard]


async def judge(
    tx: Transaction,
    owner_id: int,
    asked: Question,
    found: Found,
    standards: Mapping[tuple[str, Lang], Standard],
    statistics: Statistics,
) -> list[Judged]:
    """Score the best passages of every leg, in no order."""
    rows = await repository.candidates(tx, owner_id, await _chosen(tx, owner_id, found))
    titles = await repository.title_terms(tx, owner_id, sorted({row["document_id"] for row in rows}))
    judged: list[Judged] = []
    for lang in LANGS:
        part = [row for row in rows if row["lang"] == lang]
        if not part:
            continue
        plan = asked.wanted[lang]
        ids = {term: term_id(term) for term in translation.terms(asked.wanted, lang)}
        counts = await repository.frequencies(tx, owner_id, sorted(set(ids.values())), lang == "zh")
        documents = {term: counts.get(key, 0) for term, key in ids.items()}
        total = statistics.sizes[lang].passages
        body = translation.coverage(plan, _holds(ids, [set(row["terms"]) for row in part]), documents, total)
        title = translation.coverage(
            plan, _holds(ids, [titles.get(row["document_id"], set()) for row in part]), documents, total
        )
        candidates = [
            Candidate(
                lang=lang,
                deep=_dot(row["deep"], asked.vectors["deep"]),
                fast=_dot(row["fast"], asked.vectors["fast"]),
                sentence=_best_sentence(row["sentences"], asked.vectors["fast"]),
                body=float(body[n]) if len(body) else 0.0,
                title=float(title[n]) if len(title) else 0.0,
            )
            for n, row in enumerate(part)
        ]
        judged += [
            Judged(row["id"], row["document_id"], lang, row["ordinal"], fused)
            for row, fused in zip(part, fuse(candidates, standards, asked.lang), strict=True)
        ]
    return judged


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


def _holds(ids: Mapping[str, int], held: Sequence[set[int]]) -> dict[str, NDArray[np.bool_]]:
    return {term: np.array([key in terms for terms in held], dtype=bool) for term, key in ids.items()}


def _dot(stored: Any, vector: NDArray[np.float32]) -> float | None:
    return None if stored is None else float(stored.to_numpy().astype(np.float32) @ vector)


def _best_sentence(stored: bytes | None, vector: NDArray[np.float32]) -> float | None:
    """The best inner product among a passage's sentence vectors (a matrix of float16, row by row)."""
    if stored is None:
        return None
    matrix = np.frombuffer(stored, "<f2").reshape(-1, len(vector)).astype(np.float32)
    return float((matrix @ vector).max())
