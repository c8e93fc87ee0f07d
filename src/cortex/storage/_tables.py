"""Which tables a backup holds, in an order in which their rows can be put back: read from the catalogue, not from a list.

So a table that a later migration makes is in the backup by itself. What is left out is named here, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import tuple_row

from cortex.errors import Upstream

SCHEMAS = ("accounts", "library", "ai", "jobs")

LEFT_OUT = re.compile(
    # The index: the worker makes it again from the documents, which it finds by their having no row in ai.indexed.
    r"ai\.(indexed|passages|postings|title_postings|sentences|vectors_\w+)"
    # Who works now, and what procrastinate would do by the clock (Cortex does nothing by that).
    r"|jobs\.procrastinate_(workers|periodic_defers)"
)

TABLES = """
    SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY(%s) ORDER BY 1
"""

# Columns that are stored (a generated one makes itself), with the sequence that numbers them, if one does.
COLUMNS = """
    SELECT n.nspname || '.' || c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attidentity <> '' OR a.atthasdef
                THEN pg_get_serial_sequence(format('%%I.%%I', n.nspname, c.relname), a.attname) END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY(%s)
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY c.oid, a.attnum
"""

LINKS = """
    SELECT n.nspname || '.' || c.relname, rn.nspname || '.' || r.relname,
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) x JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x)
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class r ON r.oid = k.confrelid JOIN pg_namespace rn ON rn.oid = r.relnamespace
    WHERE k.contype = 'f' AND n.nspname = ANY(%s)
"""


@dataclass(frozen=True)
class Column:
    """A stored column; `sequence` names what numbers it. `emptied`: it points at something that is left out."""

    name: str
    type: str
    sequence: str | None
    emptied: bool


@dataclass(frozen=True)
class Table:
    """A table that a backup holds, as `schema.name`."""

    name: str
    columns: tuple[Column, ...]


async def kept_tables(connection: psycopg.AsyncConnection[Any]) -> list[Table]:
    """The tables of a backup, each after those that it points at.

    Raises:
        Upstream: two tables point at each other (a mistake in a migration).
    """
    names = [name for (name,) in await _rows(connection, TABLES) if not LEFT_OUT.fullmatch(name)]
    targets: dict[str, set[str]] = {name: set() for name in names}
    emptied: dict[str, set[str]] = {name: set() for name in names}
    for name, target, columns in await _rows(connection, LINKS):
        if name in targets and target in targets and target != name:
            targets[name].add(target)
        elif name in targets and target not in targets:
            emptied[name].update(columns)
    columns_of: dict[str, list[Column]] = {name: [] for name in names}
    for name, column, kind, sequence in await _rows(connection, COLUMNS):
        if name in columns_of:
            columns_of[name].append(Column(column, kind, sequence, column in emptied[name]))
    return [Table(name, tuple(columns_of[name])) for name in _in_order(targets)]


def _in_order(targets: Mapping[str, set[str]]) -> list[str]:
    done: list[str] = []
    left = dict(targets)
    while left:
        free = [name for name, wanted in left.items() if wanted.isdisjoint(left)]
        if not free:
            raise Upstream(
                f"these tables point at each other, so a backup cannot order them: {', '.join(sorted(left))}"
            )
        done += free
        left = {name: wanted for name, wanted in left.items() if name not in free}
    return done


async def _rows(connection: psycopg.AsyncConnection[Any], query: str) -> list[tuple[Any, ...]]:
    async with connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(query.encode(), [list(SCHEMAS)])
        return await cursor.fetchall()
