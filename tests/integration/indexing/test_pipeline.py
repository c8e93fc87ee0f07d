"""Documents become passages: replaced in one transaction, embedded once, never left half."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.integration.conftest import Put

from cortex.bootstrap import Cortex
from cortex.indexing import status as index_status
from cortex.indexing.passages import build
from cortex.library import LOCAL_OWNER, mirrors
from cortex.providers.embedders import Vectors
from cortex.retrieval.scope import Scope

EVERYTHING = Scope()
PASSAGES = "SELECT id, start_at, end_at, text, version, hash FROM ai.passages WHERE document_id = %s ORDER BY ordinal"


async def rows(cortex: Cortex, query: str, *values: Any) -> list[dict[str, Any]]:
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        return await (await tx.execute(query, values)).fetchall()


async def waiting(cortex: Cortex) -> tuple[int, int]:
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        state = await index_status.status(tx, LOCAL_OWNER)
    return state.waiting, state.failed


async def count(cortex: Cortex, table: str) -> int:
    return int((await rows(cortex, f"SELECT count(*) AS n FROM {table}"))[0]["n"])


async def orphans(cortex: Cortex) -> int:
    """Postings without a passage, vectors in use by nobody, passages of another version than their document."""
    found = await rows(
        cortex,
        """
        SELECT (SELECT count(*) FROM ai.postings p WHERE NOT EXISTS (SELECT FROM ai.passages q WHERE q.id = p.passage_id))
             + (SELECT count(*) FROM ai.vectors_fast v WHERE v.unused_since IS NULL
                AND NOT EXISTS (SELECT FROM ai.passages q WHERE q.hash = v.hash))
             + (SELECT count(*) FROM ai.vectors_deep v WHERE v.unused_since IS NULL
                AND NOT EXISTS (SELECT FROM ai.passages q WHERE q.hash = v.hash))
             + (SELECT count(*) FROM ai.passages p JOIN library.documents d ON d.id = p.document_id WHERE d.version <> p.version)
             AS n
        """,
    )
    return int(found[0]["n"])


class CountingEmbedder:
    """A real embedder that counts the passages it was given."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.texts = inner, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def embed_passages(self, texts: list[str]) -> Vectors:
        self.texts += len(texts)
        return np.asarray(self.inner.embed_passages(texts), np.float32)


@pytest.fixture
def counting(cortex: Cortex) -> CountingEmbedder:
    embedder = CountingEmbedder(cortex.embedders.deep)
    object.__setattr__(cortex.embedders, "deep", embedder)
    return embedder


@pytest.fixture(autouse=True)
def _restore(cortex: Cortex, request: pytest.FixtureRequest) -> Any:
    deep = cortex.embedders.deep
    yield
    object.__setattr__(cortex.embedders, "deep", deep)


LONG = "\n\n".join(f"## Section {n}\n\n" + f"The heron number {n} stood in the shallow water. " * 16 for n in range(7))


async def test_a_document_gets_passages_vectors_and_sentences(cortex: Cortex, put: Put) -> None:
    document = await put("a.md", LONG)
    await cortex.drain()
    passages = await rows(cortex, PASSAGES, document)
    assert len(passages) > 4
    assert all(LONG[p["start_at"] : p["end_at"]] == p["text"] for p in passages)
    texts = len({p["hash"] for p in passages})
    assert [await count(cortex, f"ai.{t}") for t in ("vectors_fast", "vectors_deep", "sentences")] == [texts] * 3
    assert await orphans(cortex) == 0
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        state = await index_status.status(tx, LOCAL_OWNER)
    assert (state.waiting, state.failed) == (0, 0)
    assert all(space.filled == space.total == texts for space in state.spaces)


