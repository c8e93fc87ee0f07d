"""The report of an eval run: tables for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cortex.evals.run import EvalReport
from cortex.evals.scores import LegScores, Scores

_SHOWN_MISSES = 15


def as_json(report: EvalReport) -> dict[str, Any]:
    """The whole report as plain values, each question's outcome included."""
    return asdict(report)


def as_tables(report: EvalReport) -> RenderableType:
    """The report for a terminal: per kind, per direction, legs, what was not run, what was missed."""
    parts: list[RenderableType] = [
        _scores_table("By kind", {**report.kinds, "all": report.overall}),
        _scores_table("By direction, question → note", report.directions),
    ]
    if any(legs.recall_at_1 for legs in report.legs.values()):
        parts.append(_legs_table(report.legs))
    if report.not_run:
        parts.append(Text("Not run: " + ", ".join(f"{kind} ({count})" for kind, count in report.not_run.items())))
    parts.extend(_misses(report))
    return Group(*parts)


def _scores_table(title: str, groups: Mapping[Any, Scores]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for name in (
        "n",
        "recall@1",
        "recall@5",
        "MRR",
        "passage",
        "refused",
        "false refusals",
        "right note cited",
        "obeyed",
    ):
        table.add_column(name, justify="right")
    for name, scores in groups.items():
        table.add_row(
            str(name),
            str(scores.questions),
            *(_figure(value) for value in (scores.recall_at_1, scores.recall_at_5, scores.mrr, scores.passage)),
            *(_figure(value) for value in (scores.refused, scores.falsely_refused, scores.rightly_cited)),
            str(scores.obeyed or ""),
        )
    return table


def _legs_table(legs: Mapping[str, LegScores]) -> Table:
    names = sorted({name for scores in legs.values() for name in scores.recall_at_1})
    table = Table(title="Legs alone, recall@1", title_justify="left")
    table.add_column("")
    for name in (*names, "hybrid − best"):
        table.add_column(name, justify="right")
    for direction, scores in legs.items():
        figures = [_figure(scores.recall_at_1.get(name)) for name in names]
        difference = "–" if scores.hybrid_minus_best is None else f"{scores.hybrid_minus_best:+.3f}"
        table.add_row(direction, *figures, difference)
    return table


def _misses(report: EvalReport) -> list[Text]:
    missed = [o for o in report.outcomes if o.answerable and o.searched and (o.rank is None or o.rank > 5)]
    lines = [Text(f"Not in the first 5: {len(missed)}")] if missed else []
    lines += [Text(f"  {outcome.id}  {outcome.question}") for outcome in missed[:_SHOWN_MISSES]]
    if len(missed) > _SHOWN_MISSES:
        lines.append(Text(f"  … and {len(missed) - _SHOWN_MISSES} more, see --json"))
    return lines


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
