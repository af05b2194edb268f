"""The terminal: the summary of a run, tables by section and component, the first failures.

Every line fits the terminal, and no table wraps. A pipe is treated as a terminal of 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from urlharness.corpus.model import FLAGS, explain_flags
from urlharness.protocol.messages import Implementation
from urlharness.report.failures import Failure, claims, generated_failures, severity, stored_failures
from urlharness.report.summary import (
    NO_EXAMPLE,
    answers_text,
    asked_specs,
    asked_text,
    compared,
    compliance_text,
    counted_specs,
    distance,
    example_text,
    library_names,
    percent,
    statement_sizes,
    telling_example,
    total_answers,
    total_score,
    whole_percent,
    worst_sections,
)
from urlharness.results.coverage import WHOLE_RFC, Place, caveats, incomplete_places
from urlharness.results.model import Participant, Results
from urlharness.results.scores import (
    MINUS,
    NO_COMPONENTS,
    Answers,
    Score,
    State,
    by_component,
    by_rule,
    by_section,
    by_spec,
    by_tier,
    has_row,
    youden,
)
from urlharness.text import clipped, logged, plain, short_names
from urlharness.wording import counted, rfc, section_label

#: The width of a pipe.
_PIPE_WIDTH = 80

#: The maximum number of lines of a summary of four implementations.
_LINES = 40

#: The number of blanks between columns.
_GAP = 2

#: The minimum and maximum width of a name.
_LEAST_NAME, _MOST_NAME = 8, 40

#: The minimum width of the column of an RFC, and of the table of answers.
_LEAST_BAR, _LEAST_ANSWERS = 11, 32

#: The maximum length of a bar, and the minimum length. A shorter bar is not shown.
_LONGEST_BAR, _SHORTEST_BAR = 30, 3

#: The maximum number of sections of an implementation in a summary.
_SECTIONS = 5

#: The minimum width of the title of a section beside a long example, and the minimum width of both together
#: for which titles are shown.
_SHORT_TITLE, _LEAST_ROOM = 10, 40

#: The states of statements in the order of bars: (sign, sign in ASCII, style).
_SIGNS = {
    State.HELD: ("█", "#", "green"),
    State.FAILED: ("▒", "x", "red"),
    State.PARTLY: ("░", "-", "yellow"),
    State.OPEN: ("·", ".", "dim"),
}

#: The minimum width of a number below a word.
_LEAST_WORD = 4

#: The width of a label in a failure, and the minimum width of the text after the label.
_LABEL, _LEAST_CONTENT = 13, 20

#: The minimum and maximum width of the first column of a table of sections.
_LEAST_LABEL, _MOST_LABEL = 18, 60

_LEGEND = (
    "The row of a section counts statements: {} held, {} failed, {} partly, {} open.",
    "The rows below count vectors: right, wrong, not exposed, not offered.",
    "Witnesses are vectors made by a program. Sections exclude their subsections.",
    "Other sections are References, Addresses and the like.",
    "accepted, rejected, components, results: right answers, mean over statements.",
    "J: accepted + rejected - 1; a library that accepts everything has 0.",
    'After "no": the share of the statements that hold.',
    "Green: none failed. On yellow: some failed. On red: more failed than held.",
)
_STATES = ("held", "failed", "partly", "open")
_COMPONENT_LEGEND = (
    "The numbers of each component: right, wrong, not exposed, not offered.",
    "(none shown): the URL was rejected, or the answer shows no component.",
)


_Four = tuple[int, int, int, int]
_Cell = _Four | str


class _Row(NamedTuple):
    """A row of a table of sections or components: its label, a total, and a cell for each implementation.

    A cell contains four numbers, or a text. If `statements` is True, the row counts statements, and the share
    of statements that hold sets the colour of a cell.
    """

    label: str
    total: int | None
    cells: Mapping[str, _Cell]
    statements: bool = False


class _Screen:
    """A console with its width, the results, the shown implementations, and their names.

    `heads` are the names at the heads of columns, and `names` the longer ones at the beginnings of rows, of
    which the longest has the width `longest`.
    """

    def __init__(self, console: Console, results: Results, wanted: Sequence[str]) -> None:
        self.console = console
        self.results = results
        self.width = console.width if console.is_terminal else min(console.width, _PIPE_WIDTH)
        self.ascii = console.options.ascii_only
        self.shown, self.others = compared(results, wanted)
        self.libraries = library_names(results)
        self.scores = by_spec(results)
        head_limit = max(_LEAST_NAME, min(_MOST_NAME, self.width // 5))
        table_width = max(_LEAST_BAR * len(asked_specs(results)), _LEAST_ANSWERS)
        self.heads = self._short(head_limit)
        self.names = self._short(max(head_limit, min(_MOST_NAME, self.width - table_width)))
        self.longest = max(map(len, self.names.values()), default=0)

    def _short(self, limit: int) -> Mapping[str, str]:
        libraries = {participant.name: self.libraries[participant.name] for participant in self.shown}
        short = short_names(libraries.values(), limit, self._ellipsis)
        return {name: short[library] for name, library in libraries.items()}

    @property
    def _ellipsis(self) -> str:
        return "..." if self.ascii else "…"

    def cut(self, text: str, width: int) -> str:
        """Return a text cut to at most `width` columns, with an ellipsis at the cut."""
        line = logged(text)
        if self.ascii:
            line = line.encode("ascii", "backslashreplace").decode()
        if cell_len(line) <= width:
            return line
        beginning = set_cell_size(line, max(0, width - len(self._ellipsis)))
        return f"{beginning}{self._ellipsis}"[: max(0, width)]

    def fit(self, text: str, width: int) -> str:
        """Return a text cut or padded to exactly `width` columns."""
        return set_cell_size(self.cut(text, width), width)

    def prose(self, text: str, style: str = "") -> list[Text]:
        """Return the lines of a sentence, broken at the width of the screen."""
        return [*Text(_safe(text), style=style).wrap(self.console, self.width)]

    def print(self, lines: Iterable[Text]) -> None:
        """Print lines as they are, except for blanks at their ends."""
        for line in lines:
            line.rstrip()
            self.console.print(line, soft_wrap=True)


# ---- the summary


def print_report(
    console: Console,
    results: Results,
    wanted: Sequence[str] = (),
    sections: bool = False,
    components: bool = False,
    *,
    again: str = "",
    others: int = 0,
) -> None:
    """Print the summary and, on request, the tables of sections and components.

    The other arguments are those of `print_summary`.
    """
    # the commands for the next step would stand above the tables
    next_command = "" if sections or components else again
    print_summary(console, results, wanted, next_command, others)
    if sections:
        print_sections(console, results, wanted)
    if components:
        print_components(console, results, wanted)


def print_summary(
    console: Console, results: Results, wanted: Sequence[str] = (), again: str = "", others: int = 0
) -> None:
    """Print the number of questions, statements held, wrong answers, and the worst sections.

    `wanted` are the implementations to show (empty: the first eight). `again` is the command that shows the
    results again. If it is given, commands for the next step are printed. `others` is the number of installed
    libraries that were not asked.
    """
    screen = _Screen(console, results, wanted)
    above = [*_beginning(screen), *_held(screen), *_answers(screen)]
    below = [*_states(screen), *_next_commands(screen, again, others)]
    # two lines are the heading of the worst sections, and one of each implementation is its name
    room = (_LINES - len(above) - len(below) - 2) // max(1, len(screen.shown)) - 1
    limit = max(1, min(_SECTIONS, room))
    screen.print([*above, *_worst(screen, limit), *below])


def _beginning(screen: _Screen) -> Iterator[Text]:
    """Yield the numbers of questions, a line for a reference that is not shown below, and the caveats."""
    results = screen.results
    yield from screen.prose(f"urlconform {results.header.urlconform}: {asked_text(results)}", "bold")
    listed = [*screen.shown, *screen.others]
    for participant in results.participants:
        if participant.state == "ran" and participant not in listed:
            answers = answers_text(total_answers(results, participant))
            yield from screen.prose(f"{participant.name}: {answers}", "green")
    for caveat in caveats(results):
        yield from screen.prose(caveat, "yellow" if results.complete else "bold red")


def _held(screen: _Screen) -> Iterator[Text]:
    """Yield a row for each implementation: for each RFC a bar and the number of statements held."""
    sizes = statement_sizes(screen.results)
    specs = [spec for spec in screen.scores if sizes[spec, WHOLE_RFC]]
    if not specs or not screen.shown:
        return
    columns = _held_columns(screen, specs, sizes)
    yield Text()
    yield from _held_legend(screen, columns)
    heads = Text(" " * screen.longest, style="bold")
    totals = Text(" " * screen.longest, style="dim")
    for spec in columns.specs:
        head = spec.removeprefix("rfc") if columns.short else rfc(spec)
        heads.append(" " * _GAP + head.rjust(columns.width))
        total = f"of {sizes[spec, WHOLE_RFC]:,}" + " " * columns.unclaimed
        totals.append(" " * _GAP + total.rjust(columns.width))
    yield from (heads, totals)
    for participant in screen.shown:
        row = Text(screen.names[participant.name].ljust(screen.longest), style="bold")
        for spec in columns.specs:
            score = screen.scores[spec].get(participant.name, Score())
            held = f"{score.states[State.HELD]:,}"
            if columns.unclaimed:
                held += " " if claims(participant, spec) else "*"
            row.append(" " * _GAP).append_text(_bar(screen, score, sizes[spec, WHOLE_RFC], columns.bar))
            row.append(held.rjust(columns.width - columns.bar), "not bold")
        yield row
    left_out = specs[len(columns.specs) :]
    if left_out:
        names = ", ".join(map(rfc, left_out))
        yield from screen.prose(f"The terminal is too narrow for {names}.", "dim")


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
    """Return the columns that fit the screen. The bars are left out first, then the last RFCs."""
    unclaimed = any(not claims(participant, spec) for participant in screen.shown for spec in specs)
    digits = max(len(f"{sizes[spec, WHOLE_RFC]:,}") for spec in specs)
    if unclaimed:
        digits += 1  # the sign after the number
    free = screen.width - screen.longest
    room = free // len(specs) - _GAP  # of a column
    bar = min(_LONGEST_BAR, room - digits - 1)
    if bar < _SHORTEST_BAR:
        bar = 0
    head = len(rfc(specs[0]))
    short = room < head
    if short:
        head = len(specs[0].removeprefix("rfc"))
    bar_and_number = bar + 1 + digits if bar else digits
    width = max(bar_and_number, len("of 000"), head)
    fitting = max(1, free // (width + _GAP))
    return _HeldColumns(specs[:fitting], width, bar, short, unclaimed)


def _held_legend(screen: _Screen, columns: _HeldColumns) -> Iterator[Text]:
    """Yield the lines that explain the signs of bars, if there are bars, and the sign of RFCs not claimed."""
    legend = Text("Statements ", style="bold")
    if columns.bar:
        for state, (*signs, style) in _SIGNS.items():
            legend.append(f"{signs[screen.ascii]} ", f"not bold {style}").append(f"{state}  ", "not bold")
    else:
        legend.append("held  ")
    if columns.unclaimed:
        legend.append("* RFC not claimed", "not bold")
    yield from legend.wrap(screen.console, screen.width)


def _bar(screen: _Screen, score: Score, total: int, width: int) -> Text:
    """Return the states of `total` statements as a bar. Each state that occurs gets at least one sign."""
    counts = {state: score.states[state] for state in _SIGNS}
    counts[State.OPEN] += total - sum(counts.values())
    share = {state: width * count / total for state, count in counts.items()}
    signs = {state: max(int(share[state]), min(1, count)) for state, count in counts.items()}

    def missing(state: State) -> float:
        return share[state] - signs[state]

    def surplus(state: State) -> tuple[bool, float]:
        keeps_a_sign = signs[state] > 1
        return (keeps_a_sign, -missing(state))

    while sum(signs.values()) < width:
        signs[max(signs, key=missing)] += 1
    while sum(signs.values()) > width and max(signs.values()) > 1:
        signs[max(signs, key=surplus)] -= 1
    bar = Text()
    if width:
        for state, count in signs.items():
            *state_signs, style = _SIGNS[state]
            bar.append(state_signs[screen.ascii] * count, f"not bold {style}")
    return bar


def _answers(screen: _Screen) -> Iterator[Text]:
    """Yield a row for each implementation: its answers, and the RFCs that it complies with."""
    if not screen.shown:
        return
    columns = _answer_columns(screen)
    widths = {head: _column_width(head, texts) for head, texts in columns.items()}
    specs = {*asked_specs(screen.results)}
    only_claimed = any(specs > counted_specs(screen.results, participant) for participant in screen.shown)
    title = "Vectors, RFCs claimed" if only_claimed else "Vectors"
    if "of these/witnesses" in widths:
        title += "; witnesses are made by a program"
    yield Text()
    yield from screen.prose(title, "bold")
    for line in range(2):
        heads = [head.split("/")[line].rjust(width) for head, width in widths.items()]
        yield Text((" " * _GAP).join((" " * screen.longest, *heads)), style="bold")
    for number, participant in enumerate(screen.shown):
        row = Text(screen.names[participant.name].ljust(screen.longest), style="bold")
        for head, width in widths.items():
            text = columns[head][number]
            row.append(" " * (_GAP + width - len(text))).append_text(text)
        yield row
    claiming_none = [screen.names[participant.name] for participant in screen.shown if not participant.specs]
    if claiming_none and len(specs) > 1:
        claim = "claims" if len(claiming_none) == 1 else "claim"
        yield from screen.prose(f"{', '.join(claiming_none)} {claim} no RFC, so all are counted.", "dim")
    if screen.others:
        names = ", ".join(screen.libraries[participant.name] for participant in screen.others)
        hint = f"{len(screen.others)} more, not shown (-a NAME shows one): {clipped(names, 200)}"
        yield from screen.prose(hint, "dim")


def _answer_columns(screen: _Screen) -> dict[str, list[Text]]:
    """Map the head of each column that fits to the figures of the implementations.

    In a head, a slash separates two lines.
    """
    answers = [total_answers(screen.results, participant) for participant in screen.shown]
    witnesses = [total_answers(screen.results, participant, witnesses=True) for participant in screen.shown]
    columns = {
        "/right": [_number(counts.right, "green") for counts in answers],
        "/wrong": [_number(counts.wrong, "red") for counts in answers],
        "of these/witnesses": [_number(counts.wrong) for counts in witnesses],
        "not/exposed": [_number(counts.partial, "yellow") for counts in answers],
        "not/offered": [_number(counts.unsupported, "dim") for counts in answers],
    }
    if not any(counts.wrong for counts in witnesses):
        del columns["of these/witnesses"]
    last = "complies/with"
    # the longest form that fits; if none does, columns are left out below
    for form in ("{}; {} of the statements of {} held", "no; {1} of {2}", "{}"):
        verdicts = [_compliance(screen, participant, form) for participant in screen.shown]
        columns[last] = [Text(verdict, style="not bold") for verdict in verdicts]
        if _table_width(screen, columns) <= screen.width:
            break
    if not any(text.plain for text in columns[last]):
        del columns[last]
    for head in ("of these/witnesses", last):
        if _table_width(screen, columns) > screen.width:
            columns.pop(head, None)
    return columns


def _table_width(screen: _Screen, columns: Mapping[str, Sequence[Text]]) -> int:
    """Return the width of a table with these columns after the names of the implementations."""
    return screen.longest + sum(_GAP + _column_width(head, texts) for head, texts in columns.items())


def _column_width(head: str, texts: Sequence[Text]) -> int:
    """Return the width of the longest text or line of the head."""
    return max(*map(len, head.split("/")), *(len(text) for text in texts))


def _compliance(screen: _Screen, participant: Participant, form: str) -> str:
    """Return in words which RFCs an implementation complies with, or how far it is from its first RFC.

    `form` is the format string for the second case. Its arguments are "no RFC", the share of statements that
    hold, and the RFC.
    """
    text = compliance_text(screen.results, participant.name, screen.scores)
    far = distance(screen.results, participant, screen.scores)
    return text if far is None else form.format(text, whole_percent(far.held), rfc(far.spec))


def _number(count: int, style: str = "") -> Text:
    return Text(f"{count:,}", style=f"not bold {style}" if count else "not bold dim")


class _WorstLine(NamedTuple):
    """A line about a section or rule in which an implementation fails.

    `subject` is the section or rule, and `title` the title of the section or the tier. `failed` says how many
    statements failed, such as "3/7". If `of_cases` is True, it counts cases. `example` is a failure in words,
    and `short` the same without the expected answer. `command` repeats the failure.
    """

    subject: str
    title: str
    failed: str
    example: str = ""
    short: str = ""
    command: str = ""
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


def _worst(screen: _Screen, limit: int) -> Iterator[Text]:
    """Yield the worst sections of each implementation, each with an example."""
    if not screen.shown:
        return
    lines_by_name = {
        participant.name: _worst_of(screen.results, participant, limit) for participant in screen.shown
    }
    lines = [line for own_lines in lines_by_name.values() for line in own_lines]
    widths = _worst_widths(screen, lines)
    yield Text()
    if lines:
        subjects = "sections, with the share of statements"
        if all(line.of_cases for line in lines):
            subjects = "rules, with the share of cases"
        yield from screen.prose(f"Most failed {subjects} failed and an example", "bold")
    for participant in screen.shown:
        yield _worst_head(screen, participant, has_lines=bool(lines_by_name[participant.name]))
        yield from _worst_rows(screen, lines_by_name[participant.name], widths)


def _worst_widths(screen: _Screen, lines: Sequence[_WorstLine]) -> _WorstWidths:
    """Return the widths for these lines. On a narrow screen, titles get no room at all."""
    subject = max((cell_len(logged(line.subject)) for line in lines), default=0)
    failed = max((len(line.failed) for line in lines), default=0)
    title = max((len(line.title) for line in lines), default=0)
    room = screen.width - 3 * _GAP - subject - failed
    least_title = min(title, _SHORT_TITLE) if room >= _LEAST_ROOM else 0
    return _WorstWidths(subject, failed, room, title, least_title)


def _worst_head(screen: _Screen, participant: Participant, *, has_lines: bool) -> Text:
    """Return the name of an implementation and its library, and its answers if no lines follow."""
    head = Text(screen.names[participant.name], style="bold")
    if participant.implementation is not None:
        about = _identity(screen.libraries[participant.name], participant.implementation)
        if about:
            head.append(screen.cut(f"  {about}", screen.width - len(head)), "not bold dim")
    if not has_lines:
        answers = _answers_without_section(screen.results, participant)
        head.append(screen.cut(f"  {answers}", screen.width - len(head)), "not bold")
    return head


def _worst_rows(screen: _Screen, lines: Sequence[_WorstLine], widths: _WorstWidths) -> Iterator[Text]:
    """Yield the rows of one implementation, whose titles have the room that its examples leave."""
    room = widths.room - (_GAP + widths.least_title if widths.least_title else 0)
    examples = [_fitting_example(line, room) for line in lines]
    title = widths.title_beside(examples)
    for line, example in zip(lines, examples, strict=True):
        row = Text(" " * _GAP + screen.fit(line.subject, widths.subject) + " " * _GAP)
        if title:
            row.append(screen.fit(line.title, title) + " " * _GAP, "dim")
        row.append(line.failed.rjust(widths.failed), "red")
        row.append(" " * _GAP)
        yield row.append(screen.cut(example, screen.width - row.cell_len))


def _fitting_example(line: _WorstLine, width: int) -> str:
    """Return the example of a line, without the expected answer if it is too wide otherwise."""
    example = logged(line.example)
    return example if cell_len(example) <= width else logged(line.short)


def _worst_of(results: Results, participant: Participant, limit: int) -> list[_WorstLine]:
    """Return lines about the worst sections, and about the worst rules of tiers if there is room for more."""
    lines = []
    for section in worst_sections(results, participant, limit):
        label, title = section_label(section.section, section.title)
        failed = f"{section.failed}/{section.statements}"
        lines.append(_WorstLine(f"{rfc(section.spec)} {label}", title, failed, *_example(section.example)))
    failures = generated_failures(results)
    tallies = [tally for tally in results.tallies_of(participant.name) if tally.failing]
    tallies.sort(key=lambda tally: -tally.failing)
    for tally in tallies[: limit - len(lines)]:
        examples = failures.get((participant.name, tally.part), ())
        texts = _example(telling_example(examples, participant)) if examples else ("", "", "")
        failed = f"{tally.failing:,}/{sum(tally.required.values()):,} cases"
        subject = f"{rfc(tally.spec)} {tally.subject}"
        lines.append(_WorstLine(subject, f"tier {tally.tier}", failed, *texts, of_cases=True))
    return lines


def _example(failure: Failure | None) -> tuple[str, str, str]:
    """Return (failure in words, failure in fewer words, command that repeats it)."""
    if failure is None:
        return NO_EXAMPLE, NO_EXAMPLE, ""
    return example_text(failure), example_text(failure, whole=False), failure.command


def _answers_without_section(results: Results, participant: Participant) -> str:
    """Say what an implementation answered that has no worst section, which may still have wrong answers."""
    answers = total_answers(results, participant)
    if answers.wrong:
        return answers_text(answers)
    return "no wrong answer" if answers.answered else "no complete answer"


def _states(screen: _Screen) -> Iterator[Text]:
    """Yield a sentence for each adapter that did not run or was started again."""
    lines = []
    for participant in screen.results.participants:
        name = participant.name
        if participant.implementation is None:
            lines += screen.prose(f"{name}: {participant.status}: {participant.message}", "yellow")
        times = screen.results.restarts.get(name, 0)
        if times:
            reason = "it ended, timed out or sent an invalid reply"
            lines += screen.prose(f"{name}: started again {counted(times, 'time')}: {reason}", "yellow")
    if lines:
        yield from [Text(), *lines]


def _next_commands(screen: _Screen, again: str, others: int) -> Iterator[Text]:
    """Yield commands for the next step. They are never cut."""
    if not again or not screen.shown:
        return
    worst = [line for participant in screen.shown for line in _worst_of(screen.results, participant, 1)]
    command_of_failure = next((line.command for line in worst if line.command), "")
    commands = {
        "all sections": f"{again} --sections",
        "every case": f"{again} --report html=report.html",
    }
    if command_of_failure:
        commands = {"one failure": command_of_failure, **commands}
    else:
        commands["components"] = f"{again} --components"
    width = max(map(len, commands))
    yield from (Text(), Text("Next", style="bold"))
    for purpose, command in commands.items():
        line = Text(f"  {purpose.ljust(width)}  ", style="dim").append(command, "not dim")
        yield line if line.cell_len <= screen.width else Text(f"  {command}")
    if others:
        are = "library is" if others == 1 else "libraries are"
        yield from screen.prose(f"{others} more {are} here: urlconform compare")


# ---- tables


def print_sections(console: Console, results: Results, wanted: Sequence[str] = ()) -> None:
    """Print a table of the sections of each RFC, and of the rules of each generated tier."""
    screen = _Screen(console, results, wanted)
    signs = [state_signs[screen.ascii] for state_signs in _SIGNS.values()]
    legend = [line for sentence in _LEGEND for line in screen.prose(sentence.format(*signs))]
    screen.print([Text(), *legend])
    sizes = statement_sizes(results)
    sections = by_section(results)
    for spec, totals in screen.scores.items():
        of_spec = {key[1]: scores for key, scores in sections.items() if key[0] == spec}
        rows = [*_section_rows(screen, spec, of_spec, sizes)]
        rows += _total_rows(screen, spec, sizes[spec, WHOLE_RFC], totals)
        screen.print(_table(screen, rfc(spec), rows, _STATES))
    tiers = by_tier(results)
    for (spec, tier), rules in by_rule(results).items():
        totals = tiers[spec, tier]
        rows = [
            _Row(rule, None, {name: _four(score.required) for name, score in scores.items()})
            for rule, scores in {**rules, "all rules": totals}.items()
        ]
        rows.append(_compliance_row(screen, (spec, tier), totals))
        screen.print(_table(screen, f"{rfc(spec)} tier {tier}", rows))


def _section_rows(
    screen: _Screen, spec: str, sections: Mapping[str, Mapping[str, Score]], sizes: Mapping[Place, int]
) -> Iterator[_Row]:
    """Yield the rows of the sections of an RFC. Sections without a row of their own are summed up."""
    titles = screen.results.titles
    others = []
    for section, scores in sections.items():
        title = titles.get((spec, section), "")
        if has_row(title):
            label = " ".join(section_label(section, title)).rstrip()
            yield from _score_rows(label, sizes[spec, section], scores)
        elif sizes[spec, section]:
            others.append(section)
    if others:
        totals = {}
        for name in screen.names:
            scores_of_name = [sections[section].get(name) for section in others]
            totals[name] = total_score(score for score in scores_of_name if score is not None)
        yield from _score_rows("other sections", sum(sizes[spec, section] for section in others), totals)


def print_components(console: Console, results: Results, wanted: Sequence[str] = ()) -> None:
    """Print a table of the components of each RFC."""
    screen = _Screen(console, results, wanted)
    legend = [line for sentence in _COMPONENT_LEGEND for line in screen.prose(sentence)]
    screen.print([Text(), *legend])
    for spec, components in by_component(results).items():
        rows = []
        for component, answers_by_name in components.items():
            label = "(none shown)" if component == NO_COMPONENTS else component
            cells = {name: _four(answers) for name, answers in answers_by_name.items()}
            rows.append(_Row(label, None, cells))
        screen.print(_table(screen, rfc(spec), rows))


def _score_rows(label: str, statements: int, scores: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield a row of statements, then a row of human-made vectors and one of witnesses."""
    states = {name: _four_states(score) for name, score in scores.items()}
    yield _Row(label, statements, states, statements=True)
    human = {name: _four(score.required.without(score.witnesses)) for name, score in scores.items()}
    witnesses = {name: _four(score.witnesses) for name, score in scores.items()}
    for row_label, cells in (("  vectors", human), ("  witnesses", witnesses)):
        if any(map(any, cells.values())):
            yield _Row(row_label, max(map(sum, cells.values())), cells)


