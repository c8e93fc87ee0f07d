"""Mirrors in the library: sources on and off the list, and documents whose values are at the limits."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from cortex.errors import Invalid
from cortex.library import LOCAL_OWNER, mirrors
from cortex.library.mirrors import Incoming
from cortex.storage import Database

Owner = psycopg.AsyncConnection[tuple[Any, ...]]
NOTE = Incoming("a.md", "A", "text", "en", "file:///a.md", b"hash", 4, 1, metadata={"fields": {"x": [1, None, "é"]}})


async def listed(database: Database, *sources: tuple[str, str]) -> dict[str, mirrors.Source]:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await mirrors.reconcile(tx, LOCAL_OWNER, sources)
        return {source.name: source for source in await mirrors.sources(tx, LOCAL_OWNER)}


async def store(database: Database, *items: Incoming) -> set[str]:
    async with database.transaction("app", LOCAL_OWNER) as tx:
        return await mirrors.upsert(tx, LOCAL_OWNER, "vault", items)


async def jobs(owner: Owner) -> list[list[int]]:
    rows = await (
        await owner.execute("SELECT args -> 'document_ids' FROM jobs.procrastinate_jobs ORDER BY id")
    ).fetchall()
    return [row[0] for row in rows]


async def test_sources_come_and_go_and_come_back(database: Database) -> None:
    assert set(await listed(database, ("vault", "local"))) == {"notes", "vault"}
    gone = (await listed(database))["vault"]
    assert not gone.listed
    since = gone.unlisted_at
    assert since is not None
    assert (await listed(database))["vault"].unlisted_at == since  # the 30 days count from the first run without it
    back = (await listed(database, ("vault", "gdrive")))["vault"]
    assert (back.listed, back.unlisted_at, back.type) == (True, None, "gdrive")
    assert (await listed(database))["notes"].listed


async def test_only_a_change_that_can_be_seen_grows_the_version_and_makes_a_job(
    database: Database, owner: Owner
) -> None:
    await listed(database, ("vault", "local"))
    assert await store(database, NOTE) == {"a.md"}
    assert await store(database, replace(NOTE, size=9, mtime_ns=9, content_hash=b"other")) == set()
    changes: list[dict[str, Any]] = [
        {"text": "new"}, {"title": "B"}, {"date": dt.date(2026, 1, 15)}, {"period": 20261}, {"topic": "t"}, {"kind": "topic"},
        {"metadata": {"fields": {"tags": ["x"]}}, "tags": ("x",)}, {"url": "file:///b.md"}, {"open_url": "https://b"},
    ]  # fmt: skip
    note = NOTE
    for change in changes:
        note = replace(note, **change)
        assert await store(database, note) == {"a.md"}, change
        assert await store(database, note) == set()
    rows = await (await owner.execute("SELECT version, size FROM library.documents")).fetchall()
    assert rows == [(1 + len(changes), 4)]
    assert len(await jobs(owner)) == 1 + len(changes)


async def test_jobs_hold_at_most_50_documents(database: Database, owner: Owner) -> None:
    await listed(database, ("vault", "local"))
    await store(database, *(replace(NOTE, external_id=f"{n}.md") for n in range(120)))
    assert [len(ids) for ids in await jobs(owner)] == [50, 50, 20]


async def test_a_rollback_drops_the_document_and_its_job(database: Database, owner: Owner) -> None:
    await listed(database, ("vault", "local"))
    with suppress(ZeroDivisionError):
        async with database.transaction("app", LOCAL_OWNER) as tx:
            await mirrors.upsert(tx, LOCAL_OWNER, "vault", [NOTE])
            raise ZeroDivisionError
    assert await jobs(owner) == []
    assert await (await owner.execute("SELECT id FROM library.documents")).fetchall() == []


async def test_long_tags_links_and_paths_fit_the_indexes(database: Database, owner: Owner) -> None:
    await listed(database, ("vault", "local"))
    odd = "".join(chr(0x20000 + 7 * n % 40_000) for n in range(3000))  # four bytes each, and nothing to compress
    note = replace(NOTE, external_id=odd[:500], topic=odd[:200], tags=(odd, "#"), links=(odd, "B", "b"))
    await store(database, note)
    tags = await (await owner.execute("SELECT length(tag) FROM library.tags ORDER BY 1")).fetchall()
    assert tags == [(1,), (500,)]
    links = await (await owner.execute("SELECT target FROM library.links WHERE length(target) < 9")).fetchall()
    assert links == [("b",)]


async def test_what_the_database_refuses_names_the_item(database: Database) -> None:
    await listed(database, ("vault", "local"))
    with pytest.raises(Invalid, match="cannot be stored") as refused:
        await store(database, replace(NOTE, text="a\0b"))
    assert refused.value.field == "a.md"


async def test_a_rename_keeps_the_document(database: Database) -> None:
    await listed(database, ("vault", "local"))
    await store(database, NOTE)
    async with database.transaction("app", LOCAL_OWNER) as tx:
        before = await mirrors.inventory(tx, LOCAL_OWNER, "vault")
        await mirrors.rename(
            tx, LOCAL_OWNER, "vault", [("a.md", replace(NOTE, external_id="b.md", url="file:///b.md"))]
        )
        after = await mirrors.inventory(tx, LOCAL_OWNER, "vault")
    assert set(after) == {"b.md"}
    assert after["b.md"].document_id == before["a.md"].document_id
    assert after["b.md"].version == 2
    assert not after["b.md"].dated
