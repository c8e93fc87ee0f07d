"""`cortex eval`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, Json, run

if TYPE_CHECKING:
    from cortex.settings import Settings

_RUNS = "runs"

Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a page with plots and every question that went wrong."),
]


def evaluate(
    html: Html = None, json: Json = False, data: Data = None, config: Config = None, debug: Debug = False
) -> None:
    """Ask the golden notebook's questions and print how well they were answered. Your own notes are left alone."""

    async def command(settings: Settings) -> int:
        from cortex.bootstrap import open_cortex
        from cortex.evals import load_questions, runs
        from cortex.evals import run as ask_all
        from cortex.evals.notebook import Library, golden_settings
        from cortex.evals.page import as_page
        from cortex.evals.report import as_json, as_tables

        own = golden_settings(settings)
        async with open_cortex(own, threads=output.cores()) as cortex:
            with output.bars(quiet=json) as progress:
                library = await Library.fill(cortex, progress)
                report = await ask_all(
                    library.search,
                    library.ask,
                    load_questions(),
                    progress=lambda done, total: progress("golden questions", done, total),
                )
        found = runs.stamped(as_json(report), dt.datetime.now(dt.UTC))
        before = runs.last(own.data / _RUNS)
        changes = runs.difference(found, before) if before else None
        runs.keep(own.data / _RUNS, found)
        shown = {**found, "difference": changes}
        if html:
            _write(html, as_page(shown))
        output.print_json(shown) if json else output.console.print(as_tables(report, changes))
        return 0

    run(command, data=data, config=config, debug=debug)


def _write(path: Path, page: str) -> None:
    from cortex.errors import Invalid

    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise Invalid(f"the page cannot be written to {path}: {error.strerror}", field="html") from error
