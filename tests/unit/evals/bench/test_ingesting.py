"""The notes of the ingest measurement: every passage a new text, or it would be measured as free."""

from __future__ import annotations

from pathlib import Path

from cortex.evals.bench.ingesting import write_notes
from cortex.indexing.passages import Source, build
from cortex.settings import Settings
from cortex.text.language import detect


def test_notes_that_come_again_are_other_texts_whatever_their_names(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    notes = tmp_path / "notes"
    write_notes(notes, settings, 500, len)
    texts = [file.read_text(encoding="utf-8") for file in notes.iterdir()]
    sources = [Source(n, 1, "One title", text, detect(text), "note", None, None) for n, text in enumerate(texts)]
    hashes = [passage.hash for source in sources for passage in build(source, settings.chunking, len)]
    assert len(texts) > 141
    assert len(set(hashes)) > 0.98 * len(hashes)
