"""The bench from end to end: one library a size, each in a data folder of its own that the next run finds filled."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cortex.bootstrap import Cortex, open_cortex
from cortex.evals.bench import _filling_repository as repository
from cortex.evals.bench import filling, ingesting, page, peers, processes, saving, searching, vectors
from cortex.evals.bench._filling_repository import Owner
from cortex.evals.bench.timing import spread
from cortex.evals.golden import load_questions
from cortex.jobs import enqueue
from cortex.library import INDEX_JOB, LOCAL_OWNER
from cortex.retrieval.centres import shipped_spaces
from cortex.settings import Settings
from cortex.storage.embedded import Server
from cortex.storage.opening import NAME, embedded_login

Progress = Callable[[str, int, int], None]

BUSY_PASSAGES = 1_500
"""Passages that a busy worker has to embed in the deep space: a minute or two of work."""

_URGENT = 20
_WARM = 5


@dataclass(frozen=True)
class Plan:
    """What to measure."""

    sizes: Sequence[int] = (10_000, 100_000)
    questions: int = 60
    ingest: int = 1_000
    files: int = 10_000
    served: bool = True
    """Whether to start the server and workers as processes."""
    peers: bool = True
    page: int = 0
    """Passages of the library over which the page is opened; 0 leaves this out."""
    saving: int = 0
    """Passages of the library into which notes are saved; 0 leaves this out."""


async def bench(settings: Settings, plan: Plan, progress: Progress) -> dict[str, Any]:
    """Measure everything of the plan; returns the report as JSON has it."""
    report: dict[str, Any] = {"machine": _machine(), "libraries": []}
    for size in plan.sizes:
        report["libraries"].append(await _library(_own(settings, f"passages-{size}"), size, plan, progress))
    if plan.page:
        report["page"] = await _page(_own(settings, f"passages-{plan.page}"), plan.page, progress)
    if plan.saving:
        report["saving"] = await _saving(_own(settings, f"passages-{plan.saving}"), plan.saving, progress)
    if plan.peers:
        report["peers"] = [await asyncio.to_thread(_peers, size, plan) for size in plan.sizes]
    if plan.ingest:
        report["ingest"] = await ingesting.ingest(_emptied(settings, "ingest"), plan.ingest, _cores(), progress)
    if plan.files:
        report["sync"] = await ingesting.unchanged_sync(_emptied(settings, "sync"), plan.files, progress)
    report["machine"]["load_after"] = os.getloadavg()[0]
    return report


async def _library(settings: Settings, size: int, plan: Plan, progress: Progress) -> dict[str, Any]:
    async with open_cortex(settings) as cortex, _owner(settings) as owner:
        await repository.clear_waiting(owner)  # of a run that was broken off
        filled = await _fill(settings, owner, size, progress)
        cortex.retriever.warm()
        questions = _questions(plan.questions)
        report: dict[str, Any] = {
            "passages": size,
            "filled": filled,
            "bytes": await repository.sizes(owner, filling.TABLES),
        }
        await searching.stages(cortex.retriever, _questions(_WARM, seed=1), "")
        report["yardstick"] = searching.yardstick(cortex.retriever, questions).as_json()
        report["search"] = await _searches(cortex, owner, size, questions)
        if plan.served:
            with _busy_worker(settings):
                await _deep_work(cortex, owner)
                await asyncio.sleep(2)
                report["search"]["deep busy"] = _as_json(await searching.stages(cortex.retriever, questions, ""))
                await _index_work(cortex, owner)
                await asyncio.sleep(2)
                report["search"]["index busy"] = _as_json(await searching.stages(cortex.retriever, questions, ""))
            await _tidy(owner)
        if plan.served:
            report["served"] = await _served(settings, cortex, owner, questions)
            await _tidy(owner)
    return report


async def _fill(settings: Settings, owner: Owner, size: int, progress: Progress) -> dict[str, float]:
    noted = settings.data / "filled.json"
    if await repository.filled(owner) != size or not noted.exists():
        if await repository.filled(owner):
            raise RuntimeError(f"{settings.data} holds half a library: remove the folder")
        noted.write_text(json.dumps(await filling.fill(owner, size, progress=progress)))
    found: dict[str, float] = json.loads(noted.read_text())
    return found


async def _searches(cortex: Cortex, owner: Owner, size: int, questions: Sequence[str]) -> dict[str, Any]:
    few = questions[: 20 if size <= 100_000 else 5]
    found: dict[str, Any] = {}
    for name, scope in {"": "", **filling.SCOPES}.items():
        label = f"scope {name}" if name else "quiet"
        found[label] = _as_json(await searching.stages(cortex.retriever, questions, scope))
        found[label]["recall"] = await searching.recall(cortex.retriever, owner, few, scope)
    return found


def _busy_worker(settings: Settings) -> Any:
    return processes.worker(settings.data)


async def _deep_work(cortex: Cortex, owner: Owner) -> None:
    """Give the worker vectors of the deep space to make: what it does most of its life."""
    await repository.forget_deep(owner, BUSY_PASSAGES)
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        await enqueue(
            tx,
            "fill_space",
            priority=_URGENT,
            unique=f"fill_space:{LOCAL_OWNER}:deep",
            owner_id=LOCAL_OWNER,
            space="deep",
        )


async def _index_work(cortex: Cortex, owner: Owner) -> None:
    """Give the worker documents to index: passages, postings, fast vectors."""
    notes = [(f"{title} {turn}", text) for turn in range(4) for title, text in filling.golden_texts()]
    titles, texts = [title for title, _ in notes], [text for _, text in notes]
    ids = await repository.add_waiting(owner, titles, texts, ["en"] * len(notes))
    async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
        for at in range(0, len(ids), 50):
            await enqueue(tx, INDEX_JOB, priority=_URGENT, owner_id=LOCAL_OWNER, document_ids=ids[at : at + 50])


async def _tidy(owner: Owner) -> None:
    """The library as it was, but for the deep vectors that came back."""
    await repository.clear_waiting(owner)
    await repository.settle(owner)


async def _served(settings: Settings, cortex: Cortex, owner: Owner, questions: Sequence[str]) -> dict[str, Any]:
    with processes.serving(settings.data) as server:
        first = await asyncio.to_thread(server.ask, questions[0])
        found: dict[str, Any] = {
            "start_s": server.start_s,
            "first_ms": round(first, 1),
            "memory_mb": server.memory_mb(),
        }
        found["quiet"] = await asyncio.to_thread(_ask_all, server, questions)
        await _deep_work(cortex, owner)
        await asyncio.sleep(2)
        found["deep busy"] = await asyncio.to_thread(_ask_all, server, questions)
        await _index_work(cortex, owner)
        await asyncio.sleep(2)
        found["index busy"] = await asyncio.to_thread(_ask_all, server, questions)
        found["memory_after_mb"] = server.memory_mb()
    return found


async def _page(settings: Settings, size: int, progress: Progress) -> dict[str, Any]:
    async with open_cortex(settings), _owner(settings) as owner:
        await _fill(settings, owner, size, progress)
    with processes.serving(settings.data) as server:
        taken = await page.first_key(f"http://127.0.0.1:{server.port}/")
    return {"passages": size, "first key": taken.as_json()}


async def _saving(settings: Settings, size: int, progress: Progress) -> dict[str, Any]:
    """Into a library of a tenth as many notes as passages, whose worker has the deep space to fill."""
    async with open_cortex(settings) as cortex, _owner(settings) as owner:
        await repository.clear_waiting(owner)
        await _fill(settings, owner, size, progress)
        with processes.serving(settings.data) as server:
            await asyncio.to_thread(server.ask, _questions(1)[0])
            await _deep_work(cortex, owner)
            await asyncio.sleep(2)
            taken = await asyncio.to_thread(saving.saves, server.port)
        await _tidy(owner)
    return {"notes": size // filling.PER_DOCUMENT, "of bytes": saving.NOTE_BYTES, **_as_json(taken)}


def _ask_all(server: processes.Serving, questions: Sequence[str]) -> dict[str, float]:
    return spread([server.ask(question) for question in questions]).as_json()


def _peers(size: int, plan: Plan) -> dict[str, Any]:
    rng = np.random.default_rng(11)
    real = shipped_spaces()["deep"].passages["en"]
    made = np.concatenate([vectors.cloud(real, min(100_000, size - at), rng) for at in range(0, size, 100_000)])
    asked = vectors.cloud(real, plan.questions, rng)
    return {"passages": size, **peers.compare(made, asked)}


@asynccontextmanager
async def _owner(settings: Settings) -> AsyncIterator[Owner]:
    server = Server(settings.data, settings.postgres_version)
    await asyncio.to_thread(server.attach)
    try:
        async with repository.connect(embedded_login(server, "owner", NAME)) as owner:
            yield owner
    finally:
        await asyncio.to_thread(server.release)


def _questions(count: int, seed: int = 0) -> list[str]:
    """Real questions of both languages, in an order of their own."""
    questions = [question.question for question in load_questions()]
    random.Random(seed).shuffle(questions)
    return (questions * (count // len(questions) + 1))[:count]


def _own(settings: Settings, name: str) -> Settings:
    folder = settings.data / "bench" / name
    return settings.model_copy(
        update={"data": folder, "database_url": None, "database_ai_url": None, "sources": (), "config": None}
    )


def _emptied(settings: Settings, name: str) -> Settings:
    own = _own(settings, name)
    shutil.rmtree(own.data, ignore_errors=True)
    return own


def _as_json(found: Any) -> dict[str, Any]:
    return {name: value.as_json() for name, value in found.items()}


def _machine() -> dict[str, Any]:
    model = next(
        (line.partition(":")[2].strip() for line in _lines(Path("/proc/cpuinfo")) if line.startswith("model name")), ""
    )
    return {"cores": _cores(), "cpu": model, "load_before": os.getloadavg()[0]}


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
