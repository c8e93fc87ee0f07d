"""`Retriever.search`: from a question to the documents that answer it, best first, and whether they answer it at all.

understand (language, words, vectors) → legs → candidates → features → fusion → best passage per document → coverage
→ second opinion.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cortex.indexing.passages import embedded_text
from cortex.providers import Embedders, Reranker
from cortex.providers.embedders import Vector
from cortex.retrieval import _repository as repository
from cortex.retrieval import _scope_repository, coverage, legs, second_opinion, sentences
from cortex.retrieval._scope_repository import Where
from cortex.retrieval.candidates import Judged, Trace, judge
from cortex.retrieval.centres import Standard, shipped_spaces
from cortex.retrieval.dictionary import open_dictionary
from cortex.retrieval.legs import LANGS, Found, Question, Row
from cortex.retrieval.narrowing import Narrowed, narrow
from cortex.retrieval.results import Hit, LegEntry, LegRank, PassageRef, SearchResult
from cortex.retrieval.scope import Scope
from cortex.retrieval.sentences import SentenceScore
from cortex.retrieval.statistics import Statistics, StatisticsCache
from cortex.retrieval.translation import Translator
from cortex.storage import Database, Transaction
from cortex.text.language import Lang, detect

_COVERAGE_DEPTH = 10
_LISTED = 50
"""Documents of a leg's own list that a caller may see."""

LEGS = ("deep", "fast", "title", "body", "dictionary")


@dataclass
class Clock:
    """Milliseconds per stage."""

    timings: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.timings[name] = round((time.perf_counter() - started) * 1e3, 1)


@dataclass
class Retriever:
    """Searches the passages of a library. Holds nothing that a restart would lose."""

    database: Database
    embedders: Embedders
    reranker: Reranker | None = None

    def __post_init__(self) -> None:
        self._statistics = StatisticsCache(self.database)

    @cached_property
    def _translator(self) -> Translator:
        return Translator(open_dictionary())

    def warm(self) -> None:
        """Load the models and the dictionary, so that the first question does not wait for them. Blocks."""
        self._translator.plan("warm 热")
        self.embedders.fast.embed_question("warm")
        self.embedders.deep.embed_question("warm")
        if self.reranker:
            second_opinion.warm(self.reranker)

    async def search(
        self,
        owner_id: int,
        question: str,
        scope: Scope,
        *,
        limit: int = 20,
        list_legs: bool = False,
        trace: bool = False,
    ) -> SearchResult:
        """The documents of the scope that answer the question, best first, one passage of each; `limit` at most.

        Args:
            list_legs, trace: whether the result has each leg's own list, and all that was weighed.
        """
        clock = Clock()
        lang = detect(question)
        # Words are looked for while the question is being embedded.
        vectors = {
            space: asyncio.create_task(self._vector(space, question, lang)) for space in self.embedders.by_space()
        }
        with clock.stage("understand"):
            wanted, statistics, (inside, documents, passages) = await asyncio.gather(
                asyncio.to_thread(self._translator.plan, question),
                self._statistics.get(owner_id),
                self._inside(owner_id, scope),
            )
        if not passages:
            await asyncio.wait(vectors.values())
            return SearchResult(
                [], scope, coverage.judge(lang, []), documents, clock.timings, {} if list_legs else None
            )
        with clock.stage("legs"):
            found = await legs.run(self.database, owner_id, lang, wanted, vectors, inside, passages, statistics)
        asked = Question(lang, {space: await vector for space, vector in vectors.items()}, wanted)
        standards = _standards(asked, statistics)
        async with self.database.transaction("ai", owner_id) as tx:
            with clock.stage("judge"):
                judged = await judge(tx, owner_id, asked, found, standards, statistics)
            with clock.stage("details"):
                best = best_per_document(judged)
                # A few more than asked for: one whose text is gone from its document is dropped.
                details = await repository.details(tx, inside, [j.passage_id for j in best[: limit + 20]])
                listed = await self._list_legs(tx, owner_id, found, standards) if list_legs else None
        top = [(j.lang, j.fused) for j in best[:_COVERAGE_DEPTH]]
        ranks = leg_ranks(found, standards) | {"sentence": second_opinion.sentence_ranks(judged)}
        if self.reranker:
            with clock.stage("cross_encoder"):
                texts = {key: embedded_text(row["prefix"], row["text"]) for key, row in details.items()}
                best, ranks["cross_encoder"] = await second_opinion.reread(self.reranker, question, best, texts)
        hits = _hits(best, details, ranks, limit)
        weighed = Trace(asked.lang, found, judged, standards) if trace else None
        return SearchResult(
            hits, scope, coverage.judge(asked.lang, top), documents, clock.timings, listed, weighed, asked
        )

    async def legs(self, owner_id: int, question: str, scope: Scope) -> Found:
        """What each leg brings, before anything is judged."""
        lang = detect(question)
        wanted = await asyncio.to_thread(self._translator.plan, question)
        vectors = {space: self._vector(space, question, lang) for space in self.embedders.by_space()}
        statistics = await self._statistics.get(owner_id)
        inside, _, passages = await self._inside(owner_id, scope)
        return await legs.run(self.database, owner_id, lang, wanted, vectors, inside, passages, statistics)

    async def narrowed(self, owner_id: int, question: str, scope: Scope, today: dt.date | None) -> Narrowed:
        """The question with the time that it names, counted from `today` (None: not read), made a term of the scope."""

        async def has_notes(within: Scope) -> bool:
            async with self.database.transaction("ai", owner_id) as tx:
                return await _scope_repository.holds_any(tx, await _scope_repository.where(tx, owner_id, within))

        return await narrow(question, scope, today, has_notes)

    async def sentences(
        self, owner_id: int, question: str, asked: Question, hits: Sequence[Hit]
    ) -> list[SentenceScore]:
        """The sentences of the hits' passages, each with how well it answers the question; `asked` is what `search` made of it."""
        statistics = await self._statistics.get(owner_id)
        async with self.database.transaction("ai", owner_id) as tx:
            standards = _standards(asked, statistics)
            return await sentences.score(tx, owner_id, question, asked, hits, standards, statistics, self.embedders)

    def understand(self, question: str) -> Question:
        """Language, words in both languages and centred vectors of a question. Blocks for about 20 ms."""
        lang = detect(question)
        vectors = {space: self._embedded(space, question, lang) for space in self.embedders.by_space()}
        return Question(lang, vectors, self._translator.plan(question))

    async def _vector(self, space: str, question: str, lang: Lang) -> Vector:
        return await asyncio.to_thread(self._embedded, space, question, lang)

    def _embedded(self, space: str, question: str, lang: Lang) -> Vector:
        return shipped_spaces()[space].centre(self.embedders.by_space()[space].embed_question(question), lang)

    async def _inside(self, owner_id: int, scope: Scope) -> tuple[Where, int, int]:
        async with self.database.transaction("ai", owner_id) as tx:
            inside = await _scope_repository.where(tx, owner_id, scope)
            return inside, *await _scope_repository.in_scope(tx, inside, legs.EXACT_BELOW + 1)

    async def _list_legs(
        self, tx: Transaction, owner_id: int, found: Found, standards: Mapping[tuple[str, Lang], Standard]
    ) -> dict[str, list[LegEntry]]:
        ranks = leg_ranks(found, standards)
        ids = {leg: list(placed)[:_LISTED] for leg, placed in ranks.items()}
        rows = await repository.leg_documents(tx, owner_id, sorted({i for listed in ids.values() for i in listed}))
        return {leg: [LegEntry(**rows[i]) for i in listed if i in rows] for leg, listed in ids.items()}


