"""One question, from the request to the last event.

`ask` writes the question down and returns at once; the answer is made by a task of this process, in short transactions,
and read by anybody through `stream.follow`.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cortex.answering import _repository as repository
from cortex.answering.day import asked_on
from cortex.answering.quotes import REFUSAL, Quote, ScoredSentence, as_markdown, choose
from cortex.answering.scope import read_scope
from cortex.answering.stream import BEAT_SECONDS, Bell, EventLog
from cortex.answering.unread import Unread
from cortex.errors import CortexError, Invalid, NotFound
from cortex.logs import get
from cortex.retrieval.coverage import Coverage
from cortex.retrieval.folding import Folded, fold
from cortex.retrieval.legs import Question
from cortex.retrieval.results import Hit, SearchResult
from cortex.retrieval.scope import Scope, storable
from cortex.retrieval.search import Retriever
from cortex.settings import Settings
from cortex.storage import Database
from cortex.text.language import Lang, detect

_log = get(__name__)
_TITLE_CHARS = 80
_COPIES = 3
"""So many times as many hits as sources are looked at: a note may stand in several places, and copies are folded."""
_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class AskRequest:
    """A question as it was asked; `scope` is a scope string."""

    question: str
    scope: str = ""
    conversation_id: int | None = None
    language: Lang | None = None
    answer_with: Literal["auto", "quotes"] = "auto"
    tz: str | None = None
    """The asker's zone (IANA), by which "last week" counts; this machine's where none is given."""
    times: Literal["auto", "off"] = "auto"
    """Whether a time that the question names narrows the scope."""
    now: dt.datetime | None = None
    """Another moment than this one, with its zone; for evals."""


@dataclass
class Answerer:
    """Answers questions; holds the tasks that are answering in this process."""

    database: Database
    retriever: Retriever
    settings: Settings
    bell: Bell = field(default_factory=Bell)
    _tasks: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.unread = Unread(self.database)

    async def ask(self, owner_id: int, request: AskRequest) -> int:
        """Start an answer and return its id; its events are in `stream.follow`.

        Raises:
            Invalid: the question is empty or too long, the scope has an unknown term or source, or there is no such zone.
            NotFound: there is no such conversation.
        """
        question = request.question.strip()
        limit = self.settings.limits.question_chars
        if not question:
            raise Invalid("the question is empty; write one", field="question")
        if len(question) > limit:
            raise Invalid(f"the question has {len(question)} characters; {limit} are allowed", field="question")
        if not storable(question):
            raise Invalid("the question holds a character that no text can hold; take it out", field="question")
        scope = await read_scope(self.database, owner_id, request.scope)
        today = asked_on(request.tz, request.now)
        language = request.language or detect(question)
        async with self.database.transaction("ai", owner_id) as tx:
            conversation_id = request.conversation_id
            if conversation_id is None:
                conversation_id = await repository.new_conversation(tx, owner_id, question[:_TITLE_CHARS])
            elif not await repository.touch_conversation(tx, owner_id, conversation_id):
                raise NotFound(f"there is no conversation {conversation_id}", field="conversation_id")
            answer_id = await repository.new_answer(tx, owner_id, conversation_id, question, language, str(scope))
        turn = _Turn(self, owner_id, answer_id, conversation_id, question, scope, language,
                     today if request.times == "auto" else None)  # fmt: skip
        task = asyncio.create_task(turn.run(), name=f"answer-{answer_id}")
        self._tasks[answer_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(answer_id, None))
        return answer_id

    async def stop(self, owner_id: int, answer_id: int) -> None:
        """End an answer now; what came is kept. An answer that has ended stays as it is.

        Raises:
            NotFound: there is no such answer.
        """
        async with self.database.transaction("ai", owner_id) as tx:
            if await repository.answer(tx, owner_id, answer_id) is None:
                raise NotFound(f"there is no answer {answer_id}", field="answer_id")
        task = self._tasks.get(answer_id)
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """Let running answers end (a moment), then stop them."""
        tasks = list(self._tasks.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=5)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class _Turn:
    """The making of one answer."""

    answerer: Answerer
    owner_id: int
    answer_id: int
    conversation_id: int
    question: str
    scope: Scope
    language: Lang
    today: dt.date | None
    """The asker's day; None: times in the question are not read."""
    _text: str = ""
    _citations: list[dict[str, Any]] = field(default_factory=list)
    _refused: bool = False
    _unread: dict[str, Any] | None = None
    _timings: dict[str, float] = field(default_factory=dict)
    _started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self._log = EventLog(self.answerer.database, self.owner_id, self.answer_id, self.answerer.bell)

    async def run(self) -> None:
        beat = asyncio.create_task(self._beat())
        try:
            await self._answer()
            await self._finish("done")
        except asyncio.CancelledError:
            await self._finish("stopped")
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the reader is told and the row is closed
            await self._fail(error)
        finally:
            beat.cancel()
            with suppress(asyncio.CancelledError):
                await beat

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            async with self.answerer.database.transaction("ai", self.owner_id) as tx:
                await repository.beat(tx, self.owner_id, self.answer_id)

    async def _answer(self) -> None:
        limit = self.answerer.settings.answering.max_sources
        retriever = self.answerer.retriever
        asked = await retriever.narrowed(self.owner_id, self.question, self.scope, self.today)
        self.question, self.scope = asked.question, asked.scope
        found = await retriever.search(self.owner_id, self.question, self.scope, limit=limit * _COPIES)
        folded = fold(found.hits)[:limit]
        hits = [place.hit for place in folded]
        if asked.lists and found.hits:
            found = replace(found, coverage=Coverage("strong", 1.0))
        self._timings = dict(found.timings_ms)
        await self._show_sources(found, folded)
        # A note that was picked on purpose is always read; else the material must cover the question.
        covered = found.coverage.level != "none" or self.scope.picked_note is not None
        quotes = await self._quotes(found.asked, hits) if covered and found.asked and hits else []
        if not quotes:
            self._refused = True
            self._text = REFUSAL[self.language]
            await self._log.add("delta", {"text": self._text})
            self._unread = await self.answerer.unread.counts(self.owner_id)
            return
        for quote in quotes:
            await self._say(quote, hits[quote.n - 1])

    async def _show_sources(self, found: SearchResult, folded: Sequence[Folded]) -> None:
        sources = [source(n, place) for n, place in enumerate(folded, 1)]
        terms = [
            {"term": str(t), "label_en": t.label_en, "label_zh": t.label_zh, "inferred": t.inferred}
            for t in found.scope.terms
        ]
        label = found.coverage.level
        event = {
            "answer_id": self.answer_id, "conversation_id": self.conversation_id, "scope": str(found.scope), "scope_terms": terms,
            "coverage": label, "in_scope": found.in_scope, "read": len(sources), "sources": sources,
            "why": {"probability": round(found.coverage.probability, 3), "timings_ms": found.timings_ms},
        }  # fmt: skip
        async with self._log.writing("sources", event) as tx:
            await repository.save_sources(tx, self.owner_id, self.answer_id, sources, label, str(found.scope))

    async def _quotes(self, asked: Question, hits: list[Hit]) -> list[Quote]:
        started = time.perf_counter()
        scored = await self.answerer.retriever.sentences(self.owner_id, self.question, asked, hits)
        sentences = [ScoredSentence(s.hit + 1, s.start, s.end, s.text, s.score) for s in scored]
        self._timings["quotes"] = round((time.perf_counter() - started) * 1e3, 1)
        return choose(sentences)

    async def _say(self, quote: Quote, hit: Hit) -> None:
        i = len(self._citations) + 1
        piece = f"{'' if i == 1 else chr(10)}- {as_markdown(quote.text)} [{quote.n}]"
        self._text += piece
        citation = {"i": i, "n": quote.n, "quote": quote.text, "start": quote.start, "end": quote.end, "verified": True}
        self._citations.append({**citation, "document_id": hit.document_id, "version": hit.version})
        await self._log.add("delta", {"text": piece})
        await self._log.add("citation", citation)

    async def _finish(self, state: Literal["done", "stopped"]) -> None:
        self._timings["total"] = round((time.perf_counter() - self._started) * 1e3, 1)
        done: dict[str, Any] = {
            "answer_id": self.answer_id, "refused": self._refused, "cached": False, "language": self.language,
            "stopped": state == "stopped", "unread": self._unread,
            "usage": {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0},
            "sent": {"provider": None, "passages": 0, "hidden": {}}, "timings_ms": self._timings,
        }  # fmt: skip
        await self._close(state, "done", done)

    async def _fail(self, error: Exception) -> None:
        if isinstance(error, CortexError):
            told = {
                "type": _WORD_START.sub("_", type(error).__name__).lower(),
                "title": error.message,
                "detail": error.message,
            }
        else:
            _log.error("answer failed", answer_id=self.answer_id, error=type(error).__name__, exc_info=error)
            told = {
                "type": "internal",
                "title": "The answer failed",
                "detail": "Cortex made a mistake. Ask again; the log says more.",
            }
        await self._close("failed", "error", told)

    async def _close(self, state: str, event: str, data: dict[str, Any]) -> None:
        """The last event, the citations and the row's end, in one transaction."""
        async with self.answerer.database.transaction("ai", self.owner_id) as tx:
            await repository.share_texts(tx, self.owner_id)
            if await repository.finish(
                tx, self.owner_id, self.answer_id, state=state, text=self._text, refused=self._refused, done=data
            ):
                await repository.save_citations(tx, self.owner_id, self.answer_id, self._citations)
                await repository.append(tx, self.owner_id, self.answer_id, self._log.close(event, data))
                await repository.blank_deleted(tx, self.answer_id)
        self.answerer.bell.ring(self.answer_id)


def source(n: int, place: Folded) -> dict[str, Any]:
    """A hit as the contract shows it among an answer's sources; `also_in`: where the same text stands too."""
    hit = place.hit
    also_in = [
        {"document_id": o.document_id, "title": o.title, "url": o.url, "source": o.source} for o in place.also_in
    ]
    passage = {"text": hit.passage.text, "start": hit.passage.start, "end": hit.passage.end}
    return {"n": n, **hit_fields(hit), "source_name": hit.source, "also_in": also_in, "passage": passage}


def hit_fields(hit: Hit) -> dict[str, Any]:
    """What a list shows of a found document."""
    return {
        "document_id": hit.document_id, "title": hit.title, "url": hit.url, "open_url": hit.open_url, "source": hit.source,
        "kind": hit.kind, "lang": hit.lang, "date": hit.date.isoformat() if hit.date else None, "period": hit.period,
        "topic": hit.topic, "origin": hit.origin,
    }  # fmt: skip
