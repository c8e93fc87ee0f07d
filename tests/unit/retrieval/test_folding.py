"""Near-identical passages take one place among the sources (UX W6)."""

from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st

from cortex.retrieval.folding import fold
from cortex.retrieval.results import Hit, PassageRef

STORY = (
    "We had three candidates for the queue and wrote them down. In the end Kafka was too costly to run, so one table of Postgres "
    "holds the jobs, and a worker takes them with SKIP LOCKED. Nobody has missed the old one since, not even on the busy days."
)
CHINESE = "之前考虑过三种方案，都写了下来。最后没有用 Kafka，运维成本太高；先用 Postgres 的一张表，等真的不够了再说，到现在一直够用。"


def hit(number: int, text: str, title: str = "", source: str = "vault") -> Hit:
    passage = PassageRef(number, text, 0, len(text), (), "", uuid.UUID(int=number))
    return Hit(
        document_id=number, version=1, title=title or f"Note {number}", url=f"file:///{number}", open_url=None, source=source,
        external_id=str(number), kind="note", lang="en", date=None, period=None, topic=None, passage=passage, score=-number,
    )  # fmt: skip


def ids(hits: list[Hit]) -> list[tuple[int, list[int]]]:
    return [(folded.hit.document_id, [other.document_id for other in folded.also_in]) for folded in fold(hits)]


def test_one_note_copied_to_three_sources_is_one_hit() -> None:
    copies = [
        hit(1, STORY, source="obsidian"),
        hit(2, "Another text altogether, about cats."),
        hit(3, STORY, source="notion"),
    ]
    assert ids([*copies, hit(4, f"  {STORY}\n", source="drive")]) == [(1, [3, 4]), (2, [])]


def test_layout_case_and_a_changed_word_make_no_other_text() -> None:
    changed = STORY.replace("busy", "quiet").replace("Kafka", "**KAFKA**")
    assert ids([hit(1, STORY), hit(2, changed)]) == [(1, [2])]
    assert ids([hit(1, CHINESE), hit(2, CHINESE.replace("，", ",\n") + "🙂")]) == [(1, [2])]


def test_a_text_that_says_something_else_stays() -> None:
    assert ids([hit(1, STORY), hit(2, STORY[: len(STORY) // 2])]) == [(1, []), (2, [])]
    assert ids([hit(1, STORY), hit(2, STORY.replace("Postgres", "Redis").replace("Kafka", "RabbitMQ"))]) == [
        (1, []),
        (2, []),
    ]
    assert ids([hit(1, CHINESE), hit(2, STORY)]) == [(1, []), (2, [])]


def test_short_passages_fold_only_under_one_title() -> None:
    assert ids([hit(1, "Done."), hit(2, "Done.")]) == [(1, []), (2, [])]
    assert ids([hit(1, "Done.", "Passport"), hit(2, "Done.", "passport")]) == [(1, [2])]


def test_the_best_stays_and_the_order_too() -> None:
    assert ids([hit(7, CHINESE), hit(3, STORY), hit(5, CHINESE), hit(4, STORY)]) == [(7, [5]), (3, [4])]


@given(st.lists(st.sampled_from(["", "a", "🐈", STORY, CHINESE, STORY + "!", CHINESE[:50]]), max_size=12))
def test_no_hit_is_lost(texts: list[str]) -> None:
    folded = fold([hit(number, text) for number, text in enumerate(texts)])
    assert sorted(h.document_id for f in folded for h in (f.hit, *f.also_in)) == list(range(len(texts)))
