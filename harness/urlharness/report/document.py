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

#: The minimum width at which words are broken, also on a terminal that is narrower.
_LEAST_WIDTH = 20

#: The maximum width of a cell of a table, the width to which a column can be cut, and the blanks between
#: columns.
_CELL, _NARROW, _GAP = 48, 8, 2

#: What is before the lines of a listing on a terminal: before its question, and before its answers.
_QUESTION_MARGIN, _ANSWER_MARGIN = 2 * " ", 4 * " "

#: The maximum width of a label in a listing.
LABEL = 30

#: The maximum number of characters of a question or an answer in Markdown.
_INPUT = 200

#: The number of backticks before and after a code block, unless its text has as many in a row.
_SHORTEST_FENCE = 3

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
    listing_printer = _ListingPrinter(console, width)
    for number, block in enumerate(blocks):
        match block:
            case Heading(text):
                if number > 0:
                    console.print()
                _print_wrapped(console, Text(logged(text), "bold"), width)
            case Lines(lines):
                for line in lines:
                    _print_wrapped(console, Text(logged(line)), width, indent=2)
            case Command(text) | Hint(text):
                style = "dim" if isinstance(block, Hint) else ""
                console.print(Text(logged(text), style), soft_wrap=True)
            case Grid():
                _print_grid(console, block, width)
            case Listing():
                listing_printer.print(block)
    if listing_printer.has_cut:
        console.print()
        hint = Text("Lines that end with … are cut here; a pipe (| cat) shows them whole.", "dim")
        _print_wrapped(console, hint, width)


def _print_wrapped(console: Console, text: Text, width: int, indent: int = 0) -> None:
    """Print words, broken to fit the width. All lines but the first are indented by `indent` blanks.

    The lines of a width below `_LEAST_WIDTH` are longer.
    """
    width_of_words = max(_LEAST_WIDTH, width - indent)
    for number, line in enumerate(text.wrap(console, width_of_words)):
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
    """Print a table. Columns are narrowed to fit the width, as far as `_narrowed_widths` does it."""
    head, *rows = [_cut_cells(row) for row in (grid.head, *grid.rows)]
    longest_cells = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
    widths = _narrowed_widths(longest_cells, grid.spare, width)
    console.print(Text(_grid_line(head, widths, grid.figures), "dim"), soft_wrap=True)
    for row in rows:
        console.print(Text(_grid_line(row, widths, grid.figures)), soft_wrap=True)


def _grid_line(cells: Iterable[str], widths: Sequence[int], figures: Collection[int]) -> str:
    """Return the cells of a row in one line, each cut or padded to its width, and `figures` to the right."""
    padded_cells = []
    for column, cell in enumerate(cells):
        fitted = cut(cell, widths[column])
        padding = " " * (widths[column] - cell_len(fitted))
        padded_cells.append(padding + fitted if column in figures else fitted + padding)
    gap = " " * _GAP
    return gap.join(padded_cells).rstrip()


def _cut_cells(row: Iterable[str]) -> list[str]:
    """Return the cells of a row for a terminal, each cut to the maximum width of a cell."""
    return [cut(logged(cell), _CELL) for cell in row]


def _narrowed_widths(widths: Sequence[int], spare: Collection[int], table_width: int) -> Sequence[int]:
    """Return the widths of columns with which the table fits, or of which all are at most `_NARROW`.

    The widest of the `spare` columns is narrowed first. Once none of them can be, it is the widest of all.
    """
    narrowed = [*widths]
    gaps = _GAP * (len(narrowed) - 1)
    while sum(narrowed) + gaps > table_width and max(narrowed) > _NARROW:
        candidates = [column for column in spare if narrowed[column] > _NARROW] or range(len(narrowed))
        widest = max(candidates, key=narrowed.__getitem__)
        narrowed[widest] -= 1
    return narrowed


