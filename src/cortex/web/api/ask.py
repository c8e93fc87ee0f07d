"""Asking, and answers: start, follow, come back, read, stop."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, field_validator

from cortex.answering import conversations, stream
from cortex.answering.answer import AskRequest
from cortex.web import sse
from cortex.web.current import CurrentCortex, LastEvent, Owner, Stopping
from cortex.web.values import Id

router = APIRouter(prefix="/api", tags=["ask"])


class Question(BaseModel):
    """The body of POST /api/ask."""

    model_config = ConfigDict(extra="forbid")

    question: str
    scope: str = ""
    conversation_id: Annotated[int, Field(ge=1, lt=2**63)] | None = None
    language: Literal["en", "zh"] | None = None
    answer_with: Literal["auto", "quotes"] = "auto"
    tz: str | None = Field(default=None, max_length=64)
    times: Literal["auto", "off"] = "auto"
    read: Literal["top", "all"] = "top"
    fresh: bool = False
    web: bool = False
    agent: bool = False

    @field_validator("web", "agent")
    @classmethod
    def _not_yet(cls, wanted: bool) -> bool:
        if wanted:
            raise ValueError("this version cannot do that; leave it out")
        return wanted

    def request(self) -> AskRequest:
        return AskRequest(
            self.question, self.scope, self.conversation_id, self.language, self.answer_with, self.tz, self.times
        )


@router.post("/ask", response_class=Response)
async def ask(cortex: CurrentCortex, owner: Owner, stopping: Stopping, question: Question) -> Response:
    """Ask; the answer comes as a stream of events (text/event-stream)."""
    answer_id = await cortex.answerer.ask(owner, question.request())
    events = stream.follow(cortex.database, owner, answer_id, bell=cortex.answerer.bell)
    return sse.response(events, stopping)


@router.get("/answers/{answer_id}")
async def answer(cortex: CurrentCortex, owner: Owner, answer_id: Id) -> dict[str, Any]:
    """The whole answer as far as it is."""
    async with cortex.database.transaction("app", owner) as tx:
        return await conversations.answer(tx, owner, answer_id)


@router.get("/answers/{answer_id}/stream", response_class=Response)
async def answer_stream(
    cortex: CurrentCortex, owner: Owner, stopping: Stopping, after: LastEvent, answer_id: Id
) -> Response:
    """The answer's events after Last-Event-ID, then those to come."""
    async with cortex.database.transaction("app", owner) as tx:
        await conversations.answer(tx, owner, answer_id)
    events = stream.follow(cortex.database, owner, answer_id, after=after, bell=cortex.answerer.bell)
    return sse.response(events, stopping)


@router.post("/answers/{answer_id}/stop", status_code=204)
async def stop(cortex: CurrentCortex, owner: Owner, answer_id: Id) -> None:
    """End the answer now; what came is kept."""
    await cortex.answerer.stop(owner, answer_id)
