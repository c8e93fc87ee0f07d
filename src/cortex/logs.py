"""Structured logs: to stderr, readable on a terminal, JSON elsewhere. Note text never goes into a log."""

from __future__ import annotations

import logging
import sys

import structlog


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


def get(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger that names its module."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(module=name)
    return logger
