"""Passages: verbatim, named by what they hold, told apart where a text repeats itself."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.indexing.passages import Passage, Source, build, embedded_text, text_hash
from cortex.settings import ChunkingSettings

SETTINGS = ChunkingSettings()


def source(text: str, title: str = "Harbour", **fields: Any) -> Source:
    values: dict[str, Any] = {
        "document_id": 1,
        "version": 1,
        "lang": "en",
        "kind": "note",
        "period": None,
        "topic": None,
    }
    return Source(title=title, text=text, **{**values, **fields})


def cut(text: str, **fields: Any) -> list[Passage]:
    return build(source(text, **fields), SETTINGS, lambda part: len(part) // 3)


PARAGRAPH = "The tide came in before noon and the boats lay still. " * 12
LONG = "\n\n".join(f"{PARAGRAPH}{n}" for n in range(6))


def test_pitfall_7_a_repeated_text_is_told_apart_by_its_occurrence() -> None:
    passages = cut("\n\n".join(["Same line of text. " * 55] * 3))
    assert len(passages) == 3
    assert len({p.text for p in passages}) < 3 or len({p.start for p in passages}) == 3
    assert len({p.id for p in passages}) == 3


def test_ids_stay_where_the_text_stays() -> None:
    before, after = cut(LONG), cut(LONG.replace("still. 5", "still. X") + "\n\nAnd more.")
    assert len({p.id for p in before} & {p.id for p in after}) >= len(before) - 2


def test_ids_differ_between_documents_and_hashes_do_not() -> None:
    one, other = cut(LONG), cut(LONG, document_id=2)
    assert not {p.id for p in one} & {p.id for p in other}
    assert [p.hash for p in one] == [p.hash for p in other]


def test_a_title_is_in_the_embedding_and_not_in_the_text() -> None:
    one, other = cut(PARAGRAPH, title="Harbour log"), cut(PARAGRAPH, title="Tide tables")
    assert one[0].text == other[0].text
    assert one[0].hash != other[0].hash
    assert embedded_text(one[0].prefix, one[0].text).startswith("Harbour log")
    assert one[0].hash == text_hash(embedded_text(one[0].prefix, one[0].text))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=600))
def test_every_passage_is_verbatim(text: str) -> None:
    for passage in cut(text):
        assert text[passage.start : passage.end] == passage.text
        assert passage.length == sum(passage.terms.values())
        assert -(2**63) <= passage.id < 2**63
