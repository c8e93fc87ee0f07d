"""The web application over a fresh database, with a few indexed notes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from cortex.bootstrap import Cortex, assemble
from cortex.library import LOCAL_OWNER
from cortex.providers import Embedders
from cortex.providers.bundled import open_bundled
from cortex.settings import Settings, SourceSettings
from cortex.sources.sync import sync
from cortex.storage import Database
from cortex.web.app import create_app

NOTES = {
    "2024/Q1/week-03-notes.md": "# Week 03\n\nThe greenhouse pump broke on Tuesday. I replaced its seal with a spare one.\n",
    "Topics/Kafka/decisions.md": "# Kafka decisions\n\nWe keep events for thirty days 🐈, see [[Week 03]].\n\n## Why\n\nCost.\n",
    "cats.md": "---\ntags: [pets]\n---\n# 我的猫\n\n我养过三只猫，最大的一只叫豆包。\n",
}


@pytest.fixture(scope="session")
def embedders() -> Embedders:
    return open_bundled(1)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        file = tmp_path / "vault" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "vault"


@pytest.fixture
async def cortex(database: Database, settings: Settings, embedders: Embedders, vault: Path) -> AsyncIterator[Cortex]:
    listed = SourceSettings(name="journals", type="local", path=vault)
    cortex = assemble(settings.model_copy(update={"sources": (listed,)}), database, embedders)
    yield cortex
    await cortex.answerer.close()


@pytest.fixture
async def filled(cortex: Cortex) -> Cortex:
    """The notes are synced and indexed."""
    await sync(cortex.database, LOCAL_OWNER, cortex.settings)
    await cortex.drain()
    return cortex


@pytest.fixture
async def client(cortex: Cortex) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(cortex))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client:
        yield client
