"""Files of backups: complete under their name or not there, and only our own are cleared away."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

import pytest
from tests.unit.storage.test_archive import write

from cortex.errors import Invalid, Upstream
from cortex.storage import keeping
from cortex.storage.keeping import NAMES, Kind, backup_name, check_room, clear_partial, keep_newest, new_file

AT = datetime(2026, 3, 1, 3, 15, tzinfo=UTC)
OURS = "0123456789abcdef"


def test_a_file_has_its_name_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with new_file(path) as new:
        new.file.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    assert os.listdir(tmp_path) == ["a.zip"]


def test_it_is_for_its_owner_alone_whatever_the_mask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with new_file(tmp_path / "a.zip") as new:
            assert [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()] == [0o600]
    finally:
        os.umask(before)
    assert stat.S_IMODE(new.path.stat().st_mode) == 0o600


def test_nothing_is_left_of_one_that_failed(tmp_path: Path) -> None:
    def fail(file: IO[bytes]) -> None:
        file.write(b"half")
        raise KeyError

    with pytest.raises(KeyError), new_file(tmp_path / "a.zip") as new:
        fail(new.file)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "kind", "says"),
    [
        (errno.ENOSPC, Upstream, "is full"),
        (errno.EDQUOT, Upstream, "is full"),
        (errno.EIO, Upstream, "no backup could be written"),
    ],
)
def test_a_disk_that_fails_in_mid_writing_is_named(
    tmp_path: Path, number: int, kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says), new_file(tmp_path / "a.zip"):
        raise OSError(number, os.strerror(number))
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"not there \(is its disk mounted\?\)"), new_file(tmp_path / "usb" / "a.zip"):
        pass
    assert not (tmp_path / "usb").exists()


@pytest.mark.parametrize("links", [True, False])
def test_a_name_that_is_taken_gets_a_number(tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the file system has no hard links, as on a USB stick."""
    if not links:

        def refuse(*_: object) -> None:
            raise OSError(errno.EPERM, "no links here")

        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.zip"
    path.write_bytes(b"somebody's")
    for name, content in (("a-2.zip", b"first"), ("a-3.zip", b"second")):
        with new_file(path) as new:
            new.file.write(content)
        assert (new.path.name, new.path.read_bytes()) == (name, content)
    assert path.read_bytes() == b"somebody's"
    assert sorted(os.listdir(tmp_path)) == ["a-2.zip", "a-3.zip", "a.zip"]


def test_what_killed_ones_left_is_cleared_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    dead = tmp_path / ".cortex-0123456789abcdef.partial"
    dead.write_bytes(b"half")
    others = [tmp_path / ".cortex-notes.partial", tmp_path / "notes.partial"]
    for other in others:
        other.touch()
    target = tmp_path / "target"
    target.touch()
    (tmp_path / ".cortex-00000000000000ff.partial").symlink_to(target)
    with new_file(tmp_path / "a.zip") as new:
        clear_partial(tmp_path)
        new.file.write(b"whole")
    assert not dead.exists()
    assert target.exists()
    assert all(other.exists() for other in others)
    assert new.path.read_bytes() == b"whole"


def test_one_that_another_process_holds_stays(tmp_path: Path) -> None:
    held = tmp_path / ".cortex-0123456789abcdef.partial"
    with held.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        clear_partial(tmp_path)
        assert held.exists()


@pytest.mark.parametrize("kind", ["asked", "daily", "before"])
def test_names_sort_by_time_and_are_of_one_kind(kind: Kind) -> None:
    names = [backup_name(kind, AT + timedelta(seconds=7 * n), 4) for n in range(20)]
    assert names == sorted(names)
    for name in names:
        assert [known for known in NAMES if NAMES[known].fullmatch(name)] == [kind]


def fill(folder: Path, count: int, kind: Kind = "daily", **manifest: object) -> list[Path]:
    return [
        write(
            folder / backup_name(kind, AT + timedelta(days=n), 4),
            kind=manifest.get("kind", kind),
            library=manifest.get("library", OURS),
        )
        for n in range(count)
    ]


def test_the_newest_are_kept(tmp_path: Path) -> None:
    made = fill(tmp_path, 5)
    assert sorted(keep_newest(tmp_path, "daily", OURS, 2)) == made[:3]
    assert sorted(tmp_path.iterdir()) == made[3:]
    assert keep_newest(tmp_path, "daily", OURS, 2) == []


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    """Whatever it is called: another library's, another kind, no backup at all, a copy, a link, a folder."""
    ours = fill(tmp_path, 3)
    old = AT - timedelta(days=90)
    others = [
        write(tmp_path / backup_name("daily", old), library="another library"),
        write(tmp_path / backup_name("daily", old + timedelta(days=1)), kind="asked"),
        write(tmp_path / backup_name("asked", old), kind="asked", library=OURS),
        write(tmp_path / backup_name("before", old, 4), kind="before", library=OURS),
        write(tmp_path / "cortex-daily-20250101T000000Z copy.zip", kind="daily", library=OURS),
    ]
    tax = tmp_path / backup_name("daily", old + timedelta(days=2))
    tax.write_bytes(b"my tax return, which I have given a silly name")
    half = tmp_path / backup_name("daily", old + timedelta(days=3))
    half.write_bytes(ours[0].read_bytes()[:-300])
    link = tmp_path / backup_name("daily", old + timedelta(days=4))
    link.symlink_to(ours[2])
    folder = tmp_path / backup_name("daily", old + timedelta(days=5))
    folder.mkdir()
    assert sorted(keep_newest(tmp_path, "daily", OURS, 1)) == ours[:2]
    assert all(other.exists() for other in [*others, tax, half, link, folder, ours[2]])


def test_room_is_left_for_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"total": 10_000_000_000, "free": 150_000_000})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    check_room(tmp_path, 40_000_000)
    with pytest.raises(
        Upstream, match=r"too full: a backup needs about 60 MB there, and 150 MB are free; free some space"
    ):
        check_room(tmp_path, 60_000_000)
    assert keeping._ROOM == 100_000_000
