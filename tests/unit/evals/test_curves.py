from __future__ import annotations

import pytest

from cortex.evals.curves import Seen, coverage_curve


def at_half(*probabilities: float) -> list[Seen]:
    return [(value, value >= 0.5) for value in probabilities]


def test_the_curve_goes_from_refusing_nothing_to_refusing_all() -> None:
    curve = coverage_curve(at_half(0.9, 0.7, 0.6, 0.2), at_half(0.1, 0.3, 0.65))
    assert (curve.points[0].false_refusals, curve.points[0].refused) == (0, 0)
    assert (curve.points[-1].false_refusals, curve.points[-1].refused) == (1, 1)
    assert curve.false_refusals == pytest.approx(1 / 4)
    assert curve.refused == pytest.approx(2 / 3)


def test_what_is_bearable_refuses_the_most_that_hardly_anyone_misses() -> None:
    curve = coverage_curve(at_half(*[0.9] * 99, 0.05), at_half(0.1, 0.2, 0.95))
    assert curve.bearable.false_refusals == pytest.approx(0.01)
    assert curve.bearable.refused == pytest.approx(2 / 3)


def test_without_a_good_threshold_nothing_is_refused() -> None:
    curve = coverage_curve(at_half(0.1, 0.2), at_half(0.8, 0.9))
    assert curve.bearable.refused == 0
    assert curve.auc == 0
