"""A picture that a stand-in note embeds."""

from __future__ import annotations

import struct
import zlib


def _picture(width: int, height: int) -> bytes:
    """A PNG of a flat's plan: rooms between dark walls, in shades of grey."""
    walls = {"x": (0, 1, 150, 151, 300, 301, width - 2, width - 1), "y": (0, 1, 90, 91, height - 2, height - 1)}
    rooms = (0xF4, 0xE6, 0xDC, 0xEC, 0xD2, 0xF0)
    rows = (
        b"\0"
        + bytes(0x50 if x in walls["x"] or y in walls["y"] else rooms[x // 151 + 3 * (y // 91)] for x in range(width))
        for y in range(height)
    )
    chunks = (
        (b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"".join(rows))),
        (b"IEND", b""),
    )
    told = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(told)


PLAN = _picture(450, 180)
