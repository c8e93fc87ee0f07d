"""What is said of a library's backups: how old the last one is, where they go, what went wrong, and whether that is alarming."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cortex.backups import record
from cortex.backups.daily import JOB
from cortex.backups.making import usual_folder
from cortex.jobs import unfinished
from cortex.settings import Settings
from cortex.storage import Database
from cortex.storage.schema import made_at

TOO_OLD = timedelta(days=14)
YOUNG = timedelta(days=1)
"""A library of this age at most may be without a backup."""


@dataclass(frozen=True)
class BackupHealth:
    """`at` None: there is no backup that is known and still there. `error`: why the last attempt failed, if it did."""

    at: datetime | None
    age_s: int | None
    size: int | None
    file: str | None
    to: str
    daily: bool
    running: bool
    overdue: bool
    error: str | None


async def backup_health(database: Database, settings: Settings) -> BackupHealth:
    """The backups of this library, as this machine knows them."""
    last = await asyncio.to_thread(_last, settings.data)  # in a thread: a network disk may hang
    now = datetime.now(UTC)
    age = max(now - last.at, timedelta()) if last.at else None
    overdue = age > TOO_OLD if age is not None else now - await _born(database) > YOUNG
    failed = last.failed_at is not None and (last.at is None or last.failed_at > last.at)
    return BackupHealth(
        at=last.at,
        age_s=int(age.total_seconds()) if age is not None else None,
        size=last.size,
        file=last.file,
        to=str(usual_folder(settings)),
        daily=settings.backup.daily,
        running=await unfinished(database, JOB) > 0,
        overdue=overdue,
        error=last.reason if failed else None,
    )


def _last(data: Path) -> record.Record:
    """The record, without a backup that was removed; where its whole folder is away (a disk in a drawer), it counts."""
    last = record.read(data)
    if last.file is not None and Path(last.file).parent.is_dir() and not Path(last.file).is_file():
        return record.Record(daily_at=last.daily_at, failed_at=last.failed_at, reason=last.reason)
    return last


async def _born(database: Database) -> datetime:
    async with database.connection("app") as connection:
        return await made_at(connection)
