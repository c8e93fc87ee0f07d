"""A library to back up, and two databases side by side: what a restore must bring back, and what it must make."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from tests.integration.storage.rows import Owner, add_document, add_owner, add_passage
from tests.integration.storage.test_walls import fill_the_rest

from cortex.backups import back_up
from cortex.settings import Settings
from cortex.storage._tables import kept_tables
from cortex.storage.backup import Backup

# Rows as text, in an order of their own: what a row looks like says it all.
SUM = "SELECT count(*), coalesce(md5(string_agg(t::text, chr(10) ORDER BY t::text)), '') FROM {} t"

FEEDS = "(SELECT owner_id, last FROM library.feeds)"
"""A restored library has feeds of other names, so that their readers begin again."""

SHAPE = """
    SELECT 'table', n.nspname || '.' || c.relname, c.relrowsecurity::text, c.relacl::text, pg_get_userbyid(c.relowner)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('accounts', 'library', 'ai', 'jobs') AND c.relkind IN ('r', 'i', 'S')
    UNION ALL
    SELECT 'policy', tablename, policyname, coalesce(qual, ''), coalesce(with_check, '') FROM pg_policies
    UNION ALL
    SELECT 'trigger', tgrelid::regclass::text, tgname, tgenabled::text, '' FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated::text
    FROM pg_constraint WHERE conrelid <> 0
    UNION ALL
    SELECT 'function', p.oid::regprocedure::text, p.prosecdef::text, coalesce(p.proacl::text, ''), pg_get_userbyid(p.proowner)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname IN ('library', 'ai', 'jobs')
    UNION ALL
    SELECT 'migration', number::text, name, sha256, '' FROM public.migrations
    ORDER BY 1, 2, 3, 4, 5
"""

EMPTY = "SELECT count(*) FROM {}"


async def rows(login: str) -> dict[str, tuple[int, str]]:
    """A count and a sum of the rows of every table that a backup holds."""
    async with await psycopg.AsyncConnection.connect(login, row_factory=tuple_row) as connection:
        await connection.execute("SET timezone = 'UTC'")
        compared = {table.name: table.name for table in await kept_tables(connection)} | {"library.feeds": FEEDS}
        return {name: await _one(connection, SUM.format(rows)) for name, rows in compared.items()}


async def shape(login: str) -> list[tuple[Any, ...]]:
    """Tables, rights, policies, triggers, constraints, functions and migrations."""
    async with await psycopg.AsyncConnection.connect(login, row_factory=tuple_row) as connection:
        await connection.execute("SET search_path = pg_catalog")
        return await (await connection.execute(SHAPE.encode())).fetchall()


async def how_many(login: str, table: str) -> int:
    async with await psycopg.AsyncConnection.connect(login, row_factory=tuple_row) as connection:
        return int((await _one(connection, EMPTY.format(table)))[0])


async def _one(connection: psycopg.AsyncConnection[Any], query: str) -> Any:
    row = await (await connection.execute(query.encode())).fetchone()
    assert row is not None
    return row


async def fill(owner: Owner) -> None:
    """A library of two owners with a row in every table, and texts that a careless format would break."""
    for owner_id in (1, 2):
        if owner_id > 1:
            await add_owner(owner, owner_id)
        else:
            await owner.execute("DELETE FROM ai.spaces")
        document = await add_document(owner, owner_id)
        await add_passage(owner, owner_id, document, 5, uuid.uuid4())
        await fill_the_rest(owner, owner_id, document)
    odd = "tab\there \\N back\\slash\nline\r\n\\. \u2028 猫 🐈 e\u0301 \"quote\" 'single' ${x} end\\"
    await owner.execute(
        "UPDATE library.documents SET text = %s, metadata = %s WHERE owner_id = 1", [odd, json.dumps({"a": odd})]
    )
    await owner.execute(
        "UPDATE library.documents SET date = '0044-03-15', content_hash = '\\x00ff0a5c09' WHERE owner_id = 2"
    )
    await owner.execute(
        "INSERT INTO library.sources (owner_id, name, type) VALUES (1, '', 'local'), (1, 'NULL', 'local'), (1, '\\N', 'local')"
    )


async def made(settings: Settings, target: Path) -> Backup:
    return await back_up(settings, str(target))


def url(settings: Settings) -> str:
    assert settings.database_url is not None
    return settings.database_url
