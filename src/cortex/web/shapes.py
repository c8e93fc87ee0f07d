"""How results look outside, in the API and in `--json` alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from cortex import __version__
from cortex.answering.answer import hit_fields
from cortex.backups import BackupHealth
from cortex.indexing.status import IndexStatus
from cortex.jobs import FailedJob, QueueState
from cortex.library import NOTES
from cortex.library.attachments import Attachment
from cortex.library.documents import Document, Link
from cortex.retrieval.results import Hit, SearchResult
from cortex.sources.freshness import Freshness
from cortex.text.markdown import Heading


def search_fields(found: SearchResult) -> dict[str, Any]:
    """A search's result; `legs` only where they were asked for."""
    shown = {
        "results": [_result(hit) for hit in found.hits],
        "scope": str(found.scope),
        "coverage": found.coverage.level,
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
        "editable": document.source == NOTES,
    }


def attachment_fields(attachment: Attachment) -> dict[str, Any]:
    """An attachment as its note lists it."""
    url = f"/api/attachments/{attachment.hash.hex()}"
    return {
        "hash": attachment.hash.hex(),
        "name": attachment.name,
        "media_type": attachment.media_type,
        "size": attachment.size,
        "width": attachment.width,
        "height": attachment.height,
        "url": url,
        "thumb_url": f"{url}?thumb=1" if attachment.width else None,
        "text": {"state": attachment.text_state, "document_id": attachment.document_id, "reason": attachment.problem},
        "created_at": attachment.created_at.isoformat(),
    }


def status_fields(
    index: IndexStatus, queue: QueueState, etas: dict[str, float | None], given_up: Sequence[FailedJob] = ()
) -> dict[str, Any]:
    """The status as the API and `cortex status --json` show it; `given_up` are some of the failed jobs, the last first."""
    return {
        "version": __version__,
        "documents": index.documents,
        "passages": index.passages,
        "waiting": index.waiting,
        "failed": index.failed,
        "paused": index.paused,
        "spaces": [{**asdict(space), "eta_s": etas.get(space.name)} for space in index.spaces],
        "queue": {
            "pending": queue.pending,
            "running": queue.running,
            "failed": queue.failed,
            "oldest_s": queue.oldest_s,
            "per_minute": index.per_minute,
            "eta_s": index.eta_s,
            "failures": [
                {"id": job.id, "name": job.name, "reason": job.reason, "at": job.at.isoformat() if job.at else None}
                for job in given_up
            ],
        },
        "failures": [{**asdict(failure), "at": failure.at.isoformat()} for failure in index.failures],
        "worker": {"alive": queue.worker_alive, "heartbeat_s": queue.worker_heartbeat_s},
    }


def backup_fields(health: BackupHealth) -> dict[str, Any]:
    """What is known of the backups; `error` only where the last attempt failed."""
    shown = {**asdict(health), "at": health.at.isoformat() if health.at else None}
    if health.error is None:
        del shown["error"]
    return shown


def sources_fields(
    sources: Sequence[Freshness], syncing: Collection[str], listed_alone: Collection[str] = ()
) -> list[dict[str, Any]]:
    """The sources as the page's list and its sync line show them; ones off the list only while something is left of them."""
    others = any(source.documents for source in sources if source.listed and source.type != "sample")
    return [
        _source(
            source,
            syncing=source.name in syncing,
            opened=source.listed and not (source.type == "sample" and others),
            removable=source.type == "sample" or not source.listed or source.name in listed_alone,
        )
        for source in sources
        if source.listed or source.documents
    ]


def _source(source: Freshness, *, syncing: bool, opened: bool, removable: bool) -> dict[str, Any]:
    """`open`: its notes are in answers now. `removable`: one click takes it out. `syncable`: another syncs it."""
    return {
        "name": source.name,
        "type": source.type,
        "listed": source.listed,
        "open": opened,
        "removable": removable,
        "syncable": source.syncable,
        "documents": source.documents,
        "synced_at": source.synced_at.isoformat() if source.synced_at else None,
        "unlisted_at": source.unlisted_at.isoformat() if source.unlisted_at else None,
        "newer": source.newer,
        "syncing": syncing,
        "report": source.report,
    }
