"""The time that a question names, as a span of days: "in Q1 of last year", 上上周, 2024年5月3日, "between March and May".

`read` is pure; relative times count from the asker's own today. A word that is only maybe a time ("may", "march", "second",
三月) needs grammar around it; what stands in quotation marks is a name. Times to come are no scope: notes are about what was.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from cortex.retrieval import _times_chinese as chinese
from cortex.retrieval import _times_english as english
from cortex.retrieval import _times_grammar as grammar
from cortex.retrieval._times_calendar import Mention


@dataclass(frozen=True)
class Span:
    """First and last day, and where in the question the words stand that say so."""

    first: dt.date
    last: dt.date
    words: tuple[tuple[int, int], ...] = ()


_TRADITIONAL = str.maketrans("週個這禮過兩號後間從來內開發時點幾擊", "周个这礼过两号后间从来内开发时点几击")
_NAMES = re.compile(
    r"\"[^\"]{1,200}\"|“[^”]{1,200}”|《[^》]{1,200}》|「[^」]{1,200}」|『[^』]{1,200}』|【[^】]{1,200}】|`[^`]{1,200}`|"
    r"\[\[[^\]]{1,200}\]\]|https?://\S+|(?<!\S)\S{1,200}\.(?:md|txt|pdf|docx?|xlsx?|csv|html?|png|jpe?g)(?!\w)|#\w+"
)
_TITLED = re.compile(r"(?:last|this|the|past|yesterday|today|early|late)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|[.?!:;,\"“(—-]\s*)$")
_MONTH_OR_VERB = re.compile(r"(?:(last|this|past) )?(may|march)")
_DATED = re.compile(r"\s*(?:$|[,.?!;:)]|to\b|and\b|or\b|until\b|-|–|~|\d)")
_LOOSE = re.compile(r"\s+([,.?!;:，。？！；：)])")
# "Who owns it today?" asks about these days.
_TOLD = re.compile(
    r"today['’]s|\b(?:did|was|were|have|has|had|happened|wrote|written|write|notes?|said|summar\w+|diary|journal)\b"
)
_LEFT = re.compile(r" (?:left|came|joined|moved|quit|died|arrived|started|got|became)\b")


def read(question: str, today: dt.date) -> Span | None:
    """The days that the question names, from the first to the last where it names several; None if it names none."""
    text = _folded(question)
    candidates = [
        mention
        for mention in (*english.mentions(text, today), *chinese.mentions(text, today))
        if not _is_name(question, text, mention)
    ]
    found = [grammar.opened(text, mention, today) for mention in grammar.joined(text, candidates)]
    past = [mention for mention in found if mention and mention.days[0] <= today]
    if not past:
        return None
    words = tuple(grammar.widened(text, mention) for mention in past)
    return Span(min(mention.days[0] for mention in past), max(mention.days[1] for mention in past), words)


def without(question: str, span: Span) -> str:
    """The question without the words that name the time."""
    for start, end in sorted(span.words, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    return _LOOSE.sub(r"\1", " ".join(question.split())).lstrip(" ,，、;；:：")


def _folded(question: str) -> str:
    """Narrow, lower case, simplified where time words need it, names blanked; every character stays in its place."""
    narrow = "".join(chr(ord(c) - 0xFEE0) if "！" <= c <= "～" else " " if c == "\u3000" else c for c in question)
    lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in narrow).translate(_TRADITIONAL)
    return _NAMES.sub(lambda found: "\1" * len(found[0]), lower)


def _is_name(question: str, text: str, mention: Mention) -> bool:
    """A title such as "Last Week Tonight", or the verb in "I may" and "they march"."""
    words = question[mention.start : mention.end]
    if words.lower() == "today" and not _TOLD.search(text):
        return True
    month = _MONTH_OR_VERB.fullmatch(text, mention.start, mention.end)
    if month and month[1] and question[month.start(2)].islower():
        return month[1] == "this" or not _DATED.match(text, mention.end)
    if _TITLED.match(words) and words[0].isupper() and not question.isupper():
        return not _SENTENCE.search(question, max(0, mention.start - 8), mention.start)
    return mention.place is not None and _LEFT.match(text, mention.end) is not None
