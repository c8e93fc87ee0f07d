"""Refit the constants of fusion and coverage and print them: `python -m cortex.evals.calibrate [--data DIR] [--xquad DIR]`.

Material: the golden notebook, and with `--xquad` a folder of parallel paragraphs with questions (`corpus_en.jsonl`, `corpus_zh.jsonl`,
`questions.jsonl`), of which the first half of the articles is used and the other is left for reports. Each paragraph is
in the library in both languages and a draw keeps one of them; a question that must be refused is one whose whole article is taken
away. Both come from one search per question, whose candidates are weighed again (`ablation`). Nothing is changed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cortex.bootstrap import open_cortex
from cortex.evals import parallel
from cortex.evals.curves import CoverageCurve, coverage_curve
from cortex.evals.fitting import Numbers, choice, logistic
from cortex.evals.golden import load_questions
from cortex.evals.notebook import Library, golden_settings, holding
from cortex.evals.run import NOT_RUN
from cortex.retrieval import constants
from cortex.retrieval.candidates import Judged, Trace
from cortex.retrieval.search import best_per_document
from cortex.settings import Settings, load

GOLDEN_COUNTS = 3.0
"""How much a golden question counts beside one of the parallel paragraphs, which are many and all alike."""

_FOUND = 3
"""A covered question teaches coverage if what answers it came among the first; else what came first does not answer it."""

_OTHERS = 5


@dataclass(frozen=True)
class Case:
    """One question over one library: the best passage of each document, best first, and whether its document answers."""

    ranked: Sequence[Judged]
    right: Sequence[bool]
    answerable: bool
    weight: float = 1.0


def case(trace: Trace, right: Set[int], *, answerable: bool, keep: Set[int], weight: float = 1.0) -> Case:
    """What the question's candidates become where only the documents `keep` are there, of which `right` answer."""
    ranked = best_per_document([one for one in trace.judged if one.document_id in keep])
    return Case(ranked, [one.document_id in right for one in ranked], answerable, weight)


def coverage_features(ranked: Sequence[Judged]) -> dict[str, float]:
    """What `retrieval.coverage` looks at, of documents best first."""
    others = sum(one.fused.score for one in ranked[1 : 1 + _OTHERS]) / _OTHERS
    return {**ranked[0].fused.features, "bias": 1.0, "margin": ranked[0].fused.score - others}


def fit_coverage(cases: Sequence[Case]) -> dict[str, float]:
    """Weights by the names of today's ones."""
    taught = [one for one in cases if one.ranked and (not one.answerable or any(one.right[:_FOUND]))]
    labels = np.array([float(one.answerable) for one in taught])
    fitted = logistic(_rows(taught), labels, np.array([one.weight for one in taught]))
    return dict(zip(constants.COVERAGE, fitted.tolist(), strict=True))


def fit_fusion(cases: Sequence[Case]) -> dict[str, float]:
    """Weights by the names of today's ones; of each document only the passage that is its best today is seen."""
    names = list(constants.FUSION)
    taught = [one for one in cases if one.answerable and any(one.right) and not all(one.right)]
    groups = [np.array([[j.fused.features[name] for name in names] for j in one.ranked]) for one in taught]
    fitted = choice(groups, [np.array(one.right) for one in taught])
    return dict(zip(names, fitted.tolist(), strict=True))


def curve(cases: Sequence[Case], weights: Mapping[str, float]) -> CoverageCurve:
    """Refusals over thresholds with these weights of coverage; of today's threshold for the question's own language."""
    odds = _rows(cases) @ np.array([weights[name] for name in constants.COVERAGE])
    likely = (1 / (1 + np.exp(-np.clip(odds, -500, 500)))).tolist()
    seen = [(p, p >= constants.WEAK) for p in likely]
    return coverage_curve(
        [s for s, one in zip(seen, cases, strict=True) if one.answerable],
        [s for s, one in zip(seen, cases, strict=True) if not one.answerable],
    )


def _rows(cases: Sequence[Case]) -> Numbers:
    found = [coverage_features(one.ranked) for one in cases]
    return np.array([[features[name] for name in constants.COVERAGE] for features in found])


