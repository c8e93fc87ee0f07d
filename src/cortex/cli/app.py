"""All commands by name."""

from __future__ import annotations

from typing import Annotated

import typer

from cortex import __version__
from cortex.cli import ask, bench, doctor, evals, maintenance, search, serve, status, sync, worker

app = typer.Typer(
    name="cortex",
    help="A private, bilingual notebook that you can ask. Start with: cortex serve",
    no_args_is_help=True,
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
app.command()(maintenance.migrate)
app.command()(maintenance.reindex)
app.command(name="eval")(evals.evaluate)
app.command()(bench.bench)


def main() -> None:
    """The `cortex` command."""
    app()
