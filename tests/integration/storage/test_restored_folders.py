"""A restored data folder: built beside its place and moved there whole; what was there is moved aside, never deleted."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import psycopg
import pytest
from tests.conftest import POSTGRES
from tests.integration.storage.compared import fill, made, rows, shape
from tests.integration.storage.rows import Owner, count
from tests.integration.storage.test_failures import small_disk  # noqa: F401

from cortex.backups import back_up
from cortex.errors import Conflict, Invalid, Upstream
from cortex.settings import Settings
from cortex.storage import _place, _postmaster, claim_serving, open_database, schema
from cortex.storage.embedded import Server
from cortex.storage.keeping import NAMES
from cortex.storage.opening import embedded_login
from cortex.storage.restoring import restore

OTHER: Literal[16, 18] = 16 if POSTGRES == 18 else 18


@asynccontextmanager
async def logged_in(settings: Settings) -> AsyncIterator[str]:
    """The connection string of a data folder's owner, while its server runs."""
    server = Server(settings.data, settings.postgres_version)
    await asyncio.to_thread(server.attach)
    try:
        yield embedded_login(server, "owner", "cortex")
    finally:
        await asyncio.to_thread(server.release)


async def told(settings: Settings) -> tuple[object, object]:
    async with logged_in(settings) as login:
        return await rows(login), await shape(login)


async def feed_names(settings: Settings) -> set[object]:
    async with logged_in(settings) as login, await psycopg.AsyncConnection.connect(login) as connection:
        return {row[0] for row in await (await connection.execute("SELECT feed FROM library.feeds")).fetchall()}


@pytest.fixture
async def filled(own_settings: Settings) -> Settings:
    """A data folder of its own with a library in it, stopped."""
    async with logged_in(own_settings) as login, await psycopg.AsyncConnection.connect(login, autocommit=True) as owner:
        await fill(owner)
    (own_settings.data / "attachments").mkdir()
    (own_settings.data / "attachments" / "a1").write_bytes(b"a picture")
    (own_settings.data / "config.yaml").write_text("sources: []\n")
    return own_settings.model_copy(update={"config": own_settings.data / "config.yaml"})


@pytest.fixture
def place(open_folder: Path, own_settings: Settings) -> Iterator[Settings]:
    """Settings of a data folder that is not there, in a folder of its own; what is left of servers is killed at the end."""
    parent = open_folder / f"place-{own_settings.data.name}"
    parent.mkdir(mode=0o711)
    yield own_settings.model_copy(update={"data": parent / "data", "config": None})
    for file in parent.glob("**/postmaster.pid"):
        found = _postmaster.running(file.parent)
        if found is not None:
            Server(file.parent.parent, POSTGRES)._programs.stop(file.parent)
    subprocess.run(["rm", "-rf", str(parent)], check=False)


async def test_a_new_folder(filled: Settings, place: Settings, tmp_path: Path) -> None:
    backup = await made(filled, tmp_path / "a.zip")
    before, feeds = await told(filled), await feed_names(filled)
    restored = await restore(backup.path, place)
    assert restored.aside is None
    assert await told(place) == before
    assert len(feeds) == 2
    assert feeds.isdisjoint(await feed_names(place))
    assert os.listdir(place.data.parent) == ["data"]
    assert set(os.listdir(place.data)) - {f"postgres{POSTGRES}"} == {
        *("attachments", "config.yaml", "postgres.start.lock", "postgres.users.lock")
    }
    assert place.data.stat().st_mode & 0o707 == 0o700
    async with await open_database(place) as database, database.transaction("app", 2) as tx:
        assert await count(tx, "library.documents") == 1
        assert await count(tx, "library.documents", "owner_id <> 2") == 0


async def test_from_one_postgresql_to_another(filled: Settings, place: Settings, tmp_path: Path) -> None:
    backup = await made(filled, tmp_path / "a.zip")
    async with logged_in(filled) as login:
        before = await rows(login)
    other = place.model_copy(update={"postgres_version": OTHER})
    await restore(backup.path, other)
    assert (place.data / f"postgres{OTHER}").is_dir()
    async with logged_in(other) as login:
        assert await rows(login) == before


