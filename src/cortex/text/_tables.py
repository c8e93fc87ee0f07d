"""Rows of cells as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table whose first row is its head; shorter rows are filled up. Empty for no rows."""
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [_row(row, width) for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]) + "\n"


def _row(cells: Sequence[str], width: int) -> str:
    written = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return "| " + " | ".join([*written, *[""] * (width - len(cells))]) + " |"
