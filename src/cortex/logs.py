"""Structured logs: to stderr, readable on a terminal, JSON elsewhere. Note text never goes into a log.

A database that is away is one line, however many connections and loops find out; what they say of it is for `--debug`.
"""

from __future__ import annotations

import logging
import math
import sys
import time

import structlog

QUIET_S = 60.0
"""When nobody has missed the database for so long, the next time is another outage."""

_LOST = (
    "discarding ",
    "error connecting ",
    "error ignored in rollback ",
    "error resetting ",
    "query cancellation ",
    "reconnection attempt ",
    "rollback failed",
)
"""How psycopg and its pool begin what they say of connections that were lost; nobody learns more of them than of the outage."""

_missed_at = -math.inf


def configure(*, debug: bool = False) -> None:
    """Set up structlog and the standard library's loggers; call once, at a process's start."""
    level = logging.DEBUG if debug else logging.INFO
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer()
        if sys.stderr.isatty()
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s", force=True
    )
    for handler in logging.getLogger().handlers:
        handler.addFilter(lambda record: debug or not _of_an_outage(record))


def outage(reason: str) -> None:
    """Say that the database is away: once for each outage, the rest to the debug log."""
    global _missed_at
    now = time.monotonic()
    log = get(__name__)
    tell = log.warning if now - _missed_at > QUIET_S else log.debug
    _missed_at = now
    tell("the database is away or fails; it is tried again until it answers", reason=" ".join(reason.split()))


def _of_an_outage(record: logging.LogRecord) -> bool:
    """Whether a library's line is about a database that is away; one that knows why counts towards `outage`."""
    if record.name in ("psycopg", "psycopg.pool"):
        text = record.getMessage()
        if text.startswith("error connecting "):
            outage(text.partition(": ")[2])
        return text.startswith(_LOST)
    error = record.exc_info[1] if record.exc_info else None
    if error is None or not record.name.startswith("procrastinate."):
        return False
    cause = error.__cause__ or error
    away = not {"OperationalError", "Upstream"}.isdisjoint(kind.__name__ for kind in type(cause).__mro__)
    if away:
        outage(str(cause))
    return away


def get(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger that names its module."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(module=name)
    return logger