async def test_an_empty_folder_and_one_that_holds_only_what_no_backup_holds(
    filled: Settings, place: Settings, tmp_path: Path
) -> None:
    backup = await made(filled, tmp_path / "a.zip")
    place.data.mkdir()
    assert (await restore(backup.path, place)).aside is None
    subprocess.run(["rm", "-rf", str(place.data)], check=True)
    (place.data / "backups").mkdir(parents=True)
    (place.data / "backups" / "b.zip").write_bytes(backup.path.read_bytes())
    (place.data / ".env").write_text("NOTION_TOKEN=x")
    assert (await restore(place.data / "backups" / "b.zip", place)).aside is None
    assert (place.data / ".env").read_text() == "NOTION_TOKEN=x"
    assert (place.data / "backups" / "b.zip").is_file()
    assert os.listdir(place.data.parent) == ["data"]


async def test_a_folder_that_holds_something_is_refused_and_with_replace_moved_aside(
    filled: Settings, place: Settings, tmp_path: Path
) -> None:
    backup = await made(filled, tmp_path / "a.zip")
    async with await open_database(place):
        pass
    (place.data / "backups").mkdir()
    (place.data / "thesis.txt").write_text("mine")
    was = await told(place)
    with pytest.raises(
        Conflict, match=r"is not empty: name a new one with --data, or move this one aside with --replace"
    ):
        await restore(backup.path, place)
    assert await told(place) == was
    restored = await restore(backup.path, place, replace=True)
    assert await told(place) == await told(filled)
    assert restored.aside is not None
    assert restored.aside.parent == place.data.parent
    assert (restored.aside / "thesis.txt").read_text() == "mine"
    assert (place.data / "backups").is_dir()
    assert await told(place.model_copy(update={"data": restored.aside})) == was


async def test_a_folder_in_use_is_refused(filled: Settings, place: Settings, tmp_path: Path) -> None:
    backup = await made(filled, tmp_path / "a.zip")
    async with await open_database(place) as database:
        with pytest.raises(Conflict, match="another Cortex process uses .*: end it, or wait for it"):
            await restore(backup.path, place, replace=True)
        async with database.connection("app") as connection:
            assert await count(connection, "public.migrations") > 0
    with (
        claim_serving(place.data, 8765),
        pytest.raises(Conflict, match=r"served at http://127\.0\.0\.1:8765: stop that first"),
    ):
        await restore(backup.path, place, replace=True)
    assert os.listdir(place.data.parent) == ["data"]


async def test_one_that_came_into_use_meanwhile_is_refused_too(
    filled: Settings, place: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = await made(filled, tmp_path / "a.zip")
    async with await open_database(place):
        pass
    was = await told(place)
    take = _place.Place.take

    def late(self: _place.Place, *, replace: bool) -> Path | None:
        with claim_serving(place.data, 8765):
            return take(self, replace=replace)

    monkeypatch.setattr(_place.Place, "take", late)
    with pytest.raises(Conflict, match="stop that first"):
        await restore(backup.path, place, replace=True)
    assert os.listdir(place.data.parent) == ["data"]
    assert await told(place) == was


async def test_places_that_cannot_be_one(filled: Settings, place: Settings, tmp_path: Path, small_disk: Path) -> None:  # noqa: F811
    backup = await made(filled, tmp_path / "a.zip")
    place.data.write_text("a file")
    with pytest.raises(Invalid, match="is not a folder"):
        await restore(backup.path, place, replace=True)
    with pytest.raises(Invalid, match="is a disk of its own"):
        await restore(backup.path, place.model_copy(update={"data": small_disk}))
    in_the_way = place.data.parent / ".other.restoring"
    in_the_way.mkdir()
    (in_the_way / "thesis.txt").touch()
    with pytest.raises(Conflict, match="is in the way"):
        await restore(backup.path, place.model_copy(update={"data": place.data.parent / "other"}))
    assert (in_the_way / "thesis.txt").exists()


async def test_a_disk_that_is_full(filled: Settings, place: Settings, tmp_path: Path, small_disk: Path) -> None:  # noqa: F811
    backup = await made(filled, tmp_path / "a.zip")
    with pytest.raises(Upstream, match="too full: the restored library needs about"):
        await restore(backup.path, place.model_copy(update={"data": small_disk / "data"}))
    assert os.listdir(small_disk) == []


@pytest.mark.parametrize("damage", ["flip", "cut", "none"])
async def test_a_damaged_backup_touches_nothing(filled: Settings, place: Settings, tmp_path: Path, damage: str) -> None:
    path = (await made(filled, tmp_path / "a.zip")).path
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"a picture")] ^= 1
    path.write_bytes({"flip": bytes(raw), "cut": bytes(raw[:-1]), "none": b"%PDF-1.4"}[damage])
    async with await open_database(place):
        pass
    was, before = sorted(place.data.iterdir()), await told(place)
    for data in (place.data, place.data.parent / "new"):
        with pytest.raises(Invalid, match="is damaged, or no backup"):
            await restore(path, place.model_copy(update={"data": data}), replace=True)
    assert sorted(place.data.iterdir()) == was
    assert os.listdir(place.data.parent) == ["data"]
    assert await told(place) == before


