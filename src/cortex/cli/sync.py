"""`cortex sync`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cortex.cli import output
from cortex.cli.options import FAILED, Config, Data, Debug, Json, run

if TYPE_CHECKING:
    from cortex.bootstrap import Cortex
    from cortex.indexing.status import IndexStatus
    from cortex.settings import Settings
    from cortex.sources.report import SourceReport
    from cortex.sources.sync import Progress

_REASONS_SHOWN = 10


def sync(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE]...", help="Their names; all when left out.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing, count everything.")] = False,
    allow_deletes: Annotated[
        bool, typer.Option("--allow-deletes", help="Delete also where so much is missing that a disk may be unmounted.")
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Mirror the listed sources, read-only, and make what changed searchable. Exit: 0 fine, 1 something failed, 2 bad config."""

    async def command(settings: Settings) -> int:
        from cortex.bootstrap import open_cortex
        from cortex.cli.indexing import look

        names = _names(settings, sources)
        async with open_cortex(settings, threads=output.cores()) as cortex:
            with output.bars(quiet=json) as progress:
                if dry_run:
                    reports = await _run(cortex, names, progress, dry_run=True)
                else:
                    reports = await _sync(cortex, names, progress, allow_deletes=allow_deletes)
            index = await look(cortex)
        if json:
            output.print_json({"sources": [report.as_json() for report in reports]})
        else:
            _print(reports)
            _print_rest(reports, index, dry_run=dry_run)
        return 0 if all(report.ok for report in reports) else FAILED

    run(command, data=data, config=config, debug=debug)


def _names(settings: Settings, wanted: Sequence[str] | None) -> list[str]:
    """The sources to sync, each once, in the configuration's order; a name that is not listed stops all."""
    from cortex.errors import Invalid

    listed = [source.name for source in settings.sources]
    if not listed:
        raise Invalid(
            f"no source is listed: add one under sources: in {settings.data / 'config.yaml'}", field="sources"
        )
    for name in wanted or ():
        if name not in listed:
            raise Invalid(f"there is no source {name!r}; listed are: {', '.join(listed)}", field="SOURCE")
    return [name for name in listed if not wanted or name in wanted]


async def _sync(cortex: Cortex, names: Sequence[str], progress: Progress, *, allow_deletes: bool) -> list[SourceReport]:
    """One source after the other, each until it can be found: so what was embedded for each is known."""
    from cortex.cli.indexing import at_work, embedded, wait_searchable

    reports = []
    async with at_work(cortex):
        await wait_searchable(cortex, progress)
        for name in names:
            before = await embedded(cortex)
            reports += await _run(cortex, [name], progress, allow_deletes=allow_deletes)
            await wait_searchable(cortex, progress)
            reports[-1].embedded = await embedded(cortex) - before
    return reports


async def _run(
    cortex: Cortex, names: Sequence[str], progress: Progress, *, dry_run: bool = False, allow_deletes: bool = False
) -> list[SourceReport]:
    from cortex.library import LOCAL_OWNER
    from cortex.sources.sync import sync

    return await sync(
        cortex.database,
        LOCAL_OWNER,
        cortex.settings,
        names,
        dry_run=dry_run,
        allow_deletes=allow_deletes,
        progress=progress,
    )


def _print(reports: Sequence[SourceReport]) -> None:
    table = output.table(
        "source",
        "#found",
        "#added",
        "#changed",
        "#deleted",
        "#unchanged",
        "#embedded",
        "#skipped",
        "#failed",
        "#undated",
    )
    for r in reports:
        counts = (
            r.found,
            r.added,
            r.changed,
            r.deleted,
            r.unchanged,
            r.embedded,
            len(r.skipped),
            len(r.failed),
            r.without_date,
        )
        table.add_row(output.plain(r.name), *(f"{count:,}" for count in counts))
    output.console.print(table)
    for report in reports:
        if report.problem:
            output.console.print(f"[red]{output.plain(report.name)}: {output.plain(report.problem)}[/red]")
        for title, items in (("failed", report.failed), ("skipped", report.skipped)):
            for item in items[:_REASONS_SHOWN]:
                output.console.print(
                    f"  {title}: {output.plain(report.name)}/{output.plain(item.item)}: {output.plain(item.reason)}"
                )
            if len(items) > _REASONS_SHOWN:
                output.console.print(f"  … and {len(items) - _REASONS_SHOWN:,} more {title}; --json lists all")
    if any(report.failed for report in reports):
        output.console.print("Mend what failed, or leave it out with exclude: in the configuration; the rest was read.")


def _print_rest(reports: Sequence[SourceReport], index: IndexStatus, *, dry_run: bool) -> None:
    if dry_run:
        output.console.print("A dry run: nothing was changed.")
        return
    if not any(report.embedded for report in reports):
        output.console.print("Nothing was embedded.")
    if index.waiting:
        output.console.print(f"{index.waiting:,} notes are not searchable yet: see `cortex status`.")
    for space in index.spaces:
        if space.filled < space.total:
            share = f"{space.filled:,} of {space.total:,} passages"
            output.console.print(f"Searchable now; the {space.name} space, which makes it better, has {share}. "
                                 "`cortex serve` goes on with it.")  # fmt: skip
