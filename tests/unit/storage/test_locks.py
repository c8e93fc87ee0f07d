"""The two file locks of the shared server."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cortex.errors import Upstream
from cortex.storage import _locks


def test_only_one_starts_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_locks, "PATIENCE_S", 0.05)
    with _locks.starting(tmp_path), pytest.raises(Upstream, match="too long"), _locks.starting(tmp_path):
        pass
    with _locks.starting(tmp_path):
        pass


def test_the_last_user_knows_that_he_is_alone(tmp_path: Path) -> None:
    first, second = (_locks.open_lock(tmp_path / "users") for _ in range(2))
    _locks.share(first)
    _locks.share(second)
    assert not _locks.try_exclusive(first)
    os.close(first)
    assert _locks.try_exclusive(second)
    os.close(second)


def test_children_do_not_inherit_a_lock(tmp_path: Path) -> None:
    descriptor = _locks.open_lock(tmp_path / "users")
    assert not os.get_inheritable(descriptor)
    os.close(descriptor)
