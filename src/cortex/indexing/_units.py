"""The smallest pieces that passages are made of: whole blocks where they fit, else sentences, rows or lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cortex.indexing._ruler import Ruler, estimate
from cortex.text.markdown import ENCODED, Block
from cortex.text.sentences import sentences

_LONGEST_CARRY = 400
_SKIPPED = frozenset(("rule", "comment"))
_PROSE = frozenset(("paragraph", "list", "quote"))
_WORDS = re.compile(r"[^\W_]{2}|[\u3400-\u9fff]")
_BASE64_LINE = re.compile(
    r"^[ \t]*(?=[^\n]{0,60}[A-Z])(?=[^\n]{0,60}[a-z])(?=[^\n]{0,60}[0-9])[A-Za-z0-9+/]{40,300}={0,2}[ \t]*\n+",
    re.MULTILINE,
)
"""A line of base64 with another below it: one without an end of line may be what a person wants to find."""

_SPACES = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Unit:
    """`text[start:end]`, not blank. `prose` may overlap with the next passage; `carry` is a table's header above this row."""

    start: int
    end: int
    prose: bool
    heading: bool = False
    carry: str = ""


def units(ruler: Ruler, block: Block, begin: int, spent: int) -> Iterator[Unit]:
    """The block's units, each fitting into a passage that begins at `begin` (a heading above, or the block itself)."""
    if block.kind in _SKIPPED or _is_encoded(ruler.text, block):
        return
    parts = list(_without_files(ruler.text, block.start, block.end))
    if len(parts) == 1 and ruler.fits(min(begin, parts[0][0]), parts[0][1], spent):
        yield Unit(*parts[0], block.kind in _PROSE, block.kind == "heading")
    elif block.kind == "table":
        yield from _rows(ruler, block, spent)
    else:
        for start, end in parts:
            yield from _pieces(ruler, block, start, end, spent)


def _is_encoded(text: str, block: Block) -> bool:
    """Whether the block is lines of base64: a drawing, a key, an attachment."""
    if block.kind not in ("fence", "code", "paragraph") or block.end - block.start < 200:
        return False
    part = text[block.start : block.end]
    return sum(map(len, _BASE64_LINE.findall(part))) > len(part) * 0.9


def _without_files(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch without files written into it as base64, and without blanks at its ends."""
    at = start
    for match in ENCODED.finditer(text, start, end) if end - start > 60 else ():
        if _WORDS.search(text, at, match.start()):
            yield _trimmed(text, at, match.start())
        at = match.end()
    if text[at:end].strip() and (at == start or _WORDS.search(text, at, end)):
        yield _trimmed(text, at, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while text[end - 1].isspace():
        end -= 1
    first = _SPACES.match(text, start, end)
    # Leading white space on the first line is indentation, which code and lists need.
    begin = first.end() if first else start
    line = text.rfind("\n", start, begin) + 1
    return (line or start if text[start:begin].strip(" \t") or line else start), end


def _pieces(ruler: Ruler, block: Block, start: int, end: int, spent: int) -> Iterator[Unit]:
    prose = block.kind in _PROSE
    bounds = _sentence_starts(ruler.text, start, end) if prose else _line_starts(ruler.text, start, end)
    for first, last in zip(bounds, [*bounds[1:], end], strict=True):
        if not ruler.text[first:last].strip():
            continue
        for piece in _hard(ruler, first, _right(ruler.text, first, last), spent):
            yield Unit(*piece, prose)


def _sentence_starts(text: str, start: int, end: int) -> list[int]:
    found = [start + first for first, _ in sentences(text[start:end], "zh")]
    return [start, *found[1:]]


def _line_starts(text: str, start: int, end: int) -> list[int]:
    found = [start]
    while (at := text.find("\n", found[-1], end)) >= 0 and at + 1 < end:
        found.append(at + 1)
    return found


def _right(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _rows(ruler: Ruler, block: Block, spent: int) -> Iterator[Unit]:
    """Rows; the header goes with the first one as text and with the others as `carry`."""
    starts = _line_starts(ruler.text, block.start, block.end)
    body = starts[2:] or starts[-1:]
    header = ruler.text[block.start : body[0]].strip()
    carry = header if len(header) <= _LONGEST_CARRY else header.split("\n")[0][:_LONGEST_CARRY]
    begins = [block.start, *body[1:]]
    for number, (first, last) in enumerate(zip(begins, [*begins[1:], block.end], strict=True)):
        row = _right(ruler.text, first, last)
        for part, piece in enumerate(_hard(ruler, first, row, spent + estimate(carry))):
            yield Unit(*piece, False, carry=carry if number or part else "")


def _hard(ruler: Ruler, start: int, end: int, spent: int) -> Iterator[tuple[int, int]]:
    """The stretch, or parts of it that fit, cut at a space if there is one."""
    while not ruler.fits(start, end, spent):
        length = min(ruler.chars, end - start, ruler.budget * 8)
        while length > 1 and not ruler.fits(start, start + length, spent):
            length = length * 3 // 4
        space = max(ruler.text.rfind(c, start + length // 2, start + length) for c in " \n\t")
        cut = space if space > start else start + max(length, 1)
        if ruler.text[start:cut].strip():
            yield start, _right(ruler.text, start, cut)
        start = cut
        while start < end and ruler.text[start].isspace():
            start += 1
    if start < end:
        yield start, end
