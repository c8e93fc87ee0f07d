"""PITFALL 10: a sync that is killed half-way; the next one goes on, and nothing is there twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from pathlib import Path
from typing import Any

import psycopg

from cortex.errors import Conflict
from cortex.library import LOCAL_OWNER
from cortex.settings import Settings, SourceSettings
from cortex.sources.report import SourceReport
from cortex.sources.sync import sync
from cortex.storage import Database
from cortex.storage.embedded import Server
from cortex.storage.opening import embedded_login

Owner = psycopg.AsyncConnection[tuple[Any, ...]]
FILES = 600

PROGRAM = """
import asyncio, json, sys
from pathlib import Path
from cortex.settings import Settings, SourceSettings
from cortex.sources.sync import sync
from cortex.storage import Database

async def main():
    logins, folder = json.loads(sys.argv[1]), Path(sys.argv[2])
    settings = Settings(data=folder, sources=(SourceSettings(name="vault", type="local", path=folder),))
    async with Database(logins, set_role=False) as database:
        await sync(database, 1, settings, progress=lambda source, done, total: print(done, flush=True))

asyncio.run(main())
"""


async def killed_at(logins: dict[str, str], vault: Path, files: int) -> bool:
    """Sync in a process of its own, and kill it once it has done so many files. False if it ended before."""
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, json.dumps(logins), str(vault), stdout=pipe, stderr=nothing
    )
    assert child.stdout is not None
    reached = False
    async for line in child.stdout:
        if int(line) >= files:
            reached = True
            break
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(signal.SIGKILL)
    await child.wait()
    return reached


async def finish(database: Database, settings: Settings) -> SourceReport:
    for _ in range(200):  # the server notices a dead client a moment later, and lets go of its lock then
        try:
            return (await sync(database, LOCAL_OWNER, settings))[0]
        except Conflict:
            await asyncio.sleep(0.02)
    raise AssertionError("the killed run still holds the source")


async def test_pitfall_10_killed_half_way(
    database: Database, owner: Owner, server: Server, database_name: str, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    for n in range(FILES):
        (vault / f"{n:04}.md").write_text(f"# Note {n}\n\ntext {n}\n")
    logins = {role: embedded_login(server, role, database_name) for role in ("app", "ai")}
    settings = Settings(data=tmp_path, sources=(SourceSettings(name="vault", type="local", path=vault),))
    for files in (50, 200, 350):
        for _ in range(20):  # the one before may still hold the source for a moment
            if await killed_at(logins, vault, files):
                break
    report = await finish(database, settings)
    assert report.complete
    assert report.added + report.unchanged == FILES
    assert report.unchanged >= 350
    documents = await (await owner.execute("SELECT id, version FROM library.documents")).fetchall()
    assert len(documents) == FILES
    assert {version for _, version in documents} == {1}
    jobs = await (
        await owner.execute("SELECT jsonb_array_elements(args -> 'document_ids')::bigint FROM jobs.procrastinate_jobs")
    ).fetchall()
    assert sorted(row[0] for row in jobs) == sorted(row[0] for row in documents)  # one job each: none lost, none twice
