"""Rows in PostgreSQL's binary COPY format, made from whole arrays: ten million postings take seconds, not minutes. Pure."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"

_INT4, _INT8 = 23, 20


def rows(columns: Mapping[str, NDArray[Any]]) -> bytes:
    """Rows of columns whose values all have one size: integers, booleans, and fixed bytes (kind S or V)."""
    fields: list[tuple[str, Any]] = [("fields", ">i2")]
    for name, values in columns.items():
        fields += [(f"{name}_size", ">i4"), (name, _big_endian(values.dtype))]
    made = np.zeros(len(next(iter(columns.values()))), fields)
    made["fields"] = len(columns)
    for name, values in columns.items():
        made[f"{name}_size"] = values.dtype.itemsize
        made[name] = values
    return made.tobytes()


def row(*values: bytes | None) -> bytes:
    """One row of encoded values."""
    return struct.pack(">h", len(values)) + b"".join(
        struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value for value in values
    )


def int4(value: int) -> bytes:
    return struct.pack(">i", value)


def int8(value: int) -> bytes:
    return struct.pack(">q", value)


def text(value: str) -> bytes:
    return value.encode()


def int8_array(values: NDArray[np.int64]) -> bytes:
    """bigint[] of one dimension."""
    made = np.zeros(len(values), [("size", ">i4"), ("value", ">i8")])
    made["size"], made["value"] = 8, values
    return struct.pack(">iiiii", 1, 0, _INT8, len(values), 1) + made.tobytes()


def int4_array(values: Sequence[int]) -> bytes:
    """integer[] of one dimension."""
    made = np.zeros(len(values), [("size", ">i4"), ("value", ">i4")])
    made["size"], made["value"] = 4, values
    return struct.pack(">iiiii", 1, 0, _INT4, len(values), 1) + made.tobytes()


def halfvecs(vectors: NDArray[np.float32]) -> NDArray[Any]:
    """Each row of `vectors` as a halfvec's bytes."""
    made = np.zeros(len(vectors), [("dims", ">i2"), ("unused", ">i2"), ("values", ">f2", vectors.shape[1])])
    made["dims"], made["values"] = vectors.shape[1], vectors
    return made.view(f"V{made.dtype.itemsize}").reshape(-1)


def _big_endian(dtype: np.dtype[Any]) -> Any:
    return f"V{dtype.itemsize}" if dtype.kind in "SV" else dtype.newbyteorder(">")
