"""How long each stage of a search takes, and how much of the exact answer the vector legs bring."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence

from cortex.evals.bench import _exact_repository
from cortex.evals.bench._filling_repository import Owner
from cortex.evals.bench.timing import Spread, spread, spreads
from cortex.library import LOCAL_OWNER
from cortex.retrieval.legs import LANGS
from cortex.retrieval.scope import parse
from cortex.retrieval.search import Retriever

DEPTH = 20


async def stages(retriever: Retriever, questions: Sequence[str], scope: str) -> dict[str, Spread]:
    """Each stage of `Retriever.search` and the whole of it, over the questions."""
    samples: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        started = time.perf_counter()
        found = await retriever.search(LOCAL_OWNER, question, parse(scope))
        samples["search"].append((time.perf_counter() - started) * 1e3)
        for stage, milliseconds in found.timings_ms.items():
            samples[stage].append(milliseconds)
    return spreads(samples)


def yardstick(retriever: Retriever, questions: Sequence[str]) -> Spread:
    """The deep embedder alone on the same questions: what this machine, with whatever else runs on it, makes of known work."""
    samples = []
    for question in questions:
        started = time.perf_counter()
        retriever.embedders.deep.embed_question(question)
        samples.append((time.perf_counter() - started) * 1e3)
    return spread(samples)


async def recall(retriever: Retriever, owner: Owner, questions: Sequence[str], scope: str) -> dict[str, float]:
    """By space: the share of the exact best `DEPTH` passages of each language that its leg brings among its first `DEPTH`."""
    topic = scope.partition(":")[2]
    shares: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        asked = retriever.understand(question)
        found = await retriever.legs(LOCAL_OWNER, question, parse(scope))
        for space, vector in asked.vectors.items():
            for lang in LANGS:
                exact = await _exact_repository.nearest(owner, space, lang, vector, topic, DEPTH)
                if exact:
                    brought = {row.passage_id for row in found.rows.get((space, lang), [])[:DEPTH]}
                    shares[space].append(len(brought & set(exact)) / len(exact))
    return {space: round(sum(values) / len(values), 3) for space, values in shares.items()}
