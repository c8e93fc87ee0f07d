"""One document."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter

from cortex.library import documents
from cortex.text import markdown
from cortex.web.current import CurrentCortex, Owner
from cortex.web.shapes import document_fields
from cortex.web.values import Id

router = APIRouter(prefix="/api", tags=["documents"])


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
