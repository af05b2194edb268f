"""The explanation on a terminal or in a pipe: RFCs side by side, differences, steps, derivation tree."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from urlharness.corpus.differences import load_rulings
from urlharness.explain.classify import ABSENT, EMPTY, character
from urlharness.explain.gather import Change, Explained, buffers
from urlharness.text import plain
from urloracle.derivation import Derivation
from urloracle.errors import describe
from urloracle.explanation import Explanation
from urloracle.rfc.resolution import Resolution

_GAP = 3  # spaces between two columns
_LONGEST_LABEL = 12  # characters of a label that further lines are indented by
_NARROWEST = 40  # characters of a line on the narrowest terminal
_MOST = 12  # siblings of one rule that are shown
_ABSENT_VALUE = re.compile(r"(?:, )?\b\w+ \(absent\)")
#: The steps of RFC 3986, section 5.2.4, that remove no segment from the output.
_MOVES = {
    "2A": "drops a dot segment at the start",
    "2B": "drops `.`",
    "2C": "drops `..`: there is nothing left to remove",
    "2D": "drops the dot segment that is left",
    "2E": "moves",
}
#: Rows of components, each with its names in the RFCs (RFC 1738, 3; RFC 1808, 2.1).
_ROWS = (
    ("scheme",),
    ("authority", "net_loc"),
    ("userinfo", "user"),
    ("password",),
    ("host",),
    ("port",),
    ("path", "hpath", "fpath", "ppath", "urlpath", "encoded822addr"),
    ("params",),
    ("query", "search"),
    ("fragment",),
)


class Page:
    """Writes lines; paragraphs are wrapped on a terminal, and one line each in a pipe, for `grep`."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.terminal = console.is_terminal
        self.width = console.width

    def line(self, text: Text | str = "", style: str = "") -> None:
        """Write one line without wrapping."""
        line = text if isinstance(text, Text) else Text(text, style=style)
        line.rstrip()
        self.console.print(line, soft_wrap=True)

    def heading(self, text: str) -> None:
        """Write a heading after an empty line."""
        self.line()
        self.line(text, "bold")

    def paragraph(self, text: str, indent: str = "", label: str = "", style: str = "") -> None:
        """Write a text after a label; further lines are indented."""
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
        """Return True if the columns fit side by side; in a pipe they always do."""
        needed = sum(map(_width, columns)) + _GAP * (len(columns) - 1) + indent
        return not self.terminal or needed <= self.width

    def columns(self, rows: Iterable[Sequence[Text]], indent: str = "") -> None:
        """Write rows of cells, each column as wide as its widest cell."""
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
    """Name RFCs: `RFC 2396, 2732`."""
    return "RFC " + ", ".join(spec.removeprefix("rfc") for spec in specs)


def with_sections(sections: Iterable[tuple[str, str]]) -> str:
    """Name RFCs with a section each: `RFC 2396 (3.3), 2732 (3)`."""
    told = (f"{spec.removeprefix('rfc')} ({section})" if section else spec[3:] for spec, section in sections)
    return "RFC " + ", ".join(told)


def show_resolution(page: Page, explained: Explained) -> None:
    """Print base, reference, and the steps of each RFC; RFCs with the same steps are one group."""
    base, reference = plain(explained.base or "") or '""', plain(explained.text) or '""'
    page.columns(
        [[Text("base", style="dim"), Text(base, style="bold")],
         [Text("reference", style="dim"), Text(reference, style="bold")]]
    )  # fmt: skip
    for spec in explained.silent:
        page.line()
        page.line(f"{titles([spec])} does not define relative references.", "dim")
    groups: list[list[str]] = []
    for spec, answer in explained.answers.items():
        told = explained.targets.get(spec), answer.steps
        last = groups[-1][0] if groups else None
        same = last and told == (explained.targets.get(last), explained.answers[last].steps)
        if same and told[0] is not None:
            groups[-1].append(spec)
        else:
            groups.append([spec])
    for group in groups:
        if group[0] in explained.targets:
            _show_steps(page, group, explained.changes(group[0]), explained.targets[group[0]])


def _show_steps(page: Page, group: Sequence[str], steps: Sequence[Change], target: Resolution) -> None:
    page.heading(titles(group))
    rows = [_row(change, before) for change, before in zip(steps, [None, *steps], strict=False)]
    if page.fits(list(zip(*rows, strict=True)), 2):
        page.columns(rows, "  ")
    else:
        for label, what, value in rows:
            page.paragraph(what.plain, "  ", label.plain)
            if value.plain:
                page.line(Text("     ").append_text(value))
    page.line(Text().append("  target  ", "dim").append(plain(target.text) or '""', "bold green"))
    if target.same_document:
        page.line(Text().append("          the current document  (R-2396-06)", "dim"))
    for other in target.also:
        shown = "a refusal" if other.text is None else plain(other.text) or '""'
        why = f"  ({other.variant}, {other.ruling})"
        page.line(Text().append("  or      ", "dim").append(shown).append(why, "dim"))


