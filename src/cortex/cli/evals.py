"""`cortex eval`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, Json, run

if TYPE_CHECKING:
    import datetime as dt

    from cortex.answering.answer import AskRequest
    from cortex.bootstrap import Cortex
    from cortex.evals import Answered, EvalReport, Found
    from cortex.settings import Settings
    from cortex.text.language import Lang

_SOURCE = "golden"
_DEPTH = 20


def evaluate(json: Json = False, data: Data = None, config: Config = None, debug: Debug = False) -> None:
    """Ask the golden notebook's questions and print how well they were answered. Your own notes are left alone."""

    async def command(settings: Settings) -> int:
        from cortex.bootstrap import open_cortex
        from cortex.evals.report import as_json, as_tables

        async with open_cortex(golden_settings(settings), threads=output.cores()) as cortex:
            with output.bars(quiet=json) as progress:
                await _fill(cortex, progress)
                report = await _judge(cortex, progress)
        output.print_json(as_json(report)) if json else output.console.print(as_tables(report))
        return 0

    run(command, data=data, config=config, debug=debug)


def golden_settings(settings: Settings) -> Settings:
    """A notebook of its own, kept in the data folder, so that a second run has only to ask."""
    from cortex.evals import notes_folder
    from cortex.settings import SourceSettings

    golden = SourceSettings(name=_SOURCE, type="local", path=notes_folder())
    values = {"data": settings.data / "eval", "database_url": None, "database_ai_url": None, "sources": (golden,)}
    return settings.model_copy(update=values)


async def _fill(cortex: Cortex, progress: output.Progress) -> None:
    from cortex.library import LOCAL_OWNER
    from cortex.sources.sync import sync

    await sync(cortex.database, LOCAL_OWNER, cortex.settings, allow_deletes=True, progress=progress)
    await cortex.drain()


async def _judge(cortex: Cortex, progress: output.Progress) -> EvalReport:
    from cortex.answering.answer import AskRequest
    from cortex.answering.day import asked_on
    from cortex.evals import Found, load_questions, run
    from cortex.library import LOCAL_OWNER, mirrors
    from cortex.retrieval.scope import parse

    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        known = await mirrors.inventory(tx, LOCAL_OWNER, _SOURCE)
    notes = {mirror.document_id: name for name, mirror in known.items()}

    async def search(question: str, scope: str, now: dt.datetime | None) -> list[Found]:
        asked = await cortex.retriever.narrowed(LOCAL_OWNER, question, parse(scope), asked_on(None, now))
        found = await cortex.retriever.search(LOCAL_OWNER, asked.question, asked.scope, limit=_DEPTH)
        return [
            Found(hit.external_id, hit.passage.text, {leg: place.rank for leg, place in hit.legs.items()})
            for hit in found.hits
        ]

    async def ask(question: str, scope: str, now: dt.datetime | None, language: Lang) -> Answered:
        return await _ask(cortex, AskRequest(question, scope, language=language, now=now), notes)

    return await run(
        search, ask, load_questions(), progress=lambda done, total: progress("golden questions", done, total)
    )


async def _ask(cortex: Cortex, request: AskRequest, notes: dict[int, str]) -> Answered:
    from cortex.answering import conversations, stream
    from cortex.errors import Upstream
    from cortex.evals import Answered, Cited
    from cortex.library import LOCAL_OWNER

    answer_id = await cortex.answerer.ask(LOCAL_OWNER, request)
    async for event in stream.follow(cortex.database, LOCAL_OWNER, answer_id, bell=cortex.answerer.bell):
        if event.event == "error":
            raise Upstream(f"a golden question failed ({event.data['title']}): {request.question}")
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        answer = await conversations.answer(tx, LOCAL_OWNER, answer_id)
    cited = [Cited(notes.get(c["document_id"], ""), c["quote"]) for c in answer["citations"]]
    return Answered(answer["refused"], answer["text"], cited)
