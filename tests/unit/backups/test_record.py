"""What is remembered of backups outlives a crash and a bad file, and is no one else's to read."""

from __future__ import annotations

import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cortex.backups import record
from cortex.backups.record import Record


def test_what_is_noted_is_read(tmp_path: Path) -> None:
    assert record.read(tmp_path) == Record()
    record.note_failed(tmp_path, "the disk is full")
    failed = record.read(tmp_path)
    assert (failed.reason, failed.at) == ("the disk is full", None)
    record.note_made(tmp_path, tmp_path / "a.zip", 7, daily=True)
    made = record.read(tmp_path)
    assert (made.file, made.size, made.reason, made.failed_at) == (str(tmp_path / "a.zip"), 7, None, None)
    assert made.at == made.daily_at
    record.note_made(tmp_path, tmp_path / "b.zip", 8, daily=False)
    assert record.read(tmp_path).daily_at == made.daily_at
    record.note_failed(tmp_path, "no")
    assert record.read(tmp_path).file == str(tmp_path / "b.zip")
    assert [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()] == [0o600]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"at": "soon"}',
        '{"at": 5}',
        '{"unknown": 1}',
        '"x"',
        '{"at": "2026-99-01T00:00:00+00:00"}',
    ],
)
def test_a_record_that_is_none_counts_as_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / "backup.json").write_text(text)
    assert record.read(tmp_path) == Record()


def test_a_time_without_a_zone_is_in_utc(tmp_path: Path) -> None:
    (tmp_path / "backup.json").write_text('{"daily_at": "2026-03-01T03:15:00"}')
    assert record.read(tmp_path).daily_at == datetime(2026, 3, 1, 3, 15, tzinfo=UTC)


def test_a_record_that_cannot_be_written_is_missed_and_no_more(tmp_path: Path) -> None:
    record.note_failed(tmp_path / "not there", "no")
    assert record.read(tmp_path / "not there") == Record()