def _row(change: Change, before: Change | None) -> list[Text]:
    step = change.step
    state = buffers(step)
    if state is None:
        what, value = step.what, _ABSENT_VALUE.sub("", step.value).removeprefix(", ")
        if change.removed:
            what = f"{what}: {'/'.join(change.removed)}"
        if step.label == "5.2.4":
            value = f"{value}  (output | input)"
        return [Text(step.label), Text(plain(what)), Text(plain(value), style="green")]
    label = step.label.strip()
    what = _MOVES[label]
    if label == "2E":
        earlier = buffers(before.step) if before else None
        moved = state[0][len(earlier[0]) if earlier else 0 :]
        what = f"moves {moved} to the output"
    elif change.removed and change.removed != ("..",):
        what = f"removes {change.removed[0]} from the output, with the `..`"
    value = f"{state[0] or '·'} | {state[1] or '·'}"
    return [Text(f"  {label}"), Text(plain(what)), Text(plain(value), style="green")]


class _Line(NamedTuple):
    """A line of the tree: guides and rules, the offset of its text, the text, and the sections."""

    rules: str
    start: int
    text: str
    sections: str


def show_tree(page: Page, title: str, root: Derivation) -> None:
    """Print the tree; in a pipe by indentation only."""
    lines = list(_lines(root, "", "", guides=page.terminal))
    left = max(cell_len(line.rules) for line in lines) + 2
    text = plain(root.text)
    trailing = max(len(line.sections) for line in lines) + 2
    aligned = text == root.text and (not page.terminal or left + cell_len(text) + trailing <= page.width)
    if not aligned and page.terminal and left + cell_len(text) + trailing > page.width:
        left = 0  # each text directly after its rules
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
    """Return a key that is equal for trees with the same rules and parts, whatever their sections."""
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
    """Return the inner nodes, except single characters."""
    return [child for child in node.children if len(child.text) != 1 or not child.bounded]


def show_explanation(console: Console, explained: Explained, *, tree: bool) -> None:
    """Print an explanation, with `tree` also the derivations."""
    page = Page(console)
    if explained.base is None:
        page.line(plain(explained.text) or EMPTY, "bold")
        page.line()
        _table(page, explained.answers)
    else:
        show_resolution(page, explained)
    _differences(page, explained)
    _problems(page, explained)
    if tree:
        shapes = {spec: shape(one.derivation) for spec, one in explained.answers.items() if one.derivation}
        for group in _groups(shapes):
            derivation = explained.answers[group[0]].derivation
            assert derivation is not None  # only these have a shape
            show_tree(page, titles(group), derivation)


def _groups(said: Mapping[str, Any]) -> list[list[str]]:
    """Group neighbours with equal values."""
    groups: list[list[str]] = []
    for spec in said:
        if groups and said[groups[-1][0]] == said[spec]:
            groups[-1].append(spec)
        else:
            groups.append([spec])
    return groups


def _verdict(answer: Explanation) -> tuple[int | None, Any]:
    """Return what two RFCs must share to be in one column."""
    return (None if answer.problem is None else answer.problem.position, answer.components)


def _table(page: Page, answers: Mapping[str, Explanation]) -> None:
    groups = _groups({spec: _verdict(answer) for spec, answer in answers.items()})
    first = [answers[group[0]] for group in groups]
    heads = [Text(titles(group), style="bold") for group in groups]
    rows = [("", heads), ("verdict", [_verdict_cell(answer) for answer in first])]
    for names in (*_ROWS, *((name,) for name in _further(first))):
        cells = [_cell(answer, names) for answer in first]
        if any(cell.plain not in ("", ABSENT) for cell in cells):
            rows.append((_label(names, first), cells))
    columns = list(zip(*([Text(label), *cells] for label, cells in rows), strict=True))
    if page.fits(columns):
        page.columns([Text(label, style="dim"), *cells] for label, cells in rows)
    else:
        for head, *cells in list(zip(*(cells for _, cells in rows), strict=True)):
            page.line(head)
            told = [(label, cell) for (label, _), cell in zip(rows[1:], cells, strict=True) if cell.plain]
            page.columns(([Text(label, style="dim"), cell] for label, cell in told), "  ")
    shown = {cell.plain for _, cells in rows for cell in cells}
    legend = [f"{sign} {word}" for sign, word in ((ABSENT, "absent"), (EMPTY, "empty")) if sign in shown]
    if legend:
        page.line()
        page.line(", ".join(legend), "dim")


