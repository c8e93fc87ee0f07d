"""`cortex serve` as a process: its page, its worker, its end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.integration.cli.conftest import Notebook, make_notebook


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def _until(told: Callable[[], object], within_s: float = 60) -> None:
    end = time.monotonic() + within_s
    while not told():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


class Serving:
    """A running server."""

    def __init__(self, notebook: Notebook, process: subprocess.Popen[str], port: int) -> None:
        self.notebook, self.process, self.port = notebook, process, port
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)

    def ready(self) -> bool:
        try:
            return self.http.get("/health/ready").status_code == 200
        except httpx.TransportError:
            return False

    def worker(self) -> int | None:
        """The process id of the worker child."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        workers = [int(pid) for pid in children if b"worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        return workers[0] if workers else None


@pytest.fixture(scope="module")
def notebook(open_folder: Path) -> Notebook:
    return make_notebook(open_folder / "serving")


@pytest.fixture(scope="module")
def serving(notebook: Notebook) -> Iterator[Serving]:
    with served(notebook) as serving:
        yield serving


@contextmanager
def served(notebook: Notebook) -> Iterator[Serving]:
    """A server on the notebook while the block runs, from when it is ready."""
    port = _free_port()
    command = notebook.command("serve", "--port", str(port))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=notebook.environment()
    ) as process:
        serving = Serving(notebook, process, port)
        try:
            _until(lambda: serving.ready() or process.poll() is not None)
            yield serving
        finally:
            process.terminate()
            process.communicate(timeout=60)
            serving.http.close()


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_it_is_ready_and_shows_a_page(serving: Serving) -> None:
    assert serving.process.poll() is None
    page = serving.http.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_h9_localhost_redirects_to_the_one_origin(serving: Serving) -> None:
    response = httpx.get(f"http://localhost:{serving.port}/")
    assert response.headers["location"] == f"http://127.0.0.1:{serving.port}/"


def test_commands_work_beside_it_and_its_worker_indexes(serving: Serving) -> None:
    report = serving.notebook.json("sync")["sources"][0]
    assert (report["added"], report["embedded"]) == (3, 3)
    found = serving.http.get("/api/search", params={"q": "greenhouse pump"}).json()
    assert found["results"][0]["title"] == "Week 03"


def test_words_of_the_answer_arrive_as_a_stream(serving: Serving) -> None:
    question = {"question": "最大的猫叫什么？"}
    with serving.http.stream("POST", "/api/ask", json=question) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in response.iter_lines() if line.startswith(("id:", "event:"))]
    assert lines[:2] == ["id: 1", "event: sources"]
    assert lines[-1] == "event: done"


def test_a_killed_worker_comes_back(serving: Serving) -> None:
    _until(serving.worker)
    first = serving.worker()
    assert first is not None
    os.kill(first, signal.SIGKILL)
    _until(lambda: serving.worker() not in (None, first))
    _until(serving.ready)


def test_pitfall_48_the_port_is_taken(serving: Serving, open_folder: Path) -> None:
    other = Notebook(open_folder / "other", serving.notebook.vault)
    done = other.cortex("serve", "--port", str(serving.port), code=1)
    assert done.stderr.count("\n") == 1
    assert f"port {serving.port} " in done.stderr
    assert "--port" in done.stderr
    assert not (other.data / "serve.lock").exists()


def test_pitfall_48_the_folder_is_already_served(serving: Serving) -> None:
    done = serving.notebook.cortex("serve", "--port", str(_free_port()), code=1)
    assert done.stderr.count("\n") == 1
    assert f"http://127.0.0.1:{serving.port}" in done.stderr


def test_it_ends_in_order_though_a_reader_watches(serving: Serving) -> None:
    worker = serving.worker()
    assert worker is not None
    with serving.http.stream("GET", "/api/status/stream") as response:
        lines = response.iter_lines()
        assert next(lines).startswith("id: 1")
        serving.process.terminate()
        _until(lambda: serving.process.poll() is not None)
    assert serving.process.returncode == 0
    _until(lambda: not _alive(worker))


def test_its_worker_ends_when_it_is_killed(notebook: Notebook) -> None:
    port = _free_port()
    with subprocess.Popen(
        notebook.command("serve", "--port", str(port)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=notebook.environment(),
    ) as process:
        serving = Serving(notebook, process, port)  # type: ignore[arg-type]
        _until(serving.ready)
        worker = serving.worker()
        process.kill()
    serving.http.close()
    assert worker is not None
    _until(lambda: not _alive(worker))
