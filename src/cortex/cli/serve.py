"""`cortex serve`: the page and the API on this machine, with the worker beside it."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, run

if TYPE_CHECKING:
    from cortex.bootstrap import Cortex
    from cortex.settings import Settings

PORT = 8765
_BACKLOG = 128
_GRACE_S = 5
"""How long open requests may take to end when the server stops."""


def serve(
    host: Annotated[
        str, typer.Option(help="A loopback address; others need accounts, which this version has not.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one.")] = PORT,
    role: Annotated[str, typer.Option(help="all; library and ask come with a later version.")] = "all",
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Serve the page and the API at http://127.0.0.1:8765, and index in the background."""

    async def command(settings: Settings) -> int:
        from cortex.storage import claim_serving
        from cortex.storage.folder import prepare_folder

        _check(host, role)
        prepare_folder(settings.data, None)
        listening = listen(port) if port == 0 else None
        number = listening.getsockname()[1] if listening else port
        with claim_serving(settings.data, number):
            await _serve(settings, listening or listen(port), debug=debug)
        return 0

    run(command, data=data, config=config, debug=debug)


def _check(host: str, role: str) -> None:
    from cortex.errors import Invalid

    if host not in ("127.0.0.1", "localhost", "::1"):
        raise Invalid(
            f"{host} is not this machine's own address, and without accounts Cortex serves nobody else: leave --host out",
            field="--host",
        )
    if role != "all":
        raise Invalid(f"this version serves --role all only, not {role!r}", field="--role")


def listen(port: int) -> socket.socket:
    """A listening socket on 127.0.0.1.

    Raises:
        Conflict: the port is taken, or needs rights that we have not.
    """
    from cortex.errors import Conflict

    try:
        listening = socket.create_server(("127.0.0.1", port), backlog=_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = "is taken by another program"
        elif error.errno == errno.EACCES:
            reason = "is only for the system's administrator"
        else:
            reason = f"cannot be listened on ({error.strerror})"
        raise Conflict(f"port {port} {reason}: choose another with --port (0: any free one)", field="--port") from error
    # Connections inherit it. Without it the second piece of an answer (its body) waits for the reader to confirm the first one,
    # which it puts off for 40 ms; asyncio sets it only on sockets that name their protocol.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


async def _serve(settings: Settings, listening: socket.socket, *, debug: bool) -> None:
    from cortex.bootstrap import open_cortex
    from cortex.cli.supervisor import supervised
    from cortex.web.app import create_app

    port = listening.getsockname()[1]
    stopping = asyncio.Event()
    async with open_cortex(settings) as cortex:
        app = create_app(cortex, stopping)
        await _welcome(cortex, app)
        server = _server(app, stopping)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, server.stop)
        warming = loop.run_in_executor(None, cortex.retriever.warm)
        async with supervised(worker_command(settings, debug=debug)):
            output.console.print(f"Cortex is at http://127.0.0.1:{port}")
            await server.serve(sockets=[listening])
            await app.state.syncs.close()
        await asyncio.gather(warming, return_exceptions=True)


async def _welcome(cortex: Cortex, app: Any) -> None:
    """What a start does: the configuration's sources and no others are listed, and a first run has something to ask."""
    from cortex.bootstrap import sample_folder
    from cortex.errors import Conflict
    from cortex.library import LOCAL_OWNER, mirrors
    from cortex.sources.sample import add_sample

    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await mirrors.reconcile(tx, LOCAL_OWNER, [(source.name, source.type) for source in cortex.settings.sources])
    with suppress(Conflict):  # another process is at it
        await add_sample(cortex.database, LOCAL_OWNER, cortex.settings, sample_folder())
    for source in cortex.settings.sources:
        if source.sync_on_open:
            app.state.syncs.start(LOCAL_OWNER, source.name)


def worker_command(settings: Settings, *, debug: bool) -> list[str]:
    """How the worker of these settings is started."""
    command = [sys.executable, "-m", "cortex", "worker", "--supervised", "--data", str(settings.data)]
    if settings.config:
        command += ["--config", str(settings.config)]
    return command + (["--debug"] if debug else [])


def _server(app: Any, stopping: asyncio.Event) -> Any:
    """uvicorn, ended by `stop`: its own handling of signals would end the process before we have cleaned up."""
    import uvicorn

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Any:
            yield

        def stop(self) -> None:
            stopping.set()
            self.force_exit = self.should_exit
            self.should_exit = True

    return Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_graceful_shutdown=_GRACE_S,
        )
    )
