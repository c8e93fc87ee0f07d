"""The legs: independent ways of finding passages, each with its own ranked list per language.

`deep` and `fast` search vectors, `body` and `title` search words, `dictionary` searches the words of the other language. Each
takes the scope inside its query. To add a leg: docs/architecture.md says where.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cortex.providers.embedders import Vector
from cortex.retrieval import _bm25 as bm25
from cortex.retrieval import _postings_repository as postings
from cortex.retrieval import _repository as repository
from cortex.retrieval._bm25 import MOST, MOST_SCOPED, Plan, Term
from cortex.retrieval._scope_repository import Where
from cortex.retrieval.statistics import Statistics, document_counts
from cortex.retrieval.translation import Wanted
from cortex.storage import Database, Transaction
from cortex.text.keywords import term_id
from cortex.text.language import Lang

LANGS: tuple[Lang, Lang] = ("en", "zh")
DEPTH = 60
"""Rows a leg brings per language: what the API can show of it; fusion takes the best of them."""

EXACT_BELOW = 10_000
"""Passages in a scope up to which vectors are compared one by one: cheaper and more certain than an index under a filter."""

EXACT_WHOLE = 2_000
"""The same where nothing is filtered and the index alone would do."""


@dataclass(frozen=True)
class Row:
    """A passage, or for the title leg a document (`passage_id` is None), and the leg's own score."""

    document_id: int
    score: float
    passage_id: int | None = None


@dataclass(frozen=True)
class Question:
    """The question as the legs need it: a centred vector per space, and per language the words to look for."""

    lang: Lang
    vectors: Mapping[str, Vector]
    wanted: Mapping[Lang, Sequence[Wanted]]


@dataclass
class Found:
    """Rows by (leg, language of the documents), best first."""

    rows: dict[tuple[str, Lang], list[Row]] = field(default_factory=dict)
    counts: Mapping[Lang, Mapping[int, int]] = field(default_factory=dict)
    """How many passages of each language hold each of the question's terms."""

    def of(self, leg: str) -> Iterable[tuple[Lang, list[Row]]]:
        return ((lang, rows) for (name, lang), rows in self.rows.items() if name == leg)


async def run(
    database: Database,
    owner_id: int,
    lang: Lang,
    wanted: Mapping[Lang, Sequence[Wanted]],
    vectors: Mapping[str, Awaitable[Vector]],
    inside: Where,
    passages: int,
    statistics: Statistics,
) -> Found:
    """Run all legs side by side; those of words do not wait for the vectors.

    Args:
        lang: the question's.
        wanted: the words to look for in each language.
        vectors: the question's centred vectors by space, when they are there.
        passages: how many passages the scope holds, counted up to `EXACT_BELOW` + 1.
    """
    search = _Search(database, owner_id, lang, inside, passages, statistics)
    parts = await asyncio.gather(
        *(search.words(of, wanted[of]) for of in LANGS), *(search.vectors(space, v) for space, v in vectors.items())
    )
    return Found({key: rows for part in parts for key, rows in part.items()}, search.counts)