def _further(answers: Iterable[Explanation]) -> list[str]:
    """Return components without a row: those of single schemes of RFC 1738."""
    known = {name for names in _ROWS for name in names}
    found = (name for answer in answers for name in (answer.components or {}))
    return [name for name in dict.fromkeys(found) if name not in known]


def _label(names: Iterable[str], answers: Iterable[Explanation]) -> str:
    used = {name for answer in answers for name in (answer.components or {})}
    return " / ".join(name for name in names if name in used)


def _verdict_cell(answer: Explanation) -> Text:
    if answer.problem is None:
        return Text("valid", style="green")
    return Text(f"invalid at {answer.problem.position}", style="red")


def _cell(answer: Explanation, names: Iterable[str]) -> Text:
    components = answer.components or {}
    name = next((name for name in names if name in components), None)
    if name is None:
        return Text("")
    value = components[name]
    if value is None or value == "":
        return Text(ABSENT if value is None else EMPTY, style="dim")
    if isinstance(value, list):
        return Text(plain(", ".join(f"{field}={text}" for field, text in value)))
    return Text(plain(value))


def _differences(page: Page, explained: Explained) -> None:
    if not explained.differences.named and not explained.differences.unnamed:
        return
    page.heading("Where they differ")
    for named in explained.differences.named:
        page.line()
        page.paragraph(f"{named.entry.title}  [{named.entry.id}]", style="bold")
        for side in named.sides:
            page.paragraph(plain(side.what), "  ", f"{with_sections(side.sections.items())}:")
        page.paragraph(named.entry.statement, "  ")
        page.paragraph(named.entry.effect, "  ", "Effect:")
        for ruling in named.rulings:
            page.paragraph(load_rulings().get(ruling, ""), "  ", ruling, "dim")
    for sides in explained.differences.unnamed:
        page.line()
        page.line("A difference without a class", "bold")
        for side in sides:
            page.paragraph(plain(side.what), "  ", f"{titles(side.sections)}:")


def _problems(page: Page, explained: Explained) -> None:
    """Print each reason to refuse a text once, with all its RFCs."""
    told: dict[Any, list[Explanation]] = {}
    for answer in explained.answers.values():
        if answer.problem is not None:
            problem = answer.problem
            near = answer.nearest.text if answer.nearest else None
            said = (problem.text, problem.position, problem.reason, problem.expected, near)
            told.setdefault(said, []).append(answer)
    if not told:
        return
    page.heading("Not valid")
    for answers in told.values():
        page.line()
        _problem(page, answers)
    if explained.generic:
        page.line()
        page.paragraph(
            "The generic form of RFC 1738 derives it; the rule of its scheme does not (R-1738-01).", "  "
        )


def _problem(page: Page, answers: list[Explanation]) -> None:
    first = answers[0]
    problem = first.problem
    assert problem is not None  # these answers are refusals
    sections = ((one.spec, one.problem.section) for one in answers if one.problem is not None)
    where = f"{with_sections(sections)}:"
    at = problem.position
    if problem.reason:
        what = problem.reason
    elif at >= len(problem.text):
        what = "it ends too early"
    else:
        what = f"{character(problem.text[at])} at offset {at}"
    page.paragraph(what, "", where)
    for line in caret(problem.text, at, page.width if page.terminal else 0):
        page.line(line, "red" if line.strip() == "^" else "")
    if not problem.reason:
        page.paragraph(describe(problem.expected), "  ", "expected:")
    if first.nearest is not None:
        done = f"{first.nearest.edit} {character(first.nearest.character)} at offset {first.nearest.offset}"
        page.paragraph(f"{plain(first.nearest.text) or EMPTY} ({done})", "  ", "nearest:")


def caret(text: str, position: int, width: int) -> list[str]:
    """Return the text, cut around the offset if it is too wide, and a caret below the offset."""
    room = max((width or 400) - 10, 20)
    start = 0 if len(text) <= room else max(0, position - room // 2)
    shown = [plain(char) for char in text[start : start + room]]
    lead = "..." if start else ""
    tail = "..." if start + room < len(text) else ""
    indent = len(lead) + sum(map(len, shown[: position - start]))
    return [f"  {lead}{''.join(shown)}{tail}", f"  {' ' * indent}^"]
