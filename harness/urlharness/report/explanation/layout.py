"""Lines on a terminal or in a pipe: columns without boxes, hanging paragraphs, no blanks at the end."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_GAP = 3  # blanks between two columns
_LONGEST_LABEL = 12  # characters of a label below which nothing stands
_NARROWEST = 40  # characters of a line on the narrowest terminal


class Page:
    """A page that is written line by line.

    On a terminal paragraphs break at its width; in a pipe a paragraph is one line, for `grep`.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.terminal = console.is_terminal
        self.width = console.width

    def line(self, text: Text | str = "", style: str = "") -> None:
        """One line, as long as it is."""
        line = text if isinstance(text, Text) else Text(text, style=style)
        line.rstrip()
        self.console.print(line, soft_wrap=True)

    def heading(self, text: str) -> None:
        """A heading with an empty line before it."""
        self.line()
        self.line(text, "bold")

    def paragraph(self, text: str, indent: str = "", label: str = "", style: str = "") -> None:
        """A text behind a label; its further lines hang below it, or below a part of a long label."""
        lead = f"{label} " if label else ""
        hang = indent + " " * (cell_len(lead) if cell_len(lead) <= _LONGEST_LABEL else 2)
        lines = [indent + lead + text]
        if self.terminal:
            width = max(_NARROWEST, self.width)
            lines = textwrap.wrap(
                lead + text,
                width,
                initial_indent=indent,
                subsequent_indent=hang,
                break_on_hyphens=False,
            ) or [indent]
        for number, line in enumerate(lines):
            shown = Text(line, style=style)
            if label and number == 0:
                shown.stylize("bold" if label.endswith(":") else "cyan", len(indent), len(indent + label))
            self.line(shown)

    def fits(self, columns: Sequence[Sequence[Text]], indent: int = 0) -> bool:
        """True where the columns stand side by side; in a pipe they always do."""
        needed = sum(map(_width, columns)) + _GAP * (len(columns) - 1) + indent
        return not self.terminal or needed <= self.width

    def columns(self, rows: Iterable[Sequence[Text]], indent: str = "") -> None:
        """Rows of cells, each column as wide as its widest cell."""
        table = list(rows)
        widths = [_width(column) for column in zip(*table, strict=True)]
        for row in table:
            line = Text(indent)
            for cell, width in zip(row, widths, strict=True):
                line.append_text(cell).append(" " * (width - cell_len(cell.plain) + _GAP))
            self.line(line)


def _width(column: Iterable[Text]) -> int:
    return max((cell_len(cell.plain) for cell in column), default=0)


def titles(specs: Iterable[str]) -> str:
    """RFCs in words: `RFC 2396, 2732`."""
    return "RFC " + ", ".join(spec.removeprefix("rfc") for spec in specs)


def placed(sections: Iterable[tuple[str, str]]) -> str:
    """RFCs with a section each: `RFC 2396 (3.3), 2732 (3)`."""
    told = (f"{spec.removeprefix('rfc')} ({section})" if section else spec[3:] for spec, section in sections)
    return "RFC " + ", ".join(told)
