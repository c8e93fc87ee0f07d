"""PowerPoint files as Markdown: a heading for each slide, its texts and tables in their order, and what the speaker notes."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from typing import Any

from cortex.errors import Invalid
from cortex.text._packages import attribute, kind, opened, part, targets, written_title
from cortex.text._tables import table

_WHAT = "this PowerPoint file"
_TITLES = ("title", "ctrTitle")
_LEFT_OUT = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders that say the same on every slide."""
_DEEPEST = 200


def pptx(raw: bytes) -> tuple[str, str | None]:
    """Text, and title as it was written.

    Raises:
        Invalid: encrypted, broken, or of the old format.
    """
    with opened(raw, _WHAT, ".ppt", ".pptx") as archive:
        slides = list(_slides(archive))
        return "\n".join(_slide(archive, n, name) for n, name in enumerate(slides, 1)), written_title(archive)


def _slides(archive: zipfile.ZipFile) -> Iterator[str]:
    """The parts that are slides, as they are shown one after the other."""
    root = part(archive, "ppt/presentation.xml")
    if root is None:
        raise Invalid(f"{_WHAT} is broken: it has no presentation")
    where = targets(archive, "ppt/presentation.xml")
    for each in root.iter():
        if kind(each) == "sldId":
            # Beside its own number it has the relation's, under the same name in another namespace.
            ids = [value for key, value in each.attrib.items() if key.endswith("}id")]
            of_kind, name = where.get(ids[0] if ids else "", ("", ""))
            if of_kind == "slide" and name in archive.namelist():
                yield name


def _slide(archive: zipfile.ZipFile, number: int, name: str) -> str:
    title, said = "", []
    for placeholder, text in _texts(part(archive, name)):
        if placeholder in _TITLES and not title:
            title = " ".join(text.split())
        else:
            said.append(text)
    for of_kind, other in targets(archive, name).values():
        root = part(archive, other) if of_kind == "notesSlide" else None
        said += [text for placeholder, text in _texts(root) if placeholder == "body"] if root is not None else []
    return "\n\n".join([f"## {title or f'Slide {number}'}", *said]) + "\n"


def _texts(root: Any) -> Iterator[tuple[str, str]]:
    """What stands on a slide, each with the kind of its placeholder."""
    for shape in _shapes(root, 0):
        if kind(shape) == "tbl":
            rows = [
                [_paragraphs(cell, " ") for cell in row if kind(cell) == "tc"] for row in shape if kind(row) == "tr"
            ]
            if text := table(rows).rstrip("\n"):
                yield "", text
            continue
        placeholder = next((attribute(each, "type") or "body" for each in shape.iter() if kind(each) == "ph"), "")
        text = _paragraphs(shape, "\n\n")
        if text and placeholder not in _LEFT_OUT:
            yield placeholder, text


def _shapes(element: Any, depth: int) -> Iterator[Any]:
    """Text boxes and tables, also inside of groups."""
    if depth > _DEEPEST:
        raise Invalid(f"{_WHAT} is nested too deeply to be read")
    for child in element:
        if kind(child) in ("sp", "tbl"):
            yield child
        elif kind(child) != "Fallback":  # the same once more, for old programs
            yield from _shapes(child, depth + 1)


def _paragraphs(element: Any, between: str) -> str:
    said = (_paragraph(each) for each in element.iter() if kind(each) == "p")
    return between.join(text for text in said if text)


def _paragraph(paragraph: Any) -> str:
    said = ((each.text or "") if kind(each) == "t" else "\n" if kind(each) == "br" else "" for each in paragraph.iter())
    return re.sub(r"[ \t\u00a0]+", " ", "".join(said)).strip()
