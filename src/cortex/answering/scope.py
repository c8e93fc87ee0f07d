"""The scope that a person wrote, checked against what the notebook holds."""

from __future__ import annotations

from cortex.library import scopes
from cortex.retrieval.scope import Scope, parse
from cortex.storage import Database


async def read_scope(database: Database, owner_id: int, text: str) -> Scope:
    """The terms of a scope string.

    Raises:
        Invalid: a term is unknown or malformed, or there is no such source; the message lists what there is.
    """
    scope = parse(text)
    named = [term.name for term in scope.terms if term.kind == "source"]
    if named:
        async with database.transaction("app", owner_id) as tx:
            await scopes.check_sources(tx, owner_id, named)
    return scope
