"""Search without an answer, and what a scope can be."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query

from cortex.answering.scope import read_scope
from cortex.errors import Invalid
from cortex.library import scopes
from cortex.web.current import CurrentCortex, Owner
from cortex.web.shapes import search_fields
from cortex.web.values import Limit

router = APIRouter(prefix="/api", tags=["search"])


@router.get("/search")
async def search(
    cortex: CurrentCortex, owner: Owner, q: str, scope: str = "", limit: Limit = 20, legs: Literal["", "all"] = ""
) -> dict[str, Any]:
    """The documents that answer `q`, best first, one passage of each; `legs=all` adds every leg's own list."""
    longest = cortex.settings.limits.question_chars
    if not q.strip() or len(q) > longest or "\0" in q:
        raise Invalid(f"q must hold 1 to {longest} characters", field="q")
    read = await read_scope(cortex.database, owner, scope)
    found = await cortex.retriever.search(owner, q.strip(), read, limit=limit, list_legs=legs == "all")
    return search_fields(found)


@router.get("/scopes")
async def offered_scopes(
    cortex: CurrentCortex, owner: Owner, q: Annotated[str, Query(max_length=200)] = ""
) -> dict[str, Any]:
    """The periods, topics, sources and tags that there are, with counts; `q` narrows long lists."""
    async with cortex.database.transaction("app", owner) as tx:
        return asdict(await scopes.offer(tx, owner, q.replace("\0", "")))
