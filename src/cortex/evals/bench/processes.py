"""Cortex's own processes, started as a person starts them, and how much memory they take."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_AT = re.compile(r"http://127\.0\.0\.1:(\d+)")
_PATIENCE_S = 120
_OURS = ("DATABASE_URL", "DATABASE_AI_URL", "CORTEX_DATA")


def environment() -> dict[str, str]:
    """Ours, without what would lead to another library."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_OURS) and not name.endswith("_THREADS")
    }


def command(name: str, data: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "cortex", name, "--data", str(data), *options]


@contextmanager
def worker(data: Path) -> Iterator[None]:
    """A worker of the library, at its usual low priority."""
    process = subprocess.Popen(
        command("worker", data), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        _end(process)


@dataclass(frozen=True)
class Serving:
    """A running server; `start_s` from the command to the first answered request."""

    port: int
    pid: int
    start_s: float

    def ask(self, question: str) -> float:
        """Milliseconds from the question to its `sources` event; the rest of the answer is read too."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE_S)
        try:
            body = json.dumps({"question": question, "times": "off"}).encode()
            started = time.perf_counter()
            connection.request("POST", "/api/ask", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            if response.status != 200:
                raise RuntimeError(f"asking failed with {response.status}: {response.read(300)!r}")
            while not response.readline().startswith(b"event: sources"):
                pass
            taken = (time.perf_counter() - started) * 1e3
            response.read()
            return taken
        finally:
            connection.close()

    def memory_mb(self) -> dict[str, float]:
        """PSS of the server and of its worker; PostgreSQL is not counted."""
        children = [
            pid
            for pid in _children(self.pid)
            if b"postgres" not in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]
        ]
        found = {"serve": _pss_mb(self.pid), "worker": sum(map(_pss_mb, children))}
        return {**found, "together": round(sum(found.values()), 1)}


@contextmanager
def serving(data: Path) -> Iterator[Serving]:
    """A server on a free port, with its worker."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command("serve", data, "--port", "0"), env=environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = next((said for line in process.stdout if (said := _AT.search(line))), None)
        if found is None:
            raise RuntimeError("cortex serve ended before it was ready")
        port = int(found[1])
        _wait_until_answering(port)
        yield Serving(port, process.pid, round(time.perf_counter() - started, 2))
    finally:
        _end(process)


def _wait_until_answering(port: int) -> None:
    until = time.monotonic() + _PATIENCE_S
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/health/ready")
            if connection.getresponse().status == 200:
                return
        except OSError:
            if time.monotonic() > until:
                raise
        finally:
            connection.close()
        time.sleep(0.02)


def _end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


def _pss_mb(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return round(int(found[1]) / 1024, 1) if found else 0.0
