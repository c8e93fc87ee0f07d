"""Two file locks by which processes share one server: `users` (shared, one hold a process) and `start` (one at a time)."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cortex.errors import Upstream

PATIENCE_S = 90.0
"""How long another process may start or stop the server before we give up; crash recovery counts."""


def open_lock(path: Path) -> int:
    """A descriptor of the lock's file; closing it drops the lock, and so does the end of the process."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextmanager
def starting(data: Path) -> Iterator[None]:
    """Hold the exclusive right to start or stop the server of this data folder.

    Raises:
        Upstream: another process holds it for longer than PATIENCE_S.
    """
    descriptor = open_lock(data / "postgres.start.lock")
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not try_exclusive(descriptor):
            if time.monotonic() > deadline:
                raise Upstream(
                    f"another Cortex process has been starting or stopping the database of {data} for too long"
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(descriptor)


def share(descriptor: int) -> None:
    """Join the users of the server; call while holding `starting`, so that nobody waits for an exclusive hold."""
    fcntl.flock(descriptor, fcntl.LOCK_SH)


def try_exclusive(descriptor: int) -> bool:
    """Whether we are now alone. When not, a shared hold that we had is gone as well."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
