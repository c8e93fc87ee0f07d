"""`cortex search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, Json, ScopeOption, run

if TYPE_CHECKING:
    from cortex.settings import Settings

_SHOWN_CHARS = 300


def search(
    query: Annotated[str, typer.Argument(help="What to look for, in Chinese or English.")],
    scope: ScopeOption = "",
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many documents at most.")] = 10,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each leg's rank and score, and the timings.")
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Find the notes that hold an answer, best first."""

    async def command(settings: Settings) -> int:
        from cortex.answering.scope import read_scope
        from cortex.bootstrap import open_cortex
        from cortex.errors import Invalid
        from cortex.library import LOCAL_OWNER
        from cortex.web.shapes import search_fields

        if not query.strip() or "\0" in query or len(query) > settings.limits.question_chars:
            raise Invalid(f"the query must hold 1 to {settings.limits.question_chars} characters", field="QUERY")
        async with open_cortex(settings) as cortex:
            read = await read_scope(cortex.database, LOCAL_OWNER, scope)
            found = await cortex.retriever.search(
                LOCAL_OWNER, query.strip(), read, limit=limit, list_legs=explain and json
            )
        shown = search_fields(found)
        output.print_json(shown) if json else _print(shown, explain=explain)
        return 0

    run(command, data=data, config=config, debug=debug, makes_notebook=False)


def _print(shown: dict[str, Any], *, explain: bool) -> None:
    if not shown["results"]:
        output.console.print(f"Nothing found among {shown['in_scope']} notes.")
    for n, result in enumerate(shown["results"], 1):
        when = result["date"] or (str(result["period"]) if result["period"] else "")
        about = " · ".join(
            part for part in (result["source"], result["kind"], when, f"note:{result['document_id']}") if part
        )
        output.console.print(f"[bold]{n}. {output.plain(result['title'])}[/bold]  [dim]{output.plain(about)}[/dim]")
        text = " ".join(result["passage"]["text"].split())
        output.console.print("   " + output.plain(text[:_SHOWN_CHARS] + ("…" if len(text) > _SHOWN_CHARS else "")))
        if explain:
            legs = "  ".join(f"{leg} #{place['rank']} ({place['score']})" for leg, place in result["legs"].items())
            output.console.print(f"   [dim]score {result['score']}  {legs}[/dim]")
    if explain:
        timings = "  ".join(f"{stage} {took} ms" for stage, took in shown["timings_ms"].items())
        output.console.print(f"[dim]coverage {shown['coverage']}, {shown['in_scope']} notes in scope  {timings}[/dim]")
