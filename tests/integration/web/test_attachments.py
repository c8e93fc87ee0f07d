"""Attachments over HTTP: given, listed, served whole and in parts, taken away; and what is refused."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest
from tests.integration.storage.rows import Owner, add_document, add_owner, count
from tests.unit.library.pictures import bomb, picture, turned

from cortex.bootstrap import Cortex
from cortex.library import pictures

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


@pytest.fixture
async def note(owner: Owner) -> int:
    return await add_document(owner, 1, "note")


def digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def files(cortex: Cortex) -> list[Path]:
    return sorted(path for path in cortex.files.folder.rglob("*") if path.is_file())


async def give(client: httpx.AsyncClient, note: int, raw: bytes, name: str = "a.bin") -> httpx.Response:
    return await client.post(f"/api/notes/{note}/attachments", params={"name": name}, content=raw)


async def test_a_file_is_given_listed_and_served(client: httpx.AsyncClient, cortex: Cortex, note: int) -> None:
    given = await give(client, note, PNG, "图 1.png")
    assert given.status_code == 201
    told = given.json()
    assert (told["hash"], told["name"], told["media_type"]) == (digest(PNG), "图 1.png", "image/png")
    assert (told["size"], told["width"], told["height"]) == (len(PNG), 1, 1)
    assert told["text"] == {"state": "none", "document_id": None, "reason": None}
    assert (await client.get(f"/api/notes/{note}/attachments")).json()["attachments"] == [told]
    served = await client.get(told["url"])
    assert (served.status_code, served.content, served.headers["content-type"]) == (200, PNG, "image/png")
    assert served.headers["etag"] == f'"{digest(PNG)}"'
    assert served.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert [path.name for path in files(cortex)] == [digest(PNG)[2:]]


async def test_the_same_bytes_twice_are_stored_once(client: httpx.AsyncClient, cortex: Cortex, owner: Owner) -> None:
    notes = [await add_document(owner, 1, name) for name in "ab"]
    for n, note in enumerate([notes[0], notes[0], notes[1]]):
        assert (await give(client, note, b"same", f"{n}.bin")).status_code == 201
    assert len(files(cortex)) == 1
    assert await count(owner, "library.attachments") == 1
    names = [(await client.get(f"/api/notes/{note}/attachments")).json()["attachments"] for note in notes]
    assert [[each["name"] for each in listed] for listed in names] == [["1.bin"], ["2.bin"]]


async def test_a_long_list_comes_in_pages(client: httpx.AsyncClient, note: int, owner: Owner) -> None:
    await owner.execute(
        """INSERT INTO library.attachments (owner_id, hash, name, media_type, size, text_state)
           SELECT 1, sha256(n::text::bytea), n, 'text/plain', 1, 'none' FROM generate_series(1, 250) n"""
    )
    await owner.execute(
        """INSERT INTO library.note_attachments (owner_id, document_id, hash, name, created_at)
           SELECT 1, %s, hash, name, now() - interval '1 s' * (name::int / 7) FROM library.attachments""",
        [note],
    )
    url, seen, after = f"/api/notes/{note}/attachments", [], ""
    for pages in (100, 100, 50):
        page = (await client.get(url, params={"after": after})).json()
        assert len(page["attachments"]) == pages
        seen += [each["name"] for each in page["attachments"]]
        after = page["next"]
    assert after is None
    assert len(set(seen)) == 250
    for bad in ("x", "~", "2024-01-01~zz", "~ab"):
        assert (await client.get(url, params={"after": bad})).status_code == 422


async def test_a_file_of_no_bytes(client: httpx.AsyncClient, note: int) -> None:
    told = (await give(client, note, b"")).json()
    assert (told["size"], told["hash"]) == (0, digest(b""))
    served = await client.get(told["url"])
    assert (served.status_code, served.content, served.headers["content-length"]) == (200, b"", "0")
    assert (await client.get(told["url"], headers={"Range": "bytes=0-"})).status_code == 416


@pytest.mark.parametrize(
    ("asked", "status", "part"),
    [
        ("bytes=0-3", 206, b"0123"),
        ("bytes=4-", 206, b"456789"),
        ("bytes=-3", 206, b"789"),
        ("bytes=8-99999999999999999999", 206, b"89"),
        ("bytes=-99", 200, b"0123456789"),
        ("bytes=0-", 200, b"0123456789"),
        ("bytes=10-", 416, None),
        ("bytes=-0", 416, None),
        ("bytes=5-2", 200, b"0123456789"),
        ("bytes=0-1,4-5", 200, b"0123456789"),
        ("bytes=x-", 200, b"0123456789"),
        ("lines=1-2", 200, b"0123456789"),
    ],
)
async def test_a_part(client: httpx.AsyncClient, note: int, asked: str, status: int, part: bytes | None) -> None:
    url = (await give(client, note, b"0123456789")).json()["url"]
    for method in ("GET", "HEAD"):
        answer = await client.request(method, url, headers={"Range": asked})
        assert answer.status_code == status
        if part is None:
            assert answer.headers["content-range"] == "bytes */10"
            assert answer.headers["content-type"] == "application/problem+json"
            continue
        assert answer.content == (part if method == "GET" else b"")
        assert answer.headers["content-length"] == str(len(part))
        if status == 206:
            start = b"0123456789".index(part)
            assert answer.headers["content-range"] == f"bytes {start}-{start + len(part) - 1}/10"


async def test_what_is_known_already_is_not_sent_again(client: httpx.AsyncClient, note: int) -> None:
    told = (await give(client, note, b"0123456789")).json()
    tag = f'"{told["hash"]}"'
    for known in (tag, f'"other", W/{tag}', "*"):
        answer = await client.get(told["url"], headers={"If-None-Match": known})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    assert (await client.get(told["url"], headers={"If-None-Match": '"other"'})).status_code == 200
    part = {"Range": "bytes=0-1"}
    assert (await client.get(told["url"], headers={**part, "If-Range": tag})).status_code == 206
    assert (await client.get(told["url"], headers={**part, "If-Range": '"other"'})).status_code == 200


HOSTILE = {
    "page.png": b"<!DOCTYPE html><script>alert(1)</script>",
    "comment.gif": b"\n <!-- x --><html><script>alert(1)</script>",
    "drawing.svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "declared.jpg": b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "script.js": b"alert(1)",
    "feed.xml": b'<?xml version="1.0"?><x xmlns="http://www.w3.org/1999/xhtml"/>',
    "late.pdf": b" " * 40 + b"%PDF-1.4 <script>alert(1)</script>",
    "run.exe": b"MZ\x90\0\x03",
    "half.png": b"\x89PNG",
    "page.html": b"\xef\xbb\xbf<p>hello</p>",
    "sixteen.html": "<script>alert(1)</script>".encode("utf-16"),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_could_run_is_a_download(client: httpx.AsyncClient, note: int, name: str) -> None:
    url = (await give(client, note, HOSTILE[name], name)).json()["url"]
    answer = await client.get(url)
    assert answer.content == HOSTILE[name]
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="{name}"')
    walls(answer)


def walls(answer: httpx.Response) -> None:
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "script" not in policy


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"GIF89a/*<script>alert(1)</script>*/=1;alert(1)", "image/gif"),
        (b"\xff\xd8\xff\xe0<html><script>alert(1)</script>", "image/jpeg"),
        (b"RIFF\0\0\0\0WAVE<script>", "audio/wav"),
        (b"\0\0\0\x18ftypisom\0\0\0\0mp42isom", "video/mp4"),
        (b"\0\0\0\x1cftypavif\0\0\0\0mif1avif", "image/avif"),
        (b"ID3\x04\0", "audio/mpeg"),
    ],
)
async def test_what_is_shown_is_what_its_first_bytes_say(
    client: httpx.AsyncClient, note: int, raw: bytes, kind: str
) -> None:
    """Two things at once: the browser may take it for the harmless one only."""
    answer = await client.get((await give(client, note, raw, "page.html")).json()["url"])
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"].startswith('inline; filename="page.html"')
    walls(answer)


NAMES = {
    "../../etc/passwd": "passwd",
    "C:\\Users\\me\\plan.txt": "plan.txt",
    'a "quoted" name.txt': 'a "quoted" name.txt',
    "line\r\nSet-Cookie: x=1\n.txt": "lineSet-Cookie: x=1.txt",
    "photo\u202egnp.exe": "photognp.exe",
    "\u200fשלום.txt": "שלום.txt",
    "周记 🐈 #%@|;'.md": "周记 🐈 #%@|;'.md",
    "cafe\u0301.txt": "café.txt",
    "..": "file",
    "": "file",
    "  \t ": "file",
    "trailing. ": "trailing.",
    "\ud800x".encode("utf-8", "surrogatepass").decode("utf-8", "replace"): "\ufffd\ufffd\ufffdx",
    "长" * 200 + ".txt": "长" * 83 + ".txt",
    "x" * 300: "x" * 255,
    "x" * 254 + ".y": "x" * 253 + ".y",
    "nul\0.txt": "nul.txt",
}


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_is_borne_by_a_header_and_leads_nowhere(
    client: httpx.AsyncClient, cortex: Cortex, note: int, name: str
) -> None:
    told = (await give(client, note, b"named", name)).json()
    assert told["name"] == NAMES[name]
    for answer in (await client.get(told["url"]), await client.get(told["url"], params={"name": name})):
        written = answer.headers["content-disposition"]
        assert "\r" not in written
        assert "set-cookie" not in answer.headers
        plain, _, encoded = written.partition("; filename*=UTF-8''")
        ascii_name = plain.removeprefix('attachment; filename="').removesuffix('"')
        assert ascii_name.isascii()
        assert not set(ascii_name) & set('"\\/')
        assert (unquote(encoded) or ascii_name) == NAMES[name]
    assert [path.name for path in files(cortex)] == [digest(b"named")[2:]]


async def test_of_another_owner_nothing_is_seen(
    client: httpx.AsyncClient, cortex: Cortex, note: int, owner: Owner
) -> None:
    """Two owners have the same bytes: one file, two records; and who has none cannot tell that it is there."""
    await add_owner(owner, 2)
    theirs = await add_document(owner, 2, "theirs")
    raw = b"theirs alone"
    given = await give(client, note, raw)
    await owner.execute("DELETE FROM library.note_attachments")
    await owner.execute("UPDATE library.attachments SET owner_id = 2")
    url, guessed = given.json()["url"], f"/api/attachments/{digest(b'never there')}"
    for method in ("GET", "HEAD"):
        answers = [await client.request(method, each) for each in (url, guessed, f"{url}?thumb=1")]
        assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert (await client.get(url)).json()["detail"].replace(digest(raw), "") == (
        (await client.get(guessed)).json()["detail"].replace(digest(b"never there"), "")
    )
    assert (await give(client, theirs, raw)).status_code == 404
    assert (await client.get(f"/api/notes/{theirs}/attachments")).status_code == 404
    assert (await client.delete(f"/api/notes/{theirs}/attachments/{digest(raw)}")).status_code == 404
    mine = await give(client, note, raw)
    assert (mine.status_code, len(files(cortex))) == (201, 1)
    assert await count(owner, "library.attachments") == 2


@pytest.mark.parametrize("hash_", ["xyz", "A" * 64, "0" * 63, "0" * 65, "..%2f..%2fetc", "0" * 62 + "\u0661\u0661"])
async def test_what_is_no_hash(client: httpx.AsyncClient, note: int, hash_: str) -> None:
    assert (await client.get(f"/api/attachments/{hash_}")).status_code in (404, 422)
    assert (await client.delete(f"/api/notes/{note}/attachments/{hash_}")).status_code in (404, 405, 422)


async def test_a_form_is_refused(client: httpx.AsyncClient, cortex: Cortex, note: int) -> None:
    answer = await client.post(f"/api/notes/{note}/attachments", files={"file": ("a.txt", b"a")})
    assert (answer.status_code, answer.json()["type"]) == (415, "unsupported")
    assert files(cortex) == []


async def test_other_bytes_than_were_announced_are_refused(
    client: httpx.AsyncClient, cortex: Cortex, note: int
) -> None:
    url = f"/api/notes/{note}/attachments"
    answer = await client.post(url, params={"hash": digest(b"whole")}, content=b"who")
    assert (answer.status_code, answer.json()["field"]) == (422, "hash")
    assert files(cortex) == []
    assert (await client.post(url, params={"hash": digest(b"whole")}, content=b"whole")).status_code == 201


async def test_too_large_names_the_limit_and_leaves_nothing(
    client: httpx.AsyncClient, cortex: Cortex, note: int, owner: Owner
) -> None:
    limits = cortex.settings.limits.model_copy(update={"attachment_mb": 3})
    object.__setattr__(cortex, "settings", cortex.settings.model_copy(update={"limits": limits}))
    sent = 0

    async def unannounced() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b"x" * 100_000

    for content in (b"x" * 3_000_001, unannounced()):
        answer = await client.post(f"/api/notes/{note}/attachments", content=content)
        assert (answer.status_code, answer.json()["type"]) == (413, "too_large")
        assert "3 MB" in answer.json()["detail"]
        assert answer.json()["field"] == "limits.attachment_mb"
        assert files(cortex) == []
    assert sent == 31
    assert await count(owner, "library.attachments") == 0
    assert (await give(client, note, b"x" * 3_000_000)).status_code == 201


async def test_a_note_that_is_not_there_takes_no_bytes(client: httpx.AsyncClient, cortex: Cortex, note: int) -> None:
    asked = 0

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal asked
        asked += 1
        yield b"x"

    answer = await client.post(f"/api/notes/{note + 1000}/attachments", content=pieces())
    assert (answer.status_code, answer.json()["field"]) == (404, "note_id")
    assert (asked, files(cortex)) == (0, [])


async def test_what_is_taken_from_one_note_stays_with_the_other(
    client: httpx.AsyncClient, cortex: Cortex, owner: Owner
) -> None:
    notes = [await add_document(owner, 1, name) for name in "ab"]
    for note in notes:
        await give(client, note, b"shared")
    url = f"/api/notes/{notes[0]}/attachments/{digest(b'shared')}"
    assert (await client.delete(url)).status_code == 204
    assert (await client.delete(url)).status_code == 404
    assert (await client.get(f"/api/notes/{notes[0]}/attachments")).json()["attachments"] == []
    assert len((await client.get(f"/api/notes/{notes[1]}/attachments")).json()["attachments"]) == 1
    assert (await client.get(f"/api/attachments/{digest(b'shared')}")).content == b"shared"
    assert await count(owner, "library.attachments", "unlinked_at IS NULL") == 1


async def test_a_file_that_is_missing_is_named(client: httpx.AsyncClient, cortex: Cortex, note: int) -> None:
    url = (await give(client, note, b"gone")).json()["url"]
    files(cortex)[0].unlink()
    answer = await client.get(url)
    assert answer.status_code == 502
    assert "doctor" in answer.json()["detail"]
    assert (await give(client, note, b"gone")).status_code == 201
    assert (await client.get(url)).content == b"gone"


async def test_a_thumbnail_is_made_once_and_kept(
    client: httpx.AsyncClient, cortex: Cortex, note: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = (await give(client, note, turned(6), "camera.jpg")).json()
    assert (told["width"], told["height"], told["thumb_url"]) == (100, 400, f"{told['url']}?thumb=1")
    small = await client.get(told["thumb_url"])
    assert (small.status_code, small.headers["content-type"]) == (200, "image/webp")
    assert b"HOME-ADDRESS" not in small.content
    walls(small)
    tag = small.headers["etag"]
    assert tag != (await client.get(told["url"])).headers["etag"]
    assert (await client.get(told["thumb_url"], headers={"If-None-Match": tag})).status_code == 304
    monkeypatch.setattr(pictures, "thumbnail", None)
    assert (await client.get(told["thumb_url"])).content == small.content
    head = await client.head(told["thumb_url"])
    assert (head.content, head.headers["content-length"]) == (b"", str(len(small.content)))
    assert len(list(cortex.thumbnails.folder.rglob("*"))) == 3  # two folders and the file


async def test_many_ask_for_one_thumbnail_at_once(client: httpx.AsyncClient, note: int) -> None:
    url = (await give(client, note, picture("PNG", (900, 900)))).json()["thumb_url"]
    answers = await asyncio.gather(*(client.get(url) for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


async def test_what_has_no_thumbnail(client: httpx.AsyncClient, note: int) -> None:
    text = (await give(client, note, b"text")).json()
    assert text["thumb_url"] is None
    assert (await client.get(f"{text['url']}?thumb=1")).status_code == 404
    huge = (await give(client, note, bomb(60_000))).json()
    answer = await client.get(huge["thumb_url"])
    assert (answer.status_code, answer.json()["type"]) == (413, "too_large")
    assert "50 million pixels" in answer.json()["detail"]
    cut = (await give(client, note, b"\x89PNG\r\n\x1a\n cut")).json()
    assert cut["thumb_url"] is None
    answer = await client.get(f"{cut['url']}?thumb=1")
    assert (answer.status_code, answer.json()["field"]) == (422, "hash")
    assert (await client.get(cut["url"])).status_code == 200


async def test_a_full_disk_is_named(
    client: httpx.AsyncClient, cortex: Cortex, note: int, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    url = (await give(client, note, picture("PNG"))).json()["thumb_url"]
    monkeypatch.setattr(os, "fsync", full)
    answer = await give(client, note, b"no room")
    assert (answer.status_code, answer.json()["type"]) == (502, "upstream")
    assert "full" in answer.json()["detail"]
    assert len(files(cortex)) == 1
    assert await count(owner, "library.attachments") == 1
    monkeypatch.setattr(os, "replace", lambda *_: full(0))
    assert (await client.get(url)).status_code == 200  # shown, though it cannot be kept


async def test_a_file_in_the_way_of_the_folder(client: httpx.AsyncClient, cortex: Cortex, note: int) -> None:
    cortex.files.folder.write_text("not a folder")
    answer = await give(client, note, b"x")
    assert answer.status_code == 422
    assert "not a folder" in answer.json()["detail"]
