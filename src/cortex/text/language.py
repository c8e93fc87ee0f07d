"""Which of the two languages a text is in."""

from __future__ import annotations

import re
from typing import Literal

from cortex.text._scan import lines, scan
from cortex.text._stopwords import ENGLISH, HAN

Lang = Literal["en", "zh"]

_NOISE = re.compile(r"`[^`\n]{1,200}`|[a-zA-Z][a-zA-Z+.-]{1,20}:[^\s<>()（）]+|<[^<>\n]{1,200}>|&#?\w{1,10};")
_EAST_ASIAN = re.compile(
    r"[\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W\d_\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{2,}")

_ASKING = frozenset(
    ("explain", "show", "find", "list", "summarize", "summarise", "compare", "describe", "define", "give", "translate")
)
_FUNCTION_WORDS = (ENGLISH | _ASKING) - {"it", "us", "will", "can"}

_SAMPLE = 200_000
"""Characters that are looked at: the middle of a longer text says nothing new."""


def detect(text: str) -> Lang:
    """`zh` if Chinese carries most of the text, else `en`.

    A Han character weighs as much as a whole word of letters, although a Chinese word has 1.6 of them: names of products and
    commands stand in Chinese notes far more often than Chinese words in English ones. Words that hold a sentence together
    (the, what, 的, 了) weigh more, since names have none. Code and addresses do not count unless
    there is nothing else. Japanese counts as Chinese, every other language as English.
    """
    sample = text if len(text) <= _SAMPLE else text[: _SAMPLE // 2] + "\n" + text[-_SAMPLE // 2 :]
    prose = _NOISE.sub(" ", _without_code(sample))
    han, words = _weigh(prose)
    if not han and not words:
        han, words = _weigh(sample)
    return "zh" if han and han >= words else "en"


def _without_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    listed = lines(text)
    kept = [block for block in scan(listed) if block.kind != "fence"]
    return "\n".join(line.text for block in kept for line in listed[block.first : block.last])


def _weigh(text: str) -> tuple[float, float]:
    characters, words = _EAST_ASIAN.findall(text), _WORD.findall(text)
    han = len(characters) + sum(c in HAN for c in characters)
    return han, len(words) + 1.5 * sum(word.casefold() in _FUNCTION_WORDS for word in words)
