"""SQL of the scope: which documents a search may find, as a condition that stands inside every leg's query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import sql

from cortex.retrieval.scope import Scope, Term
from cortex.storage import Transaction

# Documents that a person wrote and may see now. A mirror's origin is `person`; what a model wrote is left out unless named.
_VISIBLE = "d.trashed_at IS NULL AND d.source = ANY (%(open)s)"

# A weekly note covers the seven days from its date. A note without a date counts by its quarter.
_IN_DATES = """(CASE WHEN d.date IS NOT NULL
        THEN d.date <= %({n}_last)s AND d.date + CASE d.kind WHEN 'weekly' THEN 6 ELSE 0 END >= %({n}_first)s
        ELSE make_date(d.period / 10, (d.period %% 10) * 3 - 2, 1) <= %({n}_last)s
         AND make_date(d.period / 10, (d.period %% 10) * 3 - 2, 1) + interval '3 months' > %({n}_first)s END)"""

_CONDITIONS = {
    "topic": "lower(d.topic) = lower(%({n})s)",
    "source": "lower(d.source) = lower(%({n})s)",
    "origin": "d.origin = %({n})s",
    "note": "d.id = %({n})s",
    "tag": "EXISTS (SELECT FROM library.tags t WHERE t.owner_id = d.owner_id AND t.document_id = d.id AND lower(t.tag) = lower(%({n})s))",
}

OPEN_SOURCES = "SELECT library.open_sources(%(owner)s) AS names"

ANY_INSIDE = "SELECT EXISTS (SELECT FROM library.documents d WHERE {where}) AS found"

# Is any document outside? If none is, the legs need no join with documents.
ANY_HIDDEN = f"""
    SELECT EXISTS (SELECT FROM library.documents d WHERE d.owner_id = %(owner)s AND NOT ({_VISIBLE} AND d.origin = 'person')) AS hidden
"""

IN_SCOPE = """
    SELECT count(*) AS documents,
           (SELECT count(*) FROM (SELECT FROM ai.passages p WHERE p.owner_id = %(owner)s
               AND p.document_id IN (SELECT d.id FROM library.documents d WHERE {where}) LIMIT %(cap)s) AS capped) AS passages
    FROM library.documents d WHERE {where}
"""


@dataclass(frozen=True)
class Where:
    """A scope as a condition on `library.documents d`, with its parameters."""

    clause: sql.Composable
    values: dict[str, Any]
    everything: bool
    """No document is outside: the legs need not look."""


async def where(tx: Transaction, owner_id: int, scope: Scope) -> Where:
    """The condition that keeps a scope and what may be seen at all."""
    row = await (await tx.execute(OPEN_SOURCES, {"owner": owner_id})).fetchone()
    values: dict[str, Any] = {"owner": owner_id, "open": row["names"] if row else []}
    parts = ["d.owner_id = %(owner)s", _VISIBLE]
    if not any(term.kind in ("origin", "note") for term in scope.terms):
        parts.append("d.origin = 'person'")
    for number, term in enumerate(scope.terms):
        parts.extend(_condition(f"scope_{number}", term, values))
    everything = False
    if not scope.terms:
        hidden = await (await tx.execute(ANY_HIDDEN, values)).fetchone()
        everything = not (hidden and hidden["hidden"])
    return Where(sql.SQL(" AND ".join(parts)), values, everything)


def _condition(name: str, term: Term, values: dict[str, Any]) -> list[str]:
    if term.kind == "weekly":
        parts = ["d.kind = 'weekly'"]
        if term.periods:
            values[f"{name}_first"], values[f"{name}_last"] = term.periods
            parts.append(f"d.period BETWEEN %({name}_first)s AND %({name}_last)s")
        return parts
    if term.dates:
        values[f"{name}_first"], values[f"{name}_last"] = term.dates
        return [_IN_DATES.replace("{n}", name)]
    values[name] = term.note if term.kind == "note" else term.name
    return [_CONDITIONS[term.kind].replace("{n}", name)]


def fill(statement: str, inside: Where, **parts: sql.Composable) -> sql.Composed:
    """The statement with the scope's condition at `{where}` and other parts at their names."""
    return sql.SQL(statement).format(where=inside.clause, **parts)


async def in_scope(tx: Transaction, inside: Where, cap: int) -> tuple[int, int]:
    """Documents in the scope, and their passages, counted up to `cap`."""
    row = await (await tx.execute(fill(IN_SCOPE, inside), {**inside.values, "cap": cap})).fetchone()
    return (row["documents"], row["passages"]) if row else (0, 0)


async def holds_any(tx: Transaction, inside: Where) -> bool:
    """Whether any document is in the scope."""
    row = await (await tx.execute(sql.SQL(ANY_INSIDE).format(where=inside.clause), inside.values)).fetchone()
    return bool(row and row["found"])
