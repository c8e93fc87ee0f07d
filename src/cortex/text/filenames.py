"""Names of files as people give them, and as headers, disks and other people's screens can bear them."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 255
"""Bytes of a name in UTF-8, as most file systems have it."""

NAMELESS = "file"

# Controls, line ends of all kinds, marks that turn the reading direction (and hide an ending), halves of surrogate pairs.
_UNSEEN = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
_FOLDERS = re.compile(r"[/\\]")


def safe_name(name: str) -> str:
    """The name without folders, without what cannot be seen, at most 255 bytes long, its ending kept; never empty.

    `../../etc/passwd` is `passwd`; emoji, Chinese and `#%@|;'"` stay as they are.
    """
    last = _FOLDERS.split(_UNSEEN.sub("", unicodedata.normalize("NFC", name)))[-1].strip()
    return _shortened(last) if last.strip(".") else NAMELESS


def _shortened(name: str) -> str:
    if len(name.encode()) <= LONGEST:
        return name
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending.encode()) > 20:
        stem, dot, ending = name, "", ""
    room = LONGEST - len(f"{dot}{ending}".encode())
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip() + dot + ending
