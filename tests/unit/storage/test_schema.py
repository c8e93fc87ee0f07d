"""The migration files, and what a state of the schema means."""

from __future__ import annotations

from importlib import resources

import pytest

from cortex.errors import Conflict
from cortex.storage import SchemaState, schema


def test_they_are_numbered_without_a_gap() -> None:
    assert [migration.number for migration in schema.migrations()] == list(range(1, len(schema.migrations()) + 1))


def test_the_queues_schema_is_procrastinates_own() -> None:
    """A newer procrastinate with another schema needs a migration of ours: its own are not run."""
    jobs = next(migration.sql for migration in schema.migrations() if migration.name == "jobs")
    between = jobs.split("-- procrastinate begins\n")[1].split("-- procrastinate ends\n")[0]
    theirs = (resources.files("procrastinate") / "sql" / "schema.sql").read_text(encoding="utf-8")
    assert between.strip() == theirs.strip()


def test_the_known_schema_is_served() -> None:
    SchemaState(applied=2, known=2).check()
    assert SchemaState(applied=2, known=2).is_current


def test_an_old_schema_names_the_command() -> None:
    with pytest.raises(Conflict, match="run `cortex migrate`"):
        SchemaState(applied=1, known=2).check()


def test_a_schema_from_the_future_names_the_way_out() -> None:
    with pytest.raises(Conflict, match="install the newer version, or restore a backup"):
        SchemaState(applied=3, known=2).check()
