"""Binary COPY rows: what PostgreSQL reads is what was meant (the bench's integration test has it read them)."""

from __future__ import annotations

import struct

import numpy as np

from cortex.evals.bench import copying


def test_rows_of_fixed_columns_are_big_endian_with_sizes() -> None:
    found = copying.rows(
        {"a": np.array([1, -2], np.int64), "b": np.array([True, False]), "c": np.array([7, 8], np.int32)}
    )
    one = struct.pack(">hiqi?ii", 3, 8, 1, 1, True, 4, 7)
    two = struct.pack(">hiqi?ii", 3, 8, -2, 1, False, 4, 8)
    assert found == one + two


def test_a_row_holds_its_values_and_nulls() -> None:
    assert copying.row(b"ab", None, b"") == struct.pack(">hi2sii", 3, 2, b"ab", -1, 0)


def test_arrays_say_their_type_and_length() -> None:
    assert copying.int8_array(np.array([5], np.int64)) == struct.pack(">iiiiiiq", 1, 0, 20, 1, 1, 8, 5)
    assert copying.int4_array([5, 6]) == struct.pack(">iiiiiiiii", 1, 0, 23, 2, 1, 4, 5, 4, 6)


def test_halfvecs_are_one_value_a_row() -> None:
    made = copying.halfvecs(np.array([[1.0, -0.5], [0.0, 2.0]], np.float32))
    assert [bytes(value) for value in made] == [
        struct.pack(">hhee", 2, 0, 1.0, -0.5),
        struct.pack(">hhee", 2, 0, 0.0, 2.0),
    ]
