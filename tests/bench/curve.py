"""A drawing of time over length, both logarithmic, so that the slope of a line is its growth.

One SVG of plain lines and text, in colours that are legible on white and on black.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple

_WIDTH, _HEIGHT = 760, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 210, 24, 44

#: Eight hues of middle lightness.
_COLOURS = ("#d1495b", "#2e86ab", "#6a994e", "#c17c00", "#8e5ea2", "#0a9396", "#b5651d", "#6c757d")
_AXES = "#808080"
_FONT = 'font-family="sans-serif" font-size="12"'


class Line(NamedTuple):
    """Seconds by length, and what stands beside them: a title and a name; thin and without both if empty."""

    title: str
    name: str
    seconds: dict[int, float]


def svg(lines: Iterable[Line], engine: str) -> str:
    """Return the drawing, the lines with a title above those without; `engine` is named below them."""
    rows = [line for line in lines if len(line.seconds) > 1]
    if not rows:
        raise ValueError("nothing to draw")
    scale = _Scale([point for row in rows for point in row.seconds.items()])
    named = sorted((row for row in rows if row.title), key=lambda row: -max(row.seconds.values()))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" {_FONT}>',
            "<title>Seconds over characters on hostile texts</title>",
            *scale.axes(f"characters ({engine})"),
            *(scale.path(row.seconds, _AXES, 0.6, 0.4) for row in rows if not row.title),
            *_named(scale, named),
            "</svg>\n",
        )
    )


def _named(scale: _Scale, rows: list[Line]) -> Iterator[str]:
    """Yield heavy lines, each with its name at the right where there is room, in the order of their ends."""
    height = float(_TOP)
    for number, (title, name, seconds) in enumerate(rows):
        colour = _COLOURS[number % len(_COLOURS)]
        dashes = "" if number < len(_COLOURS) else ' stroke-dasharray="5 3"'
        yield scale.path(seconds, colour, 2, 1, dashes)
        x, y = scale.point(*max(seconds.items()))
        height = max(height + 26, y)
        lead = f"M{x:.1f} {y:.1f}L{_WIDTH - _RIGHT + 14} {height:.1f}"
        yield f'<path d="{lead}" stroke="{colour}" opacity="0.5"/>'
        at = f'x="{_WIDTH - _RIGHT + 18}"'
        yield f'<text {at} y="{height:.1f}" fill="{colour}">{escape(title)}</text>'
        yield f'<text {at} y="{height + 11:.1f}" fill="{colour}" font-size="10">{escape(name)}</text>'


class _Scale:
    """From characters and seconds to the places of a drawing."""

    def __init__(self, points: list[tuple[int, float]]) -> None:
        sizes, times = zip(*points, strict=True)
        self.sizes = range(math.floor(math.log10(min(sizes))), math.ceil(math.log10(max(sizes))) + 1)
        self.times = range(math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))) + 1)

    def point(self, size: int, seconds: float) -> tuple[float, float]:
        across = (math.log10(size) - self.sizes[0]) / (len(self.sizes) - 1 or 1)
        up = (math.log10(seconds) - self.times[0]) / (len(self.times) - 1 or 1)
        return (
            _LEFT + across * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM),
        )

    def path(
        self, seconds: dict[int, float], colour: str, width: float, opacity: float, more: str = ""
    ) -> str:
        places = "L".join(
            f"{x:.1f} {y:.1f}" for x, y in (self.point(*point) for point in sorted(seconds.items()))
        )
        stroke = f'stroke="{colour}" stroke-width="{width}" opacity="{opacity}"'
        return f'<path d="M{places}" fill="none" {stroke}{more}/>'

    def axes(self, name: str) -> Iterator[str]:
        """Yield a line for each power of ten, with its number, and the name of the horizontal axis."""
        right, bottom, fill = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM, f'fill="{_AXES}"'
        for power in self.sizes:
            x, _ = self.point(10**power, 10.0 ** self.times[0])
            yield f'<path d="M{x:.1f} {_TOP}V{bottom}" stroke="{_AXES}" opacity="0.3"/>'
            yield f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" {fill}>{10**power:,}</text>'
        for power in self.times:
            _, y = self.point(10 ** self.sizes[0], 10.0**power)
            yield f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="{_AXES}" opacity="0.3"/>'
            yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" {fill}>{_time(power)}</text>'
        middle = (_LEFT + right) / 2
        yield f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle" {fill}>{escape(name)}</text>'


def _time(power: int) -> str:
    for unit, exponent in (("s", 0), ("ms", -3), ("µs", -6)):
        if power >= exponent:
            return f"{10 ** (power - exponent):,} {unit}"
    return f"{10 ** (power + 9):,} ns"
