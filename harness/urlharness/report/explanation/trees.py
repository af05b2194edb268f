"""The derivation of a text: one line for rules that derive the same part, each part below its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from urlharness.report.explanation.layout import Page
from urlharness.report.terminal import plain
from urloracle.answers import Derivation

_MOST = 12  # siblings of one rule that are shown


class _Line(NamedTuple):
    """A line of the tree: guides and rules, where its text starts, the text itself, and the sections."""

    rules: str
    start: int
    text: str
    sections: str


def show(page: Page, title: str, root: Derivation) -> None:
    """Print the tree: in a pipe by indentation alone."""
    lines = list(_lines(root, "", "", guides=page.terminal))
    left = max(cell_len(line.rules) for line in lines) + 2
    text = plain(root.text)
    behind = max(len(line.sections) for line in lines) + 2
    aligned = text == root.text and (not page.terminal or left + cell_len(text) + behind <= page.width)
    if not aligned and page.terminal and left + cell_len(text) + behind > page.width:
        left = 0  # each text directly behind its rules
    page.heading(f"{title}: the derivation")
    if aligned:
        page.line(Text(" " * left).append(text, style="bold"))
    for line in lines:
        row = Text(f"{line.rules:{left}}" if left else f"{line.rules}  ")
        shown = plain(line.text)
        before = " " * cell_len(root.text[: line.start]) if aligned else ""
        row.append(before).append(shown or '""', style="green" if shown else "dim")
        fill = cell_len(text) - cell_len(before + (shown or '""')) if aligned else 0
        row.append(" " * max(fill, 0) + f"  {line.sections}", style="dim")
        page.line(row)


def shape(node: Derivation) -> tuple[object, ...]:
    """What two RFCs have in common whose rules derive the same parts, whichever section they stand in."""
    return node.rule, node.start, len(node.text), *map(shape, _children(node))


def _lines(node: Derivation, before: str, below: str, *, guides: bool) -> Iterator[_Line]:
    run = [node]
    while len(inner := _children(run[-1])) == 1 and inner[0].text == node.text:
        run.append(inner[0])
    sections = ", ".join(dict.fromkeys(one.section for one in run if one.section))
    yield _Line(before + " > ".join(one.rule for one in run), node.start, node.text, sections)
    children = _children(run[-1])
    for number, child in enumerate(children):
        if number >= _MOST and child.rule == children[number - _MOST].rule:
            rest = len(children) - number
            yield _Line(f"{below}{'└─ ' if guides else '  '}… {rest} more", child.start, " ", "")
            return
        last = number == len(children) - 1
        if guides:
            branch, further = ("└─ ", "   ") if last else ("├─ ", "│  ")
        else:
            branch = further = "  "
        yield from _lines(child, below + branch, below + further, guides=guides)


def _children(node: Derivation) -> list[Derivation]:
    """The rules inside, but for single characters, which their rules would only repeat."""
    return [child for child in node.children if len(child.text) != 1 or not child.bounded]
