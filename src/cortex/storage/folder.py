"""The data folder: whose it is, who may pass through it, and which process serves it."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cortex.errors import Conflict, CortexError, Invalid, Upstream
from cortex.storage._account import Account, user_name

LONGEST_PATH = 900
"""Bytes; PostgreSQL's own limit is 1,024 with the names of its files."""


def prepare_folder(data: Path, account: Account | None) -> None:
    """Make the data folder, private to this user and passable (not readable) for the system user `account`.

    Raises:
        Invalid: it is no folder, belongs to another user, cannot be written, or the system user cannot get there.
        Upstream: the disk is full or read-only.
    """
    if len(os.fsencode(data)) > LONGEST_PATH:
        raise Invalid(
            f"the path of the data folder is longer than {LONGEST_PATH} bytes: choose a shorter one", field="--data"
        )
    try:
        made = not data.exists()
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_owner(data)
        if account is not None:
            _let_pass(data, account, made=made)
    except OSError as error:
        raise folder_error(data, error) from error
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        raise Invalid(
            f"the data folder {data} cannot be written: make it writable, or name another with --data", field="--data"
        )


def lacks_notebook(data: Path) -> bool:
    """Whether nothing of a notebook is there: no database, and no configuration for one.

    False where the folder cannot be looked into: what is wrong with it is for `prepare_folder` to say.
    """
    try:
        names = os.listdir(data)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return not any(name.startswith("postgres") or name in ("config.yaml", "sources.d") for name in names)


def folder_error(data: Path, error: OSError) -> CortexError:
    """What an operating system error on the data folder means for a person."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Upstream(f"the disk that holds {data} is full: free some space and try again")
    if error.errno == errno.EROFS:
        return Upstream(
            f"the disk that holds {data} is read-only: mount it writable, or name another folder with --data"
        )
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return Invalid(f"{data} is not a folder: name another data folder with --data", field="--data")
    if error.errno in (errno.EACCES, errno.EPERM):
        return Invalid(
            f"the data folder {data} may not be made or opened by this user: name another with --data", field="--data"
        )
    return Upstream(f"the data folder {data} cannot be used: {error.strerror}")


def _check_owner(data: Path) -> None:
    owner = data.stat().st_uid
    if owner != os.geteuid():
        raise Invalid(
            f"the data folder {data} belongs to {user_name(owner)}, and this is {user_name(os.geteuid())}: "
            f"run Cortex as {user_name(owner)}, or name another folder with --data",
            field="--data",
        )


def _let_pass(data: Path, account: Account, *, made: bool) -> None:
    blocked = account.blocked_at(data.parent)
    if blocked is not None:
        raise Invalid(
            f"the database's system user {account.name!r} cannot pass through {blocked}: "
            f"allow it with `chmod o+x {blocked}`, or name another data folder with --data (such as /var/lib/cortex)",
            field="--data",
        )
    mode = stat.S_IMODE(data.stat().st_mode)
    if made or not mode & 0o077:
        os.chown(data, -1, account.gid)
        data.chmod(mode & 0o700 | 0o010)
    elif account.blocked_at(data) is not None:
        raise Invalid(
            f"the database's system user {account.name!r} cannot pass through {data}: allow it with `chmod o+x {data}`",
            field="--data",
        )


@contextmanager
def claim_serving(data: Path, port: int) -> Iterator[None]:
    """Hold the right to serve this data folder on `port`, until the process ends in whatever way.

    Raises:
        Conflict: another process serves it; the message names its address.
    """
    lock = data / "serve.lock"
    try:
        descriptor = _held(lock)
    except OSError as error:
        raise folder_error(data, error) from error
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps({"pid": os.getpid(), "port": port}).encode(), 0)
        yield
    finally:
        with suppress(OSError):
            lock.unlink()  # while it is held: whoever has opened it meanwhile sees that it is the lock no more
        os.close(descriptor)


def _held(lock: Path) -> int:
    """A descriptor that holds the lock."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            written = os.pread(descriptor, 1000, 0)
            os.close(descriptor)
            raise _already_served(lock.parent, written) from error
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)


def _already_served(data: Path, written: bytes) -> Conflict:
    try:
        where = f" at http://127.0.0.1:{json.loads(written)['port']}"
    except (ValueError, KeyError, TypeError):
        where = ""
    return Conflict(f"the data folder {data} is already served{where}: open that, or name another folder with --data")
