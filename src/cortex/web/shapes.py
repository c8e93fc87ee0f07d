"""How results look outside, in the API and in `--json` alike."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cortex.answering.answer import hit_fields
from cortex.library.documents import Document, Link
from cortex.retrieval.results import Hit, SearchResult
from cortex.text.markdown import Heading


def search_fields(found: SearchResult) -> dict[str, Any]:
    """A search's result; `legs` only where they were asked for."""
    shown = {
        "results": [_result(hit) for hit in found.hits],
        "scope": str(found.scope),
        "coverage": found.coverage.label,
        "in_scope": found.in_scope,
        "timings_ms": found.timings_ms,
    }
    if found.legs is not None:
        shown["legs"] = {leg: [asdict(entry) for entry in entries] for leg, entries in found.legs.items()}
    return shown


def _result(hit: Hit) -> dict[str, Any]:
    return {
        **hit_fields(hit),
        "score": hit.score,
        "passage": {"text": hit.passage.text, "start": hit.passage.start, "end": hit.passage.end},
        "legs": {leg: {"rank": place.rank, "score": place.score} for leg, place in hit.legs.items()},
    }


def document_fields(document: Document, html: str, outline: list[Heading], backlinks: list[Link]) -> dict[str, Any]:
    """A document as a person sees it."""
    metadata = document.metadata | {
        "version": document.version,
        "origin": document.origin,
        "path": document.external_id,
    }
    return {
        "document_id": document.document_id,
        "title": document.title,
        "url": document.url,
        "open_url": document.open_url,
        "source": document.source,
        "kind": document.kind,
        "lang": document.lang,
        "date": document.date.isoformat() if document.date else None,
        "period": document.period,
        "topic": document.topic,
        "tags": list(document.tags),
        "text": document.text,
        "html": html,
        "outline": [asdict(heading) for heading in outline],
        "backlinks": [asdict(link) for link in backlinks],
        "metadata": metadata,
        "editable": False,
    }
