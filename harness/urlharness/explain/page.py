"""Print an explanation to a terminal or a pipe: answers of the RFCs, differences, steps, derivation trees."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from urlharness.corpus.differences import load_rulings
from urlharness.explain.classify import ABSENT, EMPTY, character
from urlharness.explain.gather import Explained
from urlharness.text import plain
from urloracle.derivation import Derivation
from urloracle.errors import InvalidURL, describe
from urloracle.explanation import Repair
from urloracle.rfc.resolution import Step

_GAP = 3  # spaces between two columns
_LONGEST_LABEL = 12  # after a longer label, continuation lines are indented by 2
_NARROWEST = 40  # lines are never wrapped to fewer characters
_MOST = 12  # the maximum number of siblings with the same rule that are shown
#: The steps of RFC 3986, section 5.2.4, in words. If step 2C removes a segment, it has different words.
_MOVES = {
    "2A": "drops a dot segment at the start",
    "2B": "drops `.`",
    "2C": "drops `..`; the output has no segment to remove",
    "2D": "drops the dot segment, which is all that remains",
    "2E": "moves {moved} to the output",
}
#: The rows of the table of components. Each row contains all names of a component (RFC 1738, 3; RFC 1808,
#: 2.1).
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
    """Writes lines.

    It wraps paragraphs only on a terminal, because `grep` in a pipe needs whole sentences.
    """

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
        """Write a label and a text. Continuation lines are indented."""
        lead = f"{label} " if label else ""
        hang = indent + " " * (cell_len(lead) if cell_len(lead) <= _LONGEST_LABEL else 2)
        lines = [indent + lead + text]
        if self.terminal:
            width = max(_NARROWEST, self.width)
            lines = textwrap.wrap(
                lead + text, width, initial_indent=indent, subsequent_indent=hang, break_on_hyphens=False
            ) or [indent]
        for number, line in enumerate(lines):
            shown = Text(line, style=style)
            if label and number == 0:
                shown.stylize("bold" if label.endswith(":") else "cyan", len(indent), len(indent + label))
            self.line(shown)

    def columns(self, rows: Iterable[Sequence[Text]], indent: str = "", *, anyway: bool = False) -> bool:
        """Write rows of cells in aligned columns and return True.

        If the rows are too wide for the terminal, write nothing and return False, unless `anyway` is true.
        """
        table = list(rows)
        widths = [max(cell_len(cell.plain) for cell in column) for column in zip(*table, strict=True)]
        needed = len(indent) + sum(widths) + _GAP * (len(widths) - 1)
        if self.terminal and needed > self.width and not anyway:
            return False
        for row in table:
            line = Text(indent)
            for cell, width in zip(row, widths, strict=True):
                line.append_text(cell).append(" " * (width - cell_len(cell.plain) + _GAP))
            self.line(line)
        return True


def titles(specs: Iterable[str], sections: Mapping[str, str] | None = None) -> str:
    """Return the names of RFCs, with their sections if they are given: `RFC 2396 (3.3), 2732`."""
    found = {spec: (sections or {}).get(spec) for spec in specs}
    numbers = [
        spec.removeprefix("rfc") + (f" ({section})" if section else "") for spec, section in found.items()
    ]
    return f"RFC {', '.join(numbers)}"


def _show_resolution(page: Page, explained: Explained) -> None:
    """Print the base, the reference, and the steps of each RFC. Print RFCs with the same steps together."""
    given = (("base", explained.base or ""), ("reference", explained.text))
    rows = [[Text(label, style="dim"), Text(plain(text) or EMPTY, style="bold")] for label, text in given]
    page.columns(rows, anyway=True)
    for spec in explained.silent:
        page.line()
        page.line(f"{titles([spec])} does not define relative references.", "dim")
    targets = explained.targets
    for group in _groups({spec: (target, explained.answers[spec].steps) for spec, target in targets.items()}):
        page.heading(titles(group))
        _show_steps(page, explained.answers[group[0]].steps)
        target = targets[group[0]]
        page.line(Text().append("  target  ", "dim").append(plain(target.text) or EMPTY, "bold green"))
        if target.same_document:
            page.line("          the current document  (R-2396-06)", "dim")
        for other in target.also:
            shown = "a refusal" if other.text is None else plain(other.text) or EMPTY
            note = f"  ({other.variant}, {other.ruling})"
            page.line(Text().append("  or      ", "dim").append(shown).append(note, "dim"))


def _show_steps(page: Page, steps: Iterable[Step]) -> None:
    rows = [
        [Text(label), Text(plain(what)), Text(plain(value), "green")]
        for label, what, value in map(_row, steps)
    ]
    if page.columns(rows, "  "):
        return
    for label, what, value in rows:
        page.paragraph(what.plain, "  ", label.plain)
        if value.plain:
            page.line(Text("     ").append_text(value))


def _row(step: Step) -> tuple[str, str, str]:
    """Return the label of a step, its action in words, and the value after the step."""
    if step.output is not None:
        return step.label, _move(step), f"{step.output or '·'} | {step.input or '·'}"
    action = f"{step.action}: {'/'.join(step.removed)}" if step.removed else step.action
    value = step.value
    if step.components is not None:
        defined = {name: text for name, text in step.components.items() if text is not None}
        value = ", ".join(f"{name} {text or '(empty)'}" for name, text in defined.items())
    if step.label == "5.2.4":
        value += "  (output | input)"
    return step.label, action, value


def _move(step: Step) -> str:
    """Return in words what a step of the loop of RFC 3986, section 5.2.4, moves or drops."""
    if len(step.removed) > 1:
        return f"removes {step.removed[0]} from the output, with the `..`"
    return _MOVES[step.label.strip()].format(moved=step.moved)


class _Line(NamedTuple):
    """A line of a derivation tree.

    `rules` begins with guide lines. `start` is the offset of `text`, the text that the rules derive.
    """

    rules: str
    start: int
    text: str
    sections: str


def _show_tree(page: Page, title: str, root: Derivation) -> None:
    """Print a derivation tree. Omit the guide lines if the output is a pipe."""
    lines = list(_lines(root, "", "", guides=page.terminal))
    left = max(cell_len(line.rules) for line in lines) + 2
    text = plain(root.text)
    trailing = max(len(line.sections) for line in lines) + 2
    too_wide = page.terminal and left + cell_len(text) + trailing > page.width
    aligned = text == root.text and not too_wide
    if too_wide:
        left = 0  # write each text directly after its rules
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


def _shape(node: Derivation) -> tuple[object, ...]:
    """Return a key that is equal for two trees of the same text if they differ only in their sections."""
    return node.rule, node.start, len(node.text), *map(_shape, _children(node))


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
        branch, further = ("└─ ", "   ") if last else ("├─ ", "│  ")
        if not guides:
            branch = further = "  "
        yield from _lines(child, below + branch, below + further, guides=guides)


def _children(node: Derivation) -> list[Derivation]:
    """Return the child nodes, except nodes of rules that derive a single character."""
    return [child for child in node.children if len(child.text) != 1 or not child.bounded]


def show_explanation(console: Console, explained: Explained, *, tree: bool) -> None:
    """Print an explanation. If `tree` is true, also print the derivation trees."""
    page = Page(console)
    if explained.base is None:
        page.line(plain(explained.text) or EMPTY, "bold")
        page.line()
        _table(page, {spec: (one.problem, one.components) for spec, one in explained.answers.items()})
    else:
        _show_resolution(page, explained)
    _differences(page, explained)
    _problems(page, explained)
    if tree:
        shapes = {spec: _shape(one.derivation) for spec, one in explained.answers.items() if one.derivation}
        for group in _groups(shapes):
            derivation = explained.answers[group[0]].derivation
            assert derivation is not None  # `shapes` contains only derivations
            _show_tree(page, titles(group), derivation)


def _groups(values: Mapping[str, Any]) -> list[list[str]]:
    """Return groups of adjacent keys with equal values."""
    return [list(group) for _, group in groupby(values, key=values.__getitem__)]


#: The answer of one RFC to a text: (error, None) or (None, components). The components are None if the rule
#: does not define components.
_Split = tuple[InvalidURL | None, Mapping[str, Any] | None]


def show_components(console: Console, answers: Mapping[str, _Split]) -> None:
    """Print the verdicts and components of the RFCs side by side. `answers` is by RFC."""
    _table(Page(console), answers)


def _table(page: Page, answers: Mapping[str, _Split]) -> None:
    groups = _groups(
        {spec: (problem and problem.position, parts) for spec, (problem, parts) in answers.items()}
    )
    first = [answers[group[0]] for group in groups]
    heads = [Text(titles(group), style="bold") for group in groups]
    rows = [("", heads), ("verdict", [_verdict_cell(problem) for problem, _ in first])]
    used = dict.fromkeys(name for _, parts in first for name in parts or {})
    common = {name for names in _ROWS for name in names}
    for names in (*_ROWS, *((name,) for name in used if name not in common)):
        cells = [_cell(parts or {}, names) for _, parts in first]
        if any(cell.plain not in ("", ABSENT) for cell in cells):
            rows.append((" / ".join(name for name in names if name in used), cells))
    if not page.columns([Text(label, style="dim"), *cells] for label, cells in rows):
        for head, *column in zip(*(cells for _, cells in rows), strict=True):
            page.line(head)
            filled = [(label, cell) for (label, _), cell in zip(rows[1:], column, strict=True) if cell.plain]
            page.columns(([Text(label, style="dim"), cell] for label, cell in filled), "  ", anyway=True)
    shown = {cell.plain for _, cells in rows for cell in cells}
    legend = [f"{sign} {word}" for sign, word in ((ABSENT, "absent"), (EMPTY, "empty")) if sign in shown]
    if legend:
        page.line()
        page.line(", ".join(legend), "dim")


def _verdict_cell(problem: InvalidURL | None) -> Text:
    if problem is None:
        return Text("valid", style="green")
    return Text(f"invalid at {problem.position}", style="red")


def _cell(components: Mapping[str, Any], names: Iterable[str]) -> Text:
    name = next((name for name in names if name in components), None)
    value = "" if name is None else components[name]
    if isinstance(value, list):  # the fields of prospero
        value = ", ".join(f"{field}={text}" for field, text in value)
    if value:
        return Text(plain(value))
    return Text("" if name is None else ABSENT if value is None else EMPTY, style="dim")


def _differences(page: Page, explained: Explained) -> None:
    if not explained.differences.named and not explained.differences.unnamed:
        return
    page.heading("Where they differ")
    for named in explained.differences.named:
        page.line()
        page.paragraph(f"{named.entry.title}  [{named.entry.id}]", style="bold")
        for side in named.sides:
            page.paragraph(plain(side.what), "  ", f"{titles(side.sections, side.sections)}:")
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
    """Print each refusal once, with the names of the RFCs that refuse the text in this way."""
    groups: dict[Any, list[tuple[InvalidURL, Repair | None]]] = {}
    for answer in explained.answers.values():
        if (problem := answer.problem) is not None:
            key = (problem.text, problem.position, problem.reason, problem.expected, answer.nearest)
            groups.setdefault(key, []).append((problem, answer.nearest))
    if groups:
        page.heading("Not valid")
    for refusals in groups.values():
        page.line()
        problem, nearest = refusals[0]
        sections = {refusal.spec: refusal.section for refusal, _ in refusals}
        page.paragraph(_reason(problem), "", f"{titles(sections, sections)}:")
        text, mark = problem.caret().splitlines()
        page.line(text)
        page.line(mark, "red")
        if not problem.reason:
            page.paragraph(describe(problem.expected), "  ", "expected:")
        if nearest is not None:
            shown = f"{plain(nearest.text) or EMPTY} ({plain(nearest.description)})"
            page.paragraph(shown, "  ", "nearest:")
    if explained.generic:
        page.line()
        page.paragraph(
            "The generic form of RFC 1738 derives the text; the rule of its scheme does not (R-1738-01).",
            "  ",
        )


def _reason(problem: InvalidURL) -> str:
    if problem.reason:
        return problem.reason
    at = problem.position
    if at >= len(problem.text):
        return "it ends too early"
    return f"{character(problem.text[at])} at offset {at}"
