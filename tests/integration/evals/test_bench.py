"""A small synthetic library, filled, searched and compared with exact answers."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from cortex.evals.bench import _filling_repository as repository
from cortex.evals.bench import filling, searching
from cortex.library import LOCAL_OWNER
from cortex.providers.bundled import open_bundled
from cortex.retrieval import _bm25, legs
from cortex.retrieval.scope import parse
from cortex.retrieval.search import Retriever
from cortex.storage import Database

PASSAGES = 200
QUESTIONS = ["How long does Pelican's nightly rebuild take now?", "小满的压岁钱是多少？"]


@pytest.fixture
async def retriever(owner: psycopg.AsyncConnection[Any], database: Database) -> Retriever:
    await filling.fill(owner, PASSAGES)
    return Retriever(database, open_bundled())


async def test_a_filled_library_is_whole(owner: psycopg.AsyncConnection[Any], retriever: Retriever) -> None:
    assert await repository.filled(owner) == PASSAGES
    indexes = await (await owner.execute("SELECT count(*) FROM pg_indexes WHERE schemaname = 'ai'")).fetchone()
    assert indexes is not None
    assert indexes[0] >= 20
    unlike = await owner.execute(
        "SELECT count(*) FROM ai.passages p JOIN library.documents d ON d.id = p.document_id"
        " WHERE substr(d.text, p.start_at + 1, p.end_at - p.start_at) <> p.text OR cardinality(p.terms) <>"
        " (SELECT count(*) FROM ai.postings o WHERE o.passage_id = p.id)"
    )
    assert await unlike.fetchone() == (0,)


async def test_stages_are_timed_and_small_libraries_are_searched_exactly(
    owner: psycopg.AsyncConnection[Any], retriever: Retriever
) -> None:
    found = await searching.stages(retriever, QUESTIONS, "")
    assert {"understand", "legs", "judge", "details", "search"} <= set(found)
    assert found["search"].n == len(QUESTIONS)
    for scope in ("", "topic:thirty"):
        assert await searching.recall(retriever, owner, QUESTIONS, scope) == {"deep": 1.0, "fast": 1.0}


async def test_the_index_under_a_wide_scope_finds_what_comparing_all_finds(
    owner: psycopg.AsyncConnection[Any], retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legs, "EXACT_BELOW", 1)
    monkeypatch.setattr(legs, "EXACT_WHOLE", 1)
    for scope in ("", "topic:thirty"):
        found = await searching.recall(retriever, owner, QUESTIONS, scope)
        assert min(found.values()) > 0.9


def test_the_report_is_printed() -> None:
    from rich.console import Console

    from cortex.evals.bench.report import as_tables

    times = {"p50_ms": 1.0, "p95_ms": 2.0, "n": 3}
    library = {"passages": 200, "filled": {"rows": 1}, "bytes": {"ai.passages": 10**6}, "yardstick": times,
               "search": {"quiet": {"search": times, "recall": {"deep": 1.0}}}}  # fmt: skip
    report = {"libraries": [library], "machine": {"cores": 2}, "peers": [{"passages": 200, "Chroma": {"skipped": "not installed"},
              "LanceDB": {"build_s": 1, "recall": 1.0, **times}}]}  # fmt: skip
    with (console := Console(width=160)).capture() as printed:
        console.print(as_tables(report))
    for part in ("200 passages", "1 / 2", "not installed", "LanceDB", "cores"):
        assert part in printed.get()


@pytest.mark.parametrize("scope", ["", "topic:thirty"])
async def test_looking_frequent_words_up_gives_the_scores_of_reading_them(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    for question in QUESTIONS:
        whole = await retriever.legs(LOCAL_OWNER, question, parse(scope))
        with monkeypatch.context() as patched:
            patched.setattr(_bm25, "ALL", 0)
            patched.setattr(_bm25, "ENOUGH", 1)
            looked_up = await retriever.legs(LOCAL_OWNER, question, parse(scope))
        for key in whole.rows:
            scores = {row.passage_id: row.score for row in whole.rows[key]}
            both = [row for row in looked_up.rows[key] if row.passage_id in scores]
            assert len(looked_up.rows[key]) == len(whole.rows[key]) <= legs.DEPTH
            assert all(row.score == pytest.approx(scores[row.passage_id]) for row in both if key[0] != "title")
