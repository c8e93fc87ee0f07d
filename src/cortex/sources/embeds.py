"""Images that a note embeds: read from inside the folder of its source, and from nowhere else."""

from __future__ import annotations

import html
import os
import posixpath
import re
from pathlib import PurePosixPath

from cortex.errors import NotFound
from cortex.sources._pattern import compile_globs
from cortex.sources.listing import File
from cortex.sources.local import Folder
from cortex.sources.reading import read_bytes

IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
}
"""What is served, by ending, and as what."""

_EMBEDDED = re.compile(r'class="local-image" data-path="([^"]*)"')


def read_image(folder: Folder, note: str, page: str, path: str) -> tuple[bytes, str]:
    """The bytes and the media type of an image that a note embeds.

    Args:
        note: the note's path in its source.
        page: the note's HTML: what it embeds, and nothing else, may be read.
        path: as the note writes it: beside it, from the top of the folder, or (as Obsidian does) by its name alone.

    Raises:
        NotFound: the note embeds no such image, it is not there, or it is not inside the folder.
    """
    media = IMAGES.get(PurePosixPath(path).suffix.lower())
    if media is None or path not in {html.unescape(found) for found in _EMBEDDED.findall(page)}:
        raise NotFound(f"the note embeds no image {path!r}", field="path")
    root = os.path.realpath(folder.path)
    for place in _places(root, note, path):
        real = os.path.relpath(os.path.realpath(os.path.join(root, place)), root).replace(os.sep, "/")
        if _may_be_read(folder, place) and _may_be_read(folder, real):
            try:
                return read_bytes(root, File(place, place, real, 0, 0))[0], media
            except OSError:
                continue
    raise NotFound(f"{path!r} is not in the folder of the note", field="path")


def _places(root: str, note: str, path: str) -> list[str]:
    """Where the image may be, below the folder."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(note), path))
    places = [beside, posixpath.normpath(path.lstrip("/"))]
    return places if any(os.path.isfile(os.path.join(root, place)) for place in places) else places + _named(root, path)


def _named(root: str, path: str) -> list[str]:
    """The first file of that name, however deep."""
    name = posixpath.basename(path)
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        if name in files:
            return [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")]
    return []


def _may_be_read(folder: Folder, place: str) -> bool:
    """Inside the folder, in no hidden part of it, and not left out by its patterns."""
    steps = place.split("/")
    above = ("/".join(steps[: n + 1]) for n in range(len(steps)))
    left_out = compile_globs(folder.exclude).fullmatch
    return (
        not any(step.startswith(".") for step in steps) and not place.startswith("/") and not any(map(left_out, above))
    )
