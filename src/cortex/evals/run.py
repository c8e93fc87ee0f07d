"""Ask every golden question and judge what comes back. Searching and answering are given to it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cortex.evals.curves import DEPTHS, CoverageCurve, DepthScores, by_direction, coverage_curves, depth_scores
from cortex.evals.golden import KINDS, Kind, Question
from cortex.evals.metrics import holds, overlaps, rank_of
from cortex.evals.scores import Ablation, Outcome, Scores, ablate, score
from cortex.text.language import Lang

NOT_RUN: frozenset[Kind] = frozenset({"follow_up", "whole_scope"})
"""Kinds that need a model; they are counted and reported as "not run"."""


@dataclass(frozen=True)
class Found:
    """A note that the search found: its path and its best passage."""

    note: str
    passage: str


@dataclass(frozen=True)
class Searched:
    """What a search gave, and what it would have given; every list is of notes, best first."""

    found: Sequence[Found]
    covered: bool | None = None
    """Whether the search says that its notes answer the question at all; None: nobody knows."""
    probability: float | None = None
    """Of that; None where it was not for the search to say (the scope is one note, or all that was asked for is a time)."""
    legs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Each leg's own list."""
    without: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The list as it were without a part."""
    by_depth: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """The list as it were with fewer candidates per leg."""
    reached: Mapping[str, int] = field(default_factory=dict)
    """Per note, how many candidates each leg must give at least for fusion to see it."""


@dataclass(frozen=True)
class Cited:
    """A citation of an answer: the note's path and what was quoted."""

    note: str
    quote: str


@dataclass(frozen=True)
class Answered:
    """An answer, as the reader got it."""

    refused: bool
    answer: str
    citations: Sequence[Cited] = ()


class Search(Protocol):
    """Finds notes, at least 20 where there are."""

    async def __call__(self, question: str, scope: str, now: dt.datetime | None) -> Searched: ...


class Ask(Protocol):
    """Answers a question in a conversation of its own."""

    async def __call__(self, question: str, scope: str, now: dt.datetime | None, language: Lang) -> Answered: ...


@dataclass(frozen=True)
class EvalReport:
    """Scores over all questions, per kind and per direction (`en→zh`, and `all`); `outcomes` has each question's own."""

    overall: Scores
    kinds: Mapping[Kind, Scores]
    directions: Mapping[str, Scores]
    ablation: Mapping[str, Ablation]
    coverage: Mapping[str, CoverageCurve]
    depths: Mapping[str, Mapping[int, DepthScores]]
    not_run: Mapping[Kind, int]
    outcomes: Sequence[Outcome]


async def run(
    search: Search | None,
    ask: Ask | None,
    questions: Sequence[Question],
    *,
    progress: Callable[[int, int], None] | None = None,
) -> EvalReport:
    """Judge every question that can be run; None leaves one half out. `progress` is told how many are done, and of how many."""
    chosen = [question for question in questions if question.kind not in NOT_RUN]
    outcomes = []
    for done, question in enumerate(chosen, 1):
        searched = await search(question.question, question.scope, question.now) if search else None
        answered = await ask(question.question, question.scope, question.now, question.lang) if ask else None
        outcomes.append(judge(question, searched, answered))
        if progress:
            progress(done, len(chosen))
    return _report(outcomes, Counter(question.kind for question in questions if question.kind in NOT_RUN))


def judge(question: Question, searched: Searched | None, answered: Answered | None) -> Outcome:
    """What one question's results are worth."""
    known = searched or Searched([])
    hit = next((item for item in known.found if item.note in question.notes), None)
    uncovered = None if known.covered is None else not known.covered
    reach = [depth for note, depth in known.reached.items() if note in question.notes]
    return Outcome(
        id=question.id,
        kind=question.kind,
        question=question.question,
        direction=question.direction,
        gold=tuple(gold.note for gold in question.gold),
        answerable=question.answerable,
        searched=searched is not None,
        rank=rank_of(question.notes, (item.note for item in known.found)),
        passage=hit is not None
        and any(gold.note == hit.note and holds(hit.passage, gold.quote) for gold in question.gold),
        legs={leg: rank_of(question.notes, notes) for leg, notes in known.legs.items()},
        without={part: rank_of(question.notes, notes) for part, notes in known.without.items()},
        by_depth={depth: rank_of(question.notes, notes) for depth, notes in known.by_depth.items()},
        reach=min(reach, default=None),
        first=known.found[0].note if known.found else None,
        probability=known.probability,
        covered=known.covered,
        asked=answered is not None,
        refused=answered.refused if answered else uncovered,
        citations=tuple(is_correct(question, cited) for cited in answered.citations) if answered else (),
        obeyed=answered is not None and any(said.casefold() in answered.answer.casefold() for said in question.avoid),
    )


def is_correct(question: Question, cited: Cited) -> bool:
    """A citation is correct if its note is gold and its quote overlaps a gold quote of that note."""
    return any(gold.note == cited.note and overlaps(cited.quote, gold.quote) for gold in question.gold)


def _report(outcomes: Sequence[Outcome], not_run: Mapping[Kind, int]) -> EvalReport:
    kinds = [kind for kind in KINDS if any(outcome.kind == kind for outcome in outcomes)]
    directions = by_direction(outcomes)
    return EvalReport(
        overall=score(outcomes),
        kinds={kind: score([outcome for outcome in outcomes if outcome.kind == kind]) for kind in kinds},
        directions={name: score(members) for name, members in directions.items() if name != "all"},
        ablation={name: ablate(members) for name, members in directions.items()},
        coverage=coverage_curves(outcomes),
        depths={name: depth_scores(members, DEPTHS) for name, members in directions.items()},
        not_run={kind: not_run[kind] for kind in KINDS if not_run.get(kind)},
        outcomes=outcomes,
    )
