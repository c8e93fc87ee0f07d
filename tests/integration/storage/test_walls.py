"""What PostgreSQL itself refuses: the AI role on the library, and one owner on another's rows. Read from the catalogue,
so that a new table cannot be forgotten."""

from __future__ import annotations

import uuid

import psycopg
import pytest
from tests.integration.storage.rows import Owner, add_document, add_owner, add_passage, count

from cortex.storage import Database, Role

SCHEMAS = ("library", "ai", "accounts")
WITHOUT_OWNER: set[str] = set()
"""Tables of these schemas whose key does not start with owner_id, each with its reason. None so far."""

TABLES = """
    SELECT n.nspname || '.' || c.relname AS name, c.relrowsecurity AS walled,
           (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) AS policies,
           (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = c.oid AND i.indisprimary) AS key
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname = ANY(%s) ORDER BY 1
"""


async def names(owner: Owner) -> list[str]:
    cursor = await owner.execute(TABLES.encode(), [list(SCHEMAS)])
    return [row[0] for row in await cursor.fetchall()]


async def test_every_table_is_walled_and_keyed_by_its_owner(owner: Owner) -> None:
    cursor = await owner.execute(TABLES.encode(), [list(SCHEMAS)])
    rows = await cursor.fetchall()
    assert len(rows) >= 17
    for name, walled, policies, key in rows:
        assert walled, f"{name} has no row-level security"
        assert policies == 1, f"{name} has {policies} policies"
        assert key == "owner_id" or name in WITHOUT_OWNER, f"the key of {name} starts with {key}"


async def test_other_schemas_hold_only_what_is_named(owner: Owner) -> None:
    """Outside of the owned schemas: the queue, which holds ids only, and the list of migrations."""
    cursor = await owner.execute(
        """SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE c.relkind IN ('r', 'p') AND n.nspname <> ALL(%s)
             AND n.nspname NOT LIKE 'pg\\_%%' AND n.nspname <> 'information_schema' ORDER BY 1""",
        [list(SCHEMAS)],
    )
    assert [row[0] for row in await cursor.fetchall()] == [
        "jobs.failures",
        "jobs.procrastinate_events",
        "jobs.procrastinate_jobs",
        "jobs.procrastinate_periodic_defers",
        "jobs.procrastinate_workers",
        "public.migrations",
    ]


