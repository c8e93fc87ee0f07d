"""The YAML that stands between two `---` lines at the top of a note."""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

LONGEST = 65_536
"""Characters of front matter that are read: the YAML reader takes 50 microseconds a line, and real ones have ten."""

_MOST_VALUES = 5_000
_DEEPEST = 20
_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$\n?", re.MULTILINE)
_FIELD = re.compile(r"^([^\s:#\-\[\]{}\"'][^:\n]{0,60}?)[ \t]*:(?:[ \t]+(.*?)|)[ \t]*\r?$", re.MULTILINE)
_FIRST = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:\?[ \t]|\{|[^\s:#\-\[\]{}][^:\n]{0,60}?[ \t]*:(?:\s|$))")
"""Front matter begins with a field; words between two rules do not."""

_YAML_LINE = re.compile(r"[ \t]|-[ \t]|[#?:}\]]|[^\s:#][^:\n]{0,60}:(?:[ \t]|$)")
_TAG_NAMES = ("tags", "tag", "标签", "標籤")


@dataclass(frozen=True)
class FrontMatter:
    """What stands at the top of a note.

    `fields` holds JSON values (dates as ISO strings, `tags` always as a list of strings without `#`); `body` is the text
    below; `problem` says why the fields are missing or incomplete, in one line.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    body: str = ""
    problem: str | None = None


class _Loader(yaml.SafeLoader):
    """YAML as people mean it: no aliases (a short text could grow without end), `no` and `12:30` are text."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.YAMLError(f"aliases are not read (line {event.start_mark.line + 1})")
        return super().compose_node(parent, index)


_PLAIN = {
    "tag:yaml.org,2002:bool": re.compile(r"^(?:true|false)$", re.IGNORECASE),
    "tag:yaml.org,2002:int": re.compile(r"^[-+]?(?:0|[1-9][0-9]{0,17})$"),
    "tag:yaml.org,2002:float": re.compile(r"^[-+]?[0-9]{1,18}\.[0-9]{1,18}$"),
}
_Loader.yaml_implicit_resolvers = {
    first: [(tag, _PLAIN.get(tag, pattern)) for tag, pattern in resolvers]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def split(text: str) -> FrontMatter:
    """Part the front matter from the body. A text that only starts with a rule is all body."""
    opening = _OPENING.match(text)
    if not opening:
        return FrontMatter(body=text.removeprefix("\ufeff"))
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        return FrontMatter(body=text.removeprefix("\ufeff"))
    written = text[opening.end() : closing.start()].replace("\r\n", "\n")
    body = text[closing.end() :].lstrip("\r\n")
    if not written.strip():
        return FrontMatter(body=body)
    fields, problem = _read(written) if _FIRST.match(written) else (None, None)
    if fields is None:
        return FrontMatter(body=text.removeprefix("\ufeff"))
    return FrontMatter(_with_tags(fields), body, problem)


def _read(written: str) -> tuple[dict[str, Any] | None, str | None]:
    """The fields and what is wrong with them; no fields at all where the lines are words between two rules."""
    if len(written) > LONGEST:
        return _salvage(
            written[:LONGEST]
        ), f"the front matter is longer than {LONGEST:,} characters; only plain fields were read"
    try:
        values = yaml.load(written, Loader=_Loader)  # noqa: S506 - a SafeLoader
        if not isinstance(values, dict):
            return None, None
        return _Jsonable().mapping(values, 0), None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, OverflowError) as error:
        if not _looks_written_as_yaml(written):
            return None, None
        return _salvage(written), f"the front matter is no valid YAML: {_reason(error)}"


def _looks_written_as_yaml(written: str) -> bool:
    listed = [line for line in written.split("\n") if line.strip()]
    return sum(1 for line in listed if _YAML_LINE.match(line)) * 2 >= len(listed)


def _reason(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    said = getattr(error, "problem", None) or str(error).split("\n")[0]
    return f"{said} (line {mark.line + 2})" if mark else str(said)


def _salvage(written: str) -> dict[str, Any]:
    """The plain `name: value` lines of front matter that YAML refuses, values as text."""
    found: dict[str, Any] = {}
    for match in list(_FIELD.finditer(written))[:200]:
        value = (match[2] or "").strip().strip("\"'")
        if value and value[0] not in "[{|>&*!":
            found[match[1].strip()] = value
        elif value.startswith("[") and value.endswith("]"):
            found[match[1].strip()] = [part.strip(" \"'") for part in value[1:-1].split(",") if part.strip(" \"'")]
    return found


class _Jsonable:
    """Copies YAML values into JSON ones, a bounded number of them."""

    def __init__(self) -> None:
        self._left = _MOST_VALUES

    def mapping(self, values: dict[Any, Any], depth: int) -> dict[str, Any]:
        return {_text(key): self.value(value, depth + 1) for key, value in values.items()}

    def value(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            raise ValueError(f"more than {_MOST_VALUES:,} values, or nested deeper than {_DEEPEST}")
        if isinstance(value, dict):
            return self.mapping(value, depth)
        if isinstance(value, list | tuple | set):
            return [self.value(item, depth + 1) for item in value]
        if value is None or isinstance(value, bool | int):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value).replace("\0", "")


def _with_tags(fields: dict[str, Any]) -> dict[str, Any]:
    folded = {name.casefold(): value for name, value in fields.items()}
    named = [folded[name] for name in _TAG_NAMES if name in folded]
    if not named:
        return fields
    tags = dict.fromkeys(tag for value in named for tag in _tags(value))
    kept = {name: value for name, value in fields.items() if name.casefold() not in _TAG_NAMES}
    return {**kept, "tags": list(tags)}


def _tags(value: Any) -> list[str]:
    """Tags as people write them: a list, `a, b`, or `#a #b`."""
    if isinstance(value, str):
        parts = re.split(r"[,，、;；]", value) if re.search(r"[,，、;；]", value) else value.split()
        return [tag for part in parts if (tag := part.strip().lstrip("#").strip())]
    if isinstance(value, list):
        return [tag for item in value if item is not None and not isinstance(item, dict | list)
                if (tag := str(item).strip().lstrip("#").strip())]  # fmt: skip
    return [str(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []
