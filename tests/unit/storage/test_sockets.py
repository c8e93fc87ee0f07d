"""The socket's folder: short, private, and ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.errors import Invalid
from cortex.storage._sockets import socket_folder

LONGEST_SOCKET = 107


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / ("long" * 60)
    yield folder
    made = socket_folder_of(folder)
    if made.is_symlink():
        made.unlink()
    elif made.is_dir():
        made.rmdir()


def socket_folder_of(data: Path) -> Path:
    """The name, without making it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "mkdir", lambda self, mode: None)
        patch.setattr("cortex.storage._sockets._check", lambda folder, uid, account: None)
        return socket_folder(data, None)


def test_it_is_short_and_private_and_found_again(data: Path) -> None:
    folder = socket_folder(data, None)
    assert len(os.fsencode(folder / ".s.PGSQL.5432.lock")) < LONGEST_SOCKET
    assert folder.stat().st_mode & 0o777 == 0o700
    assert socket_folder(data, None) == folder
    assert socket_folder_of(data.parent / "other") != folder


def test_one_that_is_open_to_others_is_refused(data: Path) -> None:
    folder = socket_folder(data, None)
    folder.chmod(0o777)
    with pytest.raises(Invalid, match=f"chmod 700 {folder}"):
        socket_folder(data, None)


def test_a_symlink_in_its_place_is_refused(data: Path, tmp_path: Path) -> None:
    folder = socket_folder_of(data)
    (tmp_path / "trap").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "trap")
    with pytest.raises(Invalid, match="have it removed"):
        socket_folder(data, None)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a folder away")
def test_one_that_belongs_to_somebody_else_is_refused(data: Path) -> None:
    folder = socket_folder(data, None)
    os.chown(folder, 54321, 54321)
    with pytest.raises(Invalid, match="belongs to uid 54321"):
        socket_folder(data, None)
