"""The stand-in's sources: listed folders with their reports, those in trouble, a folder's check, a run's events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from .fake_notes import ago


def sample(documents: int = 141, **changes: Any) -> dict[str, Any]:
    """The sample notebook, which a click removes."""
    made = {"name": "sample", "type": "sample", "syncable": False, "removable": True, "documents": documents}
    return {**sources()[0], **made, **changes}


def folder_check(path: str) -> dict[str, Any]:
    left_out = {"another kind of file": 301, "dot folder": 2, "a link that leads out of the folder": 25}
    return {
        "path": path.replace("~", "/home/me"), "name": "diary", "files": 812, "notes": 790, "left_out": left_out, "obsidian": True,
        "dated": 0.95, "exclude": ["Extras/Templates/**"], "problem": None,
    }  # fmt: skip


def new_source(name: str) -> dict[str, Any]:
    return {"name": name, "documents": 812, "synced_at": ago(seconds=2), "newer": 0, **_local()}


def troubled_sources() -> list[dict[str, Any]]:
    """One whose disk is away, one that was taken off the list, and the sample beside notes of one's own."""
    away = {"name": "photos", "documents": 812, "synced_at": ago(days=2), "newer": None,
            **_local(found=0, changed=0, unchanged=0, complete=False, missing=812,
                     problem="it lists no file; nothing was deleted")}  # fmt: skip
    off = {"name": "old", "documents": 30, "synced_at": ago(days=40), "newer": None, **_local()}
    off |= {"listed": False, "syncable": False, "removable": True, "unlisted_at": ago(days=3)}
    return [away, off, sample(synced_at=ago(days=40), newer=None, open=False)]


def sources() -> list[dict[str, Any]]:
    left_out = [{"item": "日记/photo.heic", "reason": "this kind of file is not read"}]
    failed = [
        {
            "item": "scan.pdf",
            "reason": "this PDF file holds no text, only pictures (a scan?); run it through text recognition first",
        }
    ]
    return [
        {"name": "journals", "documents": 40, "synced_at": ago(days=6), "newer": 14, **_local(skipped=left_out)},
        {
            "name": "papers",
            "documents": 22,
            "synced_at": ago(hours=2),
            "newer": 0,
            **_local(failed=failed, complete=False),
        },
    ]


def _local(**report: Any) -> dict[str, Any]:
    last = {
        "found": 41, "added": 0, "changed": 2, "deleted": 0, "unchanged": 38, "embedded": 4, "skipped": [], "failed": [],
        "complete": True, "without_date": 9, "missing": 0, "problem": None, **report,
    }  # fmt: skip
    return {"type": "local", "listed": True, "syncing": False, "syncable": True, "removable": False, "report": last}


def sync_events(step_s: float = 0.05, *, dry_run: bool = False) -> AsyncIterator[bytes]:
    async def told() -> AsyncIterator[bytes]:
        for n in (10, 30, 52):
            await asyncio.sleep(step_s)
            yield b'event: progress\ndata: {"name": "journals", "done": %d, "total": 52}\n\n' % n
        yield b"event: done\ndata: " + json.dumps({**sources()[0]["report"], "dry_run": dry_run}).encode() + b"\n\n"

    return told()
