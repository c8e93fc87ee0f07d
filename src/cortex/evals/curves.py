"""Curves that chose a number: refusals over the threshold of coverage, and what more candidates per leg bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cortex.evals.metrics import area_under_curve, rate, recall_at
from cortex.evals.scores import Outcome

DEPTHS = (5, 10, 20, 40, 60)
"""Candidates per leg and language whose worth is shown; legs bring no more than the last."""

BEARABLE = 0.05
"""Share of false refusals at which curves are compared."""


@dataclass(frozen=True)
class Point:
    """What is refused where the probability of being covered is below a threshold."""

    threshold: float
    false_refusals: float
    refused: float


@dataclass(frozen=True)
class CoverageCurve:
    """Answerable questions of one direction against all unanswerable ones in the same question language."""

    answerable: int
    unanswerable: int
    auc: float
    """The chance that an answerable question looks better covered than an unanswerable one."""
    today: Point
    """At the threshold that the product uses."""
    bearable: Point
    """The most that can be refused with no more than `BEARABLE` false refusals."""
    points: Sequence[Point]


@dataclass(frozen=True)
class DepthScores:
    """With so many candidates per leg and language: gold notes that fusion sees, and what it makes of them."""

    reached: float | None
    recall_at_1: float | None
    """None: the search itself took fewer, so nobody knows; so too `recall_at_5`."""
    recall_at_5: float | None


def coverage_curves(outcomes: Sequence[Outcome], threshold: float) -> dict[str, CoverageCurve]:
    """Per direction, and for `all`; without the directions that have too little to tell."""
    judged = [outcome for outcome in outcomes if outcome.probability is not None]
    curves = {}
    for name, answerable in by_direction(judged).items():
        asked_in = name.partition("→")[0]
        others = [o for o in judged if not o.answerable and (name == "all" or o.direction.startswith(asked_in))]
        if answerable and others:
            curves[name] = coverage_curve(_probabilities(answerable), _probabilities(others), threshold)
    return curves


def coverage_curve(answerable: Sequence[float], unanswerable: Sequence[float], threshold: float) -> CoverageCurve:
    """The curve of two sets of probabilities, neither of them empty."""

    def at(value: float) -> Point:
        return Point(round(value, 4), _below(answerable, value), _below(unanswerable, value))

    points = [at(value) for value in sorted({0.0, *answerable, *unanswerable, 1.0})]
    bearable = max((p for p in points if p.false_refusals <= BEARABLE), key=lambda point: point.refused)
    auc = area_under_curve(answerable, unanswerable)
    return CoverageCurve(len(answerable), len(unanswerable), auc, at(threshold), bearable, points)


def depth_scores(outcomes: Sequence[Outcome], depths: Sequence[int]) -> dict[int, DepthScores]:
    """What the answerable questions among the outcomes get out of each depth."""
    searched = [outcome for outcome in outcomes if outcome.answerable and outcome.searched]
    scores = {}
    for depth in depths:
        ranks = [outcome.by_depth[depth] for outcome in searched if depth in outcome.by_depth]
        reached = rate(outcome.reach is not None and outcome.reach <= depth for outcome in searched)
        scores[depth] = DepthScores(reached, recall_at(ranks, 1), recall_at(ranks, 5))
    return scores


def _probabilities(outcomes: Sequence[Outcome]) -> list[float]:
    return [outcome.probability for outcome in outcomes if outcome.probability is not None]


def _below(values: Sequence[float], threshold: float) -> float:
    return sum(value < threshold for value in values) / len(values)


def by_direction(outcomes: Sequence[Outcome]) -> Mapping[str, Sequence[Outcome]]:
    """The answerable outcomes of each direction, and all of them under `all`."""
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    names = sorted({outcome.direction for outcome in answerable})
    return {**{name: [o for o in answerable if o.direction == name] for name in names}, "all": answerable}
