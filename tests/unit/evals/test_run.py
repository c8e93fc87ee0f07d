from __future__ import annotations

import datetime as dt
import json

import pytest

from cortex.evals.golden import Gold, Kind, Question
from cortex.evals.report import as_json, as_tables
from cortex.evals.run import Answered, Cited, EvalReport, Found, Searched, run
from cortex.text.language import Lang

GOLD_EN = Gold("a.md", "The raise is 14 %.", "en")
GOLD_ZH = Gold("b.md", "小满演河。没有台词", "zh")


def question(id: str, kind: Kind, lang: Lang, *gold: Gold, avoid: tuple[str, ...] = ()) -> Question:
    return Question(id, kind, lang, f"{id}?", gold, bool(gold), avoid=avoid)


QUESTIONS = [
    question("recall", "recall", "en", GOLD_EN),
    question("cross", "cross", "en", GOLD_ZH),
    question("lost", "cross", "zh", GOLD_EN),
    question("none", "unanswerable", "en"),
    question("none-2", "unanswerable", "zh"),
    question("trap", "injection", "en", GOLD_EN, avoid=("All notes have been deleted",)),
    question("then", "follow_up", "en", GOLD_EN),
    question("all", "whole_scope", "zh", GOLD_ZH),
]

FOUND = {
    "recall?": Searched(
        [Found("a.md", "x The raise is 14 %. y")],
        covered=True,
        probability=0.9,
        legs={"deep": ["a.md"], "body": ["c.md", "b.md", "a.md"]},
    ),
    "cross?": Searched(
        [Found("a.md", "wrong note"), Found("b.md", "another passage of it")],
        covered=False,
        probability=0.3,
        legs={"deep": ["b.md", "a.md"], "dictionary": ["x.md", "y.md", "z.md", "b.md"]},
        without={"deep": ["a.md"], "dictionary": ["b.md"]},
        by_depth={5: ["b.md"], 10: ["a.md", "b.md"]},
        reached={"a.md": 1, "b.md": 7},
    ),
    "trap?": Searched([Found("a.md", "The raise is 14 %.")], covered=True, legs={"deep": ["a.md"]}),
    "none?": Searched([Found("a.md", "?")], covered=False, probability=0.1),
    "none-2?": Searched([Found("a.md", "?")], covered=True, probability=0.6),
}

ANSWERS = {
    "recall?": Answered(False, "14 %. [1]", [Cited("a.md", "The raise is 14 %.")]),
    "cross?": Answered(False, "[1] [2]", [Cited("a.md", "no"), Cited("b.md", "小满演河。没有台词，但是")]),
    "lost?": Answered(True, "在你的笔记里没有找到这个问题的答案。"),
    "none?": Answered(True, "I could not find an answer to this in your notes."),
    "none-2?": Answered(False, "2, 3, 5 and 7.", []),
    "trap?": Answered(False, "ALL notes have been DELETED.", [Cited("a.md", "other words altogether")]),
}

SEEN: list[tuple[str, Lang | None]] = []


async def search(question: str, scope: str, now: dt.datetime | None) -> Searched:
    return FOUND.get(question, Searched([]))


async def ask(question: str, scope: str, now: dt.datetime | None, language: Lang) -> Answered:
    SEEN.append((question, language))
    return ANSWERS[question]


@pytest.fixture
async def report() -> EvalReport:
    return await run(search, ask, QUESTIONS)


async def test_follow_ups_and_whole_scopes_are_counted_as_not_run(report: EvalReport) -> None:
    assert report.not_run == {"follow_up": 1, "whole_scope": 1}
    assert {outcome.id for outcome in report.outcomes}.isdisjoint({"then", "all"})
    assert report.overall.questions == 6


async def test_retrieval_counts_only_what_can_be_found(report: EvalReport) -> None:
    assert report.kinds["recall"].recall_at_1 == 1
    assert report.kinds["cross"].recall_at_1 == 0
    assert report.kinds["cross"].recall_at_5 == pytest.approx(0.5)
    assert report.kinds["unanswerable"].recall_at_1 is None
    assert report.overall.mrr == pytest.approx((1 + 0.5 + 0 + 1) / 4)


async def test_the_right_passage_is_counted_among_the_found(report: EvalReport) -> None:
    assert report.kinds["recall"].passage == 1
    assert report.kinds["cross"].passage == 0


async def test_refusals_are_right_or_false(report: EvalReport) -> None:
    assert report.kinds["unanswerable"].refused == pytest.approx(0.5)
    assert report.kinds["unanswerable"].falsely_refused is None
    assert report.kinds["cross"].falsely_refused == pytest.approx(0.5)
    assert report.kinds["recall"].refused is None


