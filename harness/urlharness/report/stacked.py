"""Tables for a terminal too narrow for columns: below each label its figures, as many as fit into a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, OverflowMethod
from rich.text import Text

#: Columns of a figure, with the blanks before it.
_FIGURE = 6


#: Labels, and the lines of cells below them.
Row = tuple[Sequence[Text], Sequence[Text]]


def stack(console: Console, heads: Sequence[Text], rows: Iterable[Row]) -> None:
    """Print the heads, a rule, and the rows: the labels of each, and below them its cells.

    Heads and labels are cut at the width of the terminal; a cell never is, it goes on in the next line.
    """
    for head in heads:
        _label(console, head)
    console.print(Text(("-" if console.options.ascii_only else "─") * console.width))
    for labels, cells in rows:
        for label in labels:
            _label(console, label)
        for line in cells:
            console.print(line)


def lines(cells: Sequence[Text], width: int) -> Iterator[Text]:
    """Figures one below the other: lines of the same number of them, each at the right of its place."""
    fit = max(1, min(len(cells), width // _FIGURE))
    count = -(-len(cells) // fit)
    fit = -(-len(cells) // count)
    for start in range(0, len(cells), fit):
        line = Text()
        for cell in cells[start : start + fit]:
            shown = Text(cell.plain.strip(), style=cell.style)
            line.append(" " * (min(_FIGURE, width) - len(shown))).append_text(shown)
        yield line


def overflow(console: Console) -> OverflowMethod:
    """How a label that is too long is cut: the sign for it is more than one character in ASCII."""
    return "crop" if console.options.ascii_only else "ellipsis"


def _label(console: Console, label: Text) -> None:
    console.print(label, no_wrap=True, overflow=overflow(console))
