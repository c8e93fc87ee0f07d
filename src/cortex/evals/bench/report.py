"""The bench's report as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

STAGES = ("understand", "legs", "judge", "details", "search")


def as_tables(report: Mapping[str, Any]) -> RenderableType:
    """Every part that was measured."""
    parts = [part for library in report["libraries"] for part in _library(library)]
    for name, of in (("page", _pairs), ("saving", _pairs), ("peers", _peers), ("ingest", _pairs), ("sync", _pairs)):
        if name in report:
            parts.append(of(name, report[name]))
    parts.append(_pairs("machine", report["machine"]))
    return Group(*parts)


def _library(library: Mapping[str, Any]) -> Iterator[RenderableType]:
    table = _table(f"\n{library['passages']:,} passages: search, ms (p50 / p95)", "", *STAGES, "recall@20 deep, fast")
    for name, found in library["search"].items():
        recall = found.get("recall", {})
        table.add_row(name, *(_spread(found.get(stage)) for stage in STAGES), ", ".join(str(recall[s]) for s in recall))
    yield table
    yield Text(
        f"The deep embedder alone, on the same questions: {_spread(library['yardstick'])} ms (7 to 10 on a quiet machine)"
    )
    if served := library.get("served"):
        table = _table(f"\n{library['passages']:,} passages: question → sources through HTTP, ms (p50 / p95)", "", "ms")
        for name in ("quiet", "deep busy", "index busy"):
            table.add_row(name, _spread(served[name]))
        yield table
        yield _pairs("serve", {key: served[key] for key in ("start_s", "first_ms", "memory_mb", "memory_after_mb")})
    yield _pairs("filled, s", library["filled"])
    yield _pairs("MB", {name: round(size / 1e6) for name, size in library["bytes"].items()})


def _peers(name: str, sizes: list[Mapping[str, Any]]) -> RenderableType:
    table = _table(
        "\nPeers on the same vectors (384 dims, 20 best)", "passages", "", "build s", "ms (p50 / p95)", "recall@20"
    )
    for found in sizes:
        for peer in ("Chroma", "LanceDB"):
            values = found[peer]
            row = (
                (values["skipped"],)
                if "skipped" in values
                else (str(values["build_s"]), _spread(values), str(values["recall"]))
            )
            table.add_row(f"{found['passages']:,}", peer, *row)
    return table


def _pairs(name: str, values: Mapping[str, Any]) -> RenderableType:
    table = _table(f"\n{name}", "", "")
    for key, value in values.items():
        shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, Mapping) else str(value)
        table.add_row(key, shown)
    return table


def _spread(found: Mapping[str, float] | None) -> str:
    return f"{found['p50_ms']:g} / {found['p95_ms']:g}" if found else ""


def _table(title: str, *columns: str) -> Table:
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for number, column in enumerate(columns):
        made.add_column(column, justify="right" if number else "left")
    return made
