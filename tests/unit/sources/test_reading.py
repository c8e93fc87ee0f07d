"""Reading a listed file: what stands between the listing and the opening, and what becomes of its text."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from pathlib import Path

import pytest

from cortex.errors import Invalid
from cortex.library.mirrors import Incoming, Mirror
from cortex.sources import _local_file
from cortex.sources.listing import Item
from cortex.sources.local import Folder
from cortex.sources.reading import Outcome, Same, Skipped, read_all
from cortex.text import language


def read(root: Path, known: dict[str, Mirror] | None = None, *, again: bool = False) -> dict[str, Outcome]:
    folder = Folder("notes", root, ("**/*",))
    outcomes = read_all(folder, list(folder.list().files.values()), known or {}, again=again)
    return {outcome.item if isinstance(outcome, Item) else outcome.external_id: outcome for outcome in outcomes}


def document(root: Path, name: str, raw: bytes) -> Incoming:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(raw)
    found = read(root)[name]
    assert isinstance(found, Incoming), found
    return found


def test_a_note_becomes_a_document(tmp_path: Path) -> None:
    raw = (
        "---\ntitle: 一周\ntags: [work, 家]\ncreated: 2026-01-14\n---\n# Heading\n\nSee [[Other note|that]].\n".encode()
    )
    found = document(tmp_path, "2026/Q1/week-03.md", raw)
    assert (found.title, found.kind, found.date, found.period) == ("一周", "weekly", dt.date(2026, 1, 12), 20261)
    assert found.text.startswith("# Heading")
    assert found.tags == ("work", "家")
    assert found.links == ("Other note",)
    assert found.url == f"file://{tmp_path}/2026/Q1/week-03.md"
    assert found.content_hash == hashlib.sha256(raw).digest()
    assert found.size == len(raw)
    assert found.metadata["fields"]["title"] == "一周"


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (b"---\ntitle: From above\n---\n# Heading\n", "From above"),
        (b"---\ntitle: 2022-07-25\n---\n", "2022-07-25"),
        (b"---\ntitle:\n---\n# Heading *one*\n", "Heading one"),
        (b"plain\n\n# Later heading\n", "Later heading"),
        (b"Setext\n======\n", "Setext"),
        (b"## Agenda\n\n# Not the first\n", "my note"),
        (b"plain", "my note"),
        (b"```\n# a comment\n```\n", "my note"),
        (b"", "my note"),
    ],
)
def test_the_title_is_the_first_that_says_something(tmp_path: Path, raw: bytes, title: str) -> None:
    assert document(tmp_path, "my note.md", raw).title == title


def test_pitfall_3_encodings(tmp_path: Path) -> None:
    assert document(tmp_path, "bom.md", "\ufeff---\ntitle: 题\n---\n正文".encode()).title == "题"
    assert document(tmp_path, "wide.md", "# 标题\n\n正文很短".encode("utf-16")).title == "标题"
    assert "caf" in document(tmp_path, "latin.md", "# Café\n\nun café crème".encode("latin-1")).text


def test_pitfall_4_line_ends_are_one(tmp_path: Path) -> None:
    assert document(tmp_path, "a.md", b"# T\r\n\r\ntext\r\n").text == document(tmp_path, "b.md", b"# T\n\ntext\n").text


@pytest.mark.parametrize(
    "front", [b"---\n: [broken\ntags: a\n---\n", b"---\ntags: a\ntags: {\n---\n", b"---\ndate: 2026-99-99\n---\n"]
)
def test_pitfall_5_broken_front_matter_is_no_reason_to_lose_the_note(tmp_path: Path, front: bytes) -> None:
    found = document(tmp_path, "a.md", front + b"body\n\n---\n\nafter the rule\n")
    assert "body" in found.text
    assert "after the rule" in found.text
    assert found.date is None


def test_what_the_database_cannot_hold_is_replaced(tmp_path: Path) -> None:
    found = document(
        tmp_path, "a.md", b'---\ntitle: "a\\0b\\ud800c"\nx: "\\ud800"\n---\nte\0xt and enough of it to be a text\n'
    )
    for text in (found.title, found.text, str(found.metadata)):
        text.encode()
        assert "\0" not in text


def test_known_bytes_are_not_converted(tmp_path: Path) -> None:
    first = document(tmp_path, "a.md", b"same")
    known = {"a.md": Mirror(1, 1, 4, 0, first.content_hash, False)}
    assert isinstance(read(tmp_path, known)["a.md"], Same)
    assert isinstance(read(tmp_path, known, again=True)["a.md"], Incoming)


def test_one_bad_file_is_one_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, raw in (("a.md", b"fine"), ("b.md", b"odd"), ("broken.pdf", b"%PDF-1.7 not really")):
        (tmp_path / name).write_bytes(raw)
    monkeypatch.setattr(language, "detect", lambda text: 1 / 0 if text.startswith("b\n") else "en")
    found = read(tmp_path)
    assert isinstance(found["a.md"], Incoming)
    assert found["b.md"] == Item("b.md", "cannot be converted: ZeroDivisionError: division by zero")
    assert isinstance(found["broken.pdf"], Item)


def test_a_file_that_cannot_be_opened_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("x")

    def refuse(root: str, real: str) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(_local_file, "_open_inside", refuse)
    assert read(tmp_path) == {"a.md": Item("a.md", "cannot be read: Permission denied")}


def test_y3_a_file_without_its_bytes_is_skipped(tmp_path: Path) -> None:
    with open(tmp_path / "a.md", "wb") as file:
        file.truncate(5000)
    if (tmp_path / "a.md").stat().st_blocks:
        pytest.skip("this file system gives every file blocks")
    assert read(tmp_path) == {"a.md": Skipped("a.md", "not downloaded")}


def test_pitfall_13_a_link_put_there_after_the_listing_leads_nowhere(tmp_path: Path) -> None:
    root, outside = tmp_path / "vault", tmp_path / "outside"
    for folder in (root / "sub", outside):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text("secret" if folder == outside else "mine")
    (root / "b.md").write_text("mine")
    listing = Folder("n", root, ("**/*.md",)).list()
    (root / "b.md").unlink()
    (root / "b.md").symlink_to(outside / "a.md")
    (root / "sub" / "a.md").unlink()
    (root / "sub").rmdir()
    (root / "sub").symlink_to(outside)
    for name in ("b.md", "sub/a.md"):
        with pytest.raises(Invalid, match="became a link"):
            listing.files[name].read()


def test_a_pipe_put_there_after_the_listing_does_not_stop_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    listing = Folder("n", tmp_path, ("**/*.md",)).list()
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    with pytest.raises(Invalid, match="not a file"):
        listing.files["a.md"].read()


def test_pitfall_9_a_large_text_is_read_in_proportion(tmp_path: Path) -> None:
    raw = "# 大\n\n" + "一句话。A sentence follows. " * 100_000
    assert len(document(tmp_path, "large.md", raw.encode()).text) > 2_000_000
