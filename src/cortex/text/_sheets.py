"""Excel files as Markdown: a heading and a table for each sheet, with the values that were calculated last."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from defusedxml.ElementTree import iterparse

from cortex.errors import Invalid
from cortex.text._packages import attribute, kind, opened, part, targets, written_title
from cortex.text._tables import table

_WHAT = "this Excel file"
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""The built-in number formats that are dates or times, Chinese ones among them."""
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
_LETTERS = re.compile(r"[A-Z]{1,3}")
_MOST_CELLS = 2_000_000
_TOO_LARGE = f"{_WHAT} has more than {_MOST_CELLS:,} cells; it is not read"

Row = dict[int, str]


def xlsx(raw: bytes) -> tuple[str, str | None]:
    """Text, and title as it was written.

    Raises:
        Invalid: encrypted, broken, of the old format, or far too large.
    """
    with opened(raw, _WHAT, ".xls", ".xlsx") as archive:
        workbook = part(archive, "xl/workbook.xml")
        if workbook is None:
            raise Invalid(f"{_WHAT} is broken: it has no workbook")
        reader = _Reader(archive, _is_1904(workbook))
        where = targets(archive, "xl/workbook.xml")
        parts = []
        for sheet in (each for each in workbook.iter() if kind(each) == "sheet"):
            of_kind, name = where.get(attribute(sheet, "id"), ("", ""))
            if of_kind == "worksheet" and name in archive.namelist():
                parts.append((attribute(sheet, "name"), _table(reader.rows(name))))
        return "\n".join(f"## {name}\n\n{body}" for name, body in parts if body), written_title(archive)


class _Reader:
    """The cells of a workbook, with what its sheets share."""

    def __init__(self, archive: zipfile.ZipFile, is_1904: bool) -> None:
        self._archive = archive
        self._shared = _shared_strings(archive)
        self._dates = _date_styles(archive)
        self._day_0 = dt.datetime(1904, 1, 1) if is_1904 else dt.datetime(1899, 12, 30)
        self._cells = 0

    def rows(self, name: str) -> Iterator[Row]:
        """The rows of a sheet that hold something, each its cells by column."""
        with self._archive.open(name) as file:
            for _, element in iterparse(file):
                if kind(element) == "row":
                    if row := {column: text for column, text in self._row(element) if text}:
                        yield row
                    element.clear()

    def _row(self, row: Any) -> Iterator[tuple[int, str]]:
        column = -1
        for cell in row:
            if kind(cell) != "c":
                continue
            letters = _LETTERS.match(attribute(cell, "r"))
            column = _number(letters[0]) if letters else column + 1
            self._cells += 1
            if self._cells > _MOST_CELLS:
                raise Invalid(_TOO_LARGE)
            yield column, self._text(cell)

    def _text(self, cell: Any) -> str:
        of_type = attribute(cell, "t")
        if of_type == "inlineStr":
            return _words(cell)
        value = next((each.text or "" for each in cell if kind(each) == "v"), "")
        if of_type == "s":
            return self._shared[int(value)] if value.isdigit() and int(value) < len(self._shared) else ""
        if of_type == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        if of_type in ("str", "e", "d"):
            return value
        return self._date(value) if attribute(cell, "s") in self._dates else _decimal(value)

    def _date(self, value: str) -> str:
        """A day, a time or both, as the number of days since day 0 says."""
        try:
            at = self._day_0 + dt.timedelta(seconds=round(float(value) * 86_400))
        except (ValueError, OverflowError):
            return value
        if 0 <= float(value) < 1:
            return f"{at:%H:%M}"
        return f"{at:%Y-%m-%d}" if at.time() == dt.time() else f"{at:%Y-%m-%d %H:%M}"


def _table(rows: Iterator[Row]) -> str:
    """Columns that are empty in every row are left out: a sheet may have its cells far apart."""
    found = list(rows)
    columns = sorted({column for row in found for column in row})
    if len(found) * len(columns) > _MOST_CELLS:
        raise Invalid(_TOO_LARGE)
    return table([[row.get(column, "") for column in columns] for row in found])


def _shared_strings(archive: zipfile.ZipFile) -> list[str]:
    root = part(archive, "xl/sharedStrings.xml")
    return [_words(item) for item in root if kind(item) == "si"] if root is not None else []


def _words(item: Any) -> str:
    """The text of a string; how its characters are read aloud is left out."""
    said = []
    for element in item:
        if kind(element) == "t":
            said.append(element.text or "")
        elif kind(element) in ("r", "is"):
            said.append(_words(element))
    return "".join(said)


def _date_styles(archive: zipfile.ZipFile) -> set[str]:
    """The style numbers of cells that hold a date or a time."""
    root = part(archive, "xl/styles.xml")
    if root is None:
        return set()
    codes = {
        attribute(each, "numFmtId"): attribute(each, "formatCode") for each in root.iter() if kind(each) == "numFmt"
    }
    styles = [each for group in root if kind(group) == "cellXfs" for each in group if kind(each) == "xf"]
    return {str(n) for n, style in enumerate(styles) if _is_date(attribute(style, "numFmtId"), codes)}


def _is_date(number: str, codes: dict[str, str]) -> bool:
    if number in codes:
        code = _QUOTED.sub("", codes[number]).lower()
        return bool(re.search("[ymdhs]", code)) and "general" not in code
    return number.isdigit() and int(number) in _DATES


def _is_1904(workbook: Any) -> bool:
    return any(kind(each) == "workbookPr" and attribute(each, "date1904") in ("1", "true") for each in workbook)


def _decimal(value: str) -> str:
    """A number as a person writes it: 0.1, not 0.10000000000000001."""
    with suppress(ValueError, OverflowError):
        return f"{float(value):.15g}"
    return value


def _number(letters: str) -> int:
    found = 0
    for letter in letters:
        found = found * 26 + ord(letter) - 64
    return found - 1
