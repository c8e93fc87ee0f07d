"""Thumbnails: small, upright, without what the camera wrote, and never at the price of the memory."""

from __future__ import annotations

import io
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image, ImageCms
from tests.unit.library.pictures import bomb, picture, turned

from cortex.errors import Invalid, TooLarge
from cortex.library import pictures
from cortex.library.pictures import MOST_PIXELS, THUMBNAIL, size, thumbnail


def made(raw: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(thumbnail(io.BytesIO(raw))))
    image.load()
    return image


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF"])
def test_every_kind_that_browsers_show(kind: str, tmp_path: Path) -> None:
    raw = picture(kind, (1300, 650))
    (tmp_path / "a").write_bytes(raw)
    assert size(tmp_path / "a") == (1300, 650)
    small = made(raw)
    assert (small.format, small.size) == ("WEBP", (THUMBNAIL, THUMBNAIL // 2))


@pytest.mark.parametrize("extreme", [(5000, 1), (1, 5000), (1, 1)])
def test_thin_and_tiny_ones(extreme: tuple[int, int]) -> None:
    small = made(picture("PNG", extreme))
    assert max(small.size) <= THUMBNAIL
    assert min(small.size) == 1


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_upright_and_without_what_the_camera_wrote(orientation: int, tmp_path: Path) -> None:
    raw = turned(orientation)
    (tmp_path / "a.jpg").write_bytes(raw)
    standing = orientation in (6, 8)
    assert size(tmp_path / "a.jpg") == ((100, 400) if standing else (400, 100))
    written = thumbnail(io.BytesIO(raw))
    small = Image.open(io.BytesIO(written))
    assert (small.width < small.height) == standing
    near = {1: (5, 50), 3: (395, 50), 6: (50, 5), 8: (50, 395)}[orientation]  # where the red end is seen
    red, _, blue = small.convert("RGB").getpixel(near)  # type: ignore[misc]
    assert red > 200 > blue
    assert b"HOME-ADDRESS" in raw
    for trace in (b"HOME-ADDRESS", b"EXIF", b"Exif", b"XMP ", b"ICCP"):
        assert trace not in written
    assert not small.getexif()


def test_see_through_stays_see_through() -> None:
    small = made(picture("PNG", mode="RGBA", colour=(10, 20, 30, 0)))
    assert small.mode == "RGBA"
    assert small.getchannel("A").getextrema() == (0, 0)
    palette = Image.new("P", (40, 40), 0)
    written = io.BytesIO()
    palette.save(written, "GIF", transparency=0)
    assert made(written.getvalue()).convert("RGBA").getchannel("A").getextrema() == (0, 0)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_png(mode: str) -> None:
    assert made(picture("PNG", mode=mode, colour=1)).size == (300, 200)


def test_a_colour_profile_is_worked_in() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for given in (profile, b"no profile", profile[:200]):
        red = made(picture("JPEG", icc_profile=given, quality=95)).convert("RGB").getpixel((10, 10))
        assert red[0] > 240  # type: ignore[index]
    cmyk = made(picture("JPEG", mode="CMYK", colour=(0, 0, 0, 0)))
    assert cmyk.mode == "RGB"


def test_an_animation_gives_its_first_picture() -> None:
    written = io.BytesIO()
    frames = [Image.new("RGB", (50, 50), colour) for colour in ("red", "blue", "green")]
    frames[0].save(written, "GIF", save_all=True, append_images=frames[1:])
    small = made(written.getvalue())
    assert getattr(small, "n_frames", 1) == 1
    assert small.convert("RGB").getpixel((5, 5))[0] > 200  # type: ignore[index]


def test_a_bomb_is_refused_before_it_goes_off(tmp_path: Path) -> None:
    raw = bomb(60_000)
    (tmp_path / "a.png").write_bytes(raw)
    assert len(raw) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match="60000 × 60000; one of more than 50 million pixels"):
            thumbnail(io.BytesIO(raw))
        assert size(tmp_path / "a.png") == (60_000, 60_000)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_the_limit_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_PIXELS >= 49_979_040  # what today's telephones take
    monkeypatch.setattr(pictures, "MOST_PIXELS", 100)
    assert made(picture("PNG", (10, 10))).size == (10, 10)
    with pytest.raises(TooLarge):
        thumbnail(io.BytesIO(picture("PNG", (11, 10))))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF"])
def test_broken_ones_say_so(kind: str, tmp_path: Path) -> None:
    raw = picture(kind, (200, 200), colour="green")
    for cut in (8, 20, len(raw) // 2):
        (tmp_path / "a").write_bytes(raw[:cut])
        size(tmp_path / "a")
        with suppress(Invalid):  # a format that shows what it has may show it
            thumbnail(io.BytesIO(raw[:cut]))
    with pytest.raises(Invalid, match="broken"):
        thumbnail(io.BytesIO(raw[:20]))


@pytest.mark.parametrize(
    "raw", [b"", b"%!PS-Adobe\n", b"<svg/>", b"II*\0" + bytes(50), picture("BMP"), picture("TIFF"), picture("ICO")]
)
def test_nothing_but_those_kinds_is_opened(raw: bytes) -> None:
    """Pillow reads many more formats; each is code that a file may be made to break."""
    with pytest.raises(Invalid):
        thumbnail(io.BytesIO(raw))
