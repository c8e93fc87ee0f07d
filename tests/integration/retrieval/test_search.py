"""Search over a real library: both languages, scopes, words that stand in one body, and text that has gone."""

from __future__ import annotations

import pytest
from tests.integration.conftest import Put

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER
from cortex.retrieval.results import SearchResult
from cortex.retrieval.scope import parse


async def search(cortex: Cortex, question: str, scope: str = "", **options: bool) -> SearchResult:
    return await cortex.retriever.search(LOCAL_OWNER, question, parse(scope), **options)


async def titles(cortex: Cortex, question: str, scope: str = "") -> list[str]:
    return [hit.title for hit in (await search(cortex, question, scope)).hits]


@pytest.fixture
async def diary(cortex: Cortex, put: Put) -> dict[str, int]:
    """A small mixed library."""
    notes = {
        "kafka": await put("kafka.md", "最后没有用 Kafka，运维成本太高；先用 Postgres 的一张表。", title="队列选型",
                           kind="topic", topic="Kafka", date="2026-01-14", period=20261, tags=("工作",)),
        "cat": await put("cat.md", "Our cat Mimi had kittens under the stairs. We kept two of them.", title="Kittens",
                         date="2025-11-02", period=20254, tags=("home",)),
        "week": await put("week.md", "# Week 3\n\nRepaired the bicycle and read half of a book about tides.", title="2026 W03",
                          kind="weekly", date="2026-01-12", period=20261),
        "rain": await put("rain.md", "今天下雨，我们在家里做了面条和番茄汤。", title="雨天"),
    }  # fmt: skip
    await cortex.drain()
    return notes


async def test_each_language_finds_the_other(cortex: Cortex, diary: dict[str, int]) -> None:
    assert (await titles(cortex, "Why did we decide against Kafka?"))[0] == "队列选型"
    assert (await titles(cortex, "小猫留下了几只？"))[0] == "Kittens"
    assert (await titles(cortex, "What soup did we cook when it rained?"))[0] == "雨天"


async def test_a_hit_names_its_place_and_its_legs(cortex: Cortex, diary: dict[str, int]) -> None:
    result = await search(cortex, "Kafka 运维成本", list_legs=True)
    hit = result.hits[0]
    assert (hit.document_id, hit.kind, hit.topic, hit.period, hit.lang) == (
        diary["kafka"],
        "topic",
        "Kafka",
        20261,
        "zh",
    )
    assert hit.passage.text[:4] == "最后没有"
    assert hit.passage.start == 0
    assert hit.legs["body"].rank == hit.legs["deep"].rank == hit.legs["sentence"].rank == 1
    assert "cross_encoder" not in hit.legs
    assert result.legs is not None
    assert set(result.legs) == {"deep", "fast", "title", "body", "dictionary"}
    assert result.legs["body"][0].document_id == diary["kafka"]
    assert {"understand", "legs", "judge", "details"} <= set(result.timings_ms)


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("weekly", {"2026 W03"}),
        ("weekly:20261-20261", {"2026 W03"}),
        ("weekly:20254-20254", set()),
        ("topic:kafka", {"队列选型"}),
        ("tag:home", {"Kittens"}),
        ("tag:工作;topic:Kafka", {"队列选型"}),
        ("tag:工作;weekly", set()),
        ("date:2025-11-01..2025-11-30", {"Kittens"}),
        ("date:2026-01-16..2026-01-20", {"2026 W03"}),
        ("source:vault", {"队列选型", "Kittens", "2026 W03", "雨天"}),
        ("origin:answer", set()),
    ],
)
async def test_a_scope_holds_in_every_leg(
    cortex: Cortex, diary: dict[str, int], scope: str, expected: set[str]
) -> None:
    result = await search(cortex, "Kafka cat bicycle 下雨", scope, list_legs=True)
    assert {hit.title for hit in result.hits} == expected
    assert result.in_scope == len(expected)
    assert {entry.title for leg in (result.legs or {}).values() for entry in leg} <= expected


async def test_one_note_can_be_asked_alone(cortex: Cortex, diary: dict[str, int]) -> None:
    assert await titles(cortex, "Kafka", f"note:{diary['cat']}") == ["Kittens"]


async def test_a_word_that_stands_in_one_body_is_not_drowned_by_titles(cortex: Cortex, put: Put) -> None:
    for n in range(25):
        await put(f"{n}.md", f"Remarks on something else, number {n}: gardens, tides, letters.", title=f"Lantern {n}")
    answer = await put("answer.md", "The lantern battery is a CR2450 and lasts eleven months.", title="Parts drawer")
    await cortex.drain()
    result = await search(cortex, "Which battery does the lantern take?")
    assert answer in [hit.document_id for hit in result.hits[:5]]


async def test_a_long_note_is_judged_by_its_best_passage(cortex: Cortex, put: Put) -> None:
    filler = "\n\n".join(
        f"## Day {n}\n\n" + "We walked along the river and talked about the weather. " * 18 for n in range(9)
    )
    note = await put("long.md", filler + "\n\n## Boiler\n\nThe boiler shows error E17 when the filter is clogged.\n")
    await put("other.md", "The river was high and the weather was fine.")
    await cortex.drain()
    hit = (await search(cortex, "What does boiler error E17 mean?")).hits[0]
    assert hit.document_id == note
    assert "E17" in hit.passage.text


@pytest.mark.parametrize(
    "question", ["?", "the of and", "的", "猫", "🦔", "a" * 2000, "'; DROP TABLE x; --", "\u0000x"[1:]]
)
async def test_odd_questions_are_answered_not_broken(cortex: Cortex, diary: dict[str, int], question: str) -> None:
    await search(cortex, question)


async def test_an_empty_library_finds_nothing(cortex: Cortex) -> None:
    result = await search(cortex, "anything", list_legs=True)
    assert (result.hits, result.coverage.level, result.in_scope) == ([], "none", 0)


async def test_one_note_of_the_other_language_is_found_among_many(cortex: Cortex, put: Put) -> None:
    """A library has no centre of its own for a language that one note is written in: the shipped one has to do."""
    for n in range(40):
        await put(f"{n}.md", f"Meeting {n}: budget, roof repairs, the choir and the school trip. Nothing was decided.")
    chinese = await put("zh.md", "钥匙放在门口的花盆下面。")
    await cortex.drain()
    assert [hit.document_id for hit in (await search(cortex, "Where did I leave the key?")).hits[:3]].count(
        chinese
    ) == 1
