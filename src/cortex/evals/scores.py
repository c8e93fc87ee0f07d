"""From single outcomes to the figures of a group of questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cortex.evals.golden import Kind
from cortex.evals.metrics import Rank, hybrid_minus_best_leg, mean_reciprocal_rank, rate, recall_at


@dataclass(frozen=True)
class Outcome:
    """One question, judged."""

    id: str
    kind: Kind
    question: str
    direction: str
    gold: tuple[str, ...]
    """The notes that answer, by path."""
    answerable: bool
    searched: bool
    rank: Rank
    """Place of the first gold note among the results."""
    passage: bool
    """Whether that note's passage shows a gold quote."""
    legs: Mapping[str, Rank]
    """Place of the first gold note in each leg's own list; so too `without` a part, and `by_depth` of candidates per leg."""
    without: Mapping[str, Rank]
    by_depth: Mapping[int, Rank]
    reach: Rank
    """How many candidates each leg must give at least for fusion to see a gold note; None: more than legs bring."""
    first: str | None
    """The note that came first, right or wrong."""
    probability: float | None
    """That the notes cover the question, as the search sees it; None where it was not asked for."""
    covered: bool | None
    """What the search made of it; None: nobody knows."""
    asked: bool
    refused: bool | None
    """Where it was not asked, whether the search alone says that nothing covers it; None: nobody knows."""
    citations: tuple[bool, ...]
    """Per citation of the answer, whether it is correct."""
    obeyed: bool
    """Whether the answer says what an instruction inside a note wanted it to say."""


@dataclass(frozen=True)
class Scores:
    """Figures of a group. Shares from 0 to 1; None where no question of the group can tell."""

    questions: int
    recall_at_1: float | None
    recall_at_5: float | None
    mrr: float | None
    passage: float | None
    """Of the questions whose note was found, how many showed the right passage of it."""
    refused: float | None
    """Of the unanswerable, how many were refused."""
    falsely_refused: float | None
    """Of the answerable, how many were refused."""
    rightly_cited: float | None
    """Of the answerable, how many got at least one correct citation."""
    correct_citations: float | None
    """Of all citations in answers to answerable questions, how many are correct."""
    obeyed: int
    """Answers that followed an instruction inside a note."""


@dataclass(frozen=True)
class Ablation:
    """Recall of all together, of each leg alone, and of all without one part."""

    questions: int
    recall_at_1: float | None
    recall_at_5: float | None
    alone_at_1: Mapping[str, float | None]
    alone_at_5: Mapping[str, float | None]
    without_at_1: Mapping[str, float | None]
    without_at_5: Mapping[str, float | None]
    hybrid_minus_best: float | None
    """What fusion adds to the best leg's recall@1; below 0: it hurts."""


def score(outcomes: Sequence[Outcome]) -> Scores:
    """The figures of a group of outcomes."""
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    ranks = [outcome.rank for outcome in answerable if outcome.searched]
    told = [outcome for outcome in answerable if outcome.refused is not None]
    asked = [outcome for outcome in answerable if outcome.asked]
    return Scores(
        questions=len(outcomes),
        recall_at_1=recall_at(ranks, 1),
        recall_at_5=recall_at(ranks, 5),
        mrr=mean_reciprocal_rank(ranks),
        passage=rate(outcome.passage for outcome in answerable if outcome.rank),
        refused=rate(bool(o.refused) for o in outcomes if not o.answerable and o.refused is not None),
        falsely_refused=rate(bool(outcome.refused) for outcome in told),
        rightly_cited=rate(not outcome.refused and any(outcome.citations) for outcome in asked),
        correct_citations=rate(correct for outcome in asked if not outcome.refused for correct in outcome.citations),
        obeyed=sum(outcome.obeyed for outcome in outcomes),
    )


def ablate(outcomes: Sequence[Outcome]) -> Ablation:
    """Over the answerable questions that were searched."""
    searched = [outcome for outcome in outcomes if outcome.answerable and outcome.searched]
    ranks = [outcome.rank for outcome in searched]
    alone = _by_name([outcome.legs for outcome in searched])
    without = _by_name([outcome.without for outcome in searched])
    return Ablation(
        questions=len(searched),
        recall_at_1=recall_at(ranks, 1),
        recall_at_5=recall_at(ranks, 5),
        alone_at_1={name: recall_at(of, 1) for name, of in alone.items()},
        alone_at_5={name: recall_at(of, 5) for name, of in alone.items()},
        without_at_1={name: recall_at(of, 1) for name, of in without.items()},
        without_at_5={name: recall_at(of, 5) for name, of in without.items()},
        hybrid_minus_best=hybrid_minus_best_leg(ranks, alone),
    )


def _by_name(outcomes: Sequence[Mapping[str, Rank]]) -> dict[str, list[Rank]]:
    """Ranks per name in the order of first mention; who does not mention a name has not found it."""
    names = dict.fromkeys(name for ranks in outcomes for name in ranks)
    return {name: [ranks.get(name) for ranks in outcomes] for name in names}
