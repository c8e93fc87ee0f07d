"""Looking at a folder before it is listed (H3)."""

from __future__ import annotations

from pathlib import Path

from cortex.sources.checking import check_folder


def test_a_check_counts_and_proposes(tmp_path: Path) -> None:
    for name in (
        "2026-01-15.md",
        "b.md",
        "c.txt",
        "Extras/Templates/t.md",
        ".obsidian/app.json",
        "img/p.png",
        "Plan.gdoc",
        "d.pdf",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("---\ncreated: 2026-01-01\n---\n" if name == "b.md" else "x")
    found = check_folder(tmp_path)
    assert (found.files, found.notes, found.obsidian, found.problem) == (5, 4, True, None)
    assert found.left_out == {"another kind of file": 1, "dot folder": 1, "pointer, use a gdrive source": 1}
    assert found.dated == 0.5
    assert found.exclude == ("Extras/Templates/**",)


def test_a_check_of_no_folder_says_so(tmp_path: Path) -> None:
    assert "is not there" in (check_folder(tmp_path / "missing").problem or "")


def test_a_check_of_an_empty_folder(tmp_path: Path) -> None:
    found = check_folder(tmp_path)
    assert (found.files, found.dated, found.left_out) == (0, 0.0, {})