def later(monkeypatch: pytest.MonkeyPatch, count: int = 1) -> None:
    """A version with more migrations."""
    known = schema.migrations()
    more = [
        schema.Migration(known[-1].number + n, f"later{n}", f"CREATE TABLE public.later{n} ()")
        for n in range(1, count + 1)
    ]
    monkeypatch.setattr(schema, "migrations", lambda: [*known, *more])


async def test_before_a_migration_a_backup_is_made(
    filled: Settings, place: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, number = await told(filled), schema.migrations()[-1].number
    later(monkeypatch)
    async with await open_database(filled):
        pass
    async with await open_database(filled):
        pass
    [backup] = (filled.data / "backups").iterdir()
    assert NAMES["before"].fullmatch(backup.name)
    assert backup.name.startswith(f"before-{number + 1:04d}-")
    assert backup.stat().st_mode & 0o777 == 0o600
    monkeypatch.undo()
    await restore(backup, place)  # the older version takes it
    assert await told(place) == before


async def test_of_those_the_newest_few_are_kept(filled: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = (await back_up(filled)).path
    number = schema.migrations()[-1].number
    for n in range(1, 6):
        with monkeypatch.context() as patch:
            later(patch, n)
            async with await open_database(filled):
                pass
    kept = sorted(path.name[:11] for path in (filled.data / "backups").iterdir() if path != asked)
    assert kept == [f"before-{number + n:04d}" for n in (3, 4, 5)]
    assert asked.exists()


async def test_without_that_backup_nothing_is_migrated(filled: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    (filled.data / "backups").write_text("not a folder")
    before = await told(filled)
    later(monkeypatch)
    with pytest.raises((Invalid, Upstream), match="backups"):
        await open_database(filled)
    monkeypatch.undo()
    assert await told(filled) == before
    assert not (filled.data / f"postgres{POSTGRES}" / "postmaster.pid").exists()


async def test_a_first_start_needs_no_backup(place: Settings) -> None:
    async with await open_database(place):
        pass
    assert not (place.data / "backups").exists()


async def test_an_older_schema_is_backed_up_as_it_is(
    filled: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = schema.migrations()[-1].number
    later(monkeypatch)
    backup = await made(filled, tmp_path / "a.zip")
    assert backup.manifest.schema_number == number
    assert not (filled.data / "backups").exists()


async def test_one_from_the_future_is_not(owner: Owner, settings: Settings, tmp_path: Path) -> None:
    await owner.execute("INSERT INTO public.migrations (number, name, sha256) VALUES (999, 'later', '')")
    with pytest.raises(Conflict, match=r"newer Cortex.*999"):
        await made(settings, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()
