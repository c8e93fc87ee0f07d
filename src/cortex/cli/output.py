"""How commands print: JSON alone, plain lines in a pipe, colour and bars on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

Progress = Callable[[str, int, int], None]
"""Told (what, done, of how many)."""

console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 160)
errors = Console(stderr=True, highlight=False)


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def on_terminal() -> bool:
    """Whether a person watches stdout."""
    return sys.stdout.isatty()


def table(*columns: str, title: str | None = None) -> Table:
    """A table whose numeric columns stand right: names that begin with # (which is not shown)."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for name in columns:
        made.add_column(name.removeprefix("#"), justify="right" if name.startswith("#") else "left")
    return made


def duration(seconds: float) -> str:
    """About how long, as a person says it."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h" if seconds < 172800 else f"{seconds / 86400:.0f} days"


def size(count: int) -> str:
    """Bytes as a person says them."""
    for unit, one in (("GB", 1e9), ("MB", 1e6)):
        if count >= one:
            return f"{count / one:,.1f} {unit}"
    return f"{max(count / 1e3, 1):,.0f} kB"


def counted(count: int, word: str) -> str:
    """`3 notes`, `1 note`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def plain(text: str) -> str:
    """Without meaning for the printer, and without the control characters that a terminal would obey."""
    return escape("".join(c for c in text if c in "\n\t" or c.isprintable()))


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def bars(*, quiet: bool) -> Iterator[Progress]:
    """A function (what, done, of how many) that draws a bar for each `what`, on a terminal; else it does nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=errors) as shown:
        drawn: dict[str, TaskID] = {}

        def draw(what: str, done: int, total: int) -> None:
            if what not in drawn:
                drawn[what] = shown.add_task(plain(what), total=total)
            shown.update(drawn[what], completed=done, total=total)

        yield draw
