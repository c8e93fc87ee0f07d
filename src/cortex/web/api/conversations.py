"""Conversations: listed, opened, renamed, deleted."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from cortex.answering import conversations
from cortex.web.current import CurrentCortex, Owner
from cortex.web.values import Id, Limit

router = APIRouter(prefix="/api", tags=["conversations"])


class Renaming(BaseModel):
    """The body of PATCH /api/conversations/{id}."""

    model_config = ConfigDict(extra="forbid")

    title: str


@router.get("/conversations")
async def recent(
    cortex: CurrentCortex,
    owner: Owner,
    before: Annotated[int | None, Query(ge=1, lt=2**63)] = None,
    limit: Limit = 50,
) -> dict[str, Any]:
    """Conversations, the last used first; `before` is the last id of the page before."""
    async with cortex.database.transaction("app", owner) as tx:
        return {"conversations": await conversations.recent(tx, owner, before=before, limit=limit)}


@router.get("/conversations/{conversation_id}")
async def conversation(cortex: CurrentCortex, owner: Owner, conversation_id: Id) -> dict[str, Any]:
    """A conversation with its answers in order."""
    async with cortex.database.transaction("app", owner) as tx:
        return await conversations.get(tx, owner, conversation_id)


@router.patch("/conversations/{conversation_id}", status_code=204)
async def rename(cortex: CurrentCortex, owner: Owner, conversation_id: Id, renaming: Renaming) -> None:
    """Give a conversation another title."""
    async with cortex.database.transaction("app", owner) as tx:
        await conversations.rename(tx, owner, conversation_id, renaming.title)


@router.delete("/conversations/{conversation_id}", status_code=204)
async def delete(cortex: CurrentCortex, owner: Owner, conversation_id: Id) -> None:
    """Delete a conversation with its answers."""
    async with cortex.database.transaction("app", owner) as tx:
        await conversations.delete(tx, owner, conversation_id)
