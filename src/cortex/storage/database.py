"""Connections: one small pool for each role that serves, transactions with their owner, and errors that a person can read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any, Literal, Self

import psycopg
from pgvector.psycopg import register_vector_async
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from cortex.errors import CortexError, Upstream
from cortex.storage._errors import readable_errors

Role = Literal["app", "ai"]
"""`app` writes the library and the chats; `ai` reads the library and writes only the AI's own tables."""

Transaction = psycopg.AsyncConnection[dict[str, Any]]
Pool = AsyncConnectionPool[Transaction]

POOL_SIZE = 8
WAIT_S = 20.0
BEGIN_ATTEMPTS = 3
STARTING_S = 15.0
"""How long a server that is recovering from a crash is waited for."""

# Not one of the loop's own threads: those of the worker run at low priority, and the server would inherit it.
_STARTER = ThreadPoolExecutor(1, "database-starter")


class Database:
    """The pools of one process. Made by `open_database`; `close` it, or use it as an async context manager.

    Args:
        logins: the connection string of each role.
        set_role: whether the login only *may become* the role (external), or is the role (embedded).
        revive: starts a dead embedded server again; called in a thread. None for an external one.
        released: called once after the pools are closed.
    """

    def __init__(
        self,
        logins: Mapping[Role, str],
        *,
        set_role: bool,
        revive: Callable[[], None] | None = None,
        released: Callable[[], None] | None = None,
    ) -> None:
        self._logins = dict(logins)
        self._set_role = set_role
        self._revive = revive
        self._released = released
        self._pools: dict[tuple[Role, bool], Pool] = {}
        self._opening = asyncio.Lock()
        self._problem: str | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def is_embedded(self) -> bool:
        return self._revive is not None

    @asynccontextmanager
    async def transaction(self, role: Role, owner_id: int) -> AsyncIterator[Transaction]:
        """One transaction that sees and writes only the rows of `owner_id`; committed at the end, rolled back on an error.

        Raises:
            Upstream: the database is away, its disk is full, or it is read-only.
        """
        with readable_errors(), self._explained():
            async with AsyncExitStack() as stack:
                # The owner goes along with BEGIN: a trip to the server is a good part of what a short transaction costs.
                begin = f"BEGIN; SELECT set_config('cortex.owner', '{int(owner_id)}', true)"
                yield await _checked(stack, await self._pool(role), begin)

    @asynccontextmanager
    async def connection(self, role: Role) -> AsyncIterator[Transaction]:
        """A connection without owner that commits each statement: for the queue and for health, which know no owner.

        Raises:
            Upstream: as for `transaction`.
        """
        with readable_errors(), self._explained():
            async with AsyncExitStack() as stack:
                yield await _checked(stack, await self._pool(role), "")

    async def connect(self, role: Role) -> Transaction:
        """A connection of its own, outside of the pool, that commits each statement; the caller closes it."""
        connection = await self._connection_class().connect(self._logins[role], row_factory=dict_row, autocommit=True)
        await self._configure(role, connection)
        return connection

    async def pool(self, role: Role) -> Pool:
        """A pool for those that know nothing of dead connections, opened at its first use: it looks at each before it gives it.

        Its connections commit each statement.
        """
        return await self._pool(role, checks=True)

    async def _pool(self, role: Role, *, checks: bool = False) -> Pool:
        async with self._opening:
            if (role, checks) not in self._pools:
                self._pools[role, checks] = await self._open_pool(role, checks)
            return self._pools[role, checks]

    async def close(self) -> None:
        """Close every connection, and let go of the embedded server; a second call does nothing."""
        pools, self._pools = self._pools, {}
        for pool in pools.values():
            await pool.close()
        released, self._released, self._revive = self._released, None, None
        if released is not None:
            await asyncio.to_thread(released)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """A pool that ran out of patience tells why its last attempt to connect failed."""
        try:
            yield
        except PoolTimeout as error:
            if self._problem is None:
                raise
            raise Upstream(self._problem) from error

    async def _open_pool(self, role: Role, checks: bool) -> Pool:
        async def configure(connection: Transaction) -> None:
            await self._configure(role, connection)

        async def check(connection: Transaction) -> None:
            try:
                await AsyncConnectionPool.check_connection(connection)
            except psycopg.Error:
                await pool.drain()  # why: see `_checked`
                raise

        pool: Pool = AsyncConnectionPool(
            self._logins[role],
            connection_class=self._connection_class(),
            kwargs={"row_factory": dict_row},
            configure=configure,
            check=check if checks else None,
            min_size=0,
            max_size=POOL_SIZE,
            max_idle=300,
            reconnect_timeout=5,  # then the next caller tries at once, instead of waiting out a long back-off
            name=f"cortex_{role}",
            open=False,
        )
        await pool.open()
        return pool

    async def _configure(self, role: Role, connection: Transaction) -> None:
        try:
            await connection.set_autocommit(True)
            if self._set_role:
                await connection.execute(f"SET ROLE cortex_{role}")
            await connection.execute("SET search_path = jobs, public")
            await register_vector_async(connection)
        except BaseException:
            await connection.close()  # nobody else would
            raise

    def _connection_class(self) -> type[Transaction]:
        """A class whose `connect` starts a dead embedded server again and waits for one that is recovering."""
        database = self

        class Reviving(psycopg.AsyncConnection[dict[str, Any]]):
            @classmethod
            async def connect(cls, conninfo: str = "", **kwargs: Any) -> Any:
                try:
                    connection = await connect_patiently(super().connect, conninfo, database._revive, **kwargs)
                except (psycopg.OperationalError, CortexError) as error:
                    database._problem = " ".join(str(error).split())
                    raise
                database._problem = None
                return connection

        return Reviving


async def _checked(stack: AsyncExitStack, pool: Pool, first: str) -> Transaction:
    """A connection that `first`, a command without effects that last, has been run on. `stack` gives it back, and with that commits
    what was begun, or after an error rolls it back.

    A restart of the server costs no caller an error: a connection that turns out to be dead is replaced, and with it the others of
    the pool, since finding them one by one would take the pool's back-off, doubled, for each.
    """
    for attempt in range(1, BEGIN_ATTEMPTS + 1):
        connection: Transaction | None = None
        try:
            async with AsyncExitStack() as started:
                connection = await started.enter_async_context(pool.connection(WAIT_S))
                await connection.execute(first, prepare=False)
                stack.push_async_exit(started.pop_all())
                return connection
        except psycopg.OperationalError:
            if connection is None or not connection.closed or attempt == BEGIN_ATTEMPTS:
                raise
            await pool.drain()
    raise AssertionError("the loop ends by returning or raising")


async def connect_patiently(
    connect: Callable[..., Any], conninfo: str, revive: Callable[[], None] | None, **kwargs: Any
) -> Any:
    """Connect; where there is an embedded server, start it again if it is dead, and wait while it recovers."""
    deadline = asyncio.get_running_loop().time() + STARTING_S
    while True:
        try:
            return await connect(conninfo, **kwargs)
        except psycopg.OperationalError:
            if revive is None or asyncio.get_running_loop().time() > deadline:
                raise
        await asyncio.sleep(0.05)
        await asyncio.get_running_loop().run_in_executor(_STARTER, revive)
