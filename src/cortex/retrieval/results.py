"""What a search gives."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field

from cortex.retrieval.candidates import Trace
from cortex.retrieval.coverage import Coverage
from cortex.retrieval.legs import Question
from cortex.retrieval.scope import Scope
from cortex.text.language import Lang


@dataclass(frozen=True)
class LegRank:
    """A document's place in one leg's whole list, from 1, and the score that put it there."""

    rank: int
    score: float


@dataclass(frozen=True)
class PassageRef:
    """A passage as stored; `start` and `end` count code points of the document's text."""

    id: int
    text: str
    start: int
    end: int
    headings: tuple[str, ...]
    prefix: str
    hash: uuid.UUID


@dataclass(frozen=True)
class Hit:
    """A document that was found, with its best passage."""

    document_id: int
    version: int
    title: str
    url: str
    open_url: str | None
    source: str
    external_id: str
    kind: str
    lang: Lang
    date: dt.date | None
    period: int | None
    topic: str | None
    passage: PassageRef
    score: float
    legs: dict[str, LegRank] = field(default_factory=dict)
    origin: str = "person"
    """Who wrote it: a text that a model wrote is labelled."""


@dataclass(frozen=True)
class LegEntry:
    """A document in a leg's own list."""

    document_id: int
    title: str
    url: str


@dataclass(frozen=True)
class SearchResult:
    """Hits, best first; `in_scope` counts the documents that could have been found."""

    hits: list[Hit]
    scope: Scope
    coverage: Coverage
    in_scope: int
    timings_ms: dict[str, float]
    legs: dict[str, list[LegEntry]] | None = None
    trace: Trace | None = None
    asked: Question | None = None
    """The question as it was understood; None where the scope holds nothing."""
