"""`cortex migrate` and `cortex reindex`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, Json, run

if TYPE_CHECKING:
    from cortex.settings import Settings


def migrate(json: Json = False, data: Data = None, config: Config = None, debug: Debug = False) -> None:
    """Bring the database's schema up to this version (an embedded database does it by itself)."""

    async def command(settings: Settings) -> int:
        from cortex.storage import migrate as run_migrations

        applied = await run_migrations(settings)
        if json:
            output.print_json({"applied": applied})
        else:
            output.console.print(f"{applied} migrations applied." if applied else "The schema is up to date.")
        return 0

    run(command, data=data, config=config, debug=debug, makes_notebook=False)


def reindex(
    space: Annotated[str | None, typer.Option(help="Embed this space anew, instead of cutting the notes anew.")] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Cut every note into passages anew (what stays the same keeps its vectors), or embed a whole space anew."""

    async def command(settings: Settings) -> int:
        from cortex.bootstrap import open_cortex
        from cortex.cli.indexing import at_work, look, wait_searchable
        from cortex.indexing import upkeep
        from cortex.library import LOCAL_OWNER

        async with open_cortex(settings, threads=output.cores()) as cortex:
            async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
                if space is not None:
                    await upkeep.embed_again(tx, LOCAL_OWNER, space)
                else:
                    await upkeep.cut_again(tx, LOCAL_OWNER)
            with output.bars(quiet=json) as progress:
                async with at_work(cortex):
                    await wait_searchable(cortex, progress)
            index = await look(cortex)
        shown = {
            "documents": index.documents,
            "passages": index.passages,
            "waiting": index.waiting,
            "failed": index.failed,
        }
        if json:
            output.print_json(shown)
        else:
            output.console.print(
                f"{index.documents - index.waiting:,} notes are searchable, in {index.passages:,} passages."
            )
            for filling in (each for each in index.spaces if each.filled < each.total):
                output.console.print(
                    f"The {filling.name} space has {filling.filled:,} of {filling.total:,}; the worker goes on."
                )
        return 0

    run(command, data=data, config=config, debug=debug, makes_notebook=False)