def _hits(
    best: Sequence[Judged],
    details: Mapping[int, dict[str, Any]],
    ranks: Mapping[str, Mapping[int, LegRank]],
    limit: int,
) -> list[Hit]:
    hits: list[Hit] = []
    for judged in best:
        row = details.get(judged.passage_id)
        if row is not None and len(hits) < limit:
            start = row.pop("found") - 1
            passage = PassageRef(row.pop("passage_id"), row.pop("text"), start, start + row.pop("chars"),
                                 tuple(row.pop("headings")), row.pop("prefix"), row.pop("hash"))  # fmt: skip
            placed = {leg: ranked[judged.document_id] for leg, ranked in ranks.items() if judged.document_id in ranked}
            hits.append(Hit(**row, passage=passage, score=round(judged.fused.score, 4), legs=placed))
    return hits


def _standards(asked: Question, statistics: Statistics) -> dict[tuple[str, Lang], Standard]:
    """What an ordinary passage of each language scores for this question, per space."""
    spaces = shipped_spaces()
    return {
        (space, lang): spaces[space].standard(
            vector, lang, statistics.samples[space, lang], statistics.sizes[lang].passages
        )
        for space, vector in asked.vectors.items()
        for lang in LANGS
    }


def best_per_document(judged: Sequence[Judged]) -> list[Judged]:
    """The best passage of each document, best first; ties by id, so that the order is the same every time."""
    best: dict[int, Judged] = {}
    for one in sorted(judged, key=lambda j: (-j.fused.score, j.document_id, j.ordinal)):
        best.setdefault(one.document_id, one)
    return list(best.values())


def leg_ranks(found: Found, standards: Mapping[tuple[str, Lang], Standard]) -> dict[str, dict[int, LegRank]]:
    """Per leg, each document's rank and score in the leg's whole list, in order.

    The lists of two languages are joined by standardised scores where the leg compares vectors, by scores elsewhere.
    """
    ranks: dict[str, dict[int, LegRank]] = {}
    for leg in LEGS:
        rows: list[Row] = []
        for lang, part in found.of(leg):
            standard = standards.get((leg, lang))
            rows += [Row(r.document_id, standard.of(r.score) if standard else r.score, r.passage_id) for r in part]
        placed: dict[int, LegRank] = {}
        for row in sorted(rows, key=lambda r: (-r.score, r.document_id)):
            placed.setdefault(row.document_id, LegRank(len(placed) + 1, round(row.score, 4)))
        ranks[leg] = placed
    return ranks
