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
from urlharness.corpus.specifications import SPECS, in_reading_order
from urlharness.explain.classify import ABSENT, EMPTY, AgreeingRFCs, character_in_words
from urlharness.explain.gather import Explained
from urlharness.explain.mappings import ExplainedMapping
from urlharness.text import plain
from urloracle.derivation import Derivation
from urloracle.errors import InvalidURL, describe
from urloracle.nearest import Repair, zone_in_words
from urloracle.readings import condition_in_words
from urloracle.rfc.resolution import LOOP, Alternative, Resolution, Step
from urloracle.rfcs import SPECIFICATIONS

_GAP = 3  # spaces between two columns
_LONGEST_LABEL = 12  # after a longer label, continuation lines are indented by 2
_NARROWEST = 40  # lines are never wrapped to fewer characters
_MAX_SIBLINGS = 12  # the maximum number of siblings with the same rule that are shown
_LAST_BRANCH = "└─ "  # the guide line before the last child
_INDENT = "  "  # what stands before a child if there are no guide lines
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


_SIGNS = {ABSENT: "absent", EMPTY: "empty"}


class Page:
    """Writes lines.

    It wraps paragraphs only on a terminal, because `grep` in a pipe needs whole sentences.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.terminal = console.is_terminal
        self.width = console.width

    def write_line(self, text: Text | str = "", style: str = "") -> None:
        """Write one line without wrapping."""
        line = text if isinstance(text, Text) else Text(text, style=style)
        line.rstrip()
        self.console.print(line, soft_wrap=True)

    def write_heading(self, text: str) -> None:
        """Write a heading after an empty line."""
        self.write_line()
        self.write_line(text, "bold")

    def write_paragraph(self, text: str, indent: str = "", label: str = "", style: str = "") -> None:
        """Write a label and a text. Continuation lines are indented.

        A label that ends with a colon is bold, and any other one is cyan.
        """
        lead = f"{label} " if label else ""
        plain_lines = [indent + lead + text]
        if self.terminal:
            plain_lines = self._wrap(lead, text, indent)
        lines = [Text(line, style=style) for line in plain_lines]
        if label:
            label_style = "bold" if label.endswith(":") else "cyan"
            lines[0].stylize(label_style, len(indent), len(indent + label))
        for line in lines:
            self.write_line(line)

    def _wrap(self, lead: str, text: str, indent: str) -> list[str]:
        """Return the lines of a paragraph. The text continues below itself unless the lead is long."""
        hang = cell_len(lead)
        if hang > _LONGEST_LABEL:
            hang = 2
        lines = textwrap.wrap(
            lead + text,
            max(_NARROWEST, self.width),
            initial_indent=indent,
            subsequent_indent=indent + " " * hang,
            break_on_hyphens=False,
        )
        return lines or [indent]  # `wrap` makes no line of an empty text

    def has_room_for_columns(self, rows: Sequence[Sequence[Text]], indent: str = "") -> bool:
        """Return True if `write_columns` would write rows of cells without lines that the terminal wraps."""
        widths = _column_widths(rows)
        needed = len(indent) + sum(widths) + _GAP * (len(widths) - 1)
        return not self.terminal or needed <= self.width

    def write_columns(self, rows: Sequence[Sequence[Text]], indent: str = "") -> None:
        """Write rows of cells in aligned columns."""
        widths = _column_widths(rows)
        for row in rows:
            line = Text(indent)
            for cell, width in zip(row, widths, strict=True):
                blanks = width - cell_len(cell.plain) + _GAP
                line.append_text(cell).append(" " * blanks)
            self.write_line(line)


def _column_widths(rows: Sequence[Sequence[Text]]) -> list[int]:
    """Return the width of the widest cell of each column, in columns of the terminal."""
    columns = zip(*rows, strict=True)
    return [max(cell_len(cell.plain) for cell in column) for column in columns]


def titles(specs: Iterable[str], sections: Mapping[str, str] | None = None) -> str:
    """Return the names of RFCs, with their sections if they are given: `RFC 2396 (3.3), 2732`."""
    numbers = []
    for spec in specs:
        section = (sections or {}).get(spec)
        number = spec.removeprefix("rfc")
        numbers.append(f"{number} ({section})" if section else number)
    return f"RFC {', '.join(numbers)}"


def _printable(text: str) -> str:
    """Return a text without control characters, or the sign of an empty one."""
    return plain(text) or EMPTY


def _show_resolution(page: Page, explained: Explained) -> None:
    """Print the base, the reference, and the steps of each RFC. Print RFCs with the same steps together."""
    inputs = {"base": explained.base or "", "reference": explained.text}
    rows = [
        [Text(label, style="dim"), Text(_printable(text), style="bold")] for label, text in inputs.items()
    ]
    page.write_columns(rows)
    resolutions = {
        spec: (target, explained.answers[spec].steps) for spec, target in explained.targets.items()
    }
    for group in _groups(resolutions):
        target, steps = resolutions[group[0]]
        page.write_heading(titles(group))
        _show_steps(page, steps)
        _show_target(page, target)
    for spec in explained.silent:
        page.write_line()
        page.write_line(f"{titles([spec])} does not define relative references.", "dim")


def _show_mapping(page: Page, spec: str, mapping: ExplainedMapping) -> None:
    """Print the steps of a mapping, its result, and the other admissible results."""
    page.write_heading(f"{titles([spec])}: {mapping.title}")
    _show_steps(page, mapping.steps)
    page.write_line(
        Text().append("  result  ", "dim").append(_printable(mapping.forms.text or ""), "bold green")
    )
    _show_alternatives(page, mapping.forms.also)


def _show_target(page: Page, target: Resolution) -> None:
    """Print the target of a resolution, and the other admissible targets."""
    line = Text()
    line.append("  target  ", "dim")
    line.append(_printable(target.text), "bold green")
    page.write_line(line)
    if target.same_document:
        page.write_line("          the current document  (R-2396-06)", "dim")
    _show_alternatives(page, target.also)


def _show_alternatives(page: Page, alternatives: Iterable[Alternative]) -> None:
    """Print other admissible results, each with its variant and ruling."""
    for alternative in alternatives:
        text = "a refusal" if alternative.text is None else _printable(alternative.text)
        note = f"  ({alternative.variant}, {alternative.ruling})"
        page.write_line(Text().append("  or      ", "dim").append(text).append(note, "dim"))


def _show_steps(page: Page, steps: Iterable[Step]) -> None:
    """Print the steps as a table, or each action above its state if the terminal is too narrow."""
    rows = []
    for step in steps:
        action = Text(plain(_action_in_words(step)))
        state = Text(plain(_state_after(step)), "green")
        rows.append([Text(step.label), action, state])
    if page.has_room_for_columns(rows, "  "):
        page.write_columns(rows, "  ")
        return
    for label, action, state in rows:
        page.write_paragraph(action.plain, "  ", label.plain)
        if state.plain:
            page.write_line(Text("     ").append_text(state))


def _action_in_words(step: Step) -> str:
    """Return the action of a step in words."""
    if step.output is not None:
        return _move_in_words(step)
    return f"{step.action}: {'/'.join(step.removed)}" if step.removed else step.action


def _state_after(step: Step) -> str:
    """Return the value after a step: a text, components, or the buffers of RFC 3986, section 5.2.4.

    The step before those of the loop has a legend, too, which explains the two buffers in the lines below.
    """
    if step.output is not None:
        return f"{step.output or '·'} | {step.input or '·'}"
    state = step.value
    if step.components is not None:
        present = {name: text for name, text in step.components.items() if text is not None}
        state = ", ".join(f"{name} {text or '(empty)'}" for name, text in present.items())
    if step.label == LOOP:
        return f"{state}  (output | input)"
    return state


def _move_in_words(step: Step) -> str:
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
    """Print a derivation tree. Omit the guide lines if the output is a pipe.

    Each text is below the characters that it derives, if these are printed as they are. In a tree that is too
    wide, it comes directly after its rules.
    """
    lines = list(_tree_lines(root, "", "", guides=page.terminal))
    rules_width = max(cell_len(line.rules) for line in lines) + 2
    sections_width = max(len(line.sections) for line in lines) + 2
    text = plain(root.text)
    is_too_wide = page.terminal and rules_width + cell_len(text) + sections_width > page.width
    is_aligned = text == root.text and not is_too_wide
    page.write_heading(f"{title}: the derivation")
    if is_aligned:
        page.write_line(Text(" " * rules_width).append(text, style="bold"))
    for line in lines:
        row = Text(f"{line.rules}  " if is_too_wide else f"{line.rules:{rules_width}}")
        cell = _derived_cell(line)
        blanks_before = 0
        blanks_after = 0
        if is_aligned:
            blanks_before = cell_len(root.text[: line.start])
            blanks_after = max(0, cell_len(text) - blanks_before - cell_len(cell.plain))
        row.append(" " * blanks_before)
        row.append_text(cell)
        row.append(" " * blanks_after + f"  {line.sections}", style="dim")
        page.write_line(row)


def _derived_cell(line: _Line) -> Text:
    """Return the cell of the text that the rules of a line derive."""
    text = plain(line.text)
    return Text(text, style="green") if text else Text(EMPTY, style="dim")


def _tree_key(node: Derivation) -> tuple[object, ...]:
    """Return a key that is equal for two trees of the same text if they differ only in their sections."""
    return node.rule, node.start, len(node.text), *map(_tree_key, _children(node))


def _tree_lines(node: Derivation, before: str, below: str, *, guides: bool) -> Iterator[_Line]:
    """Yield the lines of a tree, each with its guide lines.

    `before` is written before the rules of the node, and `below` before those of its children. Nodes that
    derive the same text share a line.
    """
    chain = [node]
    children = _children(node)
    while len(children) == 1 and children[0].text == node.text:
        chain.append(children[0])
        children = _children(children[0])
    rules = " > ".join(ancestor.rule for ancestor in chain)
    sections = ", ".join(dict.fromkeys(ancestor.section for ancestor in chain if ancestor.section))
    yield _Line(before + rules, node.start, node.text, sections)
    last_branch = _LAST_BRANCH if guides else _INDENT
    for number, child in enumerate(children):
        if number >= _MAX_SIBLINGS and child.rule == children[number - _MAX_SIBLINGS].rule:
            yield _Line(f"{below}{last_branch}… {len(children) - number} more", child.start, " ", "")
            return
        is_last = number == len(children) - 1
        if not guides:
            yield from _tree_lines(child, below + _INDENT, below + _INDENT, guides=False)
        elif is_last:
            yield from _tree_lines(child, below + last_branch, f"{below}   ", guides=True)
        else:
            yield from _tree_lines(child, f"{below}├─ ", f"{below}│  ", guides=True)


def _children(node: Derivation) -> list[Derivation]:
    """Return the child nodes, except nodes of rules that derive a single character."""
    return [child for child in node.children if len(child.text) != 1 or not child.bounded]


def show_explanation(
    console: Console, explained: Explained, *, tree: bool, remarks: Sequence[str] = ()
) -> None:
    """Print an explanation. If `tree` is true, also print the derivation trees.

    `remarks` are printed after the answers of the RFCs, before the differences between them.
    """
    page = Page(console)
    if explained.base is None:
        page.write_line(_printable(explained.text), "bold")
        page.write_line()
        splits = {spec: (answer.problem, answer.components) for spec, answer in explained.answers.items()}
        _show_table(page, splits)
    else:
        _show_resolution(page, explained)
    if remarks:
        page.write_line()
    for remark in remarks:
        page.write_paragraph(remark)
    _show_differences(page, explained)
    _show_problems(page, explained)
    _show_conditions(page, explained)
    for spec, mapping in explained.mappings.items():
        _show_mapping(page, spec, mapping)
    if tree:
        trees = {spec: answer.derivation for spec, answer in explained.answers.items() if answer.derivation}
        keys = {spec: _tree_key(root) for spec, root in trees.items()}
        for group in _groups(keys):
            _show_tree(page, titles(group), trees[group[0]])


def _groups(by_spec: Mapping[str, Any]) -> list[list[str]]:
    """Return groups of adjacent RFCs with equal values."""
    return [list(group) for _, group in groupby(by_spec, key=by_spec.__getitem__)]


#: The answer of one RFC to a text: (error, None) or (None, components). The components are None if the rule
#: does not define components.
_Split = tuple[InvalidURL | None, Mapping[str, Any] | None]


def show_components(console: Console, answers: Mapping[str, _Split]) -> None:
    """Print the verdicts and components of the RFCs side by side. `answers` is by RFC."""
    _show_table(Page(console), answers)


#: A row of the table: its label, and a cell for each group of RFCs.
_Row = tuple[str, list[Text]]


def _show_table(page: Page, answers: Mapping[str, _Split]) -> None:
    """Print the table of components, as columns if the terminal is wide enough, and the signs in it."""
    rows = _table_rows(answers)
    labelled_rows = [[Text(label, style="dim"), *cells] for label, cells in rows]
    if page.has_room_for_columns(labelled_rows):
        page.write_columns(labelled_rows)
    else:
        _show_below_each_other(page, rows)
    printed: set[str] = set()
    for _, cells in rows:
        printed.update(cell.plain for cell in cells)
    legend = [f"{sign} {word}" for sign, word in _SIGNS.items() if sign in printed]
    if legend:
        page.write_line()
        page.write_line(", ".join(legend), "dim")


def _table_rows(answers: Mapping[str, _Split]) -> list[_Row]:
    """Return the table: a column for each group of RFCs with one answer, and a row for each component."""
    comparable = {}
    for spec, (problem, parts) in answers.items():
        position = None if problem is None else problem.position
        comparable[spec] = (position, parts)
    groups = _groups(comparable)
    columns = [answers[group[0]] for group in groups]
    heads = [Text(titles(group), style="bold") for group in groups]
    verdicts = [_verdict_cell(problem) for problem, _ in columns]
    rows = [("", heads), ("verdict", verdicts)]
    components = [parts or {} for _, parts in columns]
    present: dict[str, None] = {}  # the names in their order
    for parts_of_column in components:
        present |= dict.fromkeys(parts_of_column)
    with_place = set().union(*_ROWS)
    without_place = [(name,) for name in present if name not in with_place]
    for names in (*_ROWS, *without_place):
        cells = [_component_cell(parts, names) for parts in components]
        if any(cell.plain not in ("", ABSENT) for cell in cells):
            label = " / ".join(name for name in names if name in present)
            rows.append((label, cells))
    return rows


def _show_below_each_other(page: Page, rows: Sequence[_Row]) -> None:
    """Print the columns of the table one after the other, without empty cells."""
    head_row, *rows_below = rows
    _, heads = head_row
    for column, head in enumerate(heads):
        page.write_line(head)
        filled = []
        for label, cells in rows_below:
            if cells[column].plain:
                filled.append([Text(label, style="dim"), cells[column]])
        page.write_columns(filled, "  ")


def _verdict_cell(problem: InvalidURL | None) -> Text:
    """Return the cell that says whether the text is valid, and where it is not."""
    if problem is None:
        return Text("valid", style="green")
    return Text(f"invalid at {problem.position}", style="red")


def _component_cell(components: Mapping[str, Any], names: Iterable[str]) -> Text:
    """Return the cell of the first of these components that an RFC has."""
    name = next((name for name in names if name in components), None)
    if name is None:
        return Text("", style="dim")
    component = components[name]
    if component is None:
        return Text(ABSENT, style="dim")
    if isinstance(component, list):  # the fields of prospero
        component = ", ".join(f"{field}={text}" for field, text in component)
    return Text(plain(component)) if component else Text(EMPTY, style="dim")


def _show_differences(page: Page, explained: Explained) -> None:
    """Print each difference with its sides, the statement and effect of its class, and its rulings."""
    if not explained.differences.named and not explained.differences.unnamed:
        return
    page.write_heading("Where they differ")
    for difference in explained.differences.named:
        entry = difference.entry
        page.write_line()
        page.write_paragraph(f"{entry.title}  [{entry.id}]", style="bold")
        _show_sides(page, difference.sides)
        page.write_paragraph(entry.statement, "  ")
        page.write_paragraph(entry.effect, "  ", "Effect:")
        for ruling in difference.rulings:
            page.write_paragraph(load_rulings().get(ruling, ""), "  ", ruling, "dim")
    for sides in explained.differences.unnamed:
        page.write_line()
        page.write_line("A difference without a class", "bold")
        _show_sides(page, sides)


def _show_sides(page: Page, sides: Iterable[AgreeingRFCs]) -> None:
    """Print what the RFCs of each side do, in the order in which people read their answers."""
    reading_order = in_reading_order(SPECS).index
    for side in sorted(sides, key=lambda side: min(map(reading_order, side.sections))):
        specs = sorted(side.sections, key=reading_order)
        page.write_paragraph(plain(side.words), "  ", f"{titles(specs, side.sections)}:")


class _SharedRefusal(NamedTuple):
    """The common facts of refusals of several RFCs. Refusals that share them are printed as one."""

    text: str
    position: int
    reason: str
    expected: frozenset[str]
    nearest: Repair | None


def _show_problems(page: Page, explained: Explained) -> None:
    """Print each refusal once, with the names of the RFCs that refuse the text in this way."""
    problems_by_refusal: dict[_SharedRefusal, list[InvalidURL]] = {}
    for answer in explained.answers.values():
        problem = answer.problem
        if problem is not None:
            refusal = _SharedRefusal(
                problem.text, problem.position, problem.reason, problem.expected, answer.nearest
            )
            problems_by_refusal.setdefault(refusal, []).append(problem)
    if problems_by_refusal:
        page.write_heading("Not valid")
    for refusal, problems in problems_by_refusal.items():
        page.write_line()
        _show_refusal(page, problems, refusal.nearest)
    if explained.generic:
        page.write_line()
        page.write_paragraph(
            "The generic form of RFC 1738 derives the text; the rule of its scheme does not (R-1738-01).",
            "  ",
        )


def _show_conditions(page: Page, explained: Explained) -> None:
    """Print the conditions beside the grammar that the text does not meet, although it is valid."""
    for spec in explained.answers:
        condition = condition_in_words(explained.text, SPECIFICATIONS[spec])
        if condition:
            page.write_line()
            page.write_paragraph(condition, "  ", f"{titles([spec])}:")


def _show_refusal(page: Page, problems: Sequence[InvalidURL], nearest: Repair | None) -> None:
    """Print a refusal that several RFCs share, and the nearest valid text if one is known."""
    problem = problems[0]
    sections = {refusal.spec: refusal.section for refusal in problems}
    page.write_paragraph(_reason_in_words(problem), "", f"{titles(sections, sections)}:")
    text, mark = problem.caret().splitlines()
    page.write_line(text)
    page.write_line(mark, "red")
    if not problem.reason:
        page.write_paragraph(describe(problem.expected), "  ", "expected:")
    zone = zone_in_words(problem)
    if zone:
        page.write_paragraph(zone, "  ", "note:")
    if nearest is not None:
        repaired = _printable(nearest.text)
        page.write_paragraph(f"{repaired} ({plain(nearest.description)})", "  ", "nearest:")


def _reason_in_words(problem: InvalidURL) -> str:
    """Return the reason of a refusal or, without one, the refused character and its offset."""
    if problem.reason:
        return problem.reason
    at = problem.position
    if at >= len(problem.text):
        return "it ends too early"
    return f"{character_in_words(problem.text[at])} at offset {at}"
