"""The parts of a drawing as SVG: stages, panels, chips, arrows; light or dark as the reader prefers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

WIDTH = 1040
#: Left edge and width of the boxes of the stages, and of the panels.
STAGE_X = 32
STAGE = 226
PANEL_X = 286
PANEL = 722
INDENT = PANEL_X + 20

#: Maps each colour class to its value in the light and in the dark theme.
_COLOURS = {
    "ground": ("#ffffff", "#0f1419"),
    "card": ("#f5f7fa", "#1a2129"),
    "line": ("#cfd6df", "#37424e"),
    "ink": ("#1b2330", "#e6ebf1"),
    "soft": ("#5a6778", "#9aa8b8"),
    "stage": ("#22415f", "#234a70"),
    "on": ("#ffffff", "#f2f7fc"),
    "fade": ("#b9cbdd", "#a9c1d9"),
    "good": ("#1a7f5a", "#43c393"),
    "bad": ("#c5283d", "#ff6b7d"),
    "g0": ("#4c6a92", "#88a9d6"),
    "g1": ("#1a7f5a", "#43c393"),
    "g2": ("#9a6700", "#e0aa3e"),
    "g3": ("#8250a8", "#c195e6"),
}
_SANS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
_MONO = "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def document(height: int, title: str, description: str, body: Iterable[str]) -> str:
    """Return the whole drawing."""
    dimensions = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {dimensions} role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(description)}</desc>',
        *_style(),
        f'<rect width="{WIDTH}" height="{height}" rx="14" class="f-ground"/>',
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _style() -> list[str]:
    """Return the lines of the style sheet, in which dark colours override the light ones."""
    return [
        "<style>",
        f"text {{ font-family: {_SANS}; }}",
        f".mono {{ font-family: {_MONO}; }}",
        ".bold { font-weight: 600; }",
        *(_style_rules(name, light) for name, (light, _) in _COLOURS.items()),
        "@media (prefers-color-scheme: dark) {",
        *(_style_rules(name, dark) for name, (_, dark) in _COLOURS.items()),
        "}",
        "</style>",
    ]


def _style_rules(name: str, colour: str) -> str:
    """Return the CSS classes `f-NAME`, which fills with a colour, and `s-NAME`, which draws lines in it."""
    return f".f-{name} {{ fill: {colour}; }} .s-{name} {{ stroke: {colour}; fill: none; }}"


def text(
    x: float, y: float, content: str, size: float = 13, style: str = "f-ink", anchor: str = "start"
) -> str:
    """Return a line of text; `style` lists CSS classes."""
    alignment = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" class="{style}"{alignment} '
        f'xml:space="preserve">{escape(content)}</text>'
    )


def mono(
    x: float, y: float, content: str, size: float = 13, style: str = "f-ink", anchor: str = "start"
) -> str:
    """Return a line of code."""
    return text(x, y, content, size, f"mono {style}", anchor)


def box(
    x: float, y: float, width: float, height: float, style: str, radius: float = 8, extra: str = ""
) -> str:
    """Return a rounded rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
        f'class="{style}"{extra}/>'
    )


def circle(x: float, y: float, radius: float, style: str, width: float = 1.6) -> str:
    """Return a circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{style}" stroke-width="{width:g}"/>'


def curve(path: str, style: str, width: float = 1.6, extra: str = "") -> str:
    """Return a path."""
    return f'<path d="{path}" class="{style}" stroke-width="{width:g}" stroke-linecap="round"{extra}/>'


def straight(*points: tuple[float, float]) -> str:
    """Return the path of the straight lines from each point to the next, for `curve`."""
    return "M" + " L".join(f"{x:g} {y:g}" for x, y in points)


def arrow(x: float, y: float, to_x: float, to_y: float, colour: str = "soft", extra: str = "") -> str:
    """Return a straight arrow, to the right or down."""
    style = f"s-{colour}"
    line = curve(straight((x, y), (to_x, to_y)), style, extra=extra)
    head = _arrow_head_right(to_x, to_y) if to_x > x else arrow_head_down(to_x, to_y)
    return line + curve(head, style)


def arrow_head_down(x: float, y: float) -> str:
    """Return the path of the head of an arrow that points down to a point."""
    return straight((x - 4, y - 6), (x, y), (x + 4, y - 6))


def _arrow_head_right(x: float, y: float) -> str:
    """Return the path of the head of an arrow that points right to a point."""
    return straight((x - 6, y - 4), (x, y), (x - 6, y + 4))


def stage(
    y: float, height: float, number: int, name: str, explanation: Sequence[str], figure: str
) -> list[str]:
    """Return the box of a stage on the left: its name, the lines of an explanation, and its figure."""
    x = STAGE_X + 18
    parts = [
        box(STAGE_X, y, STAGE, height, "f-stage", 10),
        text(x, y + 29, f"{number}  {name}", 16, "f-on bold"),
    ]
    for row, line in enumerate(explanation):
        parts.append(text(x, y + 50 + 17 * row, line, 12.5, "f-fade"))
    parts.append(mono(x, y + height - 14, figure, 12, "f-on"))
    return parts


def panel(y: float, height: float) -> list[str]:
    """Return the panel on the right, which shows the result of a stage."""
    return [
        box(PANEL_X, y, PANEL, height, "f-card", 10),
        curve(straight((STAGE_X + STAGE, y + 24), (PANEL_X, y + 24)), "s-line", 2),
    ]


def chips(x: float, y: float, limit: float, names: Iterable[tuple[str, str]]) -> list[str]:
    """Return names in outlined boxes, each with its colour, in lines that end before x = `limit`."""
    parts = []
    chip_x = x
    chip_y = y
    for name, colour in names:
        width = 7.0 * len(name) + 14
        if chip_x + width > limit:
            chip_x = x
            chip_y += 28
        parts.append(box(chip_x, chip_y, width, 22, f"s-{colour}", 11))
        parts.append(mono(chip_x + width / 2, chip_y + 15, name, 11.5, f"f-{colour}", "middle"))
        chip_x += width + 7
    return parts


def squares(x: float, y: float, colours: Sequence[str], labels: Sequence[str], step: float) -> list[str]:
    """Return a row of small squares, each with its colour and its label, which can be empty."""
    parts = []
    for number, (colour, label) in enumerate(zip(colours, labels, strict=True)):
        square_x = x + step * number
        parts.append(box(square_x, y, step - 2, 20, f"f-{colour}", 3))
        if label:
            parts.append(mono(square_x + (step - 2) / 2, y + 14, label, 10.5, "f-ground bold", "middle"))
    return parts
