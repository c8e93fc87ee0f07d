"""Conversations: listed, opened, renamed, deleted; and single answers as they were given."""

from __future__ import annotations

from typing import Any

from cortex.answering import _repository as repository
from cortex.answering.stream import SILENT_SECONDS
from cortex.errors import Invalid, NotFound
from cortex.storage import Transaction

_TITLE_CHARS = 200


async def answer(tx: Transaction, owner_id: int, answer_id: int) -> dict[str, Any]:
    """The whole answer: question, text, sources, citations (with `changed`), state.

    Raises:
        NotFound: there is no such answer.
    """
    found = await repository.answer(tx, owner_id, answer_id)
    if found is None:
        raise NotFound(f"there is no answer {answer_id}", field="answer_id")
    if found["state"] == "running" and found.pop("silent_s") > SILENT_SECONDS:
        found["state"] = "interrupted"
    found.pop("silent_s", None)
    shown = found.pop("shown") or {}
    found.update({name: shown.get(name) for name in ("scope_terms", "in_scope", "read")})
    return {**found, "citations": await repository.citations(tx, owner_id, answer_id)}


async def recent(tx: Transaction, owner_id: int, *, before: int | None = None, limit: int = 50) -> list[dict[str, Any]]:
    """Conversations, the last used first; `before` is the last id of the page before."""
    return await repository.conversations(tx, owner_id, before, min(limit, 200))


async def get(tx: Transaction, owner_id: int, conversation_id: int) -> dict[str, Any]:
    """A conversation with its answers in order.

    Raises:
        NotFound: there is no such conversation.
    """
    found = await repository.conversation(tx, owner_id, conversation_id)
    if found is None:
        raise NotFound(f"there is no conversation {conversation_id}", field="conversation_id")
    ids = await repository.turns(tx, owner_id, conversation_id)
    return {**found, "answers": [await answer(tx, owner_id, answer_id) for answer_id in ids]}


async def rename(tx: Transaction, owner_id: int, conversation_id: int, title: str) -> None:
    """Give a conversation another title.

    Raises:
        Invalid: the title is empty or too long.
        NotFound: there is no such conversation.
    """
    title = " ".join(title.split())
    if not title or len(title) > _TITLE_CHARS:
        raise Invalid(f"a title has 1 to {_TITLE_CHARS} characters", field="title")
    if not await repository.rename(tx, owner_id, conversation_id, title):
        raise NotFound(f"there is no conversation {conversation_id}", field="conversation_id")


async def delete(tx: Transaction, owner_id: int, conversation_id: int) -> None:
    """Delete a conversation with its answers.

    Raises:
        NotFound: there is no such conversation.
    """
    if not await repository.delete(tx, owner_id, conversation_id):
        raise NotFound(f"there is no conversation {conversation_id}", field="conversation_id")
