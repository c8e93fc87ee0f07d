"""Pictures: how large they are, and small copies of them. Only formats that browsers show, and no more pixels than memory bears."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from cortex.errors import CortexError, Invalid, TooLarge
from cortex.storage.files import Files

MOST_PIXELS = 50_000_000
"""A picture of more is not opened: a file of a few kilobytes may unpack to gigabytes."""
THUMBNAIL = 640
"""The longer side of a thumbnail, pixels."""
THUMBNAIL_TYPE = "image/webp"

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF")
_ORIENTATION = 0x0112
_TURNED = (5, 6, 7, 8)
_PAINTER = ThreadPoolExecutor(1, "thumbnails")
"""One at a time, since each may take some hundred megabytes; and apart, since others wait for the loop's own threads."""


async def small_copy(files: Files, thumbnails: Files, hash_: bytes) -> bytes:
    """The thumbnail of a picture: made when it is first asked for, then kept.

    Raises:
        TooLarge: it has too many pixels.
        Invalid: it is broken.
        Upstream: its file is missing.
    """
    kept = await asyncio.to_thread(_kept, thumbnails, hash_)
    if kept is not None:
        return kept
    return await asyncio.get_running_loop().run_in_executor(_PAINTER, _made, files, thumbnails, hash_)


def _kept(thumbnails: Files, hash_: bytes) -> bytes | None:
    try:
        return thumbnails.path(hash_).read_bytes()
    except OSError:
        return None  # not there yet, or unreadable: it is made anew


def _made(files: Files, thumbnails: Files, hash_: bytes) -> bytes:
    kept = _kept(thumbnails, hash_)
    if kept is not None:
        return kept  # by whoever asked a moment before
    with files.open(hash_) as file:
        made = thumbnail(file)
    with suppress(CortexError):  # a full disk is no reason to show nothing
        thumbnails.keep(hash_, made)
    return made


def size(path: Path) -> tuple[int, int] | tuple[None, None]:
    """Width and height as the picture is shown; None where its beginning cannot be read. Blocks; unpacks nothing."""
    try:
        with path.open("rb") as file, _opened(file) as image:
            width, height = image.size
            return (height, width) if image.getexif().get(_ORIENTATION) in _TURNED else (width, height)
    except Exception:  # noqa: BLE001 - a broken picture is kept like any file; the parsers raise whatever they trip over
        return None, None


def thumbnail(file: BinaryIO) -> bytes:
    """A small copy, as WebP: the first frame, upright, in sRGB, and nothing of the file's metadata. Blocks.

    Raises:
        TooLarge: it has too many pixels.
        Invalid: it is broken.
    """
    try:
        with _opened(file) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                most = f"{MOST_PIXELS // 1_000_000} million"
                raise TooLarge(f"the picture is {width} × {height}; one of more than {most} pixels gets no thumbnail")
            return _small(image)
    except TooLarge:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        reason = " ".join(f"{type(error).__name__} {error}".split())[:120]
        raise Invalid(f"this picture is broken and cannot be shown ({reason})", field="hash") from error


@contextmanager
def _opened(file: BinaryIO) -> Iterator[Any]:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # ours is the limit, and opening unpacks nothing
    with Image.open(file, formats=_FORMATS) as image:
        yield image


def _small(image: Any) -> bytes:
    from PIL import ImageOps

    if image.mode in ("1", "P", "PA"):
        image = image.convert("RGBA")  # a palette cannot be mixed
    image.thumbnail((THUMBNAIL, THUMBNAIL))
    upright = ImageOps.exif_transpose(image)
    written = io.BytesIO()
    _in_srgb(upright).save(written, "WEBP", quality=80, method=4, exif=b"", icc_profile=b"", xmp=b"")
    return written.getvalue()


def _in_srgb(image: Any) -> Any:
    """Every browser's colours: a profile goes with the metadata, so what it says is worked into the pixels."""
    from PIL import ImageCms

    see_through = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "RGBA", "CMYK", "L"):
        try:
            wide = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            mode = "RGBA" if image.mode == "RGBA" else "RGB"
            image = ImageCms.profileToProfile(image, wide, ImageCms.createProfile("sRGB"), outputMode=mode)
        except (ImageCms.PyCMSError, OSError, ValueError):
            pass  # a broken profile: the colours as they are
    return image.convert("RGBA" if see_through else "RGB")
