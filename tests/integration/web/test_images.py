"""The images of a note: what it embeds and nothing else, from inside the folder of its source, with no way to run."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER
from cortex.sources.sync import sync

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

NOTE = """# With images

![beside](img/plan.png) ![[deep photo.png]] ![up](../top.png) ![drawn](drawing.svg)
![out](../../secret.png) ![hidden](.obsidian/secret.png) ![left out](private/secret.png) ![link](link.png) ![gone](gone.png)
![page](page.html) ![absolute](/etc/passwd.png)
"""


@pytest.fixture
async def note(cortex: Cortex, vault: Path) -> int:
    """A note in a folder of the vault, with images in many places."""
    files = {
        "Trips/note.md": NOTE.encode(),
        "Trips/img/plan.png": PNG,
        "Attachments/deeper/deep photo.png": PNG + b"deep",
        "top.png": PNG,
        "unnamed.png": PNG,
        "Trips/drawing.svg": SVG,
        "Trips/.obsidian/secret.png": PNG,
        "Trips/private/secret.png": PNG,
        "Trips/page.html": b"<p>page</p>",
        "../secret.png": PNG,
    }
    for name, raw in files.items():
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_bytes(raw)
    os.symlink(vault.parent / "secret.png", vault / "Trips" / "link.png")
    source = cortex.settings.sources[0].model_copy(update={"exclude": ("**/private/**",)})
    object.__setattr__(cortex, "settings", cortex.settings.model_copy(update={"sources": (source,)}))
    await sync(cortex.database, LOCAL_OWNER, cortex.settings)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        found = await (await tx.execute("SELECT id FROM library.documents WHERE title = 'With images'")).fetchone()
    assert found is not None
    return int(found["id"])


def url(note: int, path: str) -> str:
    return f"/api/documents/{note}/files/{quote(path, safe='')}"


@pytest.mark.parametrize("path", ["img/plan.png", "deep photo.png", "../top.png"])
async def test_an_embedded_image_is_served(client: httpx.AsyncClient, note: int, path: str) -> None:
    answer = await client.get(url(note, path))
    assert (answer.status_code, answer.headers["content-type"], answer.content[:4]) == (200, "image/png", PNG[:4])
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_an_svg_gets_no_origin_and_runs_nothing(client: httpx.AsyncClient, note: int) -> None:
    answer = await client.get(url(note, "drawing.svg"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    policy = answer.headers["content-security-policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy
    assert "script" not in policy


@pytest.mark.parametrize(
    "path",
    ["../../secret.png", ".obsidian/secret.png", "private/secret.png", "link.png", "gone.png", "page.html",
     "/etc/passwd.png", "../unnamed.png", "unnamed.png", "note.md", "x\0.png"],
)  # fmt: skip
async def test_nothing_else_is(client: httpx.AsyncClient, note: int, path: str) -> None:
    answer = await client.get(url(note, path))
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


async def test_the_page_of_the_note_names_its_images_and_only_them(client: httpx.AsyncClient, note: int) -> None:
    page = (await client.get(f"/api/documents/{note}")).json()["html"]
    assert 'data-path="img/plan.png"' in page
    assert "<img" not in page


async def test_titles_are_found_by_their_words(client: httpx.AsyncClient, note: int) -> None:
    async def titles(q: str) -> list[str]:
        return [found["title"] for found in (await client.get("/api/documents", params={"q": q})).json()["documents"]]

    assert await titles("WITH im") == ["With images"]
    assert await titles("我的") == ["我的猫"]
    assert await titles("%") == await titles("_") == await titles(" ") == await titles("\\") == []
    assert await titles("k") == ["Kafka decisions", "Week 03"]
