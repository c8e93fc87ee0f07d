"""`cortex ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cortex.cli import output
from cortex.cli.options import FAILED, Config, Data, Debug, Json, ScopeOption, fail, run

if TYPE_CHECKING:
    from cortex.answering.stream import Event
    from cortex.settings import Settings


def ask(
    question: Annotated[str, typer.Argument(help="In Chinese or English.")],
    scope: ScopeOption = "",
    quotes: Annotated[bool, typer.Option("--quotes", help="Answer with your own sentences; nothing leaves.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Ask your notes; every claim names its source, or it says that it found no answer."""

    async def command(settings: Settings) -> int:
        from cortex.answering import conversations, stream
        from cortex.answering.answer import AskRequest
        from cortex.bootstrap import open_cortex
        from cortex.library import LOCAL_OWNER

        printer = Printer()
        async with open_cortex(settings) as cortex:
            request = AskRequest(question, scope, answer_with="quotes" if quotes else "auto")
            answer_id = await cortex.answerer.ask(LOCAL_OWNER, request)
            async for event in stream.follow(cortex.database, LOCAL_OWNER, answer_id, bell=cortex.answerer.bell):
                if event.event == "error":
                    fail(f"{event.data['title']}: {event.data['detail']}", FAILED)
                if not json:
                    printer.print(event)
            if json:
                async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
                    output.print_json(_shape(await conversations.answer(tx, LOCAL_OWNER, answer_id)))
        return 0

    run(command, data=data, config=config, debug=debug, makes_notebook=False)


def _shape(answer: dict[str, Any]) -> dict[str, Any]:
    done = answer["done"] or {}
    return {
        "answer_id": answer["answer_id"],
        "answer": answer["text"],
        "refused": answer["refused"],
        "language": answer["language"],
        "coverage": answer["coverage"],
        "sources": answer["sources"],
        "citations": answer["citations"],
        "usage": done.get("usage"),
        "timings_ms": done.get("timings_ms"),
        "unread": done.get("unread"),
    }


def _unread(notes: dict[str, int], passages: dict[str, int]) -> str:
    """What a refusal could not look at, as a sentence."""
    count, how = (notes, "") if notes["waiting"] else (passages, " by their deeper meaning")
    what = "notes" if notes["waiting"] else "passages"
    return f"{count['waiting']:,} of {count['total']:,} {what} are not searchable{how} yet; the answer may be in them."


class Printer:
    """Prints an answer as it comes: its sources first, so that the numbers in it mean something."""

    def __init__(self) -> None:
        self._nearest: list[dict[str, Any]] = []

    def print(self, event: Event) -> None:
        if event.event == "sources":
            # What does not cover the question is no source: it is shown below the refusal.
            self._nearest = event.data["sources"]
            for term in event.data["scope_terms"]:
                if term["inferred"]:
                    output.console.print(f"[dim]Looking in {term['label_en']}, as the question says.[/dim]")
            if event.data["coverage"] != "none":
                self._list()
        elif event.event == "delta":
            output.console.print(output.plain(event.data["text"]), end="")
        elif event.event == "done":
            output.console.print()
            if event.data["unread"]:
                output.console.print(f"[yellow]{_unread(**event.data['unread'])}[/yellow]")
            if event.data["refused"] and self._nearest:
                output.console.print("\n[dim]Nearest notes:[/dim]")
                self._list()

    def _list(self) -> None:
        for source in self._nearest:
            about = " · ".join(str(part) for part in (source["source"], source["date"]) if part)
            output.console.print(f"[dim]\\[{source['n']}] {output.plain(source['title'])}  {output.plain(about)}[/dim]")
        output.console.print()
        self._nearest = []
