"""Guesses of encodings, by how ordinary the characters are that each would give."""

from __future__ import annotations

import re
from functools import lru_cache

from charset_normalizer import from_bytes

_SAMPLE = 65_536
_EAST_ASIAN = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949")
_ORDINARY_SHARE = 0.75
"""Of the characters beyond ASCII: real texts in these encodings have 0.9 and more, wrong readings below 0.6."""

_STRAY_SHARE = 0.02
"""Stray bytes, against well-formed sequences, that a text in UTF-8 may hold and still be one."""

_HIGH = re.compile(rb"[\x80-\xff]+")
_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


def wide(raw: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark, if the zeros stand where those would put them."""
    sample = raw[:4096]
    for encoding, width in (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)):
        text = sample[: len(sample) // width * width].decode(encoding, "replace")
        if text and _ordinary_wide(text):
            return encoding
    return None


def _ordinary_wide(text: str) -> bool:
    good = sum(c in "\n\r\t" or " " <= c <= "~" or c in _ordinary_han() or c in _MARKS or "\u00a0" <= c <= "\u024f" or _is_script(c)
               for c in text)  # fmt: skip
    return "\0" not in text and good >= len(text) * 0.9


def mostly_utf8(raw: bytes) -> bool:
    """Whether nearly all bytes beyond ASCII form UTF-8 sequences, or a lone one stands among many that do."""
    high = sum(map(len, _HIGH.findall(raw)))
    good = sum(map(len, _SEQUENCE.findall(raw)))
    stray = high - good
    return good > 0 and (stray <= max(high * _STRAY_SHARE, 3 if good >= 6 else 0) or _by_lines(raw))


def _by_lines(raw: bytes) -> bool:
    """Whether whole lines are UTF-8 and whole lines are not: two texts in one file."""
    good = bad = 0
    for line in raw[: _SAMPLE * 4].split(b"\n"):
        if line.isascii():
            continue
        try:
            good += len(line.decode("utf-8"))
        except UnicodeDecodeError:
            bad += len(line)
    return good > bad


def cut_end(raw: bytes) -> int:
    """Bytes at the end that begin a UTF-8 sequence and do not end it."""
    for back in range(1, min(4, len(raw)) + 1):
        byte = raw[-back]
        if byte >= 0xC2:
            need = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if back < need and byte < 0xF5 else 0
        if byte < 0x80:
            return 0
    return 0


def foreign_line(line: bytes, text: str) -> str | None:
    """The line in an East Asian encoding, if it was written in one rather than in UTF-8 with a stray byte."""
    strays = sum("\ud800" <= c <= "\udfff" for c in text)
    sound = sum(c > "\x7f" and not "\ud800" <= c <= "\udfff" for c in text)
    if strays < 4 or sound * 2 > strays:
        return None
    encoding = _east_asian(line)
    return line.decode(encoding, "replace") if encoding else None


def read_stray(run: bytes) -> str:
    """Bytes that are no UTF-8, as Windows Latin-1; one that it does not define as U+FFFD."""
    if len(run) >= 4 and (encoding := _east_asian(run)):
        return run.decode(encoding, "replace")
    return run.decode("cp1252", "replace")


def legacy(raw: bytes) -> str | None:
    """The encoding of a text that is not UTF-8, or None."""
    sample = _sample(raw)
    if _is_western(sample):
        return _western(sample)
    if encoding := _east_asian(sample):
        return encoding
    high = sum(map(len, _HIGH.findall(sample)))
    best = from_bytes(sample).best() if high >= _FEWEST else None
    if best is not None and best.encoding not in _NOT_LEGACY and _reads_as_words(str(best)):
        return best.encoding
    return "cp1252" if _reads_as_words(sample.decode("cp1252", "replace")) else None


def _sample(raw: bytes) -> bytes:
    """The first part, from the first line that is not ASCII."""
    found = _HIGH.search(raw)
    start = raw.rfind(b"\n", 0, found.start()) + 1 if found else 0
    part = raw[start : start + _SAMPLE]
    return part if len(part) < _SAMPLE else part[: part.rfind(b"\n") + 1] or part


def _east_asian(sample: bytes) -> str | None:
    scores = [(score, encoding) for encoding in _EAST_ASIAN if (score := _score(sample, encoding)) >= _ORDINARY_SHARE]
    return max(scores, key=lambda pair: pair[0])[1] if scores else None


def _score(sample: bytes, encoding: str) -> float:
    """The share of ordinary characters among those beyond ASCII; broken bytes count against it."""
    text = sample.decode(encoding, "replace")
    beyond = [c for c in text if c > "\x7f"]
    if not beyond:
        return 0.0
    ordinary = _ordinary(encoding)
    good: float = sum(c in ordinary or c in _MARKS or (encoding == "gb18030" and _is_symbol(c)) for c in beyond)
    frequent = sum(c in _FREQUENT[encoding] for c in beyond)
    broken = text.count("\ufffd")
    if encoding in ("cp932", "euc_jp") and _KANA.isdisjoint(beyond):
        good *= 0.9
    return (good + 2 * frequent - 5 * max(0, broken - 1)) / len(beyond)


_FREQUENT = {
    "gb18030": frozenset("的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去，。"),
    "big5hkscs": frozenset("的一是不了在人有我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去，。"),
    "cp932": frozenset("のにはをたがでてとしれさあいるもなかっらり"),
    "euc_jp": frozenset("のにはをたがでてとしれさあいるもなかっらり"),
    "cp949": frozenset("이다의는에을가를은고지한하로사기도서나자어있대그해"),
}
"""What stands often in every text of the language: tells apart encodings that give ordinary characters for the same bytes."""

_MARKS = frozenset(
    "\u3000、。〈〉《》「」『』【】〔〕！（），．：；？～…—‘’“”·＂＇％＆＋－＝０１２３４５６７８９●○■□★☆→←↑↓①②③④⑤⑥⑦⑧⑨⑩"
)
_KANA = frozenset(map(chr, range(0x3041, 0x30FF)))


@lru_cache
def _ordinary(encoding: str) -> frozenset[str]:
    if encoding in ("cp932", "euc_jp"):
        # Japanese text always has kana; its kanji alone would make Chinese pass for it.
        return _KANA | _level(0x30, 0x4F, "euc_jp")
    if encoding == "cp949":
        return _level(0x30, 0x48, "euc_kr")
    if encoding == "big5hkscs":
        return _big5_level_one()
    return _level(0x30, 0x57, "gb2312") | _level(0x58, 0x77, "gb2312", step=3)


@lru_cache
def _ordinary_han() -> frozenset[str]:
    return _ordinary("gb18030") | _ordinary("big5hkscs") | _ordinary("cp932") | _ordinary("cp949")


def _level(first: int, last: int, encoding: str, step: int = 1) -> frozenset[str]:
    """The characters of rows of a 94×94 set; the first level holds the most used ones."""
    codes = (bytes((row + 0x80, cell)) for row in range(first, last + 1, step) for cell in range(0xA1, 0xFF))
    return frozenset("".join(code.decode(encoding, "ignore") for code in codes))


@lru_cache
def _big5_level_one() -> frozenset[str]:
    trails = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    codes = (bytes((lead, trail)) for lead in range(0xA4, 0xC7) for trail in trails)
    return frozenset("".join(code.decode("big5", "ignore") for code in codes))


def _is_symbol(c: str) -> bool:
    return "\u2600" <= c <= "\u27bf" or "\U0001f000" <= c <= "\U0001faff" or c in "\u00a0\ufe0f"


def _is_script(c: str) -> bool:
    """A letter of the alphabets that are no Latin one: Greek to Thai, general punctuation, emoji."""
    return "\u0370" <= c <= "\u0e7f" or "\u2010" <= c <= "\u27bf" or c >= "\U0001f000"


_FOREIGN_LATIN = re.compile(r"[a-zA-Z][¹³¿¯ðþýÐÞÝ¶±¼¾]|[¹³¯ðþýÐÞÝ¶±¼¾][a-zA-Z]")
_FEWEST = 8
"""Bytes beyond ASCII that a statistical guess needs."""

_NOT_LEGACY = ("utf_8", "ascii", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_7")


def _is_western(sample: bytes) -> bool:
    """Whether nearly all bytes beyond ASCII stand alone, as accented letters do and halves of characters do not."""
    sample = sample.translate(_PLAIN_QUOTES)
    high = sum(map(len, _HIGH.findall(sample)))
    letters = sum(c in _ASCII_LETTERS for c in sample)
    if not high:
        return True
    return len(_ALONE.findall(sample)) >= high * 0.7 and letters >= high * 2


_WESTERN_SIGNS = "".join(map(chr, range(0xC0, 0x100))) + "ŒœŠšŽž“”‘’–—…€£§°«»¿¡·¹³¯¶±¼¾"
_ALONE = re.compile(rb"(?<![\x80-\xff])[" + re.escape(_WESTERN_SIGNS.encode("cp1252")) + rb"](?![0-9\x80-\xff])")
_PLAIN_QUOTES = bytes.maketrans("‘’“”…–—".encode("cp1252"), b"''''.--")
_ASCII_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _western(sample: bytes) -> str:
    """Windows Latin-1, unless its rare letters and signs stand inside words: then Polish, Turkish and the like."""
    text = sample.decode("cp1252", "replace")
    beyond = sum(c > "\x7f" for c in text)
    if beyond >= _FEWEST and len(_FOREIGN_LATIN.findall(text)) > beyond * 0.15:
        best = from_bytes(sample).best()
        if best is not None and best.encoding not in _NOT_LEGACY and best.encoding not in _EAST_ASIAN:
            return best.encoding
    return "cp1252"


def _reads_as_words(text: str) -> bool:
    letters = sum(c.isalpha() or c.isspace() or c.isdigit() for c in text)
    return bool(text) and letters >= len(text) * 0.7
