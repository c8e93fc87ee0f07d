from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from cortex.evals import runs

AT = dt.datetime(2026, 5, 3, 8, 30, tzinfo=dt.timezone(dt.timedelta(hours=8)))


def report(**ranks: int | None) -> dict[str, Any]:
    outcomes = [{"id": key, "rank": rank, "refused": False, "answerable": True} for key, rank in ranks.items()]
    first = sum(rank == 1 for rank in ranks.values()) / len(ranks)
    scores = {"questions": len(ranks), "recall_at_1": first, "mrr": None}
    return {"overall": scores, "kinds": {"recall": scores}, "directions": {"en→en": scores}, "outcomes": outcomes}


def test_a_run_is_kept_by_its_time_and_found_again(tmp_path: Path) -> None:
    assert runs.last(tmp_path) is None
    older, newer = runs.stamped(report(a=1), AT), runs.stamped(report(a=2), AT + dt.timedelta(hours=1))
    assert runs.keep(tmp_path, newer).name == "20260503T013000Z.json"
    runs.keep(tmp_path, older)
    kept = runs.last(tmp_path)
    assert kept is not None
    assert kept["run"]["at"] == "2026-05-03T01:30:00+00:00"
    assert kept["run"]["constants"]["FUSION"]


def test_a_run_that_was_cut_off_is_passed_over(tmp_path: Path) -> None:
    runs.keep(tmp_path, runs.stamped(report(a=1), AT))
    (tmp_path / "20990101T000000Z.json").write_text('{"overall": {', encoding="utf-8")
    (tmp_path / "20990102T000000Z.json").write_text("[]", encoding="utf-8")
    kept = runs.last(tmp_path)
    assert kept is not None
    assert kept["outcomes"][0]["id"] == "a"


def test_the_difference_is_of_what_both_have() -> None:
    before = runs.stamped(report(a=2, b=1, c=None), AT)
    now = runs.stamped(report(a=1, b=3, d=1), AT)
    changed = runs.difference(now, before)
    assert changed["overall"] == {"questions": 0, "recall_at_1": pytest.approx(1 / 3, abs=1e-4)}
    assert changed["better"] == ["a"]
    assert changed["worse"] == ["b"]
    assert changed["constants"] == {}
    assert runs.difference(now, {**before, "kinds": {}})["kinds"] == {"recall": {}}


def test_a_changed_constant_is_named() -> None:
    before = json.loads(json.dumps(runs.stamped(report(a=1), AT)))
    before["run"]["constants"]["WEAK"] = 0.99
    assert runs.difference(runs.stamped(report(a=1), AT), before)["constants"]["WEAK"][0] == 0.99


def test_a_refusal_is_good_for_what_nothing_answers_only() -> None:
    unanswerable = {"answerable": False, "rank": None}
    assert runs._worth({**unanswerable, "refused": True}) > runs._worth({**unanswerable, "refused": False})
    answerable = {"answerable": True, "rank": 1}
    assert runs._worth({**answerable, "refused": True}) < runs._worth({**answerable, "refused": None})
