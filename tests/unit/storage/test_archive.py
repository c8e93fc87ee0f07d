"""The file of a backup: read back as it was written, or refused by name."""

from __future__ import annotations

import hashlib
import io
import json
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.errors import Conflict, Invalid
from cortex.storage import archive as module
from cortex.storage.archive import MANIFEST, SUMS, Archive, Manifest, Writer, may_be_member

MEMBERS = {
    "database/library.documents.tsv": b"owner_id\tid\ttext\n" + b"1\t1\t\xe7\x8c\xab\\nline\n" * 500,
    "database/library.tags.tsv": b"owner_id\ttag\n",
    "attachments/ab/abcdef": bytes(range(256)) * 40,
    "config.yaml": b"sources: []\n",
}


def manifest(**changes: object) -> Manifest:
    told = {
        "cortex": "0.1.0", "schema_number": 3, "migrations": {1: "aa"}, "made_at": "2026-03-01T03:15:00+00:00", "kind": "daily",
        "library": "0123456789abcdef", "tables": {"library.documents": 500, "library.tags": 0},
        "sequences": {"library.documents.id": (500, True)}, "attachments": 1,
    }  # fmt: skip
    return Manifest(**{**told, **changes})


def write(path: Path, members: dict[str, bytes] = MEMBERS, **changes: object) -> Path:
    with path.open("wb") as file:
        writer = Writer(file)
        for name, content in members.items():
            with writer.member(name, deflated=name.startswith("database/")) as put:
                for at in range(0, len(content), 1000):
                    put(content[at : at + 1000])
        writer.finish(manifest(**changes))
    return path


def read(path: Path) -> dict[str, bytes]:
    with Archive(path) as archive:
        return {name: b"".join(archive.read(name)) for name in archive.check()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "a.zip")


def rewritten(path: Path, change: Callable[[dict[str, bytes]], object], *, sums: bool = True) -> Path:
    """The backup with other members, as somebody would make it who knows the format; with right sums, or the old ones."""
    with zipfile.ZipFile(path) as old:
        held = {name: old.read(name) for name in old.namelist()}
    change(held)
    if sums:
        rest = {name: content for name, content in held.items() if name not in (SUMS, MANIFEST)}
        held[SUMS] = "".join(
            f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in rest.items()
        ).encode()
        held[MANIFEST] = json.dumps(
            {**json.loads(held[MANIFEST]), "sums": hashlib.sha256(held[SUMS]).hexdigest()}
        ).encode()
    other = path.with_name("other.zip")
    with zipfile.ZipFile(other, "w") as new:
        for name, content in held.items():
            new.writestr(name, content)
    return other


def test_what_was_written_is_read(path: Path) -> None:
    assert read(path) == MEMBERS
    with Archive(path) as archive:
        assert archive.manifest == manifest(sums=archive.manifest.sums)


def test_any_zip_program_and_sha256sum_can_check_it(path: Path) -> None:
    with zipfile.ZipFile(path) as opened:
        assert opened.testzip() is None
        for line in opened.read(SUMS).decode().splitlines():
            digest, name = line.split("  ")
            assert hashlib.sha256(opened.read(name)).hexdigest() == digest


def test_one_flipped_bit_is_refused_or_does_no_harm(path: Path) -> None:
    """Times and the like are in a zip twice and mean nothing; everything that means something is under a sum."""
    sound, tried, refused = path.read_bytes(), 0, 0
    dice = random.Random(5)
    for _ in range(400):
        damaged = bytearray(sound)
        damaged[dice.randrange(len(sound))] ^= 1 << dice.randrange(8)
        path.write_bytes(damaged)
        tried += 1
        try:
            assert read(path) == MEMBERS
        except (Invalid, Conflict):
            refused += 1
    assert refused > tried * 0.8


@pytest.mark.parametrize("name", list(MEMBERS))
def test_one_flipped_byte_in_a_members_content_is_refused(path: Path, name: str) -> None:
    content = MEMBERS[name]
    other = rewritten(path, lambda held: held.update({name: bytes([content[0] ^ 1]) + content[1:]}), sums=False)
    with pytest.raises(Invalid, match="is damaged, or no backup"):
        read(other)


def test_a_truncated_file_is_refused_wherever_it_ends(path: Path) -> None:
    sound = path.read_bytes()
    for length in range(0, len(sound), 37):
        path.write_bytes(sound[:length])
        with pytest.raises(Invalid, match=r"is damaged, or no backup of Cortex.*take another one"):
            read(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip at all" * 100, b"PGDMP" + b"\x00" * 5000])
def test_what_is_no_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(Invalid, match="no backup of Cortex"):
        read(tmp_path / "x")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="cannot be opened: No such file"):
        Archive(tmp_path / "none.zip")
    with pytest.raises(Invalid, match="cannot be opened"):
        Archive(tmp_path)


def test_another_zip_is_no_backup(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as other:
        other.writestr("a.jpg", b"...")
    with pytest.raises(Invalid, match=r"no backup of Cortex: there is no manifest\.json"):
        Archive(tmp_path / "photos.zip")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "../evil",
            "/etc/passwd",
            "attachments/../../evil",
            "attachments/",
            "attachments//a",
            "attachments/./a",
            "postgres18/PG_VERSION",
        ),
        *(
            "backups/a.zip",
            ".env",
            "config.yaml/x",
            "sources.d/../x.yaml",
            "sources.d/a/b.yaml",
            "attachments/a\\..\\b",
            "attachments/a\nb",
        ),
        *(
            "database/library.documents.sql",
            "database/../x.y.tsv",
            "serve.lock",
            "attachments/" + "x" * 300,
            "C:/x",
            "Config.yaml",
        ),
    ],
)
def test_names_that_lead_elsewhere_are_refused(path: Path, name: str) -> None:
    assert not may_be_member(name)
    other = rewritten(path, lambda held: held.update({name: b"x"}))
    with pytest.raises(Invalid, match="is damaged, or no backup"):
        read(other)


