"""Which sentences of found passages answer the question: each scored by meaning, by the question's words and by its passage."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortex.providers import Embedders
from cortex.retrieval import _repository as repository
from cortex.retrieval import constants, translation
from cortex.retrieval.centres import Standard
from cortex.retrieval.expectation import expected
from cortex.retrieval.legs import LANGS, Question
from cortex.retrieval.results import Hit
from cortex.retrieval.statistics import Statistics, document_counts
from cortex.storage import Transaction
from cortex.text import keywords
from cortex.text.language import Lang
from cortex.text.markdown import plain
from cortex.text.sentences import sentences

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNQUOTED = re.compile(r"<!--.*?(?:-->|\Z)|^#{1,6} .*?$|^[|:\- ]{3,}$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class SentenceScore:
    """A sentence of a hit's passage; offsets count code points of the document's text. Scores compare within one question."""

    hit: int
    start: int
    end: int
    text: str
    score: float


async def score(
    tx: Transaction,
    owner_id: int,
    question: str,
    asked: Question,
    hits: Sequence[Hit],
    standards: Mapping[tuple[str, Lang], Standard],
    statistics: Statistics,
    embedders: Embedders,
) -> list[SentenceScore]:
    """Score every sentence of the hits' passages; `hit` is the index in `hits`."""
    stored = await repository.sentences_of(tx, owner_id, [hit.passage.hash for hit in hits])
    scored: list[SentenceScore] = []
    best = hits[0].score if hits else 0.0
    kind = expected(question)
    for lang in LANGS:
        part = [(n, hit) for n, hit in enumerate(hits) if hit.lang == lang]
        spans = [(n, span) for n, hit in part for span in _visible(hit.passage.text, lang)]
        if not spans:
            continue
        texts = [hits[n].passage.text[start:end] for n, (start, end) in spans]
        meant = await _meaning(embedders, asked, stored, hits, spans, texts)
        standard = standards["fast", lang]
        held = [set(keywords.analyse(plain(text), lang)) for text in texts]
        around = [words | above for words, above in zip(held, _context(hits, spans, held, lang), strict=True)]
        worded = await _worded(tx, owner_id, asked, lang, held, statistics)
        in_context = await _worded(tx, owner_id, asked, lang, around, statistics)
        for number, (n, (start, end)) in enumerate(spans):
            value = (
                constants.QUOTE_MEANING * standard.of(meant[number])
                + constants.QUOTE_WORDS * float(worded[number])
                + constants.QUOTE_CONTEXT * float(in_context[number] - worded[number])
                + constants.QUOTE_KIND * bool(kind and kind.search(texts[number]))
                - constants.QUOTE_PASSAGE * (best - hits[n].score)
            )
            offset = hits[n].passage.start
            scored.append(SentenceScore(n, offset + start, offset + end, texts[number], value))
    return scored


def _visible(text: str, lang: Lang) -> list[tuple[int, int]]:
    """The sentences that say something to a reader: no headings, no HTML comments, where instructions like to hide."""
    spans = sentences(text, lang)
    return _outside(_UNQUOTED, text, spans) or _outside(
        _COMMENT, text, spans
    )  # a note of headings alone is quoted by them


def _outside(pattern: re.Pattern[str], text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    hidden = [found.span() for found in pattern.finditer(text)]
    return [(s, e) for s, e in spans if not any(s < last and first < e for first, last in hidden)]


def _context(
    hits: Sequence[Hit], spans: Sequence[tuple[int, tuple[int, int]]], held: Sequence[set[str]], lang: Lang
) -> list[set[str]]:
    """What a sentence need not say again: the words of its title, its headings and the sentence before it."""
    above = {n: set(keywords.analyse(f"{hits[n].title} {' '.join(hits[n].passage.headings)}", lang)) for n, _ in spans}
    around: list[set[str]] = []
    for number, (n, (start, _)) in enumerate(spans):
        heading = (
            hits[n].passage.text[:start].rpartition("\n#")[2].partition("\n")[0]
            if "#" in hits[n].passage.text[:start]
            else ""
        )
        before = held[number - 1] if number and spans[number - 1][0] == n else set()
        around.append(above[n] | before | set(keywords.analyse(heading, lang)))
    return around


async def _meaning(
    embedders: Embedders,
    asked: Question,
    stored: Mapping[Any, dict[str, Any]],
    hits: Sequence[Hit],
    spans: Sequence[tuple[int, tuple[int, int]]],
    texts: Sequence[str],
) -> NDArray[np.float32]:
    """Inner products of the question and each sentence; a sentence whose vector is not stored yet is embedded now."""
    vector = asked.vectors["fast"]
    values = np.zeros(len(spans), np.float32)
    missing: list[int] = []
    matrices = {
        key: (
            {span: at for at, span in enumerate(zip(row["starts"], row["ends"], strict=True))},
            np.frombuffer(row["vectors"], "<f2").reshape(-1, len(vector)).astype(np.float32) @ vector,
        )
        for key, row in stored.items()
    }
    for number, (n, span) in enumerate(spans):
        places, products = matrices.get(hits[n].passage.hash, ({}, values))
        if span in places:
            values[number] = products[places[span]]
        else:
            missing.append(number)
    if missing:
        fresh = await asyncio.to_thread(embedders.fast.embed_passages, [texts[number] for number in missing])
        values[missing] = fresh @ vector
    return values


async def _worded(
    tx: Transaction, owner_id: int, asked: Question, lang: Lang, held: Sequence[set[str]], statistics: Statistics
) -> NDArray[np.float64]:
    """The share of the question's idf mass that each sentence holds."""
    terms = translation.terms(asked.wanted, lang)
    if not terms:
        return np.zeros(len(held))
    ids = sorted({keywords.term_id(term) for term in terms})
    counts = await document_counts(tx, owner_id, statistics, ids, lang)
    documents = {term: counts.get(keywords.term_id(term), 0) for term in terms}
    holds = {term: np.array([term in words for words in held], dtype=bool) for term in terms}
    return translation.coverage(asked.wanted[lang], holds, documents, statistics.sizes[lang].passages)
