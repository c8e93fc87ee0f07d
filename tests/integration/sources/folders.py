"""Folders of notes, synced and looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg

from cortex.library import LOCAL_OWNER
from cortex.settings import Settings, SourceSettings
from cortex.sources.report import SourceReport
from cortex.sources.sync import sync
from cortex.storage import Database

Owner = psycopg.AsyncConnection[tuple[Any, ...]]
Row = tuple[Any, ...]


def write(root: Path, notes: dict[str, str]) -> None:
    for name, text in notes.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8", newline="")


def configured(*folders: Path, **more: Any) -> Settings:
    sources = [SourceSettings(name=folder.name, type="local", path=folder, **more) for folder in folders]
    return Settings(data=Path("/nowhere"), sources=tuple(sources))


async def run(database: Database, folder: Path, **how: Any) -> SourceReport:
    (report,) = await sync(database, LOCAL_OWNER, configured(folder), **how)
    parts = report.added + report.changed + report.unchanged + len(report.skipped) + len(report.failed)
    assert report.found == parts
    return report


def counts(report: SourceReport) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.deleted, report.unchanged


async def rows(owner: Owner, sql: str, *values: Any) -> list[Row]:
    return await (await owner.execute(sql.encode(), values)).fetchall()


async def documents(owner: Owner, source: str = "vault") -> dict[str, tuple[int, int]]:
    found = await rows(owner, "SELECT external_id, id, version FROM library.documents WHERE source = %s", source)
    return {row[0]: (row[1], row[2]) for row in found}


async def job_count(owner: Owner) -> int:
    return int((await rows(owner, "SELECT count(*) FROM jobs.procrastinate_jobs"))[0][0])
