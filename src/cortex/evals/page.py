"""The report of an eval run as one HTML page that needs nothing else: tables, plots, and every question that went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from cortex.evals import plots

Json = Mapping[str, Any]

_COLUMNS = {
    "recall@1": "recall_at_1",
    "recall@5": "recall_at_5",
    "MRR": "mrr",
    "passage": "passage",
    "refused": "refused",
    "false refusals": "falsely_refused",
    "rightly cited": "rightly_cited",
    "correct citations": "correct_citations",
}


def as_page(run: Json) -> str:
    """The page of a run as `runs.stamped` gives it; a key `difference` shows beside each figure what it was less."""
    style = (files("cortex.evals") / "page.css").read_text(encoding="utf-8")
    parts = [_head(run), *_scores(run), *_plots(run), *_ablation(run), *_curves(run), *_misses(run), _made(run)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Cortex evals</title>'
        f"<style>\n{style}</style></head>\n<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )


def _head(run: Json) -> str:
    made, changes = run["run"], run.get("difference")
    since = f" Small figures: change since {escape(str(changes['since']))}." if changes else ""
    left_out = ", ".join(f"{count} {kind}" for kind, count in run["not_run"].items())
    not_run = f" Not run, for want of a model: {escape(left_out)}." if left_out else ""
    return (
        f"<h1>Cortex on the golden notebook</h1><p class=quiet>{escape(made['at'])}, version {escape(made['version'])}, "
        f"{run['overall']['questions']} questions.{not_run}{since}</p>"
    )


def _scores(run: Json) -> Iterator[str]:
    changes = run.get("difference") or {}
    kinds = {**run["kinds"], "all": run["overall"]}
    yield "<h2>Figures</h2>"
    yield _scores_table("kind", kinds, {**changes.get("kinds", {}), "all": changes.get("overall", {})})
    yield "<p>From the question’s language to the note’s:</p>"
    yield _scores_table("direction", run["directions"], changes.get("directions", {}))


def _scores_table(what: str, groups: Json, changes: Json) -> str:
    rows = [
        [
            name,
            str(of["questions"]),
            *(_figure(of[field], changes.get(name, {}).get(field)) for field in _COLUMNS.values()),
        ]
        for name, of in groups.items()
    ]
    return _table([what, "n", *_COLUMNS], rows)


def _plots(run: Json) -> Iterator[str]:
    ablation = {name: of for name, of in run["ablation"].items() if name != "all"}
    names = list(ablation)
    yield '<h2>Plots</h2><div class="plots">'
    if run["ablation"]["all"]["alone_at_1"]:
        yield plots.dots("Recall@1 of each leg alone", _alone(ablation), names, 0.0, 1.0)
        left_out = _left_out(ablation)
        widest = max([0.1, *(abs(value) for values in left_out.values() for value in values.values())])
        yield plots.dots("What recall@1 loses or gains without a part", left_out, names, -widest, widest)
    if run["coverage"]:
        yield plots.lines(
            "Refused, over false refusals; large: today",
            {name: [(p["false_refusals"], p["refused"]) for p in of["points"]] for name, of in run["coverage"].items()},
            "answerable questions refused",
            "unanswerable ones refused",
            stepped=True,
            marks={name: (of["false_refusals"], of["refused"]) for name, of in run["coverage"].items()},
        )
        yield plots.lines(
            "All directions: refusals over the threshold of coverage",
            {
                "unanswerable ones refused": [(p["threshold"], p["refused"]) for p in run["coverage"]["all"]["points"]],
                "false refusals": [(p["threshold"], p["false_refusals"]) for p in run["coverage"]["all"]["points"]],
            },
            "threshold",
            "refused",
            ticks={n / 4: f"{n / 4:.2f}" for n in range(5)},
        )
    yield from _depths_plot(run["depths"])
    yield "</div>"


def _alone(ablation: Json) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {"all together": {}}
    for direction, of in ablation.items():
        for name, value in {"all together": of["recall_at_1"], **of["alone_at_1"]}.items():
            if value is not None:
                rows.setdefault(name, {})[direction] = value
    return rows


def _left_out(ablation: Json) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for direction, of in ablation.items():
        for name, value in of["without_at_1"].items():
            if value is not None:
                rows.setdefault(name, {})[direction] = value - of["recall_at_1"]
    return rows


def _depths_plot(depths: Json) -> Iterator[str]:
    deepest = max(int(depth) for depth in depths["all"])
    if any(of["reached"] for of in depths["all"].values()):
        yield plots.lines(
            "Gold notes that fusion sees, over candidates per leg",
            {
                direction: [(int(depth) / deepest, of["reached"]) for depth, of in curve.items()]
                for direction, curve in depths.items()
            },
            "candidates per leg and language",
            "seen",
            ticks={int(depth) / deepest: depth for depth in depths["all"]},
        )


def _ablation(run: Json) -> Iterator[str]:
    ablation = run["ablation"]
    if not ablation["all"]["alone_at_1"]:
        return
    yield "<h2>Ablation</h2><p>Recall@1 / recall@5. Without <em>fast</em> only its candidates are missing; <em>sentence</em> is the "
    yield "meaning of a passage’s best sentence, <em>reading</em> the question’s words in it.</p>"
    for what, title in (("alone", "each leg alone"), ("without", "without")):
        names = list(ablation["all"][f"{what}_at_1"])
        rows = [
            [name, _pair(of["recall_at_1"], of["recall_at_5"])]
            + [_pair(of[f"{what}_at_1"].get(leg), of[f"{what}_at_5"].get(leg)) for leg in names]
            for name, of in ablation.items()
        ]
        yield _table([title, "all together", *names], rows)


def _curves(run: Json) -> Iterator[str]:
    if run["coverage"]:
        yield "<h2>Coverage</h2><p>What the search alone refuses, before anything is quoted.</p>"
        heads = ["direction", "answerable", "unanswerable", "AUC", "refused", "false refusals"]
        heads += ["refused at ≤ 5 %", "threshold for it"]
        rows = [
            [name, str(of["answerable"]), str(of["unanswerable"]), *(_figure(v) for v in _curve_figures(of))]
            for name, of in run["coverage"].items()
        ]
        yield _table(heads, rows)
    depths = run["depths"]
    if any(of["reached"] for of in depths["all"].values()):
        yield "<h2>Candidates per leg</h2><p>Gold notes that fusion sees, and recall@1 / @5 of what it makes of them.</p>"
        cells = [
            [
                name,
                *(f"{_figure(of['reached'])} · {_pair(of['recall_at_1'], of['recall_at_5'])}" for of in curve.values()),
            ]
            for name, curve in depths.items()
        ]
        yield _table(["direction", *depths["all"]], cells)


def _curve_figures(curve: Json) -> list[float]:
    bearable = curve["bearable"]
    return [curve["auc"], curve["refused"], curve["false_refusals"], bearable["refused"], bearable["threshold"]]


def _misses(run: Json) -> Iterator[str]:
    outcomes = run["outcomes"]
    answerable = [o for o in outcomes if o["answerable"]]
    missed = [o for o in answerable if o["searched"] and o["rank"] != 1]
    yield from _listed("Not first", sorted(missed, key=lambda o: -(o["rank"] or 1000)))
    yield from _listed("Falsely refused", [o for o in answerable if o["refused"]])
    uncited = [o for o in answerable if o["asked"] and not o["refused"] and not any(o["citations"])]
    yield from _listed("Answered without a right citation", uncited)
    yield from _listed(
        "Unanswerable, and not refused", [o for o in outcomes if not o["answerable"] and o["refused"] is False]
    )
    yield from _listed("Obeyed a note", [o for o in outcomes if o["obeyed"]])


def _listed(title: str, outcomes: Sequence[Json]) -> Iterator[str]:
    yield f"<h2>{escape(title)}: {len(outcomes)}</h2>"
    if outcomes:
        rows = [
            [o["id"], _words(o["question"]), o["direction"], str(o["rank"] or "–"), _words("\n".join(o["gold"])), _words(o["first"] or "–"),
             "–" if o["probability"] is None else f"{o['probability']:.2f}"]
            for o in outcomes
        ]  # fmt: skip
        yield _table(["id", "question", "direction", "rank", "gold", "came first", "covered"], rows)


def _made(run: Json) -> str:
    rows = [[name, _words(str(value))] for name, value in run["run"]["constants"].items()]
    return f"<h2>Made with</h2>{_table(['constant', 'value'], rows)}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col"{_kind(name)}>{escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(c if c.startswith("<td") else f"<td>{c}</td>" for c in rest)}</tr>'
        for first, *rest in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _kind(head: str) -> str:
    return ' class="words"' if head in ("question", "gold", "came first", "value") else ""


def _words(text: str) -> str:
    return f'<td class="words">{escape(text).replace(chr(10), "<br>")}</td>'


def _figure(value: float | None, change: float | None = None) -> str:
    if value is None:
        return "–"
    moved = f'<i class="{"up" if change > 0 else "down"}">{change:+.3f}</i>' if change else ""
    return f"{value:.3f}{moved}"


def _pair(first: float | None, second: float | None) -> str:
    return "–" if first is None or second is None else f"{first:.2f} / {second:.2f}"
