"""SQL of sources and of the documents that mirror them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg.types.json import Jsonb

from cortex.storage import Transaction

Row = dict[str, Any]

LIST_SOURCE = """
    INSERT INTO library.sources (owner_id, name, type)
    SELECT %(owner)s, name, type FROM unnest(%(names)s::text[], %(types)s::text[]) AS listed (name, type)
    ON CONFLICT (owner_id, name) DO UPDATE SET type = excluded.type, listed = true, unlisted_at = NULL
    WHERE NOT sources.listed OR sources.type <> excluded.type
"""

# Cortex's own notes and the sample stand in no configuration.
UNLIST_SOURCES = """
    UPDATE library.sources SET listed = false, unlisted_at = now()
    WHERE owner_id = %(owner)s AND listed AND type NOT IN ('notes', 'sample') AND name <> ALL (%(names)s::text[])
"""

# Their documents go with them. The sample's row stays: it says that the person removed the sample.
DELETE_LONG_UNLISTED = """
    DELETE FROM library.sources
    WHERE owner_id = %(owner)s AND NOT listed AND type NOT IN ('notes', 'sample')
      AND unlisted_at < now() - make_interval(days => %(days)s)
"""

SOURCES = """
    SELECT s.name, s.type, s.listed, s.unlisted_at, s.synced_at, s.report,
           (SELECT count(*) FROM library.documents d WHERE d.owner_id = s.owner_id AND d.source = s.name) AS documents
    FROM library.sources s WHERE s.owner_id = %(owner)s ORDER BY s.name
"""

INVENTORY = """
    SELECT external_id, id, version, size, mtime_ns, content_hash, date IS NOT NULL OR period IS NOT NULL AS dated
    FROM library.documents WHERE owner_id = %(owner)s AND source = %(source)s
"""

# Only what a person can see or search counts as a change: a touched file, or CRLF that became LF, is none.
UPSERT = """
    INSERT INTO library.documents AS d (owner_id, source, external_id, title, text, lang, kind, date, period, topic,
                                        url, open_url, metadata, content_hash, size, mtime_ns)
    VALUES (%(owner)s, %(source)s, %(external_id)s, %(title)s, %(text)s, %(lang)s, %(kind)s, %(date)s, %(period)s, %(topic)s,
            %(url)s, %(open_url)s, %(metadata)s, %(content_hash)s, %(size)s, %(mtime_ns)s)
    ON CONFLICT (owner_id, source, external_id) DO UPDATE
    SET version = d.version + 1, updated_at = now(), title = excluded.title, text = excluded.text, lang = excluded.lang,
        kind = excluded.kind, date = excluded.date, period = excluded.period, topic = excluded.topic, url = excluded.url,
        open_url = excluded.open_url, metadata = excluded.metadata, content_hash = excluded.content_hash,
        size = excluded.size, mtime_ns = excluded.mtime_ns
    WHERE (d.title, d.text, d.lang, d.kind, d.date, d.period, d.topic, d.url, d.open_url, d.metadata)
          IS DISTINCT FROM (excluded.title, excluded.text, excluded.lang, excluded.kind, excluded.date, excluded.period,
                            excluded.topic, excluded.url, excluded.open_url, excluded.metadata)
    RETURNING id, external_id, version
"""

TOUCH = """
    UPDATE library.documents d SET size = t.size, mtime_ns = t.mtime_ns, content_hash = t.content_hash
    FROM unnest(%(ids)s::text[], %(sizes)s::bigint[], %(mtimes)s::bigint[], %(hashes)s::bytea[])
         AS t (external_id, size, mtime_ns, content_hash)
    WHERE d.owner_id = %(owner)s AND d.source = %(source)s AND d.external_id = t.external_id
"""

MOVE = """
    UPDATE library.documents SET external_id = %(new)s
    WHERE owner_id = %(owner)s AND source = %(source)s AND external_id = %(old)s
"""

REMOVE = """
    DELETE FROM library.documents WHERE owner_id = %(owner)s AND source = %(source)s AND external_id = ANY (%(ids)s::text[])
"""

FORGET_TAGS = "DELETE FROM library.tags WHERE owner_id = %(owner)s AND document_id = ANY (%(ids)s::bigint[])"
FORGET_LINKS = "DELETE FROM library.links WHERE owner_id = %(owner)s AND document_id = ANY (%(ids)s::bigint[])"
ADD_TAGS = """
    INSERT INTO library.tags (owner_id, document_id, tag)
    SELECT %(owner)s, * FROM unnest(%(ids)s::bigint[], %(names)s::text[]) ON CONFLICT DO NOTHING
"""
ADD_LINKS = """
    INSERT INTO library.links (owner_id, document_id, target)
    SELECT %(owner)s, * FROM unnest(%(ids)s::bigint[], %(names)s::text[]) ON CONFLICT DO NOTHING
