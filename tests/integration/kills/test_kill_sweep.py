"""`kill -9` of worker, server, sync and PostgreSQL at random moments of a sync, on a cluster with fsync on.

By default four kills over a small vault. The long form: CORTEX_KILLS=20 over the three vaults of `../shared/data/vaults`
(or CORTEX_KILLS_VAULT=DIR), with CORTEX_KILLS_SEED=N to have the same victims again; `--log-cli-level=INFO` shows each kill.
"""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest
from tests.conftest import POSTGRES
from tests.integration.kills import invariants
from tests.integration.kills.living import VICTIMS, Living, Victim, until

from cortex.storage.embedded import Server
from cortex.storage.opening import embedded_login

KILLS = int(os.environ.get("CORTEX_KILLS", "0"))
SEED = int(os.environ.get("CORTEX_KILLS_SEED", str(random.randrange(1_000_000))))
NOTES = 120
LONGEST_WAIT_S = 30.0
"""Between two kills, however slowly the sync goes on."""
VAULTS = ("oldwinter-garden", "cs-self-learning", "jbranchaud-til")

log = logging.getLogger(__name__)


@pytest.fixture
def folder() -> Iterator[Path]:
    """On a disk, not in memory: fsync is to mean something."""
    folder = Path(tempfile.mkdtemp(prefix="cortex-kills-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def sources(folder: Path, request: pytest.FixtureRequest) -> dict[str, Path]:
    """Name → folder, writable."""
    if not KILLS:
        return {"small": small_vault(folder / "vault")}
    vaults = request.getfixturevalue("shared") / "data" / "vaults"
    named = os.environ.get("CORTEX_KILLS_VAULT")
    originals = [Path(named)] if named else [vaults / name for name in VAULTS]
    return {path.name: Path(shutil.copytree(path, folder / "vaults" / path.name)) for path in originals}


def small_vault(folder: Path) -> Path:
    """Short notes, so that all three spaces are full within seconds."""
    folder.mkdir()
    for n in range(NOTES):
        text = f"# 第{n}号笔记\n\n今天修好了{n}号水泵。\n" if n % 3 else f"# Note {n}\n\nPump {n} got a new seal.\n"
        (folder / f"{n:03}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def living(folder: Path, sources: dict[str, Path]) -> Iterator[Living]:
    living = Living(folder / "data", sources)
    try:
        yield living
    finally:
        living.end()


@pytest.mark.slow
def test_killing_anything_at_any_moment_loses_doubles_and_leaves_nothing(living: Living) -> None:
    chance = random.Random(SEED)
    log.info("CORTEX_KILLS_SEED=%s", SEED)
    chosen = victims(chance)
    living.go()
    for number, victim in enumerate(chosen):
        index = wait_for_its_moment(living, victim, (number + chance.random()) / (len(chosen) + 1), chance)
        assert living.kill(victim)
        log.info("kill %s: %s, %s", number + 1, victim, index)
        edit(living.sources, chance)
        living.go()
    finish(living)
    check(living)


def wait_for_its_moment(living: Living, victim: Victim, share: float, chance: random.Random) -> dict[str, int]:
    """Return when the sync is about so far (0 to 1), or makes no headway, and the victim lives."""
    files = sum(1 for folder in living.sources.values() for path in folder.rglob("*.md"))
    end = time.monotonic() + LONGEST_WAIT_S
    index: dict[str, int] = {}
    while time.monotonic() < end:
        time.sleep(chance.uniform(0, 0.5))
        living.go()
        status = living.status()
        index = {name: status[name] for name in ("documents", "waiting", "passages")}
        if 2 * status["documents"] - status["waiting"] >= 2 * files * share:
            break
    living.go()
    until(lambda: living.pid(victim), 60, f"there is a {victim}")
    return index


def victims(chance: random.Random) -> list[Victim]:
    """Each about as often as the others, in any order."""
    chosen = [VICTIMS[n % len(VICTIMS)] for n in range(KILLS or len(VICTIMS))]
    chance.shuffle(chosen)
    return chosen


def edit(sources: Mapping[str, Path], chance: random.Random) -> None:
    """A person goes on writing: a note changed, a note gone, a note moved, a new note."""
    files = sorted(path for folder in sources.values() for path in folder.rglob("*.md"))
    changed, gone, moved, beside = chance.sample(files, 4)
    with changed.open("a", encoding="utf-8") as file:
        file.write(f"\n\nOne more line about {chance.random()}.\n")
    gone.unlink()
    moved.rename(moved.with_name(f"moved {chance.randrange(10**9)}.md"))
    (beside.parent / f"new {chance.randrange(10**9)}.md").write_text(f"# New\n\nWritten meanwhile: {chance.random()}\n")


def finish(living: Living) -> None:
    """Let it come to rest: one sync that ends well, and nothing left in the queue."""
    assert living.sync is not None
    living.sync.wait()
    living.codes.append(living.sync.returncode)
    log.info("syncs that nobody killed ended with %s", living.codes)
    ended = living.command("sync", "--json")
    assert ended.returncode == 0, ended.stderr + ended.stdout[-2000:]
    if KILLS:  # the deep space of thousands of notes takes an hour
        living.pause_filling()
    until(lambda: at_rest(living), 600, "the queue is empty")


def at_rest(living: Living) -> bool:
    queue = living.status()["queue"]
    assert not queue["failed"], living.status()
    return not queue["pending"] and not queue["running"]


def check(living: Living) -> None:
    assert living.status()["waiting"] == 0
    postmaster = living.pid("postmaster")
    assert postmaster is not None
    # The worker, which may have started it, embeds at low priority.
    assert os.getpriority(os.PRIO_PROCESS, postmaster) == os.getpriority(os.PRIO_PROCESS, 0)
    server = Server(living.data, POSTGRES)
    server.attach()
    try:
        with psycopg.connect(embedded_login(server, "owner", "cortex"), autocommit=True) as owner:
            assert invariants.unlike_their_files(owner, living.sources) == []
            assert invariants.broken(owner, filled=not KILLS) == {}
            assert invariants.unlike_a_fresh_cut(owner) == []
    finally:
        server.release()
    again = living.command("sync", "--json")
    assert again.returncode == 0, again.stderr
    for report in json.loads(again.stdout)["sources"]:
        assert (report["added"], report["changed"], report["deleted"], report["embedded"]) == (0, 0, 0, 0), report
