"""Where a page of a list ends, as an opaque text that the next request brings back."""

from __future__ import annotations

import base64
import binascii
import datetime as dt

from cortex.errors import Invalid


def cursor(at: dt.datetime, row_id: int) -> str:
    """The place behind a row of a list that is ordered by time, then by id."""
    return base64.urlsafe_b64encode(f"{at.isoformat()} {row_id}".encode()).decode().rstrip("=")


def place(cursor: str | None) -> tuple[dt.datetime, int] | None:
    """The row that a cursor stands for.

    Raises:
        Invalid: it is none of ours.
    """
    if cursor is None:
        return None
    try:
        at, _, row_id = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(" ")
        return dt.datetime.fromisoformat(at), int(row_id)
    except (binascii.Error, ValueError) as error:
        raise Invalid("after is no place in this list: take the `next` of the page before", field="after") from error
