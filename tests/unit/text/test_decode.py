"""Bytes are read as a person would read them; PITFALLS 3 and 4."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.errors import Invalid
from cortex.text.decode import decode

CHINESE = "# 周记 第12周\n\n今天和李雷讨论了检索系统的重排方案，决定先用混合检索。\n\n- [ ] 下周三前给出评测报告\n"
TRADITIONAL = "# 日記\n\n今天去圖書館借了三本書，回家的時候下雨了。\n"
JAPANESE = "# 日記\n\n今日は図書館に行きました。本を三冊借りた。\n"
FRENCH = "# Café\n\nL’été dernier, nous étions à la plage. C’était très agréable.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE, "utf-16-le"),
        (CHINESE, "utf-16-be"),
        (CHINESE, "utf-32"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (FRENCH, "cp1252"),
        ("café", "latin-1"),
        ("日记", "gb18030"),
        ("筆記", "big5"),
        ("姓名,城市\n李雷,北京\n", "gb18030"),
        ("名前,年齢,住所\n佐藤太郎,30,東京\n", "cp932"),
        ("🌟🌟🌟 five of five stars\n", "gb18030"),
        ("hello", "utf-16-be"),
        ("Привет, как дела? Сегодня хорошая погода.", "cp1251"),
        ("", "utf-8"),
    ],
)
def test_known_encodings_are_read_without_loss(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.replaced) == (text, 0)


def test_pitfall_3_bom_before_a_rule_or_a_heading_is_gone() -> None:
    assert decode(b"\xef\xbb\xbf---\ntitle: x\n---\n").text.startswith("---")
    assert decode(b"\xef\xbb\xbf# A").text == "# A"


def test_pitfall_3_a_lone_latin_1_byte_is_read_as_its_letter_and_counted() -> None:
    decoded = decode("今天去了caf".encode() + b"\xe9" + " 很好\n又见 na".encode() + b"\xefve\n")
    assert "caf\u00e9" in decoded.text
    assert "naïve" in decoded.text
    assert decoded.text.startswith("今天去了")
    assert decoded.encoding == "utf-8"
    assert decoded.replaced == 2


def test_a_foreign_line_in_utf_8_is_read_in_its_own_encoding() -> None:
    decoded = decode(CHINESE.encode() + "## 附录（粘贴自旧文件）\n".encode("gb18030"))
    assert decoded.text == CHINESE + "## 附录（粘贴自旧文件）\n"
    assert decoded.replaced == 1


def test_a_cut_end_becomes_one_replacement_character() -> None:
    assert decode("今天的会议记录".encode()[:-1]).text == "今天的会议记\ufffd"


def test_nuls_become_a_space() -> None:
    assert decode(b"# note\0\0 with NULs\n\nbody\0end\n").text == "# note  with NULs\n\nbody end\n"


def test_pitfall_4_crlf_becomes_lf_and_nothing_else_changes() -> None:
    text = "a \u2028b\u000bc\u0085 \u00a0 e\u0301\ufeff\u200b\n  d\t\n\n"
    assert decode(text.replace("\n", "\r\n").encode()).text == text
    assert decode(b"a\rb\nc\r\n").text == "a\rb\nc\n"


def test_a_file_with_cr_alone_has_lines() -> None:
    assert decode(b"# A\r\rb\r").text == "# A\n\nb\n"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        (b"PK\x03\x04aaaa", "Office"),
        (b"%PDF-1.7", "PDF"),
        (bytes(range(256)) * 8, "text"),
    ],
)
def test_binary_files_are_refused_with_what_they_are(raw: bytes, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        decode(raw)


@given(st.text())
def test_every_text_in_utf_8_comes_back(text: str) -> None:
    """Except for what decoding is there to change, and for texts of control characters, which are refused."""
    clean = text.replace("\r", "").replace("\0", "").lstrip("\ufeff")
    raw = ("一些字 " + clean).encode("utf-8", "ignore")
    try:
        decoded = decode(raw)
    except Invalid:
        return
    assert decoded.text.encode() == raw or b"\x1b$" in raw


@given(st.binary(max_size=400))
def test_no_bytes_raise_anything_but_invalid(raw: bytes) -> None:
    try:
        decoded = decode(raw)
    except Invalid:
        return
    assert "\0" not in decoded.text
    decoded.text.encode()


def test_pitfall_9_time_grows_with_the_size(clock: Callable[[Callable[[], object]], float]) -> None:
    small = (CHINESE * 500).encode() + b"caf\xe9\n"
    assert clock(lambda: decode(small * 4)) < 12 * clock(lambda: decode(small))


def test_samples_of_many_encodings(shared: Path) -> None:
    folder = shared / "data" / "odd" / "charset"
    said = {
        "sample-chinese.txt": "維基大典",
        "sample-korean.txt": "역사적 예수",
        "sample-turkish.txt": "İstanbul, Türkiye'nin",
        "sample-russian.txt": "В гимназии",
        "sample-greek.txt": "Η ελληνική",
        "sample-hebrew-2.txt": "אין כמעט",
        "sample-arabic-1.txt": "بالموازاة",
        "sample-french-1.txt": "MOLIÈRE\nNÉ LE",
        "sample-polish.txt": "URZĄDZENIE",
    }
    for name, words in said.items():
        assert words in decode((folder / name).read_bytes()).text, name


def test_hostile_encodings(shared: Path) -> None:
    folder = shared / "data" / "odd" / "synthetic" / "enc"
    for name in os.listdir(folder):
        decoded = decode((folder / name).read_bytes())
        assert decoded.text.strip()
        assert decoded.replaced <= 1, name