@pytest.mark.parametrize(
    "table",
    [
        "documents",
        "sources",
        "tags",
        "links",
        "attachments",
        "note_attachments",
        "revisions",
        "feeds",
        "changes",
        "received",
    ],
)
@pytest.mark.parametrize(
    "verb", ["INSERT INTO {} DEFAULT VALUES", "DELETE FROM {}", "TRUNCATE {}", "UPDATE {} SET owner_id = 1"]
)
async def test_the_ai_role_cannot_write_the_library(database: Database, table: str, verb: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.transaction("ai", 1) as tx:
            await tx.execute(verb.format(f"library.{table}").encode())


async def test_the_ai_role_holds_no_grant_on_library_or_accounts_but_reading(owner: Owner) -> None:
    cursor = await owner.execute(
        """SELECT table_schema || '.' || table_name, privilege_type FROM information_schema.role_table_grants
           WHERE grantee IN ('cortex_ai', 'PUBLIC') AND table_schema IN ('library', 'accounts') AND privilege_type <> 'SELECT'"""
    )
    assert await cursor.fetchall() == []


async def test_no_role_that_serves_may_change_the_schema(owner: Owner) -> None:
    cursor = await owner.execute(
        """SELECT rolname FROM pg_roles WHERE rolname IN ('cortex_app', 'cortex_ai')
             AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR pg_has_role(oid, 'cortex_owner', 'MEMBER'))
           UNION ALL
           SELECT r.rolname FROM pg_roles r, pg_namespace n WHERE r.rolname IN ('cortex_app', 'cortex_ai')
             AND n.nspname IN ('library', 'ai', 'accounts', 'jobs', 'public') AND has_schema_privilege(r.oid, n.oid, 'CREATE')"""
    )
    assert await cursor.fetchall() == []


@pytest.mark.parametrize("role", ["app", "ai"])
async def test_one_owner_never_sees_anothers_rows(database: Database, owner: Owner, role: Role) -> None:
    await add_owner(owner, 2)
    document = await add_document(owner, 2)
    await add_passage(owner, 2, document, 5, uuid.uuid4())
    await fill_the_rest(owner, 2, document)
    readable = [name for name in await names(owner) if role == "app" or not name.startswith("accounts.")]
    async with database.transaction(role, 2) as tx:
        assert [name for name in readable if not await count(tx, name)] == []
    async with database.transaction(role, 1) as tx:
        assert [name for name in readable if await count(tx, name, "owner_id = 2")] == []
    async with database.connection(role) as connection:
        assert [name for name in readable if await count(connection, name)] == []


async def fill_the_rest(owner: Owner, owner_id: int, document: int) -> None:
    """A row of this owner in every table that `add_passage` leaves empty."""
    for statement in (
        "INSERT INTO library.tags VALUES (%(o)s, %(d)s, 'tag')",
        "INSERT INTO library.links VALUES (%(o)s, %(d)s, 'target')",
        """INSERT INTO library.attachments (owner_id, hash, name, media_type, size, text_state)
           VALUES (%(o)s, sha256('a'), 'a', 'text/plain', 1, 'none')""",
        "INSERT INTO library.note_attachments VALUES (%(o)s, %(d)s, sha256('a'), 'a')",
        "INSERT INTO library.revisions SELECT %(o)s, %(d)s, 1, now(), 't', true, 'x', 'en', 'note', NULL, NULL, '{}', 'person', 1",
        "INSERT INTO library.feeds (owner_id) VALUES (%(o)s)",
        "INSERT INTO library.changes VALUES (%(o)s, 1, %(d)s, 'a', 'saved', 1)",
        "INSERT INTO library.received (owner_id, change_id) VALUES (%(o)s, 'c')",
        "INSERT INTO ai.indexed (owner_id, document_id, version) VALUES (%(o)s, %(d)s, 1)",
        "INSERT INTO ai.title_postings VALUES (%(o)s, 7, %(d)s, false, 1, 1)",
        "INSERT INTO ai.indexing VALUES (%(o)s, false)",
        "INSERT INTO ai.spaces VALUES (%(o)s, 'fast', 'bundled', 'm', 512)",
        "INSERT INTO ai.conversations (owner_id, id, title) VALUES (%(o)s, 9, 't')",
        "INSERT INTO ai.answers (owner_id, id, conversation_id, question, language) VALUES (%(o)s, 9, 9, 'q', 'en')",
        "INSERT INTO ai.answer_events VALUES (%(o)s, 9, 1, 'delta', '{}')",
        "INSERT INTO ai.citations VALUES (%(o)s, 9, 1, 1, %(d)s, 1, 'q', 0, 1, true)",
    ):
        await owner.execute(statement.encode(), {"o": owner_id, "d": document})


async def test_a_row_cannot_be_written_for_another_owner(database: Database, owner: Owner) -> None:
    await add_owner(owner, 2)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        async with database.transaction("app", 1) as tx:
            await tx.execute("INSERT INTO library.sources (owner_id, name, type) VALUES (2, 'x', 'local')")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        async with database.transaction("ai", 1) as tx:
            await tx.execute("INSERT INTO ai.spaces VALUES (2, 'x', 'bundled', 'm', 1)")


async def test_the_owner_is_forgotten_with_the_transaction(database: Database) -> None:
    async with database.transaction("app", 1) as tx:
        back_end = tx.info.backend_pid
        assert await count(tx, "library.sources") == 1
    async with database.connection("app") as connection:
        assert connection.info.backend_pid == back_end
        assert await count(connection, "library.sources") == 0


async def test_passages_that_go_take_their_postings_and_mark_their_vectors(database: Database, owner: Owner) -> None:
    document = await add_document(owner, 1)
    shared, alone = uuid.uuid4(), uuid.uuid4()
    await add_passage(owner, 1, document, 1, shared)
    await add_passage(owner, 1, document, 2, shared)
    await add_passage(owner, 1, document, 3, alone)
    async with database.transaction("ai", 1) as tx:
        await tx.execute("DELETE FROM ai.passages WHERE owner_id = 1 AND id IN (1, 3)")
        assert await count(tx, "ai.postings") == await count(tx, "ai.postings", "passage_id = 2") == 2
        for table in ("ai.vectors_fast", "ai.vectors_deep", "ai.sentences"):
            assert await count(tx, table, f"hash = '{alone}' AND unused_since IS NOT NULL") == 1
            assert await count(tx, table, f"hash = '{shared}' AND unused_since IS NULL") == 1


async def test_a_document_deleted_by_the_app_leaves_no_orphan(database: Database, owner: Owner) -> None:
    document, other = await add_document(owner, 1), await add_document(owner, 1, "b")
    await add_passage(owner, 1, document, 1, uuid.uuid4())
    await add_passage(owner, 1, other, 2, uuid.uuid4())
    await owner.execute("INSERT INTO ai.title_postings VALUES (1, 7, %s, false, 1, 1)", [document])
    await owner.execute("INSERT INTO ai.indexed (owner_id, document_id, version) VALUES (1, %s, 1)", [document])
    async with database.transaction("app", 1) as tx:
        await tx.execute("DELETE FROM library.documents WHERE owner_id = 1 AND id = %s", [document])
        assert await count(tx, "ai.passages") == 1
        assert await count(tx, "ai.postings") == await count(tx, "ai.postings", "passage_id = 2") == 2
        assert await count(tx, "ai.title_postings") == await count(tx, "ai.indexed") == 0
        assert await count(tx, "ai.vectors_deep", "unused_since IS NOT NULL") == 1


async def test_a_new_space_is_walled_like_the_others(database: Database, owner: Owner) -> None:
    await owner.execute("SELECT ai.create_space_table('hosted', 1024)")
    await owner.execute(
        "INSERT INTO ai.vectors_hosted VALUES (2, %s, true, array_fill(0, '{1024}')::halfvec)", [uuid.uuid4()]
    )
    async with database.transaction("ai", 1) as tx:
        assert await count(tx, "ai.vectors_hosted") == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.transaction("ai", 1) as tx:
            await tx.execute("SELECT ai.create_space_table('mine', 3)")


async def test_only_who_deletes_notes_may_take_their_words_out_of_the_index_and_only_of_its_own(
    database: Database, owner: Owner
) -> None:
    """A definer function is past row-level security: it names the owner itself."""
    await add_owner(owner, 2)
    theirs = await add_document(owner, 2)
    await add_passage(owner, 2, theirs, 5, uuid.uuid4())
    await fill_the_rest(owner, 2, theirs)
    sources = f'[{{"n": 1, "document_id": {theirs}, "title": "Title"}}]'
    await owner.execute("UPDATE ai.answers SET sources = %s WHERE owner_id = 2", [sources])
    await owner.execute("UPDATE ai.vectors_deep SET unused_since = now() WHERE owner_id = 2")
    before = [await count(owner, name) for name in await names(owner)]
    async with database.transaction("app", 1) as tx:
        await tx.execute("SELECT ai.forget_documents(%s)", [[theirs]])
    assert [await count(owner, name) for name in await names(owner)] == before
    assert await count(owner, "ai.answers", "sources::text LIKE '%%Title%%'") == 1
    async with database.transaction("app", 2) as tx:
        await tx.execute("SELECT ai.forget_documents(%s)", [[theirs]])
        assert (
            await count(tx, "ai.passages") == await count(tx, "ai.vectors_deep") == await count(tx, "ai.sentences") == 0
        )
        assert await count(tx, "ai.answers", "sources::text LIKE '%%Title%%'") == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.transaction("ai", 2) as tx:
            await tx.execute("SELECT ai.forget_documents(%s)", [[theirs]])
    async with database.connection("app") as nobody:
        await nobody.execute("SELECT ai.forget_documents(%s)", [[theirs]])
