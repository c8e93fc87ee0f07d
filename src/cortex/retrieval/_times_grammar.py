"""What stands around a time: the word that makes it one, the other end of a range, "since" and "before"."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from cortex.retrieval._times_calendar import BEGINNING, Days, Mention, Place

_ONE = dt.timedelta(days=1)
_RANGE = re.compile(
    r"\s*(?:to|and|or|through|until|till|&|-|–|—|~|到|至|和|与|跟|、|还是)\s*(?:the )?(?:early |late )?"
)
_GAP = 16
_BEFORE_CHARS = 24
_NEAR = 64
"""Characters around a mention that are looked at."""

_SINCE = re.compile(r"(?<![a-z])(?:since|starting(?: in| from| on)?)\s*(?:the )?$")
_AFTER = re.compile(r"(?<![a-z])after\s*(?:the )?$")
_UNTIL = re.compile(r"(?<![a-z])(?:until|till|up to)\s*(?:the )?(?:end of )?$|(?:截至|直到|截止到?)$")
_BEFORE = re.compile(r"(?<![a-z])(?:before|prior to)\s*(?:the )?$")
_SINCE_ZH = re.compile(r"份?\s*(?:以来|至今|起(?!来)|开始|到现在|到今天)|\s*(?:onwards?|on)(?=[\s,?.]|$)")
_AFTER_ZH = re.compile(r"份?\s*(?:以后|之后|后(?![来期半]))")
_BEFORE_ZH = re.compile(r"份?\s*(?:以前|之前|前(?![\d一二三四五六七八九十两几半后]))")
_POSSESSIVE = re.compile(r"['’]s\b")
_LEAD = re.compile(
    r"(?<![a-z])(?:in|on|at|during|since|before|after|until|till|from|between|throughout|around|for)\s+(?:the )?$|[从自在]$"
)
_TRAIL = re.compile(r"份?(?:之间|期间|以来|至今|起(?!来)|以后|之后|以前|之前)|['’]s(?![a-z])")
# An event stands between: "after the outage in April", 去年搬家之后.
_AFTER_EVENT = re.compile(r"(?<![a-z])(?:after|since)\s[^,.?!;，。？！；]{3,50}$")
_BEFORE_EVENT = re.compile(r"(?<![a-z])before\s[^,.?!;，。？！；]{3,50}$")
_AFTER_EVENT_ZH = re.compile(r"[^,.?!;，。？！；]{1,14}(?:之后|以后)")
_BEFORE_EVENT_ZH = re.compile(r"[^,.?!;，。？！；]{1,14}(?:之前|以前)")
_THAT_ONE = re.compile(r"的?(?:那[次场回个年]|(?<=的)那)")


def joined(text: str, candidates: Sequence[Mention]) -> list[Mention]:
    """The mentions that count, ranges made one. The neighbour across "to" or 到 counts too, and takes the other's year."""
    starting, ending = defaultdict(list), defaultdict(list)
    for candidate in candidates:
        starting[candidate.start].append(candidate)
        ending[candidate.end].append(candidate)
    result: list[Mention] = []
    for mention in _chosen(text, candidates):
        end = result[-1].end if result else 0
        if mention.start < end:
            continue
        after = [other for gap in range(1, _GAP) for other in starting.get(mention.end + gap, ())]
        before = [other for gap in range(1, _GAP) for other in ending.get(mention.start - gap, ())]
        if right := _neighbour(text, mention, after, backwards=False):
            mention = _together(mention, right)
        elif (left := _neighbour(text, mention, before, backwards=True)) and left.start >= end:
            mention = _together(left, mention)
        result.append(mention)
    return result


def widened(text: str, mention: Mention) -> tuple[int, int]:
    """Where the mention stands together with its preposition: what can be left out of the question."""
    lead = _LEAD.search(text, max(0, mention.start - _NEAR), mention.start)
    trail = _TRAIL.match(text, mention.end)
    return lead.start() if lead else mention.start, trail.end() if trail else mention.end


def opened(text: str, mention: Mention, today: dt.date) -> Mention | None:
    """The mention with "since", "after", "before" or "until" applied; None if it only tells which event is meant."""
    before, after = text[max(0, mention.start - _NEAR) : mention.start], text[mention.end : mention.end + _NEAR]
    first, last = mention.days
    possessive = _POSSESSIVE.match(after) is not None
    if _AFTER.search(before) and not possessive or _AFTER_ZH.match(after):
        return _spanning(mention, last + _ONE, today) if last < today else None
    if _SINCE.search(before) or _AFTER.search(before) or _SINCE_ZH.match(after):
        return _spanning(mention, first, max(first, today))
    if _BEFORE.search(before) and not possessive or _BEFORE_ZH.match(after):
        return _spanning(mention, BEGINNING, first - _ONE) if first > BEGINNING else None
    if _UNTIL.search(before) or _BEFORE.search(before):
        return _spanning(mention, BEGINNING, last)
    return _of_event(before, after, mention, today)


def _of_event(before: str, after: str, mention: Mention, today: dt.date) -> Mention | None:
    """A time that belongs to an event which the question looks back at says little of when the answer was written."""
    if _AFTER_EVENT.search(before) or _AFTER_EVENT_ZH.match(after):
        return None if mention.place else _spanning(mention, mention.days[0], max(today, mention.days[1]))
    if _BEFORE_EVENT.search(before) or _BEFORE_EVENT_ZH.match(after) or (mention.place and _THAT_ONE.match(after)):
        return None
    return mention


def _spanning(mention: Mention, first: dt.date, last: dt.date) -> Mention:
    return replace(mention, days=(first, last))


def _chosen(text: str, candidates: Sequence[Mention]) -> list[Mention]:
    """Those that their surroundings confirm; of overlapping ones the first, then the longest."""
    chosen: list[Mention] = []
    for mention in sorted(candidates, key=lambda m: (m.start, -m.end)):
        if (not chosen or mention.start >= chosen[-1].end) and _is_confirmed(text, mention):
            chosen.append(mention)
    return chosen


def _is_confirmed(text: str, mention: Mention) -> bool:
    around = text[max(0, mention.start - _BEFORE_CHARS) : mention.start]
    return not mention.needs or re.search(rf"(?<![a-z])(?:{mention.needs})\s*$", around) is not None


def _neighbour(text: str, mention: Mention, near: Iterable[Mention], *, backwards: bool) -> Mention | None:
    """The longest mention that a range word ties to this one, of those that begin or end `near`."""
    tied = [
        other
        for other in near
        for start, end in [(other.end, mention.start) if backwards else (mention.end, other.start)]
        if _RANGE.fullmatch(text, start, end)
    ]
    return max(tied, key=lambda m: m.end - m.start, default=None)


def _together(left: Mention, right: Mention) -> Mention:
    first, last = left.days, right.days
    if left.place and not right.place:
        first = _in_years(left.place, last[1].year, (0, -1), lambda days: days[0] <= last[1]) or first
    elif right.place:
        last = _in_years(right.place, first[0].year, (0, 1), lambda days: days[1] >= first[0]) or last
    return Mention(left.start, right.end, (min(first[0], last[0]), max(first[1], last[1])))


def _in_years(place: Place, year: int, steps: Sequence[int], fits: Callable[[Days], bool]) -> Days | None:
    for step in steps:
        with suppress(ValueError, OverflowError):
            if fits(days := place(year + step)):
                return days
    return None