@dataclass
class _Search:
    """What all legs of one question know."""

    database: Database
    owner_id: int
    lang: Lang
    inside: Where
    passages: int
    statistics: Statistics
    counts: dict[Lang, Mapping[int, int]] = field(default_factory=dict)

    async def vectors(self, space: str, coming: Awaitable[Vector]) -> dict[tuple[str, Lang], list[Row]]:
        exact = self.passages <= (EXACT_WHOLE if self.inside.everything else EXACT_BELOW)
        vector = await coming
        rows: dict[tuple[str, Lang], list[Row]] = {}
        async with self.database.transaction("ai", self.owner_id) as tx:
            for lang in LANGS:
                found = await repository.nearest(tx, self.inside, space, lang, vector, DEPTH, exact=exact)
                rows[space, lang] = [Row(**row) for row in found]
        return rows

    async def words(self, lang: Lang, wanted: Sequence[Wanted]) -> dict[tuple[str, Lang], list[Row]]:
        weights = _weights(wanted)
        if not weights:
            return {}
        keys = sorted({term for term, _ in weights})
        async with self.database.transaction("ai", self.owner_id) as tx:
            self.counts[lang] = await document_counts(tx, self.owner_id, self.statistics, keys, lang)
            bodies = await self._bodies(tx, lang, _terms(weights, self.counts[lang]))
            titles = await document_counts(tx, self.owner_id, self.statistics, keys, lang, titles=True)
            named = await self._titles(tx, lang, _terms(weights, titles))
        leg = "body" if lang == self.lang else "dictionary"
        return {(leg, lang): bodies, ("title", lang): named}

    async def _bodies(self, tx: Transaction, lang: Lang, terms: Sequence[Term]) -> list[Row]:
        planned = bm25.plan(terms, self.statistics.sizes[lang].passages)
        rows = await self._planned(tx, lang, planned)
        if planned.frequent and len(rows) < DEPTH:
            whole = bm25.plan(terms, self.statistics.sizes[lang].passages, whole=True)
            rows = await self._planned(tx, lang, whole)
        return rows

    async def _planned(self, tx: Transaction, lang: Lang, planned: Plan) -> list[Row]:
        size = self.statistics.sizes[lang]
        narrow = not self.inside.everything and self.passages <= EXACT_BELOW
        held = await postings.postings(tx, self.inside, _ids(planned.rare), lang == "zh", narrow=narrow)
        keys, scores = bm25.score(planned.rare, held, size.passages, size.length)
        # Where the scope is looked at last, any passage may turn out to be among the first ones of the scope.
        late = not (narrow or self.inside.everything)
        if planned.frequent:
            keys, scores = bm25.best(keys, scores, MOST_SCOPED if late else MOST)
            more = await postings.postings_of(tx, self.owner_id, _ids(planned.frequent), keys.tolist())
            extra = bm25.score(planned.frequent, more, size.passages, size.length)
            keys, scores = bm25.added([(keys, scores), extra])
        keys, scores = bm25.best(keys, scores, len(keys) if late else DEPTH + self.inside.hidden_passages)
        documents = await postings.passages_in(tx, self.inside, keys.tolist())
        placed = zip(keys.tolist(), scores.tolist(), strict=True)
        return [Row(documents[key], score, key) for key, score in placed if key in documents][:DEPTH]

    async def _titles(self, tx: Transaction, lang: Lang, terms: Sequence[Term]) -> list[Row]:
        size = self.statistics.sizes[lang]
        held = await postings.postings(tx, self.inside, _ids(terms), lang == "zh", titles=True)
        keys, scores = bm25.score(terms, held, size.documents, size.title_length)
        hidden = self.inside.hidden
        keys, scores = bm25.best(keys, scores, DEPTH + len(hidden) if self.inside.everything else len(keys))
        rows = [Row(key, score) for key, score in zip(keys.tolist(), scores.tolist(), strict=True)]
        if self.inside.everything:
            return [row for row in rows if row.document_id not in hidden][:DEPTH]
        inside = await postings.documents_in(tx, self.inside, keys.tolist())
        return [row for row in rows if row.document_id in inside][:DEPTH]


def _ids(terms: Sequence[Term]) -> list[int]:
    """Each term once: one may stand for several words of the question."""
    return list(dict.fromkeys(term.term for term in terms))


def _weights(wanted: Sequence[Wanted]) -> dict[tuple[int, int], float]:
    """The weight of each (term, group). Each word of a phrase counts its share of the phrase's weight."""
    best: dict[tuple[int, int], float] = {}
    for group, word in enumerate(wanted):
        for weight, terms in word.alternatives:
            for term in terms:
                key = (term_id(term), group)
                best[key] = max(best.get(key, 0.0), weight / len(terms))
    return best


def _terms(weights: Mapping[tuple[int, int], float], counts: Mapping[int, int]) -> list[Term]:
    """The terms that the library has."""
    return [Term(term, group, weight, counts[term]) for (term, group), weight in weights.items() if counts[term]]
