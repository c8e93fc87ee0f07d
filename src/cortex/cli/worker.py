"""`cortex worker`: the process that makes changed notes searchable and fills the spaces behind them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated

import typer

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, run

if TYPE_CHECKING:
    from cortex.settings import Settings

_NICE = 10
"""The worker's embedding gives way to whoever asks."""


def worker(
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
    supervised: Annotated[bool, typer.Option("--supervised", hidden=True)] = False,
) -> None:
    """Index what changed, until stopped. `cortex serve` starts one by itself."""

    async def command(settings: Settings) -> int:
        from cortex.bootstrap import open_cortex

        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        if supervised:
            _end_with_parent(loop, stop)
        async with open_cortex(settings, threads=output.cores()) as cortex:
            # Of threads, not of the process: a database that is started again from here keeps its own priority.
            loop.set_default_executor(ThreadPoolExecutor(initializer=os.nice, initargs=(_NICE,)))
            await cortex.work(stop)
        return 0

    run(command, data=data, config=config, debug=debug)


def _end_with_parent(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Stop when stdin ends, which it does however the parent dies."""

    def watch() -> None:
        while sys.stdin.buffer.read(1024):
            pass
        loop.call_soon_threadsafe(stop.set)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
