"""Whether a stretch of text fits into one passage: characters, and tokens, which are counted only near the limit."""

from __future__ import annotations

import re
from collections.abc import Callable

from cortex.text.markdown import plain

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n"
_LONG_WORD = re.compile(r"[!-~]{40}")


def estimate(text: str) -> int:
    """Tokens that the text takes at most, nearly always: measured on notes with multilingual-e5's vocabulary.

    English prose has .23 tokens a letter, Chinese .75 a character, code and addresses more.
    """
    narrow = text.encode("ascii", "ignore")
    marks = len(narrow.translate(None, _LETTERS))
    rate = 0.6 if _LONG_WORD.search(text) else 0.28
    return int(0.95 * (len(text) - len(narrow)) + rate * (len(narrow) - marks) + 0.8 * marks) + 2


class Ruler:
    """Measures stretches of one text. A stretch that grows is counted again only when it may have become too long."""

    def __init__(self, text: str, tokens: Callable[[str], int], *, chars: int, budget: int) -> None:
        self.text = text
        self.chars = chars
        self.budget = budget
        self._tokens = tokens
        self._known = (-1, -1, 0)

    def fits(self, start: int, end: int, spent: int = 0) -> bool:
        """Whether `text[start:end]` fits beside `spent` tokens of context."""
        if end - start > self.chars:
            return False
        budget = max(self.budget - spent, self.budget // 3)
        return self._at_most(start, end) <= budget or self._count(start, end) <= budget

    def size(self, start: int, end: int) -> int:
        """About how many tokens the stretch takes."""
        return self._at_most(start, end)

    def _at_most(self, start: int, end: int) -> int:
        first, last, count = self._known
        if first == start and last <= end:
            return count + estimate(self.text[last:end])
        return estimate(self.text[start:end])

    def _count(self, start: int, end: int) -> int:
        count = self._tokens(plain(self.text[start:end]))
        self._known = (start, end, count)
        return count
