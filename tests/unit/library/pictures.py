"""Pictures in memory: what tests make of Pillow."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image


def picture(
    kind: str, size: tuple[int, int] = (300, 200), mode: str = "RGB", colour: Any = "red", **options: Any
) -> bytes:
    """A picture of one colour."""
    written = io.BytesIO()
    Image.new(mode, size, colour).save(written, kind, **options)
    return written.getvalue()


def turned(orientation: int, size: tuple[int, int] = (400, 100)) -> bytes:
    """A JPEG whose left half is red, right half blue, with an orientation and a place on earth in its EXIF."""
    image = Image.new("RGB", size, "red")
    image.paste("blue", (size[0] // 2, 0, *size))
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "taken at HOME-ADDRESS"
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)
    written = io.BytesIO()
    image.save(written, "JPEG", exif=exif, quality=95)
    return written.getvalue()


def bomb(side: int) -> bytes:
    """A PNG of some kilobytes that claims `side` × `side` pixels, and would hold them all."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    packed = zlib.compressobj(9)
    row = bytes(1 + 3 * side)
    rows = b"".join(packed.compress(row) for _ in range(min(side, 200))) + packed.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
