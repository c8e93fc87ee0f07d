"""The embedded server: shared by processes, private to its user, and back after a kill."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
from tests.conftest import POSTGRES
from tests.integration.storage.conftest import Program, cluster_of

import cortex
from cortex.errors import Conflict, Invalid, Upstream
from cortex.settings import Settings
from cortex.storage import Database, _postmaster, open_database
from cortex.storage._account import Account
from cortex.storage._binaries import binaries

HOLD = """
import asyncio, sys
from pathlib import Path
from cortex.settings import Settings
from cortex.storage import open_database

async def main():
    database = await open_database(Settings(data=Path({data!r}), postgres_version={version}))
    async with database.transaction("app", 1) as tx:
        await tx.execute("SELECT 1")
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await database.close()

asyncio.run(main())
"""

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to act as another user")


async def read_one(database: Database) -> object:
    async with database.transaction("app", 1) as tx:
        row = await (await tx.execute("SELECT count(*) AS n FROM library.sources")).fetchone()
        assert row is not None
        return row["n"]


def hold(program: Program, data: Path) -> subprocess.Popen[str]:
    process = program(HOLD.format(data=str(data), version=POSTGRES))
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def postmaster(data: Path) -> _postmaster.Postmaster:
    found = _postmaster.running(cluster_of(data))
    assert found is not None
    return found


async def test_the_last_one_out_stops_the_server(own_settings: Settings, program: Program) -> None:
    other = await asyncio.to_thread(hold, program, own_settings.data)
    database = await open_database(own_settings)
    pid = postmaster(own_settings.data).pid
    assert other.stdin is not None
    other.stdin.write("\n")
    other.stdin.close()
    assert await asyncio.to_thread(other.wait) == 0
    assert postmaster(own_settings.data).pid == pid
    assert await read_one(database) == 1
    await database.close()
    assert _postmaster.running(cluster_of(own_settings.data)) is None


async def test_two_databases_of_one_process_share_the_server(own_settings: Settings) -> None:
    first, second = await asyncio.gather(open_database(own_settings), open_database(own_settings))
    await first.close()
    assert await read_one(second) == 1
    await second.close()
    await second.close()
    assert _postmaster.running(cluster_of(own_settings.data)) is None


async def test_a_killed_process_leaves_nothing_that_stops_the_next(own_settings: Settings, program: Program) -> None:
    killed = await asyncio.to_thread(hold, program, own_settings.data)
    killed.kill()
    killed.wait()
    async with await open_database(own_settings) as database:
        assert await read_one(database) == 1
    assert _postmaster.running(cluster_of(own_settings.data)) is None


async def test_a_killed_server_starts_again(own_settings: Settings, program: Program) -> None:
    killed = await asyncio.to_thread(hold, program, own_settings.data)
    os.kill(postmaster(own_settings.data).pid, signal.SIGKILL)
    killed.kill()
    killed.wait()
    async with await open_database(own_settings) as database:
        assert await read_one(database) == 1


async def test_a_server_killed_under_us_is_started_again(own_settings: Settings) -> None:
    async with await open_database(own_settings) as database:
        assert await read_one(database) == 1
        os.kill(postmaster(own_settings.data).pid, signal.SIGKILL)
        assert await read_patiently(database) == 1


async def read_patiently(database: Database) -> object:
    """A transaction that has begun when the server dies is lost, and says so; the next one is not."""
    try:
        return await read_one(database)
    except Upstream:
        return await read_one(database)


async def test_a_killed_back_end_costs_no_later_caller_an_error(own_settings: Settings) -> None:
    async with await open_database(own_settings) as database:
        async with database.connection("app") as connection:
            back_end = connection.info.backend_pid
        os.kill(back_end, signal.SIGKILL)
        assert await read_patiently(database) == 1


async def test_a_stale_pid_file_that_names_a_live_stranger_is_removed(own_settings: Settings) -> None:
    cluster = cluster_of(own_settings.data)
    owner = cluster.stat()
    with subprocess.Popen(["sleep", "60"], user=owner.st_uid, group=owner.st_gid, cwd="/") as stranger:
        pid_file = cluster / "postmaster.pid"
        pid_file.write_text(f"{stranger.pid}\n{cluster}\n0\n5432\n/tmp\n\n  0  0\nready\n")
        os.chown(pid_file, owner.st_uid, owner.st_gid)
        pid_file.chmod(0o600)
        try:
            async with await open_database(own_settings) as database:
                assert await read_one(database) == 1
        finally:
            assert stranger.poll() is None
            stranger.kill()


async def test_the_server_is_out_of_reach_of_a_ctrl_c(own_settings: Settings) -> None:
    async with await open_database(own_settings):
        pid = postmaster(own_settings.data).pid
        assert os.getpgid(pid) != os.getpgrp()
        assert os.getsid(pid) != os.getsid(0)


async def test_a_long_data_path(open_folder: Path) -> None:
    folder = open_folder / ("long-" * 30) / ("路径 with 'quotes' $HOME `x`" + "-" * 60)
    try:
        async with await open_database(Settings(data=folder, postgres_version=POSTGRES)) as database:
            assert await read_one(database) == 1
    finally:
        shutil.rmtree(open_folder / ("long-" * 30))


async def test_a_half_made_cluster_is_made_anew(open_folder: Path) -> None:
    folder = open_folder / "half"
    partial = folder / f"postgres{POSTGRES}.partial"
    partial.mkdir(parents=True)
    folder.chmod(0o711)
    (partial / "PG_VERSION").write_text(f"{POSTGRES}\n")
    async with await open_database(Settings(data=folder, postgres_version=POSTGRES)) as database:
        assert await read_one(database) == 1
    assert not partial.exists()


async def test_another_major_version_is_named(own_settings: Settings) -> None:
    other = 16 if POSTGRES == 18 else 18
    with pytest.raises(Conflict, match=f"CORTEX_POSTGRES={POSTGRES}"):
        await open_database(Settings(data=own_settings.data, postgres_version=other))


async def test_a_socket_folder_that_somebody_took_is_refused(own_settings: Settings) -> None:
    async with await open_database(own_settings):
        socket = postmaster(own_settings.data).socket
        assert socket.is_dir()
    assert not socket.exists()
    socket.symlink_to("/tmp")
    try:
        with pytest.raises(Invalid, match=str(socket)):
            await open_database(own_settings)
    finally:
        socket.unlink()


async def test_nothing_listens_on_the_network(own_settings: Settings) -> None:
    async with await open_database(own_settings) as database, database.connection("app") as connection:
        row = await (await connection.execute("SHOW listen_addresses")).fetchone()
        assert row == {"listen_addresses": ""}
        row = await (await connection.execute("SHOW data_checksums")).fetchone()
        assert row == {"data_checksums": "on"}


async def test_a_user_cannot_connect_as_another_role(own_settings: Settings) -> None:
    async with await open_database(own_settings):
        socket = postmaster(own_settings.data).socket
        with pytest.raises(psycopg.OperationalError, match="[Pp]eer authentication failed"):
            psycopg.connect(host=str(socket), user="postgres", dbname="cortex")


@root_only
async def test_another_user_neither_connects_nor_reads(own_settings: Settings) -> None:
    def as_nobody(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["runuser", "-u", "nobody", "--", *command], capture_output=True, text=True, check=False, cwd="/"
        )

    async with await open_database(own_settings):
        socket = postmaster(own_settings.data).socket
        cluster = cluster_of(own_settings.data)
        connect = (
            "import socket,sys; s=socket.socket(socket.AF_UNIX); "
            f"sys.exit(3 if s.connect_ex({str(socket / '.s.PGSQL.5432')!r}) == 13 else 0)"
        )
        assert (await asyncio.to_thread(as_nobody, "/usr/bin/python3", "-c", connect)).returncode in (3, 127)
        for path in (socket, cluster, own_settings.data):
            shown = await asyncio.to_thread(as_nobody, "ls", str(path))
            assert shown.returncode != 0
            assert "Permission denied" in shown.stderr
        shown = await asyncio.to_thread(as_nobody, "cat", str(cluster / "PG_VERSION"))
        assert "Permission denied" in shown.stderr


@root_only
async def test_the_server_does_not_run_as_root(own_settings: Settings) -> None:
    async with await open_database(own_settings):
        assert Path(f"/proc/{postmaster(own_settings.data).pid}").stat().st_uid != 0


@root_only
async def test_a_parent_that_the_system_user_cannot_pass_is_named(open_folder: Path) -> None:
    parent = open_folder / "closed"
    parent.mkdir(mode=0o700)
    with pytest.raises(Invalid, match=f"chmod o\\+x {parent}"):
        await open_database(Settings(data=parent / "data", postgres_version=POSTGRES))


@root_only
def test_an_ordinary_user_has_a_server_of_his_own(open_folder: Path) -> None:
    """As `nobody`, without root's rights: made, used, stopped."""
    home = open_folder / "of-nobody"
    home.mkdir()
    shutil.chown(home, "nobody", "nogroup")
    search = os.pathsep.join([str(Path(cortex.__file__).parents[1]), str(Path(psycopg.__file__).parents[1])])
    done = subprocess.run(
        ["runuser", "-u", "nobody", "--", "env", f"PYTHONPATH={search}", python_for_all(), "-c"]
        + [HOLD.format(data=str(home / "data"), version=POSTGRES)],
        input="\n",
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("ready\n", "", 0)
    assert (home / "data").stat().st_mode & 0o777 == 0o700
    assert _postmaster.running(cluster_of(home / "data")) is None


def python_for_all() -> str:
    """A Python of our version that another user can run; skips where there is none."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        check = ["runuser", "-u", "nobody", "--", python, "-c", "import sys; print(sys.version_info[:2])"]
        done = subprocess.run(check, capture_output=True, text=True, check=False, cwd="/")
        if done.stdout.strip() == str(sys.version_info[:2]):
            return python
    pytest.skip("no Python of this version that another user can run")


async def test_a_release_while_the_server_is_gone(own_settings: Settings) -> None:
    database = await open_database(own_settings)
    pid = postmaster(own_settings.data).pid
    os.kill(pid, signal.SIGKILL)
    await database.close()
    deadline = time.monotonic() + 10
    while _postmaster.is_postgres(pid, cluster_of(own_settings.data)) and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    async with await open_database(own_settings) as again:
        assert await read_one(again) == 1


def test_binaries_that_the_system_user_cannot_reach_are_copied(open_folder: Path) -> None:
    stranger = Account("stranger", 54321, 54321)
    reachable = binaries(POSTGRES, stranger)
    assert stranger.blocked_at(reachable / "postgres") is None
    copies = open_folder / "copies"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Account, "blocked_at", lambda self, path: path)
        first = binaries(POSTGRES, stranger, copies)
        assert binaries(POSTGRES, stranger, copies) == first
    assert first.is_relative_to(copies)
    assert stranger.blocked_at(first / "postgres") is None
    assert [folder.name for folder in copies.iterdir()] == [first.relative_to(copies).parts[0]]
    shown = subprocess.run([first / "postgres", "--version"], capture_output=True, text=True, check=True)
    assert f" {POSTGRES}." in shown.stdout
    assert subprocess.run([first / "initdb", "--version"], capture_output=True, check=False).returncode == 0
