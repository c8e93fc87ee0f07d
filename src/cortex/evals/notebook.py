"""A folder of notes in a library of its own: filled, searched and asked the way `run` needs it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cortex.answering import conversations, stream
from cortex.answering.answer import AskRequest
from cortex.answering.day import asked_on
from cortex.bootstrap import Cortex
from cortex.errors import Upstream
from cortex.evals import ablation
from cortex.evals.curves import DEPTHS
from cortex.evals.golden import notes_folder
from cortex.evals.run import Answered, Cited, Found, Searched
from cortex.library import LOCAL_OWNER, mirrors
from cortex.retrieval import constants
from cortex.retrieval.candidates import Trace
from cortex.retrieval.narrowing import Narrowed
from cortex.retrieval.results import SearchResult
from cortex.retrieval.scope import parse
from cortex.settings import Settings, SourceSettings
from cortex.sources.sync import sync
from cortex.text.language import Lang

SOURCE = "golden"
_LIMIT = 20


def golden_settings(settings: Settings) -> Settings:
    """A notebook of its own, kept in the data folder, so that a second run has only to ask."""
    values = {"data": settings.data / "eval", "database_url": None, "database_ai_url": None}
    return holding(settings.model_copy(update=values), notes_folder())


def holding(settings: Settings, folder: Path) -> Settings:
    """The same settings with a folder as the one source."""
    return settings.model_copy(update={"sources": (SourceSettings(name=SOURCE, type="local", path=folder),)})


@dataclass(frozen=True)
class Library:
    """A library that holds the notes of one folder and nothing else."""

    cortex: Cortex
    notes: Mapping[int, str]
    """Paths by document."""

    @classmethod
    async def fill(cls, cortex: Cortex, progress: Callable[[str, int, int], None] | None = None) -> Library:
        """Bring a library of `holding` settings up to date; embedding all golden notes takes half a minute."""
        await sync(cortex.database, LOCAL_OWNER, cortex.settings, allow_deletes=True, progress=progress)
        await cortex.drain()
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            known = await mirrors.inventory(tx, LOCAL_OWNER, SOURCE)
        return cls(cortex, {mirror.document_id: name for name, mirror in known.items()})

    async def search(self, question: str, scope: str, now: dt.datetime | None) -> Searched:
        """The product's own search, and what its candidates would have made under other circumstances."""
        asked, found = await self._search(question, scope, now)
        certain = bool(found.hits) and (asked.lists or asked.scope.picked_note is not None)
        searched = Searched(
            [Found(hit.external_id, hit.passage.text) for hit in found.hits],
            covered=certain or found.coverage.level != "none",
            probability=None if certain else found.coverage.probability,
        )
        return searched if found.trace is None else self._varied(searched, found.trace)

    async def weighed(self, question: str, scope: str = "", now: dt.datetime | None = None) -> Trace | None:
        """What the product's own search weighed; None where nothing is in the scope."""
        return (await self._search(question, scope, now))[1].trace

    async def _search(self, question: str, scope: str, now: dt.datetime | None) -> tuple[Narrowed, SearchResult]:
        retriever = self.cortex.retriever
        asked = await retriever.narrowed(LOCAL_OWNER, question, parse(scope), asked_on(None, now))
        found = await retriever.search(LOCAL_OWNER, asked.question, asked.scope, limit=_LIMIT, trace=True)
        return asked, found

    def _varied(self, searched: Searched, trace: Trace) -> Searched:
        known = [depth for depth in DEPTHS if depth <= constants.CANDIDATES_PER_LEG]
        without = {part: ablation.without(trace, part) for part in ablation.PARTS}
        if self.cortex.retriever.reranker:
            # It reads after all is weighed, so every other row lacks it as well.
            without["cross_encoder"] = ablation.fused(trace)
        return Searched(
            searched.found,
            searched.covered,
            searched.probability,
            legs={leg: self._paths(ids) for leg, ids in ablation.alone(trace).items()},
            without={part: self._paths(documents) for part, documents in without.items()},
            by_depth={depth: self._paths(ablation.fused(trace, depth)) for depth in known},
            reached={self.notes.get(key, ""): depth for key, depth in ablation.reached(trace).items()},
        )

    def _paths(self, documents: Sequence[int]) -> list[str]:
        return [self.notes.get(document, "") for document in documents]

    async def ask(self, question: str, scope: str, now: dt.datetime | None, language: Lang) -> Answered:
        """The answer that a reader would get.

        Raises:
            Upstream: the question failed.
        """
        cortex = self.cortex
        answer_id = await cortex.answerer.ask(LOCAL_OWNER, AskRequest(question, scope, language=language, now=now))
        async for event in stream.follow(cortex.database, LOCAL_OWNER, answer_id, bell=cortex.answerer.bell):
            if event.event == "error":
                raise Upstream(f"a golden question failed ({event.data['title']}): {question}")
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            answer = await conversations.answer(tx, LOCAL_OWNER, answer_id)
        cited = [Cited(self.notes.get(c["document_id"], ""), c["quote"]) for c in answer["citations"]]
        return Answered(answer["refused"], answer["text"], cited)