class _ListingPrinter:
    """Prints listings. On a terminal, lines are cut to the width; `has_cut` is True if one was."""

    def __init__(self, console: Console, width: int) -> None:
        self.has_cut = False
        self._console = console
        self._width = width

    def print(self, listing: Listing) -> None:
        """Print a listing after an empty line."""
        self._console.print()
        title = self._cut_on_terminal(logged(listing.heading), self._width)
        self._print_line(Text(title, "bold cyan"))
        room = self._width - len(_QUESTION_MARGIN)
        question = self._cut_on_terminal(logged(listing.question), room)
        self._print_line(Text(_QUESTION_MARGIN + question))
        label_width = self._label_width(listing.answers)
        for answer in listing.answers:
            self._print_answer(answer, label_width)
        command_line = _ANSWER_MARGIN + logged(listing.again)
        has_room = not self._console.is_terminal or cell_len(command_line) <= self._width
        if listing.again and has_room:  # a command that is cut would be another one
            self._print_line(Text(command_line, "dim"))

    def _label_width(self, answers: Iterable[AnswerLine]) -> int:
        """Return the width of labels: of the longest one, but on a terminal at most a third of its width."""
        longest = max((cell_len(plain(answer.label)) for answer in answers), default=0)
        width = min(LABEL, longest)
        return min(width, self._width // 3) if self._console.is_terminal else width

    def _print_answer(self, answer: AnswerLine, label_width: int) -> None:
        """Print an answer after its label. The lines of RFCs are green."""
        label = self._cut_on_terminal(plain(answer.label), label_width)
        padding = " " * (label_width - cell_len(label))
        beginning = _ANSWER_MARGIN + label + padding
        gap = " " * _GAP
        note = f"{gap}[{answer.note}]" if answer.note else ""
        room = self._width - len(_ANSWER_MARGIN) - label_width - _GAP - cell_len(note)
        words = self._cut_on_terminal(plain(answer.words), room)
        line = Text(logged(beginning + gap + words + note))
        if answer.label.startswith(("RFC", "every RFC")):
            line.stylize("green")
        else:
            line.stylize("dim", 0, len(beginning))
        line.rstrip()
        self._print_line(line)

    def _print_line(self, line: Text) -> None:
        """Print a line as it is. Only this class cuts lines, the console never breaks them."""
        self._console.print(line, soft_wrap=True)

    def _cut_on_terminal(self, text: str, width: int) -> str:
        """Return a text, on a terminal cut to a width. If it is cut, set `has_cut`."""
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
                parts.append(f"{sign} {_escaped_text(text)}")
            case Lines(lines):
                bullets = [f"- {_escaped_text(line)}" for line in lines]
                parts.append("\n".join(bullets))
            case Command(text):
                parts.append(code_block([text], "sh"))
            case Grid():
                parts.append(_grid_as_markdown(block))
            case Hint(text):
                parts.append(f"- {_escaped_text(text)}")
            case Listing():
                parts.append(_listing_as_markdown(block))
    return "\n\n".join(parts) + "\n"


def _grid_as_markdown(grid: Grid) -> str:
    """Return a table as Markdown."""
    head = [words_or_code(cell) if cell else "" for cell in grid.head]
    text_heads = [cell for column, cell in enumerate(grid.head) if column not in grid.figures]
    rows = [list(map(words_or_code, row)) for row in grid.rows]
    lines = table_lines(head, rows, text_heads)
    return "\n".join(lines)


def _listing_as_markdown(listing: Listing) -> str:
    """Return a listing as Markdown. What is longer than `_INPUT` is shortened, and the page says so."""
    heading = f"### {_escaped_text(listing.heading)}"
    question = _in_backticks(_shortened(listing.question))
    lines = [heading, "", question, ""]
    for answer in listing.answers:
        lines += _answer_as_markdown(answer)
    if has_shortened_text(listing.question, listing.answers):
        note = f"- Texts of more than {_INPUT} characters are shortened"
        whole = "the command prints the question whole" if listing.again else listing.elsewhere
        if whole:
            note += f"; {whole}"
        lines.append(f"{note}.")
    if listing.again:
        command = code_block([listing.again], "sh")
        lines += ["", command]
    return "\n".join(lines)


def _answer_as_markdown(answer: AnswerLine) -> Sequence[str]:
    """Return the lines of an item of a list. Of many names, it has the first, and below it all are folded."""
    line = f"- {_escaped_text(answer.label)}"
    further_lines: Sequence[str] = ()
    if answer.words and answer.names:
        names = answer.words.split(_COMMA)
        words = answer.words
        if len(names) > _NAMES:
            words = first_names(names, _FIRST_NAMES)
            further_lines = _folded_names(names)
        line += f": {_escaped_text(words)}"
    elif answer.words:
        line += f": {_in_backticks(_shortened(answer.words))}"
    if answer.note:
        line += f" ({answer.note})"
    return [line, *further_lines]


def _folded_names(names: Sequence[str]) -> Sequence[str]:
    """Return the lines of all names, which belong to an item of a list. A browser shows them on demand.

    The empty lines around the tags let Markdown read the names as text, not as HTML.
    """
    text = _escaped_text(_COMMA.join(names))
    lines = ["", f"<details><summary>all {len(names)}</summary>", ""]
    wrapped_lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    lines += [_without_block_mark(line) for line in wrapped_lines]
    lines += ["", "</details>", ""]
    return [f"{_INDENT}{line}".rstrip() for line in lines]


def has_shortened_text(question: str, answers: Iterable[AnswerLine]) -> bool:
    """Return True if Markdown shortens a text of a listing, or if results have abbreviated one."""
    texts = [question, *(answer.words for answer in answers if not answer.names)]
    return any(map(_is_shortened, texts))


def _is_shortened(text: str) -> bool:
    """Return True if Markdown shows less than a whole text, or if the text is an abbreviation already."""
    is_abbreviation = _ABBREVIATION_END.search(text) is not None
    return is_abbreviation or _shortened(text) != logged(text)


def _shortened(text: str) -> str:
    """Return a text of at most about `_INPUT` characters, escaped for logs.

    Texts that are abbreviated already stay as they are, and no cut is inside the name of a component.
    """
    line = logged(text)
    if len(line) <= _INPUT or _ABBREVIATION_END.search(line):
        return line
    beginning = _CUT_NAME.sub("", line[:_INPUT])
    return clipped(line, len(beginning))


def _escaped_text(text: str) -> str:
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
    return _without_block_mark(line)


def _without_block_mark(line: str) -> str:
    """Return a line with its first character escaped if it would begin a list, a heading or a quotation."""
    return f"\\{line}" if _BEGINNING.match(line) else line


def words_or_code(text: str, limit: int = _INPUT) -> str:
    """Return a text for a line of Markdown: plain words as they are, anything else as a code span.

    At most `limit` characters of it are shown.
    """
    line = clipped(logged(text), limit)
    return line if _WORDS.fullmatch(line) else _in_backticks(line)


def code_span(text: str, limit: int = _INPUT) -> str:
    """Return at most `limit` characters of a text as a code span, or *empty*."""
    return _in_backticks(clipped(logged(text), limit))


def code_block(lines: Iterable[str], language: str = "") -> str:
    """Return a code block of lines, whose `language` Markdown highlights. No text in it ends the block."""
    body = "\n".join(map(logged, lines))
    fence_length = max(_SHORTEST_FENCE, _longest_backtick_run(body) + 1)
    fence = "`" * fence_length
    return f"{fence}{language}\n{body}\n{fence}"


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]], words: Collection[str] = ()) -> list[str]:
    """Return the lines of a table. The cells are Markdown.

    The first column and the columns whose head is in `words` contain texts. All other columns contain
    figures.
    """
    rule = ["---"]
    rule += ["---" if cell in words else "---:" for cell in head[1:]]
    lines = []
    for row in (head, rule, *rows):
        cells = " | ".join(map(_without_bars, row))
        lines.append(f"| {cells} |")
    return lines


def _without_bars(cell: str) -> str:
    """Return a cell of a table with a code point for each bar, which would end the cell.

    Parsers disagree on a bar after a backslash.
    """
    return cell.replace("|", "\\u{7c}")


def _in_backticks(text: str) -> str:
    """Return a text as a code span. An empty text, and one of blanks only, is described instead."""
    if not text:
        return "*empty*"
    if not text.strip(" "):
        return f"*{len(text)} blanks*"
    backticks = "`" * (_longest_backtick_run(text) + 1)
    # Markdown removes a blank at each end, and would add a backtick there to its own ones
    needs_blanks = text[0] in "` " or text[-1] in "` "
    blank = " " if needs_blanks else ""
    return f"{backticks}{blank}{text}{blank}{backticks}"


def _longest_backtick_run(text: str) -> int:
    """Return the length of the longest run of backticks in a text, or 0 if there are none."""
    runs = re.findall("`+", text)
    return max(map(len, runs), default=0)
