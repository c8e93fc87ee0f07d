"""An event of a stream that this process makes itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StreamEvent:
    """`n` counts from 1 within the stream and is its `id:`."""

    n: int
    event: str
    data: dict[str, Any]