async def test_an_edit_embeds_what_changed_and_nothing_else(
    cortex: Cortex, put: Put, counting: CountingEmbedder
) -> None:
    document = await put("a.md", LONG)
    await cortex.drain()
    before = {p["id"] for p in await rows(cortex, PASSAGES, document)}
    counting.texts = 0
    await put("a.md", LONG.replace("heron number 5 stood", "egret number 5 slept"))
    await cortex.drain()
    after = {p["id"] for p in await rows(cortex, PASSAGES, document)}
    assert 0 < counting.texts == len(after - before) <= 2
    assert await orphans(cortex) == 0


async def test_text_that_comes_back_is_not_embedded_again(cortex: Cortex, put: Put, counting: CountingEmbedder) -> None:
    """PITFALLS 12: deleted and made again with the same content."""
    await put("a.md", LONG)
    await cortex.drain()
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        assert await mirrors.remove(tx, LOCAL_OWNER, "vault", ["a.md"]) == 1
    assert await count(cortex, "ai.passages") == await count(cortex, "ai.postings") == 0
    assert await orphans(cortex) == 0
    counting.texts = 0
    await put("a.md", LONG)
    await cortex.drain()
    assert counting.texts == 0
    assert await count(cortex, "ai.passages") > 4
    assert await orphans(cortex) == 0


async def test_until_the_new_passages_are_there_the_old_ones_are_found(cortex: Cortex, put: Put) -> None:
    await put("a.md", "The heron stood in the shallow water by the mill.")
    await cortex.drain()
    await put("a.md", "The heron stood in the shallow water by the mill. It flew away at noon.")
    hits = (await cortex.retriever.search(LOCAL_OWNER, "Where did the heron stand?", EVERYTHING)).hits
    assert [hit.passage.text for hit in hits] == ["The heron stood in the shallow water by the mill."]
    await put("a.md", "Nothing of that is left.")
    assert (await cortex.retriever.search(LOCAL_OWNER, "Where did the heron stand?", EVERYTHING)).hits == []


async def test_a_long_document_is_many_jobs(cortex: Cortex, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time at all for a slice each job does one batch, and the document still gets whole."""
    monkeypatch.setattr("cortex.indexing.pipeline.SLICE_SECONDS", 0.0)
    monkeypatch.setattr("cortex.indexing.pipeline._BATCH", 3)
    document = await put("a.md", LONG)
    assert await cortex.drain() > 4
    passages = await rows(cortex, PASSAGES, document)
    assert await count(cortex, "ai.vectors_deep") == len({p["hash"] for p in passages})


async def test_a_document_that_cannot_be_cut_is_marked_and_the_others_go_on(
    cortex: Cortex, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = build

    def breaks(source: Any, *rest: Any) -> Any:
        if "poison" in source.text:
            raise ValueError("a bad day")
        return real(source, *rest)

    monkeypatch.setattr("cortex.indexing.pipeline.build", breaks)
    bad, good = await put("bad.md", "poison"), await put("good.md", "The kettle is blue.")
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await index_status.catch_up(tx, LOCAL_OWNER)
    await cortex.drain()
    assert len(await rows(cortex, PASSAGES, good)) == 1
    failed = await rows(cortex, "SELECT document_id, failed FROM ai.indexed WHERE failed IS NOT NULL")
    assert [(row["document_id"], row["failed"]) for row in failed] == [(bad, "ValueError: a bad day")]
    assert await waiting(cortex) == (0, 1)
    await put("bad.md", "harmless now")
    assert await waiting(cortex) == (1, 1)
    await cortex.drain()
    assert await waiting(cortex) == (0, 0)


async def test_a_pause_holds_the_deep_space_but_not_new_documents(cortex: Cortex, put: Put) -> None:
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await index_status.pause(tx, LOCAL_OWNER, True)
    await put("a.md", "The kettle is blue.")
    await cortex.drain()
    assert await count(cortex, "ai.vectors_fast") == 1
    assert await count(cortex, "ai.vectors_deep") == 0
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await index_status.pause(tx, LOCAL_OWNER, False)
    await cortex.drain()
    assert await count(cortex, "ai.vectors_deep") == 1
