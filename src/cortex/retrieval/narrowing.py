"""The time that a question names as a term of its scope."""

from __future__ import annotations

import datetime as dt

from cortex.retrieval import _scope_repository as repository
from cortex.retrieval.scope import Scope, Term
from cortex.retrieval.times import Span
from cortex.storage import Transaction

_LONG = dt.timedelta(days=3 * 366)
_NEAR = dt.timedelta(days=366)


async def narrow(tx: Transaction, owner_id: int, scope: Scope, span: Span) -> Scope:
    """The scope with the span as an inferred term; as it was if it has a time of its own, or if no dated note is that old.

    "Who won in 1998?" asks about the world, not about notes of that year: a notebook that begins in 2024 is searched whole.
    """
    if scope.picked_note is not None or any(term.dates or term.periods for term in scope.terms):
        return scope
    near = Scope((*scope.terms, _term(*_anchor(span))))
    if not await repository.holds_any(tx, await repository.where(tx, owner_id, near)):
        return scope
    return Scope((*scope.terms, _term(span.first, span.last)))


def _term(first: dt.date, last: dt.date) -> Term:
    return Term("date", dates=(first, last), inferred=True)


def _anchor(span: Span) -> tuple[dt.date, dt.date]:
    """The days that must hold a note: all of them, but of a long span ("since 1950") only the year next to what was named."""
    if span.last - span.first < _LONG:
        return span.first, span.last
    if span.first == dt.date.min:
        return max(span.last - _NEAR, span.first), span.last
    return span.first, span.first + _NEAR
