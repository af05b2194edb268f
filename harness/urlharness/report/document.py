"""A document of headings, lines, tables and listings, for a terminal and as Markdown.

The texts of a document may come from adapters, so both renderings show them as they are: on a terminal, no
text is a control sequence, and in Markdown, none is a link, a tag or a mention. On a terminal, no line is
wider than the terminal, except for commands, which users copy.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from urlharness.text import clipped, logged, plain
from urlharness.wording import first_names

#: The maximum width of a line on a terminal.
WIDTH = 100

#: The maximum width of a cell of a table, and the width to which a column can be cut.
_CELL, _NARROW = 48, 8

#: The maximum width of a label in a listing.
LABEL = 30

#: The maximum number of characters of a question or an answer in Markdown.
_INPUT = 200

#: The maximum number of names in a line of Markdown, and the number of those that stand for a longer list.
_NAMES = 12
_FIRST_NAMES = 4

#: What separates names, and what is before a line that belongs to an item of a list.
_COMMA = ", "
_INDENT = "  "

#: The end of an abbreviation in results, which is never cut.
_ABBREVIATION_END = re.compile(r"… \([\d,]+ (?:characters|bytes), SHA-256 [0-9a-f]{64}\)")

#: A component's name, or a part of it, at a cut.
_CUT_NAME = re.compile(r"  [a-z_]*$")

#: A backslash that escapes what follows it in Markdown.
_ESCAPING = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)")

#: The signs of Markdown that need a second one to have a meaning. An `_` inside a word is text.
_PAIRED_SIGNS = (re.compile("`"), re.compile(r"\*"), re.compile("~"), re.compile(r"\b_|_\b"))

#: What begins a list, a heading or a quotation within a line of a list.
_BEGINNING = re.compile(r"(?=[#>+*-])")

#: A `<` or `&` that begins a tag or a character reference, and an `@` that begins a mention.
_TAG = re.compile("<(?=[A-Za-z/!?])")
_REFERENCE = re.compile("&(?=#?[0-9A-Za-z]+;)")
_MENTION = re.compile(r"(?<![0-9A-Za-z])@(?=[0-9A-Za-z])")

#: Texts of words that Markdown and GitHub show unchanged: no list, link, mention, issue or commit.
_WORDS = re.compile(
    r"(?!\d+[.)](?: |$))(?!.*(?:\bgh-\d|\bwww|\b[0-9a-f]{7,40}\b))"
    r"[a-z0-9]+(?:(?:[ ,;]|[-'/]|[,;.:] | ?[()] ?|\)[,;:] |\.(?=\d))[a-z0-9]+)*[.)]?",
    re.IGNORECASE,
)


class Heading(NamedTuple):
    """A heading."""

    text: str


class Lines(NamedTuple):
    """Lines of words. A line that is too long is broken between words."""

    lines: Sequence[str]


class Command(NamedTuple):
    """A command to copy. It is never broken."""

    text: str


class Hint(NamedTuple):
    """A note on what is left out, with the option that shows it."""

    text: str


class Grid(NamedTuple):
    """A table of cells. `figures` are the columns to align right, from 0, and `spare` those to cut first."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: frozenset[int] = frozenset()
    spare: frozenset[int] = frozenset()


class AnswerLine(NamedTuple):
    """A line of a listing: who answers, the answer in words, and a note. The note is never cut.

    Markdown shortens the words unless they are a list of `names`. It folds a long list of names.
    """

    label: str
    words: str
    note: str = ""
    names: bool = False


class Listing(NamedTuple):
    """One difference: a title, the question, the answers, and the command that asks again.

    `elsewhere` says where texts are whole if there is no such command. `severity` is the most harmful
    component that differs, or empty.
    """

    title: str
    question: str
    answers: Sequence[AnswerLine]
    again: str = ""
    elsewhere: str = ""
    severity: str = ""

    @property
    def heading(self) -> str:
        """The title after the severity."""
        return f"{self.severity}: {self.title}" if self.severity else self.title


Block = Heading | Lines | Command | Hint | Grid | Listing


# ---- on a terminal


