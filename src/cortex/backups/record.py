"""`backup.json` in the data folder: what came of the last backups. Beside the database, since it must not be put back with it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cortex.logs import get

_log = get(__name__)
_FILE = "backup.json"


@dataclass(frozen=True)
class Record:
    """The last backup that was made, when the last daily one was, and the last failure; None: never. Times are in UTC."""

    at: datetime | None = None
    file: str | None = None
    size: int | None = None
    daily_at: datetime | None = None
    failed_at: datetime | None = None
    reason: str | None = None


def read(data: Path) -> Record:
    """The record of a data folder; an empty one where there is none that can be read."""
    try:
        told = json.loads((data / _FILE).read_text(encoding="utf-8"))
        return Record(**{name: _value(name, value) for name, value in told.items()})
    except (OSError, ValueError, TypeError, AttributeError):
        return Record()


def note_made(data: Path, file: Path, size: int, *, daily: bool) -> None:
    """A backup was made just now; what failed before is past."""
    now = _now()
    _write(data, Record(now, str(file), size, daily_at=now if daily else read(data).daily_at))


def note_failed(data: Path, reason: str) -> None:
    """A backup was not made, for this reason."""
    _write(data, replace(read(data), failed_at=_now(), reason=reason))


def _write(data: Path, record: Record) -> None:
    """Whole or not at all. A record that cannot be written (the disk is full) is missed, and nothing else."""
    partial = data / f".{_FILE}.{os.getpid()}"
    try:
        with open(
            os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "w", encoding="utf-8"
        ) as file:
            json.dump(_shown(asdict(record)), file)
        partial.replace(data / _FILE)
    except OSError as error:
        _log.warning("what came of the backup could not be noted", reason=error.strerror)
        partial.unlink(missing_ok=True)


def _shown(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def _value(name: str, value: Any) -> Any:
    if value is None or name not in ("at", "daily_at", "failed_at"):
        return value
    at = datetime.fromisoformat(str(value))
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _now() -> datetime:
    return datetime.now(UTC)
