"""Listing a folder: the whitelist, odd names, links, and folders that cannot be listed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cortex.settings import SourceSettings
from cortex.sources._local_file import FolderListing
from cortex.sources.listing import LARGEST, Item, Listing
from cortex.sources.local import Folder

MARKDOWN = ("**/*.md",)


def write(root: Path, *names: str, text: str = "text") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def listed(root: Path, include: tuple[str, ...] = MARKDOWN, exclude: tuple[str, ...] = ()) -> FolderListing:
    return Folder("notes", root, include, exclude).list()


def reasons(listing: Listing) -> dict[str, str]:
    return {item.item: item.reason for item in [*listing.skipped, *listing.failed]}


def test_only_what_a_pattern_includes_and_none_excludes(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b/c.md", "b/d.txt", "private/e.md", "deep/private/f.md", "README.MD", "photo.jpg")
    listing = listed(tmp_path, exclude=("private/**",))
    assert set(listing.files) == {"a.md", "b/c.md", "deep/private/f.md", "README.MD"}
    assert listing.complete
    assert listing.skipped == listing.failed == []


@pytest.mark.parametrize(
    ("include", "expected"),
    [
        ("*.md", {"a.md"}),
        ("**/*.md", {"a.md", "b/c.md", "b/x/d.md"}),
        ("b/**", {"b/c.md", "b/x/d.md", "b/e.txt"}),
        ("b/*.md", {"b/c.md"}),
        ("**/x/*", {"b/x/d.md"}),
        ("b/?.md", {"b/c.md"}),
        ("./a.md", {"a.md"}),
        ("**/*.{md,txt}", {"a.md", "b/c.md", "b/x/d.md", "b/e.txt"}),
        ("**/[ac].md", {"a.md", "b/c.md"}),
        ("**/[!ac].md", {"b/x/d.md"}),
        ("b/", {"b/c.md", "b/x/d.md", "b/e.txt"}),
        ("**", {"a.md", "b/c.md", "b/x/d.md", "b/e.txt"}),
        ("nothing", set()),
    ],
)
def test_globs(tmp_path: Path, include: str, expected: set[str]) -> None:
    write(tmp_path, "a.md", "b/c.md", "b/x/d.md", "b/e.txt")
    assert set(listed(tmp_path, (include,)).files) == expected


@pytest.mark.parametrize("exclude", ["private", "private/", "private/**", "**/private/**", "pri*"])
def test_an_excluded_folder_is_not_entered(tmp_path: Path, exclude: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md", "private/b.md", "private/c/d.md")
    entered: list[str] = []
    scandir = os.scandir

    def watched(path: str) -> object:
        entered.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", watched)
    assert set(listed(tmp_path, exclude=(exclude,)).files) == {"a.md"}
    assert not any("private" in path for path in entered)


def test_a_pattern_may_not_lead_out() -> None:
    for pattern in ("../**/*.md", "/etc/*", "a/../../b"):
        with pytest.raises(ValueError, match="leads out"):
            SourceSettings(name="x", type="local", path=Path("/x"), include=(pattern,))


def test_dot_folders_are_left_out_unless_a_pattern_names_them(tmp_path: Path) -> None:
    write(tmp_path, "a.md", ".obsidian/b.md", ".trash/c.md", "d/.git/e.md", ".hidden.md", "._a.md")
    assert set(listed(tmp_path).files) == {"a.md", ".hidden.md"}
    assert listed(tmp_path).root.obsidian
    assert ".trash/c.md" in listed(tmp_path, ("**/*.md", ".trash/**")).files


def test_pitfall_11_names(tmp_path: Path) -> None:
    names = [
        "🗒️ 笔记#1?.md",
        "a%2Fb.md",
        "semi;colon|pipe@'quote\"s.md",
        "trailing dot..md",
        " led and trailed .md",
        "line\nbreak.md",
    ]
    names += [
        "é.md",
        "e\u0301.md",
        "x" * 252 + ".md",
        "长" * 84 + ".md",
        "dir. /dir./x.md",
        "CON.md",
        "-rf.md",
        "[x](y).md",
    ]
    write(tmp_path, *names)
    listing = listed(tmp_path)
    assert set(listing.files) == set(names)
    assert not reasons(listing)
    assert listing.files["🗒️ 笔记#1?.md"].url().endswith("/%F0%9F%97%92%EF%B8%8F%20%E7%AC%94%E8%AE%B0%231%3F.md")


def test_pitfall_11_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(raw)).write_text("x")
    except OSError:
        pytest.skip("this file system takes no such name")
    write(tmp_path, "caf%E9.md")
    listing = listed(tmp_path)
    assert set(listing.files) == {"caf%E9.md"}
    assert list(reasons(listing).values()) == ["another file's name reads the same"]
    (tmp_path / "caf%E9.md").unlink()
    (tmp_path / ".obsidian").mkdir()
    (file,) = listed(tmp_path).files.values()
    assert file.external_id == "caf%E9.md"
    assert file.url().endswith("caf%E9.md")
    assert file.open_url() is None


def test_a_path_beyond_what_the_database_indexes_is_passed_over(tmp_path: Path) -> None:
    folder = "长" * 80
    deep = "/".join([folder] * 9)
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for _ in range(9):
            os.mkdir(folder)
            os.chdir(folder)
        Path("x.md").write_text("x")
    finally:
        os.chdir(here)
    listing = listed(tmp_path)
    assert not listing.files
    assert [item.reason for item in listing.skipped] == ["its path is too long"]
    assert deep.startswith(listing.skipped[0].item[:100])


def test_pitfall_13_links_stay_inside(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "vault"
    write(outside, "secret.md", "more/deep.md")
    write(root, "a.md", "sub/b.md", "private/c.md")
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "out").symlink_to(outside)
    (root / "up").symlink_to("..")
    (root / "loop").symlink_to(".")
    (root / "sub" / "back").symlink_to("..")
    (root / "again").symlink_to("sub")
    (root / "same.md").symlink_to("a.md")
    (root / "nowhere.md").symlink_to("missing.md")
    (root / "self.md").symlink_to("self.md")
    (root / "hidden.md").symlink_to("private/c.md")
    listing = listed(root, exclude=("private/**",))
    assert set(listing.files) == {"a.md", "sub/b.md"}
    assert listing.complete
    assert reasons(listing) == {
        "out.md": "a link that leads out of the folder",
        "out": "a link that leads out of the folder",
        "up": "a link that leads out of the folder",
        "loop": "a link to what is listed itself",
        "sub/back": "a link to what is listed itself",
        "again": "a link to what is listed itself",
        "same.md": "a link to what is listed itself",
        "nowhere.md": "a link that leads nowhere",
        "self.md": "a link that leads nowhere",
        "hidden.md": "a link to what is left out",
    }


def test_links_inside_are_followed_to_what_is_not_listed_itself(tmp_path: Path) -> None:
    write(tmp_path, "store/a.md", "store/deep/b.md", "store/secret/c.md", "store/d.txt")
    (tmp_path / "notes").symlink_to("store")
    (tmp_path / "notes2").symlink_to("store")
    (tmp_path / "d.md").symlink_to("store/d.txt")
    listing = listed(tmp_path, ("notes/**/*.md", "d.md"), ("store/secret/**",))
    assert {name: file.real for name, file in listing.files.items()} == {
        "notes/a.md": "store/a.md",
        "notes/deep/b.md": "store/deep/b.md",
        "d.md": "store/d.txt",
    }


def test_many_links_that_point_at_each_other_end(tmp_path: Path) -> None:
    for n in range(12):
        write(tmp_path, f"d{n}/x.md")
        for m in range(12):
            (tmp_path / f"d{n}" / f"to{m}").symlink_to(f"../d{m}")
    started = time.process_time()
    listing = listed(tmp_path)
    assert len(listing.files) == 12
    assert len(listing.skipped) == 144
    assert time.process_time() - started < 5


def test_the_listed_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real", "a.md")
    (tmp_path / "link").symlink_to("real")
    assert set(listed(tmp_path / "link").files) == {"a.md"}


def test_h7_a_drive_pointer_says_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, "Plan.gdoc", "Budget.gsheet", "x/Talk.gslides", "a.md", "no/y.gdoc")
    listing = listed(tmp_path, exclude=("no/**",))
    assert set(listing.files) == {"a.md"}
    assert reasons(listing) == dict.fromkeys(
        ["Plan.gdoc", "Budget.gsheet", "x/Talk.gslides"], "pointer, use a gdrive source"
    )


def test_y3_what_icloud_took_away_is_neither_read_nor_gone(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "x/.b.md.icloud")
    with open(tmp_path / "hollow.md", "wb") as file:
        file.truncate(5000)
    listing = listed(tmp_path)
    assert reasons(listing) == {"x/b.md": "not downloaded"}
    assert listing.kept == {"x/b.md"}
    if (tmp_path / "hollow.md").stat().st_blocks == 0:
        assert listing.files["hollow.md"].hollow
    assert not listing.files["a.md"].hollow or (tmp_path / "a.md").stat().st_blocks == 0


def test_what_is_too_large_or_no_file_is_passed_over(tmp_path: Path) -> None:
    with open(tmp_path / "big.md", "wb") as file:
        file.truncate(LARGEST + 1)
    os.mkfifo(tmp_path / "pipe.md")
    listing = listed(tmp_path)
    assert not listing.files
    assert reasons(listing) == {"big.md": "larger than 50 MB", "pipe.md": "not a file"}
    assert listing.kept == {"big.md"}
    assert listing.complete


def test_a_folder_that_is_not_there_is_no_empty_folder(tmp_path: Path) -> None:
    write(tmp_path, "file")
    missing, no_folder = listed(tmp_path / "missing"), listed(tmp_path / "file")
    assert not missing.complete
    assert "is not there" in (missing.problem or "")
    assert not no_folder.complete
    assert "is no folder" in (no_folder.problem or "")


def test_a_subfolder_that_cannot_be_listed_makes_the_listing_incomplete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md", "locked/b.md")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if "locked" in str(path):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    listing = listed(tmp_path)
    assert set(listing.files) == {"a.md"}
    assert not listing.complete
    assert listing.failed == [Item("locked", "cannot be listed: Permission denied")]


def test_w11_open_url_only_in_a_vault(tmp_path: Path) -> None:
    write(tmp_path, "笔 记.md")
    assert listed(tmp_path).files["笔 记.md"].open_url() is None
    (tmp_path / ".obsidian").mkdir()
    url = listed(tmp_path).files["笔 记.md"].open_url()
    assert url is not None
    assert url.startswith("obsidian://open?path=%2F")
    assert url.endswith("%2F%E7%AC%94%20%E8%AE%B0.md")


def test_thousands_of_files_are_listed_at_once(tmp_path: Path) -> None:
    for n in range(40):
        folder = tmp_path / f"d{n}"
        folder.mkdir()
        for m in range(50):
            (folder / f"note {m}.md").touch()
    started = time.process_time()
    assert len(listed(tmp_path).files) == 2_000
    assert time.process_time() - started < 1  # of the processor; 10,000 take 0.1 s
