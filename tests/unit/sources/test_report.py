"""The report's numbers and its shape as JSON."""

from __future__ import annotations

from cortex.sources.listing import Item
from cortex.sources.report import SourceReport


def test_the_report_adds_up_and_has_the_contracts_names() -> None:
    report = SourceReport(
        "notes", added=1, changed=2, unchanged=3, skipped=[Item("a", "b")], failed=[Item("c", "d")], complete=True
    )
    report.add_up()
    assert report.found == 8
    assert not report.ok
    told = report.as_json()
    assert set(told) >= {
        "name",
        "found",
        "added",
        "changed",
        "deleted",
        "unchanged",
        "embedded",
        "skipped",
        "failed",
        "complete",
    }
    assert told["skipped"] == [{"item": "a", "reason": "b"}]


def test_only_a_complete_run_without_failures_is_fine() -> None:
    assert SourceReport("x", complete=True).ok
    assert not SourceReport("x").ok
    assert not SourceReport("x", complete=True, problem="cancelled").ok
