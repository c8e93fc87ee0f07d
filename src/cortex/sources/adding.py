"""Listing a folder as a source: which folders may be, what it would be called, and the file that lists it.

Only folders are added from the page. Taking off the list goes for a source of any type that a file of its own lists.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from cortex.errors import Conflict, Invalid, NotAllowed
from cortex.settings import Settings, SourceSettings, in_words

_SYSTEM = ("/proc", "/sys", "/dev", "/run", "/etc", "/boot", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/var", "/root")
"""Where nobody keeps notes, and where a mistake would show what is nobody's business."""

_UNFIT = re.compile(r"[\s/\\;:%]+")


def folder_named(settings: Settings, written: str) -> Path:
    """The folder that a person wrote, `~` and all, as an absolute path with links resolved.

    Raises:
        Invalid: it is not absolute, or one of the system's folders, or Cortex's own.
    """
    written = written.strip()
    path = Path(written).expanduser() if "\0" not in written else Path()
    if not written or not path.is_absolute():
        raise Invalid("write the whole path of a folder, such as ~/journals", field="path")
    real, home = Path(os.path.realpath(path)), Path(os.path.realpath(Path.home()))
    if real == Path(real.anchor) or (not real.is_relative_to(home) and _of_the_system(real)):
        raise Invalid(f"{path} is a folder of the system, not of notes", field="path")
    if real.is_relative_to(os.path.realpath(settings.data)):
        raise Invalid(f"{path} is Cortex's own data folder", field="path")
    if any(source.type == "local" and real == Path(os.path.realpath(source.path)) for source in settings.sources):
        raise Conflict(f"{path} is listed already", field="path")
    return real


def _of_the_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _SYSTEM)


def proposed_name(settings: Settings, path: Path) -> str:
    """A name for the folder's source that no other has."""
    name = _UNFIT.sub("-", path.name).strip("-.")[:60] or "folder"
    taken = {"notes", "sample", *(source.name.casefold() for source in settings.sources)}
    numbered = (name if n == 1 else f"{name}-{n}" for n in range(1, len(taken) + 2))
    return next(choice for choice in numbered if choice.casefold() not in taken)


def list_folder_as(settings: Settings, source: SourceSettings) -> None:
    """Write `sources.d/NAME.yaml` beside the configuration: with the next start the source is listed too.

    Raises:
        Conflict: a source or a file of that name is there; nothing was written.
        NotAllowed: the file cannot be written.
    """
    if any(source.name.casefold() == listed.name.casefold() for listed in settings.sources):
        raise Conflict(f"a source named {source.name} is listed already; choose another name", field="name")
    values: dict[str, Any] = {"name": source.name, "type": source.type, "path": str(source.path)}
    if source.exclude:
        values["exclude"] = list(source.exclude)
    _write(_list_of(settings, source.name), yaml.safe_dump(values, allow_unicode=True, sort_keys=False))


def _list_of(settings: Settings, name: str) -> Path:
    return (settings.config or settings.data / "config.yaml").parent / "sources.d" / f"{name}.yaml"


def listed_alone(settings: Settings) -> set[str]:
    """The sources that a file of their own lists: those can be taken off the list without touching another's words."""
    return {source.name for source in settings.sources if _lists_only(_list_of(settings, source.name), source.name)}


def _lists_only(file: Path, name: str) -> bool:
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else None
    except (OSError, ValueError, yaml.YAMLError):
        return False
    return isinstance(values, dict) and values.get("name") == name


def take_off_list(settings: Settings, name: str) -> None:
    """Delete the file that lists the source alone. The source itself is not touched.

    Raises:
        Conflict: the configuration lists it, among other things.
        NotAllowed: the file cannot be deleted.
    """
    if name not in listed_alone(settings):
        raise Conflict(f"{name} is listed in the configuration: take it out there first, then remove it", field="name")
    try:
        _list_of(settings, name).unlink()
    except OSError as error:
        raise NotAllowed(f"{_list_of(settings, name)} cannot be deleted: {error.strerror}") from error


def folder_source(path: Path, name: str, exclude: Sequence[str] = ()) -> SourceSettings:
    """The source that a folder would be.

    Raises:
        Invalid: the name or a pattern is malformed.
    """
    try:
        source = SourceSettings(name=name, type="local", path=path, exclude=tuple(exclude))
    except ValidationError as error:
        first = error.errors()[0]
        raise Invalid(in_words(first), field=str(first["loc"][0])) from error
    if source.name.startswith("."):
        raise Invalid("a name cannot begin with a dot", field="name")
    return source


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError as error:
        raise Conflict(f"{file} is there already; choose another name, or edit that file", field="name") from error
    except OSError as error:
        raise NotAllowed(f"{file} cannot be written: {error.strerror}") from error
