"""The commands on one notebook, in the order in which a person would type them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.cli.conftest import Notebook


def test_a_dry_run_counts_and_changes_nothing(notebook: Notebook) -> None:
    report = notebook.json("sync", "--dry-run")["sources"][0]
    assert (report["name"], report["found"], report["added"], report["embedded"]) == ("journals", 3, 3, 0)
    assert "not running" in notebook.cortex("status").stdout


def test_sync_without_a_worker_makes_notes_searchable_itself(notebook: Notebook) -> None:
    report = notebook.json("sync")["sources"][0]
    assert set(report) >= {
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
    assert (report["added"], report["embedded"], report["complete"]) == (3, 3, True)
    assert notebook.json("status")["waiting"] == 0


def test_a_second_sync_embeds_nothing_and_says_so(notebook: Notebook) -> None:
    said = notebook.cortex("sync").stdout
    assert "Nothing was embedded" in said
    report = notebook.json("sync", "journals")["sources"][0]
    assert (report["unchanged"], report["added"], report["embedded"]) == (3, 0, 0)


def test_an_edit_embeds_its_own_passages_only(notebook: Notebook) -> None:
    note = notebook.vault / "Topics/Kafka/decisions.md"
    note.write_text("# Kafka decisions\n\nWe keep events for sixty days.\n", encoding="utf-8")
    report = notebook.json("sync")["sources"][0]
    assert (report["changed"], report["unchanged"], report["embedded"]) == (1, 2, 1)


def test_search_prints_what_the_api_answers(notebook: Notebook) -> None:
    found = notebook.json("search", "greenhouse pump", "--limit", "2")
    assert {"results", "scope", "timings_ms"} <= set(found)
    assert found["results"][0]["title"] == "Week 03"
    assert len(found["results"]) == 2


def test_ask_answers_with_citations_or_refuses(notebook: Notebook) -> None:
    answer = notebook.json("ask", "What did I replace in the greenhouse pump?")
    assert {"answer", "refused", "sources", "citations", "usage"} <= set(answer)
    assert answer["sources"][0]["title"] == "Week 03"
    for citation in answer["citations"]:
        assert citation["quote"] in "".join(source["passage"]["text"] for source in answer["sources"])


def test_wrong_words_are_one_line_and_an_exit_code(notebook: Notebook) -> None:
    for arguments in (
        ("sync", "elsewhere"),
        ("search", "x", "--scope", "colour:red"),
        ("search", "x", "--scope", "source:nope"),
        ("ask", "x", "--scope", "source:nope"),
        ("search", " "),
        ("ask", ""),
        ("status", "--config", "/nowhere.yaml"),
    ):
        done = notebook.cortex(*arguments, code=2)
        assert done.stdout == ""
        assert done.stderr.startswith("cortex: ")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("status",), ("search", "x"), ("ask", "x"), ("migrate",), ("reindex",)], ids=lambda each: each[0]
)
def test_a_command_that_looks_leaves_nothing_at_a_mistyped_path(
    notebook: Notebook, open_folder: Path, arguments: tuple[str, ...]
) -> None:
    mistyped = Notebook(open_folder / "mis typed", notebook.vault)
    done = mistyped.cortex(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"there is no notebook at {mistyped.data}" in done.stderr
    assert f"`cortex serve --data '{mistyped.data}'`" in done.stderr
    assert not mistyped.data.exists()


def test_the_doctor_leaves_nothing_either(notebook: Notebook, open_folder: Path) -> None:
    mistyped = Notebook(open_folder / "mistyped", notebook.vault)
    checks = {check["name"]: check for check in mistyped.json("doctor", code=1)["checks"]}
    assert "no notebook" in checks["database"]["detail"]
    assert "cortex serve --data" in checks["database"]["mend"]
    assert not mistyped.data.exists()


def test_the_doctor_finds_what_is_wrong(notebook: Notebook, tmp_path: Path) -> None:
    away = tmp_path / "away.yaml"
    away.write_text(f"sources:\n  - {{name: journals, type: local, path: {tmp_path / 'away'}}}\n", encoding="utf-8")
    checks = {check["name"]: check for check in notebook.json("doctor", "--config", str(away), code=1)["checks"]}
    assert checks["orphans"]["ok"]
    assert checks["schema"]["ok"]
    assert not checks["source journals"]["ok"]
    assert checks["source journals"]["mend"]
    waits = notebook.json("status")["queue"]["pending"]  # the deep space, unless the last sync got to its end
    assert checks["worker"]["ok"] is (waits == 0)
    assert waits == 0 or "cortex serve" in checks["worker"]["mend"]


def test_migrate_and_reindex(notebook: Notebook) -> None:
    assert notebook.json("migrate") == {"applied": 0}
    again = notebook.json("reindex")
    assert (again["documents"], again["waiting"], again["failed"]) == (3, 0, 0)


@pytest.mark.parametrize("space", ["nowhere", ""])
def test_a_space_that_is_not_there_is_bad_input(notebook: Notebook, space: str) -> None:
    done = notebook.cortex("reindex", "--space", space, code=2)
    assert done.stderr.count("\n") == 1
    assert "fast, deep" in done.stderr


def test_a_failed_file_is_exit_1_and_the_others_are_synced(notebook: Notebook) -> None:
    (notebook.vault / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    report = notebook.json("sync", code=1)["sources"][0]
    assert [item["item"] for item in report["failed"]] == ["broken.pdf"]
    assert report["unchanged"] == 3
    assert "exclude:" in notebook.cortex("sync", code=1).stdout


def test_a_file_that_is_left_out_fails_no_more(notebook: Notebook) -> None:
    configuration = notebook.data / "config.yaml"
    listed = configuration.read_text(encoding="utf-8")
    configuration.write_text(listed.replace("}", ', exclude: ["broken.pdf"]}'), encoding="utf-8")
    assert notebook.json("sync")["sources"][0]["failed"] == []
