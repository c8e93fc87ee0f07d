"""The database's own failures as errors that a person can read; errors of a statement pass as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg_pool import PoolTimeout

from cortex.errors import CortexError, Upstream


@contextmanager
def readable_errors() -> Iterator[None]:
    """Within this block a database that is full, read-only, away or silent is an `Upstream` of one line."""
    try:
        yield
    except CortexError:
        raise
    except PoolTimeout as error:
        raise Upstream("the database does not answer: see `cortex doctor`") from error
    except psycopg.Error as error:
        message = _of_the_server(error)
        if message is None:
            raise
        raise Upstream(message) from error


def _of_the_server(error: psycopg.Error) -> str | None:
    if isinstance(error, psycopg.errors.DiskFull):
        return "the disk of the database is full: free some space and try again; nothing was half done"
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return "the database is read-only: point DATABASE_URL at a server that may write; nothing was half done"
    state = error.sqlstate
    lost = isinstance(error, psycopg.OperationalError) and state is None
    if lost or (state and state.startswith(("08", "57P", "53"))):
        return f"the database failed or went away ({' '.join(str(error).split())}); nothing was half done"
    return None
