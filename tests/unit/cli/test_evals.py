"""The golden notebook is asked in a library of its own."""

from __future__ import annotations

from pathlib import Path

from cortex.evals.notebook import golden_settings
from cortex.settings import Settings, SourceSettings


def test_a_persons_own_notes_and_database_are_left_alone(tmp_path: Path) -> None:
    own = SourceSettings(name="journals", type="local", path=tmp_path)
    settings = golden_settings(Settings(data=tmp_path, database_url="postgresql://elsewhere", sources=(own,)))
    assert settings.data == tmp_path / "eval"
    assert settings.database_url is None
    assert [source.name for source in settings.sources] == ["golden"]
    assert any(settings.sources[0].path.rglob("*.md"))
