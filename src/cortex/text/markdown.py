"""The structure of a Markdown text, with exact offsets: blocks, headings, links, and the words without the markup."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from urllib.parse import unquote

from cortex.text._scan import ATX, Found, Kind, Line, lines, scan

LONGEST_HEADING = 200
"""Characters of a heading that are kept: what is longer is a paragraph with a # before it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block at the top level of a document: `text[start:end]`, from its first line to its last, without the line's end.

    `level` is a heading's (1 to 6) and 0 otherwise. `headings` is the path of headings above, a heading's own text included.
    """

    kind: Kind
    start: int
    end: int
    level: int
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the outline; `start` is a code point of the text."""

    level: int
    text: str
    start: int


def blocks(text: str) -> list[Block]:
    """The blocks in order; each item of a list is a block. Only blank lines lie between them. Linear in the text's length."""
    listed = lines(text)
    path: list[tuple[int, str]] = []
    found = []
    for block in scan(listed):
        if block.kind == "heading":
            path = [above for above in path if above[0] < block.level]
            path.append((block.level, _heading_text(listed, block)))
        above = tuple(words for _, words in path if words)
        found.append(Block(block.kind, listed[block.first].start, listed[block.last - 1].end, block.level, above))
    return found


def outline(text: str) -> list[Heading]:
    """The headings in order; empty ones are left out."""
    listed = lines(text)
    headings = (
        Heading(block.level, _heading_text(listed, block), listed[block.first].start)
        for block in scan(listed)
        if block.kind == "heading"
    )
    return [heading for heading in headings if heading.text]


def title(text: str) -> str | None:
    """The first heading's text, if there is one."""
    listed = lines(text)
    for block in scan(listed):
        if block.kind == "heading" and (words := _heading_text(listed, block)):
            return words
    return None


def _heading_text(listed: list[Line], block: Found) -> str:
    first = listed[block.first].text
    if ATX.match(first):
        written = re.sub(r"(?:^|[ \t])#+[ \t]*$", "", first.strip().lstrip("#").strip()[:2000])
    else:
        written = " ".join(line.text.strip() for line in listed[block.first : block.last - 1])
    return " ".join(plain(written).split())[:LONGEST_HEADING].strip()


_WIKI = re.compile(r"!?\[\[([^\[\]|#\n\\]{0,300})(?:#([^\[\]|\n\\]{0,300}))?(?:\\?\|([^\[\]\n]{0,300}))?\]\]")
_LINK = re.compile(
    r"(!?)\[((?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,500})\]"
    r"\(\s{0,4}(<[^<>\n]{0,2000}>|[^\s()]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500}){0,4})"
    r"(?:\s{1,4}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,4}\)"
)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#")


def links(text: str) -> list[str]:
    """What the text links to inside its own source: targets of wiki links and embeds, and relative paths; each once, in order."""
    prose = _masked(text)
    found = [(match.start(), match[1].strip()) for match in _WIKI.finditer(prose)]
    for match in _LINK.finditer(prose):
        target = unquote(match[3].strip("<>")).split("#")[0].split("?")[0].strip()
        if target and not _SCHEME.match(match[3].strip("<>")):
            found.append((match.start(), target))
    return list(dict.fromkeys(target for _, target in sorted(found) if target))


_INLINE_CODE = re.compile(r"(`{1,3})(?!`)([^`\n]{1,500})(?<!`)\1(?!`)")


def _masked(text: str) -> str:
    """The text without code."""
    listed = lines(text)
    kept = [
        text[listed[b.first].start : listed[b.last - 1].end]
        for b in scan(listed)
        if b.kind not in ("fence", "code", "comment")
    ]
    return _INLINE_CODE.sub(" ", "\n".join(kept))


ENCODED = re.compile(r"data:[\w.+-]{1,80}(?:/[\w.+-]{1,80})?(?:;[\w=.-]{1,80}){0,4},[A-Za-z0-9+/=%._~-]{40,}")
"""A file written into the text: no words for anyone."""

