"""Whatever happens to a folder, a sync ends where a fresh one would."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from tests.integration.sources.folders import Owner, configured, rows, write

from cortex.library import LOCAL_OWNER
from cortex.sources.sync import sync
from cortex.storage import Database


def shake(root: Path, dice: random.Random) -> None:
    """One thing that a person, or another program, may do to a folder of notes."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    name = f"{dice.choice(['', '2026/Q1/', 'Topics/a/', 'x/'])}{dice.choice('abcdeABCDE')}{dice.choice(['', ' 2026-01-15'])}.md"
    text = dice.choice(
        [
            "",
            "same text",
            f"text {dice.random()}",
            "---\ntags: a b\n---\n# T\n[[l]]",
            "x\r\ny",
            "---\nbroken: [\n---\nz",
        ]
    )
    what = dice.choice(["write", "write", "edit", "delete", "move", "swap", "copy", "touch"])
    if what == "write" or not files:
        write(root, {name: text})
        return
    one, other = dice.choice(files), dice.choice(files)
    if what == "edit":
        one.write_text(text, newline="")
    elif what == "delete":
        one.unlink()
    elif what == "touch":
        os.utime(one, ns=(dice.randrange(10**18), dice.randrange(10**18)))
    elif what == "swap":
        first, second = one.read_bytes(), other.read_bytes()
        one.write_bytes(second)
        other.write_bytes(first)
    else:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.move if what == "move" else shutil.copyfile)(one, root / name) if one != root / name else None


@pytest.mark.parametrize("seed", range(8))
async def test_any_sequence_of_changes_ends_as_a_fresh_sync_would(
    database: Database, owner: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("cortex.sources._plan.BATCH", 3)
    dice = random.Random(seed)
    vault = tmp_path / "vault"
    vault.mkdir()
    columns = "external_id, title, text, lang, kind, date, period, topic, url, metadata, content_hash, size, mtime_ns"
    labels = ", ".join(
        f"ARRAY(SELECT {name} FROM library.{table} l WHERE l.owner_id = d.owner_id AND l.document_id = d.id ORDER BY 1)"
        for table, name in (("tags", "tag"), ("links", "target"))
    )
    state = f"SELECT {columns}, {labels} FROM library.documents d WHERE owner_id = %s ORDER BY external_id"
    for step in range(6):
        for _ in range(dice.randrange(1, 8)):
            shake(vault, dice)
        fresh = 100 + step
        await owner.execute("INSERT INTO accounts.users (owner_id, name) VALUES (%s, 'fresh')", (fresh,))
        reports = await sync(database, LOCAL_OWNER, configured(vault), allow_deletes=True)
        assert reports[0].complete
        await sync(database, fresh, configured(vault))
        assert await rows(owner, state, LOCAL_OWNER) == await rows(owner, state, fresh)
