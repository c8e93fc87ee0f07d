"""Values that routes take: checked once, here."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Path, Query
from pydantic import BeforeValidator

Id = Annotated[int, Path(ge=1, lt=2**63)]
"""A number that names a row."""

Limit = Annotated[int, Query(ge=1, le=100)]
"""How many rows a list holds at most."""


def _hash(written: object) -> bytes:
    found = bytes.fromhex(written) if isinstance(written, str) and _HEX.fullmatch(written) else b""
    if not found:
        raise ValueError("a hash is the sha256 of the bytes, as 64 hexadecimal digits")
    return found


_HEX = re.compile("[0-9a-f]{64}")

Hash = Annotated[bytes, BeforeValidator(_hash)]
"""A sha256, in a path or a query."""
