"""H6: how long until the index is full."""

from __future__ import annotations

import pytest

from cortex.indexing.status import Space
from cortex.web.board import Pace


def _space(filled: int, name: str = "deep") -> Space:
    return Space(name=name, provider="bundled", model="m", dims=384, filled=filled, total=1000)


def test_a_guess_at_first_then_the_pace_that_was_seen() -> None:
    pace = Pace()
    assert pace.eta_s(_space(0), now=100.0) == 250.0
    assert pace.eta_s(_space(100), now=110.0) == pytest.approx(90.0)
    assert pace.eta_s(_space(200), now=120.0) == pytest.approx(80.0)


def test_only_the_last_minute_counts() -> None:
    pace = Pace()
    for second in range(0, 100, 10):
        pace.eta_s(_space(second), now=float(second))
    assert pace.eta_s(_space(690), now=100.0) == pytest.approx(310 * 60 / (690 - 40), rel=0.01)


def test_a_full_space_needs_no_time_and_an_unknown_one_cannot_tell() -> None:
    assert Pace().eta_s(_space(1000), now=0.0) == 0
    assert Pace().eta_s(_space(1, name="voyage"), now=0.0) is None
