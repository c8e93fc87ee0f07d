"""The folder layout is the schema: when a document is from, whether it is weekly, and which topic it belongs to.

Folders speak first (`2026/Q1/week-03-notes`, `2026/03/…`, `Topics/<name>/…`, 周记, 专题, 第一季度), then front matter, then the
file's name. A source's `layout` pattern speaks before all of them, for the files that it matches.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from cortex.sources import calendar
from cortex.sources._folders import Folders, read_folders
from cortex.sources._pattern import match_layout
from cortex.sources.calendar import Weeks, When

Kind = Literal["weekly", "topic", "note"]

# Explicit days first: `created` may only be when the file was copied here.
_DATE_KEYS = ("date", "日期")
_CREATED_KEYS = (
    "created", "date created", "created at", "createdat", "creation date", "created time", "创建日期", "创建时间", "创建于",
)  # fmt: skip
_TOPIC_KEYS = ("topic", "topics", "主题", "专题")
_TAG_KEYS = ("tags", "tag", "标签")
_LONGEST_NAME = 200
_WEEKLY_NAME = re.compile(r"周(?:记|报|刊|复盘|总结|回顾)|(?<![a-z])weekly(?![a-z])")
_WEEKLY_TITLE = re.compile(
    r"(?:周(?:记|报|刊)|(?<![a-z])weekly(?![a-z])).{0,12}(?:第\s*\d+\s*[期周]|(?:#|no\.?|issue|vol\.?)\s*\d+)"
)


@dataclass(frozen=True)
class Placement:
    """Where a document belongs. `date` is a day or a week's Monday; `period` is year * 10 + quarter."""

    kind: Kind = "note"
    date: dt.date | None = None
    period: int | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()


def place(
    parts: Sequence[str],
    name: str,
    fields: Mapping[str, Any],
    layout: str | None = None,
    weeks: Weeks = "quarter",
    *,
    title: str = "",
) -> Placement:
    """The placement of one file.

    Args:
        parts: its folders, below the source's own.
        name: the file's name with its ending.
        fields: its front matter.
        layout: the source's pattern, as in the configuration.
        weeks: what week-03 under a quarter means.
        title: a numbered weekly (周刊第 16 期) is known by its title where it has a date of its own.

    Raises:
        Invalid: the layout pattern is malformed.
    """
    folded = {_key(key): value for key, value in fields.items()}
    folders = _from_layout(parts, name, layout, weeks) or read_folders(parts, _stem(name), weeks)
    named = calendar.in_name(_stem(name))
    when = _agree(folders, folded, named)
    weekly = folders.weekly or when.weekly or _named_weekly(name, title, folders, named, when)
    topic = _text(folders.topic) or _text(_first(folded, _TOPIC_KEYS))
    kind: Kind = "weekly" if weekly else "topic" if topic else "note"
    return Placement(kind, when.date, when.period, topic, tags(fields))


def tags(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Front matter's tags: a list, or a text parted by commas or spaces; without `#`, each once."""
    value = _first({_key(key): value for key, value in fields.items()}, _TAG_KEYS)
    if isinstance(value, str):
        value = re.split(r"[,，、;；]" if re.search(r"[,，、;；]", value) else r"\s+", value)
    if not isinstance(value, (list, tuple)):
        value = [] if value is None else [value]
    named = (
        str(tag).strip().lstrip("#").strip()[:_LONGEST_NAME] for tag in value if isinstance(tag, (str, int, float))
    )
    return tuple(dict.fromkeys(tag for tag in named if tag))


def _from_layout(parts: Sequence[str], name: str, layout: str | None, weeks: Weeks) -> Folders | None:
    return match_layout(layout, [*parts, _stem(name)], weeks) if layout else None


def _agree(folders: Folders, fields: Mapping[str, Any], named: When | None) -> When:
    """The folders' word; a day from elsewhere only where it lies in the folders' quarter and month."""
    if folders.when.date:
        return folders.when
    explicit = _field_date(fields, _DATE_KEYS)
    created = _field_date(fields, _CREATED_KEYS)
    # The week in a name is what the note is about; `created` is often the Monday after.
    order = (explicit, named, created) if named and named.weekly else (explicit, created, named)
    said = [when for when in order if when and folders.allows(when)]
    chosen = next((when for when in said if when.date), said[0] if said else None)
    if chosen is None:
        return folders.when
    return When(chosen.date, folders.when.period or chosen.period, weekly=chosen.weekly)


def _field_date(fields: Mapping[str, Any], keys: Sequence[str]) -> When | None:
    return next((when for key in keys if (when := calendar.in_field(fields.get(key)))), None)


def _named_weekly(name: str, title: str, folders: Folders, named: When | None, when: When) -> bool:
    if (named or folders.when.period) and _WEEKLY_NAME.search(calendar.fold(_stem(name))):
        return True
    return when.date is not None and bool(_WEEKLY_TITLE.search(calendar.fold(title)))


def _key(key: Any) -> str:
    return re.sub(r"[\s_-]+", " ", str(key)).strip().casefold()


def _first(fields: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((fields[key] for key in keys if fields.get(key) not in (None, "", [])), None)


def _text(value: Any) -> str | None:
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    # Obsidian writes links in front matter as "[[name]]".
    return str(value).strip().removeprefix("[[").removesuffix("]]").strip()[:_LONGEST_NAME] or None


def _stem(name: str) -> str:
    return PurePosixPath(name).stem
