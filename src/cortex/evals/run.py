"""Ask every golden question and judge what comes back. Knows no engine: searching and answering are given to it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cortex.evals.golden import KINDS, Kind, Question
from cortex.evals.metrics import Rank, holds, overlaps, rank_of
from cortex.evals.scores import LegScores, Outcome, Scores, score, score_legs
from cortex.text.language import Lang

NOT_RUN: frozenset[Kind] = frozenset({"follow_up", "whole_scope"})
"""Kinds that need a model; they are counted and reported as "not run"."""


@dataclass(frozen=True)
class Found:
    """A note that the search found, best first: its path, its best passage and its rank in each leg that found it."""

    note: str
    passage: str
    legs: Mapping[str, int] = field(default_factory=dict)


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
    """Finds notes. Give at least 20: a leg's own find that fusion threw out further down counts for nobody."""

    async def __call__(self, question: str, scope: str, now: dt.datetime | None) -> Sequence[Found]: ...


class Ask(Protocol):
    """Answers a question in a conversation of its own."""

    async def __call__(self, question: str, scope: str, now: dt.datetime | None, language: Lang) -> Answered: ...


@dataclass(frozen=True)
class EvalReport:
    """Scores over all questions, per kind and per direction (`en→zh`); `outcomes` has each question's own."""

    overall: Scores
    kinds: Mapping[Kind, Scores]
    directions: Mapping[str, Scores]
    legs: Mapping[str, LegScores]
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
        found = await search(question.question, question.scope, question.now) if search else None
        answered = await ask(question.question, question.scope, question.now, question.lang) if ask else None
        outcomes.append(judge(question, found, answered))
        if progress:
            progress(done, len(chosen))
    return _report(outcomes, Counter(question.kind for question in questions if question.kind in NOT_RUN))


def judge(question: Question, found: Sequence[Found] | None, answered: Answered | None) -> Outcome:
    """What one question's results are worth."""
    hit = next((item for item in found or () if item.note in question.notes), None)
    return Outcome(
        id=question.id,
        kind=question.kind,
        question=question.question,
        direction=question.direction,
        answerable=question.answerable,
        searched=found is not None,
        rank=rank_of(question.notes, (item.note for item in found or ())),
        passage=hit is not None
        and any(gold.note == hit.note and holds(hit.passage, gold.quote) for gold in question.gold),
        legs=_leg_ranks(question, found or ()),
        first=found[0].note if found else None,
        refused=answered.refused if answered else None,
        citations=tuple(is_correct(question, cited) for cited in answered.citations) if answered else (),
        obeyed=answered is not None and any(said.casefold() in answered.answer.casefold() for said in question.avoid),
    )


def is_correct(question: Question, cited: Cited) -> bool:
    """A citation is correct if its note is gold and its quote overlaps a gold quote of that note."""
    return any(gold.note == cited.note and overlaps(cited.quote, gold.quote) for gold in question.gold)


def _leg_ranks(question: Question, found: Sequence[Found]) -> dict[str, Rank]:
    """The best rank of a gold note in each leg that found anything."""
    ranks: dict[str, Rank] = {leg: None for item in found for leg in item.legs}
    for item in found:
        if item.note in question.notes:
            for leg, rank in item.legs.items():
                ranks[leg] = min(rank, ranks[leg] or rank)
    return ranks


def _report(outcomes: Sequence[Outcome], not_run: Mapping[Kind, int]) -> EvalReport:
    kinds = [kind for kind in KINDS if any(outcome.kind == kind for outcome in outcomes)]
    directions = sorted({outcome.direction for outcome in outcomes if outcome.answerable})
    by_direction = {name: [o for o in outcomes if o.direction == name and o.answerable] for name in directions}
    return EvalReport(
        overall=score(outcomes),
        kinds={kind: score([outcome for outcome in outcomes if outcome.kind == kind]) for kind in kinds},
        directions={name: score(members) for name, members in by_direction.items()},
        legs={name: score_legs(members) for name, members in by_direction.items()},
        not_run={kind: not_run[kind] for kind in KINDS if not_run.get(kind)},
        outcomes=outcomes,
    )
