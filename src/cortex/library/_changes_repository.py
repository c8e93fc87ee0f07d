"""SQL of the feed of changes, and of those that devices sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cortex.storage import Transaction

Row = dict[str, Any]

# Numbers are given in order, by whoever holds the feed's row, which is until the end of the transaction.
RECORD = """
    WITH entries AS (
        SELECT * FROM unnest(%(ids)s::bigint[], %(keys)s::text[], %(versions)s::int[]) WITH ORDINALITY AS e (id, key, version, n)
    ), feed AS (
        INSERT INTO library.feeds AS f (owner_id, last) VALUES (%(owner)s, %(count)s)
        ON CONFLICT (owner_id) DO UPDATE SET last = f.last + excluded.last RETURNING f.last
    )
    INSERT INTO library.changes (owner_id, seq, document_id, external_id, op, version)
    SELECT %(owner)s, feed.last - %(count)s + e.n, e.id, e.key, %(op)s, e.version FROM entries e, feed
"""

FEED = "SELECT feed::text AS feed, last FROM library.feeds WHERE owner_id = %(owner)s"

_AFTER = """
    SELECT c.seq, c.document_id AS id, c.external_id AS key, c.op, c.version, c.at, coalesce(d.size, 0) AS size
    FROM library.changes c LEFT JOIN library.documents d ON d.owner_id = c.owner_id AND d.id = c.document_id
    WHERE c.owner_id = %(owner)s AND c.seq > %(since)s {only} ORDER BY c.seq LIMIT %(limit)s
"""
AFTER = _AFTER.format(only="")

# Only the last change of each note: all that a device needs that has none of them yet.
LATEST_AFTER = _AFTER.format(
    only="""AND NOT EXISTS (SELECT FROM library.changes l WHERE l.owner_id = c.owner_id AND l.document_id = c.document_id
                                AND l.seq > c.seq)"""
)

# Waits for another request that is just applying the same change.
BEGIN = "INSERT INTO library.received (owner_id, change_id) VALUES (%(owner)s, %(change)s) ON CONFLICT DO NOTHING RETURNING true"

RECEIVED = """
    SELECT outcome, document_id, external_id AS key, copy_id FROM library.received
    WHERE owner_id = %(owner)s AND change_id = %(change)s
"""

CONCLUDE = """
    UPDATE library.received SET outcome = %(outcome)s, document_id = %(id)s, external_id = %(key)s, copy_id = %(copy)s
    WHERE owner_id = %(owner)s AND change_id = %(change)s
"""

FORGET_RECEIVED = """
    DELETE FROM library.received WHERE owner_id = %(owner)s AND at < now() - make_interval(days => %(days)s)
"""


async def record(tx: Transaction, owner_id: int, op: str, entries: Sequence[tuple[int, str, int]]) -> None:
    ids, keys, versions = ([entry[n] for entry in entries] for n in range(3))
    given = {"owner": owner_id, "op": op, "ids": ids, "keys": keys, "versions": versions, "count": len(entries)}
    await tx.execute(RECORD, given)


async def feed(tx: Transaction, owner_id: int) -> Row | None:
    return await (await tx.execute(FEED, {"owner": owner_id})).fetchone()


async def after(tx: Transaction, owner_id: int, since: int, limit: int, *, latest: bool) -> list[Row]:
    given = {"owner": owner_id, "since": since, "limit": limit}
    return await (await tx.execute(LATEST_AFTER if latest else AFTER, given)).fetchall()


async def begin(tx: Transaction, owner_id: int, change_id: str) -> Row | None:
    """None where the change is new, and noted now; else what came of it before."""
    given = {"owner": owner_id, "change": change_id}
    if await (await tx.execute(BEGIN, given)).fetchone():
        return None
    return await (await tx.execute(RECEIVED, given)).fetchone()


async def conclude(
    tx: Transaction, owner_id: int, change_id: str, outcome: str, note_id: int | None, key: str, copy_id: int | None
) -> None:
    given = {"owner": owner_id, "change": change_id, "outcome": outcome, "id": note_id, "key": key, "copy": copy_id}
    await tx.execute(CONCLUDE, given)


async def forget_received(tx: Transaction, owner_id: int, days: int) -> int:
    return (await tx.execute(FORGET_RECEIVED, {"owner": owner_id, "days": days})).rowcount
