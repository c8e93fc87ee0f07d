"""Reading event streams in tests."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Told(NamedTuple):
    """One event as a reader got it."""

    id: int | None
    event: str
    data: dict[str, Any]


def events(body: str) -> list[Told]:
    """The events of a whole stream; comments are passed over."""
    found = []
    for block in body.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append(
                Told(int(fields["id"]) if "id" in fields else None, fields["event"], json.loads(fields["data"]))
            )
    return found