"""

RECORD_RUN = """
    UPDATE library.sources SET report = %(report)s, synced_at = CASE WHEN %(complete)s THEN now() ELSE synced_at END
    WHERE owner_id = %(owner)s AND name = %(source)s
"""

ADD_SAMPLE = """
    INSERT INTO library.sources (owner_id, name, type)
    SELECT %(owner)s, 'sample', 'sample'
    WHERE NOT EXISTS (SELECT FROM library.documents WHERE owner_id = %(owner)s)
    ON CONFLICT DO NOTHING
"""
REMOVE_SAMPLE = """
    INSERT INTO library.sources (owner_id, name, type, listed, unlisted_at) VALUES (%(owner)s, 'sample', 'sample', false, now())
    ON CONFLICT (owner_id, name) DO UPDATE SET listed = false, unlisted_at = now()
"""


async def list_sources(
    tx: Transaction, owner_id: int, names: Sequence[str], types: Sequence[str], kept_days: int
) -> None:
    given = {"owner": owner_id, "names": list(names), "types": list(types), "days": kept_days}
    await tx.execute(UNLIST_SOURCES, given)
    await tx.execute(LIST_SOURCE, given)
    await tx.execute(DELETE_LONG_UNLISTED, given)


async def sources(tx: Transaction, owner_id: int) -> list[Row]:
    return await (await tx.execute(SOURCES, {"owner": owner_id})).fetchall()


async def inventory(tx: Transaction, owner_id: int, source: str) -> list[Row]:
    return await (await tx.execute(INVENTORY, {"owner": owner_id, "source": source})).fetchall()


async def upsert(tx: Transaction, owner_id: int, source: str, values: Mapping[str, Any]) -> Row | None:
    given = {**values, "owner": owner_id, "source": source, "metadata": Jsonb(values["metadata"])}
    return await (await tx.execute(UPSERT, given)).fetchone()


async def move(tx: Transaction, owner_id: int, source: str, old: str, new: str) -> None:
    await tx.execute(MOVE, {"owner": owner_id, "source": source, "old": old, "new": new})


async def touch(tx: Transaction, owner_id: int, source: str, stats: Sequence[tuple[str, int, int, bytes]]) -> None:
    ids, sizes, mtimes, hashes = ([stat[n] for stat in stats] for n in range(4))
    given = {"owner": owner_id, "source": source, "ids": ids, "sizes": sizes, "mtimes": mtimes, "hashes": hashes}
    await tx.execute(TOUCH, given)


async def remove(tx: Transaction, owner_id: int, source: str, external_ids: Sequence[str]) -> int:
    return (await tx.execute(REMOVE, {"owner": owner_id, "source": source, "ids": list(external_ids)})).rowcount


async def replace_names(
    tx: Transaction,
    owner_id: int,
    ids: Sequence[int],
    tags: Sequence[tuple[int, str]],
    links: Sequence[tuple[int, str]],
) -> None:
    """Tags and links of these documents are exactly these afterwards."""
    await tx.execute(FORGET_TAGS, {"owner": owner_id, "ids": list(ids)})
    await tx.execute(FORGET_LINKS, {"owner": owner_id, "ids": list(ids)})
    for statement, pairs in ((ADD_TAGS, tags), (ADD_LINKS, links)):
        if pairs:
            given = {"owner": owner_id, "ids": [pair[0] for pair in pairs], "names": [pair[1] for pair in pairs]}
            await tx.execute(statement, given)


async def record_run(tx: Transaction, owner_id: int, source: str, report: Mapping[str, Any], *, complete: bool) -> None:
    given = {"owner": owner_id, "source": source, "report": Jsonb(dict(report)), "complete": complete}
    await tx.execute(RECORD_RUN, given)


async def add_sample(tx: Transaction, owner_id: int) -> bool:
    return (await tx.execute(ADD_SAMPLE, {"owner": owner_id})).rowcount > 0


async def remove_sample(tx: Transaction, owner_id: int) -> None:
    await tx.execute(REMOVE_SAMPLE, {"owner": owner_id})


async def external_ids(tx: Transaction, owner_id: int, source: str) -> list[str]:
    rows = await inventory(tx, owner_id, source)
    return [row["external_id"] for row in rows]


# Held by the session: it ends with the connection, so a killed run leaves none behind.
LOCK = (
    "SELECT pg_try_advisory_lock(hashtextextended('cortex sync ' || %(owner)s::text || ' ' || %(source)s, 0)) AS taken"
)


async def lock(connection: Transaction, owner_id: int, source: str) -> bool:
    row = await (await connection.execute(LOCK, {"owner": owner_id, "source": source})).fetchone()
    return bool(row and row["taken"])
