"""The system user that runs PostgreSQL when Cortex runs as root (PostgreSQL refuses to run as root)."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cortex.errors import Invalid

NAME = "cortex"
NO_LOGIN = ("nologin", "false", "sync")


@dataclass(frozen=True)
class Account:
    """A user of the machine, by whose rights a file is reached or not."""

    name: str
    uid: int
    gid: int

    def blocked_at(self, path: Path) -> Path | None:
        """The first folder on the way to `path` that this user may not pass, or `path` if it may not execute it."""
        path = path.resolve()
        for part in [*reversed(path.parents), path]:
            if part.exists() and not self._may_pass(part):
                return part
        return None

    def _may_pass(self, path: Path) -> bool:
        found = path.stat()
        if found.st_uid == self.uid:
            return bool(found.st_mode & 0o100)
        if found.st_gid == self.gid:
            return bool(found.st_mode & 0o010)
        return bool(found.st_mode & 0o001)


def server_account() -> Account | None:
    """None when this process runs as an ordinary user: that user runs PostgreSQL. As root: the system user, made if needed.

    Raises:
        Invalid: the system user is missing and cannot be made, or its name belongs to somebody who can log in, or the
            ordinary user has no name (a container started with a bare uid), without which PostgreSQL refuses.
    """
    if os.geteuid() != 0:
        _check_has_name(os.geteuid())
        return None
    entry = _find() or _create()
    if Path(entry.pw_shell).name not in NO_LOGIN or entry.pw_uid == 0:
        raise Invalid(
            f"the user {NAME!r} of this machine can log in, and the database needs a system user of that name: "
            "run Cortex as an ordinary user instead of root"
        )
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _check_has_name(uid: int) -> None:
    try:
        pwd.getpwuid(uid)
    except KeyError as error:
        raise Invalid(
            f"this user (uid {uid}) has no name on this machine, and the embedded database needs one: "
            "add it to /etc/passwd, run as a named user, or set DATABASE_URL"
        ) from error


def user_name(uid: int) -> str:
    """The name of a user for a message; the number where it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"


def _find() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(NAME)
    except KeyError:
        return None


def _create() -> pwd.struct_passwd:
    tool = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if tool is None:
        raise _no_account("there is no `useradd` on this machine")
    group = ["--gid", NAME] if _group_exists() else ["--user-group"]
    command = [
        tool,
        "--system",
        *group,
        "--no-create-home",
        "--home-dir",
        "/nonexistent",
        "--shell",
        "/usr/sbin/nologin",
    ]
    made = subprocess.run([*command, NAME], capture_output=True, text=True, check=False)
    entry = _find()  # another process may have been first: what counts is that the user is there
    if entry is None:
        raise _no_account(" ".join(made.stderr.split()) or f"useradd ended with {made.returncode}")
    return entry


def _group_exists() -> bool:
    try:
        grp.getgrnam(NAME)
    except KeyError:
        return False
    return True


def _no_account(reason: str) -> Invalid:
    return Invalid(
        f"as root, the database needs a system user named {NAME!r}, which could not be made ({reason}): "
        "create it, or run Cortex as an ordinary user"
    )
