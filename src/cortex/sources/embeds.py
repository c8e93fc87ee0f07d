"""Images that a note embeds: read from its source, and from nowhere else."""

from __future__ import annotations

import html
import re
from pathlib import PurePosixPath

from cortex.errors import NotFound
from cortex.sources.source import Source

IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
}
"""What is served, by ending, and as what."""

_EMBEDDED = re.compile(r'class="local-image" data-path="([^"]*)"')


def read_image(source: Source, note: str, page: str, path: str) -> tuple[bytes, str]:
    """The bytes and the media type of an image that a note embeds.

    Args:
        note: the note's external id.
        page: the note's HTML: what it embeds, and nothing else, may be read.
        path: as the note writes it.

    Raises:
        NotFound: the note embeds no such image, or its source has none there.
    """
    media = IMAGES.get(PurePosixPath(path).suffix.lower())
    if media is None or path not in {html.unescape(found) for found in _EMBEDDED.findall(page)}:
        raise NotFound(f"the note embeds no image {path!r}", field="path")
    return source.embedded(note, path), media
