"""kill -9 at each step of an upload, on a cluster of its own with fsync on: no row is ever without its file, and nothing that was
acknowledged is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.conftest import POSTGRES
from tests.integration.storage.conftest import Program

from cortex.library import attachment_upkeep
from cortex.library.attachment_upkeep import AttachmentKeeper, stock
from cortex.settings import Settings
from cortex.storage import open_database
from cortex.storage.files import Files

# The fixtures of clusters of one's own.
from tests.integration.storage.conftest import data, own_settings, program, seed  # noqa: F401  isort: skip

UPLOAD = """
import asyncio, os
from pathlib import Path
from cortex.library import attachments, _attachments_repository as repository
from cortex.settings import Settings
from cortex.storage import open_database
from cortex.storage.files import Files

STEP = {step!r}

def hang(step):
    if step == STEP:
        print("reached", flush=True)
        import time
        time.sleep(600)

async def pieces():
    yield b"first half, "
    hang("half")
    yield b"second half"

async def main():
    database = await open_database(Settings(data=Path({data!r}), postgres_version={version}))
    files = Files(Path({data!r}) / "attachments")
    put = files.put
    async def put_and_hang(received):
        hang("whole")
        await put(received)
        hang("put")
    object.__setattr__(files, "put", put_and_hang)
    async with files.receive(pieces(), 10**6) as received:
        found = attachments.examine(received, "a.bin")
        async with database.transaction("app", 1) as tx:
            row = await (await tx.execute("SELECT id FROM library.documents")).fetchone()
            await attachments.attach(tx, 1, files, row["id"], found)
            hang("recorded")
    hang("committed")

asyncio.run(main())
"""

NOTE = """
    INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size)
    VALUES (1, 'notes', 'note', 'Title', 'Text', 'en', '/notes/1', '', 4)
"""


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("step", ["half", "whole", "put", "recorded", "committed"])
async def test_killed_at(
    own_settings: Settings,  # noqa: F811
    program: Program,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> None:
    folder: Path = own_settings.data
    files = Files(folder / "attachments")
    async with await open_database(own_settings) as database:
        async with database.transaction("app", 1) as tx:
            await tx.execute(NOTE)
        killed = program(UPLOAD.format(data=str(folder), version=POSTGRES, step=step))
        assert killed.stdout is not None
        assert await asyncio.to_thread(killed.stdout.readline) == "reached\n"
        killed.kill()
        killed.wait()
        found = await stock(database, 1, files)
        assert (found.missing, found.damaged) == ((), ())
        assert found.records == (step == "committed")
        assert found.files_alone == (step in ("put", "recorded"))
        monkeypatch.setattr(attachment_upkeep, "KEPT_S", 0.0)
        await AttachmentKeeper(database, files, Files(folder / "thumbnails")).collect(1)
        left = [path for path in files.folder.rglob("*") if path.is_file()]
        assert len(left) == (step == "committed")
        again = program(UPLOAD.format(data=str(folder), version=POSTGRES, step="none"))
        assert await asyncio.to_thread(again.wait, 60) == 0
        found = await stock(database, 1, files)
        assert (found.records, found.missing, found.damaged, found.files_alone) == (1, (), (), 0)
