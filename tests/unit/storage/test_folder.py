"""The data folder: one clear line for whatever is wrong with it."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from cortex.errors import Conflict, CortexError, Invalid, Upstream
from cortex.storage import claim_serving
from cortex.storage._account import Account, server_account
from cortex.storage.folder import LONGEST_PATH, folder_error, lacks_notebook, prepare_folder

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a folder away")
not_as_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")

STRANGER = Account("stranger", 54321, 54321)


def test_it_is_made_with_its_parents_and_private(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "a" / "b", None)
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    prepare_folder(tmp_path / "a" / "b", None)


def test_a_file_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(Invalid, match="is not a folder"):
        prepare_folder(tmp_path / "data", None)
    with pytest.raises(Invalid, match="is not a folder"):
        prepare_folder(tmp_path / "data" / "below", None)


@pytest.mark.parametrize("name", ["config.yaml", "sources.d", "postgres18", "postgres.start.lock"])
def test_a_notebook_is_there_from_its_configuration_on(tmp_path: Path, name: str) -> None:
    assert lacks_notebook(tmp_path / "none")
    assert lacks_notebook(tmp_path)
    (tmp_path / "diary.md").write_text("x")
    assert lacks_notebook(tmp_path)
    (tmp_path / name).mkdir()
    assert not lacks_notebook(tmp_path)


def test_what_cannot_be_looked_into_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    assert not lacks_notebook(tmp_path / "data")
    assert not lacks_notebook(tmp_path / "data" / "below")


def test_a_path_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="longer than 900 bytes"):
        prepare_folder(tmp_path / ("数" * (LONGEST_PATH // 3)), None)


@as_root
def test_the_data_folder_belongs_to_somebody_else(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    os.chown(folder, 54321, 54321)
    with pytest.raises(Invalid, match="belongs to uid 54321, and this is root") as caught:
        prepare_folder(folder, None)
    assert caught.value.field == "--data"


@not_as_root
def test_the_data_folder_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)
    with pytest.raises(Invalid, match="cannot be written"):
        prepare_folder(folder, None)
    with pytest.raises(Invalid, match="may not be made"):
        prepare_folder(folder / "below", None)


@pytest.mark.parametrize(
    ("number", "kind", "says"),
    [
        (errno.ENOSPC, Upstream, "is full"),
        (errno.EDQUOT, Upstream, "is full"),
        (errno.EROFS, Upstream, "read-only"),
        (errno.EACCES, Invalid, "another with --data"),
        (errno.EIO, Upstream, "cannot be used"),
    ],
)
def test_each_error_of_the_system_has_its_line(number: int, kind: type[CortexError], says: str) -> None:
    error = folder_error(Path("/data"), OSError(number, os.strerror(number)))
    assert isinstance(error, kind)
    assert says in error.message
    assert "\n" not in error.message


@as_root
def test_the_system_user_may_pass_but_not_read(open_folder: Path) -> None:
    account = server_account()
    assert account is not None
    folder = open_folder / "made"
    prepare_folder(folder, account)
    found = folder.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (0, account.gid, 0o710)
    assert account.blocked_at(folder) is None
    assert STRANGER.blocked_at(folder) == folder


@as_root
def test_a_private_folder_with_a_configuration_in_it_is_opened_for_the_system_user_alone(open_folder: Path) -> None:
    account = server_account()
    assert account is not None
    folder = open_folder / "private"
    folder.mkdir(mode=0o700)
    (folder / "config.yaml").write_text("")
    prepare_folder(folder, account)
    assert STRANGER.blocked_at(folder) == folder


@as_root
def test_a_folder_that_is_open_in_another_way_is_left_as_it_is(open_folder: Path) -> None:
    account = server_account()
    assert account is not None
    folder = open_folder / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    prepare_folder(folder, account)
    assert folder.stat().st_mode & 0o777 == 0o755
    folder.chmod(0o740)
    with pytest.raises(Invalid, match="chmod o\\+x"):
        prepare_folder(folder, account)


def test_an_already_served_folder_names_its_address(tmp_path: Path) -> None:
    address = "already served at http://127.0.0.1:8765"
    with claim_serving(tmp_path, 8765), pytest.raises(Conflict, match=address), claim_serving(tmp_path, 9000):
        pass
    with claim_serving(tmp_path, 9000):
        pass


def test_a_claim_leaves_nothing_behind_however_it_ends(tmp_path: Path) -> None:
    with claim_serving(tmp_path, 8765):
        assert (tmp_path / "serve.lock").exists()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Conflict, match="the port is taken"), claim_serving(tmp_path, 8765):
        raise Conflict("the port is taken")
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_was_let_go_while_it_was_opened_is_not_taken_for_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, flock = tmp_path / "serve.lock", fcntl.flock

    def late(descriptor: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        lock.unlink()  # the process before us ends between our opening and our locking
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with claim_serving(tmp_path, 1), pytest.raises(Conflict), claim_serving(tmp_path, 2):
        pass


def test_a_claim_that_was_never_written_down(tmp_path: Path) -> None:
    with claim_serving(tmp_path, 1):
        (tmp_path / "serve.lock").write_text("")
        with pytest.raises(Conflict, match="is already served: open"), claim_serving(tmp_path, 2):
            pass


def test_a_claim_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CortexError, match="missing"), claim_serving(tmp_path / "missing", 1):
        pass


def test_the_first_closed_folder_on_the_way_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    (tmp_path / "closed" / "inner").mkdir(parents=True)
    (tmp_path / "closed").chmod(0o700)
    blocked = STRANGER.blocked_at(tmp_path / "closed" / "inner")
    assert blocked is not None
    assert tmp_path.joinpath("closed").is_relative_to(blocked)
    owner = Account("me", os.geteuid(), os.getegid())
    assert owner.blocked_at(tmp_path / "closed" / "inner" / "not there yet") is None
