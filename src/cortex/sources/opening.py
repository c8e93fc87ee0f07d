"""From a source's entry in the configuration to the source: the one place that knows which types there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cortex.errors import NotFound
from cortex.settings import ListedSource, Settings, SourceSettings
from cortex.sources.local import Folder
from cortex.sources.source import Source

Opener = Callable[[Settings, Any], Source]
"""Given all settings, which hold the secrets, and the source's own entry. It reads nothing, calls nobody and never raises: what is
missing is the `problem` of the listing, so that one source's trouble stops no other."""


def _folder(_: Settings, listed: SourceSettings) -> Source:
    return Folder.of(listed)


OPENERS: dict[str, Opener] = {"local": _folder}
"""By the `type` of the entry."""


def open_source(settings: Settings, listed: ListedSource) -> Source:
    """The source of an entry."""
    return OPENERS[listed.type](settings, listed)


def open_named(settings: Settings, name: str) -> Source:
    """The source of that name.

    Raises:
        NotFound: the configuration lists none.
    """
    for listed in settings.sources:
        if listed.name == name:
            return open_source(settings, listed)
    raise NotFound(f"the configuration lists no source {name!r}", field="name")