def print_blocks(console: Console, blocks: Iterable[Block]) -> None:
    """Print blocks. On a terminal, no line is wider than the terminal or than 100 columns.

    A hint is the exception: it names a command to copy, which a break would spoil.
    A listing is cut to this width only on a terminal; if it is cut, a hint says how to see it whole.
    """
    width = min(console.width, WIDTH)
    has_cut = False
    for number, block in enumerate(blocks):
        match block:
            case Heading(text):
                heading = Text(logged(text), "bold")
                _print_wrapped(console, heading, width, after_empty_line=number > 0)
            case Lines(lines):
                for line in lines:
                    _print_wrapped(console, Text(logged(line)), width, indent=2)
            case Command(text) | Hint(text):
                style = "dim" if isinstance(block, Hint) else ""
                console.print(Text(logged(text), style), soft_wrap=True)
            case Grid():
                _print_grid(console, block, width)
            case Listing():
                if _print_listing(console, block, width):
                    has_cut = True
    if has_cut:
        hint = Text("Lines that end with … are cut here; a pipe (| cat) shows them whole.", "dim")
        _print_wrapped(console, hint, width, after_empty_line=True)


def _print_wrapped(
    console: Console, text: Text, width: int, indent: int = 0, *, after_empty_line: bool = False
) -> None:
    """Print words, broken at a width of at least 20. All lines but the first are indented."""
    if after_empty_line:
        console.print()
    for number, line in enumerate(text.wrap(console, max(20, width - indent))):
        line.rstrip()
        indented = Text(" " * indent if number else "")
        indented.append_text(line)
        console.print(indented, soft_wrap=True)


def cut(text: str, width: int, ellipsis: str = "…") -> str:
    """Return a text cut to at most `width` columns, with an ellipsis at the cut.

    If not even the ellipsis fits, return only its beginning.
    """
    if cell_len(text) <= width:
        return text
    if width < len(ellipsis):
        return ellipsis[: max(0, width)]
    beginning = set_cell_size(text, width - len(ellipsis))
    # a text that was abbreviated before may have an ellipsis at the cut, which is not doubled
    return beginning.rstrip(ellipsis) + ellipsis


def _print_grid(console: Console, grid: Grid, width: int) -> None:
    """Print a table. Columns are narrowed to fit the width, as far as `_narrow` does it."""
    cells = [_cut_cells(row) for row in (grid.head, *grid.rows)]
    sizes = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    _narrow(sizes, grid.spare, width)
    for number, row in enumerate(cells):
        padded = []
        for column, cell in enumerate(row):
            fitted = cut(cell, sizes[column])
            blanks = " " * (sizes[column] - cell_len(fitted))
            is_figure = column in grid.figures
            padded.append(blanks + fitted if is_figure else fitted + blanks)
        line = "  ".join(padded).rstrip()
        style = "" if number else "dim"
        console.print(Text(line, style), soft_wrap=True)


def _cut_cells(row: Iterable[str]) -> list[str]:
    """Return the cells of a row for a terminal, each cut to the maximum width of a cell."""
    return [cut(logged(cell), _CELL) for cell in row]


def _narrow(sizes: list[int], spare: Collection[int], width: int) -> None:
    """Narrow columns in `sizes` until the table fits, or all are narrow: the widest spare one first.

    Once no spare one can be narrowed, take the widest of all.
    """
    gaps = 2 * (len(sizes) - 1)  # the blanks between columns
    while sum(sizes) + gaps > width and max(sizes) > _NARROW:
        candidates = [column for column in spare if sizes[column] > _NARROW] or range(len(sizes))
        sizes[max(candidates, key=sizes.__getitem__)] -= 1


def _print_listing(console: Console, listing: Listing, width: int) -> bool:
    """Print a listing, and return True if a line of it was cut."""
    printer = _ListingPrinter(console, width)
    printer.print(listing)
    return printer.has_cut


