"""What holds of a library and its index whenever nothing is left to do, however often anything was killed before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import class_row

from cortex.indexing.passages import Source, build, title_terms
from cortex.providers.bundled import open_bundled
from cortex.settings import ChunkingSettings

Owner = psycopg.Connection[tuple[Any, ...]]

# Each counts what must not be; rows of schemas without an owner's policy in the way, since the schema's owner looks.
MUST_BE_NONE = {
    "documents whose index is of another version, or failed": """
        SELECT count(*) FROM library.documents d
        LEFT JOIN ai.indexed i ON i.owner_id = d.owner_id AND i.document_id = d.id
        WHERE d.trashed_at IS NULL AND (i.version IS DISTINCT FROM d.version OR i.failed IS NOT NULL)""",
    "stale passages": """
        SELECT count(*) FROM ai.passages p JOIN library.documents d ON d.owner_id = p.owner_id AND d.id = p.document_id
        WHERE d.trashed_at IS NULL AND p.version <> d.version""",
    "passages that are not their document's text": """
        SELECT count(*) FROM ai.passages p JOIN library.documents d ON d.owner_id = p.owner_id AND d.id = p.document_id
        WHERE d.trashed_at IS NULL AND substr(d.text, p.start_at + 1, p.end_at - p.start_at) <> p.text""",
    "passages twice in one place": """
        SELECT count(*) - count(DISTINCT (document_id, start_at, end_at)) FROM ai.passages""",
    "passages with one number": "SELECT count(*) - count(DISTINCT (document_id, ordinal)) FROM ai.passages",
    "postings of no passage": """
        SELECT count(*) FROM ai.postings t
        WHERE NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = t.owner_id AND p.id = t.passage_id)""",
    "terms of a passage without posting": """
        SELECT count(*) FROM (SELECT owner_id, unnest(terms) AS term, id FROM ai.passages) p
        LEFT JOIN ai.postings t ON t.owner_id = p.owner_id AND t.term = p.term AND t.passage_id = p.id WHERE t.tf IS NULL""",
    "title postings of no document": """
        SELECT count(*) FROM ai.title_postings t
        WHERE NOT EXISTS (SELECT FROM library.documents d WHERE d.owner_id = t.owner_id AND d.id = t.document_id)""",
    "passages without a fast vector": """
        SELECT count(*) FROM ai.passages p
        WHERE NOT EXISTS (SELECT FROM ai.vectors_fast v WHERE v.owner_id = p.owner_id AND v.hash = p.hash)""",
    "jobs that wait, run or failed": "SELECT count(*) FROM jobs.procrastinate_jobs",
}
OF_EACH_TABLE = {
    "rows of no passage that count as used": """
        SELECT count(*) FROM ai.{table} v WHERE v.unused_since IS NULL
        AND NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = v.owner_id AND p.hash = v.hash)""",
    "rows of a passage that count as unused": """
        SELECT count(*) FROM ai.{table} v WHERE v.unused_since IS NOT NULL
        AND EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = v.owner_id AND p.hash = v.hash)""",
}
BEHIND = """
    SELECT count(*) FROM ai.passages p
    WHERE NOT EXISTS (SELECT FROM ai.{table} v WHERE v.owner_id = p.owner_id AND v.hash = p.hash)"""


def broken(owner: Owner, *, filled: bool) -> dict[str, int]:
    """Every invariant that does not hold, with how many rows break it. `filled`: the spaces behind must be full as well."""
    found = {name: _count(owner, query) for name, query in MUST_BE_NONE.items()}
    for table in ("vectors_fast", "vectors_deep", "sentences"):
        queries = {**OF_EACH_TABLE, **({"passages without a row": BEHIND} if filled else {})}
        found |= {f"{table}: {name}": _count(owner, query.format(table=table)) for name, query in queries.items()}
    return {name: count for name, count in found.items() if count}


def unlike_their_files(owner: Owner, sources: Mapping[str, Path]) -> list[str]:
    """Files that are not exactly one document with their bytes' hash, and documents without file."""
    files: dict[tuple[str, str], bytes] = {
        (name, path.relative_to(folder).as_posix()): hashlib.sha256(path.read_bytes()).digest()
        for name, folder in sources.items()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix in (".md", ".txt")
    }
    query = "SELECT source, external_id, content_hash FROM library.documents WHERE source = ANY (%s)"
    rows = owner.execute(query, [list(sources)]).fetchall()
    documents = {(source, name): bytes(hashed) for source, name, hashed in rows}
    assert len(rows) == len(documents)
    return sorted(f"{key}" for key in files.keys() | documents.keys() if files.get(key) != documents.get(key))


def unlike_a_fresh_cut(owner: Owner) -> list[int]:
    """Documents whose passages, postings or title postings are not those that their text gives when it is cut now."""
    tokens = open_bundled().deep.tokens
    with owner.cursor(row_factory=class_row(Source)) as cursor:
        cursor.execute(
            "SELECT id AS document_id, version, title, text, lang, kind, period, topic FROM library.documents"
        )
        documents = cursor.fetchall()
    stored: dict[int, set[tuple[object, ...]]] = {document.document_id: set() for document in documents}
    for document_id, *rest in owner.execute(
        "SELECT document_id, id, ordinal, start_at, end_at, hash, length FROM ai.passages"
    ):
        stored[document_id].add(tuple(rest))
    titles: dict[int, dict[int, int]] = {document.document_id: {} for document in documents}
    for document_id, term, tf in owner.execute("SELECT document_id, term, tf FROM ai.title_postings"):
        titles[document_id][term] = tf
    wrong = []
    for document in documents:
        passages = build(document, ChunkingSettings(), tokens)
        cut = {(p.id, p.ordinal, p.start, p.end, p.hash, p.length) for p in passages}
        if cut != stored[document.document_id] or dict(title_terms(document)) != titles[document.document_id]:
            wrong.append(document.document_id)
    return wrong


def _count(owner: Owner, query: str) -> int:
    row = owner.execute(query.encode()).fetchone()
    assert row is not None
    return int(row[0])
