"""Finding an image inside a listed folder, where a note says that it is."""

from __future__ import annotations

import os
import posixpath

from cortex.errors import NotFound
from cortex.sources._local_file import read_bytes
from cortex.sources._pattern import compile_globs


def read_embedded(folder: str, exclude: tuple[str, ...], note: str, path: str) -> bytes:
    """The bytes of what a note embeds: beside it, from the top of the folder, or (as Obsidian does) by its name alone.

    Raises:
        NotFound: it is not there, or it is not inside the folder.
    """
    root = os.path.realpath(folder)
    for place in _places(root, note, path):
        real = os.path.relpath(os.path.realpath(os.path.join(root, place)), root).replace(os.sep, "/")
        if _may_be_read(exclude, place) and _may_be_read(exclude, real):
            try:
                return read_bytes(root, real).raw
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


def _may_be_read(exclude: tuple[str, ...], place: str) -> bool:
    """Inside the folder, in no hidden part of it, and not left out by its patterns."""
    steps = place.split("/")
    above = ("/".join(steps[: n + 1]) for n in range(len(steps)))
    left_out = compile_globs(exclude).fullmatch
    return (
        not any(step.startswith(".") for step in steps) and not place.startswith("/") and not any(map(left_out, above))
    )
