"""The worker as a child process: started, started again when it dies, and ended with us."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

from cortex.logs import get

_log = get(__name__)
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_WELL_S = 60.0
"""A child that lived this long was well: its next death is a first one."""
_GRACE_S = 15.0
"""How long the child may take to put its job down when it is told to end."""


class Supervisor:
    """Keeps one child process alive.

    The child holds the reading end of a pipe as its stdin: the pipe closes when we end in whatever way, and a child
    that reads the end of its stdin ends too.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._child: asyncio.subprocess.Process | None = None
        self.started = 0

    @property
    def pid(self) -> int | None:
        """The child's process id while it lives."""
        return self._child.pid if self._child is not None and self._child.returncode is None else None

    async def keep(self) -> None:
        """Start the child, again and again, until cancelled."""
        clock = asyncio.get_running_loop().time
        pause = _FIRST_PAUSE_S
        while True:
            began = clock()
            try:
                self._child = await self._start()
            except OSError as error:  # no memory or no process left: perhaps later
                _log.warning("the worker cannot be started", reason=error.strerror)
                code = None
            else:
                code = await self._child.wait()
            pause = _FIRST_PAUSE_S if clock() - began >= _WELL_S else min(pause * 2, _LONGEST_PAUSE_S)
            _log.warning("the worker ended and is started again", code=code, in_s=pause)
            await asyncio.sleep(pause)

    async def end(self) -> None:
        """Close the child's stdin and wait; one that does not go is killed."""
        child = self._child
        if child is None or child.returncode is not None:
            return
        assert child.stdin is not None
        child.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(child.wait(), _GRACE_S)
        if child.returncode is None:
            child.kill()
            await child.wait()

    async def _start(self) -> asyncio.subprocess.Process:
        self.started += 1
        # A session of its own: Ctrl-C in the terminal reaches us only, and we end the child in order.
        return await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, stdout=sys.stderr.fileno(), start_new_session=True
        )


@asynccontextmanager
async def supervised(command: Sequence[str]) -> AsyncIterator[Supervisor]:
    """The child lives while the block runs."""
    supervisor = Supervisor(command)
    task = asyncio.create_task(supervisor.keep())
    try:
        yield supervisor
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await supervisor.end()