class _ListingPrinter:
    """Prints a listing. On a terminal, lines are cut to the width; `has_cut` is True if one was."""

    def __init__(self, console: Console, width: int) -> None:
        self.has_cut = False
        self._console = console
        self._width = width

    def print(self, listing: Listing) -> None:
        """Print a listing after an empty line."""
        self._console.print()
        title = self._fit(logged(listing.heading), self._width)
        self._print_line(Text(title, "bold cyan"))
        question = self._fit(logged(listing.question), self._width - 2)
        self._print_line(Text(f"  {question}"))
        longest = max((cell_len(plain(answer.label)) for answer in listing.answers), default=0)
        size = min(LABEL, longest)
        if self._console.is_terminal:
            size = min(size, self._width // 3)
        for answer in listing.answers:
            self._print_answer(answer, size)
        command_line = f"    {logged(listing.again)}"
        has_room = not self._console.is_terminal or cell_len(command_line) <= self._width
        if listing.again and has_room:  # a command that is cut would be another one
            self._print_line(Text(command_line, "dim"))

    def _print_answer(self, answer: AnswerLine, label_size: int) -> None:
        """Print an answer after its label. The lines of RFCs are green."""
        label = self._fit(plain(answer.label), label_size)
        label += " " * (label_size - cell_len(label))
        beginning = f"    {label}"
        note = f"  [{answer.note}]" if answer.note else ""
        room = self._width - label_size - 6 - cell_len(note)  # the 6 blanks around the label
        words = self._fit(plain(answer.words), room)
        is_of_rfc = answer.label.startswith(("RFC", "every RFC"))
        style, label_style = ("green", "green") if is_of_rfc else ("", "dim")
        line = Text(logged(f"{beginning}  {words}{note}"), style)
        line.stylize(label_style, 0, len(beginning))
        line.rstrip()
        self._print_line(line)

    def _print_line(self, line: Text) -> None:
        """Print a line as it is. Only this class cuts lines, the console never breaks them."""
        self._console.print(line, soft_wrap=True)

    def _fit(self, text: str, width: int) -> str:
        """Return a text, which is cut to a width on a terminal only. Note whether it is cut."""
        if not self._console.is_terminal or cell_len(text) <= width:
            return text
        self.has_cut = True
        return cut(text, width)


# ---- as Markdown


def as_markdown(blocks: Iterable[Block]) -> str:
    """Return blocks as Markdown."""
    parts: list[str] = []
    for number, block in enumerate(blocks):
        match block:
            case Heading(text):
                sign = "##" if number else "#"
                parts.append(f"{sign} {_prose(text)}")
            case Lines(lines):
                bullets = [f"- {_prose(line)}" for line in lines]
                parts.append("\n".join(bullets))
            case Command(text):
                parts.append(fence([text], "sh"))
            case Grid():
                parts.append(_grid_as_markdown(block))
            case Hint(text):
                parts.append(f"- {_prose(text)}")
            case Listing():
                parts.append(_listing_as_markdown(block))
    return "\n\n".join(parts) + "\n"


def _grid_as_markdown(grid: Grid) -> str:
    """Return a table as Markdown."""
    head = [inline(cell) if cell else "" for cell in grid.head]
    text_heads = [cell for column, cell in enumerate(grid.head) if column not in grid.figures]
    rows = [list(map(inline, row)) for row in grid.rows]
    lines = table_lines(head, rows, text_heads)
    return "\n".join(lines)


def _listing_as_markdown(listing: Listing) -> str:
    """Return a listing as Markdown. What is longer than `_INPUT` is shortened, and the page says so."""
    heading = f"### {_prose(listing.heading)}"
    question = _span(_shortened(listing.question))
    lines = [heading, "", question, ""]
    for answer in listing.answers:
        lines += _answer_as_markdown(answer)
    if has_shortened_text(listing.question, listing.answers):
        note = f"- Texts of more than {_INPUT} characters are shortened"
        whole = "the command prints them whole" if listing.again else listing.elsewhere
        if whole:
            note += f"; {whole}"
        lines.append(f"{note}.")
    if listing.again:
        command = fence([listing.again], "sh")
        lines += ["", command]
    return "\n".join(lines)


def _answer_as_markdown(answer: AnswerLine) -> Sequence[str]:
    """Return the lines of an item of a list. Of many names, it has the first, and below it all are folded."""
    names = answer.words.split(_COMMA) if answer.names else []
    if len(names) > _NAMES:
        words = _prose(first_names(names, _FIRST_NAMES))
    elif answer.names:
        words = _prose(answer.words)
    else:
        words = _span(_shortened(answer.words)) if answer.words else ""
    line = f"- {_prose(answer.label)}"
    if words:
        line += f": {words}"
    if answer.note:
        line += f" ({answer.note})"
    return [line, *_folded_names(names)] if len(names) > _NAMES else [line]


def _folded_names(names: Sequence[str]) -> Sequence[str]:
    """Return the lines of all names, which belong to an item of a list. A browser shows them on demand.

    The empty lines around the tags let Markdown read the names as text, not as HTML.
    """
    text = _prose(_COMMA.join(names))
    lines = ["", f"<details><summary>all {len(names)}</summary>", ""]
    wrapped_lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    lines += [f"\\{line}" if _BEGINNING.match(line) else line for line in wrapped_lines]
    lines += ["", "</details>", ""]
    return [f"{_INDENT}{line}".rstrip() for line in lines]


def has_shortened_text(question: str, answers: Iterable[AnswerLine]) -> bool:
    """Return True if Markdown shortens a text of a listing, or if results have abbreviated one."""
    texts = [question, *(answer.words for answer in answers if not answer.names)]
    return any(_ABBREVIATION_END.search(text) or _shortened(text) != logged(text) for text in texts)


def _shortened(text: str) -> str:
    """Return a text of at most about `_INPUT` characters, escaped for logs.

    Texts that are abbreviated already stay as they are, and no cut is inside the name of a component.
    """
    line = logged(text)
    if len(line) <= _INPUT or _ABBREVIATION_END.search(line):
        return line
    beginning = _CUT_NAME.sub("", line[:_INPUT])
    return clipped(line, len(beginning))


def _prose(text: str) -> str:
    """Return a line of Markdown that shows a text as it is. Only what would have a meaning is escaped."""
    line = _ESCAPING.sub(r"\\\\", plain(text))
    for sign in _PAIRED_SIGNS:
        if len(sign.findall(line)) > 1:
            line = sign.sub(r"\\\g<0>", line)
    if "[" in line and "]" in line:
        line = line.replace("[", r"\[")
    line = _REFERENCE.sub("&amp;", line)
    line = _TAG.sub("&lt;", line)
    line = _MENTION.sub("&#64;", line)
    if _BEGINNING.match(line):
        return f"\\{line}"
    return line


def inline(text: str, limit: int = 200) -> str:
    """Return a text for a line of Markdown: plain words as they are, anything else as a code span."""
    line = clipped(logged(text), limit)
    return line if _WORDS.fullmatch(line) else _span(line)


def code(text: str, limit: int = 200) -> str:
    """Return a text as a code span, or *empty*."""
    return _span(clipped(logged(text), limit))


def fence(lines: Iterable[str], language: str = "") -> str:
    """Return a code block. Its fence is longer than any run of backticks in the text."""
    body = "\n".join(map(logged, lines))
    mark = "`" * max(3, _longest_run(body) + 1)
    return f"{mark}{language}\n{body}\n{mark}"


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]], words: Collection[str] = ()) -> list[str]:
    """Return the lines of a table. The cells are Markdown.

    The first column and the columns whose head is in `words` contain texts. All other columns contain
    figures.
    """
    rule = ["---"]
    rule += ["---" if cell in words else "---:" for cell in head[1:]]
    lines = []
    for row in (head, rule, *rows):
        cells = " | ".join(map(_cell, row))
        lines.append(f"| {cells} |")
    return lines


def _cell(text: str) -> str:
    """Replace bars by code points, because parsers disagree on a bar after a backslash."""
    return text.replace("|", "\\u{7c}")


def _span(text: str) -> str:
    """Return a text as a code span. An empty text, and one of blanks only, is described instead."""
    if not text:
        return "*empty*"
    if not text.strip(" "):
        return f"*{len(text)} blanks*"
    mark = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks in a text."""
    runs = re.findall("`+", text)
    return max(map(len, runs), default=0)
