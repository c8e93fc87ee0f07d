"""The embedded PostgreSQL of a data folder: started by the first process that needs it, stopped by the last one.

Only the bundled binaries are used. Nobody but the user of Cortex gets in: a private socket folder, peer authentication
with a map, no TCP. As root the server runs as a system user of its own.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from cortex.errors import Conflict, Upstream
from cortex.logs import get
from cortex.storage import _locks, _postmaster
from cortex.storage._account import Account, server_account, user_name
from cortex.storage._binaries import binaries
from cortex.storage._programs import Programs
from cortex.storage._sockets import socket_folder
from cortex.storage.folder import folder_error, prepare_folder

_log = get(__name__)
START_RETRY_S = 10.0
"""A server that was killed blocks its successor until its last process is gone."""

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "port": "5432",
    "recovery_init_sync_method": "syncfs",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_error_verbosity": "terse",  # DETAIL lines would hold values of rows
    "log_min_error_statement": "panic",
    "max_connections": "100",
    "max_wal_size": "512MB",
    "shared_buffers": "512MB",  # taken only as far as the library fills it; a vector index that does not fit is 10 times slower
    "client_connection_check_interval": "2s",  # what a killed process was waiting for ends, and its locks with it
    "jit": "off",
    "random_page_cost": "1.1",
}
HBA = "local all all peer map=cortex\n"


@dataclass
class Server:
    """This process's hold on the server of a data folder. `release` lets go; the last hold stops the server."""

    data: Path
    version: int
    extra: Mapping[str, str] = field(default_factory=dict)
    socket: Path = field(init=False)
    _account: Account | None = field(init=False)
    _programs: Programs = field(init=False)
    _users: int | None = field(init=False, default=None)
    _mutex: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._account = server_account()
        prepare_folder(self.data, self._account)
        self._programs = Programs(binaries(self.version, self._account), self.data, self._account)

    @property
    def cluster(self) -> Path:
        """The folder of PostgreSQL's own files; the major version is part of its name."""
        return self.data / f"postgres{self.version}"

    def attach(self) -> None:
        """Join the server's users, and start it if it does not run.

        Raises:
            Conflict: the folder holds a cluster of another PostgreSQL version.
            Upstream: it does not start; the message says why.
        """
        try:
            with _locks.starting(self.data):
                self._check_version()
                self._users = _locks.open_lock(self.data / "postgres.users.lock")
                _locks.share(self._users)
                self._ensure_running()
        except OSError as error:
            self._let_go()
            raise folder_error(self.data, error) from error
        except BaseException:
            self._let_go()
            raise

    def revive(self) -> None:
        """Start the server again if it died under us; nothing when it runs or when we have let go of it."""
        with self._mutex, _locks.starting(self.data):
            if self._users is not None:
                ended = _postmaster.running(self.cluster) is None
                self._ensure_running()
                if ended:
                    _log.warning("the database had ended by itself and was started again", data=str(self.data))

    def release(self) -> None:
        """Leave; stop the server if nobody else uses it."""
        with self._mutex, _locks.starting(self.data):
            if self._users is None:
                return
            try:
                if _locks.try_exclusive(self._users) and _postmaster.running(self.cluster):
                    self._programs.stop(self.cluster)
                    with suppress(OSError):
                        self.socket.rmdir()
            finally:
                self._let_go()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep every process away from the folder while the block runs; a server that nobody uses any more is stopped.

        Raises:
            Conflict: another process uses the folder.
        """
        with _locks.starting(self.data):
            users = _locks.open_lock(self.data / "postgres.users.lock")
            try:
                if not _locks.try_exclusive(users):
                    raise Conflict(f"another Cortex process uses {self.data}: end it, or wait for it, and try again")
                found = _postmaster.running(self.cluster)
                if found is not None:
                    self._programs.stop(self.cluster)
                    shutil.rmtree(found.socket, ignore_errors=True)
                yield
            finally:
                os.close(users)

    def _let_go(self) -> None:
        if self._users is not None:
            os.close(self._users)
            self._users = None

    def _check_version(self) -> None:
        for other in {16, 18} - {self.version}:
            if (self.data / f"postgres{other}").is_dir() and not self.cluster.is_dir():
                raise Conflict(
                    f"the data folder {self.data} holds a PostgreSQL {other} database: "
                    f"set CORTEX_POSTGRES={other}, or name another folder with --data"
                )

    def _ensure_running(self) -> None:
        found = _postmaster.running(self.cluster)
        if found is None:
            if not self.cluster.is_dir():
                self._create_cluster()
            self._start()
            found = _postmaster.running(self.cluster)
        if found is None:
            raise Upstream(
                f"the database of {self.data} stopped right after its start: see {self.cluster / 'server.log'}"
            )
        self.socket = found.socket

    def _create_cluster(self) -> None:
        """Under another name first: a process that is killed here leaves no half-made cluster behind."""
        partial = self.data / f"{self.cluster.name}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)
        if self._account is not None:
            os.chown(partial, self._account.uid, self._account.gid)
        self._programs.initdb(partial, builtin_locale=self.version >= 17)
        (partial / "pg_hba.conf").write_text(HBA, encoding="utf-8")
        partial.rename(self.cluster)

    def _start(self) -> None:
        folder = socket_folder(self.data, self._account)
        # The map is written at every start: a restored or copied folder may have another owner now.
        map_line = f'cortex "{user_name(os.geteuid())}" /^cortex_(owner|app|ai)$\n'
        (self.cluster / "pg_ident.conf").write_text(map_line, encoding="utf-8")
        options = {**SETTINGS, **self.extra, "unix_socket_directories": str(folder)}
        deadline = time.monotonic() + START_RETRY_S
        while True:
            _postmaster.remove_stale(self.cluster)
            problem = self._programs.start(self.cluster, options)
            if problem is None:
                return
            if time.monotonic() > deadline:
                raise problem
            time.sleep(0.2)
