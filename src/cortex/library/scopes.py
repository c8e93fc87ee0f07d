"""What a scope can be: the periods, topics, sources and tags that there are, with counts; and whether a source is there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cortex.errors import Invalid
from cortex.library import _scopes_repository as repository
from cortex.storage import Transaction

_LISTED = 200
"""Names a list holds at most; `q` narrows longer ones."""


@dataclass(frozen=True)
class Offer:
    """The terms that have notes behind them; `counts` by scope string (`topic:Kafka`, `weekly:20241-20241`)."""

    periods: list[int]
    topics: list[str]
    sources: list[str]
    tags: list[str]
    weekly: int
    counts: dict[str, int] = field(default_factory=dict)


async def offer(tx: Transaction, owner_id: int, query: str = "") -> Offer:
    """The scope terms whose name holds `query` (all of them when it is empty), the most used first."""
    rows = await repository.offered(tx, owner_id, query, _LISTED)
    named: dict[str, list[str]] = {"topic": [], "source": [], "tag": [], "period": []}
    counts: dict[str, int] = {}
    weekly = 0
    for row in rows:
        kind, name, count = row["kind"], row["name"], row["count"]
        if kind == "weekly":
            weekly = count
            counts["weekly"] = count
        elif kind == "all":
            counts[""] = count
        else:
            named[kind].append(name)
            counts[f"weekly:{name}-{name}" if kind == "period" else f"{kind}:{name}"] = count
    periods = sorted((int(name) for name in named["period"]), reverse=True)
    return Offer(periods, named["topic"], named["source"], named["tag"], weekly, counts)


async def check_sources(tx: Transaction, owner_id: int, names: Iterable[str]) -> None:
    """See that the notebook has sources of these names, in whatever case: one that was mistyped would find nothing, silently.

    Raises:
        Invalid: it has not; the message names those that there are.
    """
    there = await repository.sources(tx, owner_id)
    known = {source["name"].lower() for source in there}
    for name in names:
        if name.lower() not in known:
            told = ", ".join(source["name"] for source in there if source["told"])
            way_out = f"there are: {told}" if told else "there is none yet, see `cortex sync`"
            raise Invalid(f"there is no source {name!r} in the notebook; {way_out}", field="scope")
