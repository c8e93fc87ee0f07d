"""Options that every command takes, and the way a command runs: errors as one line, exit codes, threads."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from cortex.settings import Settings

FAILED = 1
"""Exit code: something failed."""

BAD_CONFIG = 2
"""Exit code: the options or the configuration are wrong."""

INTERRUPTED = 130

Data = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="The data folder (else CORTEX_DATA, else the platform's).")
]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The configuration (else config.yaml in the data folder)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on stdout.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show tracebacks and more of the log.")]
ScopeOption = Annotated[
    str, typer.Option("--scope", metavar="SCOPE", help="Only there, e.g. weekly:20241-20242;topic:Kafka")
]


def run(
    command: Callable[[Settings], Coroutine[None, None, int | None]],
    *,
    data: Path | None,
    config: Path | None,
    debug: bool,
    makes_notebook: bool = True,
) -> NoReturn:
    """Read the settings, run the command and exit: 0 or what it returned, 1 for a failure, 2 for bad configuration.

    Args:
        makes_notebook: False for a command that only looks: it must not leave a database at a path that was mistyped.
    """
    limit_threads()
    from cortex import logs, settings
    from cortex.errors import CortexError, Invalid

    logs.configure(debug=debug)
    try:
        found = settings.load(data, config)
        if not makes_notebook:
            _check_notebook(found)
        code = asyncio.run(command(found)) or 0
    except CortexError as error:
        if debug:
            raise
        fail(error.message, BAD_CONFIG if isinstance(error, Invalid) else FAILED)
    except BrokenPipeError:
        # The reader of our output left (`cortex search … | head -1`): nothing is wrong, and nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = FAILED
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as error:
        if debug:
            raise
        told = " ".join(f"{type(error).__name__}: {error}".split())
        fail(f"Cortex made a mistake ({told[:300]}); run it again with --debug and report what it shows", FAILED)
    raise typer.Exit(code)


def _check_notebook(settings: Settings) -> None:
    """Raises `Invalid` where a data folder was named that holds no notebook; nobody mistypes the standard one."""
    from cortex.errors import Invalid
    from cortex.settings import standard_data_folder
    from cortex.storage.folder import lacks_notebook

    data = settings.data
    if settings.database_url is None and data != standard_data_folder() and lacks_notebook(data):
        way_out = f"`cortex serve --data {shlex.quote(str(data))}` makes one"
        raise Invalid(f"there is no notebook at {data}: {way_out}, or name another with --data", field="--data")


def say(message: str) -> None:
    """One line on stderr."""
    typer.echo(f"cortex: {' '.join(message.split())}", err=True)


def fail(message: str, code: int) -> NoReturn:
    """One line on stderr, and out."""
    say(message)
    raise typer.Exit(code)


def limit_threads() -> None:
    """Keep BLAS and OpenMP to one thread; must come before the first import of numpy.

    Their threads spin while they wait for each other, so beside a busy process a query takes seconds and a batch five times
    as long. Work that may use more processors says so to its embedders.
    """
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
