"""A library over a fresh database, with the real bundled embedders."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cortex.bootstrap import Cortex, assemble
from cortex.library import LOCAL_OWNER, mirrors
from cortex.providers import Embedders
from cortex.providers.bundled import open_bundled
from cortex.settings import Settings
from cortex.storage import Database
from cortex.text.language import detect

Put = Callable[..., Awaitable[int]]


@pytest.fixture(scope="session")
def embedders() -> Embedders:
    """Both bundled models, loaded once a run."""
    return open_bundled()


@pytest.fixture
async def cortex(settings: Settings, database: Database, embedders: Embedders) -> Cortex:
    """Everything, over the test's own database, with one listed source `vault`."""
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await mirrors.reconcile(tx, LOCAL_OWNER, [("vault", "local")])
    return assemble(settings, database, embedders)


@pytest.fixture
def put(cortex: Cortex) -> Put:
    """`await put(path, text, **placement)` adds or changes a document and gives its id; `cortex.drain()` indexes it."""

    async def put(path: str, text: str, *, title: str | None = None, source: str = "vault", **fields: Any) -> int:
        raw = text.encode("utf-8", "surrogatepass")
        if isinstance(fields.get("date"), str):
            fields["date"] = dt.date.fromisoformat(fields["date"])
        item = mirrors.Incoming(
            external_id=path,
            title=title or path.rsplit("/", 1)[-1].removesuffix(".md"),
            text=text,
            lang=detect(text),
            url=f"file:///vault/{path}",
            content_hash=hashlib.sha256(raw).digest(),
            size=len(raw),
            mtime_ns=0,
            **fields,
        )
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await mirrors.upsert(tx, LOCAL_OWNER, source, [item])
            return (await mirrors.inventory(tx, LOCAL_OWNER, source))[path].document_id

    return put
