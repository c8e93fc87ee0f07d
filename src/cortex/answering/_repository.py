"""SQL of conversations, answers, their events and citations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg.types.json import Jsonb

from cortex.storage import Transaction

NEW_CONVERSATION = "INSERT INTO ai.conversations (owner_id, title) VALUES (%(owner)s, %(title)s) RETURNING id"

TOUCH_CONVERSATION = (
    "UPDATE ai.conversations SET updated_at = now() WHERE owner_id = %(owner)s AND id = %(id)s RETURNING id"
)

NEW_ANSWER = """
    INSERT INTO ai.answers (owner_id, conversation_id, question, language, scope)
    VALUES (%(owner)s, %(conversation)s, %(question)s, %(language)s, %(scope)s) RETURNING id
"""

APPEND_EVENT = """
    INSERT INTO ai.answer_events (owner_id, answer_id, n, event, data) VALUES (%(owner)s, %(answer)s, %(n)s, %(event)s, %(data)s)
    ON CONFLICT DO NOTHING
"""

BEAT = "UPDATE ai.answers SET heartbeat_at = now() WHERE owner_id = %(owner)s AND id = %(answer)s"

SAVE_SOURCES = """
    UPDATE ai.answers SET sources = %(sources)s, coverage = %(coverage)s, scope = %(scope)s
    WHERE owner_id = %(owner)s AND id = %(answer)s
"""

# An answer ends once: a stop and the natural end may meet.
FINISH = """
    UPDATE ai.answers SET state = %(state)s, text = %(text)s, refused = %(refused)s, done = %(done)s, heartbeat_at = now()
    WHERE owner_id = %(owner)s AND id = %(answer)s AND state = 'running' RETURNING id
"""

# A note may be deleted for good while an answer quotes it: whichever comes second finds what the other did.
SHARE_TEXTS = "SELECT pg_advisory_xact_lock_shared(ai.lock_of_texts(%(owner)s))"
BLANK_DELETED = "SELECT ai.blank_deleted(%(answer)s)"

SAVE_CITATION = """
    INSERT INTO ai.citations (owner_id, answer_id, i, n, document_id, version, quote, start_at, end_at, verified)
    VALUES (%(owner)s, %(answer)s, %(i)s, %(n)s, %(document_id)s, %(version)s, %(quote)s, %(start)s, %(end)s, %(verified)s)
"""

EVENTS_AFTER = """
    SELECT n, event, data FROM ai.answer_events
    WHERE owner_id = %(owner)s AND answer_id = %(answer)s AND n > %(after)s ORDER BY n LIMIT 500
"""

ANSWER = """
    SELECT a.id AS answer_id, a.conversation_id, a.question, a.language, a.scope, a.state, a.text, a.refused, a.coverage, a.sources,
           (SELECT e.data FROM ai.answer_events e WHERE e.owner_id = a.owner_id AND e.answer_id = a.id AND e.event = 'sources' LIMIT 1)
           AS shown, a.done, a.created_at, extract(epoch FROM clock_timestamp() - a.heartbeat_at)::float AS silent_s
    FROM ai.answers a WHERE a.owner_id = %(owner)s AND a.id = %(answer)s
"""

# `changed`: the cited document is another version now, or gone.
CITATIONS = """
    SELECT c.i, c.n, c.document_id, c.quote, c.start_at AS start, c.end_at AS "end", c.verified,
           d.version IS DISTINCT FROM c.version AS changed
    FROM ai.citations c LEFT JOIN library.documents d ON d.owner_id = c.owner_id AND d.id = c.document_id AND d.trashed_at IS NULL
    WHERE c.owner_id = %(owner)s AND c.answer_id = %(answer)s ORDER BY c.i
"""

CONVERSATIONS = """
    SELECT id AS conversation_id, title, created_at, updated_at FROM ai.conversations WHERE owner_id = %(owner)s
      AND (%(before)s::bigint IS NULL OR (updated_at, id) < (SELECT updated_at, id FROM ai.conversations
                                                             WHERE owner_id = %(owner)s AND id = %(before)s))
    ORDER BY updated_at DESC, id DESC LIMIT %(limit)s
"""

CONVERSATION = """
    SELECT id AS conversation_id, title, created_at, updated_at FROM ai.conversations WHERE owner_id = %(owner)s AND id = %(id)s
