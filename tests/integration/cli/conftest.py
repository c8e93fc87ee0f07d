"""A notebook of its own for the commands: a configuration, a small vault, an embedded database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

NOTES = {
    "2024/Q1/week-03-notes.md": "# Week 03\n\nThe greenhouse pump broke on Tuesday. I replaced its seal with a spare one.\n",
    "Topics/Kafka/decisions.md": "# Kafka decisions\n\nWe keep events for thirty days.\n",
    "猫.md": "# 我的猫\n\n我养过三只猫，最大的一只叫豆包。\n",
}


@dataclass(frozen=True)
class Notebook:
    """A data folder and a vault; `cortex` runs a command on them in a process of its own."""

    data: Path
    vault: Path

    def cortex(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*self.command(*arguments)],
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
            env=self.environment(),
        )
        assert done.returncode == code, done.stderr + done.stdout
        return done

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.cortex(*arguments, "--json", code=code).stdout)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "cortex", arguments[0], "--data", str(self.data), *arguments[1:]]

    def environment(self) -> dict[str, str]:
        unwanted = ("DATABASE_URL", "DATABASE_AI_URL", "CORTEX_DATA")
        return {name: value for name, value in os.environ.items() if name not in unwanted}


def make_notebook(folder: Path) -> Notebook:
    """A notebook under a folder that other users may pass through."""
    notebook = Notebook(folder / "data", folder / "vault")
    for name, text in NOTES.items():
        file = notebook.vault / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    notebook.data.mkdir(parents=True)
    source = f"sources:\n  - {{name: journals, type: local, path: {notebook.vault}}}\n"
    (notebook.data / "config.yaml").write_text(source, encoding="utf-8")
    return notebook


@pytest.fixture(scope="module")
def notebook(open_folder: Path, request: pytest.FixtureRequest) -> Notebook:
    return make_notebook(open_folder / request.module.__name__.rpartition(".")[2])
