"""Office files since 2007: archives of XML parts, opened with their sizes looked at first."""

from __future__ import annotations

import html as entities
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from cortex.errors import Invalid

_LARGEST_UNPACKED = 500_000_000
_BROKEN = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, OSError, EOFError, KeyError)


@contextmanager
def opened(raw: bytes, what: str, old: str, new: str) -> Iterator[zipfile.ZipFile]:
    """The archive of an Office file; what goes wrong with it inside of the block is told of the file.

    Args:
        what: as an error names the file, such as "this Word file".
        old: the ending of such files of before 2007, `new` that of today.

    Raises:
        Invalid: encrypted, broken, of the old format, or far larger unpacked than a document is.
    """
    if raw.startswith(b"\xd0\xcf\x11\xe0"):
        raise Invalid(f"{what} is encrypted or of the old {old} format; save it as {new} without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_UNPACKED:
                raise Invalid(f"{what} unpacks to more than 500 MB; it is not read")
            yield archive
    except _BROKEN as error:
        raise Invalid(f"{what} is broken: it is no complete archive") from error
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Invalid(f"{what} is broken and cannot be read ({type(error).__name__})") from error


def written_title(archive: zipfile.ZipFile) -> str | None:
    """The title among the document's properties, as it was written."""
    if "docProps/core.xml" not in archive.namelist():
        return None
    properties = archive.read("docProps/core.xml").decode("utf-8", "replace")
    found = re.search(r"<dc:title>([^<]{0,500})</dc:title>", properties)
    return entities.unescape(found[1]) if found else None


def part(archive: zipfile.ZipFile, name: str) -> Any:
    """The root element of a part, None where there is no such part."""
    return fromstring(archive.read(name)) if name in archive.namelist() else None


def targets(archive: zipfile.ZipFile, name: str) -> dict[str, tuple[str, str]]:
    """What a part points at, by relation id: the kind of the relation, and the name of the other part."""
    folder, _, file = name.rpartition("/")
    root = part(archive, f"{folder}/_rels/{file}.rels")
    found = {}
    for relation in root if root is not None else ():
        path = relation.get("Target", "")
        whole = path.lstrip("/") if path.startswith("/") else _resolved(f"{folder}/{path}")
        found[relation.get("Id", "")] = (relation.get("Type", "").rpartition("/")[2], whole)
    return found


def kind(element: Any) -> str:
    """An element's name without its namespace: the two editions of the standard differ in nothing else that is read."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: Any, name: str) -> str:
    """An attribute of any namespace, "" where there is none."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")


def _resolved(path: str) -> str:
    steps: list[str] = []
    for step in path.split("/"):
        if step == "..":
            steps = steps[:-1]
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)