"""

TURNS = "SELECT id FROM ai.answers WHERE owner_id = %(owner)s AND conversation_id = %(id)s ORDER BY id"

RENAME = "UPDATE ai.conversations SET title = %(title)s WHERE owner_id = %(owner)s AND id = %(id)s RETURNING id"

DELETE = "DELETE FROM ai.conversations WHERE owner_id = %(owner)s AND id = %(id)s RETURNING id"


async def _one(tx: Transaction, statement: str, **values: Any) -> dict[str, Any] | None:
    return await (await tx.execute(statement, values)).fetchone()


async def _all(tx: Transaction, statement: str, **values: Any) -> list[dict[str, Any]]:
    return await (await tx.execute(statement, values)).fetchall()


async def new_conversation(tx: Transaction, owner_id: int, title: str) -> int:
    row = await _one(tx, NEW_CONVERSATION, owner=owner_id, title=title)
    assert row is not None
    return int(row["id"])


async def touch_conversation(tx: Transaction, owner_id: int, conversation_id: int) -> bool:
    return await _one(tx, TOUCH_CONVERSATION, owner=owner_id, id=conversation_id) is not None


async def new_answer(
    tx: Transaction, owner_id: int, conversation_id: int, question: str, language: str, scope: str
) -> int:
    row = await _one(
        tx, NEW_ANSWER, owner=owner_id, conversation=conversation_id, question=question, language=language, scope=scope
    )
    assert row is not None
    return int(row["id"])


async def append(
    tx: Transaction, owner_id: int, answer_id: int, events: Sequence[tuple[int, str, dict[str, Any]]]
) -> None:
    rows = [
        {"owner": owner_id, "answer": answer_id, "n": n, "event": event, "data": Jsonb(data)}
        for n, event, data in events
    ]
    async with tx.cursor() as cursor:
        await cursor.executemany(APPEND_EVENT, rows)
    await beat(tx, owner_id, answer_id)


async def beat(tx: Transaction, owner_id: int, answer_id: int) -> None:
    await tx.execute(BEAT, {"owner": owner_id, "answer": answer_id})


async def save_sources(
    tx: Transaction, owner_id: int, answer_id: int, sources: list[dict[str, Any]], coverage: str, scope: str
) -> None:
    values = {"owner": owner_id, "answer": answer_id, "sources": Jsonb(sources), "coverage": coverage, "scope": scope}
    await tx.execute(SAVE_SOURCES, values)


async def finish(
    tx: Transaction, owner_id: int, answer_id: int, *, state: str, text: str, refused: bool, done: dict[str, Any]
) -> bool:
    values = {
        "owner": owner_id,
        "answer": answer_id,
        "state": state,
        "text": text,
        "refused": refused,
        "done": Jsonb(done),
    }
    return await (await tx.execute(FINISH, values)).fetchone() is not None


async def share_texts(tx: Transaction, owner_id: int) -> None:
    """Hold off deletions for good; the transaction's first statement."""
    await tx.execute(SHARE_TEXTS, {"owner": owner_id})


async def blank_deleted(tx: Transaction, answer_id: int) -> None:
    """Take out of the answer what notes said that were deleted for good while it was made."""
    await tx.execute(BLANK_DELETED, {"answer": answer_id})


async def save_citations(tx: Transaction, owner_id: int, answer_id: int, citations: Sequence[dict[str, Any]]) -> None:
    async with tx.cursor() as cursor:
        await cursor.executemany(SAVE_CITATION, [{"owner": owner_id, "answer": answer_id, **c} for c in citations])


async def events_after(tx: Transaction, owner_id: int, answer_id: int, after: int) -> list[dict[str, Any]]:
    return await _all(tx, EVENTS_AFTER, owner=owner_id, answer=answer_id, after=after)


async def answer(tx: Transaction, owner_id: int, answer_id: int) -> dict[str, Any] | None:
    return await _one(tx, ANSWER, owner=owner_id, answer=answer_id)


async def citations(tx: Transaction, owner_id: int, answer_id: int) -> list[dict[str, Any]]:
    return await _all(tx, CITATIONS, owner=owner_id, answer=answer_id)


async def conversations(tx: Transaction, owner_id: int, before: int | None, limit: int) -> list[dict[str, Any]]:
    return await _all(tx, CONVERSATIONS, owner=owner_id, before=before, limit=limit)


async def conversation(tx: Transaction, owner_id: int, conversation_id: int) -> dict[str, Any] | None:
    return await _one(tx, CONVERSATION, owner=owner_id, id=conversation_id)


async def turns(tx: Transaction, owner_id: int, conversation_id: int) -> list[int]:
    return [row["id"] for row in await _all(tx, TURNS, owner=owner_id, id=conversation_id)]


async def rename(tx: Transaction, owner_id: int, conversation_id: int, title: str) -> bool:
    return await _one(tx, RENAME, owner=owner_id, id=conversation_id, title=title) is not None


async def delete(tx: Transaction, owner_id: int, conversation_id: int) -> bool:
    return await _one(tx, DELETE, owner=owner_id, id=conversation_id) is not None
