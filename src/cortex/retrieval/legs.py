"""The legs: independent ways of finding passages, each with its own ranked list per language.

`deep` and `fast` search vectors, `body` and `title` search words, `dictionary` searches the words of the other language. Each
takes the scope inside its query. To add a leg: give `run` another entry of `Found` and fusion a feature for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cortex.providers.embedders import Vector
from cortex.retrieval import _repository as repository
from cortex.retrieval._bm25 import EVERYTHING, MOST, MOST_SCOPED, Term, plan
from cortex.retrieval._scope_repository import Where
from cortex.retrieval.statistics import Statistics, document_counts
from cortex.retrieval.translation import Wanted
from cortex.storage import Database
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
    database: Database, owner_id: int, question: Question, inside: Where, passages: int, statistics: Statistics
) -> Found:
    """Run all legs side by side.

    Args:
        passages: how many passages the scope holds, counted up to `EXACT_BELOW` + 1.
    """
    counts: dict[Lang, Mapping[int, int]] = {}
    parts = await asyncio.gather(
        *(_vectors(database, owner_id, inside, space, v, passages) for space, v in question.vectors.items()),
        *(_words(database, owner_id, question, lang, inside, passages, statistics, counts) for lang in LANGS),
    )
    return Found({key: rows for part in parts for key, rows in part.items()}, counts)


async def _vectors(
    database: Database, owner_id: int, inside: Where, space: str, vector: Vector, passages: int
) -> dict[tuple[str, Lang], list[Row]]:
    exact = passages <= (EXACT_WHOLE if inside.everything else EXACT_BELOW)
    rows: dict[tuple[str, Lang], list[Row]] = {}
    async with database.transaction("ai", owner_id) as tx:
        for lang in LANGS:
            found = await repository.nearest(tx, inside, space, lang, vector, DEPTH, exact=exact)
            rows[space, lang] = [Row(**row) for row in found]
    return rows


async def _words(
    database: Database,
    owner_id: int,
    question: Question,
    lang: Lang,
    inside: Where,
    passages: int,
    statistics: Statistics,
    found_counts: dict[Lang, Mapping[int, int]],
) -> dict[tuple[str, Lang], list[Row]]:
    weights = _weights(question.wanted[lang])
    if not weights:
        return {}
    zh, size = lang == "zh", statistics.sizes[lang]
    keys = sorted({term for term, _ in weights})
    async with database.transaction("ai", owner_id) as tx:
        counts = found_counts[lang] = await document_counts(tx, owner_id, statistics, keys, zh)
        titles = await document_counts(tx, owner_id, statistics, keys, zh, titles=True)
        narrow = not inside.everything and passages <= EXACT_BELOW
        late = not (narrow or inside.everything)
        most, all_of = (MOST_SCOPED, EVERYTHING) if late else (MOST, DEPTH)
        bodies: list[dict[str, Any]] = []
        for whole in (False, True):
            planned = plan(_terms(weights, counts), size.passages, size.length, most=most, all_of=all_of, whole=whole)
            bodies = await repository.body(tx, inside, {"zh": zh, **planned.values}, DEPTH, narrow=narrow)
            if planned.whole or len(bodies) == DEPTH:
                break
        planned = plan(_terms(weights, titles), size.documents, size.title_length, whole=True)
        named = await repository.title(tx, inside, {"zh": zh, **planned.values}, DEPTH)
    leg = "body" if lang == question.lang else "dictionary"
    return {
        (leg, lang): [Row(row["document_id"], row["score"], row["passage_id"]) for row in bodies],
        ("title", lang): [Row(row["document_id"], row["score"]) for row in named],
    }


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
