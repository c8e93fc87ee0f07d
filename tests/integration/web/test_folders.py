"""Folders that are checked and listed from the page: only from this machine, only ever read, never over another's file."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest

from cortex.bootstrap import Cortex
from cortex.settings import load

BASE = "http://127.0.0.1:8765"


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    """A vault of three notes: one dated, one a template, one hidden."""
    for name in ("2026-01-15.md", "Extras/Templates/day.md", ".obsidian/app.json", "photo.heic"):
        file = tmp_path / "My diary" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# Snow\n\nIt snowed on the tram.\n", encoding="utf-8")
    return tmp_path / "My diary"


async def test_a_check_counts_proposes_and_changes_nothing(
    client: httpx.AsyncClient, cortex: Cortex, diary: Path
) -> None:
    before = sorted(diary.rglob("*"))
    found = (await client.post("/api/sources/check", json={"path": str(diary)})).json()
    assert (found["files"], found["name"], found["obsidian"], found["dated"]) == (2, "My-diary", True, 0.5)
    assert found["exclude"] == ["Extras/Templates/**"]
    assert found["left_out"] == {"another kind of file": 1, "dot folder": 1}
    without = (await client.post("/api/sources/check", json={"path": str(diary), "exclude": found["exclude"]})).json()
    assert without["files"] == 1
    assert sorted(diary.rglob("*")) == before
    assert not (cortex.settings.data / "sources.d").exists()


async def test_a_folder_is_listed_synced_and_there_after_a_restart(
    client: httpx.AsyncClient, cortex: Cortex, diary: Path
) -> None:
    body = {"path": str(diary), "name": "日记", "exclude": ["Extras/Templates/**"]}
    assert (await client.post("/api/sources", json=body)).status_code == 201
    listed = {source["name"]: source for source in (await client.get("/api/sources")).json()["sources"]}
    assert listed["日记"]["newer"] == 1
    assert (await client.post("/api/sources/日记/sync", json={})).status_code == 202
    events = (await client.get("/api/sources/日记/sync")).text
    assert '"added": 1' in events
    again = load(cortex.settings.data)
    assert [(source.name, source.path, source.exclude) for source in again.sources] == [
        ("日记", diary, ("Extras/Templates/**",))
    ]


async def test_a_folder_that_was_added_is_removed_and_its_notes_stay(
    client: httpx.AsyncClient, cortex: Cortex, diary: Path
) -> None:
    await client.post("/api/sources", json={"path": str(diary), "name": "diary"})
    await client.post("/api/sources/diary/sync", json={})
    await client.get("/api/sources/diary/sync")
    listed = {source["name"]: source for source in (await client.get("/api/sources")).json()["sources"]}
    assert (listed["diary"]["removable"], listed["journals"]["removable"]) == (True, False)
    elsewhere = await client.delete("/api/sources/diary", headers={"X-Forwarded-For": "10.0.0.7"})
    assert elsewhere.status_code == 403
    assert (await client.delete("/api/sources/diary")).json() == {"deleted": 2}
    assert "diary" not in {source["name"] for source in (await client.get("/api/sources")).json()["sources"]}
    assert load(cortex.settings.data).sources == ()
    assert (diary / "2026-01-15.md").is_file()


async def test_what_the_configuration_lists_among_others_is_not_taken_out(client: httpx.AsyncClient) -> None:
    assert (await client.delete("/api/sources/journals")).status_code == 409


@pytest.mark.parametrize(
    ("path", "field"),
    [("", "path"), ("journals", "path"), ("/", "path"), ("/etc", "path"), ("/proc/1", "path"), ("/nowhere/at/all", "path"),
     ("~/\0", "path")],
)  # fmt: skip
async def test_what_is_no_folder_of_notes_is_refused_by_name(client: httpx.AsyncClient, path: str, field: str) -> None:
    answer = await client.post("/api/sources/check", json={"path": path})
    assert (answer.status_code, answer.json()["field"]) == (422, field)


async def test_a_link_into_the_system_and_cortexs_own_folder_are_refused(
    client: httpx.AsyncClient, cortex: Cortex, tmp_path: Path
) -> None:
    os.symlink("/etc", tmp_path / "innocent")
    own = cortex.settings.data / "embedded"
    own.mkdir(parents=True)
    for path in (tmp_path / "innocent", own):
        assert (await client.post("/api/sources", json={"path": str(path)})).status_code == 422


@pytest.mark.parametrize("name", ["a b", "../up", "x/y", "notes", "", ".hidden", "n" * 65])
async def test_a_name_that_is_none_writes_nothing(
    client: httpx.AsyncClient, cortex: Cortex, diary: Path, name: str
) -> None:
    answer = await client.post("/api/sources", json={"path": str(diary), "name": name})
    assert answer.status_code in (201, 422)
    assert answer.status_code == 422 or (name == "" and answer.json()["name"] == "My-diary")
    assert list((cortex.settings.data / "sources.d").glob("*")) == (
        [] if answer.status_code == 422 else [cortex.settings.data / "sources.d" / "My-diary.yaml"]
    )


async def test_nothing_is_listed_twice_and_no_file_is_written_over(
    client: httpx.AsyncClient, cortex: Cortex, diary: Path, vault: Path
) -> None:
    assert (await client.post("/api/sources", json={"path": str(vault), "name": "again"})).status_code == 409
    assert (await client.post("/api/sources", json={"path": str(diary), "name": "Journals"})).status_code == 409
    mine = cortex.settings.data / "sources.d" / "diary.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text("# mine\n", encoding="utf-8")
    assert (await client.post("/api/sources", json={"path": str(diary), "name": "diary"})).status_code == 409
    assert mine.read_text(encoding="utf-8") == "# mine\n"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Authorization": "Bearer token"},
        {"X-Forwarded-For": "10.0.0.7"},
        {"Forwarded": "for=10.0.0.7"},
        {"Host": "rebound.example"},
    ],
)
@pytest.mark.parametrize("path", ["/api/sources/check", "/api/sources"])
async def test_nobody_but_this_page_on_this_machine_adds_a_folder(
    client: httpx.AsyncClient, cortex: Cortex, diary: Path, path: str, headers: dict[str, str]
) -> None:
    answer = await client.post(path, json={"path": str(diary)}, headers=headers)
    assert answer.status_code in (403, 421)
    assert not (cortex.settings.data / "sources.d").exists()


async def test_a_form_of_another_site_cannot_say_json(client: httpx.AsyncClient, diary: Path) -> None:
    body = f'{{"path": "{diary}"}}'
    answer = await client.post("/api/sources", content=body, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422


async def test_another_machine_adds_no_folder(cortex: Cortex, diary: Path) -> None:
    from cortex.web.app import create_app

    transport = httpx.ASGITransport(create_app(cortex), client=("192.168.1.7", 4000))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        assert (await client.post("/api/sources", json={"path": str(diary)})).status_code == 403
