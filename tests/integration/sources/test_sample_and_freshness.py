"""The sample of a first run, how old a source is, and removal."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cortex.errors import Conflict, NotFound
from cortex.library import LOCAL_OWNER, mirrors
from cortex.settings import Settings, SourceSettings
from cortex.sources.freshness import Freshness, freshness
from cortex.sources.removal import remove_source
from cortex.sources.sample import add_sample, remove_sample
from cortex.sources.sync import sync
from cortex.storage import Database

Owner = psycopg.AsyncConnection[tuple[Any, ...]]
EMPTY = Settings(data=Path("/nowhere"))


def folder(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"text of {name}")
    return root


def configured(*folders: Path) -> Settings:
    sources = tuple(SourceSettings(name=path.name, type="local", path=path) for path in folders)
    return Settings(data=Path("/nowhere"), sources=sources)


async def opened(owner: Owner) -> list[str]:
    rows = await (await owner.execute("SELECT library.open_sources(1)")).fetchall()
    return sorted(rows[0][0])


async def one(database: Database, settings: Settings, name: str) -> Freshness:
    return next(found for found in await freshness(database, LOCAL_OWNER, settings) if found.name == name)


async def test_h5_the_sample_is_there_while_nothing_else_is(database: Database, owner: Owner, tmp_path: Path) -> None:
    notes = folder(tmp_path / "golden", "a.md", "b.md")
    report = await add_sample(database, LOCAL_OWNER, EMPTY, notes)
    assert report is not None
    assert (report.added, report.ok) == (2, True)
    again = await add_sample(database, LOCAL_OWNER, EMPTY, notes)
    assert again is not None
    assert again.unchanged == 2
    assert await opened(owner) == ["notes", "sample"]
    vault = folder(tmp_path / "vault", "mine.md")
    await sync(database, LOCAL_OWNER, configured(vault))
    assert await opened(owner) == ["notes", "vault"]
    assert await add_sample(database, LOCAL_OWNER, configured(vault), notes) is None


async def test_h5_the_sample_never_comes_back_by_itself(database: Database, owner: Owner, tmp_path: Path) -> None:
    notes = folder(tmp_path / "golden", "a.md")
    await add_sample(database, LOCAL_OWNER, EMPTY, notes)
    assert await remove_sample(database, LOCAL_OWNER) == 1
    assert await add_sample(database, LOCAL_OWNER, EMPTY, notes) is None
    assert await opened(owner) == ["notes"]
    await owner.execute("UPDATE library.sources SET unlisted_at = now() - interval '90 days' WHERE name = 'sample'")
    async with database.transaction("app", LOCAL_OWNER) as tx:
        await mirrors.reconcile(tx, LOCAL_OWNER, [])
    assert await add_sample(database, LOCAL_OWNER, EMPTY, notes) is None


async def test_no_sample_beside_notes_of_ones_own(database: Database, tmp_path: Path) -> None:
    vault = folder(tmp_path / "vault", "mine.md")
    await sync(database, LOCAL_OWNER, configured(vault))
    assert await add_sample(database, LOCAL_OWNER, EMPTY, folder(tmp_path / "golden", "a.md")) is None


async def test_w4_newer_files_are_counted_by_stat_alone(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = folder(tmp_path / "vault", "a.md", "b.md", "broken.pdf", "x/c.md")
    settings = configured(vault)
    before = await one(database, settings, "vault")
    assert (before.synced_at, before.newer, before.documents, before.listed) == (None, 4, 0, True)
    await sync(database, LOCAL_OWNER, settings)
    monkeypatch.setattr("cortex.sources._local_file.read_bytes", None)
    fresh = await one(database, settings, "vault")
    assert fresh.synced_at is not None
    assert (fresh.newer, fresh.documents) == (0, 3)  # what could not be read is not newer
    assert fresh.report is not None
    assert fresh.report["added"] == 3
    (vault / "a.md").write_text("longer than before")
    folder(vault, "new.md")
    os.utime(vault / "broken.pdf", (4e9, 4e9))
    (vault / "b.md").unlink()
    assert (await one(database, settings, "vault")).newer == 3
    shutil.rmtree(vault)
    assert (await one(database, settings, "vault")).newer is None


async def test_y4_a_source_off_the_list_is_told_and_can_be_removed(database: Database, tmp_path: Path) -> None:
    vault, other = folder(tmp_path / "vault", "a.md"), folder(tmp_path / "other", "b.md")
    await sync(database, LOCAL_OWNER, configured(vault, other))
    with pytest.raises(Conflict, match="listed in the configuration"):
        await remove_source(database, LOCAL_OWNER, configured(vault), "vault")
    with pytest.raises(Conflict, match="listed in the configuration"):  # settings that were read before it was listed
        await remove_source(database, LOCAL_OWNER, configured(), "vault")
    await sync(database, LOCAL_OWNER, configured(other))
    gone = await one(database, configured(other), "vault")
    assert (gone.listed, gone.documents, gone.newer) == (False, 1, None)
    assert gone.unlisted_at is not None
    assert await remove_source(database, LOCAL_OWNER, configured(other), "vault") == 1
    with pytest.raises(NotFound):
        await remove_source(database, LOCAL_OWNER, configured(other), "nothing")
    with pytest.raises(Conflict, match="your own notes"):
        await remove_source(database, LOCAL_OWNER, configured(other), "notes")


async def test_the_ai_role_may_not_touch_a_mirror(database: Database, tmp_path: Path) -> None:
    await sync(database, LOCAL_OWNER, configured(folder(tmp_path / "vault", "a.md")))
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.transaction("ai", LOCAL_OWNER) as tx:
            await mirrors.remove(tx, LOCAL_OWNER, "vault", ["a.md"])
