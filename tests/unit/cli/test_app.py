"""Wrong arguments are told like every other error: in one line that names them and the way out."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from cortex.cli import app


@pytest.mark.parametrize(
    ("arguments", "names", "way_out"),
    [
        (["searh", "x"], "'searh'", "`cortex --help`"),
        (["--foo"], "--foo", "`cortex --help`"),
        (["search"], "'query'", "`cortex search --help`"),
        (["search", "x", "--limt", "3"], "--limt", "`cortex search --help`"),
        (["search", "x", "--limit", "500"], "'--limit'", "`cortex search --help`"),
        (["search", "x", "y"], "(y)", "`cortex search --help`"),
        (["serve", "--port", "x", "--debug"], "'--port'", "`cortex serve --help`"),
        (["status", "--json", "--data"], "'--data'", "`cortex status --help`"),
    ],
)
def test_a_wrong_argument_is_one_line_that_names_it(arguments: list[str], names: str, way_out: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("cortex: ")
    assert done.stderr.count("\n") == 1
    assert names in done.stderr
    assert way_out in done.stderr


@pytest.mark.parametrize("arguments", [[], ["--help"], ["search", "--help"], ["--version"]])
def test_help_is_no_mistake(arguments: list[str]) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0
    assert "cortex" in done.stdout
    assert done.stderr == ""
