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


Seen = tuple[float, bool]
"""Probability of being covered, and whether the search says that it is."""


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
    refused: float
    """Of the unanswerable, by the search as it is; so too `false_refusals` of the answerable."""
    false_refusals: float
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


def coverage_curves(outcomes: Sequence[Outcome]) -> dict[str, CoverageCurve]:
    """Per direction, and for `all`; without the directions that have too little to tell."""
    judged = [outcome for outcome in outcomes if outcome.probability is not None]
    curves = {}
    for name, answerable in by_direction(judged).items():
        asked_in = name.partition("→")[0]
        others = [o for o in judged if not o.answerable and (name == "all" or o.direction.startswith(asked_in))]
        if answerable and others:
            curves[name] = coverage_curve(_seen(answerable), _seen(others))
    return curves


def coverage_curve(answerable: Sequence[Seen], unanswerable: Sequence[Seen]) -> CoverageCurve:
    """The curve of two groups of questions, neither of them empty."""
    good, bad = [one[0] for one in answerable], [one[0] for one in unanswerable]
    thresholds = sorted({0.0, *good, *bad, 1.0})
    points = [Point(round(value, 4), _below(good, value), _below(bad, value)) for value in thresholds]
    return CoverageCurve(
        answerable=len(good),
        unanswerable=len(bad),
        auc=area_under_curve(good, bad),
        refused=sum(not covered for _, covered in unanswerable) / len(bad),
        false_refusals=sum(not covered for _, covered in answerable) / len(good),
        bearable=max((p for p in points if p.false_refusals <= BEARABLE), key=lambda point: point.refused),
        points=points,
    )


def depth_scores(outcomes: Sequence[Outcome], depths: Sequence[int]) -> dict[int, DepthScores]:
    """What the answerable questions among the outcomes get out of each depth."""
    searched = [outcome for outcome in outcomes if outcome.answerable and outcome.searched]
    scores = {}
    for depth in depths:
        ranks = [outcome.by_depth[depth] for outcome in searched if depth in outcome.by_depth]
        reached = rate(outcome.reach is not None and outcome.reach <= depth for outcome in searched)
        scores[depth] = DepthScores(reached, recall_at(ranks, 1), recall_at(ranks, 5))
    return scores


def _seen(outcomes: Sequence[Outcome]) -> list[Seen]:
    return [(one.probability, bool(one.covered)) for one in outcomes if one.probability is not None]


def _below(values: Sequence[float], threshold: float) -> float:
    return sum(value < threshold for value in values) / len(values)


def by_direction(outcomes: Sequence[Outcome]) -> Mapping[str, Sequence[Outcome]]:
    """The answerable outcomes of each direction, and all of them under `all`."""
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    names = sorted({outcome.direction for outcome in answerable})
    return {**{name: [o for o in answerable if o.direction == name] for name in names}, "all": answerable}
