"""The time of a question as the scope of its answer, by the asker's day; and copies folded (UX W2, W6)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from tests.integration.conftest import Put

from cortex.answering import stream
from cortex.answering.answer import AskRequest
from cortex.answering.day import asked_on
from cortex.bootstrap import Cortex
from cortex.errors import Invalid
from cortex.library import LOCAL_OWNER

NOW = dt.datetime(2026, 5, 20, 9, tzinfo=dt.UTC)
KITTENS = "Our cat had {} kittens under the stairs. We kept two of them and found homes for the others within a month."


async def ask(cortex: Cortex, question: str, **fields: Any) -> list[stream.Event]:
    answer_id = await cortex.answerer.ask(LOCAL_OWNER, AskRequest(question, **{"now": NOW, **fields}))
    return [event async for event in stream.follow(cortex.database, LOCAL_OWNER, answer_id, bell=cortex.answerer.bell)]


async def sources(cortex: Cortex, question: str, **fields: Any) -> dict[str, Any]:
    return (await ask(cortex, question, **fields))[0].data


@pytest.fixture
async def years(cortex: Cortex, put: Put) -> None:
    await put("old.md", KITTENS.format("four"), date="2024-05-03", period=20242)
    await put("new.md", KITTENS.format("five"), date="2025-05-04", period=20252)
    await put("quarter.md", "In spring the garden had tulips, and the cat slept in them.", period=20252)
    await put("undated.md", KITTENS.format("six"))
    await put("week.md", "The shelf is up. Paint next.", date="2026-05-11", period=20262, kind="weekly")
    await cortex.drain()


async def test_the_time_of_a_question_becomes_an_inferred_term(cortex: Cortex, years: None) -> None:
    """PITFALLS 16: what "time" means is shown."""
    shown = await sources(cortex, "How many kittens did the cat have last year?")
    assert shown["scope"] == "date:2025-01-01..2025-12-31"
    assert shown["scope_terms"] == [
        {"term": "date:2025-01-01..2025-12-31", "label_en": "2025", "label_zh": "2025年", "inferred": True}
    ]
    # A note without a date counts by its quarter; one without either is not of that time.
    assert {source["title"] for source in shown["sources"]} == {"new", "quarter"}
    assert shown["in_scope"] == 2


async def test_taking_the_guessed_chip_off_asks_everything(cortex: Cortex, years: None) -> None:
    shown = await sources(cortex, "How many kittens did the cat have last year?", times="off")
    assert (shown["scope"], shown["scope_terms"], shown["in_scope"]) == ("", [], 5)


async def test_a_chosen_time_stays_as_it_was_chosen(cortex: Cortex, years: None) -> None:
    shown = await sources(cortex, "How many kittens did the cat have last year?", scope="date:2024-01-01..2024-12-31")
    assert [term["inferred"] for term in shown["scope_terms"]] == [False]
    assert {source["title"] for source in shown["sources"]} == {"old"}


async def test_an_inferred_time_joins_a_chosen_scope_of_another_kind(cortex: Cortex, years: None) -> None:
    shown = await sources(cortex, "2024年5月猫生了几只小猫？", scope="source:vault")
    assert shown["scope"] == "source:vault;date:2024-05-01..2024-05-31"
    assert [term["inferred"] for term in shown["scope_terms"]] == [False, True]


@pytest.mark.parametrize(
    "question", ["Who had kittens in 1998?", "1998年谁有小猫？", "Who has had kittens since 1950?"]
)
async def test_a_time_of_which_there_is_no_note_is_dropped(cortex: Cortex, years: None, question: str) -> None:
    assert (await sources(cortex, question))["scope"] == ""


async def test_a_picked_note_is_read_whatever_its_date(cortex: Cortex, years: None) -> None:
    first = await sources(cortex, "How many kittens did the cat have in 2024?")
    picked = f"note:{first['sources'][0]['document_id']}"
    assert (await sources(cortex, "How many kittens last year?", scope=picked))["scope"] == picked


@pytest.mark.parametrize("question", ["What did I write last week?", "上周我写了什么？"])
async def test_a_question_for_a_time_alone_is_answered_by_what_is_of_that_time(
    cortex: Cortex, years: None, question: str
) -> None:
    got = await ask(cortex, question)
    assert {source["title"] for source in got[0].data["sources"]} == {"week"}
    assert got[0].data["coverage"] == "strong"
    assert got[-1].data["refused"] is False


async def test_last_week_is_the_askers_last_week(cortex: Cortex, years: None) -> None:
    """Sunday evening in Vancouver is Monday in Shanghai."""
    sunday_night = dt.datetime(2026, 5, 18, 3, tzinfo=dt.UTC)
    vancouver = await sources(cortex, "What did I write this week?", tz="America/Vancouver", now=sunday_night)
    shanghai = await sources(cortex, "What did I write last week?", tz="Asia/Shanghai", now=sunday_night)
    assert vancouver["scope"] == shanghai["scope"] == "date:2026-05-11..2026-05-17"


@pytest.mark.parametrize("tz", ["", "Mars/Olympus", "America", "../../etc/passwd", "/etc/localtime", "UTC\0", "\ud800"])
async def test_an_unknown_zone_is_refused(cortex: Cortex, tz: str) -> None:
    with pytest.raises(Invalid, match="IANA"):
        await cortex.answerer.ask(LOCAL_OWNER, AskRequest("What did I write?", tz=tz))


def test_without_a_zone_the_day_is_that_of_the_given_moment_or_of_this_machine() -> None:
    late = dt.datetime(2026, 5, 20, 23, tzinfo=dt.timezone(dt.timedelta(hours=-7)))
    assert asked_on(None, late) == dt.date(2026, 5, 20)
    assert asked_on("Asia/Shanghai", late) == dt.date(2026, 5, 21)
    assert abs(asked_on(None) - dt.datetime.now().astimezone().date()) <= dt.timedelta(days=1)


async def test_one_note_in_three_sources_is_one_source_that_names_the_others(cortex: Cortex, put: Put) -> None:
    ids = [await put(f"{name}.md", KITTENS.format("four"), title=name) for name in ("obsidian", "notion", "drive")]
    await put("shelf.md", "The shelf in the kitchen is up at last, and the paint for it is bought.")
    await cortex.drain()
    shown = await sources(cortex, "How many kittens did the cat have?")
    first, *others = shown["sources"]
    assert {first["document_id"], *(other["document_id"] for other in first["also_in"])} == set(ids)
    assert set(first["also_in"][0]) == {"document_id", "title", "url", "source"}
    assert [source["title"] for source in others] == ["shelf"]
    assert shown["read"] == 2
