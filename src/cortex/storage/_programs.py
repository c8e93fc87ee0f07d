"""Runs initdb and pg_ctl: as the system user where there is one, with an environment and a session of their own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cortex.errors import CortexError, Upstream
from cortex.storage._account import Account

LOG_BYTES = 5_000_000
NO_SPACE = "No space left on device"


@dataclass(frozen=True)
class Programs:
    """PostgreSQL's programs in `folder`, run inside the data folder: its own path never passes through a shell."""

    folder: Path
    data: Path
    account: Account | None

    def initdb(self, cluster: Path, *, builtin_locale: bool) -> None:
        """Make a cluster in the empty folder `cluster`, a child of the data folder.

        Raises:
            Upstream: initdb failed; the message is its last line.
        """
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if builtin_locale else []
        done = self._run(
            *("initdb", "-D", cluster.name, "-U", "cortex_owner", "-E", "UTF8", "--locale=C", *locale),
            *("--auth-local=peer", "--auth-host=reject", "--data-checksums", "--no-instructions"),
        )
        if done.returncode != 0:
            raise _problem("made", self.data, done.stdout + done.stderr)

    def start(self, cluster: Path, settings: Mapping[str, str]) -> CortexError | None:
        """Start and wait until it accepts connections; what went wrong otherwise."""
        log = cluster / "server.log"
        if log.exists() and log.stat().st_size > LOG_BYTES:
            log.replace(cluster / "server.log.1")
        read_before = log.stat().st_size if log.exists() else 0
        options = " ".join(f"-c {name}={_quoted(value)}" for name, value in settings.items())
        done = self._run(
            "pg_ctl", "-D", cluster.name, "-w", "-t", "60", "-l", f"{cluster.name}/server.log", "-o", options, "start"
        )
        if done.returncode == 0:
            return None
        return _problem("started", self.data, done.stderr + _tail(log, read_before))

    def stop(self, cluster: Path) -> None:
        """Stop; sessions that are still open are ended, their transactions rolled back."""
        self._run("pg_ctl", "-D", cluster.name, "-w", "-t", "60", "-m", "fast", "stop")

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        account = self.account
        return subprocess.run(
            [str(self.folder / program), *arguments],
            cwd=self.data,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            start_new_session=True,  # a Ctrl-C at `serve` is not for the server
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            umask=0o077,
            check=False,
        )


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "'\\''") + "'"


def _tail(log: Path, start: int) -> str:
    try:
        with log.open("rb") as file:
            file.seek(start)
            return file.read(100_000).decode("utf-8", "replace")
    except OSError:
        return ""


def _problem(what: str, data: Path, output: str) -> CortexError:
    if NO_SPACE in output:
        return Upstream(
            f"the database could not be {what}: the disk that holds {data} is full; free some space and try again"
        )
    reasons = (
        re.findall(r"(?:FATAL|PANIC|error):\s*(.+)", output) or output.strip().splitlines() or ["no reason was given"]
    )
    return Upstream(f"the database of {data} could not be {what}: {reasons[-1].strip()}")
