"""How far the index is, and the switch that pauses its filling."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict

from cortex.indexing.status import pause, try_all_again
from cortex.web import sse
from cortex.web.current import Board, CurrentCortex, Owner, Stopping

router = APIRouter(prefix="/api", tags=["status"])


class Indexing(BaseModel):
    """The body of POST /api/indexing."""

    model_config = ConfigDict(extra="forbid")

    paused: bool


@router.get("/status")
async def status(board: Board, owner: Owner) -> dict[str, Any]:
    """Documents, passages, spaces with their fill and time to go, the queue, the worker."""
    return await board.now(owner)


@router.get("/status/stream", response_class=Response)
async def status_stream(board: Board, owner: Owner, stopping: Stopping) -> Response:
    """The status as events, whenever it changed."""
    return sse.response(board.follow(owner), stopping)


@router.post("/indexing")
async def indexing(cortex: CurrentCortex, board: Board, owner: Owner, wanted: Indexing) -> dict[str, Any]:
    """Pause the filling of spaces, or go on; what changes is made searchable all the same."""
    async with cortex.database.transaction("ai", owner) as tx:
        await pause(tx, owner, wanted.paused)
    board.forget(owner)
    return {"paused": wanted.paused}


@router.post("/indexing/retry", status_code=202)
async def retry(cortex: CurrentCortex, board: Board, owner: Owner) -> dict[str, int]:
    """Give all that failed new attempts: jobs, and notes that could not be indexed."""
    async with cortex.database.transaction("ai", owner) as tx:
        again = await try_all_again(tx, owner)
    board.forget(owner)
    return {"retried": again}
