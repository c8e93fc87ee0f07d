"""What the tests of pure functions share: a clock that compares, and strings that have broken programs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Clock = Callable[[Callable[[], object]], float]

_NAUGHTY = [
    "",
    "\ufeff",
    "undefined",
    "\\",
    "`⁄€‹›ﬁﬂ‡°·‚—±",
    "ÅÍÎÏ˝ÓÔÒÚÆ☃",
    "\u0001\u0002\u007f",
    "\u2028\u2029\u200b\u202e\u2066test\u2069",
    "田中さんにあげて下さい",
    "𠜎𠜱𠝹𠱓𠱸𠲖𠳏",
    "Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤",
    "😍 👩🏽 👨‍👩‍👦 🇺🇸🇷🇺🇸",
    "１２３ ١٢٣",
    "<script>alert(0)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "[a](javascript:alert(1))",
    "$HOME %*.*s {0} \"'; DROP TABLE users--",
    "../../../../etc/passwd%00",
    "|||\n|---|\n|",
    "- \n  - \n> \n```\n~~~",
    "[[[[a|b]]]] ![[ ]] [[|]] [[#]]",
    "&#0; &#xD800; &notanentity; &amp;",
    "---\n: :\n---\n",
]


@pytest.fixture
def clock() -> Clock:
    """Seconds of processor time that a call takes, the best of three, and never nothing."""

    def best(call: Callable[[], object]) -> float:
        seconds = []
        for _ in range(3):
            start = time.process_time()
            call()
            seconds.append(time.process_time() - start)
        return max(min(seconds), 1e-3)

    return best


@pytest.fixture(scope="session")
def naughty() -> list[str]:
    """Strings that have broken programs: ours, and the big list beside the project if it is there."""
    file = Path(__file__).resolve().parents[4] / "shared" / "data" / "odd" / "naughty-strings" / "blns.json"
    return [*_NAUGHTY, *(json.loads(file.read_text(encoding="utf-8")) if file.is_file() else [])]


HOSTILE = {
    "one line": "a" * 200_000,
    "one Chinese line": "汉" * 100_000,
    "quotes": ">" * 50_000 + " x",
    "nested quotes": "\n".join("> " * n + "x" for n in range(200)),
    "brackets": "[" * 20_000,
    "wiki brackets": "[[" * 10_000,
    "images": "![a" * 10_000,
    "open links": "[a](" * 8_000,
    "stars": "*a " * 20_000,
    "backticks": "`a " * 20_000,
    "open tags": "<a " * 20_000,
    "open comments": "<!-- " * 10_000,
    "pipes": "|" * 50_000,
    "table": "| a | b |\n" * 5_000,
    "fences": "```\n~~~\n" * 5_000,
    "references": "[a]: b\n" * 2_000,
    "blank": " " * 100_000,
    "blank lines": "\n" * 50_000,
    "hashes": "#" * 50_000,
    "dots": "." * 50_000,
    "addresses": "http://" * 10_000,
    "mail": "a@" * 20_000,
    "marks": "==" * 20_000,
    "data": "data:a;" * 10_000,
    "entities": "&" * 50_000,
    "deep list": "\n".join("  " * n + "- x" for n in range(300)),
    "percent": "%%a" * 10_000,
}


@pytest.fixture(params=sorted(HOSTILE))
def hostile(request: pytest.FixtureRequest) -> str:
    """A text made to take a careless parser for ever; doubled, it may take twice the time."""
    return HOSTILE[request.param]
