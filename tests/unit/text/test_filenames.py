"""Names of files: what is kept of them, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.text.filenames import LONGEST, safe_name


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("a.txt", "a.txt"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("a/", "file"),
        (".", "file"),
        ("...", "file"),
        (".gitignore", ".gitignore"),
        ("a\r\nb\0c.txt", "abc.txt"),
        ("\u202etxt.exe", "txt.exe"),
        ("🐈" * 80 + ".jpeg", "🐈" * 62 + ".jpeg"),
        ("a." + "b" * 300, "a." + "b" * 253),
        ("周记 (最终版) 100%.pdf", "周记 (最终版) 100%.pdf"),
        ("\ud83d.txt", ".txt"),
    ],
)
def test_names(given_: str, kept: str) -> None:
    assert safe_name(given_) == kept


@given(st.text(max_size=400))
def test_any_name_can_be_stored_sent_and_kept(name: str) -> None:
    safe = safe_name(name)
    assert safe
    assert len(safe.encode()) <= LONGEST
    assert not set(safe) & set("/\\\r\n\0")
    assert safe.strip(".")
    assert safe_name(safe) == safe
