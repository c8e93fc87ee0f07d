"""All commands by name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cortex import __version__
from cortex.cli import ask, backup, bench, doctor, evals, maintenance, search, serve, status, sync, worker
from cortex.cli.options import BAD_CONFIG, say


class Commands(TyperGroup):
    """The commands. Wrong arguments are one line like every other error, in place of typer's box; without any: the help."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        given = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(given or ["--help"], *rest, **{**extra, "standalone_mode": False})
        except TyperException as error:
            command = next((f"{name} " for name in given[:1] if name in self.commands), "")
            told = error.format_message().rstrip(".")
            said = f"{told[:1].lower()}{told[1:]}{'' if told.endswith('?') else '.'}"
            say(f"{said} See `cortex {command}--help`")
            code = BAD_CONFIG
        sys.exit(code)


app = typer.Typer(
    name="cortex",
    cls=Commands,
    help="A private, bilingual notebook that you can ask. Start with: cortex serve",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cortex {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command()(serve.serve)
app.command()(worker.worker)
app.command()(sync.sync)
app.command()(search.search)
app.command()(ask.ask)
app.command()(status.status)
app.command()(doctor.doctor)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(maintenance.migrate)
app.command()(maintenance.reindex)
app.command(name="eval")(evals.evaluate)
app.command()(bench.bench)


def main() -> None:
    """The `cortex` command."""
    app()
