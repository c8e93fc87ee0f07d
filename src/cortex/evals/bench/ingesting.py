"""Ingest over the bare embedders, and the sync of files that have not changed."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cortex.bootstrap import open_cortex
from cortex.evals.bench import _ingesting_repository as repository
from cortex.evals.bench.filling import golden_texts
from cortex.indexing.passages import Source, build, embedded_text
from cortex.library import LOCAL_OWNER
from cortex.providers.bundled import open_bundled
from cortex.settings import Settings, SourceSettings
from cortex.sources.sync import sync
from cortex.text.frontmatter import split
from cortex.text.language import detect

Progress = Callable[[str, int, int], None]

_BATCH = 64
_SOURCE = "bench"


def write_notes(folder: Path, settings: Settings, passages: int, tokens: Callable[[str], int]) -> None:
    """Golden notes as files until they make `passages` passages, each another text than every other.

    When the notes run out they come again with a number behind each line of prose: a text that the library has already is not
    embedded again, and would be measured as free.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made: set[uuid.UUID] = set()
    turn = 0
    while len(made) < passages:
        for title, text in golden_texts():
            name, body = (f"{title} {turn}", _numbered(split(text).body, turn)) if turn else (title, split(text).body)
            (folder / f"{name}.md").write_text(body, encoding="utf-8")
            source = Source(0, 1, name, body, detect(body), "note", None, None)
            made.update(passage.hash for passage in build(source, settings.chunking, tokens))
            if len(made) >= passages:
                break
        turn += 1


def _numbered(text: str, turn: int) -> str:
    return "\n".join(
        f"{line} {turn}" if line[:1].isalnum() or line.startswith(("-", "#")) else line for line in text.split("\n")
    )


async def ingest(settings: Settings, passages: int, threads: int, progress: Progress | None = None) -> dict[str, Any]:
    """Sync and index real notes into an empty library; then what it embedded through the bare embedders; and the ratio."""
    bare = open_bundled(threads)
    bare.deep.embed_question("warm"), bare.fast.embed_question("warm")
    notes = settings.data / "notes"
    write_notes(notes, settings, passages, bare.deep.tokens)
    listed = settings.model_copy(update={"sources": (SourceSettings(name=_SOURCE, type="local", path=notes),)})
    async with open_cortex(listed, threads=threads) as cortex:
        cortex.retriever.warm()
        started = time.perf_counter()
        await sync(cortex.database, LOCAL_OWNER, listed)
        await cortex.drain()
        ingest_s = time.perf_counter() - started
        async with cortex.database.transaction("ai", LOCAL_OWNER) as tx:
            rows = await repository.embedded(tx, LOCAL_OWNER)
    made = [
        (embedded_text(r["prefix"], r["text"]), [r["text"][s:e] for s, e in zip(r["starts"], r["ends"], strict=True)])
        for r in rows
    ]
    started = time.perf_counter()
    for at in range(0, len(made), _BATCH):
        batch = made[at : at + _BATCH]
        bare.fast.embed_passages([text for text, _ in batch])
        bare.fast.embed_passages([sentence for _, parts in batch for sentence in parts])
        bare.deep.embed_passages([text for text, _ in batch])
        if progress:
            progress("bare embedders", at + len(batch), len(made))
    bare_s = time.perf_counter() - started
    return {"passages": len(made), "sentences": sum(len(parts) for _, parts in made), "bare_s": round(bare_s, 1),
            "ingest_s": round(ingest_s, 1), "ratio": round(ingest_s / bare_s, 3)}  # fmt: skip


async def unchanged_sync(settings: Settings, files: int, progress: Progress | None = None) -> dict[str, Any]:
    """Seconds of a first sync of many small files, and of one that finds nothing changed."""
    folder = settings.data / "files"
    for number in range(files):
        file = folder / f"{number // 100:03}" / f"note-{number:05}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(f"# Note {number}\n\nThe {number}th thing to remember.\n", encoding="utf-8")
    listed = settings.model_copy(update={"sources": (SourceSettings(name=_SOURCE, type="local", path=folder),)})

    def told(name: str, done: int, total: int) -> None:
        if progress:
            progress("files of the sync", done, total)

    async with open_cortex(listed) as cortex:
        started = time.perf_counter()
        await sync(cortex.database, LOCAL_OWNER, listed, progress=told)
        first = time.perf_counter() - started
        again = []
        for _ in range(3):
            started = time.perf_counter()
            await sync(cortex.database, LOCAL_OWNER, listed)
            again.append(time.perf_counter() - started)
    return {"files": files, "first_s": round(first, 2), "unchanged_s": round(sorted(again)[1], 2)}
