"""Patterns: globs for include and exclude, and the `layout` that overrides the folder schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from cortex.errors import Invalid
from cortex.sources import calendar
from cortex.sources._folders import Folders, resolve_week
from cortex.sources.calendar import HAN, MONTH_WORD, YEAR, Weeks, When

_WORDS = {
    "year": YEAR.replace("(", "(?P<year>", 1) + "年?",
    "quarter": r"(?:q|第)?(?P<quarter>[1-4一二三四])(?:季度?)?",
    "month": HAN.replace("(", "(?P<month>", 1) + "月?",
    "month_name": MONTH_WORD.replace("(", "(?P<month_name>", 1),
    "day": r"(?P<day>\d{1,2})日?",
    "week": r"(?:week|wk|w|第)?[\s._-]*" + HAN.replace("(", "(?P<week>", 1) + "周?",
    "date": r"(?P<date>[^/]+)",
    "topic": r"(?P<topic>[^/]+)",
    "weekly": r"(?P<weekly>[^/]+)",
}


def compile_globs(patterns: Iterable[str]) -> re.Pattern[str]:
    """One expression for several globs, matched against a whole relative path. `**` is any depth, also none.

    Case does not count: README.MD is Markdown too.
    """
    joined = "|".join(_translate(pattern) for pattern in patterns)
    return re.compile(f"(?:{joined})" if joined else r"(?!)", re.IGNORECASE | re.DOTALL)


def _translate(glob: str) -> str:
    steps = [step for step in glob.removeprefix("./").split("/") if step not in ("", ".")]
    out = ""
    for n, step in enumerate(steps):
        last = n == len(steps) - 1
        if step == "**":
            out += ".*" if last else "(?:[^/]+/)*"
        else:
            out += _step(step) + ("" if last else "/")
    if out.endswith("/.*"):  # private/** is also private itself, so the walk need not enter it
        out = out.removesuffix("/.*") + "(?:/.*)?"
    return out + ("(?:/.*)?" if glob.endswith("/") else "")


def _step(step: str) -> str:
    out = ""
    for token in re.findall(r"\[!?\]?[^\]]*\]|\{[^{}]*\}|.", step, re.DOTALL):
        if token[0] == "{" and "," in token:
            out += "(?:" + "|".join(_step(choice) for choice in token[1:-1].split(",")) + ")"
        elif token[0] == "[" and len(token) > 2:
            out += "[" + ("^" if token[1] == "!" else "") + token[1:-1].removeprefix("!").replace("\\", r"\\") + "]"
        else:
            out += {"*": "[^/]*", "?": "[^/]"}.get(token, re.escape(token))
    return out


def match_layout(layout: str, parts: Sequence[str], weeks: Weeks) -> Folders | None:
    """What a layout pattern says of a path (the last part without its ending), or None when it does not match.

    Raises:
        Invalid: an unknown word in braces.
    """
    found = compile_layout(layout).fullmatch("/".join(calendar.fold(part) for part in parts))
    if not found:
        return None
    said = {word: text for word, text in found.groupdict().items() if text}
    topic = parts[found.string[: found.start("topic")].count("/")] if "topic" in said else None
    when, month = _when(said, weeks)
    year = int(said["year"]) if "year" in said else None
    return Folders(when, year, month, "weekly" in said or "week" in said, topic)


def _when(said: dict[str, str], weeks: Weeks) -> tuple[When, int | None]:
    if "date" in said:
        return calendar.in_name(said["date"]) or When(), None
    if "year" not in said:
        return When(), None
    year = int(said["year"])
    month = (
        calendar.month_number(said["month_name"]) if "month_name" in said else calendar.number(said.get("month", ""))
    )
    quarter = calendar.number(said.get("quarter", ""))
    if "week" in said:
        return resolve_week(year, quarter, month, calendar.number(said["week"]) or 0, weeks) or When(), month
    day = calendar.day(year, month, int(said["day"])) if month and "day" in said else None
    whole = calendar.month(year, month) if month else When(period=year * 10 + quarter) if quarter else None
    return day or whole or When(), month if day or whole else None


@lru_cache(maxsize=64)
def compile_layout(layout: str) -> re.Pattern[str]:
    """The expression of a layout pattern such as `{year}/Q{quarter}/*` or `Projects/{topic}/**`.

    Raises:
        Invalid: an unknown word in braces, or the same word twice.
    """
    out = ""
    seen: set[str] = set()
    for token in re.findall(r"\{[^{}]*\}|/\*\*$|\*\*/|\*\*|.", calendar.fold(layout), re.DOTALL):
        if token[0] == "{" and len(token) > 1:
            word = token[1:-1].strip()
            if word not in _WORDS or word in seen:
                known = ", ".join("{" + name + "}" for name in _WORDS)
                raise Invalid(f"the layout {layout!r}: {token} is not one of {known}, each once", field="layout")
            seen.add(word)
            out += _WORDS[word]
        else:
            out += {"/**": "/.*", "**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(
                token, re.escape(token)
            )
    return re.compile(out, re.DOTALL)
