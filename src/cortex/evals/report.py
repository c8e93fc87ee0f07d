"""The report of an eval run: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cortex.evals.curves import CoverageCurve, DepthScores
from cortex.evals.run import EvalReport
from cortex.evals.scores import Ablation, Scores

_SHOWN_MISSES = 15

_MOVED = ("recall_at_1", "recall_at_5", "refused", "falsely_refused")
"""Figures whose change has a column of its own; the page and the JSON have all of them."""

Changes = Mapping[str, Any]
"""What `runs.difference` gives."""


def as_json(report: EvalReport) -> dict[str, Any]:
    """The whole report as plain values, each question's outcome included; the same before and after it was stored."""
    return dict(json.loads(json.dumps(asdict(report))))


def as_tables(report: EvalReport, changes: Changes | None = None) -> RenderableType:
    """The report for a terminal; with `changes`, beside the figures what they were more or less the last time."""
    since = changes or {}
    kinds: dict[Any, Scores] = {**report.kinds, "all": report.overall}
    kinds_since = {**since.get("kinds", {}), "all": since.get("overall", {})} if since else None
    parts: list[RenderableType] = [
        _scores_table("By kind", kinds, kinds_since),
        _scores_table("By direction, question → note", report.directions, since.get("directions") if since else None),
    ]
    if report.ablation["all"].alone_at_1:
        parts += [_alone_table(report.ablation), _without_table(report.ablation)]
    if report.coverage:
        parts.append(_coverage_table(report.coverage))
    if any(scores.reached for scores in report.depths["all"].values()):
        parts.append(_depths_table(report.depths))
    if report.not_run:
        parts.append(Text("Not run: " + ", ".join(f"{kind} ({count})" for kind, count in report.not_run.items())))
    parts.extend(_misses(report))
    if since:
        parts.append(_moved(since))
    return Group(*parts)


def _scores_table(title: str, groups: Mapping[Any, Scores], changes: Mapping[str, Changes] | None) -> Table:
    columns = {
        "recall@1": "recall_at_1",
        "recall@5": "recall_at_5",
        "MRR": "mrr",
        "passage": "passage",
        "refused": "refused",
        "false refusals": "falsely_refused",
        "rightly cited": "rightly_cited",
    }
    moved = _MOVED if changes else ()
    table = _table(title, "n", *(name for c, f in columns.items() for name in (c, *["Δ"][: f in moved])), "obeyed")
    for name, scores in groups.items():
        cells = []
        for field in columns.values():
            cells.append(_figure(getattr(scores, field)))
            if field in moved:
                cells.append(_change((changes or {}).get(name, {}).get(field)))
        table.add_row(str(name), str(scores.questions), *cells, str(scores.obeyed or ""))
    return table


def _alone_table(ablation: Mapping[str, Ablation]) -> Table:
    names = list(ablation["all"].alone_at_1)
    table = _table("Each leg alone, recall@1 / @5", "all together", *names, "hybrid − best")
    for direction, scores in ablation.items():
        legs = [_pair(scores.alone_at_1.get(name), scores.alone_at_5.get(name)) for name in names]
        difference = "–" if scores.hybrid_minus_best is None else f"{scores.hybrid_minus_best:+.3f}"
        table.add_row(direction, _pair(scores.recall_at_1, scores.recall_at_5), *legs, difference)
    return table


def _without_table(ablation: Mapping[str, Ablation]) -> Table:
    names = list(ablation["all"].without_at_1)
    table = _table("One part left out, recall@1 / @5", "nothing", *names)
    for direction, scores in ablation.items():
        left = [_pair(scores.without_at_1.get(name), scores.without_at_5.get(name)) for name in names]
        table.add_row(direction, _pair(scores.recall_at_1, scores.recall_at_5), *left)
    return table


def _coverage_table(curves: Mapping[str, CoverageCurve]) -> Table:
    columns = ("answerable", "unanswerable", "AUC", "refused", "false refusals", "refused at ≤ 5 %", "from")
    table = _table("Coverage: what the search alone refuses", *columns)
    for name, curve in curves.items():
        figures = (curve.auc, curve.refused, curve.false_refusals, curve.bearable.refused)
        shown = [_figure(value) for value in (*figures, curve.bearable.threshold)]
        table.add_row(name, str(curve.answerable), str(curve.unanswerable), *shown)
    return table


def _depths_table(depths: Mapping[str, Mapping[int, DepthScores]]) -> Table:
    names = list(depths["all"])
    table = _table("Candidates per leg: gold seen by fusion, recall@1 / @5 of it", *(str(depth) for depth in names))
    for direction, scores in depths.items():
        cells = [
            f"{_figure(one.reached)}  {_pair(one.recall_at_1, one.recall_at_5)}"
            for one in map(scores.__getitem__, names)
        ]
        table.add_row(direction, *cells)
    return table


def _misses(report: EvalReport) -> list[Text]:
    missed = [o for o in report.outcomes if o.answerable and o.searched and (o.rank is None or o.rank > 5)]
    lines = [Text(f"Not in the first 5: {len(missed)}")] if missed else []
    lines += [Text(f"  {outcome.id}  {outcome.question}") for outcome in missed[:_SHOWN_MISSES]]
    if len(missed) > _SHOWN_MISSES:
        lines.append(Text(f"  … and {len(missed) - _SHOWN_MISSES} more, see --json"))
    return lines


def _moved(changes: Changes) -> Text:
    moved = [
        f"{name}: {', '.join(changes[name][:_SHOWN_MISSES])}{' …' if len(changes[name]) > _SHOWN_MISSES else ''}"
        for name in ("better", "worse")
        if changes[name]
    ]
    return Text(f"Since {changes['since']}: " + ("; ".join(moved) or "no question moved"))


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _pair(first: float | None, second: float | None) -> str:
    return "–" if first is None or second is None else f"{first:.2f} / {second:.2f}"


def _change(value: float | None) -> str:
    return "" if not value else f"{value:+.3f}"