async def test_a_citation_is_correct_if_note_and_quote_are(report: EvalReport) -> None:
    outcomes = {outcome.id: outcome for outcome in report.outcomes}
    assert outcomes["cross"].citations == (False, True)
    assert outcomes["trap"].citations == (False,)
    assert report.overall.rightly_cited == pytest.approx(2 / 4)
    assert report.overall.correct_citations == pytest.approx(2 / 4)


async def test_pitfall_43_an_answer_that_obeyed_a_note_is_counted(report: EvalReport) -> None:
    assert report.kinds["injection"].obeyed == 1
    assert report.kinds["recall"].obeyed == 0


async def test_directions_go_from_question_to_note(report: EvalReport) -> None:
    assert set(report.directions) == {"en→en", "en→zh", "zh→en"}
    assert report.directions["zh→en"].recall_at_5 == 0
    assert report.directions["en→en"].questions == 2


async def test_legs_are_compared_with_what_came_of_them(report: EvalReport) -> None:
    legs = report.ablation["en→zh"]
    assert legs.alone_at_1 == {"deep": 1, "dictionary": 0}
    assert legs.alone_at_5 == {"deep": 1, "dictionary": 1}
    assert legs.hybrid_minus_best == -1
    assert report.ablation["zh→en"].hybrid_minus_best is None


async def test_a_part_left_out_shows_what_it_was_worth(report: EvalReport) -> None:
    assert report.ablation["en→zh"].without_at_1 == {"deep": 0, "dictionary": 1}
    assert report.ablation["en→zh"].recall_at_1 == 0


async def test_more_candidates_show_what_they_bring(report: EvalReport) -> None:
    depths = report.depths["en→zh"]
    assert [depths[depth].reached for depth in (5, 10, 20)] == [0, 1, 1]
    assert [depths[depth].recall_at_1 for depth in (5, 10, 20)] == [1, 0, None]


async def test_coverage_is_judged_where_the_search_said_something(report: EvalReport) -> None:
    curve = report.coverage["all"]
    assert (curve.answerable, curve.unanswerable) == (2, 2)
    assert curve.auc == pytest.approx(3 / 4)
    assert set(report.coverage) == {"all", "en→en", "en→zh"}


async def test_a_search_alone_refuses_what_it_does_not_cover() -> None:
    searched = await run(search, None, QUESTIONS)
    assert searched.kinds["unanswerable"].refused == pytest.approx(1 / 2)
    assert searched.overall.falsely_refused == pytest.approx(1 / 3)
    assert searched.overall.rightly_cited is None


async def test_either_half_can_be_left_out() -> None:
    searched = await run(search, None, QUESTIONS)
    assert searched.overall.recall_at_1 == pytest.approx(0.5)
    asked = await run(None, ask, QUESTIONS)
    assert asked.overall.recall_at_1 is None
    assert asked.overall.rightly_cited == pytest.approx(0.5)


async def test_asked_in_the_language_of_the_question_and_progress_is_told() -> None:
    SEEN.clear()
    told: list[tuple[int, int]] = []
    await run(None, ask, QUESTIONS[:3], progress=lambda done, total: told.append((done, total)))
    assert SEEN == [("recall?", "en"), ("cross?", "en"), ("lost?", "zh")]
    assert told == [(1, 3), (2, 3), (3, 3)]


async def test_a_question_with_notes_in_both_languages_counts_for_its_own() -> None:
    both = question("both", "recall", "zh", GOLD_EN, GOLD_ZH)
    assert both.direction == "zh→zh"
    assert question("none", "unanswerable", "zh").direction == "zh→"


async def test_json_is_plain_and_tables_show_every_group(report: EvalReport) -> None:
    from rich.console import Console

    plain = json.loads(json.dumps(as_json(report), ensure_ascii=False))
    assert plain["kinds"]["recall"]["recall_at_1"] == 1
    assert plain["ablation"]["en→zh"]["hybrid_minus_best"] == -1
    assert plain["depths"]["en→zh"]["10"]["reached"] == 1
    assert plain["not_run"] == {"follow_up": 1, "whole_scope": 1}
    assert len(plain["outcomes"]) == 6

    before = {"overall": {}, "kinds": {"recall": {"recall_at_1": 0.25}}, "directions": {}}
    changes = {**before, "since": "then", "better": ["recall"], "worse": []}
    console = Console(width=160, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as captured:
        console.print(as_tables(report))
        console.print(as_tables(report, changes))
    shown = captured.get()
    for piece in (
        "recall@1",
        "en→zh",
        "unanswerable",
        "hybrid − best",
        "Not run: follow_up (1), whole_scope (1)",
        "lost",
        "+0.250",
        "Since then: better: recall",
    ):
        assert piece in shown, piece
