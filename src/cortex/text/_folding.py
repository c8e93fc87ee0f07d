"""One form for letters that people take for the same: accents off Latin letters, traditional Chinese to simplified."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib import resources

_APART = {
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ı": "i",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
}
_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufe0e\ufe0f"
)
_SAME = {"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": " ", "−": "-"}


def fold(text: str) -> str:
    """The text with each letter in its plain form; case stays. Linear, one table."""
    return text if text.isascii() else text.translate(_table())


@lru_cache(maxsize=1)
def _table() -> dict[int, str]:
    table = {ord(c): "" for c in _INVISIBLE}
    # Combining accents go with their letters, so that both written forms of é become e.
    table.update(dict.fromkeys(range(0x300, 0x370), ""))
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii() and base.isalpha():
            table[code] = base
    table.update({ord(c): plain for c, plain in {**_APART, **_SAME}.items()})
    table.update(_simplified())
    return table


def _simplified() -> dict[int, str]:
    """OpenCC's table of characters; the first of several simplified forms is the usual one."""
    written = resources.files("opencc").joinpath("dictionary/TSCharacters.txt").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in written.splitlines() if "\t" in line)
    return {ord(old): new.split(" ")[0] for old, new in rows if len(old) == 1}
