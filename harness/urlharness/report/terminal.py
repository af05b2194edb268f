"""The terminal: the summary of a run, tables by section and component, the first failures.

Every line fits the terminal, and no table wraps. A pipe is treated as a terminal of 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from urlharness.corpus.model import FLAGS, explain_flags
from urlharness.protocol.messages import Implementation
from urlharness.report.document import cut
from urlharness.report.failures import (
    Failure,
    FindingGroup,
    Severity,
    claims,
    generated_failures,
    severity,
    stored_failures,
)
from urlharness.report.summary import (
    NO_EXAMPLE,
    WorstSection,
    answers_text,
    answers_to_all_rfcs,
    answers_to_witnesses,
    asked_text,
    compliance_text,
    counted_specs,
    distance_from_compliance,
    example_text,
    failed_sections,
    library_names,
    percent,
    shown_and_left_out,
    specs_asked_of,
    statement_sizes,
    telling_example,
    total_answers,
    total_score,
    unknown_names_in_words,
    whole_percent,
    worst_of_failed,
)
from urlharness.results.coverage import WHOLE_RFC, Place, caveats, incomplete_places, reason_given_up
from urlharness.results.model import ASKED_AGAIN, Participant, Result, Results
from urlharness.results.scores import (
    MINUS,
    NO_COMPONENTS,
    Answers,
    Score,
    State,
    answers_by_component,
    has_row,
    scores_by_rule,
    scores_by_section,
    scores_by_spec,
    scores_by_tier,
    youden_in_words,
)
from urlharness.results.verdict import Outcome
from urlharness.sessions.process import with_error_line
from urlharness.text import clipped, logged, plain, short_names
from urlharness.wording import counted, first_names, rfc, section_label

#: The width of a pipe.
_PIPE_WIDTH = 80
#: The maximum number of columns of RFCs on a screen that is not wider, so that their bars stay readable.
_MOST_SPECS = 5

#: The number of names at the heads of columns that find room side by side if they are long.
_HEADS_ON_SCREEN = 5

#: The maximum number of lines of a summary of four implementations, and the number of its lines before the
#: first worst section: an empty line and a heading.
_LINES, _WORST_HEAD_LINES = 40, 2

#: The maximum number of lines with the names of libraries that were not asked.
_LINES_OF_NAMES = 2

#: The number of blanks between columns, and these blanks.
_GAP = 2
_BLANKS = _GAP * " "

#: The minimum and maximum width of a name.
_LEAST_NAME, _MOST_NAME = 8, 40

#: The minimum width of the column of an RFC, and of the table of answers.
_LEAST_BAR, _LEAST_ANSWERS = 11, 32

#: The minimum width of a total below the name of an RFC: "of", a blank and three digits.
_TOTAL_WIDTH = 6

#: The maximum length of a bar, and the minimum length. A shorter bar is not shown.
_LONGEST_BAR, _SHORTEST_BAR = 30, 3

#: The maximum number of sections of an implementation in a summary.
_SECTIONS = 5

#: The minimum width of the title of a section beside a long example, and the minimum width of both together
#: for which titles are shown.
_SHORT_TITLE, _LEAST_ROOM = 10, 40

#: The least time of an answer that the summary mentions, in seconds. A busy machine seldom takes it.
_SLOW = 0.25


class _StateSign(NamedTuple):
    """The sign of a state of statements in a bar, on a terminal with Unicode and on one with ASCII only."""

    unicode: str
    ascii: str
    style: str


#: The signs of the states of statements, in the order of bars.
_SIGNS = {
    State.HELD: _StateSign("█", "#", "green"),
    State.FAILED: _StateSign("▒", "x", "red"),
    State.PARTLY: _StateSign("░", "-", "yellow"),
    State.OPEN: _StateSign("·", ".", "dim"),
}

#: The minimum width of a number below a word.
_LEAST_WORD = 4

#: The width of a label in a failure, and the minimum width of the text after the label.
_LABEL, _LEAST_CONTENT = 13, 20

#: The maximum numbers of characters of a text in a failure, and of the names of what is not shown.
_TEXT_LIMIT, _NAMES_LIMIT = 2000, 200

#: The minimum and maximum width of the first column of a table of sections.
_LEAST_LABEL, _MOST_LABEL = 18, 60

#: The heads of two columns of the table of answers that can be left out.
_WITNESSES_HEAD, _COMPLIANCE_HEAD = "of these/witnesses", "complies/with"

#: The forms of a distance from compliance, the longest first. `_compliance_in_words` fills them.
_COMPLIANCE_FORMS = (
    "{verdict}; {share} of the statements of {rfc} held",
    "no; {share} of {rfc}",
    "{verdict}",
)

#: The legend of a table of sections. `_section_legend` fills its first two sentences.
_STATEMENTS_LEGEND = (
    "The row of a section counts statements: {held} held, {failed} failed, {partly} partly, {open} open{end}."
)
_VECTORS_LEGEND = "The rows below count vectors: right, wrong, not exposed, not offered{end}."
_FURTHER_LEGEND = (
    "Witnesses are vectors made by a program. Sections exclude their subsections.",
    "Other sections are References, Addresses and the like.",
    "accepted, rejected, components, results: right answers, mean over statements.",
    "J: accepted + rejected - 1; a library that accepts everything has 0.",
    'After "no": the share of the statements that hold.',
    "Green: none failed. On yellow: some failed. On red: more failed than held.",
)
_STATES = ("held", "failed", "partly", "open")

#: What the legends and the heads of columns have besides if an adapter was given up: the legends of
#: statements and of vectors, the head, and its sign.
_UNASKED, _UNASKED_SIGN = "unasked", "?"
_UNASKED_STATEMENTS_LEGEND = f", {_UNASKED_SIGN} never asked"
_UNASKED_VECTORS_LEGEND = ", never asked"

#: The legend of a table of components. `print_components` fills its first sentence.
_COMPONENTS_LEGEND = "The numbers of each component: right, wrong, not exposed, not offered{end}."
_NONE_SHOWN_LEGEND = "(none shown): the URL was rejected, or the answer shows no component."


#: Four numbers, or five if some cases were never asked.
_Counts = tuple[int, ...]
_Cell = _Counts | str


class _Row(NamedTuple):
    """A row of a table of sections or components: its label, a cell for each implementation, and a total.

    A cell contains four numbers, five if some cases were never asked, or a text. If `statements` is True, the
    row counts statements, and the share of statements that hold sets the colour of a cell.
    """

    label: str
    cells: Mapping[str, _Cell]
    total: int | None = None
    statements: bool = False


class _Table(NamedTuple):
    """A table of sections or components. `heading` stands above the labels of the rows.

    `words` are the heads of the numbers of statements, if there are any. They can be signs.
    """

    heading: str
    rows: Sequence[_Row]
    words: Sequence[str] = ()


class _Screen:
    """A console with its width, the results, the shown implementations, and their names.

    `ascii` is True if the console cannot show other characters. `left_out` are the implementations that are
    not shown for lack of room. `libraries` maps every implementation to the name of its library, and `scores`
    are those of each RFC by implementation.

    `heads` are the names at the heads of columns, and `names` the longer ones at the beginnings of rows, of
    which the longest has the width `longest`. `specs` are the asked RFCs, without those that no shown
    implementation is asked about. At most `most_specs` of them have a column.
    """

    def __init__(self, console: Console, results: Results, implementations: Sequence[str]) -> None:
        self.console = console
        self.results = results
        self.width = console.width if console.is_terminal else min(console.width, _PIPE_WIDTH)
        self.ascii = console.options.ascii_only
        self.shown, self.left_out = shown_and_left_out(results, implementations)
        self.libraries = library_names(results)
        self.scores = scores_by_spec(results)
        self.specs = specs_asked_of(results, self.shown)
        self.most_specs = len(self.specs) if self.width > _PIPE_WIDTH else min(len(self.specs), _MOST_SPECS)
        head_limit = max(_LEAST_NAME, min(_MOST_NAME, self.width // _HEADS_ON_SCREEN))
        bars_width = _LEAST_BAR * self.most_specs
        table_width = max(bars_width, _LEAST_ANSWERS)
        name_limit = min(_MOST_NAME, self.width - table_width)
        self.heads = self._short_names(head_limit)
        self.names = self._short_names(max(head_limit, name_limit))
        self.longest = max(map(len, self.names.values()), default=0)

    @cached_property
    def failed_sections(self) -> Mapping[str, Sequence[WorstSection]]:
        """The sections in which a shown implementation fails, by its name."""
        return {participant.name: failed_sections(self.results, participant) for participant in self.shown}

    def _short_names(self, limit: int) -> Mapping[str, str]:
        """Map each shown implementation to the name of its library, cut to `limit`. The names are unique."""
        libraries = {participant.name: self.libraries[participant.name] for participant in self.shown}
        short = short_names(libraries.values(), limit, self._ellipsis)
        return {name: short[library] for name, library in libraries.items()}

    @property
    def _ellipsis(self) -> str:
        """The mark at the end of a text that is cut."""
        return "..." if self.ascii else "…"

    @cached_property
    def has_unasked(self) -> bool:
        """True if a shown implementation was never asked some cases. Then tables have a column for them."""
        all_scores = [*self.scores.values(), *scores_by_tier(self.results).values()]
        return any(
            scores[name].required.unasked for scores in all_scores for name in scores if name in self.names
        )

    def state_sign(self, state: State) -> str:
        """Return the sign of a state of statements."""
        sign = _SIGNS[state]
        return sign.ascii if self.ascii else sign.unicode

    def state_signs(self) -> list[str]:
        """Return the sign of each state of statements, in the order of bars."""
        return [self.state_sign(state) for state in _SIGNS]

    def table_heads(self) -> list[str]:
        """Return the heads of the numbers of statements in a table, as words."""
        return [*_STATES, _UNASKED] if self.has_unasked else [*_STATES]

    def table_signs(self) -> list[str]:
        """Return the heads of the numbers of statements in a table, as signs."""
        signs = self.state_signs()
        return [*signs, _UNASKED_SIGN] if self.has_unasked else signs

    def answer_counts(self, answers: Answers) -> _Counts:
        """Return the numbers of vectors by answer, in the order of the legend."""
        counts = (answers.right, answers.wrong, answers.partial, answers.unsupported)
        return (*counts, answers.unasked) if self.has_unasked else counts

    def state_counts(self, score: Score) -> _Counts:
        """Return the numbers of statements by state, in the order of bars.

        With a column for them, statements that were never asked are not among the open ones.
        """
        held = score.states[State.HELD]
        failed = score.states[State.FAILED]
        partly = score.states[State.PARTLY]
        still_open = score.states[State.OPEN]
        if not self.has_unasked:
            return (held, failed, partly, still_open)
        return (held, failed, partly, still_open - score.never_asked, score.never_asked)

    def cut(self, text: str, width: int) -> str:
        """Return an untrusted text as one line of at most `width` columns, with an ellipsis if it is cut."""
        line = logged(text)
        if self.ascii:
            line = line.encode("ascii", "backslashreplace").decode()
        return cut(line, width, self._ellipsis)

    def fit(self, text: str, width: int) -> str:
        """Return a text cut or padded to exactly `width` columns."""
        return set_cell_size(self.cut(text, width), width)

    def wrap_prose(self, text: str, style: str = "") -> list[Text]:
        """Return the lines of a sentence, broken at the width of the screen."""
        return [*Text(_safe_line(text), style=style).wrap(self.console, self.width)]

    def begin_row(self, participant: Participant) -> Text:
        """Return the beginning of a row: the name of an implementation, as wide as the longest name."""
        name = self.names[participant.name]
        return Text(name.ljust(self.longest), style="bold")

    def print(self, lines: Iterable[Text]) -> None:
        """Print lines, none of which is broken. This removes the blanks at the ends of the `lines`."""
        for line in lines:
            line.rstrip()
            self.console.print(line, soft_wrap=True)


# ---- the summary


def print_report(
    console: Console,
    results: Results,
    implementations: Sequence[str] = (),
    *,
    sections: bool = False,
    components: bool = False,
    command: str = "",
    not_asked: Sequence[str] = (),
) -> None:
    """Print the summary and, on request, the tables of sections and components.

    `implementations` are those to show (empty: the first eight). `command` shows the results again. Without
    a table, it makes the commands for the next step. `not_asked` are the names of the installed libraries
    that were not asked.
    """
    # the commands for the next step would stand above the tables
    command_for_next_step = "" if sections or components else command
    print_summary(console, results, implementations, command_for_next_step, not_asked)
    if sections:
        print_sections(console, results, implementations)
    if components:
        print_components(console, results, implementations)


def print_summary(
    console: Console,
    results: Results,
    implementations: Sequence[str] = (),
    command: str = "",
    not_asked: Sequence[str] = (),
) -> None:
    """Print the number of questions, statements held, wrong answers, and the worst sections.

    `implementations` are those to show (empty: the first eight). `command` shows the results again. If it is
    not empty, commands for the next step are printed. `not_asked` are the names of the installed libraries
    that were not asked.
    """
    screen = _Screen(console, results, implementations)
    above = [*_first_lines(screen), *_statements_table(screen), *_answers_table(screen)]
    below = [
        *_lines_on_adapters(screen),
        *_slowest_lines(screen),
        *_next_command_lines(screen, command, not_asked),
    ]
    free = _LINES - len(above) - len(below) - _WORST_HEAD_LINES
    room = free // max(1, len(screen.shown)) - 1  # the name of the implementation has a line
    limit = max(1, min(_SECTIONS, room))
    worst = _worst_lines(screen, limit)
    screen.print([*above, *worst, *below])


def _first_lines(screen: _Screen) -> Iterator[Text]:
    """Yield the numbers of questions, a line for a reference that is not shown below, and the caveats."""
    results = screen.results
    yield from screen.wrap_prose(f"urlconform {results.header.urlconform}: {asked_text(results)}", "bold")
    listed = [*screen.shown, *screen.left_out]
    for participant in results.ran:
        if participant not in listed:
            answers = total_answers(results, participant)
            words = answers_text(answers, "required vectors")
            yield from screen.wrap_prose(f"{participant.name}: {words}", "green")
    caveat_style = "yellow" if results.complete else "bold red"
    for caveat in caveats(results):
        yield from screen.wrap_prose(caveat, caveat_style)


def _statements_table(screen: _Screen) -> Iterator[Text]:
    """Yield a row for each implementation: for each RFC a bar and the number of statements held."""
    sizes = statement_sizes(screen.results)
    specs = [spec for spec in screen.specs if sizes[spec, WHOLE_RFC]]
    if not specs or not screen.shown:
        return
    columns = _held_columns(screen, specs, sizes)
    yield Text()
    yield from _held_legend_lines(screen, columns)
    yield from _held_heads(screen, columns, sizes)
    for participant in screen.shown:
        yield _held_row(screen, participant, columns, sizes)
    left_out = specs[len(columns.specs) :]
    if left_out:
        names = ", ".join(map(rfc, left_out))
        yield from screen.wrap_prose(f"The terminal is too narrow for {names}.", "dim")


class _HeldColumns(NamedTuple):
    """The columns of the table of statements held.

    `specs` are the RFCs that fit. `width` is the width of a column, and `bar` that of the bar in it, or 0. If
    `short`, heads are only the numbers of RFCs. If `unclaimed`, an implementation does not claim an RFC.
    """

    specs: Sequence[str]
    width: int
    bar: int
    short: bool
    unclaimed: bool


def _held_columns(screen: _Screen, specs: Sequence[str], sizes: Mapping[Place, int]) -> _HeldColumns:
    """Return the columns that fit the screen. The bars are left out first, then the last RFCs.

    A screen of 80 columns shows five RFCs at most.
    """
    candidates = specs[: screen.most_specs]
    unclaimed = any(not claims(participant, spec) for participant in screen.shown for spec in candidates)
    number_width = max(len(f"{sizes[spec, WHOLE_RFC]:,}") for spec in candidates)
    if unclaimed:
        number_width += 1  # the sign after the number
    free = screen.width - screen.longest
    room = free // len(candidates) - _GAP  # of a column
    first_spec = candidates[0]
    short = room < len(rfc(first_spec))
    head_width = len(_held_head(first_spec, short=short))  # all have the same width
    bar = min(_LONGEST_BAR, room - number_width - 1)
    if bar >= _SHORTEST_BAR:
        content_width = bar + 1 + number_width
    else:
        bar = 0
        content_width = number_width
    width = max(content_width, _TOTAL_WIDTH, head_width)
    fitting = max(1, free // (width + _GAP))
    return _HeldColumns(candidates[:fitting], width, bar, short, unclaimed)


def _held_head(spec: str, *, short: bool) -> str:
    """Return the name of an RFC or, if `short`, only its number."""
    return spec.removeprefix("rfc") if short else rfc(spec)


def _held_legend_lines(screen: _Screen, columns: _HeldColumns) -> Iterator[Text]:
    """Yield the lines that explain the signs of bars, if there are bars, and the sign of RFCs not claimed."""
    legend = Text("Statements ", style="bold")
    if columns.bar:
        for state, sign in _SIGNS.items():
            legend.append(f"{screen.state_sign(state)} ", f"not bold {sign.style}")
            legend.append(f"{state}  ", "not bold")
    else:
        legend.append("held  ")
    if columns.unclaimed:
        legend.append("* RFC not claimed", "not bold")
    yield from legend.wrap(screen.console, screen.width)


def _held_heads(screen: _Screen, columns: _HeldColumns, sizes: Mapping[Place, int]) -> tuple[Text, Text]:
    """Return the line with the names of the RFCs, and the line with their numbers of statements."""
    margin = " " * screen.longest
    heads = Text(margin, style="bold")
    totals = Text(margin, style="dim")
    for spec in columns.specs:
        head = _held_head(spec, short=columns.short)
        total = f"of {sizes[spec, WHOLE_RFC]:,}"
        if columns.unclaimed:
            total += " "  # above the sign of RFCs not claimed
        heads.append(_BLANKS + head.rjust(columns.width))
        totals.append(_BLANKS + total.rjust(columns.width))
    return heads, totals


def _held_row(
    screen: _Screen, participant: Participant, columns: _HeldColumns, sizes: Mapping[Place, int]
) -> Text:
    """Return the row of an implementation in the table of statements held. `sizes` counts statements."""
    row = screen.begin_row(participant)
    for spec in columns.specs:
        score = screen.scores[spec].get(participant.name, Score())
        held = f"{score.states[State.HELD]:,}"
        if columns.unclaimed:  # then all numbers have room for the sign
            held += " " if claims(participant, spec) else "*"
        row.append(_BLANKS)
        row.append_text(_state_bar(screen, score, sizes[spec, WHOLE_RFC], columns.bar))
        row.append(held.rjust(columns.width - columns.bar), "not bold")
    return row


def _state_bar(screen: _Screen, score: Score, total: int, width: int) -> Text:
    """Return the states of `total` statements as a bar. Those that the score does not have count as open.

    Each state that occurs gets at least one sign. Without a width, the bar is empty.
    """
    bar = Text()
    if not width:
        return bar
    counts = {state: score.states[state] for state in _SIGNS}
    counts[State.OPEN] += total - sum(counts.values())
    for state, count in _divide_signs(width, counts).items():
        bar.append(screen.state_sign(state) * count, f"not bold {_SIGNS[state].style}")
    return bar


def _divide_signs(width: int, counts: Mapping[State, int]) -> Mapping[State, int]:
    """Divide the signs of a bar among the states in proportion to their counts.

    Each state that occurs gets at least one. If there are more states than signs, the bar becomes longer.
    """
    total = sum(counts.values())
    exact_shares = {state: width * count / total for state, count in counts.items()}
    signs = {}
    for state, count in counts.items():
        least = 1 if count else 0
        signs[state] = max(least, int(exact_shares[state]))
    while sum(signs.values()) < width:
        missing = {state: exact_shares[state] - number for state, number in signs.items()}
        state_to_extend = max(missing, key=missing.__getitem__)
        signs[state_to_extend] += 1
    while sum(signs.values()) > width and max(signs.values()) > 1:
        surplus = {state: number - exact_shares[state] for state, number in signs.items() if number > 1}
        state_to_shorten = max(surplus, key=surplus.__getitem__)
        signs[state_to_shorten] -= 1
    return signs


def _answers_table(screen: _Screen) -> Iterator[Text]:
    """Yield a row for each implementation: its answers, and the RFCs that it complies with."""
    if not screen.shown:
        return
    columns = _answer_columns(screen)
    specs = {*screen.specs}
    only_claimed = any(specs > counted_specs(screen.results, participant) for participant in screen.shown)
    title = "Required vectors, RFCs claimed" if only_claimed else "Required vectors"
    if _WITNESSES_HEAD in columns:
        title += "; witnesses are made by a program"
    yield Text()
    yield from screen.wrap_prose(title, "bold")
    yield from _answer_head_lines(screen, columns)
    for number, participant in enumerate(screen.shown):
        row = screen.begin_row(participant)
        for head, texts in columns.items():
            text = texts[number]
            padding = " " * (_column_width(head, texts) - len(text))
            row.append(_BLANKS + padding)
            row.append_text(text)
        yield row
    yield from _answer_note_lines(screen, len(specs))


def _answer_head_lines(screen: _Screen, columns: Mapping[str, Sequence[Text]]) -> Iterator[Text]:
    """Yield the two lines of the heads of the columns, which a slash separates in each head."""
    margin = " " * screen.longest
    upper_line = Text(margin, style="bold")
    lower_line = Text(margin, style="bold")
    for head, texts in columns.items():
        width = _column_width(head, texts)
        upper, lower = head.split("/")
        upper_line.append(_BLANKS + upper.rjust(width))
        lower_line.append(_BLANKS + lower.rjust(width))
    yield upper_line
    yield lower_line


def _answer_note_lines(screen: _Screen, spec_count: int) -> Iterator[Text]:
    """Yield which implementations claim no RFC, if several were asked, and which are not shown."""
    claiming_none = [screen.names[participant.name] for participant in screen.shown if not participant.specs]
    if claiming_none and spec_count > 1:
        names = ", ".join(claiming_none)
        claim = "claims" if len(claiming_none) == 1 else "claim"
        yield from screen.wrap_prose(f"{names} {claim} no RFC, so all are counted.", "dim")
    if screen.left_out:
        names = ", ".join(screen.libraries[participant.name] for participant in screen.left_out)
        hint = f"{len(screen.left_out)} more, not shown (-a NAME shows one): {clipped(names, _NAMES_LIMIT)}"
        yield from screen.wrap_prose(hint, "dim")


def _answer_columns(screen: _Screen) -> dict[str, list[Text]]:
    """Map the head of each column that fits to the figures of the implementations.

    In a head, a slash separates two lines.
    """
    columns: dict[str, list[Text]] = {}
    answers = [total_answers(screen.results, participant) for participant in screen.shown]
    columns["/right"] = [_number_text(counts.right, "green") for counts in answers]
    columns["/wrong"] = [_number_text(counts.wrong, "red") for counts in answers]
    witnesses = [answers_to_witnesses(screen.results, participant) for participant in screen.shown]
    if any(counts.wrong for counts in witnesses):
        columns[_WITNESSES_HEAD] = [_number_text(counts.wrong) for counts in witnesses]
    columns["not/exposed"] = [_number_text(counts.partial, "yellow") for counts in answers]
    columns["not/offered"] = [_number_text(counts.unsupported, "dim") for counts in answers]
    if any(counts.unasked for counts in answers):
        columns["never/asked"] = [_number_text(counts.unasked, "yellow") for counts in answers]
    compliance = _compliance_column(screen, columns)
    if any(text.plain for text in compliance):
        columns[_COMPLIANCE_HEAD] = compliance
    for head in (_WITNESSES_HEAD, _COMPLIANCE_HEAD):
        if _table_width(screen, columns) > screen.width:
            columns.pop(head, None)
    return columns


def _compliance_column(screen: _Screen, columns: Mapping[str, Sequence[Text]]) -> list[Text]:
    """Return what each implementation complies with, in the longest form that fits beside these columns.

    If none fits, return the shortest form.
    """
    texts: list[Text] = []
    for form in _COMPLIANCE_FORMS:
        verdicts = [_compliance_in_words(screen, participant, form) for participant in screen.shown]
        texts = [Text(verdict, style="not bold") for verdict in verdicts]
        if _table_width(screen, {**columns, _COMPLIANCE_HEAD: texts}) <= screen.width:
            break
    return texts


def _table_width(screen: _Screen, columns: Mapping[str, Sequence[Text]]) -> int:
    """Return the width of a table with these columns after the names of the implementations."""
    width = screen.longest
    for head, texts in columns.items():
        width += _GAP + _column_width(head, texts)
    return width


def _column_width(head: str, texts: Sequence[Text]) -> int:
    """Return the width of the longest text or line of the head."""
    widths = [*map(len, head.split("/")), *map(len, texts)]
    return max(widths)


def _compliance_in_words(screen: _Screen, participant: Participant, form: str) -> str:
    """Return in words which RFCs an implementation complies with, or how far it is from its first RFC.

    `form`, one of `_COMPLIANCE_FORMS`, is the format string for the second case.
    """
    verdict = compliance_text(screen.results, participant.name, screen.scores)
    distance = distance_from_compliance(screen.results, participant, screen.scores)
    if distance is None:
        return verdict
    return form.format(verdict=verdict, share=whole_percent(distance.held), rfc=rfc(distance.spec))


def _number_text(count: int, style: str = "") -> Text:
    """Return a number in a style, or a dim zero."""
    number_style = style if count else "dim"
    return Text(f"{count:,}", style=f"not bold {number_style}")


class _Example(NamedTuple):
    """A failure in words. `short` leaves out the expected answer, and `command` repeats the failure."""

    text: str = ""
    short: str = ""
    command: str = ""


class _WorstLine(NamedTuple):
    """A line about a section or rule in which an implementation fails.

    `subject` is the section or rule, and `title` the title of the section or the tier. `failed` says how many
    statements failed, such as "3/7". If `of_cases` is True, it counts cases.
    """

    subject: str
    title: str
    failed: str
    example: _Example
    of_cases: bool = False


class _WorstWidths(NamedTuple):
    """The widths of the columns of the worst sections.

    `room` is that of the title and the example together, and `least_title` the minimum of the title.
    """

    subject: int
    failed: int
    room: int
    title: int
    least_title: int

    def title_beside(self, examples: Iterable[str]) -> int:
        """Return the width of the title beside these examples."""
        if not self.least_title:
            return 0
        longest_example = max(map(cell_len, examples), default=0)
        return min(self.title, max(self.least_title, self.room - _GAP - longest_example))


def _worst_lines(screen: _Screen, limit: int) -> Iterator[Text]:
    """Yield the worst sections of each implementation, each with an example."""
    if not screen.shown:
        return
    every_line: list[_WorstLine] = []
    lines_by_name = {}
    for participant in screen.shown:
        lines = _worst_of_participant(screen, participant, limit)
        lines_by_name[participant.name] = lines
        every_line += lines
    widths = _worst_widths(screen, every_line)
    yield Text()
    if every_line:
        subjects = "sections, with the share of statements"
        if all(line.of_cases for line in every_line):
            subjects = "rules, with the share of cases"
        yield from screen.wrap_prose(f"Most failed {subjects} failed and an example", "bold")
    for participant in screen.shown:
        lines = lines_by_name[participant.name]
        yield _worst_head(screen, participant, has_lines=bool(lines))
        yield from _worst_rows(screen, lines, widths)


def _worst_widths(screen: _Screen, lines: Sequence[_WorstLine]) -> _WorstWidths:
    """Return the widths for these lines. On a narrow screen, titles get no room at all."""
    subject = 0
    failed = 0
    title = 0
    for line in lines:
        subject = max(subject, cell_len(logged(line.subject)))
        failed = max(failed, len(line.failed))
        title = max(title, len(line.title))
    room = screen.width - 3 * _GAP - subject - failed
    least_title = min(title, _SHORT_TITLE) if room >= _LEAST_ROOM else 0
    return _WorstWidths(subject, failed, room, title, least_title)


def _worst_head(screen: _Screen, participant: Participant, *, has_lines: bool) -> Text:
    """Return the name of an implementation and its library, and its answers if no lines follow."""
    head = Text(screen.names[participant.name], style="bold")
    if participant.implementation is not None:
        about = _identity_in_words(screen.libraries[participant.name], participant.implementation)
        if about:
            room = screen.width - len(head)
            head.append(screen.cut(f"  {about}", room), "not bold dim")
    if not has_lines:
        answers = _answers_in_words(screen.results, participant)
        room = screen.width - len(head)
        head.append(screen.cut(f"  {answers}", room), "not bold")
    return head


def _worst_rows(screen: _Screen, lines: Sequence[_WorstLine], widths: _WorstWidths) -> Iterator[Text]:
    """Yield the rows of one implementation, whose titles have the room that its examples leave."""
    room = widths.room
    if widths.least_title:
        room -= _GAP + widths.least_title
    examples = [_fitting_example(line, room) for line in lines]
    title_width = widths.title_beside(examples)
    for line, example in zip(lines, examples, strict=True):
        subject = screen.fit(line.subject, widths.subject)
        row = Text(_BLANKS + subject + _BLANKS)
        if title_width:
            row.append(screen.fit(line.title, title_width) + _BLANKS, "dim")
        row.append(line.failed.rjust(widths.failed), "red")
        row.append(_BLANKS)
        row.append(screen.cut(example, screen.width - row.cell_len))
        yield row


def _fitting_example(line: _WorstLine, width: int) -> str:
    """Return the example of a line, without the expected answer if it is too wide otherwise."""
    example = logged(line.example.text)
    return example if cell_len(example) <= width else logged(line.example.short)


def _worst_of_participant(screen: _Screen, participant: Participant, limit: int) -> list[_WorstLine]:
    """Return lines about the worst sections, and about the worst rules of tiers if there is room for more."""
    lines = []
    for section in worst_of_failed(screen.failed_sections[participant.name], limit):
        label, title = section_label(section.section, section.title)
        subject = f"{rfc(section.spec)} {label}"
        failed = f"{section.failed}/{section.statements}"
        lines.append(_WorstLine(subject, title, failed, _example_in_words(section.example)))
    lines += _worst_rule_lines(screen.results, participant, limit - len(lines))
    return lines


def _worst_rule_lines(results: Results, participant: Participant, limit: int) -> Iterator[_WorstLine]:
    """Yield lines about at most `limit` generated rules, those with the most wrong answers first."""
    failures = generated_failures(results)
    tallies = [tally for tally in results.tallies_of(participant.name) if tally.wrong]
    most_wrong_first = sorted(tallies, key=lambda tally: -tally.wrong)
    for tally in most_wrong_first[:limit]:
        subject = f"{rfc(tally.spec)} {tally.subject}"
        required = sum(tally.required.values())
        failed = f"{tally.wrong:,}/{required:,} cases"
        example = _Example()
        examples = failures.get((participant.name, tally.part))
        if examples:  # a run may keep no example of a rule
            example = _example_in_words(telling_example(examples, participant))
        yield _WorstLine(subject, f"tier {tally.tier}", failed, example, of_cases=True)


def _example_in_words(failure: Failure | None) -> _Example:
    """Return a failure in words. None stands for failures of which no one can be an example."""
    if failure is None:
        return _Example(NO_EXAMPLE, "all are right under another RFC")
    return _Example(example_text(failure), example_text(failure, whole=False), failure.command)


def _answers_in_words(results: Results, participant: Participant) -> str:
    """Return in words how an implementation without worst sections answered. It may have wrong answers.

    Without one, it is enough to say whether there is a complete answer.
    """
    answers = total_answers(results, participant)
    if answers.wrong or answers.unasked:
        return answers_text(answers)
    return "no wrong answer" if answers.answered else "no complete answer"


def _lines_on_adapters(screen: _Screen) -> Iterator[Text]:
    """Yield a sentence for each adapter that did not run, was started again, or used an unknown name."""
    lines = []
    for participant in screen.results.participants:
        name = participant.name
        if participant.implementation is None:
            sentence = f"{name}: {participant.status}: {participant.message}"
            lines += screen.wrap_prose(sentence, "yellow")
        if screen.results.restarts.get(name, 0):
            lines += screen.wrap_prose(_restarts_in_words(screen.results, name), "yellow")
    for sentence in unknown_names_in_words(screen.results):
        lines += screen.wrap_prose(sentence, "yellow")
    if lines:
        yield from [Text(), *lines]


def _restarts_in_words(results: Results, name: str) -> str:
    """Say how often an adapter was started again, and on which question and why it was at first.

    Only a question that was asked again and then answered is known.
    """
    how_often = counted(results.restarts[name], "time")
    sentence = f"{name}: started again {how_often}: it ended, timed out or sent an invalid reply"
    for answer in results.of(name).values():
        if answer.stderr.startswith(ASKED_AGAIN):
            reason, _, stderr = answer.stderr.removeprefix(ASKED_AGAIN).partition("\n")
            return f"{sentence}, first at the question {answer.id}: {with_error_line(reason, stderr)}"
    return sentence


def _slowest_lines(screen: _Screen) -> Iterator[Text]:
    """Yield a sentence about the slowest answer of a library, if it took at least `_SLOW` seconds.

    The reference is left out: it compiles its languages when they are first needed.
    """
    slow_answers: list[Result] = []
    for participant in screen.results.participants:
        if participant.name != "reference":
            answers = screen.results.of(participant.name).values()
            slow_answers += [answer for answer in answers if answer.seconds >= _SLOW]
    if not slow_answers:
        return
    slowest = max(slow_answers, key=lambda answer: answer.seconds)
    sentence = f"Slowest: {slowest.seconds:.2f} s for {slowest.id} ({slowest.implementation})"
    if len(slow_answers) > 1:
        sentence += f"; {len(slow_answers):,} cases took {_SLOW:g} s or more"
    yield Text()
    yield from screen.wrap_prose(sentence, "yellow")


def _next_command_lines(screen: _Screen, report_command: str, not_asked: Sequence[str]) -> Iterator[Text]:
    """Yield commands for the next step, which are never cut, and the libraries that were not asked.

    `report_command` shows the results again. If it is empty, yield nothing.
    """
    if not report_command or not screen.shown:
        return
    command_of_failure = _command_of_worst_failure(screen)
    commands = {}
    if command_of_failure:
        commands["one failure"] = command_of_failure
    commands["all sections"] = f"{report_command} --sections"
    commands["every case"] = f"{report_command} --report html=report.html"
    if not command_of_failure:
        commands["components"] = f"{report_command} --components"
    if not_asked:
        commands["comparison"] = "urlconform compare"
    width = max(map(len, commands))
    yield Text()
    yield Text("Next", style="bold")
    for purpose, command in commands.items():
        line = Text(f"  {purpose.ljust(width)}  ", style="dim")
        line.append(command, "not dim")
        yield line if line.cell_len <= screen.width else Text(f"  {command}")
    if not_asked:
        yield from screen.wrap_prose(_not_asked_in_words(screen, not_asked))


def _not_asked_in_words(screen: _Screen, names: Sequence[str]) -> str:
    """Return a sentence of at most two lines with the libraries that were not asked.

    Its end counts those for which there is no room, and says which command names them.
    """
    beginning = f"{counted(len(names), 'more library is', 'more libraries are')} here: "
    sentence = beginning + first_names(names, len(names))
    limit = len(names)
    while len(screen.wrap_prose(sentence)) > _LINES_OF_NAMES and limit > 1:
        limit -= 1
        sentence = f"{beginning}{first_names(names, limit)} (urlconform adapters list)"
    return sentence


def _command_of_worst_failure(screen: _Screen) -> str:
    """Return the command that repeats the first example of a worst section, or "" if there is no example."""
    for participant in screen.shown:
        for line in _worst_of_participant(screen, participant, 1):
            if line.example.command:
                return line.example.command
    return ""


# ---- tables


def print_sections(console: Console, results: Results, implementations: Sequence[str] = ()) -> None:
    """Print a table of the sections of each RFC, and of the rules of each generated tier."""
    screen = _Screen(console, results, implementations)
    _print_legend(screen, _section_legend(screen))
    sizes = statement_sizes(results)
    sections = scores_by_section(results)
    for spec, totals in screen.scores.items():
        section_scores = {
            section: scores for (section_spec, section), scores in sections.items() if section_spec == spec
        }
        rows = [*_section_rows(screen, spec, section_scores, sizes)]
        rows += _total_rows(screen, spec, sizes[spec, WHOLE_RFC], totals)
        table = _Table(rfc(spec), rows, screen.table_heads())
        screen.print(_table_lines(screen, table))
    _print_rules(screen)


def _section_legend(screen: _Screen) -> Iterator[str]:
    """Yield the sentences of the legend of a table of sections."""
    yield _STATEMENTS_LEGEND.format(
        held=screen.state_sign(State.HELD),
        failed=screen.state_sign(State.FAILED),
        partly=screen.state_sign(State.PARTLY),
        open=screen.state_sign(State.OPEN),
        end=_UNASKED_STATEMENTS_LEGEND if screen.has_unasked else "",
    )
    yield _VECTORS_LEGEND.format(end=_UNASKED_VECTORS_LEGEND if screen.has_unasked else "")
    yield from _FURTHER_LEGEND


def _print_rules(screen: _Screen) -> None:
    """Print a table of the rules of each generated tier."""
    tiers = scores_by_tier(screen.results)
    for (spec, tier), rules in scores_by_rule(screen.results).items():
        totals = tiers[spec, tier]
        rows = [_rule_row(screen, rule, scores) for rule, scores in rules.items()]
        rows.append(_rule_row(screen, "all rules", totals))
        rows.append(_compliance_row(screen, (spec, tier), totals))
        table = _Table(f"{rfc(spec)} tier {tier}", rows)
        screen.print(_table_lines(screen, table))


def _print_legend(screen: _Screen, sentences: Iterable[str]) -> None:
    """Print an empty line, then each sentence."""
    screen.print([Text()])
    for sentence in sentences:
        screen.print(screen.wrap_prose(sentence))


def _rule_row(screen: _Screen, label: str, scores: Mapping[str, Score]) -> _Row:
    """Return the row of a generated rule, or of all rules: its cases by answer."""
    answers = {name: screen.answer_counts(score.required) for name, score in scores.items()}
    return _Row(label, answers)


def _section_rows(
    screen: _Screen, spec: str, sections: Mapping[str, Mapping[str, Score]], sizes: Mapping[Place, int]
) -> Iterator[_Row]:
    """Yield the rows of the sections of an RFC. Sections without a row of their own are summed up."""
    titles = screen.results.titles
    without_row = []
    for section, scores in sections.items():
        title = titles.get((spec, section), "")
        if has_row(title):
            label = " ".join(section_label(section, title)).rstrip()
            yield from _score_rows(screen, label, sizes[spec, section], scores)
        elif sizes[spec, section]:
            without_row.append(section)
    if without_row:
        statements = sum(sizes[spec, section] for section in without_row)
        scores_without_row = [sections[section] for section in without_row]
        totals = {name: _score_of_name(scores_without_row, name) for name in screen.names}
        yield from _score_rows(screen, "other sections", statements, totals)


def _score_of_name(sections: Iterable[Mapping[str, Score]], name: str) -> Score:
    """Return the score of an implementation in several sections, which map implementations to scores."""
    return total_score(scores[name] for scores in sections if name in scores)


def print_components(console: Console, results: Results, implementations: Sequence[str] = ()) -> None:
    """Print a table of the components of each RFC."""
    screen = _Screen(console, results, implementations)
    end = _UNASKED_VECTORS_LEGEND if screen.has_unasked else ""
    _print_legend(screen, [_COMPONENTS_LEGEND.format(end=end), _NONE_SHOWN_LEGEND])
    for spec, components in answers_by_component(results).items():
        rows = []
        for component, answers_by_name in components.items():
            label = "(none shown)" if component == NO_COMPONENTS else component
            cells = {name: screen.answer_counts(answers) for name, answers in answers_by_name.items()}
            rows.append(_Row(label, cells))
        screen.print(_table_lines(screen, _Table(rfc(spec), rows)))


def _score_rows(screen: _Screen, label: str, statements: int, scores: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield a row of statements, then a row of human-made vectors and one of witnesses.

    A row of vectors without any answer is left out.
    """
    states = {name: screen.state_counts(score) for name, score in scores.items()}
    yield _Row(label, states, statements, statements=True)
    human = {name: score.required.without(score.witnesses) for name, score in scores.items()}
    witnesses = {name: score.witnesses for name, score in scores.items()}
    for row_label, answers_by_name in (("  vectors", human), ("  witnesses", witnesses)):
        cells = {name: screen.answer_counts(answers) for name, answers in answers_by_name.items()}
        total = max(map(sum, cells.values()), default=0)
        if total:
            yield _Row(row_label, cells, total)


