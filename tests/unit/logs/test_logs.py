"""An outage of the database is one line, whatever the libraries say of it."""

from __future__ import annotations

import json
import logging
from typing import Any

import psycopg
import pytest
from procrastinate.exceptions import ConnectorException

from cortex import logs
from cortex.errors import Upstream

POOL = logging.getLogger("psycopg.pool")
QUEUE = logging.getLogger("procrastinate.worker")


pytestmark = pytest.mark.usefixtures("logs_as_before")


def _fail(error: Exception, cause: Exception | None = None) -> None:
    try:
        raise error from cause
    except type(error):
        QUEUE.exception("poll_jobs_to_abort error")


def _lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


def test_many_connections_that_are_lost_are_one_line_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()
    for n in range(8):
        POOL.warning("discarding closed connection: %s", n)
        POOL.warning("error connecting in %r: %s", "cortex_ai", "the server\n is starting")
    POOL.warning("reconnection attempt in pool %r failed after %s sec", "cortex_ai", 5)
    logging.getLogger("psycopg").warning("error ignored in rollback on %s: %s", "a connection", "it is gone")
    logging.getLogger("psycopg").warning("query cancellation interrupted (%s)", "OperationalError")
    _fail(ConnectorException(), psycopg.OperationalError("away"))
    _fail(Upstream("it cannot be started"))
    logs.outage("the same again")
    told: list[dict[str, Any]] = [json.loads(line) for line in _lines(capsys)]
    assert [line["reason"] for line in told] == ["the server is starting"]


def test_the_next_outage_is_told_again(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    logs.configure()
    logs.outage("first")
    monkeypatch.setattr(logs, "_missed_at", logs._missed_at - logs.QUIET_S - 1)
    logs.outage("second")
    assert len(_lines(capsys)) == 2


def test_what_is_no_outage_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()
    POOL.warning("rolling back returned connection: %s", 1)
    QUEUE.error("Job 7 ended with status: Error")
    _fail(ConnectorException(), psycopg.ProgrammingError("no such table"))
    text = capsys.readouterr().err
    for words in ("rolling back", "Job 7", "no such table"):
        assert words in text


def test_debug_shows_everything(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(debug=True)
    POOL.warning("discarding closed connection: %s", 1)
    _fail(ConnectorException(), psycopg.OperationalError("away"))
    text = capsys.readouterr().err
    assert "discarding closed connection" in text
    assert "Traceback" in text
