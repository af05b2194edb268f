"""The page on a text: the RFCs side by side, where they differ and by which ruling, why one refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from urlharness.report.explanation.gathering import Explained
from urlharness.report.explanation.layout import Page, placed, titles
from urlharness.report.explanation.steps import show_resolution
from urlharness.report.explanation.trees import shape
from urlharness.report.explanation.trees import show as show_tree
from urlharness.report.terminal import plain
from urlharness.rulings import readings
from urloracle.answers import Explanation
from urloracle.errors import describe

ABSENT, EMPTY = "∅", '""'

#: Rows of components, each with the names that it goes by in one RFC or another (RFC 1738, 3; RFC 1808, 2.1).
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


def show(console: Console, explained: Explained, *, tree: bool) -> None:
    """Print what was gathered; `tree` with the derivations."""
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
            assert derivation is not None  # they are those that have one
            show_tree(page, titles(group), derivation)


def _groups(said: Mapping[str, Any]) -> list[list[str]]:
    """Neighbours that say the same."""
    groups: list[list[str]] = []
    for spec in said:
        if groups and said[groups[-1][0]] == said[spec]:
            groups[-1].append(spec)
        else:
            groups.append([spec])
    return groups


def _verdict(answer: Explanation) -> tuple[int | None, Any]:
    """What two RFCs have to share to stand in one column."""
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
    """Components that have no row of their own, those of one scheme of RFC 1738."""
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
            page.paragraph(plain(side.what), "  ", f"{placed(side.sections.items())}:")
        page.paragraph(named.entry.statement, "  ")
        page.paragraph(named.entry.effect, "  ", "Effect:")
        for ruling in named.rulings:
            page.paragraph(readings().get(ruling, ""), "  ", ruling, "dim")
    for sides in explained.differences.unnamed:
        page.line()
        page.line("A difference that no class accounts for", "bold")
        for side in sides:
            page.paragraph(plain(side.what), "  ", f"{titles(side.sections)}:")


def _problems(page: Page, explained: Explained) -> None:
    """Each reason to refuse a text once, with all RFCs that have it."""
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
    assert problem is not None  # they are those that refuse
    sections = ((one.spec, one.problem.section) for one in answers if one.problem is not None)
    where = f"{placed(sections)}:"
    at = problem.position
    if problem.reason:
        what = problem.reason
    elif at >= len(problem.text):
        what = "it ends too early"
    else:
        what = f"{_character(problem.text[at])} at offset {at}"
    page.paragraph(what, "", where)
    for line in caret(problem.text, at, page.width if page.terminal else 0):
        page.line(line, "red" if line.strip() == "^" else "")
    if not problem.reason:
        page.paragraph(describe(problem.expected), "  ", "expected:")
    if first.nearest is not None:
        done = f"{first.nearest.edit} {_character(first.nearest.character)} at offset {first.nearest.offset}"
        page.paragraph(f"{plain(first.nearest.text) or EMPTY} ({done})", "  ", "nearest:")


def _character(char: str) -> str:
    if char.isascii() and char.isprintable():
        return "a blank" if char == " " else repr(char)
    return f"U+{ord(char):04X}"


def caret(text: str, position: int, width: int) -> list[str]:
    """The text and a caret below the offset; where the text is wider, the part of it around the offset."""
    room = max((width or 400) - 10, 20)
    start = 0 if len(text) <= room else max(0, position - room // 2)
    shown = [plain(char) for char in text[start : start + room]]
    lead = "..." if start else ""
    tail = "..." if start + room < len(text) else ""
    indent = len(lead) + sum(map(len, shown[: position - start]))
    return [f"  {lead}{''.join(shown)}{tail}", f"  {' ' * indent}^"]
