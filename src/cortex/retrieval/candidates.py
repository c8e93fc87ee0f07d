"""From the legs' rows to judged passages: every candidate gets every feature, whichever leg brought it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortex.retrieval import _columns, constants, translation
from cortex.retrieval import _repository as repository
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
"""First passages of a document that words alone brought among which others are looked for: its best one for words need not be
its best one."""

_NEAREST_EACH = 4
"""Those of them that are judged: the nearest to the question."""


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

    def cover(self, held: NDArray[np.bool_], heard: Mapping[str, NDArray[np.bool_]] | None = None) -> list[float]:
        """The share of the question that each row of `held` covers, 0 to 1; its columns are the terms of `ids`."""
        some = np.asarray(held.any(axis=0))
        holds = {term: held[:, n] for n, term in enumerate(self.ids) if some[n]}
        found = translation.coverage(self.plan, {**holds, **(heard or {})}, self.documents, self.total)
        return [float(share) for share in found] if len(found) else [0.0] * len(held)

    def held(self, stored: Sequence[bytes | None]) -> NDArray[np.bool_]:
        """Which terms each stored array of terms holds, for `cover`."""
        return _columns.holds(stored, list(self.ids.values()))


async def judge(
    tx: Transaction,
    owner_id: int,
    asked: Question,
    found: Found,
    standards: Mapping[tuple[str, Lang], Standard],
    statistics: Statistics,
) -> list[Judged]:
    """Score the best passages of every leg, in no order.

    The vectors of sentences are many times those of passages, and reading takes long: so the best ones by all else have their
    sentences compared, and the best of these are read. Each is scored again with what was found.
    """
    means = {f"mean_{lang}": mean for lang, mean in shipped_spaces()["deep"].means.items()}
    chosen = await _chosen(tx, owner_id, asked, found)
    rows = {row["id"]: row for row in await repository.candidates(tx, owner_id, chosen, {**asked.vectors, **means})}
    titles = await repository.title_terms(tx, owner_id, sorted({row["document_id"] for row in rows.values()}))
    words = {
        lang: await _words(tx, owner_id, asked, found, lang, statistics) for lang in {r["lang"] for r in rows.values()}
    }
    candidates: dict[int, Candidate] = {}
    for lang, wanted in words.items():
        part = [row for row in rows.values() if row["lang"] == lang]
        body = wanted.cover(wanted.held([row["terms"] for row in part]))
        title = wanted.cover(wanted.held([titles.get(row["document_id"]) for row in part]))
        candidates |= _candidates(part, lang, body, title)
    fused = _Fusing(candidates, standards, asked.lang)
    fused.change(await _compared(tx, owner_id, fused.best(constants.COMPARED), asked))
    fused.change(await _read(tx, owner_id, fused.best(constants.READ), rows, words))
    return [
        Judged(key, row["document_id"], row["lang"], row["ordinal"], fused.fused[key], candidates[key].sentence)
        for key, row in rows.items()
    ]


class _Fusing:
    """The candidates and their fused scores, by passage."""

    def __init__(
        self, candidates: dict[int, Candidate], standards: Mapping[tuple[str, Lang], Standard], lang: Lang
    ) -> None:
        self.candidates, self._standards, self._lang = candidates, standards, lang
        self.fused: dict[int, Fused] = {}
        self.change(candidates)

    def change(self, changed: Mapping[int, Candidate]) -> None:
        self.candidates |= changed
        self.fused |= zip(changed, fuse(list(changed.values()), self._standards, self._lang), strict=True)

    def best(self, count: int) -> dict[int, Candidate]:
        order = sorted(self.fused, key=lambda key: -self.fused[key].score)[:count]
        return {key: self.candidates[key] for key in order}


async def _words(
    tx: Transaction, owner_id: int, asked: Question, found: Found, lang: Lang, statistics: Statistics
) -> _Words:
    ids = {term: term_id(term) for term in translation.terms(asked.wanted, lang)}
    counts = found.counts.get(lang) or await document_counts(tx, owner_id, statistics, sorted(set(ids.values())), lang)
    documents = {term: counts.get(key, 0) for term, key in ids.items()}
    return _Words(asked.wanted[lang], ids, documents, statistics.sizes[lang].passages)


def _candidates(
    rows: Sequence[Mapping[str, Any]], lang: Lang, body: Sequence[float], title: Sequence[float]
) -> dict[int, Candidate]:
    return {
        row["id"]: Candidate(
            lang=lang,
            deep=row["deep"],
            deep_length=row["deep_length"],
            fast=row["fast"],
            body=body[n],
            title=title[n],
        )
        for n, row in enumerate(rows)
    }


async def _compared(
    tx: Transaction, owner_id: int, best: Mapping[int, Candidate], asked: Question
) -> dict[int, Candidate]:
    """The candidates whose sentences are embedded, each with its best sentence."""
    vector = asked.vectors["fast"]
    stored = {
        key: value for key, value in (await repository.sentence_vectors(tx, owner_id, sorted(best))).items() if value
    }
    if not stored:
        return {}
    counts = [len(value) // 2 // len(vector) for value in stored.values()]
    products = np.frombuffer(b"".join(stored.values()), "<f2").reshape(-1, len(vector)).astype(np.float32) @ vector
    nearest = np.maximum.reduceat(products, np.cumsum([0, *counts[:-1]]))
    return {key: replace(best[key], sentence=float(score)) for key, score in zip(stored, nearest, strict=True)}


async def _read(
    tx: Transaction,
    owner_id: int,
    best: Mapping[int, Candidate],
    rows: Mapping[int, Mapping[str, Any]],
    words: Mapping[Lang, _Words],
) -> dict[int, Candidate]:
    """What the text of the best passages adds: the most that one sentence holds, and names that are only heard."""
    texts = await repository.passage_texts(tx, owner_id, sorted(best))
    read: dict[int, Candidate] = {}
    for lang, wanted in words.items():
        ids = [key for key, candidate in best.items() if candidate.lang == lang and key in texts]
        said = [texts[key] for key in ids]
        closest = closest_words(wanted.plan, said, lang, wanted.documents, wanted.total)
        heard = hear(wanted.plan, said, lang)
        body = (
            wanted.cover(wanted.held([rows[key]["terms"] for key in ids]), heard)
            if heard
            else [best[key].body for key in ids]
        )
        for key, share, whole in zip(ids, closest, body, strict=True):
            read[key] = replace(best[key], words=float(share), body=whole)
    return read


async def _chosen(tx: Transaction, owner_id: int, asked: Question, found: Found) -> list[int]:
    """The best passages of each leg and language, and more passages of documents that words brought."""
    chosen, documents = brought(found, constants.CANDIDATES_PER_LEG)
    more = await repository.passages_of(
        tx, owner_id, sorted(documents), asked.vectors["deep"], pool=PASSAGES_EACH, each=_NEAREST_EACH
    )
    return sorted(chosen.union(more))


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
