"""The worker's reading of attachments: the text of a PDF or an Office file becomes a document, one file at a time.

Each is read in a process of its own, so that a broken one harms nobody, and a job waits for it a moment only: what changed in notes
comes between. What waits is told by the records, never by the queue.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cortex import jobs
from cortex.library import _attached_texts_repository as repository
from cortex.library import attachments
from cortex.logs import get
from cortex.storage import Database, Transaction
from cortex.storage.files import Files
from cortex.text.decode import storable
from cortex.text.language import detect

_log = get(__name__)

SLICE_S = 1.0
"""How long a job waits; the reading goes on without it, and the next job finds it done."""
MOST_S = 300.0
"""A file that takes longer is given up."""
_DETECTED = 20_000  # characters that tell a text's language

Answer = Mapping[str, str | None]


@dataclass(frozen=True)
class AttachedTexts:
    """The handler of the reading job, with what it needs."""

    database: Database
    files: Files
    _reading: dict[bytes, asyncio.Task[Answer]] = field(default_factory=dict)

    def handlers(self) -> Mapping[str, jobs.Handler]:
        return {attachments.READ_JOB: self.read}

    async def read(self, owner_id: int) -> None:
        """Read what waits, for one slice of time; the rest is the next job."""
        until = time.monotonic() + SLICE_S
        while True:
            async with self.database.transaction("app", owner_id) as tx:
                found = await repository.waiting(tx, owner_id)
                if found is None:
                    return
                if time.monotonic() >= until:
                    await attachments.enqueue_reading(tx, owner_id)
                    return
            answer = await self._answer(found, until)
            if answer is not None:
                async with self.database.transaction("app", owner_id) as tx:
                    await keep(tx, owner_id, bytes(found["hash"]), answer)

    async def _answer(self, found: Mapping[str, Any], until: float) -> Answer | None:
        """What came of reading a file; None while it goes on."""
        hash_ = bytes(found["hash"])
        if hash_ not in self._reading:
            ending = attachments.reads_as(found["media_type"], found["name"]) or ""
            self._reading[hash_] = asyncio.create_task(read_apart(self.files.path(hash_), ending))
        task = self._reading[hash_]
        await asyncio.wait({task}, timeout=max(0.0, until - time.monotonic()))
        if not task.done():
            return None
        del self._reading[hash_]
        return task.result()


async def read_apart(path: Path, ending: str, most_s: float = MOST_S) -> Answer:
    """Read a file in a process of its own: `text`, `title` and `note`, or `problem`. Whatever the file does, this answers."""
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cortex.library._read_apart", str(path), ending),
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # an interrupt at the terminal is for the worker, which ends this one by itself
    )
    assert child.stdout is not None
    try:
        async with asyncio.timeout(most_s):
            told = await child.stdout.read()
            code = await child.wait()
    except TimeoutError:
        return {"problem": f"reading it took more than {most_s / 60:.0f} minutes; it was given up"}
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.kill()
            await asyncio.shield(child.wait())
    if code:
        _log.warning("an attachment could not be read", file=path.name, exit=code)
        return {"problem": "the file made its reader fail; it is broken, or needs more memory than there is"}
    answer: Answer = json.loads(told)
    return answer


async def keep(tx: Transaction, owner_id: int, hash_: bytes, answer: Answer) -> None:
    """Make what was read a document, or keep the reason why there is none."""
    record = await repository.wanted(tx, owner_id, hash_)
    if record is None:
        return  # it went meanwhile
    text, problem = storable(answer.get("text") or ""), answer.get("problem")
    if problem or not text.strip():
        await repository.finish(
            tx, owner_id, hash_, "failed" if problem else "none", problem=storable(problem or "") or None
        )
        return
    raw, note = text.encode(), answer.get("note")
    values = {
        "external_id": f"attachment/{hash_.hex()}",
        "title": record["name"],
        "text": text,
        "lang": detect(f"{record['name']}\n{text[:_DETECTED]}"),
        "url": f"/api/attachments/{hash_.hex()}",
        "metadata": {
            "attachment": hash_.hex(),
            "media_type": record["media_type"],
            **({"note_on_reading": storable(note)} if note else {}),
        },
        "content_hash": hash_,
        "size": len(raw),
    }
    document_id = await repository.put_text(tx, owner_id, values)
    await repository.finish(tx, owner_id, hash_, "read", document_id=document_id)
    await attachments.settle(tx, owner_id, [hash_])


async def catch_up(tx: Transaction, owner_id: int) -> None:
    """Have what waits be read, if no job knows of it."""
    if await repository.waiting(tx, owner_id):
        await attachments.enqueue_reading(tx, owner_id)
