"""A type of source that is no folder goes the whole way: listed, synced, indexed, found, shown, and told of."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from tests.integration.sources.folders import Owner, counts, documents, rows, write
from tests.integration.sources.memory import MemorySettings, Shelf, registered, with_sources

from cortex.bootstrap import Cortex
from cortex.cli.checks import check_source
from cortex.library import LOCAL_OWNER
from cortex.retrieval.scope import parse
from cortex.settings import Settings, SourceSettings
from cortex.sources.adding import folder_named
from cortex.sources.freshness import freshness
from cortex.sources.report import SourceReport
from cortex.sources.sync import sync
from cortex.web.app import create_app

MEMORY = MemorySettings(name="shelf")


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    shelf = registered(monkeypatch)
    shelf.put(
        **{
            "2026__Q1__week-03": "# Third week\n\nRepaired the bicycle.\n\n![a plan](plan.png)",
            "Topics__Kafka__decision": "# 队列选型\n\n最后没有用 Kafka，运维成本太高。",
            "cat": "# Kittens\n\nMimi had kittens under the stairs.",
        }
    )
    shelf.images["plan.png"] = b"\x89PNG"
    return shelf


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return with_sources(settings, MEMORY)


@pytest.fixture
async def client(cortex: Cortex) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(cortex))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client:
        yield client


async def run(cortex: Cortex, settings: Settings | None = None) -> SourceReport:
    (report,) = await sync(cortex.database, LOCAL_OWNER, settings or cortex.settings)
    return report


async def found(cortex: Cortex, question: str) -> list[str]:
    return [hit.title for hit in (await cortex.retriever.search(LOCAL_OWNER, question, parse("source:shelf"))).hits]


async def test_its_notes_become_documents_that_are_found(cortex: Cortex, owner: Owner, shelf: Shelf) -> None:
    report = await run(cortex)
    assert counts(report) == (3, 0, 0, 0)
    assert (report.found, report.complete, report.ok, len(report.skipped)) == (4, True, True, 1)
    assert await rows(
        owner,
        "SELECT external_id, kind, period, topic, url, open_url FROM library.documents WHERE source = 'shelf' ORDER BY 1",
    ) == [
        (path, kind, period, topic, f"https://shelf.example/{path}", f"https://shelf.example/{path}")
        for path, kind, period, topic in (
            ("2026/Q1/week-03.md", "weekly", 20261, None),
            ("Topics/Kafka/decision.md", "topic", None, "Kafka"),
            ("cat.md", "note", None, None),
        )
    ]
    assert await rows(owner, "SELECT type FROM library.sources WHERE name = 'shelf'") == [("memory",)]
    await cortex.drain()
    assert (await found(cortex, "Why did we decide against Kafka?"))[0] == "队列选型"
    assert (await found(cortex, "小猫"))[0] == "Kittens"


async def test_a_second_run_reads_nothing_and_a_change_one_note(cortex: Cortex, owner: Owner, shelf: Shelf) -> None:
    await run(cortex)
    await cortex.drain()
    before = await documents(owner, "shelf")
    shelf.read.clear()
    assert counts(await run(cortex)) == (0, 0, 0, 3)
    assert shelf.read == []
    shelf.put(cat="# Kittens\n\nThey moved to the greenhouse.", new="# New\n\nA tortoise arrived.")
    del shelf.notes["2026/Q1/week-03.md"]
    assert counts(await run(cortex)) == (1, 1, 1, 1)
    assert sorted(shelf.read) == ["cat.md", "new.md"]
    await cortex.drain()
    after = await documents(owner, "shelf")
    assert after["cat.md"] == (before["cat.md"][0], 2)
    assert "2026/Q1/week-03.md" not in after
    assert (await found(cortex, "greenhouse"))[0] == "Kittens"
    assert (await found(cortex, "tortoise"))[0] == "New"
    assert "Third week" not in await found(cortex, "bicycle")


async def test_what_cannot_be_read_fails_alone_and_deletes_nothing(cortex: Cortex, owner: Owner, shelf: Shelf) -> None:
    await run(cortex)
    shelf.put(cat="# Kittens\n\nAnother text.", bad="never read", away="never read")
    shelf.broken, shelf.gone = {"bad.md", "cat.md"}, {"away.md"}
    report = await run(cortex)
    assert counts(report) == (0, 0, 0, 2)
    assert {(item.item, item.reason) for item in report.failed} == {
        ("bad.md", "the shelf did not answer"),
        ("cat.md", "the shelf did not answer"),
    }
    assert ("away.md", "it went meanwhile") in {(item.item, item.reason) for item in report.skipped}
    assert not report.ok
    shelf.closed = True
    report = await run(cortex)
    assert (report.problem, report.deleted, report.complete) == ("the shelf is closed", 0, False)
    assert len(await documents(owner, "shelf")) == 3


async def test_another_place_or_layout_reads_everything_again(cortex: Cortex, shelf: Shelf) -> None:
    await run(cortex)
    for listed in (MEMORY.model_copy(update={"account": "you"}), MEMORY.model_copy(update={"layout": "{topic}/**"})):
        shelf.read.clear()
        await run(cortex, with_sources(cortex.settings, listed))
        assert len(shelf.read) == 3


async def test_a_folder_beside_it_is_synced_by_the_same_run(cortex: Cortex, shelf: Shelf, tmp_path: Path) -> None:
    write(tmp_path / "vault", {"a.md": "# A\n\nIn a folder."})
    folder = SourceSettings(name="vault", type="local", path=tmp_path / "vault")
    both = with_sources(cortex.settings, MEMORY, folder)
    shelf.closed = True
    reports = await sync(cortex.database, LOCAL_OWNER, both)
    assert [(report.name, report.added, report.ok) for report in reports] == [("shelf", 0, False), ("vault", 1, True)]
    assert folder_named(both, str(tmp_path)) == tmp_path.resolve()  # only folders are compared with a folder


async def test_the_page_is_told_what_it_can_do(client: httpx.AsyncClient, cortex: Cortex, shelf: Shelf) -> None:
    assert (await client.post("/api/sources/shelf/sync")).status_code == 202
    assert '"added": 3' in (await client.get("/api/sources/shelf/sync")).text
    told = {source["name"]: source for source in (await client.get("/api/sources")).json()["sources"]}
    assert (told["shelf"]["type"], told["shelf"]["syncable"], told["shelf"]["newer"]) == ("memory", True, None)
    assert told["notes"]["syncable"] is False


async def test_an_image_comes_from_it(client: httpx.AsyncClient, cortex: Cortex, owner: Owner, shelf: Shelf) -> None:
    await run(cortex)
    note, _ = (await documents(owner, "shelf"))["2026/Q1/week-03.md"]
    answer = await client.get(f"/api/documents/{note}/files/plan.png")
    assert (answer.status_code, answer.content) == (200, b"\x89PNG")
    shelf.images["other.png"] = b"no note embeds it"
    assert (await client.get(f"/api/documents/{note}/files/other.png")).status_code == 404
    shelf.images.clear()
    assert (await client.get(f"/api/documents/{note}/files/plan.png")).status_code == 404


async def test_newer_notes_are_counted_only_where_listing_costs_nothing(cortex: Cortex, shelf: Shelf) -> None:
    async def newer() -> int | None:
        told = await freshness(cortex.database, LOCAL_OWNER, cortex.settings)
        return next(source.newer for source in told if source.name == "shelf")

    await run(cortex)
    shelf.put(cat="longer", new="new")
    assert await newer() is None
    shelf.at_once = True
    assert await newer() == 2


def test_the_doctor_asks_the_source(settings: Settings, shelf: Shelf) -> None:
    assert check_source(settings, MEMORY).detail == "the shelf of me"
    shelf.closed = True
    check = check_source(settings, MEMORY)
    assert (check.ok, check.detail, check.mend) == (False, "the shelf is closed", "open it")
