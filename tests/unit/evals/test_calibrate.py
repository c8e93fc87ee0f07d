"""Fits find weights that made the data; draws keep one language of each paragraph."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cortex.errors import Invalid
from cortex.evals import parallel
from cortex.evals.calibrate import Case, case, coverage_features, report
from cortex.evals.fitting import choice, logistic
from cortex.retrieval import constants, coverage
from cortex.retrieval.candidates import Judged, Trace
from cortex.retrieval.fusion import Candidate, Fused, fuse
from cortex.retrieval.legs import Found

RANDOM = np.random.default_rng(7)


def test_a_logistic_regression_finds_the_weights_behind_the_labels() -> None:
    rows = np.column_stack([np.ones(6000), RANDOM.normal(size=(6000, 2))])
    odds = rows @ np.array([-1.0, 2.0, 0.0])
    labels = (RANDOM.random(6000) < 1 / (1 + np.exp(-odds))).astype(float)
    assert logistic(rows, labels, np.ones(6000)) == pytest.approx([-1.0, 2.0, 0.0], abs=0.15)


def test_rows_that_count_more_move_the_fit_more() -> None:
    rows, labels = np.ones((2, 1)), np.array([1.0, 0.0])
    assert logistic(rows, labels, np.array([3.0, 1.0])) == pytest.approx([np.log(3)], abs=1e-3)


def test_separable_data_ends_in_finite_weights() -> None:
    rows = np.column_stack([np.ones(4), [0.0, 0.1, 0.9, 1.0]])
    fitted = logistic(rows, np.array([0.0, 0.0, 1.0, 1.0]), np.ones(4))
    assert np.isfinite(fitted).all()
    assert fitted[1] > 0


def test_a_choice_among_several_finds_the_weights_behind_it() -> None:
    groups = [RANDOM.normal(size=(8, 2)) for _ in range(3000)]
    chosen = []
    for rows in groups:
        odds = rows @ np.array([1.5, -0.5])
        taken = RANDOM.choice(8, p=np.exp(odds) / np.exp(odds).sum())
        chosen.append(np.arange(8) == taken)
    assert choice(groups, chosen) == pytest.approx([1.5, -0.5], abs=0.15)


def ranked(*deep: float) -> list[Judged]:
    scored = fuse([Candidate("en", deep=value, fast=value / 2, body=value / 9) for value in deep], {}, "en")
    features = [{**one.features, "deep": value} for one, value in zip(scored, deep, strict=True)]
    return [Judged(n, n, "en", 0, Fused(deep[n], feature)) for n, feature in enumerate(features)]


def test_coverage_is_taught_by_what_it_looks_at() -> None:
    found = ranked(5.0, 3.0, 1.0)
    features = coverage_features(found)
    odds = sum(weight * features[name] for name, weight in constants.COVERAGE.items())
    judged = coverage.judge("en", [(one.lang, one.fused) for one in found])
    assert judged.probability == pytest.approx(1 / (1 + np.exp(-odds)))


def test_taking_documents_away_leaves_the_others_in_their_order() -> None:
    trace = Trace("en", Found(), ranked(1.0, 9.0, 5.0), {})
    kept = case(trace, {2}, answerable=True, keep={0, 2})
    assert [one.document_id for one in kept.ranked] == [2, 0]
    assert kept.right == [True, False]


def test_the_report_prints_constants_as_they_are_written() -> None:
    cases = [Case(ranked(4.0 + RANDOM.random(), 1.0), [True, False], True) for _ in range(20)]
    cases += [Case(ranked(1.0 + RANDOM.random(), 1.0), [False, False], False) for _ in range(20)]
    told = report({"made up": cases})
    written: dict[str, object] = {}
    exec(told, written)  # the lines that do not assign are comments
    assert list(written["COVERAGE"]) == list(constants.COVERAGE)  # type: ignore[call-overload]
    assert list(written["FUSION"]) == list(constants.FUSION)  # type: ignore[call-overload]
    assert "made up, same language, refitted: AUC 1.000" in told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    paragraphs = [(f"p{n}", "First" if n < 4 else "Second") for n in range(8)]
    for lang in parallel.LANGS:
        rows = [{"id": key, "title": title, "text": f"{key} {lang}"} for key, title in paragraphs]
        (tmp_path / f"corpus_{lang}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    asked = [{"paragraph_id": key, "question_en": f"{key}?", "question_zh": f"{key}？"} for key, _ in paragraphs]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    return tmp_path


def test_only_the_first_half_of_the_articles_is_used(folder: Path) -> None:
    material = parallel.load(folder)
    assert set(material.articles.values()) == {"First"}
    assert {question.paragraph for question in material.questions} == {"p0", "p1", "p2", "p3"}
    assert len(material.questions) == 8


def test_a_draw_has_each_paragraph_once_and_draws_differ(folder: Path) -> None:
    material = parallel.load(folder)
    assert material.drawn("en") == {"p0.en.md", "p1.en.md", "p2.en.md", "p3.en.md"}
    for draw in parallel.DRAWS:
        assert {name.split(".")[0] for name in material.drawn(draw)} == set(material.articles)
        assert len(material.drawn(draw)) == 4
    assert len({material.drawn(draw) for draw in parallel.DRAWS}) > 3


def test_written_notes_are_what_draws_name(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    material, vault = parallel.load(folder), tmp_path_factory.mktemp("vault")
    material.write(vault)
    names = {path.name for path in vault.iterdir()}
    assert names == material.drawn("en") | material.drawn("zh")
    assert material.article_of("p1.zh.md") == "First"


def test_a_folder_that_holds_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no parallel paragraphs"):
        parallel.load(tmp_path)