def _total_rows(screen: _Screen, spec: str, statements: int, scores: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield the rows for an RFC as a whole: statements, vectors, means over statements, compliance."""
    displayed = {name: score for name, score in scores.items() if name in screen.names}
    yield _Row("", {})  # an empty line
    yield from _score_rows(screen, "all sections", statements, displayed)
    unscored = max((score.unscored for score in displayed.values()), default=0)
    if unscored:
        yield _Row("  not scored", {}, unscored)
    yield from _mean_rows(displayed)
    if any(score.compliance.total for score in displayed.values()):
        yield _compliance_row(screen, (spec, WHOLE_RFC), displayed)


def _mean_rows(displayed: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield a row for each mean over statements that a shown implementation has, and one for J.

    J follows the two means from which it is computed.
    """
    for mean in ("accepted", "rejected"):
        yield from _rows_of_mean(mean, displayed)
    if any(score.j is not None for score in displayed.values()):
        cells = {name: youden_in_words(score).replace(MINUS, "-") for name, score in displayed.items()}
        yield _Row("  J", cells)
    for mean in ("components", "results"):
        yield from _rows_of_mean(mean, displayed)


def _rows_of_mean(mean: str, displayed: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield the row of a mean over statements, unless no shown implementation has it."""
    means = {name: score.means[mean] for name, score in displayed.items()}
    if any(mean_of_name.count for mean_of_name in means.values()):
        cells = {name: percent(mean_of_name) for name, mean_of_name in means.items()}
        yield _Row(f"  {mean}", cells)


def _compliance_row(screen: _Screen, subject: Place, scores: Mapping[str, Score]) -> _Row:
    """Return the row that says whether each implementation complies with an RFC or tier.

    After a "no", it gives the share of statements that hold. A tier has no statements, so it gives the share
    of deciding cases that pass.
    """
    is_whole = screen.results.complete and subject not in incomplete_places(screen.results)
    verdicts = {}
    for name, score in scores.items():
        share = score.held if score.held.total else score.compliance
        verdicts[name] = f"no, {whole_percent(share)}"
        if score.complies:
            verdicts[name] = "yes" if is_whole else "so far"
    return _Row("  complies", verdicts)


def _table_lines(screen: _Screen, table: _Table) -> Iterator[Text]:
    """Yield the lines of a table. Implementations that do not fit side by side with the others follow below.

    If all implementations fit side by side only with signs instead of words, the heads are signs.
    """
    layout = _table_layout(screen, table)
    has_signs = layout.signs and table.words
    table_to_print = table._replace(words=screen.table_signs()) if has_signs else table
    names = list(screen.names)
    for start in range(0, len(names), layout.columns):
        names_of_part = names[start : start + layout.columns]
        yield Text()
        yield from _table_part_lines(screen, table_to_print, layout, names_of_part)


class _TableLayout(NamedTuple):
    """The widths of a table: of the label, the total and each number, and the number of columns.

    `cell` is the width of a cell of numbers or a text. `spare` is the width beside the total. If
    `signs`, the heads of the numbers are signs instead of words.
    """

    label: int
    total: int
    numbers: Sequence[int]
    cell: int
    spare: int
    columns: int
    signs: bool


def _table_layout(screen: _Screen, table: _Table) -> _TableLayout:
    """Return the widths with which the most implementations fit side by side. Labels may be cut for that."""
    cells: list[_Cell] = []
    for row in table.rows:
        cells += [cell for name, cell in row.cells.items() if name in screen.names]
    texts = [*screen.heads.values(), *(cell for cell in cells if isinstance(cell, str))]
    text_width = max(map(len, texts), default=0)
    totals = [str(row.total) for row in table.rows if row.total is not None]
    total = max(map(len, totals), default=0)
    label = _label_width(table, total)
    spare = screen.width - total - _GAP
    room = spare - min(label, _LEAST_LABEL)
    below_signs = _number_widths(cell for cell in cells if not isinstance(cell, str))
    below_words = [max(_LEAST_WORD, width) for width in below_signs] if table.words else below_signs
    cell_below_signs = max(_width_of_numbers(below_signs), text_width)
    cell_below_words = max(_width_of_numbers(below_words), text_width)
    columns_of_signs = max(1, room // (cell_below_signs + _GAP))
    columns_of_words = max(1, room // (cell_below_words + _GAP))
    if columns_of_words < len(screen.names) <= columns_of_signs:
        return _TableLayout(label, total, below_signs, cell_below_signs, spare, columns_of_signs, signs=True)
    return _TableLayout(label, total, below_words, cell_below_words, spare, columns_of_words, signs=False)


def _label_width(table: _Table, total_width: int) -> int:
    """Return the width of the longest label, but at most `_MOST_LABEL`.

    The heading stands above the label and the total, so only what is above the label counts.
    """
    longest = max((cell_len(logged(row.label)) for row in table.rows), default=0)
    heading_above_label = cell_len(table.heading) - _GAP - total_width
    return min(_MOST_LABEL, max(longest, heading_above_label, 0))


def _width_of_numbers(widths: Sequence[int]) -> int:
    """Return the width of a cell of numbers with these widths, with a blank between each two."""
    blanks = len(widths) - 1
    return sum(widths) + blanks


def _number_widths(cells: Iterable[_Counts]) -> list[int]:
    """Return the width of the longest of all first numbers, that of all second numbers, and so on.

    Without any cell, the widths are those of four numbers with one digit.
    """
    all_counts = list(cells) or [(0, 0, 0, 0)]
    widths = []
    for numbers in zip(*all_counts, strict=True):
        lengths = [len(str(number)) for number in numbers]
        widths.append(max(lengths))
    return widths


def _table_part_lines(
    screen: _Screen, table: _Table, layout: _TableLayout, names: Sequence[str]
) -> Iterator[Text]:
    """Yield the lines of a table for the implementations that fit side by side: heads, then rows."""
    cells_width = len(names) * (layout.cell + _GAP)
    label = max(_LEAST_NAME, min(layout.label, layout.spare - cells_width))
    beginning = label + _GAP + layout.total
    head = Text(screen.fit(table.heading, beginning), style="bold")
    for name in names:
        head.append(_BLANKS + screen.heads[name].rjust(layout.cell))
    yield head
    if table.words:
        words_of_column = _words_above_numbers(table.words, layout.numbers).rjust(layout.cell)
        columns = (_BLANKS + words_of_column) * len(names)
        yield Text("statements".rjust(beginning) + columns, style="dim")
    for row in table.rows:
        yield _table_line(screen, row, label, layout, names)


def _words_above_numbers(words: Sequence[str], widths: Sequence[int]) -> str:
    """Return the heads of the numbers in a cell, each cut or padded to the width of its number."""
    fitted = [word[:width].rjust(width) for word, width in zip(words, widths, strict=True)]
    return " ".join(fitted)


def _table_line(
    screen: _Screen, row: _Row, label_width: int, layout: _TableLayout, names: Sequence[str]
) -> Text:
    """Return the line of a row: its label, its total, and the cells of these implementations.

    On a narrow screen, `label_width` is less than the width in the layout.
    """
    label_style = "" if row.statements else "dim"
    line = Text(screen.fit(row.label, label_width), style=label_style)
    total = "" if row.total is None else str(row.total)
    line.append(_BLANKS + total.rjust(layout.total), "dim")
    for name in names:
        text = _cell_text(screen, row, name, layout.numbers)
        padding = " " * (layout.cell - len(text))
        line.append(_BLANKS + padding)
        line.append_text(text)
    return line


def _cell_text(screen: _Screen, row: _Row, name: str, widths: Sequence[int]) -> Text:
    """Return the cell of an implementation, which is empty if it has none. `widths` are those of numbers."""
    cell = row.cells.get(name, "")
    if isinstance(cell, str):
        return Text(cell, "not dim")
    style = _heat_style(cell) if row.statements else "not dim"
    return Text(_counts_text(screen, cell, widths), style)


def _counts_text(screen: _Screen, numbers: Sequence[int], widths: Sequence[int]) -> str:
    """Return the counts of a cell, each in its width. A zero is shown as a dot."""
    nothing = "." if screen.ascii else "·"
    texts = [str(number) if number else nothing for number in numbers]
    return " ".join(text.rjust(width) for text, width in zip(texts, widths, strict=True))


def _heat_style(states: Sequence[int]) -> str:
    """Return the style of a cell with these numbers of held, failed, partly answered and other statements.

    The legend explains the colours.
    """
    held, failed, partly, *open_or_unasked = states
    if failed:
        return "black on yellow" if held >= failed else "white on red"
    if held:
        return "green" if partly or any(open_or_unasked) else "black on green"
    return "yellow" if partly else "dim"


# ---- failures


def print_first_failures(console: Console, results: Results, implementation: str, limit: int = 10) -> None:
    """Print the most serious failing cases of an implementation, at most `limit`, and what is not listed.

    Those of RFCs that it claims come first.
    """
    participant = results.participant(implementation)
    stored = sorted(stored_failures(results, participant), key=_claimed_first)
    generated = _asked_examples(results, implementation)
    listed = sorted([*stored, *generated], key=_claimed_first)[:limit]
    for failure in listed:
        kind = "failure" if _is_claimed(failure) else "failure (not claimed)"
        print_failure(console, failure.result.id, kind, failure.labelled_facts())
    listed_ids = {failure.result.id for failure in listed}
    unlisted = [failure for failure in stored if failure.result.id not in listed_ids]
    _print_other_failures(console, results, participant, unlisted)
    print_flags(console, listed)


def _is_claimed(failure: Failure) -> bool:
    """Return True if the implementation that fails a case claims its RFC, or claims no RFC at all."""
    participant = failure.run.participant(failure.result.implementation)
    return claims(participant, failure.asked.case.spec)


def _claimed_first(failure: Failure) -> tuple[bool, Severity]:
    """Return the sort key of the failures of an implementation: whether it claims the RFC, the severity."""
    return (not _is_claimed(failure), severity(failure))


def _asked_examples(results: Results, implementation: str) -> list[Failure]:
    """Return the failing generated cases that the results contain, except the aborted ones."""
    examples = []
    for (name, _), failures in generated_failures(results).items():
        if name == implementation:
            examples += [failure for failure in failures if failure.result.outcome is not Outcome.ABORTED]
    return examples


def _print_other_failures(
    console: Console, results: Results, participant: Participant, unlisted: Sequence[Failure]
) -> None:
    """Print sentences on the failures besides the list and on what was not asked, if there are any.

    `unlisted` are the failing cases of the corpus that the list leaves out.
    """
    name = participant.name
    if unlisted:
        unclaimed_specs = [failure.asked.case.spec for failure in unlisted if not _is_claimed(failure)]
        not_claimed = _unclaimed_in_words(unclaimed_specs)
        count = f"{len(unlisted):,} more{not_claimed}"
        print_words(console, f"... and {count}; --report html=FILE shows them all\n")
    failing = sum(tally.wrong for tally in results.tallies_of(name))
    if failing:
        cases = counted(failing, "generated case fails", "generated cases fail")
        print_words(console, f"... {cases}; --report html=FILE counts them by rule\n")
    unasked = answers_to_all_rfcs(results, participant).unasked
    if unasked:
        cases = counted(unasked, "required case was", "required cases were")
        reason = logged(reason_given_up(results, name))
        print_words(console, f"... {cases} never asked: {reason}\n", "yellow")


def _unclaimed_in_words(specs: Sequence[str]) -> str:
    """Return how many failures concern RFCs that are not claimed, or "" if none does.

    `specs` has the RFC of each such failure.
    """
    if not specs:
        return ""
    names = ", ".join(map(rfc, dict.fromkeys(specs)))
    return f" ({len(specs):,} of {names}, which it does not claim)"


def print_flags(console: Console, failures: Iterable[Failure]) -> None:
    """Print a line for each flag of the failures, then an empty line. Print nothing if there is no flag."""
    present = {flag for failure in failures for flag in failure.asked.case.flags}
    legend = explain_flags([flag for flag in FLAGS if flag in present])
    if legend:
        for line in (*legend, ""):
            print_words(console, plain(line), "dim")


def print_failure(console: Console, identifier: str, kind: str, lines: Iterable[tuple[str, str]]) -> None:
    """Print a failure in full: its id and kind, the labelled lines, and an empty line.

    Long lines are broken on a terminal only. The command is never broken, so that users can copy it.
    """
    head = Text(logged(identifier), style="bold")
    head.append(f"  {kind}", style="not bold red")
    console.print(head, soft_wrap=True)
    for label, content in lines:
        is_command = label == "repeat"
        print_labelled(console, f"  {label}".ljust(_LABEL), _safe_line(content), whole=is_command)
    console.print()


def print_group(console: Console, group: FindingGroup) -> None:
    """Print a group of new findings: its heading, its example in full, and how many more there are."""
    print_words(console, logged(group.heading), "bold red")
    example = group.example
    failure = example.failure
    lines = [("before", example.text)] if failure is None else failure.labelled_facts(example.text)
    if group.rest:
        lines.append(("and", group.rest))
    print_failure(console, example.id, example.kind, lines)


def print_headings(console: Console, groups: Sequence[FindingGroup]) -> None:
    """Print the headings of groups and the ids of their examples, a line for each, then an empty line."""
    for group in groups:
        print_words(console, logged(f"{group.heading_with_kinds}, such as {group.example.id}"))
    if groups:
        console.print()


def print_labelled(console: Console, label: str, content: str, *, whole: bool = False) -> None:
    """Print a text after its label. On a terminal, break it between words unless `whole` is True."""
    lines = [Text(content)]
    if console.is_terminal and not whole:
        width = max(_LEAST_CONTENT, console.width - len(label))
        lines = [*Text(content).wrap(console, width)]
    for number, line in enumerate(lines):
        line.rstrip()
        beginning = " " * len(label) if number else label
        row = Text(beginning, style="dim")
        row.append(line.plain, "not dim")
        console.print(row, soft_wrap=True)


def print_words(console: Console, text: str, style: str = "") -> None:
    """Print a sentence. On a terminal, break it between words."""
    console.print(Text(text, style=style), soft_wrap=not console.is_terminal)


def _identity_in_words(name: str, about: Implementation) -> str:
    """Return library, version and runtime of an adapter, without empty ones and without an unknown version.

    Leave out the library if `name` already says it.
    """
    words = []
    if about.name and name != about.name and not name.endswith(f":{about.name}"):  # as in `python:urllib`
        words.append(about.name)
    if about.version and about.version != "unknown":
        words.append(about.version)
    if about.runtime:
        words.append(f"({about.runtime})")
    return " ".join(words)


def _safe_line(text: str) -> str:
    """Return untrusted text without line breaks and control characters, and cut if it is very long."""
    return logged(clipped(text, _TEXT_LIMIT))
