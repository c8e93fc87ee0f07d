"""Two small fits by Newton's method: a logistic regression, and a choice of one among several (conditional logit)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_STEPS = 60
_LONGEST_STEP = 3.0
_CLOSE = 1e-6


def logistic(rows: Numbers, labels: Numbers, weights: Numbers, ridge: float = 1e-3) -> Numbers:
    """Weights, shape (features,), with which `rows @ weights` is the log odds of the label.

    Args:
        rows: shape (n, features); a bias is a feature of ones, and is not held small by the ridge.
        labels: 0 or 1, shape (n,).
        weights: how much each row counts, shape (n,).
        ridge: pull towards 0, on features of spread 1.
    """
    spread = rows.std(axis=0)
    pull = ridge * np.where(spread > 0, spread**2, 0.0)
    share = weights / weights.sum()
    fitted = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(rows @ fitted, -500, 500)))
        slope = rows.T @ (share * (labels - likely)) - pull * fitted
        curve = (rows.T * (share * likely * (1 - likely))) @ rows + np.diag(pull + 1e-12)
        fitted, done = _step(fitted, slope, curve)
        if done:
            break
    return fitted


def choice(groups: Sequence[Numbers], chosen: Sequence[NDArray[np.bool_]], ridge: float = 1e-3) -> Numbers:
    """Weights, shape (features,), with which the highest of each group is most likely a chosen one.

    Args:
        groups: per question, its candidates' features, shape (candidates, features).
        chosen: which of them are right, at least one in each group.
    """
    size = groups[0].shape[1]
    pull = ridge * np.concatenate(groups).var(axis=0)
    fitted = np.zeros(size)
    for _ in range(_STEPS):
        slope, curve = np.zeros(size), np.zeros((size, size))
        for rows, right in zip(groups, chosen, strict=True):
            likely = _softmax(rows @ fitted)
            mean = likely @ rows
            hit = likely * right
            slope += hit @ rows / hit.sum() - mean
            curve += (rows.T * likely) @ rows - np.outer(mean, mean)
        slope, curve = slope / len(groups) - pull * fitted, curve / len(groups) + np.diag(pull + 1e-9)
        fitted, done = _step(fitted, slope, curve)
        if done:
            break
    return fitted


def _step(fitted: Numbers, slope: Numbers, curve: Numbers) -> tuple[Numbers, bool]:
    step = np.linalg.solve(curve, slope)
    longest = float(np.abs(step).max())
    return fitted + step * min(1.0, _LONGEST_STEP / max(longest, 1e-12)), longest < _CLOSE


def _softmax(scores: Numbers) -> Numbers:
    shifted = np.exp(scores - scores.max())
    return np.asarray(np.maximum(shifted, 1e-300) / shifted.sum())
