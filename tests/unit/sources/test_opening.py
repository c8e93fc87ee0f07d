"""Opening a listed source by its type."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from cortex import settings
from cortex.errors import NotFound
from cortex.settings import ListedSource, Settings, SourceSettings
from cortex.sources.local import Folder
from cortex.sources.opening import OPENERS, open_named, open_source


def test_every_type_that_can_be_configured_can_be_opened() -> None:
    configurable = [kind for kind in ListedSource.__subclasses__() if kind.__module__ == settings.__name__]
    named: list[Any] = [kind.model_fields["type"].annotation for kind in configurable]
    assert {word for literal in named for word in get_args(literal)} == set(OPENERS)


def test_a_folder_is_opened_without_looking_at_it(tmp_path: Path) -> None:
    listed = SourceSettings(name="a", type="local", path=tmp_path / "away", weeks="iso")
    configured = Settings(data=tmp_path, sources=(listed,))
    assert open_source(configured, listed) == Folder("a", tmp_path / "away", listed.include, weeks="iso")
    assert open_named(configured, "a").place == str(tmp_path / "away")


def test_a_name_that_is_not_listed(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="lists no source 'b'"):
        open_named(Settings(data=tmp_path), "b")
