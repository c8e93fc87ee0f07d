"""Where sentences begin and end, in Chinese and in English, verbatim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cortex.text._scan import ITEM
from cortex.text.language import Lang

LONGEST = 400
"""Characters of a sentence; a longer one is parted at commas, then at spaces, then anywhere."""

_CLOSERS = "”’」』）】》〉〕\"')\\]*_~`"
_END = re.compile(
    rf"[。！？｡]+[{_CLOSERS}]*"
    rf"|…{{2,}}[{_CLOSERS}]*|…[{_CLOSERS}]*(?=\s*(?:[A-Z“\"(]|[\u3400-\u9fff]))"
    rf"|[!?]+[!?.。！？]*[{_CLOSERS}]*(?=\s|$|[\u3400-\u9fff])"
    rf"|\.+[{_CLOSERS}]*(?=\s|$|[\u3400-\u9fff])"
    rf"|[；;](?=[\u3400-\u9fff\s])"
)
_GO_ON = """mr mrs ms dr prof sr st vs e.g i.e cf fig figs no nos vol vols pp eds dept approx ca gen col capt lt sgt rev hon gov sen rep
mt viz eq eqs ref refs"""
_MAY_END = """jr etc al ch ed inc ltd corp co est jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k u.n
e.u ph.d m.d b.a m.a d.c a.m p.m ft ave blvd rd resp max min sec"""
_ALWAYS_GO_ON = frozenset(_GO_ON.split())
_ABBREVIATIONS = frozenset(_MAY_END.split())
_LAST_WORD = re.compile(r"(?:[A-Za-z]\.)*[A-Za-z]+$")
_BULLET = re.compile(
    r"(?:[ \t]*>)*[ \t]*"
    r"(?:(?:[-*+]|\d{1,3}[.)])[ \t]+|[•·][ \t]*|\d{1,3}[.)、](?=[\u3400-\u9fff])|[（(]?[一二三四五六七八九十]{1,3}[)）、][ \t]*(?=\S))?"
    r"(?:\[[ xX/-]\][ \t]+)?(?:#{1,6}[ \t]+)?"
)
_STARTS_BLOCK = re.compile(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t]|>|\||`{3}|~{3}|<|(?:[-=*_][ \t]*){3,}$)")
_MARKUP_ONLY = re.compile(r"[\s|:=*_~`#>+.-]*$")
_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[^\n`]*$")
_ANCHOR = re.compile(r"\s*\^[\w-]{2,40}\s*$")
_WRAPPED = 60
"""A line of English that would be this long with the next line's first word was wrapped by an editor, and goes on there."""

_SOFT = re.compile(r"[,，、;；:：)）\]】—–]\s*|\s+")


def sentences(text: str, lang: Lang) -> list[tuple[int, int]]:
    """Spans of the sentences, in order, without the marks of lists, headings and quotes before them.

    A line's end, a list item, a row of a table and a heading end a sentence; a wrapped line of English does not. No span is
    blank, none is longer than LONGEST. `lang` changes nothing so far: the marks of both languages end sentences in both.
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        for first, last in _inside(text, start, end):
            found.extend(_short(text, first, last))
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Lines, with the wrapped ones joined."""
    at, start, code = 0, None, False
    parts = text.split("\n")
    for number, line in enumerate(parts):
        end = at + len(line)
        fence = _FENCE.match(line) is not None
        code = code != fence
        if start is None and not fence and not _MARKUP_ONLY.match(line) and not _ANCHOR.match(line):
            mark = _BULLET.match(line)
            start = at + (mark.end() if mark else 0)
        if start is not None and not (number + 1 < len(parts) and not code and _goes_on(line, parts[number + 1])):
            yield start, end
            start = None
        at = end + 1


def _goes_on(line: str, following: str) -> bool:
    if not following.strip() or _STARTS_BLOCK.match(following) or "|" in line or len(line) > 2000:
        return False
    if len(line) + 1 + len(following[:200].split(maxsplit=1)[0]) < _WRAPPED:
        return False
    last, first = line.rstrip()[-1:], following.lstrip()[:1]
    if ITEM.match(following) or line.startswith(("#", "```")) or line.endswith(("  ", "\\")):
        return False
    return last < "\u2e80" and last not in ".!?:;" and first < "\u2e80"


def _inside(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in _END.finditer(text, start, end):
        if match.start() >= at and _ends(text, match, end):
            yield at, match.end()
            at = match.end()
    yield at, end


def _ends(text: str, match: re.Match[str], end: int) -> bool:
    """Whether the mark ends a sentence. Only full stops are in doubt."""
    mark = match[0]
    if mark[0] in ";；":
        return mark[0] == "；"
    if mark[0] != ".":
        return True
    following = text[match.end() : match.end() + 40].lstrip()[:1]
    if match.end() >= end:
        return True
    if mark.startswith("..") and following.islower():
        return False
    word = _LAST_WORD.search(text, max(0, match.start() - 24), match.start())
    said = word[0].casefold() if word else ""
    if said in _ALWAYS_GO_ON or (len(said) == 1 and word is not None and word[0].isupper() and said != "i"):
        return False
    if following.islower() or (said in _ABBREVIATIONS and not following.isupper()):
        return False
    return not re.fullmatch(
        r"\s*\d{1,3}", text[max(0, text.rfind("\n", 0, match.start()) + 1, match.start() - 6) : match.start()]
    )


def _short(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without blanks at its ends, in parts of at most LONGEST."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > LONGEST:
        cut = _soft_end(text, start, start + LONGEST)
        yield from _short(text, start, cut)
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start and not _MARKUP_ONLY.match(text, start, end) and not _ANCHOR.match(text, start, end):
        yield start, end


def _soft_end(text: str, start: int, limit: int) -> int:
    """The last comma, else the last space, in the second half of the stretch; else the limit."""
    comma = space = 0
    for match in _SOFT.finditer(text, start + LONGEST // 2, limit):
        if match[0][0].isspace():
            space = match.end()
        else:
            comma = match.end()
    return comma or space or limit
