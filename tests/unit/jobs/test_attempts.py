"""When a job gets another attempt, and how its reason is kept."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest
from procrastinate.jobs import Job

from cortex.errors import Invalid
from cortex.jobs._attempts import REASON_CHARS, Attempts, Failed, _reason
from cortex.storage import Database

JOB = Job(id=1, queue="cortex", lock=None, queueing_lock=None, task_name="note")


@pytest.mark.parametrize(("failures", "again"), [(1, True), (2, True), (3, False), (4, False)])
def test_three_failures_are_the_end(failures: int, again: bool) -> None:
    decision = Attempts(cast(Database, None)).get_retry_decision(exception=Failed(failures), job=JOB)
    assert (decision is not None) is again


def test_a_stop_of_the_worker_is_no_failure() -> None:
    attempts = Attempts(cast(Database, None))
    assert attempts.get_retry_decision(exception=asyncio.CancelledError(), job=JOB) is not None


def test_an_error_of_ours_keeps_its_line_and_others_their_kind() -> None:
    assert _reason(Invalid("the file is no text")) == "the file is no text"
    assert _reason(KeyError("x\ny")) == "KeyError: 'x\\ny'"
    assert len(_reason(ValueError("long " * 1000))) == REASON_CHARS
