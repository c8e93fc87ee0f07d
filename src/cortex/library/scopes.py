"""What a scope chooser can offer: the periods, topics, sources and tags that there are, with counts."""

from __future__ import annotations

from dataclasses import dataclass, field

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
