"""`cortex bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, Json, run

if TYPE_CHECKING:
    from cortex.settings import Settings

_SIZES = (10_000, 100_000)
_LARGE = 1_000_000
_PAGE = 50_000
_SAVING = 100_000


def bench(
    passages: Annotated[
        list[int] | None,
        typer.Option("--passages", min=100, help="A library's size; may be given again. [10000 and 100000]"),
    ] = None,
    large: Annotated[
        bool, typer.Option("--large", help="A million passages too: half an hour and 30 GB of disk.")
    ] = False,
    questions: Annotated[int, typer.Option(min=5, help="Questions asked under each condition.")] = 60,
    ingest: Annotated[int, typer.Option(min=0, help="Real passages to ingest; 0 leaves this out.")] = 1_000,
    files: Annotated[int, typer.Option(min=0, help="Files of the sync without changes; 0 leaves this out.")] = 10_000,
    alone: Annotated[bool, typer.Option("--alone", help="Start no server and no worker, and ask no peer.")] = False,
    page: Annotated[
        bool, typer.Option("--page", help="Only how soon the page takes a key, over 50000 passages, in Chromium.")
    ] = False,
    saving: Annotated[
        bool, typer.Option("--saving", help="Only how long saves into 10000 notes take, beside a busy worker.")
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Fill synthetic libraries in the folder `bench` of the data folder and measure how fast Cortex is on them."""

    async def command(settings: Settings) -> int:
        from cortex.evals.bench import Plan, report
        from cortex.evals.bench import bench as measure

        sizes = (*(passages or _SIZES), *((_LARGE,) if large else ()))
        plan = Plan(sizes, questions, ingest, files, served=not alone, peers=not alone)
        if page:
            plan = Plan((), ingest=0, files=0, peers=False, page=_PAGE)
        if saving:
            plan = Plan((), ingest=0, files=0, peers=False, saving=_SAVING)
        with output.bars(quiet=json) as progress:
            found = await measure(settings, plan, progress)
        output.print_json(found) if json else output.console.print(report.as_tables(found))
        return 0

    run(command, data=data, config=config, debug=debug)
