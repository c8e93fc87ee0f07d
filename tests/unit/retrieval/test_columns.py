"""Columns of many rows as arrays, from PostgreSQL's binary forms."""

from __future__ import annotations

import numpy as np

from cortex.evals.bench import copying
from cortex.retrieval import _columns


def test_halfvecs_come_back() -> None:
    made = np.array([[1.0, -0.5, 0.25], [0.0, 2.0, 4.0]], np.float32)
    assert _columns.vectors([bytes(value) for value in copying.halfvecs(made)]).tolist() == made.tolist()


def test_which_wanted_numbers_each_array_holds() -> None:
    stored = [copying.int8_array(np.array([5, -7, 9], np.int64)), None, copying.int8_array(np.array([-7], np.int64))]
    found = _columns.holds(stored, [9, -7, 100])
    assert found.tolist() == [[True, True, False], [False, False, False], [False, True, False]]


def test_an_empty_array_holds_nothing() -> None:
    empty = b"\0\0\0\0\0\0\0\0\0\0\0\x14"
    assert _columns.holds([empty, empty], [1, 2]).tolist() == [[False, False], [False, False]]
    assert _columns.holds([copying.int8_array(np.array([1], np.int64))], []).shape == (1, 0)


def test_arrays_of_either_size_come_back() -> None:
    assert _columns.numbers(copying.int8_array(np.array([2**40, -3], np.int64))).tolist() == [2**40, -3]
    small = b"\0\0\0\1\0\0\0\0\0\0\0\x17\0\0\0\2\0\0\0\1" + b"\0\0\0\4\x7f\xff\xff\xff" + b"\0\0\0\4\0\x03\0\x50"
    assert _columns.numbers(small, small=True).tolist() == [2**31 - 1, (3 << 16) | 80]
