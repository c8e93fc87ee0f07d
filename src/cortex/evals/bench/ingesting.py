"""Ingest over the bare embedders, and the sync of files that have not changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cortex.bootstrap import open_cortex
from cortex.evals.bench.filling import golden_texts
from cortex.indexing.passages import Source, build, embedded_text
from cortex.library import LOCAL_OWNER
from cortex.providers.bundled import open_bundled
from cortex.settings import Settings, SourceSettings
from cortex.sources.sync import sync
from cortex.text.language import detect
from cortex.text.sentences import sentences

Progress = Callable[[str, int, int], None]

_BATCH = 64
_SOURCE = "bench"


def write_notes(
    folder: Path, settings: Settings, passages: int, tokens: Callable[[str], int]
) -> list[tuple[str, list[str]]]:
    """Golden notes as files until they make `passages` passages; returns what is embedded of each: passage, sentences.

    When the notes run out they come again with a line more, which makes every one of their passages a new text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made: list[tuple[str, list[str]]] = []
    turn = 0
    while len(made) < passages:
        for title, text in golden_texts():
            name = title if not turn else f"{title} {turn}"
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
            source = Source(len(made), 1, name, text, detect(text), "note", None, None)
            for passage in build(source, settings.chunking, tokens):
                spans = sentences(passage.text, passage.lang)
                made.append((embedded_text(passage.prefix, passage.text), [passage.text[s:e] for s, e in spans]))
            if len(made) >= passages:
                break
        turn += 1
    return made


async def ingest(settings: Settings, passages: int, threads: int, progress: Progress | None = None) -> dict[str, Any]:
    """Sync and index real notes into an empty library; the same texts through the bare embedders; and the ratio."""
    bare = open_bundled(threads)
    bare.deep.embed_question("warm"), bare.fast.embed_question("warm")
    notes = settings.data / "notes"
    made = write_notes(notes, settings, passages, bare.deep.tokens)
    started = time.perf_counter()
    for at in range(0, len(made), _BATCH):
        batch = made[at : at + _BATCH]
        bare.fast.embed_passages([text for text, _ in batch])
        bare.fast.embed_passages([sentence for _, parts in batch for sentence in parts])
        bare.deep.embed_passages([text for text, _ in batch])
        if progress:
            progress("bare embedders", at + len(batch), len(made))
    bare_s = time.perf_counter() - started
    listed = settings.model_copy(update={"sources": (SourceSettings(name=_SOURCE, type="local", path=notes),)})
    async with open_cortex(listed, threads=threads) as cortex:
        cortex.retriever.warm()
        started = time.perf_counter()
        await sync(cortex.database, LOCAL_OWNER, listed)
        await cortex.drain()
        ingest_s = time.perf_counter() - started
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


__all__ = ["ingest", "unchanged_sync", "write_notes"]
