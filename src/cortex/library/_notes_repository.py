"""SQL of notes: written, listed, put into the trash and taken out again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg.types.json import Jsonb

from cortex.storage import Transaction

Row = dict[str, Any]

# A note without its text. `copies`: the notes that hold the other version, where two edits could not be merged.
COLUMNS = """
    d.id, d.external_id AS key, d.title, d.titled, d.lang, d.kind, d.date, d.period, d.topic, d.origin, d.version,
    d.created_at, d.updated_at, d.trashed_at, d.url, d.size, d.conflict_of,
    ARRAY (SELECT tag FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id ORDER BY tag) AS tags,
    ARRAY (SELECT c.id FROM library.documents c WHERE c.owner_id = d.owner_id AND c.conflict_of = d.external_id
             AND c.source = 'notes' AND c.trashed_at IS NULL ORDER BY c.id) AS copies
"""

_MINE = "d.owner_id = %(owner)s AND d.source = 'notes'"

NOTE = f"SELECT {COLUMNS}, d.text AS body FROM library.documents d WHERE {_MINE} AND d.id = %(id)s"
NOTE_BY_KEY = f"SELECT {COLUMNS}, d.text AS body FROM library.documents d WHERE {_MINE} AND d.external_id = %(key)s"
NOTES = f"SELECT {COLUMNS}, d.text AS body FROM library.documents d WHERE {_MINE} AND d.id = ANY (%(ids)s)"

# What a save is weighed against; the row stays locked, so two saves of one note come one after the other.
LOCK = f"""
    SELECT d.id, d.version, d.title, d.titled, d.content_hash, d.kind, d.date, d.topic, d.trashed_at,
           ARRAY (SELECT tag FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id ORDER BY tag) AS tags
    FROM library.documents d WHERE {_MINE} AND d.id = %(id)s FOR UPDATE
"""

LOCK_KEY = f"SELECT d.id FROM library.documents d WHERE {_MINE} AND d.external_id = %(key)s FOR UPDATE"

# The note of a day or a week, under whatever key it was written.
OF_DAY = f"""
    SELECT d.external_id AS key FROM library.documents d
    WHERE {_MINE} AND d.trashed_at IS NULL AND d.date = %(date)s AND d.kind = %(kind)s AND d.title = %(title)s ORDER BY d.id LIMIT 1
"""

# The address holds the id. The source of an owner's own notes is there from the first note on.
INSERT = f"""
    WITH source AS (
        INSERT INTO library.sources (owner_id, name, type) VALUES (%(owner)s, 'notes', 'notes') ON CONFLICT DO NOTHING
    ), new AS (SELECT nextval('library.documents_id_seq') AS id)
    INSERT INTO library.documents AS d (owner_id, id, source, external_id, title, titled, text, lang, kind, date, period, topic,
                                        url, origin, metadata, conflict_of, content_hash, size)
    SELECT %(owner)s, new.id, 'notes', %(key)s, %(title)s, %(titled)s, %(text)s, %(lang)s, %(kind)s, %(date)s, %(period)s,
           %(topic)s, '/notes/' || new.id, %(origin)s, %(metadata)s, %(conflict_of)s, %(content_hash)s, %(size)s FROM new
    ON CONFLICT (owner_id, source, external_id) DO NOTHING
    RETURNING {COLUMNS}
"""

# A save that follows the last one within a sitting replaces it. Else the note as it was is kept as a revision first, and so it is
# where a save throws away more than half, or comes from elsewhere (`apart`).
UPDATE = f"""
    WITH before AS (
        INSERT INTO library.revisions (owner_id, document_id, version, at, title, titled, text, lang, kind, date, topic, tags,
                                       origin, size)
        SELECT d.owner_id, d.id, d.version, d.updated_at, d.title, d.titled, d.text, d.lang, d.kind, d.date, d.topic,
               ARRAY (SELECT tag FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id ORDER BY tag),
               d.origin, d.size
        FROM library.documents d
        WHERE {_MINE} AND d.id = %(id)s
          AND (%(apart)s OR d.updated_at < now() - make_interval(secs => %(sitting_s)s) OR (d.size > 200 AND %(size)s * 2 < d.size))
        ON CONFLICT DO NOTHING RETURNING version
    )
    UPDATE library.documents d
    SET version = d.version + 1, updated_at = now(), title = %(title)s, titled = %(titled)s, text = %(text)s, lang = %(lang)s,
        kind = %(kind)s, date = %(date)s, period = %(period)s, topic = %(topic)s, content_hash = %(content_hash)s, size = %(size)s
    WHERE {_MINE} AND d.id = %(id)s
    RETURNING {COLUMNS}, EXISTS (SELECT FROM before) AS kept_before
"""

# Tags and links are exactly these afterwards; what stays is not touched.
REPLACE_NAMES = """
    WITH tags_gone AS (
        DELETE FROM library.tags WHERE owner_id = %(owner)s AND document_id = %(id)s AND tag <> ALL (%(tags)s::text[])
    ), links_gone AS (
        DELETE FROM library.links WHERE owner_id = %(owner)s AND document_id = %(id)s AND target <> ALL (%(links)s::text[])
    ), tags_new AS (
        INSERT INTO library.tags (owner_id, document_id, tag) SELECT %(owner)s, %(id)s, unnest(%(tags)s::text[])
        ON CONFLICT DO NOTHING
    )
    INSERT INTO library.links (owner_id, document_id, target) SELECT %(owner)s, %(id)s, unnest(%(links)s::text[])
    ON CONFLICT DO NOTHING
