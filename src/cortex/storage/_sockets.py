"""The folder of the server's socket: short (a socket's path must stay under 107 bytes), private, and really ours."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from cortex.errors import Invalid
from cortex.storage._account import Account, user_name


def socket_folder(data: Path, account: Account | None) -> Path:
    """Make (or find again) the socket folder that belongs to this data folder.

    As root it is in /run, which nobody else can write; otherwise in /tmp, which outlives a log-out.

    Raises:
        Invalid: the folder's name is taken by somebody else, or it is open to others.
    """
    mark = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:12]
    uid = os.geteuid() if account is None else account.uid
    if account is not None and os.access("/run", os.W_OK):
        folder = Path("/run") / f"cortex-{mark}"
    else:
        folder = Path("/tmp") / f"cortex-{uid}-{mark}"
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    else:
        if account is not None:
            os.chown(folder, account.uid, account.gid)
    _check(folder, uid, account)
    return folder


def _check(folder: Path, uid: int, account: Account | None) -> None:
    found = folder.lstat()
    if account is not None and stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid():
        os.chown(folder, account.uid, account.gid)  # a process that was killed between mkdir and chown left it
        found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != uid:
        raise Invalid(
            f"{folder} is needed for the database's socket, but it belongs to {user_name(found.st_uid)}: have it removed"
        )
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise Invalid(f"{folder} holds the database's socket and must be private: `chmod 700 {folder}`")
