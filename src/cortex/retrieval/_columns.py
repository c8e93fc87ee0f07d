"""Columns of many rows as arrays, from PostgreSQL's binary forms. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_HEADER = 20
"""Bytes before the values of an array of one dimension; an empty array has fewer."""
_VALUE = np.dtype([("size", ">i4"), ("value", ">i8")])
_SMALL = np.dtype([("size", ">i4"), ("value", ">i4")])
_HALFVEC_HEADER = 4


def vectors(stored: Sequence[bytes]) -> NDArray[np.float32]:
    """halfvec values, shape (len(stored), dims); at least one."""
    raw = np.frombuffer(b"".join(stored), np.uint8).reshape(len(stored), -1)[:, _HALFVEC_HEADER:]
    return np.ascontiguousarray(raw).view(">f2").astype(np.float32)


def numbers(stored: bytes, *, small: bool = False) -> NDArray[np.int64]:
    """The values of a bigint[], or of an integer[] if `small`."""
    return np.frombuffer(stored[_HEADER:], _SMALL if small else _VALUE)["value"].astype(np.int64)


def holds(stored: Sequence[bytes | None], wanted: Sequence[int]) -> NDArray[np.bool_]:
    """Which of the wanted numbers each bigint[] holds, shape (len(stored), len(wanted)); None holds nothing."""
    found = np.zeros((len(stored), len(wanted)), bool)
    bodies = [b"" if value is None else value[_HEADER:] for value in stored]
    values = np.frombuffer(b"".join(bodies), _VALUE)["value"].astype(np.int64)
    if not len(wanted) or not len(values):
        return found
    keys = np.array(wanted, np.int64)
    order = np.argsort(keys)
    places = np.searchsorted(keys, values, sorter=order).clip(max=len(keys) - 1)
    hits = keys[order[places]] == values
    rows = np.repeat(np.arange(len(stored)), [len(body) // _VALUE.itemsize for body in bodies])
    found[rows[hits], order[places[hits]]] = True
    return found
