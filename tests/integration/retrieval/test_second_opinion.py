"""A cross-encoder in a real search: what it reads, what it moves, where it shows, and that its absence is no error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.integration.conftest import Put
from tests.unit.providers.tiny_cross_encoder import write

from cortex.bootstrap import Cortex, assemble, open_cortex
from cortex.errors import Invalid
from cortex.library import LOCAL_OWNER
from cortex.providers import Reranker
from cortex.providers.fakes import FakeReranker
from cortex.providers.rerankers import CrossEncoder, open_reranker
from cortex.retrieval.results import SearchResult
from cortex.retrieval.scope import parse
from cortex.settings import RetrievalSettings, Settings

QUESTION = "Which soup did we cook?"


@pytest.fixture
async def soups(cortex: Cortex, put: Put) -> dict[str, int]:
    """Notes that all speak of soup."""
    notes = {
        "tomato": await put("tomato.md", "We did cook tomato soup with noodles when it rained.", title="Rain"),
        "bowl": await put(
            "bowl.md", "Which bowl is for soup? The blue one, and the soup spoon beside it.", title="Bowls"
        ),
        "pea": await put("pea.md", "Pea soup wants two hours; we have never had the patience.", title="Patience"),
        "chinese": await put("zh.md", "下雨天我们煮了番茄汤。", title="雨天"),
    }
    await cortex.drain()
    return notes


async def search(cortex: Cortex, reranker: Reranker | None = None) -> SearchResult:
    cortex = assemble(cortex.settings, cortex.database, cortex.embedders, reranker)
    return await cortex.retriever.search(LOCAL_OWNER, QUESTION, parse(""))


async def test_it_reads_the_found_passages_and_shows_where_it_put_them(cortex: Cortex, soups: dict[str, int]) -> None:
    plain, fake = await search(cortex), FakeReranker()
    reread = await search(cortex, fake)
    asked, texts = fake.asked[0]
    assert asked == QUESTION
    assert sorted(text.partition("\n")[0] for text in texts) == ["Bowls", "Patience", "Rain", "雨天"]
    assert {hit.document_id for hit in reread.hits} == {hit.document_id for hit in plain.hits} == set(soups.values())
    assert sorted(hit.legs["cross_encoder"].rank for hit in reread.hits) == [1, 2, 3, 4]
    assert "cross_encoder" in reread.timings_ms
    assert "cross_encoder" not in plain.timings_ms
    assert reread.coverage == plain.coverage


async def test_the_passage_that_it_prefers_rises(cortex: Cortex, soups: dict[str, int]) -> None:
    first, second = [hit for hit in (await search(cortex)).hits if hit.lang == "en"][:2]
    best = await search(cortex, FakeReranker(lambda question, text: 9.0 if second.passage.text in text else -9.0))
    scores = {hit.document_id: hit.score for hit in best.hits}
    assert scores[second.document_id] - scores[first.document_id] > second.score - first.score + 2
    assert next(h for h in best.hits if h.document_id == second.document_id).legs["cross_encoder"].rank == 1


async def test_a_real_model_of_a_folder_rereads(
    cortex: Cortex, soups: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    tiny = write(tmp_path / "tiny", ["soup", "did", "we", "cook", "番茄"])
    hits = (await search(cortex, open_reranker(f"fastembed:{tiny}", tmp_path / "models"))).hits
    scores = {hit.title: hit.legs["cross_encoder"].score for hit in hits}
    assert scores == {"Rain": 3.0, "Bowls": 2.0, "Patience": 2.0, "雨天": 0.0}


async def test_a_model_that_cannot_be_loaded_never_stops_a_search(cortex: Cortex, soups: dict[str, int]) -> None:
    def load() -> Callable[[str, list[str]], Any]:
        raise OSError("no network")

    plain, left_alone = await search(cortex), await search(cortex, CrossEncoder("fastembed:far/away", load))
    assert [hit.document_id for hit in left_alone.hits] == [hit.document_id for hit in plain.hits]
    assert all("cross_encoder" not in hit.legs for hit in left_alone.hits)


async def test_a_configuration_that_cannot_work_is_said_before_anything_starts(tmp_path: Path) -> None:
    named = RetrievalSettings(cross_encoder="fastembed:/nowhere/model")
    with pytest.raises(Invalid, match=r"retrieval\.cross_encoder: there is no folder"):
        async with open_cortex(Settings(data=tmp_path / "data", retrieval=named)):
            pass
    assert not (tmp_path / "data").exists()
