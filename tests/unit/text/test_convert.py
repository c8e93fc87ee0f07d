"""Files become Markdown, or are refused with a reason."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.unit.text.papers import docx, pdf

from cortex.errors import Invalid
from cortex.text.convert import ENDINGS, convert


@pytest.mark.parametrize("name", ["a.md", "a.MARKDOWN", "a.txt"])
def test_text_is_decoded(name: str) -> None:
    assert convert("# 周记\r\n".encode("gb18030"), name).text == "# 周记\n"


def test_bytes_that_do_not_fit_are_noted() -> None:
    assert convert("今天的会议记录，很长的一段话 caf".encode() + b"\xe9", "a.md").note


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
def test_pitfall_3_csv_becomes_a_table_whatever_its_encoding(encoding: str) -> None:
    raw = '姓名,城市\n李雷,"北京|海淀\n区"\n韩梅梅\n'.encode(encoding)
    assert convert(raw, "a.csv").text == "| 姓名 | 城市 |\n| --- | --- |\n| 李雷 | 北京\\|海淀 区 |\n| 韩梅梅 |  |\n"


def test_pitfall_3_shift_jis_csv() -> None:
    assert "佐藤太郎" in convert("名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n".encode("cp932"), "a.csv").text


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_other_separators(mark: str) -> None:
    assert convert(f"a{mark}b\n1{mark}2\n".encode(), "a.csv").text == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_a_csv_with_a_huge_or_open_cell() -> None:
    assert len(convert(b'a,"' + b"x" * 300_000, "a.csv").text) > 300_000
    assert convert(b"", "a.csv").text == ""


def test_html_gives_words_and_title_and_no_scripts() -> None:
    found = convert("<html><head><title>周记 &amp; more</title><style>p{}</style></head><body><h1>Hi</h1><script>alert(1)</script>"
                    "<!-- secret --><p>Some <b>words</b>.</p></body>".encode(), "a.html")  # fmt: skip
    assert found.title == "周记 & more"
    assert found.text == "# Hi\n\nSome **words**.\n"


def test_pdf_gives_words_and_title() -> None:
    found = convert(pdf("Hello from a page", "A good title"), "a.pdf")
    assert found.text.strip() == "Hello from a page"
    assert found.title == "A good title"
    assert convert(pdf("x y z", "Microsoft Word - draft.doc"), "a.pdf").title is None


def test_docx_gives_words_and_title() -> None:
    found = convert(docx("你好 words", "计划 &amp; notes"), "a.docx")
    assert (found.text, found.title) == ("你好 words\n", "计划 & notes")


@pytest.mark.parametrize(
    ("raw", "name", "said"),
    [
        (pdf("secret", encrypt=True), "a.pdf", "encrypted"),
        (pdf(""), "a.pdf", "pictures"),
        (b"%PDF-1.4 junk", "a.pdf", "broken"),
        (b"", "a.pdf", "no PDF"),
        (b"PK\x03\x04junk", "a.docx", "broken"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "a.docx", "encrypted"),
        (b'{"url": "https://docs.google.com/x"}', "a.gdoc", "gdrive source"),
        (b"{}", "a.gsheet", "gdrive source"),
        (b"{}", "a.GSLIDES", "gdrive source"),
        (b"x", "a.xyz", r"\.md"),
        (b"x", "noending", "nothing"),
        (b"\x89PNG\r\n", "a.md", "PNG"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(raw: bytes, name: str, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        convert(raw, name)


def test_deep_html_does_not_break_the_run() -> None:
    with suppress(Invalid):
        convert(b"<div><b>" * 5000 + b"x", "a.html")


def test_the_converters_load_only_when_used() -> None:
    """Starting must stay fast: markitdown takes a second."""
    code = "import sys, cortex.text.convert, cortex.text.html; sys.exit('markitdown' in sys.modules)"
    source = str(Path(__file__).resolve().parents[3] / "src")
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": source}, check=False).returncode == 0


def test_real_office_files(shared: Path) -> None:
    folder = shared / "data" / "odd" / "markitdown" / "markitdown" / "tests" / "test_files"
    files = [file for file in sorted(folder.iterdir()) if file.suffix in ENDINGS and "scan" not in file.name]
    assert len(files) >= 8
    for file in files:
        assert convert(file.read_bytes(), file.name).text.strip(), file.name
