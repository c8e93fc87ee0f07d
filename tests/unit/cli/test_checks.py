"""The doctor names what is wrong with folders, and the way out."""

from __future__ import annotations

from pathlib import Path

from cortex.cli.checks import check_cross_encoder, check_folder, check_source
from cortex.settings import Settings, SourceSettings


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_text("x")
    check = check_folder(file)
    assert not check.ok
    assert check.mend


def test_a_data_folder_that_is_well_or_not_there_yet(tmp_path: Path) -> None:
    assert check_folder(tmp_path).ok
    assert check_folder(tmp_path / "later").ok


def test_sources_that_are_away_empty_or_no_folder(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    for name in ("away", "empty", "file"):
        check = check_source(settings, SourceSettings(name="a", type="local", path=tmp_path / name))
        assert not check.ok
        assert check.mend
    assert check_source(settings, SourceSettings(name="a", type="local", path=tmp_path)).ok


def test_a_cross_encoder_that_does_not_load(tmp_path: Path) -> None:
    for name in (f"fastembed:{tmp_path}", "fastembed:/nowhere/model"):
        check = check_cross_encoder(name, tmp_path)
        assert not check.ok
        assert "cross" in check.detail
        assert check.mend