"""

TRASH = f"""
    UPDATE library.documents d SET trashed_at = now() WHERE {_MINE} AND d.id = %(id)s AND d.trashed_at IS NULL
    RETURNING d.external_id AS key, d.version
"""

RESTORE = f"""
    UPDATE library.documents d SET trashed_at = NULL WHERE {_MINE} AND d.id = %(id)s AND d.trashed_at IS NOT NULL
    RETURNING d.external_id AS key, d.version
"""

_LISTED = f"SELECT {COLUMNS}, left(d.text, %(beginning)s) AS body FROM library.documents d WHERE {_MINE} AND "
_COUNTED = f"SELECT count(*) AS n FROM library.documents d WHERE {_MINE} AND "
_CONDITIONS = {
    "among": "d.id = ANY (%(among)s)",
    "kind": "d.kind = %(kind)s",
    "topic": "lower(d.topic) = lower(%(topic)s)",
    "tag": "EXISTS (SELECT FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id AND lower(t.tag) = lower(%(tag)s))",
}


async def note(tx: Transaction, owner_id: int, note_id: int) -> Row | None:
    return await (await tx.execute(NOTE, {"owner": owner_id, "id": note_id})).fetchone()


async def note_by_key(tx: Transaction, owner_id: int, key: str) -> Row | None:
    return await (await tx.execute(NOTE_BY_KEY, {"owner": owner_id, "key": key})).fetchone()


async def lock_key(tx: Transaction, owner_id: int, key: str) -> int | None:
    row = await (await tx.execute(LOCK_KEY, {"owner": owner_id, "key": key})).fetchone()
    return row["id"] if row else None


async def of_day(tx: Transaction, owner_id: int, date: Any, kind: str, title: str) -> str | None:
    given = {"owner": owner_id, "date": date, "kind": kind, "title": title}
    row = await (await tx.execute(OF_DAY, given)).fetchone()
    return row["key"] if row else None


async def notes(tx: Transaction, owner_id: int, ids: Sequence[int]) -> list[Row]:
    return await (await tx.execute(NOTES, {"owner": owner_id, "ids": list(ids)})).fetchall()


async def lock(tx: Transaction, owner_id: int, note_id: int) -> Row | None:
    return await (await tx.execute(LOCK, {"owner": owner_id, "id": note_id})).fetchone()


async def insert(tx: Transaction, owner_id: int, values: Mapping[str, Any]) -> Row | None:
    given = {**values, "owner": owner_id, "metadata": Jsonb(values["metadata"])}
    return await (await tx.execute(INSERT, given)).fetchone()


async def update(
    tx: Transaction, owner_id: int, note_id: int, values: Mapping[str, Any], *, sitting_s: float, apart: bool
) -> Row:
    given = {**values, "owner": owner_id, "id": note_id, "sitting_s": sitting_s, "apart": apart}
    row = await (await tx.execute(UPDATE, given)).fetchone()
    assert row is not None
    return row


async def replace_names(
    tx: Transaction, owner_id: int, note_id: int, tags: Sequence[str], links: Sequence[str]
) -> None:
    given = {"owner": owner_id, "id": note_id, "tags": list(tags), "links": list(links)}
    await tx.execute(REPLACE_NAMES, given)


async def trash(tx: Transaction, owner_id: int, note_id: int) -> Row | None:
    return await (await tx.execute(TRASH, {"owner": owner_id, "id": note_id})).fetchone()


async def restore(tx: Transaction, owner_id: int, note_id: int) -> Row | None:
    return await (await tx.execute(RESTORE, {"owner": owner_id, "id": note_id})).fetchone()


async def listed(
    tx: Transaction, owner_id: int, only: Mapping[str, Any], *, trash: bool, after: tuple[Any, int] | None, limit: int,
    beginning: int,
) -> list[Row]:  # fmt: skip
    """Notes in order, with the `beginning` of their text; `after` is the (time, id) of the last one of the page before."""
    time = "d.trashed_at" if trash else "d.updated_at"
    where = _where(only, trash) + (f" AND ({time}, d.id) < (%(at)s, %(last)s)" if after else "")
    at, last = after or (None, None)
    given = {**only, "owner": owner_id, "limit": limit, "beginning": beginning, "at": at, "last": last}
    ordered = f"{_LISTED}{where} ORDER BY {time} DESC, d.id DESC LIMIT %(limit)s"
    return await (await tx.execute(ordered.encode(), given)).fetchall()


async def counted(tx: Transaction, owner_id: int, only: Mapping[str, Any], *, trash: bool) -> int:
    row = await (await tx.execute((_COUNTED + _where(only, trash)).encode(), {**only, "owner": owner_id})).fetchone()
    return int(row["n"]) if row else 0


def _where(only: Mapping[str, Any], trash: bool) -> str:
    state = "d.trashed_at IS NOT NULL" if trash else "d.trashed_at IS NULL"
    return " AND ".join([state, *(_CONDITIONS[name] for name in only)])
