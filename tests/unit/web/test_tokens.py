"""The colours of the style sheet: every pair that meets on a page passes WCAG AA, in light and in dark."""

from __future__ import annotations

import re

import pytest

from cortex.web.pages import STATIC

CSS = (STATIC / "css" / "tokens.css").read_text("utf-8")
COLOUR = re.compile(r"--([\w-]+):\s*(#[0-9A-Fa-f]{6});")
LIGHT, DARK = (dict(COLOUR.findall(part)) for part in CSS.split("prefers-color-scheme: dark"))

TEXT = [
    *[(ink, paper) for ink in ("text", "muted") for paper in ("bg", "surface", "sunken", "soft")],
    *[("accent", paper) for paper in ("bg", "surface", "sunken", "soft")],
    ("on-accent", "accent"), ("on-soft", "soft"), ("on-mark", "mark"),
    ("warn", "warn-bg"), ("danger", "danger-bg"), ("ok", "ok-bg"), ("danger", "surface"),
]  # fmt: skip
SHAPES = [
    *[("edge", paper) for paper in ("bg", "surface", "sunken")],
    *[("focus", paper) for paper in ("bg", "surface", "sunken", "soft", "mark", "warn-bg", "danger-bg", "ok-bg")],
    *[("accent", paper) for paper in ("bg", "surface", "mark")],
]  # fmt: skip


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2.2."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), TEXT)
def test_text_has_4_5_to_1(scheme: dict[str, str], ink: str, paper: str) -> None:
    assert contrast(scheme[ink], scheme[paper]) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("shape", "paper"), SHAPES)
def test_shapes_have_3_to_1(scheme: dict[str, str], shape: str, paper: str) -> None:
    assert contrast(scheme[shape], scheme[paper]) >= 3


def test_both_schemes_have_the_same_colours() -> None:
    assert set(LIGHT) == set(DARK)


def test_no_colour_stands_outside_the_tokens() -> None:
    for path in (STATIC / "css").glob("*.css"):
        if path.name != "tokens.css":
            assert not re.search(r"#[0-9A-Fa-f]{3,8}\b(?!-)|rgb\(|hsl\(", path.read_text("utf-8")), path.name


def test_every_rule_stands_in_a_layer_and_every_used_token_is_defined() -> None:
    shared = set(re.findall(r"(--[\w-]+):", CSS))
    for path in (STATIC / "css").glob("*.css"):
        css = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        depth = 0
        for line in css.splitlines():
            if depth == 0 and line.strip():
                assert line.startswith("@layer"), f"{path.name}: {line}"
            depth += line.count("{") - line.count("}")
        assert set(re.findall(r"var\((--[\w-]+)", css)) <= shared | set(re.findall(r"(--[\w-]+):", css)), path.name
