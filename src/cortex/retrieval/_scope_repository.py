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

# The open sources, whether a question without a scope may find every document of them (then the legs need no join), how many there are,
# and which few of them it may not: in the trash, or written by a model. `documents_hidden` is an index.
EVERYTHING = """
    WITH shown AS MATERIALIZED (SELECT library.open_sources(%(owner)s) AS names),
    hidden AS MATERIALIZED (
        SELECT d.id FROM library.documents d WHERE d.owner_id = %(owner)s AND (d.trashed_at IS NOT NULL OR d.origin <> 'person')
        LIMIT %(most)s + 1)
    SELECT names, (SELECT count(*) FROM library.documents d WHERE d.owner_id = %(owner)s) AS documents,
           NOT EXISTS (SELECT FROM library.sources s WHERE s.owner_id = %(owner)s AND NOT s.name = ANY (names)
               AND EXISTS (SELECT FROM library.documents d WHERE d.owner_id = s.owner_id AND d.source = s.name)) AS everything,
           ARRAY (SELECT id FROM hidden) AS hidden,
           (SELECT count(*) FROM (SELECT FROM ai.passages p WHERE p.owner_id = %(owner)s AND p.document_id IN (SELECT id FROM hidden)
                                  LIMIT %(most_passages)s + 1) AS capped) AS hidden_passages
    FROM shown
"""

_MOST_HIDDEN = {"most": 500, "most_passages": 2_000}
"""Documents and passages that are left out of what the legs found; where more are hidden, the legs leave them out themselves."""

ALL_PASSAGES = (
    "SELECT count(*) AS passages FROM (SELECT FROM ai.passages p WHERE p.owner_id = %(owner)s LIMIT %(cap)s) AS capped"
)

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
    """No document is outside but the `hidden` ones: the legs need not look."""
    documents: int = 0
    """How many there are then, without those."""
    hidden: frozenset[int] = frozenset()
    """The few documents that are to be left out of what was found."""
    hidden_passages: int = 0


async def where(tx: Transaction, owner_id: int, scope: Scope) -> Where:
    """The condition that keeps a scope and what may be seen at all."""
    asked = {"owner": owner_id, **_MOST_HIDDEN}
    facts = await (await tx.execute(OPEN_SOURCES if scope.terms else EVERYTHING, asked)).fetchone() or {}
    values: dict[str, Any] = {"owner": owner_id, "open": facts.get("names", [])}
    parts = ["d.owner_id = %(owner)s", _VISIBLE]
    if not any(term.kind in ("origin", "note") for term in scope.terms):
        parts.append("d.origin = 'person'")
    for number, term in enumerate(scope.terms):
        parts.extend(_condition(f"scope_{number}", term, values))
    clause = sql.SQL(" AND ".join(parts))
    hidden, passages = frozenset[int](facts.get("hidden", ())), facts.get("hidden_passages", 0)
    few = len(hidden) <= _MOST_HIDDEN["most"] and passages <= _MOST_HIDDEN["most_passages"]
    if not (few and facts.get("everything", False)):
        return Where(clause, values, False)
    return Where(clause, values, True, facts["documents"] - len(hidden), hidden, passages)


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
    values = {**inside.values, "cap": cap}
    if inside.everything:
        row = await (await tx.execute(ALL_PASSAGES, values)).fetchone()
        return inside.documents, max(row["passages"] - inside.hidden_passages, 0) if row else 0
    row = await (await tx.execute(fill(IN_SCOPE, inside), values)).fetchone()
    return (row["documents"], row["passages"]) if row else (0, 0)


async def holds_any(tx: Transaction, inside: Where) -> bool:
    """Whether any document is in the scope."""
    row = await (await tx.execute(sql.SQL(ANY_INSIDE).format(where=inside.clause), inside.values)).fetchone()
    return bool(row and row["found"])
