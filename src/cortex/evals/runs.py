"""Runs of the evals that are kept, and what changed from one to the next."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cortex import __version__
from cortex.retrieval import constants

_BEST = 1
_SEEN = 5


def stamped(report: Mapping[str, Any], at: dt.datetime) -> dict[str, Any]:
    """The report with when and with what it was made: version, and every constant of ranking and coverage."""
    numbers = {name: value for name, value in vars(constants).items() if name.isupper()}
    made = {"at": at.astimezone(dt.UTC).isoformat(timespec="seconds"), "version": __version__, "constants": numbers}
    return {"run": made, **report}


def last(folder: Path) -> dict[str, Any] | None:
    """The newest run that is kept and can be read."""
    for path in sorted(folder.glob("*.json"), reverse=True):
        try:
            run = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue  # cut off while it was written
        if isinstance(run, dict) and "overall" in run:
            return run
    return None


def keep(folder: Path, run: Mapping[str, Any]) -> Path:
    """Write a run as `<time>.json`; times sort."""
    folder.mkdir(parents=True, exist_ok=True)
    at = dt.datetime.fromisoformat(run["run"]["at"])
    path = folder / f"{at:%Y%m%dT%H%M%SZ}.json"
    path.write_text(json.dumps(run, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def difference(run: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """What changed: figures of every group that both have, constants, and questions that moved.

    Returns:
        `since`, `overall`, `kinds`, `directions` (figure → change), `constants` (name → [before, now]), and ids under `better`,
        `worse`: first place, first five or the refusal won or lost.
    """
    changed = {
        group: {name: _changes(now, before.get(group, {}).get(name, {})) for name, now in run[group].items()}
        for group in ("kinds", "directions")
    }
    moved = _moved(run, before)
    return {
        "since": before.get("run", {}).get("at"),
        "overall": _changes(run["overall"], before["overall"]),
        **changed,
        "constants": _constants(run, before),
        "better": [key for key, change in moved.items() if change > 0],
        "worse": [key for key, change in moved.items() if change < 0],
    }


def _changes(now: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: round(value - before[name], 4)
        for name, value in now.items()
        if isinstance(value, int | float) and isinstance(before.get(name), int | float)
    }


def _constants(run: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, list[Any]]:
    now, then = (json.loads(json.dumps(of.get("run", {}).get("constants", {}))) for of in (run, before))
    return {name: [then.get(name), now.get(name)] for name in {**then, **now} if then.get(name) != now.get(name)}


def _moved(run: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, int]:
    then = {outcome["id"]: _worth(outcome) for outcome in before.get("outcomes", [])}
    return {o["id"]: _worth(o) - then[o["id"]] for o in run["outcomes"] if o["id"] in then}


def _worth(outcome: Mapping[str, Any]) -> int:
    rank, refused = outcome.get("rank"), bool(outcome.get("refused"))
    if not outcome["answerable"]:
        return int(refused)
    return (rank is not None and rank <= _BEST) + (rank is not None and rank <= _SEEN) - refused
