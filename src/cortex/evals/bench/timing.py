"""Samples of milliseconds and what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Spread:
    """Milliseconds: median, 95th percentile, and of how many samples."""

    p50: float
    p95: float
    n: int

    def as_json(self) -> dict[str, float]:
        return {"p50_ms": self.p50, "p95_ms": self.p95, "n": self.n}

    def __str__(self) -> str:
        return f"{self.p50:g} / {self.p95:g}"


def spread(samples: Iterable[float]) -> Spread:
    """Of at least one sample."""
    values = np.array(list(samples))
    low, high = np.percentile(values, [50, 95])
    return Spread(round(float(low), 1), round(float(high), 1), len(values))


def spreads(samples: Mapping[str, Iterable[float]]) -> dict[str, Spread]:
    return {name: spread(values) for name, values in samples.items()}