def _total_rows(screen: _Screen, spec: str, statements: int, scores: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield the rows for an RFC as a whole: statements, vectors, means over statements, compliance.

    A mean is left out if no shown implementation has it.
    """
    displayed = {name: score for name, score in scores.items() if name in screen.names}
    yield _Row("", None, {})
    yield from _score_rows("all sections", statements, displayed)
    unscored = max((score.unscored for score in displayed.values()), default=0)
    if unscored:
        yield _Row("  not scored", unscored, {})
    for mean in Score().means:
        if any(score.means[mean].count for score in displayed.values()):
            cells = {name: percent(score.means[mean]) for name, score in displayed.items()}
            yield _Row(f"  {mean}", None, cells)
        if mean == "rejected" and any(score.j is not None for score in displayed.values()):
            j = {name: youden(score).replace(MINUS, "-") for name, score in displayed.items()}
            yield _Row("  J", None, j)
    if any(score.compliance.total for score in displayed.values()):
        yield _compliance_row(screen, (spec, WHOLE_RFC), displayed)


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
    return _Row("  complies", None, verdicts)


def _four(answers: Answers) -> _Four:
    return (answers.right, answers.wrong, answers.partial, answers.unsupported)


def _four_states(score: Score) -> _Four:
    """Return the numbers of statements by state, in the order of bars."""
    held, failed, partly, still_open = (score.states[state] for state in _SIGNS)
    return (held, failed, partly, still_open)


def _table(screen: _Screen, heading: str, rows: Sequence[_Row], words: Sequence[str] = ()) -> Iterator[Text]:
    """Yield the lines of a table. Implementations that do not fit side by side with the others follow below.

    `words` are the heads of the four numbers of statements. If all implementations fit side by side only with
    signs instead of words, the heads are signs.
    """
    layout = _table_layout(screen, heading, rows, with_words=bool(words))
    heads = [signs[screen.ascii] for signs in _SIGNS.values()] if layout.signs and words else words
    names = list(screen.names)
    for start in range(0, len(names), layout.columns):
        yield Text()
        yield from _table_part(screen, heading, rows, heads, layout, names[start : start + layout.columns])


class _TableLayout(NamedTuple):
    """The widths of a table: of the label, the total and each of four numbers, and the number of columns.

    `cell` is the width of a cell of four numbers or a text. `spare` is the width beside the total. If
    `signs`, the heads of the four numbers are signs instead of words.
    """

    label: int
    total: int
    numbers: Sequence[int]
    cell: int
    spare: int
    columns: int
    signs: bool


def _table_layout(screen: _Screen, heading: str, rows: Sequence[_Row], *, with_words: bool) -> _TableLayout:
    """Return the widths with which the most implementations fit side by side. Labels may be cut for that.

    `with_words` is True if the four numbers have words as heads.
    """
    cells = [cell for row in rows for name, cell in row.cells.items() if name in screen.names]
    fours = [cell for cell in cells if not isinstance(cell, str)]
    narrow = [max((len(str(four[number])) for four in fours), default=1) for number in range(4)]
    wide = [max(_LEAST_WORD, width) for width in narrow] if with_words else narrow
    texts = [cell for cell in cells if isinstance(cell, str)]
    text_width = max(map(len, [*texts, *screen.heads.values()]), default=0)
    total = max((len(str(row.total)) for row in rows if row.total is not None), default=0)
    # the heading stands above the label and the total
    labels = [heading[: -_GAP - total], *(logged(row.label) for row in rows)]
    label = min(max(map(cell_len, labels)), _MOST_LABEL)
    spare = screen.width - total - _GAP

    def cell_width(widths: Sequence[int]) -> int:
        return max(sum(widths) + 3, text_width)

    def fitting(widths: Sequence[int]) -> int:
        return max(1, (spare - min(label, _LEAST_LABEL)) // (cell_width(widths) + _GAP))

    signs = fitting(wide) < len(screen.names) <= fitting(narrow)
    numbers = narrow if signs else wide
    return _TableLayout(label, total, numbers, cell_width(numbers), spare, fitting(numbers), signs)


def _table_part(
    screen: _Screen,
    heading: str,
    rows: Sequence[_Row],
    words: Sequence[str],
    layout: _TableLayout,
    names: Sequence[str],
) -> Iterator[Text]:
    """Yield the lines of a table for the implementations that fit side by side."""
    label = max(_LEAST_NAME, min(layout.label, layout.spare - len(names) * (layout.cell + _GAP)))
    beginning = label + _GAP + layout.total
    head = Text(screen.fit(heading, beginning), style="bold")
    for name in names:
        head.append(" " * _GAP + screen.heads[name].rjust(layout.cell))
    yield head
    if words:
        fitted = [word[:width].rjust(width) for word, width in zip(words, layout.numbers, strict=True)]
        column = " " * _GAP + " ".join(fitted).rjust(layout.cell)
        yield Text("statements".rjust(beginning) + column * len(names), style="dim")
    for row in rows:
        line = Text(screen.fit(row.label, label), style="" if row.statements else "dim")
        total = "" if row.total is None else str(row.total)
        line.append(" " * _GAP + total.rjust(layout.total), "dim")
        for name in names:
            cell = row.cells.get(name, "")
            text = cell if isinstance(cell, str) else _four_text(screen, cell, layout.numbers)
            style = "not dim"
            if row.statements and not isinstance(cell, str):
                style = _heat(cell)
            line.append(" " * (_GAP + layout.cell - len(text)))
            line.append(text, style)
        yield line


def _four_text(screen: _Screen, numbers: Sequence[int], widths: Sequence[int]) -> str:
    nothing = "." if screen.ascii else "·"
    texts = [str(number) if number else nothing for number in numbers]
    return " ".join(text.rjust(width) for text, width in zip(texts, widths, strict=True))


def _heat(states: Sequence[int]) -> str:
    """Return the style of a cell with these numbers of held, failed, partly answered and open statements."""
    held, failed, partly, still_open = states
    if failed:
        return "black on yellow" if held >= failed else "white on red"
    if held:
        return "green" if partly or still_open else "black on green"
    return "yellow" if partly else "dim"


# ---- failures


def print_first_failures(console: Console, results: Results, implementation: str, limit: int = 10) -> None:
    """Print the most serious failing cases of an implementation. The RFCs that it claims come first."""
    participant = next(candidate for candidate in results.participants if candidate.name == implementation)
    stored = list(stored_failures(results, participant))
    generated = []
    for (name, _), examples in generated_failures(results).items():
        if name == implementation:
            generated += examples

    def is_claimed(failure: Failure) -> bool:
        return claims(participant, failure.asked.case.spec)

    def place(failure: Failure) -> tuple[object, ...]:
        return (not is_claimed(failure), *severity(failure))

    failures = sorted([*stored, *generated], key=place)
    listed = failures[:limit]
    for failure in listed:
        kind = "failure" if is_claimed(failure) else "failure (not claimed)"
        print_failure(console, failure.result.id, kind, failure.in_full())
    unlisted = max(0, len(stored) - len(listed))
    if unlisted:
        unclaimed = [failure.asked.case.spec for failure in stored if not is_claimed(failure)]
        unlisted_unclaimed = min(unlisted, len(unclaimed))
        specs = ", ".join(map(rfc, dict.fromkeys(unclaimed)))
        which = f" ({unlisted_unclaimed:,} of {specs}, which it does not claim)" if unlisted_unclaimed else ""
        print_words(console, f"... and {unlisted:,} more{which}; --report html=FILE shows them all\n")
    count = sum(tally.failing for tally in results.tallies_of(implementation))
    if count:
        cases = counted(count, "generated case fails", "generated cases fail")
        print_words(console, f"... {cases}; --report html=FILE counts them by rule\n")
    print_flags(console, listed)


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
    head = Text(logged(identifier), style="bold").append(f"  {kind}", style="not bold red")
    console.print(head, soft_wrap=True)
    for label, content in lines:
        print_labelled(console, f"  {label}".ljust(_LABEL), _safe(content), whole=label == "repeat")
    console.print()


def print_labelled(console: Console, label: str, content: str, *, whole: bool = False) -> None:
    """Print a text after its label. On a terminal, break it between words unless `whole` is True."""
    lines = [Text(content)]
    if console.is_terminal and not whole:
        lines = [*Text(content).wrap(console, max(_LEAST_CONTENT, console.width - len(label)))]
    for number, line in enumerate(lines):
        line.rstrip()
        row = Text(" " * len(label) if number else label, style="dim").append(line.plain, "not dim")
        console.print(row, soft_wrap=True)


def print_words(console: Console, text: str, style: str = "") -> None:
    """Print a sentence. On a terminal, break it between words."""
    console.print(Text(text, style=style), soft_wrap=not console.is_terminal)


def _identity(name: str, about: Implementation) -> str:
    """Return library, version and runtime of an adapter. Leave out the library if `name` already tells it."""
    words = []
    if name != about.name and not name.endswith(f":{about.name}"):  # as in `python:urllib`
        words.append(about.name)
    if about.version != "unknown":
        words.append(about.version)
    if about.runtime:
        words.append(f"({about.runtime})")
    return " ".join(word for word in words if word)


def _safe(text: str) -> str:
    """Return untrusted text without line breaks and control characters, and cut if it is very long."""
    return logged(clipped(text, 2000))
