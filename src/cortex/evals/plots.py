"""Plots as inline SVG: lines and ranges of dots. Colours and light or dark come from the page's style (`page.css`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT = 460, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 12, 44
_ROW = 26
_LABELS = 104

Points = Sequence[tuple[float, float]]


def lines(
    title: str,
    series: Mapping[str, Points],
    x: str,
    y: str,
    *,
    ticks: Mapping[float, str] | None = None,
    stepped: bool = False,
    marks: Mapping[str, tuple[float, float]] | None = None,
) -> str:
    """One line per series over x and y from 0 to 1.

    Args:
        ticks: where the x axis is labelled, and how; else quarters as percentages.
        stepped: between two points the first one holds.
        marks: a point of a series to be drawn large.
    """
    quarters = {n / 4: f"{n * 25} %" for n in range(5)}
    body = [*_grid(ticks or quarters, quarters), _text(_middle(), _HEIGHT - 8, x, "middle axis"), _side(y)]
    for number, (name, points) in enumerate(series.items()):
        body.append(f'<path class="line s{number}" d="{_path(points, stepped)}"><title>{escape(name)}</title></path>')
        if marks and name in marks:
            left, top = _at(*marks[name])
            told = f"{name}: {marks[name][1]:.3f} at {marks[name][0]:.3f}"
            body.append(f'<circle class="dot s{number}" cx="{left:.1f}" cy="{top:.1f}" r="5">{_title(told)}</circle>')
    return _figure(title, _WIDTH, _HEIGHT, body, list(series))


def dots(title: str, rows: Mapping[str, Mapping[str, float]], series: Sequence[str], low: float, high: float) -> str:
    """A row of dots per name, one per series, on an axis from `low` to `high`; where they fall together, one below another."""
    height = _TOP + _ROW * len(rows) + _BOTTOM
    body = list(_columns(low, high, height))
    for line, (name, values) in enumerate(rows.items()):
        middle = _TOP + _ROW * (line + 0.5)
        body.append(_text(_LABELS - 10, middle + 4, name, "end"))
        body.append(f'<line class="grid" x1="{_LABELS}" x2="{_WIDTH - _RIGHT}" y1="{middle:.1f}" y2="{middle:.1f}"/>')
        for number, one in enumerate(series):
            if one in values:
                left = _along(values[one], low, high)
                top = middle + (number - (len(series) - 1) / 2) * 4
                told = f"{name}, {one}: {values[one]:.3f}"
                body.append(
                    f'<circle class="dot s{number}" cx="{left:.1f}" cy="{top:.1f}" r="4">{_title(told)}</circle>'
                )
    return _figure(title, _WIDTH, height, body, series)


def _figure(title: str, width: int, height: int, body: Sequence[str], legend: Sequence[str]) -> str:
    keys = "".join(f'<li><i class="key s{number}"></i>{escape(name)}</li>' for number, name in enumerate(legend))
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><ul class="legend">{keys}</ul>'
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">{"".join(body)}</svg></figure>'
    )


def _grid(columns: Mapping[float, str], rows: Mapping[float, str]) -> Iterator[str]:
    for value, label in columns.items():
        left, _ = _at(value, 0)
        yield f'<line class="grid" x1="{left:.1f}" x2="{left:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>'
        yield _text(left, _HEIGHT - _BOTTOM + 16, label, "middle")
    for value, label in rows.items():
        _, top = _at(0, value)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{top:.1f}" y2="{top:.1f}"/>'
        yield _text(_LEFT - 6, top + 4, label, "end")


def _columns(low: float, high: float, height: int) -> Iterator[str]:
    for n in range(5):
        value = low + (high - low) * n / 4
        left = _along(value, low, high)
        yield f'<line class="grid" x1="{left:.1f}" x2="{left:.1f}" y1="{_TOP}" y2="{height - _BOTTOM}"/>'
        yield _text(left, height - _BOTTOM + 18, f"{value:+.2f}" if low < 0 else f"{value:.2f}", "middle")
    if low < 0 < high:
        left = _along(0, low, high)
        yield f'<line class="zero" x1="{left:.1f}" x2="{left:.1f}" y1="{_TOP}" y2="{height - _BOTTOM}"/>'


def _path(points: Points, stepped: bool) -> str:
    places = [_at(*point) for point in points]
    drawn = [f"M{places[0][0]:.1f} {places[0][1]:.1f}"] if places else []
    for left, top in places[1:]:
        drawn.append(f"H{left:.1f}V{top:.1f}" if stepped else f"L{left:.1f} {top:.1f}")
    return "".join(drawn)


def _at(x: float, y: float) -> tuple[float, float]:
    return _LEFT + x * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - y * (_HEIGHT - _TOP - _BOTTOM)


def _along(value: float, low: float, high: float) -> float:
    inside = min(high, max(low, value))
    return _LABELS + 8 + (inside - low) / (high - low) * (_WIDTH - _RIGHT - _LABELS - 16)


def _middle() -> float:
    return (_LEFT + _WIDTH - _RIGHT) / 2


def _side(label: str) -> str:
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    turned = f'transform="rotate(-90 12 {middle:.0f})"'
    return f'<text class="middle axis" x="12" y="{middle:.0f}" {turned}>{escape(label)}</text>'


def _text(left: float, top: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{left:.1f}" y="{top:.1f}">{escape(text)}</text>'


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>"
