"""What kind of file some bytes are, told from the bytes alone: names and what a sender says may be wrong, or a lie."""

from __future__ import annotations

import re

HEAD = 65_536
"""How many bytes of a file's beginning, and of its end, are looked at."""

UNKNOWN = "application/octet-stream"
_OFFICE = "application/vnd.openxmlformats-officedocument."
DOCX, XLSX, PPTX = (
    _OFFICE + "wordprocessingml.document",
    _OFFICE + "spreadsheetml.sheet",
    _OFFICE + "presentationml.presentation",
)
OLE = "application/x-ole-storage"
"""Office files of before 2007, and encrypted ones of today."""

PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})
"""What every browser shows, and what has thumbnails."""

_BEGINS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"%PDF-", "application/pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (b"{\\rtf", "application/rtf"),
    (b"fLaC", "audio/flac"),
    (b"#!AMR", "audio/amr"),
    (b"\x1f\x8b", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_BMP = re.compile(rb"BM....\0\0\0\0", re.DOTALL)
_MP3 = re.compile(rb"ID3[\x02-\x04]|\xff[\xfa\xfb\xf2\xf3][^\xf0-\xff]")
_AAC = re.compile(rb"\xff[\xf1\xf9]")
_ZIPPED = ((b"word/", DOCX), (b"xl/", XLSX), (b"ppt/", PPTX))
_HTML = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|script|iframe|title|style|meta|h1|img|div|p|a)[\s>/]", re.IGNORECASE
)
_COMMENTS = re.compile(rb"(?:\s|<!--.*?-->)*", re.DOTALL)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def media_type(head: bytes, tail: bytes = b"") -> str:
    """The media type of a file of which these are the first and the last bytes, HEAD at most; UNKNOWN where nothing fits.

    A file that is two things at once is what its first bytes say.
    """
    for mark, found in _BEGINS:
        if head.startswith(mark):
            return found
    if head[4:8] == b"ftyp":
        return _mp4(head)
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12], UNKNOWN)
    if head[:4] == b"OggS":
        return "video/ogg" if b"theora" in head[:300] else "audio/ogg"
    if head[:4] == b"\x1a\x45\xdf\xa3":
        return _matroska(head)
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zip(head, tail)
    for pattern, found in ((_MP3, "audio/mpeg"), (_AAC, "audio/aac"), (_BMP, "image/bmp")):
        if pattern.match(head):
            return found
    return _text(head)


def _mp4(head: bytes) -> str:
    """ISO base media: the brand, else one that it is compatible with."""
    brands = [head[8:12], *(head[n : n + 4] for n in range(16, min(int.from_bytes(head[:4], "big"), 256), 4))]
    if {b"avif", b"avis"} & set(brands):
        return "image/avif"
    if brands[0] in (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis"):
        return "image/heic"
    if brands[0] in (b"M4A ", b"M4B "):
        return "audio/mp4"
    return "video/quicktime" if brands[0] == b"qt  " else "video/mp4"


def _matroska(head: bytes) -> str:
    """What a browser records is WebM, with or without pictures; the kinds of its tracks stand near the beginning."""
    if b"webm" not in head[:64]:
        return "video/x-matroska"
    tracks = head[:4096]
    sound = b"A_OPUS" in tracks or b"A_VORBIS" in tracks
    return "audio/webm" if sound and not re.search(rb"V_(?:VP|AV|MPEG)", tracks) else "video/webm"


def _zip(head: bytes, tail: bytes) -> str:
    """The names in an archive stand uncompressed at its beginning and at its end."""
    if b"[Content_Types].xml" in head + tail:
        for folder, found in _ZIPPED:
            if folder in head or folder in tail:
                return found
    return "application/epub+zip" if b"mimetypeapplication/epub+zip" in head[:100] else "application/zip"


def _text(head: bytes) -> str:
    """Text of some kind, and whether a browser could take it for a page or a drawing."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "text/plain"
    if not head or _CONTROLS.search(head):
        return UNKNOWN
    beginning = _COMMENTS.sub(b"", head[:4096].removeprefix(b"\xef\xbb\xbf"), count=1)
    if beginning.startswith((b"<svg", b"<?xml", b"<!DOCTYPE svg")):
        return "image/svg+xml" if b"<svg" in beginning else "application/xml"
    return "text/html" if _HTML.match(beginning) else "text/plain"
