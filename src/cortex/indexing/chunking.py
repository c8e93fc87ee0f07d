"""Cuts a document into passages: along headings, then paragraphs, and inside a paragraph only where it is too long."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from cortex.indexing._ruler import Ruler, estimate
from cortex.indexing._units import Unit, units
from cortex.settings import ChunkingSettings
from cortex.text.language import Lang, detect
from cortex.text.markdown import Block, blocks
from cortex.text.sentences import sentences

TOKEN_BUDGET = 480
"""Tokens of a passage with its prefix: the deep embedder reads 512 and drops the rest unseen."""

_TINY = 80
"""Tokens below which a section does not stand alone if a neighbour has room: about 110 Chinese characters, 300 English ones."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage's place: `text[start:end]`, not blank.

    `headings` is the path of headings that hold for all of it; `carry` is the header of the table that it continues, to be
    put before it for embedding.
    """

    start: int
    end: int
    headings: tuple[str, ...]
    lang: Lang
    carry: str = ""


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    path: tuple[str, ...]
    carry: str = ""


def cut(text: str, *, title: str, settings: ChunkingSettings, tokens: Callable[[str], int]) -> list[Cut]:
    """The document's passages, in order, with rising starts; a text without words has none. Linear in the text's length.

    Args:
        text: the document's text; offsets count its code points.
        title: goes before each passage's text in the embedder, and so takes of its room.
        settings: size and overlap.
        tokens: counts the embedder's tokens; called about twice a passage, and not at all for most English ones.
    """
    found = blocks(text)
    if settings.mode == "window":
        ruler = Ruler(text, tokens, chars=settings.size_tokens * 8, budget=settings.size_tokens)
        per_token = 8 if text.isascii() else 4
        pieces = list(_windows(ruler, found, settings.overlap_tokens, per_token))
    else:
        ruler = Ruler(text, tokens, chars=settings.size_chars, budget=TOKEN_BUDGET)
        sections = list(_sections(ruler, found, title))
        pieces = list(
            _merged(ruler, title, [_packed(ruler, title, section, settings.overlap_chars) for section in sections])
        )
    return [Cut(p.start, p.end, p.path, detect(text[p.start : p.end]), p.carry) for p in pieces]


def _context(title: str, path: tuple[str, ...]) -> int:
    """Tokens that the prefix takes, a period and the model's own marks included."""
    return estimate(prefix(title, path, "note", None, None)) + 14


@dataclass(frozen=True, slots=True)
class _Section:
    path: tuple[str, ...]
    units: list[Unit]


def _sections(ruler: Ruler, found: Sequence[Block], title: str) -> Iterator[_Section]:
    """Units under one heading. A heading with nothing below it but a deeper heading begins that one's section."""
    path: tuple[str, ...] = ()
    gathered: list[Unit] = []
    for block in found:
        if block.kind == "heading" and gathered:
            only_headings = all(unit.heading for unit in gathered)
            if not (only_headings and block.headings[: len(path)] == path and len(block.headings) > len(path)):
                yield _Section(path, gathered)
                gathered = []
        path = block.headings
        begin = gathered[0].start if gathered and all(unit.heading for unit in gathered) else block.start
        gathered.extend(units(ruler, block, begin, _context(title, path)))
    if gathered:
        yield _Section(path, gathered)


def _packed(ruler: Ruler, title: str, section: _Section, overlap: int) -> list[_Piece]:
    """The section's units, greedily put together; where one passage ends for its size, the next repeats its last sentences."""
    context = _context(title, section.path)
    pieces: list[_Piece] = []
    start, prose_from, last = -1, -1, section.units[0]
    carry = ""
    for unit in section.units:
        if start >= 0 and ruler.fits(start, unit.end, context + (estimate(carry) if carry else 0)):
            prose_from = prose_from if last.prose and unit.prose else unit.start
        else:
            begin = unit.start
            if start >= 0:
                pieces.append(_Piece(start, last.end, section.path, carry))
                if last.prose and unit.prose:
                    begin = _overlap(ruler, max(start + 1, prose_from), last.end, overlap, unit, context)
            start, prose_from, carry = begin, begin, unit.carry
        last = unit
    pieces.append(_Piece(start, last.end, section.path, carry))
    return pieces


def _overlap(ruler: Ruler, earliest: int, end: int, overlap: int, unit: Unit, context: int) -> int:
    """Where the next passage begins: at a sentence at most `overlap` characters before the end of the last, if it fits."""
    if overlap <= 0:
        return unit.start
    slice_start = max(earliest - 1, end - overlap * 3)
    starts = [slice_start + first for first, _ in sentences(ruler.text[slice_start:end], "zh")]
    for start in starts:
        if start >= max(earliest, end - overlap) and start > slice_start and ruler.fits(start, unit.end, context):
            return start
    return unit.start


