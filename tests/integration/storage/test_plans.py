"""EXPLAIN as the roles that serve: row-level security must not cost an index."""

from __future__ import annotations

from pgvector import HalfVector
from tests.integration.storage.rows import Owner

from cortex.storage import Database, Role, Transaction

ROLES: tuple[Role, ...] = ("app", "ai")


async def plan(tx: Transaction, query: str) -> str:
    cursor = await tx.execute(f"EXPLAIN {query}".encode())
    return "\n".join(str(row["QUERY PLAN"]) for row in await cursor.fetchall())


async def test_a_term_is_looked_up_in_the_key_of_the_postings(database: Database, owner: Owner) -> None:
    await owner.execute(
        "INSERT INTO ai.postings SELECT 1, g % 500, g, g % 2 = 0, 1, 10 FROM generate_series(1, 20000) g"
    )
    await owner.execute("ANALYZE ai.postings")
    query = "SELECT passage_id, zh, tf, length FROM ai.postings WHERE owner_id = 1 AND term = ANY('{3,4}')"
    for role in ROLES:
        async with database.transaction(role, 1) as tx:
            shown = await plan(tx, query)
            assert "postings_pkey" in shown, shown
            assert "Seq Scan" not in shown, shown


async def test_each_language_has_its_vector_index(database: Database, owner: Owner) -> None:
    await owner.execute(
        """INSERT INTO ai.vectors_deep
           SELECT 1, gen_random_uuid(), g % 2 = 0, (SELECT array_agg(sin(g * i)) FROM generate_series(1, 384) i)::halfvec
           FROM generate_series(1, 1500) g"""
    )
    await owner.execute("ANALYZE ai.vectors_deep")
    vector = "(SELECT array_fill(0.1::real, '{384}')::halfvec)"
    for role in ROLES:
        async with database.transaction(role, 1) as tx:
            for side, index in (("zh", "vectors_deep_zh"), ("NOT zh", "vectors_deep_en")):
                where = f"owner_id = 1 AND {side}"
                shown = await plan(
                    tx, f"SELECT hash FROM ai.vectors_deep WHERE {where} ORDER BY embedding <#> {vector} LIMIT 10"
                )
                assert f"Index Scan using {index}" in shown, shown


async def test_vectors_go_in_and_come_out_as_arrays_of_numbers(database: Database) -> None:
    async with database.transaction("ai", 1) as tx:
        await tx.execute(
            "INSERT INTO ai.vectors_deep (owner_id, hash, zh, embedding) VALUES (1, gen_random_uuid(), true, %s)",
            [HalfVector([0.5] * 384)],
        )
        cursor = await tx.execute(
            "SELECT embedding FROM ai.vectors_deep ORDER BY embedding <#> %s", [HalfVector([0.5] * 384)]
        )
        row = await cursor.fetchone()
        assert row is not None
        assert row["embedding"].to_list() == [0.5] * 384
