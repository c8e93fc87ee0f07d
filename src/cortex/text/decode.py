"""From a file's bytes to its text, as a person would read it."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from cortex.errors import Invalid
from cortex.text import _charsets

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_MAGIC = (
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a zip archive or an Office file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
    (b"\xd0\xcf\x11\xe0", "an old Office file, or an encrypted one"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
)

_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")
_NULS = re.compile(r"\0+")
_SURROGATES = re.compile(r"[\ud800-\udfff]+")
_ESCAPED_JAPANESE = re.compile(rb"\x1b\$[@B]")

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

_CONTROL_SHARE = 0.05
"""A text with more control characters than this is none."""


@dataclass(frozen=True)
class Decoded:
    """A file's text with LF ends of line, without a byte order mark and without NULs.

    `encoding` names what the bytes were read as; `replaced` counts places where a byte did not fit it and was read another
    way or became U+FFFD.
    """

    text: str
    encoding: str
    replaced: int = 0


def decode(raw: bytes) -> Decoded:
    """Read bytes as text. Time grows with their number alone.

    CRLF becomes LF (and CR, where a file has no other ends of line), a run of NULs becomes one space; nothing else changes.

    Raises:
        Invalid: it is no text; the message says what it looks like.
    """
    for magic, what in _MAGIC:
        if raw.startswith(magic):
            raise Invalid(f"this is {what}, not text")
    read = _read(raw)
    _refuse_binary(read.text)
    return Decoded(_lines(_NULS.sub(" ", read.text)), read.encoding, read.replaced)


def _read(raw: bytes) -> Decoded:
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return _with_replacements(raw[len(mark) :], encoding)
    if b"\0" in raw[:4096] and (wide := _charsets.wide(raw)):
        return _with_replacements(raw, wide)
    if _ESCAPED_JAPANESE.search(raw[:65536]) and (japanese := _strictly(raw, "iso2022_jp")):
        return japanese
    if strict := _strictly(raw, "utf-8"):
        return strict
    if _charsets.mostly_utf8(raw):
        return _mended(raw)
    if guessed := _charsets.legacy(raw):
        return _with_replacements(raw, guessed)
    raise Invalid("this is no text in any known encoding; save it as UTF-8")


def _strictly(raw: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(raw.decode(encoding), encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _with_replacements(raw: bytes, encoding: str) -> Decoded:
    if encoding == "utf-8":
        return _strictly(raw, encoding) or _mended(raw)
    text = raw.decode(encoding, "replace")
    return Decoded(text, encoding, text.count("\ufffd"))


def _mended(raw: bytes) -> Decoded:
    """UTF-8 with strays: whole foreign lines are read in their own encoding, single bytes as Latin-1, a cut end as U+FFFD."""
    replaced = 0
    cut = _charsets.cut_end(raw)
    whole = raw[: len(raw) - cut]

    def stray(match: re.Match[str]) -> str:
        nonlocal replaced
        replaced += 1
        return _charsets.read_stray(match[0].encode("utf-8", "surrogateescape"))

    lines: list[str] = []
    for line in whole.split(b"\n"):
        text = line.decode("utf-8", "surrogateescape")
        if not text.isascii() and _SURROGATES.search(text):
            foreign = _charsets.foreign_line(line, text)
            if foreign is None:
                text = _SURROGATES.sub(stray, text)
            else:
                text, replaced = foreign, replaced + 1
        lines.append(text)
    joined = "\n".join(lines) + ("\ufffd" if cut else "")
    return Decoded(joined, "utf-8", replaced + bool(cut))


def _refuse_binary(text: str) -> None:
    sample = text if len(text) <= 200_000 else text[:100_000] + text[-100_000:]
    bad = len(_CONTROL.findall(sample)) + sample.count("\0") // 4
    if bad > 2 and bad > len(sample) * _CONTROL_SHARE:
        raise Invalid("this looks like a binary file, not text")


def _lines(text: str) -> str:
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")


def storable(text: str) -> str:
    """Without what the database cannot hold: NUL, and halves of surrogate pairs (from \\ud800 in YAML or HTML)."""
    return _UNSTORABLE.sub("\ufffd", text) if _UNSTORABLE.search(text) else text