def _merged(ruler: Ruler, title: str, sections: list[list[_Piece]]) -> Iterator[_Piece]:
    """Joins tiny sections with their neighbours under the same parent, as far as they fit."""
    held: _Piece | None = None
    for pieces in sections:
        first, *rest = pieces
        if held is not None:
            joined = _joined(ruler, title, held, first)
            if joined is None:
                yield held
            first = joined or first
        if rest:
            yield first
            yield from rest[:-1]
            held = rest[-1]
        else:
            held = first
    if held is not None:
        yield held


def _joined(ruler: Ruler, title: str, held: _Piece, piece: _Piece) -> _Piece | None:
    """Both as one, or None if they are of different parents, both large enough, or too long together."""
    common = tuple(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(held.path, piece.path, strict=False)))
    depths = len(held.path), len(piece.path)
    related = len(common) >= min(depths) - 1 and (common or max(depths) <= 1)
    if not related or held.carry or piece.carry:
        return None
    if min(ruler.size(held.start, held.end), ruler.size(piece.start, piece.end)) >= _TINY:
        return None
    if not ruler.fits(held.start, piece.end, _context(title, common)):
        return None
    return replace(held, end=piece.end, path=common)


def _windows(ruler: Ruler, found: Sequence[Block], overlap_tokens: int, per_token: int) -> Iterator[_Piece]:
    """Windows of `budget` tokens that overlap, at sentences and lines, whatever the headings."""
    start, last, path = -1, -1, ()  # type: tuple[int, int, tuple[str, ...]]
    for block in found:
        for unit in units(ruler, block, block.start, 0):
            if start < 0:
                start, path = unit.start, block.headings
            elif not ruler.fits(start, unit.end):
                yield _Piece(start, last, path)
                start = _window_start(ruler, start + 1, last, overlap_tokens, per_token, unit)
                path = block.headings
            last = unit.end
    if start >= 0:
        yield _Piece(start, last, path)


def _window_start(ruler: Ruler, earliest: int, end: int, overlap_tokens: int, per_token: int, unit: Unit) -> int:
    """The earliest start of a word so that the overlap holds at most the given tokens and the next unit fits."""
    begin = max(earliest, end - overlap_tokens * per_token)
    for match in re.finditer(r"(?<=[\s。！？，；、,])\S|(?<=[\u3400-\u9fff])[\u3400-\u9fff]", ruler.text[begin:end]):
        start = begin + match.start()
        if ruler.size(start, end) <= overlap_tokens and ruler.fits(start, unit.end):
            return start
    return unit.start


_WORD = re.compile(
    r"[^\W\d_\u2e80-\u9fff]{3,}|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{2,}"
)
_NO_NAMES = frozenset(
    ("untitled", "new note", "note", "notes", "readme", "index", "未命名", "无标题", "新建笔记", "笔记", "new page")
)


def prefix(
    title: str,
    headings: Sequence[str],
    kind: str,
    period: int | None,
    topic: str | None,
    date: str | None = None,
) -> str:
    """One line that says where a passage stands: `title › heading › heading (topic, 2026 Q1)`; may be empty.

    A title that is only a number or an identifier says nothing and would blur the vector; it is left out, and so is a heading
    that repeats the title.

    Args:
        kind: weekly, topic or note; the line is the same for all.
        period: year * 10 + quarter.
        date: ISO; gives the period where there is none.
    """
    names = [title] if _says_something(title) else []
    names.extend(words for words in headings if words.casefold() != title.casefold())
    line = " › ".join(" ".join(name.split())[:120] for name in (names if len(names) <= 4 else [names[0], *names[-3:]]))
    above = [
        part
        for part in (topic if topic and topic.casefold() != title.casefold() else None, _quarter(period, date))
        if part
    ]
    return f"{line} ({', '.join(above)})".strip() if above else line


def _says_something(title: str) -> bool:
    bare = re.sub(r"[\s\d_().-]+$", "", title.casefold()).strip()
    return bare not in _NO_NAMES and _WORD.search(title) is not None


def _quarter(period: int | None, date: str | None) -> str | None:
    if period:
        return f"{period // 10} Q{period % 10}"
    if date and (match := re.match(r"(\d{4})-(\d{2})", date)) and 1 <= int(match[2]) <= 12:
        return f"{match[1]} Q{(int(match[2]) + 2) // 3}"
    return None