async def golden_cases(settings: Settings) -> list[Case]:
    """The golden questions that a search alone can answer, or must not."""
    cases = []
    async with open_cortex(golden_settings(settings)) as cortex:
        library = await Library.fill(cortex)
        for question in load_questions():
            trace = await library.weighed(question.question, question.scope, question.now)
            if trace is not None and question.kind not in {*NOT_RUN, "time"}:
                right = {key for key, path in library.notes.items() if path in question.notes}
                every = set(library.notes)
                cases.append(case(trace, right, answerable=question.answerable, keep=every, weight=GOLDEN_COUNTS))
    return cases


async def parallel_cases(settings: Settings, folder: Path) -> list[Case]:
    """Every question of the first half in every draw, with its article and without."""
    material = parallel.load(folder)
    with tempfile.TemporaryDirectory() as made:
        vault = Path(made)
        vault.chmod(0o755)
        material.write(vault)
        own = settings.model_copy(update={"data": settings.data / "parallel"})
        async with open_cortex(holding(own, vault)) as cortex:
            library = await Library.fill(cortex)
            return [one async for one in _parallel_cases(library, material)]


async def _parallel_cases(library: Library, material: parallel.Parallel) -> AsyncIterator[Case]:
    draws = [material.drawn(draw) for draw in parallel.DRAWS]
    for question in material.questions:
        trace = await library.weighed(question.text)
        if trace is None:
            continue
        for notes in draws:
            for one in _with_and_without(trace, question, notes, library.notes, material):
                yield one


def _with_and_without(
    trace: Trace, question: parallel.Asked, notes: Set[str], paths: Mapping[int, str], material: parallel.Parallel
) -> Iterator[Case]:
    here = {key: path for key, path in paths.items() if path in notes}
    article = material.articles[question.paragraph]
    right = {key for key, path in here.items() if path.startswith(f"{question.paragraph}.")}
    elsewhere = {key for key, path in here.items() if material.article_of(path) != article}
    yield case(trace, right, answerable=True, keep=set(here))
    yield case(trace, set(), answerable=False, keep=elsewhere)


def _told(name: str, cases: Sequence[Case], fitted: Mapping[str, float]) -> Iterator[str]:
    """By whether the best passage is in the question's language: each has a threshold of its own."""
    for which, same in (("same", 1.0), ("other", 0.0)):
        part = [one for one in cases if one.ranked and one.ranked[0].fused.features["same"] == same]
        if len({one.answerable for one in part}) < 2:
            continue
        for what, weights in (("today", constants.COVERAGE), ("refitted", fitted)):
            found = curve(part, weights)
            yield (
                f"# {name}, {which} language, {what}: AUC {found.auc:.3f}; below {constants.WEAK} refused {found.refused:.3f}, "
                f"falsely {found.false_refusals:.3f}; at most 5 % falsely: {found.bearable.refused:.3f}, "
                f"below {found.bearable.threshold:.2f}"
            )


def report(groups: dict[str, Sequence[Case]]) -> str:
    """The constants as they would stand in `constants.py`, and how well the old and the new ones do on each material."""
    cases = [one for group in groups.values() for one in group]
    fusion, coverage = fit_fusion(cases), fit_coverage(cases)
    lines = [f"# {len(group)} cases: {name}" for name, group in groups.items()]
    for name, fitted in (("FUSION", fusion), ("COVERAGE", coverage)):
        entries = ", ".join(f'"{key}": {value:.2f}' for key, value in fitted.items())
        lines.append(f"{name} = {{{entries}}}")
    return "\n".join([*lines, *(line for name, group in groups.items() for line in _told(name, group, coverage))])


async def calibrate(settings: Settings, folder: Path | None) -> str:
    """The report over all material that is there."""
    groups: dict[str, Sequence[Case]] = {"golden notebook": await golden_cases(settings)}
    if folder:
        groups["parallel paragraphs"] = await parallel_cases(settings, folder)
    return report(groups)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m cortex.evals.calibrate", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--data", type=Path, help="the data folder; libraries are kept below its eval/")
    parser.add_argument("--xquad", type=Path, metavar="DIR", help="parallel paragraphs with questions")
    options = parser.parse_args(arguments)
    sys.stdout.write(asyncio.run(calibrate(load(options.data, None), options.xquad)) + "\n")


if __name__ == "__main__":
    main()
