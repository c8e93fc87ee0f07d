"""One pass over a Markdown text's lines that finds its blocks. Linear in the text's length, whatever the text is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "paragraph", "list", "fence", "table", "html", "comment", "quote", "rule", "code"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end; `start` and `end` are code points of the text."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def blank(self) -> bool:
        return not self.text or self.text.isspace()

    @property
    def indent(self) -> int:
        """Columns of white space at the left; a tab goes to the next multiple of four."""
        columns = 0
        for c in self.text[:64]:
            if c == " ":
                columns += 1
            elif c == "\t":
                columns += 4 - columns % 4
            else:
                break
        return columns


@dataclass(frozen=True, slots=True)
class Found:
    """A block: its kind, the lines that it takes (first, after last) and a heading's level."""

    kind: Kind
    first: int
    last: int
    level: int = 0


FENCE = re.compile(
    r"(?P<before>[ \t]{0,60}(?:>[ \t]{0,4}){0,20}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){0,4})(?P<fence>`{3,}(?=[^`]*$)|~{3,})"
)
ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_DELIMITER = re.compile(r" {0,60}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_QUOTE = re.compile(r" {0,3}>")
_HTML = re.compile(r" {0,3}<(?:/?(?:address|article|aside|blockquote|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|"
                   r"footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|"
                   r"thead|tr|ul)(?:[\s>/]|$)|!--|\?|![A-Z])", re.IGNORECASE)  # fmt: skip
_VERBATIM = re.compile(r" {0,3}<(script|pre|style|textarea)(?:[\s>]|$)", re.IGNORECASE)

_LONGEST_SETEXT = 200
"""Characters that a heading underlined with === or --- may have; a longer paragraph above a line is none."""


def lines(text: str) -> list[Line]:
    """The text's lines; only LF ends one."""
    found, at = [], 0
    for part in text.split("\n"):
        found.append(Line(part, at))
        at += len(part) + 1
    return found


def scan(listed: list[Line]) -> Iterator[Found]:
    """The blocks in order. Blank lines belong to none."""
    at = 0
    in_list = False
    while at < len(listed):
        line = listed[at]
        if line.blank:
            at += 1
            continue
        if not line.indent and not ITEM.match(line.text):
            in_list = False
        found = _block(listed, at, in_list)
        in_list = in_list or found.kind == "list"
        yield found
        at = found.last


def _block(listed: list[Line], at: int, in_list: bool) -> Found:
    line = listed[at]
    text = line.text
    if line.indent < 4 or in_list:
        fence = FENCE.match(text)
        if fence:
            return Found("fence", at, _fence_end(listed, at, fence))
    elif not in_list:
        return Found("code", at, _indented_end(listed, at))
    if atx := ATX.match(text):
        return Found("heading", at, at + 1, len(atx[1]))
    if _RULE.match(text):
        return Found("rule", at, at + 1)
    if _is_table(listed, at):
        return Found("table", at, _table_end(listed, at))
    if ITEM.match(text):
        return Found("list", at, _paragraph_end(listed, at))
    if _QUOTE.match(text):
        return Found("quote", at, _quote_end(listed, at))
    if _HTML.match(text):
        return _html(listed, at)
    return _paragraph(listed, at)


def _fence_end(listed: list[Line], at: int, opening: re.Match[str]) -> int:
    """After the closing fence, else where the quote or list item that holds the fence ends, else the end of the text."""
    fence = opening["fence"]
    quoted = opening["before"].count(">")
    inside = len(opening["before"]) if ITEM.match(opening["before"] + " ") or opening["before"].isspace() else 0
    closing = re.compile(rf"[ \t>]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$")
    for number in range(at + 1, len(listed)):
        text = listed[number].text
        if quoted and text[:80].count(">") < quoted:
            return number
        if closing.match(text):
            return number + 1
        if inside > 3 and not listed[number].blank and listed[number].indent == 0:
            return number
    return len(listed)


def _indented_end(listed: list[Line], at: int) -> int:
    last = at
    for number in range(at, len(listed)):
        if not listed[number].blank:
            if listed[number].indent < 4:
                break
            last = number
    return last + 1


def _is_table(listed: list[Line], at: int) -> bool:
    if at + 1 >= len(listed) or "|" not in listed[at].text or "-" not in listed[at + 1].text:
        return False
    delimiter = listed[at + 1].text
    if len(delimiter) > 20_000 or not _DELIMITER.match(delimiter):
        return False
    return "|" in delimiter or delimiter.count("-") == delimiter.strip().count("-")


def _table_end(listed: list[Line], at: int) -> int:
    number = at + 2
    while number < len(listed) and "|" in listed[number].text and not ATX.match(listed[number].text):
        number += 1
    return number


def _quote_end(listed: list[Line], at: int) -> int:
    """A quote goes on over lines that lack their mark, as a paragraph would."""
    number = at + 1
    while number < len(listed) and not listed[number].blank:
        text = listed[number].text
        if not _QUOTE.match(text) and _interrupts(listed, number):
            break
        number += 1
    return number


def _paragraph_end(listed: list[Line], at: int) -> int:
    number = at + 1
    while number < len(listed) and not listed[number].blank and not _interrupts(listed, number):
        number += 1
    return number


def _interrupts(listed: list[Line], number: int) -> bool:
    """Whether the line starts a block even directly below a paragraph."""
    text = listed[number].text
    if ATX.match(text) or ITEM.match(text) or _QUOTE.match(text) or _RULE.match(text):
        return True
    return bool(FENCE.match(text) or _HTML.match(text) or _is_table(listed, number))


def _paragraph(listed: list[Line], at: int) -> Found:
    number, long = at + 1, len(listed[at].text)
    while number < len(listed) and not listed[number].blank:
        underline = _SETEXT.match(listed[number].text)
        if underline and long <= _LONGEST_SETEXT:
            return Found("heading", at, number + 1, 1 if underline[1][0] == "=" else 2)
        if _interrupts(listed, number):
            break
        long += len(listed[number].text)
        number += 1
    return Found("paragraph", at, number)


def _html(listed: list[Line], at: int) -> Found:
    text = listed[at].text
    if text.lstrip().startswith("<!--"):
        number = at
        while number < len(listed) and "-->" not in listed[number].text[4 if number == at else 0 :]:
            number += 1
        only = number < len(listed) and listed[number].text.rstrip().endswith("-->")
        return Found("comment" if only or number == len(listed) else "html", at, min(number + 1, len(listed)))
    number = at + 1
    if verbatim := _VERBATIM.match(text):
        closing = f"</{verbatim[1].casefold()}>"
        number = at
        while number < len(listed) and closing not in listed[number].text.casefold():
            number += 1
        return Found("html", at, min(number + 1, len(listed)))
    while number < len(listed) and not listed[number].blank:
        number += 1
    return Found("html", at, number)
