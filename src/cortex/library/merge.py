"""Two edits of one text become one where they touch different paragraphs. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from cortex.text import markdown

_MOST_COMPARED = 4_000_000
"""Pairs of paragraphs that are compared at most, some seconds' worth: two texts that differ more are not merged."""


@dataclass(frozen=True)
class Paragraph:
    """A block of Markdown (of a list, one item). `gap` parts it from the next one; None: it was its text's last."""

    words: str
    kind: str
    gap: str | None


@dataclass(frozen=True)
class _Text:
    """A text in parts: what stands before its first paragraph, the paragraphs, what stands behind the last one."""

    head: str
    paragraphs: list[Paragraph]
    tail: str


@dataclass(frozen=True)
class _Edit:
    """`base[start:end]` became `new`."""

    start: int
    end: int
    new: tuple[Paragraph, ...]

    @property
    def words(self) -> list[str]:
        return [paragraph.words for paragraph in self.new]


def merge(base: str, mine: str, theirs: str) -> str | None:
    """The text with both edits of `base`, or None where both touch one paragraph in different ways.

    What both added in one place stands there one after the other. Which edit is called mine makes no difference.
    """
    if (plainly := merge_line(base, mine, theirs)) is not None:
        return plainly
    old, left, right = _split(base), _split(mine), _split(theirs)
    changed, changed_too = _Edits.between(old, left), _Edits.between(old, right)
    edits = _joined(changed.edits, changed_too.edits) if changed and changed_too else None
    if edits is None or changed is None or changed_too is None:
        return None
    gaps = [
        _pick(paragraph.gap, gap, other)
        for paragraph, gap, other in zip(old.paragraphs, changed.gaps, changed_too.gaps, strict=True)
    ]
    head, tail = _pick(old.head, left.head, right.head), _pick(old.tail, left.tail, right.tail)
    return _written(head or "", list(_applied(old, gaps, edits)), tail or "")


def merge_line(base: str, mine: str, theirs: str) -> str | None:
    """The same for one line, such as a title: the side that changed it wins; None where both did, differently."""
    if mine == theirs or base == theirs:
        return mine
    return theirs if base == mine else None


def _split(text: str) -> _Text:
    blocks = markdown.blocks(text)
    if not blocks:
        return _Text(text, [], "")
    ends = [*(block.start for block in blocks[1:]), None]
    paragraphs = [
        Paragraph(text[block.start : block.end], block.kind, None if end is None else text[block.end : end])
        for block, end in zip(blocks, ends, strict=True)
    ]
    return _Text(text[: blocks[0].start], paragraphs, text[blocks[-1].end :])


@dataclass(frozen=True)
class _Edits:
    """What changed from a base; `gaps` are what stands behind each paragraph of the base now (as before, where it is gone)."""

    edits: list[_Edit]
    gaps: list[str | None]

    @classmethod
    def between(cls, base: _Text, new: _Text) -> _Edits | None:
        """None where too much would have to be compared."""
        old, now = base.paragraphs, new.paragraphs
        first = _alike_from_the_start([p.words for p in old], [p.words for p in now])
        last = _alike_from_the_start([p.words for p in reversed(old[first:])], [p.words for p in reversed(now[first:])])
        middle, new_middle = old[first : len(old) - last], now[first : len(now) - last]
        if len(middle) * len(new_middle) > _MOST_COMPARED:
            return None
        matcher = SequenceMatcher(None, [p.words for p in middle], [p.words for p in new_middle], autojunk=False)
        edits, gaps = [], [p.gap for p in old]
        gaps[:first] = [p.gap for p in now[:first]]
        gaps[len(old) - last :] = [p.gap for p in now[len(now) - last :]]
        for tag, start, end, to, until in matcher.get_opcodes():
            if tag == "equal":
                gaps[first + start : first + end] = [p.gap for p in new_middle[to:until]]
            else:
                edits.append(_Edit(first + start, first + end, tuple(new_middle[to:until])))
        return cls(edits, gaps)


def _alike_from_the_start(one: Sequence[str], other: Sequence[str]) -> int:
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))


def _joined(left: Sequence[_Edit], right: Sequence[_Edit]) -> list[_Edit] | None:
    """Both sides' edits in order; None where two of them meet."""
    edits: list[_Edit] = []
    for edit in sorted([*left, *right], key=lambda e: (e.start, e.end, e.words)):
        last = edits[-1] if edits else None
        if last is None or not _meet(last, edit):
            edits.append(edit)
        elif (last.start, last.end, last.words) == (edit.start, edit.end, edit.words):
            continue  # both did the same
        elif last.start == last.end and not _half_written(last, edit):
            edits[-1] = _Edit(edit.start, edit.end, (*last.new, *edit.new))
        else:
            return None
    return edits


def _meet(first: _Edit, second: _Edit) -> bool:
    """Whether they touch one paragraph, or add in one place; `second` does not begin before `first`."""
    if first.start == first.end or second.start == second.end:
        return (first.start, first.end) == (second.start, second.end) or first.start < second.start < first.end
    return second.start < first.end


def _half_written(first: _Edit, second: _Edit) -> bool:
    """Whether one may be the beginning of the other: the same paragraph, seen twice."""
    one, other = "\n".join(first.words), "\n".join(second.words)
    return one.startswith(other) or other.startswith(one)


def _pick(base: str | None, mine: str | None, theirs: str | None) -> str | None:
    """The side that changed it; where both did, the wider gap."""
    if mine == base or theirs is None:
        return theirs if mine == base else mine
    return mine if theirs == base else max(mine or "", theirs, key=lambda gap: (len(gap), gap))


def _applied(base: _Text, gaps: Sequence[str | None], edits: Sequence[_Edit]) -> Iterator[Paragraph]:
    at = 0
    for edit in [*edits, _Edit(len(gaps), len(gaps), ())]:
        for paragraph, gap in zip(base.paragraphs[at : edit.start], gaps[at : edit.start], strict=True):
            yield Paragraph(paragraph.words, paragraph.kind, gap)
        yield from edit.new
        at = edit.end


def _written(head: str, paragraphs: Sequence[Paragraph], tail: str) -> str:
    parts = [head]
    for paragraph, following in zip(paragraphs, paragraphs[1:], strict=False):
        parts += [paragraph.words, _between(paragraph, following)]
    return "".join([*parts, *(p.words for p in paragraphs[-1:]), tail])


def _between(paragraph: Paragraph, following: Paragraph) -> str:
    """The gap; an empty line where two that have not stood side by side would run into one."""
    items = paragraph.kind == following.kind == "list"
    gap = paragraph.gap or ("\n" if items else "\n\n")
    apart = items or paragraph.kind in ("heading", "fence") or following.kind in ("heading", "fence", "quote", "list")
    return gap if apart or gap.count("\n") > 1 else "\n\n"
