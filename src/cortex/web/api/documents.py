"""One document."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from cortex.bootstrap import Cortex, sample_folder
from cortex.library import documents
from cortex.sources.embeds import read_image
from cortex.sources.opening import open_named
from cortex.sources.sample import NAME as SAMPLE
from cortex.sources.sample import sample_folder as folder_of_sample
from cortex.sources.source import Source
from cortex.text import markdown
from cortex.web.current import CurrentCortex, Owner
from cortex.web.files import headers_of
from cortex.web.shapes import document_fields
from cortex.web.values import Id, Limit

router = APIRouter(prefix="/api", tags=["documents"])


@router.get("/documents")
async def titled(
    cortex: CurrentCortex, owner: Owner, q: Annotated[str, Query(max_length=200)], limit: Limit = 5
) -> dict[str, Any]:
    """Documents whose title holds `q`, those that begin with it first."""
    async with cortex.database.transaction("app", owner) as tx:
        return {"documents": [asdict(found) for found in await documents.titled(tx, owner, q, limit)]}


@router.get("/documents/{document_id}")
async def document(cortex: CurrentCortex, owner: Owner, document_id: Id) -> dict[str, Any]:
    """A document with its text, safe HTML, outline and backlinks; offsets count code points of `text`."""
    async with cortex.database.transaction("app", owner) as tx:
        found = await documents.get(tx, owner, document_id)
        backlinks = await documents.backlinks(tx, owner, found)
        targets = await asyncio.to_thread(markdown.links, found.text)
        links = await documents.resolve_links(tx, owner, targets)
    html = await asyncio.to_thread(documents.render, found, links)
    return document_fields(found, html, documents.headings(found), backlinks)


@router.get("/documents/{document_id}/files/{path:path}", response_class=Response)
async def file(cortex: CurrentCortex, owner: Owner, document_id: Id, path: str) -> Response:
    """An image that the document embeds, from inside its source."""
    async with cortex.database.transaction("app", owner) as tx:
        found = await documents.get(tx, owner, document_id)
    source = _source_of(cortex, found.source)
    raw, media = await asyncio.to_thread(
        lambda: read_image(source, found.external_id, documents.render(found, {}), path)
    )
    return Response(raw, headers=headers_of(media, PurePosixPath(path).name, drawn=True))


def _source_of(cortex: Cortex, name: str) -> Source:
    return folder_of_sample(sample_folder()) if name == SAMPLE else open_named(cortex.settings, name)
