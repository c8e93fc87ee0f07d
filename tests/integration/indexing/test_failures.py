"""Notes that could not be indexed say why, and get another chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.integration.conftest import Put
from tests.integration.storage.rows import Owner, count

from cortex import jobs
from cortex.bootstrap import Cortex
from cortex.indexing import passages, pipeline, status, upkeep
from cortex.indexing.status import DocumentState, IndexStatus
from cortex.jobs import _attempts
from cortex.library import LOCAL_OWNER
from cortex.providers import Embedders


class _Broken:
    """An embedder whose model is gone."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def embed_passages(self, texts: Sequence[str]) -> Any:
        raise RuntimeError("the model is gone")


def without_a_model(cortex: Cortex) -> Cortex:
    embedders = Embedders(fast=_Broken(cortex.embedders.fast), deep=cortex.embedders.deep)
    return replace(cortex, indexer=replace(cortex.indexer, embedders=embedders))


async def state(cortex: Cortex, document: int) -> DocumentState:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        return (await status.states(tx, LOCAL_OWNER, [document]))[document]


async def whole(cortex: Cortex) -> IndexStatus:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        return await status.status(tx, LOCAL_OWNER)


async def test_a_document_that_cannot_be_cut_says_why(
    cortex: Cortex, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = await put("good.md", "words"), await put("bad.md", "no words")
    real = passages.build

    def build(source: Any, *args: Any) -> Any:
        if source.title == "bad":
            raise ValueError("too strange")
        return real(source, *args)

    monkeypatch.setattr(pipeline, "build", build)
    assert await state(cortex, bad) == DocumentState("waiting")
    await cortex.drain()
    assert await state(cortex, good) == DocumentState("indexed")
    assert await state(cortex, bad) == DocumentState("failed", "ValueError: too strange")
    shown = await whole(cortex)
    assert (shown.failed, [(f.document_id, f.title, f.reason) for f in shown.failures]) == (
        1, [(bad, "bad", "ValueError: too strange")],
    )  # fmt: skip
    monkeypatch.setattr(pipeline, "build", real)
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await status.try_again(tx, LOCAL_OWNER, bad)
    assert await state(cortex, bad) == DocumentState("waiting")
    await cortex.drain()
    assert await state(cortex, bad) == DocumentState("indexed")
    assert (await whole(cortex)).failures == []


async def test_a_job_that_was_given_up_is_shown_on_its_documents(
    cortex: Cortex, put: Put, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_attempts, "BACK_OFF_S", (0, 0))
    document = await put("a.md", "words")
    await without_a_model(cortex).drain()
    failed = DocumentState("failed", "RuntimeError: the model is gone")
    assert await state(cortex, document) == failed
    given_up = await jobs.failed(cortex.database)
    assert [(job.name, job.reason) for job in given_up] == [("index_documents", failed.reason)]
    # Changed since: a new job has it, and what failed says nothing about that.
    await put("a.md", "other words")
    assert await state(cortex, document) == DocumentState("waiting")
    await without_a_model(cortex).drain()
    assert await state(cortex, document) == failed
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await status.try_again(tx, LOCAL_OWNER, document)
    assert await state(cortex, document) == DocumentState("waiting")
    await cortex.drain()
    assert await state(cortex, document) == DocumentState("indexed")
    assert await count(owner, "jobs.procrastinate_jobs") == await count(owner, "jobs.failures") == 0


async def test_all_that_failed_is_tried_again(
    cortex: Cortex, put: Put, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_attempts, "BACK_OFF_S", (0, 0))
    await put("a.md", "words")
    await without_a_model(cortex).drain()
    await owner.execute(
        "INSERT INTO ai.indexed (owner_id, document_id, version, failed) SELECT 1, id, version, 'strange' FROM library.documents"
    )
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        assert await status.try_all_again(tx, LOCAL_OWNER) == 2
    await cortex.drain()
    assert (await whole(cortex)).failed == 0
    assert await jobs.failed(cortex.database) == []
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        assert await status.try_all_again(tx, LOCAL_OWNER) == 0


async def test_the_pace_of_the_last_minute_tells_how_long_the_rest_takes(cortex: Cortex, put: Put) -> None:
    assert (await whole(cortex)).eta_s == 0
    for n in range(3):
        await put(f"{n}.md", f"words {n}")
    assert (await whole(cortex)).eta_s is None
    await cortex.drain()
    await put("3.md", "more")
    shown = await whole(cortex)
    assert (shown.per_minute, shown.waiting, shown.eta_s) == (3, 1, 20.0)


async def test_a_document_that_no_job_knows_of_is_noticed(cortex: Cortex, put: Put, owner: Owner) -> None:
    await put("a.md", "words")
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        assert await upkeep.forgotten(tx, LOCAL_OWNER) == 0
    await owner.execute("DELETE FROM jobs.procrastinate_jobs")
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        assert await upkeep.forgotten(tx, LOCAL_OWNER) == 1


async def test_a_passage_of_an_old_version_is_noticed(cortex: Cortex, put: Put, owner: Owner) -> None:
    await put("a.md", "words")
    await cortex.drain()
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        assert (await upkeep.orphans(tx, LOCAL_OWNER)).total == 0
    await owner.execute("UPDATE ai.passages SET version = 7")
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        assert (await upkeep.orphans(tx, LOCAL_OWNER)).stale == 1


async def test_what_a_person_waits_for_does_not_wait_for_the_filling(
    cortex: Cortex, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slice that fills a space ends as soon as something urgent waits, and goes on later."""
    for n in range(12):
        await put(f"{n}.md", f"words {n}")
    order: list[str] = []
    embed = cortex.indexer._embed
    replaced = cortex.indexer._replace

    async def embedding(owner_id: int, embedder: Any, *args: Any) -> None:
        await embed(owner_id, embedder, *args)
        order.append(embedder.name)
        if embedder.name == "deep" and order.count("deep") == 1:
            await put("urgent.md", "urgent words")

    async def replacing(owner_id: int, built: Any) -> Any:
        order.append("replace")
        return await replaced(owner_id, built)

    patched = cortex.indexer
    object.__setattr__(patched, "_embed", embedding)
    object.__setattr__(patched, "_replace", replacing)
    await cortex.drain()
    first = order.index("deep")
    assert order[first + 1 : first + 3] == ["fast", "replace"]
    assert order.count("deep") > 1
    assert all(space.filled == space.total for space in (await whole(cortex)).spaces)
