"""A running Cortex that can be hit: `serve` with its worker, `sync`, and the embedded PostgreSQL, each killed with -9."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx
from tests.conftest import POSTGRES

from cortex.storage import _postmaster

Victim = Literal["worker", "serve", "sync", "postmaster"]
VICTIMS: tuple[Victim, ...] = ("worker", "serve", "sync", "postmaster")

_UNWANTED = ("DATABASE_URL", "DATABASE_AI_URL", "CORTEX_DATA")


def until(told: Callable[[], object], within_s: float, what: str) -> None:
    """Wait until `told` is true; a test that waits in vain says for what."""
    end = time.monotonic() + within_s
    while not told():
        assert time.monotonic() < end, f"not within {within_s:.0f} s: {what}"
        time.sleep(0.05)


@dataclass
class Living:
    """One data folder, its sources (name → folder) and the processes on it; `end` stops them in order."""

    data: Path
    sources: Mapping[str, Path]
    port: int = 0
    serve: subprocess.Popen[bytes] | None = None
    sync: subprocess.Popen[bytes] | None = None
    codes: list[int] = field(default_factory=list)
    """How the syncs ended that nobody killed."""

    def __post_init__(self) -> None:
        self.data.mkdir(parents=True)
        listed = [{"name": name, "type": "local", "path": str(folder)} for name, folder in self.sources.items()]
        (self.data / "config.yaml").write_text(json.dumps({"sources": listed}), encoding="utf-8")
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.port = listening.getsockname()[1]

    def go(self) -> None:
        """Start what does not run."""
        if self.serve is None or self.serve.poll() is not None:
            self.serve = self._start("serve", "--port", str(self.port))
            until(self.ready, 90, "serve is ready")
        if self.sync is not None and self.sync.poll() is not None:
            self.codes.append(self.sync.returncode)
            self.sync = None
        if self.sync is None:
            self.sync = self._start("sync")

    def kill(self, victim: Victim) -> bool:
        """Whether the victim lived until now."""
        pid = self.pid(victim)
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        process = self.serve if victim == "serve" else self.sync if victim == "sync" else None
        if process is not None:
            process.wait()
            if victim == "sync":
                self.sync = None
        return True

    def pid(self, victim: Victim) -> int | None:
        """The victim's process id while it lives."""
        if victim == "postmaster":
            found = _postmaster.running(self.data / f"postgres{POSTGRES}")
            return found.pid if found else None
        process = self.sync if victim == "sync" else self.serve
        if process is None or process.poll() is not None:
            return None
        return self._worker(process.pid) if victim == "worker" else process.pid

    def ready(self) -> bool:
        assert self.serve is not None
        assert self.serve.poll() is None, (self.data / "log").read_text()[-2000:]
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/health/ready", timeout=30).status_code == 200
        except httpx.TransportError:
            return False

    def status(self) -> Any:
        return httpx.get(f"http://127.0.0.1:{self.port}/api/status", timeout=60).json()

    def pause_filling(self) -> None:
        """The spaces behind the fast one stay as they are."""
        origin = f"http://127.0.0.1:{self.port}"
        httpx.post(f"{origin}/api/indexing", headers={"Origin": origin}, json={"paused": True}).raise_for_status()

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command beside the server, to its end."""
        return subprocess.run(self._line(*arguments), capture_output=True, text=True, check=False, env=_environment())

    def end(self) -> None:
        """Stop everything; what a killed server left running is killed as well."""
        for process in (self.sync, self.serve):
            if process is not None and process.poll() is None:
                process.terminate()
                process.wait(60)
        self.kill("postmaster")

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.data / "log").open("ab") as log:
            return subprocess.Popen(self._line(*arguments), stdout=log, stderr=log, env=_environment())

    def _line(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "cortex", arguments[0], "--data", str(self.data), *arguments[1:]]

    @staticmethod
    def _worker(serve: int) -> int | None:
        with suppress(OSError):
            for child in Path(f"/proc/{serve}/task/{serve}/children").read_text().split():
                with suppress(OSError):
                    if b"worker" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                        return int(child)
        return None


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _UNWANTED}