_COMMENT = re.compile(r"<!--(?:(?!-->)[\s\S])*(?:-->|\Z)|%%[^%\n]{1,2000}%%")
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|center|cite|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|"
    r"iframe|img|input|ins|kbd|label|li|mark|meta|ol|p|picture|pre|q|ruby|rp|rt|s|samp|section|small|source|span|strike|strong|sub|"
    r"summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|u|ul|video|audio|button|link|path|style|script)(?:\s[^<>]{0,1000})?/?>",
    re.IGNORECASE,
)
_AUTO = re.compile(r"<((?:https?|mailto):[^\s<>]{1,2000})>")
_REFERENCE = re.compile(r"^ {0,3}\[[^\[\]\n^][^\[\]\n]{0,200}\]:[ \t]*\S+[^\n]*$", re.MULTILINE)
_REFERRING = re.compile(r"!?\[([^\[\]\n]{1,300})\]\[[^\[\]\n]{0,200}\]")
_MARK = re.compile(
    r"^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[[ xX/-]\][ \t]+)?(?:#{1,6}(?:[ \t]+|$))?", re.MULTILINE
)
_CALLOUT = re.compile(r"^\[!(\w+)\][+-]?", re.MULTILINE)
_RULES = re.compile(r"^[ \t]*(?:[-=*_][ \t]*){3,}$|^[ \t]*(?:`{3,}|~{3,})[^\n`]*$|^[ \t|:-]*-[ \t|:-]*$", re.MULTILINE)
_EMPHASIS = re.compile(
    r"(\*{1,3}|~~|==)(?=\S)([^*~=\n]{1,500}?)(?<=\S)\1|(?<![\w])(_{1,3})(?=\S)([^_\n]{1,500}?)(?<=\S)\3(?![\w])"
)
_URL = re.compile(r"(?:https?|ftp|file)://[^\s<>()（）\[\]\"'，。；、]{1,2000}", re.IGNORECASE)
_ROW_ENDS = re.compile(r"^[ \t]*\|[ \t|]*|[ \t|]*\|[ \t]*$", re.MULTILINE)
_CELL_ENDS = re.compile(r"[ \t]*\|[ \t|]*")
_ANCHOR = re.compile(r"(?:^|[ \t]|(?<=[。！？]))\^[\w-]{2,40}$", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """The text's words, for embedding and keywords: no markup, no embedded files, no comments; links as their text.

    Of an address the host and the words of its path stay. Code stays as it is. Lines stay lines.
    """
    if text.isalnum():
        return text
    words = _COMMENT.sub(" ", text) if "<!--" in text or "%%" in text else text
    words = ENCODED.sub(" ", words) if "data:" in words else words
    if "[" in words:
        words = _REFERENCE.sub("", words)
        words = _WIKI.sub(lambda m: m[3] or " ".join(filter(None, (m[1], m[2]))), words)
        words = _REFERRING.sub(r"\1", _LINK.sub(r"\2", words))
    if "<" in words:
        words = _TAG.sub(" ", _AUTO.sub(r"\1", words))
    words = _MARK.sub("", _RULES.sub("", words))
    words = _EMPHASIS.sub(lambda m: m[2] or m[4], _CALLOUT.sub(r"\1", words))
    words = _URL.sub(lambda m: _address(m[0]), words)
    words = _INLINE_CODE.sub(r"\2", words)
    words = _ANCHOR.sub("", words) if "^" in words else words
    words = html.unescape(_ESCAPE.sub(r"\1", words)) if "&" in words or "\\" in words else words
    if "|" in words:
        words = _CELL_ENDS.sub(" | ", _ROW_ENDS.sub("", words))
    return re.sub(r"\n{3,}", "\n\n", words).strip()


def _address(url: str) -> str:
    """Host and path words; identifiers and queries say nothing."""
    host, _, path = url.split("://", 1)[1].partition("/")
    parts = re.split(r"[/?#&=]", unquote(path.split("?")[0]))
    said = [
        part
        for part in parts
        if 1 < len(part) <= 60 and not re.fullmatch(r"[0-9a-fA-F-]{16,}|[A-Za-z0-9_-]{24,}|\d+", part)
    ]
    return " ".join([host.removeprefix("www.").split("@")[-1], *said[:6]])
