"""`cortex backup` and `cortex restore` as a person types them: there and back, and what is said when it does not go."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.cli.conftest import Notebook, make_notebook
from tests.integration.cli.test_serving import Serving, _until, served, serving  # noqa: F401

QUESTIONS = ("greenhouse pump", "最大的猫叫什么", "How long do we keep events?")


@pytest.fixture(scope="module")
def notebook(open_folder: Path) -> Notebook:
    """A notebook with three notes, which can be found, and an attachment; a server runs on it."""
    notebook = make_notebook(open_folder / "backing-up")
    notebook.cortex("sync")
    (notebook.data / "attachments").mkdir()
    (notebook.data / "attachments" / "5e1f").write_bytes(b"a picture")
    return notebook


@pytest.fixture
def other(open_folder: Path, notebook: Notebook) -> Iterator[Notebook]:
    """Where it is put back."""
    yield Notebook(open_folder / "put-back" / "data", notebook.vault)
    shutil.rmtree(open_folder / "put-back", ignore_errors=True)


def found(notebook: Notebook) -> list[Any]:
    """What a search says, without its timings."""
    answers = [notebook.json("search", question) for question in QUESTIONS]
    return [{**answer, "timings_ms": None} for answer in answers]


def filled(serving: Serving) -> bool:  # noqa: F811
    """Whether the worker is done."""
    status = serving.http.get("/api/status").json()
    full = all(space["total"] and space["filled"] == space["total"] for space in status["spaces"])
    return full and not status["waiting"] and not status["queue"]["pending"] + status["queue"]["running"]


def test_there_and_back_while_it_serves(
    notebook: Notebook,
    serving: Serving,  # noqa: F811
    other: Notebook,
    tmp_path: Path,
) -> None:
    _until(lambda: filled(serving))
    before = found(notebook)
    assert [answer["results"][0]["title"] for answer in before] == ["Week 03", "我的猫", "Kafka decisions"]
    made = notebook.json("backup", "--to", str(tmp_path))
    assert (made["documents"], made["attachments"]) == (3, 1)
    assert notebook.json("status")["backup"]["file"] == made["file"]
    back = other.json("restore", made["file"])
    assert (back["data"], back["aside"], back["documents"]) == (str(other.data), None, 3)
    assert (other.data / "attachments" / "5e1f").read_bytes() == b"a picture"
    assert other.json("status")["waiting"] == 3
    with served(other) as again:
        _until(lambda: filled(again))
        assert found(other) == before
        assert other.json("doctor")["ok"] is True


def test_said_in_words(notebook: Notebook, other: Notebook, tmp_path: Path) -> None:
    told = notebook.cortex("backup").stdout
    [made] = (notebook.data / "backups").glob("cortex-2*.zip")
    assert told == f"{made}: 3 notes and 1 attachment, {made.stat().st_size / 1000:.0f} kB\n"
    told = other.cortex("restore", str(made)).stdout
    assert f"are in {other.data}." in told
    assert f"`cortex serve --data {other.data}`" in told
    told = other.cortex("restore", str(made), "--replace").stdout
    assert f"What was there is in {other.data}.replaced-" in told


def test_what_is_wrong_is_one_line_and_an_exit_code(notebook: Notebook, other: Notebook, tmp_path: Path) -> None:
    def says(code: int, *arguments: str, on: Notebook = other) -> str:
        done = on.cortex(*arguments, code=code)
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
        return done.stderr

    good = tmp_path / "good.zip"
    notebook.cortex("backup", "--to", str(good))
    bad = tmp_path / "bad.zip"
    bad.write_bytes(good.read_bytes()[:-9])
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "manifest.json":
                content = json.dumps({**json.loads(content), "schema_number": 999, "cortex": "7.0"}).encode()
            new.writestr(name, content)
    assert "cannot be opened" in says(2, "restore", str(tmp_path / "none.zip"))
    assert "is damaged" in says(2, "restore", str(bad))
    assert "made by Cortex 7.0" in says(1, "restore", str(newer))
    assert "missing argument" in says(2, "restore").lower()
    assert not other.data.exists()
    assert "there is no notebook" in says(2, "backup")
    assert "is there already" in says(1, "backup", "--to", str(good), on=notebook)
    assert "mounted?" in says(2, "backup", "--to", f"{tmp_path}/usb/", on=notebook)
    assert "--replace" in says(1, "restore", str(good), on=notebook)


def test_a_served_folder_is_not_replaced(notebook: Notebook, tmp_path: Path, serving: Serving) -> None:  # noqa: F811
    notebook.cortex("backup", "--to", str(tmp_path / "a.zip"))
    done = notebook.cortex("restore", str(tmp_path / "a.zip"), "--replace", code=1)
    assert f"served at http://127.0.0.1:{serving.port}: stop that first" in done.stderr
    assert serving.ready()


def test_the_page_has_one_made(serving: Serving) -> None:  # noqa: F811
    before = len(list((serving.notebook.data / "backups").glob("*.zip")))
    answer = serving.http.post("/api/backups")
    assert (answer.status_code, answer.json()) == (202, {"running": True})

    def backup() -> Any:
        return serving.http.get("/api/status").json()["backup"]

    _until(lambda: len(list((serving.notebook.data / "backups").glob("*.zip"))) > before)
    _until(lambda: not backup()["running"])
    assert backup()["to"] == str(serving.notebook.data / "backups")
    assert Path(backup()["file"]).is_file()
    assert "error" not in backup()
    assert serving.http.post("/api/backups", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 403
    assert serving.http.post("/api/backups", headers={"Origin": "http://evil.example"}).status_code == 403
