"""What is in the trash, or was written by a model, is in no answer, and costs the search of everything else nothing."""

from __future__ import annotations

import pytest

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER, notes
from cortex.library.drafts import draft
from cortex.retrieval import _scope_repository, legs
from cortex.retrieval._scope_repository import Where
from cortex.retrieval.results import SearchResult
from cortex.retrieval.scope import parse

THINGS = ("boat", "harbour", "lantern", "rope", "anchor", "sail", "compass", "chart", "tide", "cabin")
QUESTION = "Which rope is at the harbour?"


@pytest.fixture
async def half_hidden(cortex: Cortex) -> Cortex:
    """Sixty notes of which every second one is hidden, the best ones for the question among them."""
    for n in range(60):
        thing = THINGS[n % 10]
        text = f"The {thing} number {n} is blue. It hangs in the harbour beside the old rope {n % 7}. 港口的绳子 {n}。"
        origin: notes.Origin = "answer" if n % 4 == 1 else "person"
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            note, _ = await notes.create(tx, LOCAL_OWNER, draft(f"{thing} {n}", text, most_bytes=9999), origin=origin)
        if n % 4 == 3:
            async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
                await notes.trash(tx, LOCAL_OWNER, note.id)
        if n == 30:
            await cortex.drain()  # half of the trash was indexed before it was thrown away
    await cortex.drain()
    return cortex


async def found(cortex: Cortex) -> SearchResult:
    return await cortex.retriever.search(LOCAL_OWNER, QUESTION, parse(""), limit=100, list_legs=True)


async def inside(cortex: Cortex) -> Where:
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        return await _scope_repository.where(tx, LOCAL_OWNER, parse(""))


async def test_leaving_them_out_late_finds_what_leaving_them_out_early_does(
    half_hidden: Cortex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legs, "EXACT_WHOLE", 0)  # as in a large library: the index of vectors is asked
    late = await found(half_hidden)
    where = await inside(half_hidden)
    assert (where.everything, where.documents, len(where.hidden)) == (True, 30, 30)
    monkeypatch.setattr(_scope_repository, "_MOST_HIDDEN", {"most": 0, "most_passages": 0})
    early = await found(half_hidden)
    assert not (await inside(half_hidden)).everything
    assert late.in_scope == early.in_scope == len(late.hits) == 30
    assert [hit.document_id for hit in late.hits] == [hit.document_id for hit in early.hits]
    assert late.legs is not None
    assert early.legs is not None
    listed = {leg: {entry.document_id for entry in entries} for leg, entries in late.legs.items()}
    assert listed == {leg: {entry.document_id for entry in entries} for leg, entries in early.legs.items()}
    assert all(ids.isdisjoint(where.hidden) for ids in listed.values())


async def test_notes_that_are_hidden_by_the_hundred_do_not_hide_the_others(
    half_hidden: Cortex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that an index brings first may be hidden: then it is asked for more."""
    monkeypatch.setattr(legs, "EXACT_WHOLE", 0)
    monkeypatch.setattr(legs, "DEPTH", 5)
    whole = await found(half_hidden)
    where = await inside(half_hidden)
    assert whole.hits
    assert all(hit.document_id not in where.hidden for hit in whole.hits)
    assert whole.legs is not None
    assert len(whole.legs["body"]) == 5
    assert len(whole.legs["deep"]) >= 5
