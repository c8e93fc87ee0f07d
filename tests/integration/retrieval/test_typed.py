"""Notes are found while somebody types."""

from __future__ import annotations

import pytest
from tests.integration.conftest import Put

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER, notes
from cortex.library.drafts import draft
from cortex.retrieval.typed import matching

NOTES = {
    "Greenhouse": "The pump broke on Tuesday; its seals were worn.",
    "队列选型": "最後沒有用 Kafka，運維成本太高。",
    "100% sure_thing": "Percent and underscore \\ backslash.",
    "Long": "word " * 3000 + "needle in the haystack",
}


@pytest.fixture
async def filled(cortex: Cortex, put: Put) -> Cortex:
    for title, body in NOTES.items():
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await notes.create(tx, LOCAL_OWNER, draft(title, body, most_bytes=100_000))
    await put("mirror.md", "The pump of the mirror broke on Tuesday.")
    await cortex.drain()
    return cortex


async def typed(cortex: Cortex, words: str) -> set[str]:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        ids = await matching(tx, LOCAL_OWNER, words)
        return {note.title for note in (await notes.of_ids(tx, LOCAL_OWNER, ids)).values()}


TYPED = {
    "pump": {"Greenhouse"},
    "greenh": {"Greenhouse"},
    "PUMP  broke": {"Greenhouse"},
    "the pump bro": {"Greenhouse"},
    "seal": {"Greenhouse"},
    "broken pumps": set(),
    "greenhouse pump": {"Greenhouse"},
    "pump Kafka": set(),
    "运维": {"队列选型"},
    "沒有用 kafka": {"队列选型"},
    "needle": {"Long"},
    "needle in the hay": {"Long"},
    "100%": {"100% sure_thing"},
    "e_t": {"100% sure_thing"},
    "%": {"100% sure_thing"},
    "\\": {"100% sure_thing"},
    "nowhere": set(),
    "\0": set(),
    " ": set(),
}


async def test_what_is_typed_so_far_finds_the_notes_that_hold_it(filled: Cortex) -> None:
    assert {words: await typed(filled, words) for words in TYPED} == TYPED


async def test_a_note_is_found_before_it_is_indexed(filled: Cortex) -> None:
    async with filled.database.transaction("app", LOCAL_OWNER) as tx:
        await notes.create(tx, LOCAL_OWNER, draft("New", "A brand-new zeppelin.", most_bytes=1000))
    assert await typed(filled, "zepp") == {"New"}
