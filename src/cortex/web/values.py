"""Values that routes take: checked once, here."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

Id = Annotated[int, Path(ge=1, lt=2**63)]
"""A number that names a row."""

Limit = Annotated[int, Query(ge=1, le=100)]
"""How many rows a list holds at most."""
