"""The time that a question names becomes a term of its scope, and leaves the question."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache

from cortex.retrieval.scope import Scope, Term
from cortex.retrieval.times import Span, read, without
from cortex.text.keywords import analyse_query

_LONG = dt.timedelta(days=3 * 366)
_NEAR = dt.timedelta(days=366)

_ANYTHING = """
    write wrote written note noted notes record recorded journal diary entry entries log happen happened do did done work on be up busy
    summarise summarize summary overview recap review list show everything anything something things stuff day week month quarter year
    写 写下 写过 记 记下 记录 记了 做 做过 干 干了 忙 忙着 忙了 发生 过 事
    事情 东西 内容 笔记 周记 日记 总结 概括 回顾 汇总 列出 一切 所有 有什么 些什么 哪些事
"""


@dataclass(frozen=True)
class Narrowed:
    """A question as it is looked for."""

    scope: Scope
    question: str
    """Without the words of a time that became a term: they say nothing more about what is inside it."""
    lists: bool = False
    """Nothing but a time is asked for ("What did I write last week?"): whatever is of that time answers."""


HasNotes = Callable[[Scope], Awaitable[bool]]
"""Whether any document is in a scope."""


async def narrow(question: str, scope: Scope, today: dt.date | None, has_notes: HasNotes) -> Narrowed:
    """Read the question's time (not if `today` is None) into the scope, unless that has a time of its own or is one note."""
    if scope.picked_note is not None:
        return Narrowed(scope, question)
    if any(term.dates or term.periods for term in scope.terms):
        span = read(question, today) if today else None
        return Narrowed(scope, question, lists=not _asks_more(question, span))
    span = read(question, today) if today else None
    # "Who won in 1998?" asks about the world, not about notes of that year: a notebook that begins in 2024 is searched whole.
    if span is None or not await has_notes(Scope((*scope.terms, _term(*_anchor(span))))):
        return Narrowed(scope, question)
    scope = Scope((*scope.terms, _term(span.first, span.last)))
    if not _asks_more(question, span):
        return Narrowed(scope, question, lists=True)
    return Narrowed(scope, without(question, span))


def _term(first: dt.date, last: dt.date) -> Term:
    return Term("date", dates=(first, last), inferred=True)


def _anchor(span: Span) -> tuple[dt.date, dt.date]:
    """The days that must hold a note: all of them, but of a long span ("since 1950") only the year next to what was named."""
    if span.last - span.first < _LONG:
        return span.first, span.last
    if span.first == dt.date.min:
        return max(span.last, span.first + _NEAR) - _NEAR, span.last
    return span.first, span.first + _NEAR


def _asks_more(question: str, span: Span | None) -> bool:
    """Whether a word is left that says what of that time is asked for."""
    return any(word not in _anything() for word in analyse_query(without(question, span) if span else question))


@lru_cache(maxsize=1)
def _anything() -> frozenset[str]:
    return frozenset(term for word in _ANYTHING.split() for term in analyse_query(word))
