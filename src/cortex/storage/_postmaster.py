"""What `postmaster.pid` says about a cluster, and whether it is true."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class Postmaster:
    """A running server: its process, and the folder of its socket."""

    pid: int
    socket: Path
    ready: bool


def running(cluster: Path) -> Postmaster | None:
    """The live server of this cluster, or None; a file left by a killed one does not count."""
    lines = _read(cluster)
    if lines is None or not is_postgres(int(lines[0]), cluster):
        return None
    socket = Path(lines[4]) if len(lines) > 4 and lines[4] else Path()
    return Postmaster(int(lines[0]), socket, ready=len(lines) > 7 and lines[7].strip() == "ready")


def remove_stale(cluster: Path) -> None:
    """Remove a pid file whose process is dead or is not this cluster's server: PostgreSQL itself would refuse to start.

    Orphaned back ends of a killed server are not missed by this: PostgreSQL finds them by their shared memory.
    """
    if running(cluster) is None:
        (cluster / "postmaster.pid").unlink(missing_ok=True)


def is_postgres(pid: int, cluster: Path) -> bool:
    """Whether `pid` is a live postgres that serves `cluster` (its working folder); a zombie is not."""
    process = PROC / str(pid)
    if not PROC.exists():
        return _is_postgres_by_ps(pid)
    try:
        name = os.readlink(process / "exe").removesuffix(" (deleted)")
        return Path(name).name == "postgres" and os.path.samefile(process / "cwd", cluster)
    except OSError:
        return False


def _is_postgres_by_ps(pid: int) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=,comm=", "-p", str(pid)], capture_output=True, text=True, check=False)
    state, _, command = shown.stdout.strip().partition(" ")
    return not state.startswith("Z") and Path(command.strip()).name.startswith("postgres")


def _read(cluster: Path) -> list[str] | None:
    try:
        lines = (cluster / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        return lines if lines and int(lines[0]) > 0 else None
    except (OSError, ValueError):
        return None
