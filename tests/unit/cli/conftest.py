"""Commands set up the logs of their process; here that process is the test run."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _logs_as_before(logs_as_before: None) -> None:
    """For every test here."""
