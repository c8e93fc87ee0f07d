"""The second opinion about the best candidates: the best sentence of each, and a cross-encoder where one is configured.

A cross-encoder takes the place of the best sentence in the fused score of the notes that it read. The mean of each language stays
where fusion put it, so that a model that is blind in one language (many know English only) does not push its notes down, and
that the notes that were not read still compare.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cortex import logs
from cortex.errors import Upstream
from cortex.providers import Reranker
from cortex.retrieval import constants
from cortex.retrieval.candidates import Judged
from cortex.retrieval.legs import LANGS
from cortex.retrieval.results import LegRank

_log = logs.get(__name__)


async def reread(
    reranker: Reranker, question: str, best: Sequence[Judged], texts: Mapping[int, str]
) -> tuple[list[Judged], dict[int, LegRank]]:
    """The candidates in their new order, and each reread document's rank and score by the cross-encoder alone.

    A model that cannot be loaded, fails, or gives what is no number leaves the order as it was: it is an addition.

    Args:
        best: one passage per document, best first; the first `constants.REREAD` are read.
        texts: by passage id; a passage that is not there is not read.
    """
    read = [n for n, one in enumerate(best[: constants.REREAD]) if one.passage_id in texts]
    passages = [texts[best[n].passage_id] for n in read]
    try:
        scores = await asyncio.to_thread(reranker.score, question, passages)
    except Upstream as error:
        _log.warning("cross-encoder left out", reason=error.message)
        return list(best), {}
    if not np.isfinite(scores).all():
        _log.warning("cross-encoder left out", reason=f"{reranker.name} gave scores that are no numbers")
        return list(best), {}
    places = ranked({best[n].document_id: float(score) for n, score in zip(read, scores, strict=True)})
    return blend(best, dict(zip(read, scores.tolist(), strict=True))), places


def blend(best: Sequence[Judged], scores: Mapping[int, float]) -> list[Judged]:
    """Candidates with the cross-encoder's scores (by index in `best`) in place of their best sentences, best first."""
    read = sorted(scores)
    opinions = _within_language([best[n].lang for n in read], np.array([scores[n] for n in read], np.float64))
    if not opinions.any():  # it says nothing: no reason to take the sentences' word away
        return list(best)
    sentences = np.array([best[n].fused.features["sentence"] for n in read])
    spoken = sentences - _deviations([best[n].lang for n in read], sentences)
    changed = list(best)
    for n, opinion, sentence, ordinary in zip(read, opinions, sentences, spoken, strict=True):
        fused = best[n].fused
        score = fused.score + constants.FUSION["sentence"] * (ordinary - sentence) + constants.CROSS_ENCODER * opinion
        changed[n] = replace(
            best[n],
            fused=replace(fused, score=float(score), features={**fused.features, "cross_encoder": float(opinion)}),
        )
    return sorted(changed, key=lambda one: (-one.fused.score, one.document_id, one.ordinal))


def _within_language(languages: Sequence[str], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each score lies from the mean of its language, in standard deviations over all.

    The deviation is pooled: where one language holds the answer and the other nothing, the noise of the other stays noise.
    """
    apart = _deviations(languages, scores)
    spread = float(np.sqrt(np.mean(apart**2))) if len(apart) else 0.0
    return apart / max(spread, constants.CROSS_ENCODER_LEAST_SPREAD)


def _deviations(languages: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.float64]:
    apart = np.zeros(len(values))
    for lang in LANGS:
        members = np.array([language == lang for language in languages], dtype=bool)
        if members.any():
            apart[members] = values[members] - values[members].mean()
    return apart


def sentence_ranks(judged: Sequence[Judged]) -> dict[int, LegRank]:
    """Each document's place by its best sentence among all candidates whose sentences are embedded."""
    nearest: dict[int, float] = {}
    for one in judged:
        if one.sentence is not None:
            score = one.fused.features["sentence"]
            nearest[one.document_id] = max(score, nearest.get(one.document_id, score))
    return ranked(nearest)


def ranked(scores: Mapping[int, float]) -> dict[int, LegRank]:
    """Ranks from 1, the highest score first; ties by document id."""
    order = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return {document: LegRank(rank, round(score, 4)) for rank, (document, score) in enumerate(order, start=1)}


def warm(reranker: Reranker) -> None:
    """Load the model, and say in the log if it cannot be loaded. Blocks, a download included."""
    try:
        reranker.score("warm", ["热"])
    except Upstream as error:
        _log.warning("cross-encoder left out", reason=error.message)
