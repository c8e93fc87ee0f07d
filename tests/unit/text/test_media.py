"""What bytes are, told by the bytes."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.library.pictures import picture
from tests.unit.text.conftest import Clock
from tests.unit.text.papers import docx, pdf

from cortex.text import media
from cortex.text.media import DOCX, OLE, PICTURES, PPTX, UNKNOWN, XLSX, media_type

WEBM = b"\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f\x42\x82\x84webm"
KINDS: list[tuple[bytes, str]] = [
    *((picture(kind), f"image/{kind.lower()}") for kind in ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "TIFF")),
    (pdf("words"), "application/pdf"),
    (docx("words"), DOCX),
    (b"PK\x03\x04......[Content_Types].xml....xl/workbook.xml", XLSX),
    (b"PK\x03\x04......[Content_Types].xml....ppt/presentation.xml", PPTX),
    (b"PK\x03\x04 word/ without the list of types", "application/zip"),
    (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/epub+zip", "application/epub+zip"),
    (b"PK\x05\x06" + bytes(18), "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (b"ID3\x03\0", "audio/mpeg"),
    (b"\xff\xfb\x90\x64", "audio/mpeg"),
    (b"\xff\xf1\x50\x80", "audio/aac"),
    (b"OggS" + bytes(24) + b"OpusHead", "audio/ogg"),
    (b"OggS" + bytes(24) + b"\x80theora", "video/ogg"),
    (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
    (b"RIFF\x24\0\0\0AVI LIST", "video/x-msvideo"),
    (b"RIFF\x24\0\0\0XXXX", UNKNOWN),
    (WEBM + bytes(50) + b"V_VP9" + bytes(50) + b"A_OPUS", "video/webm"),
    (WEBM + bytes(50) + b"A_OPUS", "audio/webm"),
    (WEBM.replace(b"webm", b"matroska"), "video/x-matroska"),
    (b"\0\0\0\x18ftypisom\0\0\0\0isomavc1", "video/mp4"),
    (b"\0\0\0\x18ftypM4A \0\0\0\0isommp42", "audio/mp4"),
    (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "video/quicktime"),
    (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "image/heic"),
    ("今天很好".encode(), "text/plain"),
    ("今天很好".encode("gb18030"), "text/plain"),
    ("今天很好".encode("utf-16"), "text/plain"),
    (b"# Markdown with <b>bold</b> and <script>code</script>", "text/plain"),
    (b"BMW is a make of cars", "text/plain"),
    (b"ID3 tags are", "text/plain"),
    (b"<!doctype HTML>", "text/html"),
    (b"\xef\xbb\xbf\n<!-- a -->\n<!-- b --><HTML lang=en>", "text/html"),
    (b"<?xml version='1.0'?><!DOCTYPE svg><svg/>", "image/svg+xml"),
    (b"<!-- drawn --><svg xmlns=''>", "image/svg+xml"),
    (b"<?xml version='1.0'?><feed/>", "application/xml"),
    (b"", UNKNOWN),
    (b"MZ\x90\0", UNKNOWN),
    (b"\x7fELF\x02\x01", UNKNOWN),
    (b" %PDF-1.4", "text/plain"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "kind"), KINDS, ids=[f"{n} {kind}" for n, (_, kind) in enumerate(KINDS)])
def test_kinds(raw: bytes, kind: str) -> None:
    assert media_type(raw[: media.HEAD], raw[-media.HEAD :]) == kind


def test_the_names_in_an_archive_are_seen_at_its_end_too() -> None:
    assert media_type(b"PK\x03\x04[Content_Types].xml" + b"x" * 60_000, b"x" * 60_000 + b"word/document.xml") == DOCX


@given(st.binary(max_size=400))
def test_whatever_comes_is_of_some_kind(raw: bytes) -> None:
    kind = media_type(raw)
    assert "/" in kind
    if kind in PICTURES:
        assert raw[:1] in (b"\x89", b"\xff", b"G", b"R") or raw[4:8] == b"ftyp"


@pytest.mark.parametrize("opening", [b"<!-- " * 13_000, b" " * media.HEAD, b"<" * media.HEAD, b"<!--" + b"-" * 60_000])
def test_a_hostile_beginning_takes_no_time(opening: bytes, clock: Clock) -> None:
    half, whole = (clock(partial(media_type, part)) for part in (opening[: len(opening) // 2], opening))
    assert whole < half * 4 + 0.05