@pytest.mark.parametrize(
    "name", ["attachments/ab/abc", "attachments/ab/名前.png", "sources.d/日记.yaml", "database/ai.answers.tsv"]
)
def test_names_that_a_backup_has(name: str) -> None:
    assert may_be_member(name)


def test_a_missing_member_and_one_too_many_are_refused(path: Path) -> None:
    for change in (lambda held: held.pop("config.yaml"), lambda held: held.update({"attachments/zz": b"more"})):
        with pytest.raises(Invalid, match="a part is missing, or there is one too many"):
            read(rewritten(path, change, sums=False))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as opened:
        opened.writestr("config.yaml", MEMBERS["config.yaml"])
    with pytest.raises(Invalid, match="twice"):
        read(path)


def test_a_bomb_is_refused_before_it_unpacks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SURELY_FINE", 100_000)
    zeros = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(zeros, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.writestr("attachments/zeros", bytes(30_000_000))
    path.write_bytes(zeros.getvalue())
    with pytest.raises(Invalid, match=r"it would unpack to 30,\d{3},\d{3} bytes"):
        read(path)


def test_members_that_share_their_bytes_are_refused(path: Path) -> None:
    """The other kind of bomb: many entries of the directory that point at one place in the file."""
    raw = bytearray(path.read_bytes())
    end = raw.rfind(b"PK\x05\x06")
    start = struct.unpack("<I", raw[end + 16 : end + 20])[0]
    first = raw[start : raw.index(b"PK\x01\x02", start + 4)]
    copies = b"".join(first.replace(b"library.documents.tsv", b"library.document%02d.tsv" % n) for n in range(90))
    count = struct.pack("<H", struct.unpack("<H", raw[end + 10 : end + 12])[0] + 90)
    size = struct.pack("<I", struct.unpack("<I", raw[end + 12 : end + 16])[0] + len(copies))
    ending = raw[end : end + 8] + count + count + size + raw[end + 16 :]
    path.write_bytes(raw[:end] + copies + ending)
    with pytest.raises(Invalid, match="is damaged, or no backup"):
        read(path)


def test_a_size_that_is_not_the_true_one_is_refused(path: Path) -> None:
    raw = path.read_bytes()
    at = raw.rindex(b"database/library.documents.tsv") - 46
    (size,) = struct.unpack("<I", raw[at + 24 : at + 28])
    for other in (size - 1, size + 1, 0, 0xFFFFFFFE):
        path.write_bytes(raw[: at + 24] + struct.pack("<I", other) + raw[at + 28 :])
        with pytest.raises(Invalid, match="is damaged, or no backup"):
            read(path)


@pytest.mark.parametrize(("offset", "value"), [(8, 1), (10, 12), (10, 14), (10, 99)])
def test_encrypted_or_strangely_packed_members_are_refused(path: Path, offset: int, value: int) -> None:
    raw = path.read_bytes()
    at = raw.rindex(b"config.yaml") - 46
    assert raw[at : at + 4] == b"PK\x01\x02"
    path.write_bytes(raw[: at + offset] + struct.pack("<H", value) + raw[at + offset + 2 :])
    with pytest.raises(Invalid, match="is damaged, or no backup"):
        read(path)


def test_a_newer_format_is_named(path: Path) -> None:
    def newer(held: dict[str, bytes]) -> None:
        held[MANIFEST] = json.dumps({"format": 2, "cortex": "9.1\x1b[31m", "whatever": []}).encode()

    with pytest.raises(Conflict, match=r"was made by Cortex 9\.1\[31m, which is newer than this one"):
        Archive(rewritten(path, newer, sums=False))


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"schema_number": "three"},
            {"made_at": "yesterday"},
            {"made_at": "2026-03-01T03:15:00"},
            {"sequences": {"a": 1}},
            {"kind": 5},
        ),
        *({"migrations": []}, {"extra": 1}, {"format": "x"}, {"sums": None}, {"tables": None}),
    ],
)
def test_a_manifest_that_is_none_is_refused(path: Path, change: dict[str, object]) -> None:
    def changed(held: dict[str, bytes]) -> None:
        held[MANIFEST] = json.dumps({**json.loads(held[MANIFEST]), **change}).encode()

    with pytest.raises(Invalid, match="is damaged, or no backup"):
        read(rewritten(path, changed, sums=False))


@pytest.mark.parametrize("raw", [b"", b"[]", b"null", b"{", b"\xff\xfe", b'{"format": null}', b"[" * 100_000])
def test_a_manifest_that_is_no_json_is_refused(path: Path, raw: bytes) -> None:
    with pytest.raises(Invalid, match="is damaged, or no backup"):
        read(rewritten(path, lambda held: held.update({MANIFEST: raw}), sums=False))


def test_a_member_that_changes_after_it_was_checked_is_noticed(path: Path) -> None:
    with Archive(path) as archive:
        archive.check()
        raw = path.read_bytes()
        at = raw.index(MEMBERS["attachments/ab/abcdef"])
        with path.open("r+b") as file:
            file.seek(at)
            file.write(b"\x01")
        with pytest.raises(Invalid, match="is damaged"):
            list(archive.read("attachments/ab/abcdef"))
