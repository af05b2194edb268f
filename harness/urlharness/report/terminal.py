"""The terminal: the summary of a run, tables by section and component, the first failures.

Every line fits the terminal, and no table wraps. A pipe is treated as a terminal of 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
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
from urlharness.results.coverage import Place, caveats, partial
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

#: The width of a pipe, and the maximum number of lines of a summary of four implementations.
_PIPE_WIDTH, _LINES = 80, 40

#: The number of blanks between columns, and the minimum and maximum width of a name.
_GAP, _LEAST_NAME, _MOST_NAME = 2, 8, 40

#: The minimum width of the column of an RFC, and of the table of answers.
_LEAST_BAR, _LEAST_ANSWERS = 11, 32

#: The maximum length of a bar, and the minimum length. A shorter bar is not shown.
_LONGEST_BAR, _SHORTEST_BAR = 30, 3

#: The maximum number of sections of an implementation in a summary.
_SECTIONS = 5

#: The minimum width of the title of a section beside a long example.
_SHORT_TITLE = 10

#: The states of statements in the order of bars: (sign, sign in ASCII, style).
_SIGNS = {
    State.HELD: ("█", "#", "green"),
    State.FAILED: ("▒", "x", "red"),
    State.PARTLY: ("░", "-", "yellow"),
    State.OPEN: ("·", ".", "dim"),
}

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


class _Page:
    """A console with its width, the results, the shown implementations, and their names."""

    def __init__(self, console: Console, results: Results, wanted: Sequence[str]) -> None:
        self.console, self.results = console, results
        self.width = console.width if console.is_terminal else min(console.width, _PIPE_WIDTH)
        self.ascii = console.options.ascii_only
        self.shown, self.others = compared(results, wanted)
        self.libraries, self.scores = library_names(results), by_spec(results)
        limit = max(_LEAST_NAME, min(_MOST_NAME, self.width // 5))
        taken = max(_LEAST_BAR * len(asked_specs(results)), _LEAST_ANSWERS)
        self.heads = self._short(limit)
        self.names = self._short(max(limit, min(_MOST_NAME, self.width - taken)))
        self.longest = max(map(len, self.names.values()), default=0)

    def _short(self, limit: int) -> Mapping[str, str]:
        shown = [self.libraries[one.name] for one in self.shown]
        short = short_names(shown, limit, "..." if self.ascii else "…")
        return {one.name: short[self.libraries[one.name]] for one in self.shown}

    def cut(self, text: str, width: int) -> str:
        """Return a text cut to at most `width` columns, with an ellipsis at the cut."""
        shown = logged(text)
        shown = shown.encode("ascii", "backslashreplace").decode() if self.ascii else shown
        if cell_len(shown) <= width:
            return shown
        mark = "..." if self.ascii else "…"
        return (set_cell_size(shown, max(0, width - len(mark))) + mark)[: max(0, width)]

    def fit(self, text: str, width: int) -> str:
        """Return a text cut or padded to exactly `width` columns."""
        return set_cell_size(self.cut(text, width), width)

    def prose(self, text: str, style: str = "") -> list[Text]:
        """Return the lines of a sentence, broken at the width of the page."""
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
    print_summary(console, results, wanted, "" if sections or components else again, others)
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
    page = _Page(console, results, wanted)
    above = [*_beginning(page), *_held(page), *_answers(page)]
    below = [*_states(page), *_next(page, again, others)]
    room = (_LINES - len(above) - len(below) - 2) // max(1, len(page.shown)) - 1
    page.print([*above, *_worst(page, max(1, min(_SECTIONS, room))), *below])


def _beginning(page: _Page) -> Iterator[Text]:
    """Yield the numbers of questions, a line for a reference that is not shown below, and the caveats."""
    results = page.results
    yield from page.prose(f"urlconform {results.header.urlconform}: {asked_text(results)}", "bold")
    hidden = (
        one for one in results.participants if one.state == "ran" and one not in (*page.shown, *page.others)
    )
    for one in hidden:
        yield from page.prose(f"{one.name}: {answers_text(total_answers(results, one))}", "green")
    for caveat in caveats(results):
        yield from page.prose(caveat, "yellow" if results.complete else "bold red")


def _held(page: _Page) -> Iterator[Text]:
    """Yield a row for each implementation: for each RFC a bar and the number of statements held."""
    sizes, scores = statement_sizes(page.results), page.scores
    specs = [spec for spec in scores if sizes[spec, ""]]
    if not specs or not page.shown:
        return
    unclaimed = any(not claims(one, spec) for one in page.shown for spec in specs)
    digits = max(len(f"{sizes[spec, '']:,}") for spec in specs) + unclaimed
    room = (page.width - page.longest) // len(specs) - _GAP  # of a column
    bar = min(_LONGEST_BAR, room - digits - 1)
    bar = 0 if bar < _SHORTEST_BAR else bar
    short = room < len(rfc(specs[0]))
    width = max(bar + digits + (bar > 0), len("of 000"), 4 if short else len(rfc(specs[0])))
    kept = specs[: max(1, (page.width - page.longest) // (width + _GAP))]
    yield Text()
    legend = Text("Statements ", style="bold")
    for state, (*signs, style) in _SIGNS.items() if bar else ():
        legend.append(f"{signs[page.ascii]} ", f"not bold {style}").append(f"{state}  ", "not bold")
    legend.append("" if bar else "held  ").append("* RFC not claimed" if unclaimed else "", "not bold")
    yield from legend.wrap(page.console, page.width)
    heads, totals = Text(" " * page.longest, style="bold"), Text(" " * page.longest, style="dim")
    for spec in kept:
        heads.append(" " * _GAP + (spec.removeprefix("rfc") if short else rfc(spec)).rjust(width))
        of = f"of {sizes[spec, '']:,}"
        totals.append(" " * _GAP + (f"{of} " if unclaimed else of).rjust(width))
    yield from (heads, totals)
    for one in page.shown:
        row = Text(page.names[one.name].ljust(page.longest), style="bold")
        for spec in kept:
            score = scores[spec].get(one.name, Score())
            held = f"{score.states[State.HELD]:,}"
            held += "*" if not claims(one, spec) else " " * unclaimed
            row.append(" " * _GAP).append_text(_bar(page, score, sizes[spec, ""], bar))
            row.append(held.rjust(width - bar), "not bold")
        yield row
    if left := specs[len(kept) :]:
        yield from page.prose(f"The terminal is too narrow for {', '.join(map(rfc, left))}.", "dim")


def _bar(page: _Page, score: Score, total: int, width: int) -> Text:
    """Return the states of `total` statements as a bar. Each state that occurs gets at least one sign."""
    counts = {state: score.states[state] for state in _SIGNS}
    counts[State.OPEN] += total - sum(counts.values())
    share = {state: width * count / total for state, count in counts.items()}
    signs = {state: max(int(share[state]), min(1, count)) for state, count in counts.items()}
    while (left := width - sum(signs.values())) > 0:
        signs[max(signs, key=lambda state: share[state] - signs[state])] += 1
    while left < 0 and max(signs.values()) > 1:
        signs[max(signs, key=lambda state: (signs[state] > 1, signs[state] - share[state]))] -= 1
        left += 1
    bar = Text()
    for state, count in signs.items() if width else ():
        bar.append(_SIGNS[state][page.ascii] * count, f"not bold {_SIGNS[state][2]}")
    return bar


def _answers(page: _Page) -> Iterator[Text]:
    """Yield a row for each implementation: its answers, and the RFCs that it complies with."""
    if not page.shown:
        return
    columns = _answer_columns(page)
    widths = {head: _column_width(head, texts) for head, texts in columns.items()}
    yield Text()
    some = any({*asked_specs(page.results)} > counted_specs(page.results, one) for one in page.shown)
    title = "Vectors, RFCs claimed" if some else "Vectors"
    title += "; witnesses are made by a program" if "of these/witnesses" in widths else ""
    yield from page.prose(title, "bold")
    for line in range(2):
        heads = (head.split("/")[line].rjust(width) for head, width in widths.items())
        yield Text((" " * _GAP).join((" " * page.longest, *heads)), style="bold")
    for number, one in enumerate(page.shown):
        row = Text(page.names[one.name].ljust(page.longest), style="bold")
        for head, width in widths.items():
            text = columns[head][number]
            row.append(" " * (_GAP + width - len(text))).append_text(text)
        yield row
    silent = [page.names[one.name] for one in page.shown if not one.specs]
    if silent and len(asked_specs(page.results)) > 1:
        claim = "claims" if len(silent) == 1 else "claim"
        yield from page.prose(f"{', '.join(silent)} {claim} no RFC, so all are counted.", "dim")
    if page.others:
        rest = ", ".join(page.libraries[one.name] for one in page.others)
        yield from page.prose(
            f"{len(page.others)} more, not shown (-a NAME shows one): {clipped(rest, 200)}", "dim"
        )


def _answer_columns(page: _Page) -> dict[str, list[Text]]:
    """Map the head of each column that fits to the figures of the implementations.

    In a head, a slash separates two lines.
    """
    found = [total_answers(page.results, one) for one in page.shown]
    columns = {
        "/right": [_number(one.right, "green") for one in found],
        "/wrong": [_number(one.wrong, "red") for one in found],
        "of these/witnesses": [
            _number(total_answers(page.results, one, witnesses=True).wrong) for one in page.shown
        ],
        "not/exposed": [_number(one.partial, "yellow") for one in found],
        "not/offered": [_number(one.unsupported, "dim") for one in found],
    }
    if not any(text.plain != "0" for text in columns["of these/witnesses"]):
        del columns["of these/witnesses"]
    last = "complies/with"
    for style in ("{}; {} of the statements of {} held", "no; {1} of {2}", "{}"):
        columns[last] = [Text(_compliance(page, one, style), style="not bold") for one in page.shown]
        if _width(page, columns) <= page.width:
            break
    if not any(text.plain for text in columns[last]):
        del columns[last]
    for head in ("of these/witnesses", last):
        if _width(page, columns) > page.width:
            columns.pop(head, None)
    return columns


def _width(page: _Page, columns: Mapping[str, Sequence[Text]]) -> int:
    return page.longest + sum(_GAP + _column_width(head, texts) for head, texts in columns.items())


def _column_width(head: str, texts: Sequence[Text]) -> int:
    return max(*map(len, head.split("/")), *(len(text) for text in texts))


def _compliance(page: _Page, participant: Participant, style: str) -> str:
    """Return in words which RFCs an implementation complies with, or how far it is from its first RFC.

    `style` is the format string for the second case. Its arguments are "no RFC", the share of statements that
    hold, and the RFC.
    """
    text = compliance_text(page.results, participant.name, page.scores)
    far = distance(page.results, participant, page.scores)
    return text if far is None else style.format(text, whole_percent(far.held), rfc(far.spec))


def _number(count: int, style: str = "") -> Text:
    return Text(f"{count:,}", style=f"not bold {style}" if count else "not bold dim")


class _Worst(NamedTuple):
    """A line about a section or rule in which an implementation fails.

    `failed` says how many statements failed, such as "3/7". If `of_cases` is True, it counts cases. `example`
    is a failure in words, and `short` the same without the expected answer. `command` repeats the failure.
    """

    place: str
    title: str
    failed: str
    example: str = ""
    short: str = ""
    command: str = ""
    of_cases: bool = False


def _worst(page: _Page, limit: int) -> Iterator[Text]:
    """Yield the worst sections of each implementation, each with an example."""
    found = {one.name: _worst_of(page.results, one, limit) for one in page.shown}
    lines = [line for own in found.values() for line in own]
    tiers = [line.of_cases for line in lines]
    place = max((cell_len(logged(line.place)) for line in lines), default=0)
    failed = max((len(line.failed) for line in lines), default=0)
    room = page.width - 3 * _GAP - place - failed  # of the title and the example
    longest = max((len(line.title) for line in lines), default=0)
    least = min(longest, _SHORT_TITLE) if room >= 40 else 0
    if found:
        yield Text()
    if lines:
        what = "rules, with the share of cases" if all(tiers) else "sections, with the share of statements"
        yield from page.prose(f"Most failed {what} failed and an example", "bold")
    for one in page.shown:
        examples = {line: _fitting(line, room - (_GAP + least if least else 0)) for line in found[one.name]}
        example = max(map(cell_len, examples.values()), default=0)
        title = min(longest, max(least, room - _GAP - example)) if least else 0
        name = Text(page.names[one.name], style="bold")
        about = one.implementation and _identity(page.libraries[one.name], one.implementation)
        if about:
            name.append(page.cut(f"  {about}", page.width - len(name)), "not bold dim")
        if not found[one.name]:
            name.append(page.cut(f"  {_faultless(page.results, one)}", page.width - len(name)), "not bold")
        yield name
        for line in found[one.name]:
            row = Text(" " * _GAP + page.fit(line.place, place) + " " * _GAP)
            row.append(page.fit(line.title, title) + " " * _GAP if title else "", "dim")
            row.append(line.failed.rjust(failed), "red")
            row.append(" " * _GAP)
            yield row.append(page.cut(examples[line], page.width - row.cell_len))


def _fitting(line: _Worst, width: int) -> str:
    """Return the example of a line, without the expected answer if it is too wide otherwise."""
    return whole if cell_len(whole := logged(line.example)) <= width else logged(line.short)


def _worst_of(results: Results, participant: Participant, limit: int) -> list[_Worst]:
    found = []
    for one in worst_sections(results, participant, limit):
        label, title = section_label(one.section, one.title)
        place, failed = f"{rfc(one.spec)} {label}", f"{one.failed}/{one.statements}"
        found.append(_Worst(place, title, failed, *_example(one.example)))
    kept = generated_failures(results)
    tallies = [tally for tally in results.tallies_of(participant.name) if tally.failing]
    for tally in sorted(tallies, key=lambda tally: -tally.failing)[: limit - len(found)]:
        own = kept.get((participant.name, tally.part), ())
        example = telling_example(own, participant)
        place, total = f"{rfc(tally.spec)} {tally.subject}", sum(tally.required.values())
        texts = _example(example) if own else ("", "", "")
        failed = f"{tally.failing:,}/{total:,} cases"
        found.append(_Worst(place, f"tier {tally.tier}", failed, *texts, of_cases=True))
    return found


def _example(failure: Failure | None) -> tuple[str, str, str]:
    """Return (failure in words, failure in fewer words, command that repeats it)."""
    if failure is None:
        return NO_EXAMPLE, NO_EXAMPLE, ""
    return example_text(failure), example_text(failure, whole=False), failure.command


def _faultless(results: Results, participant: Participant) -> str:
    answers = total_answers(results, participant)
    if answers.wrong:
        return answers_text(answers)
    return "no wrong answer" if answers.answered else "no complete answer"


def _states(page: _Page) -> Iterator[Text]:
    """Yield a sentence for each adapter that did not run or was started again."""
    found = []
    for one in page.results.participants:
        if one.implementation is None:
            found += page.prose(f"{one.name}: {one.status}: {one.message}", "yellow")
        if times := page.results.restarts.get(one.name, 0):
            why = "it ended, timed out or sent an invalid reply"
            found += page.prose(f"{one.name}: started again {counted(times, 'time')}: {why}", "yellow")
    yield from [Text(), *found] if found else []


def _next(page: _Page, again: str, others: int) -> Iterator[Text]:
    """Yield commands for the next step. They are never cut."""
    if not again or not page.shown:
        return
    lines = (line for one in page.shown for line in _worst_of(page.results, one, 1))
    shown = next((line.command for line in lines if line.command), "")
    commands = {
        "all sections": f"{again} --sections",
        "every case": f"{again} --report html=report.html",
    }
    if shown:
        commands = {"one failure": shown, **commands}
    else:
        commands["components"] = f"{again} --components"
    width = max(map(len, commands))
    yield from (Text(), Text("Next", style="bold"))
    for what, command in commands.items():
        line = Text(f"  {what.ljust(width)}  ", style="dim").append(command, "not dim")
        yield line if line.cell_len <= page.width else Text(f"  {command}")
    if others:
        are = "library is" if others == 1 else "libraries are"
        yield from page.prose(f"{others} more {are} here: urlconform compare")


# ---- tables


def print_sections(console: Console, results: Results, wanted: Sequence[str] = ()) -> None:
    """Print a table of the sections of each RFC, and of the rules of each generated tier."""
    page = _Page(console, results, wanted)
    signs = [one[page.ascii] for one in _SIGNS.values()]
    page.print([Text(), *chain.from_iterable(page.prose(line.format(*signs)) for line in _LEGEND)])
    sections, sizes, titles = by_section(results), statement_sizes(results), results.titles
    for spec, totals in page.scores.items():
        rows, others = list[_Row](), list[Place]()
        for place, scores in sections.items():
            if place[0] == spec and has_row(titles.get(place, "")):
                label = " ".join(section_label(place[1], titles.get(place, ""))).rstrip()
                rows += _score_rows(label, sizes[place], scores)
            elif place[0] == spec and sizes[place]:
                others.append(place)
        if others:
            without_row = {
                name: total_score(sections[place][name] for place in others if name in sections[place])
                for name in page.names
            }
            rows += _score_rows("other sections", sum(sizes[place] for place in others), without_row)
        rows += _total_rows(page, spec, sizes[spec, ""], totals)
        page.print(_table(page, rfc(spec), rows, _STATES))
    tiers = by_tier(results)
    for place, rules in by_rule(results).items():
        rows = [
            _Row(rule, None, {name: _four(one.required) for name, one in row.items()})
            for rule, row in {**rules, "all rules": tiers[place]}.items()
        ]
        heading = " tier ".join((rfc(place[0]), place[1]))
        page.print(_table(page, heading, [*rows, _compliance_row(page, place, tiers[place])]))


def print_components(console: Console, results: Results, wanted: Sequence[str] = ()) -> None:
    """Print a table of the components of each RFC."""
    page = _Page(console, results, wanted)
    page.print([Text(), *chain.from_iterable(map(page.prose, _COMPONENT_LEGEND))])
    for spec, rows in by_component(results).items():
        table = [
            _Row(
                name if name != NO_COMPONENTS else "(none shown)",
                None,
                {one: _four(found) for one, found in row.items()},
            )
            for name, row in rows.items()
        ]
        page.print(_table(page, rfc(spec), table))


def _score_rows(label: str, statements: int, scores: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield a row of statements, then a row of human-made vectors and one of witnesses."""
    states = {name: _four_states(score) for name, score in scores.items()}
    yield _Row(label, statements, states, statements=True)
    made = {name: _four(score.required.without(score.witnesses)) for name, score in scores.items()}
    witnesses = {name: _four(score.witnesses) for name, score in scores.items()}
    for what, cells in (("  vectors", made), ("  witnesses", witnesses)):
        if any(map(any, cells.values())):
            yield _Row(what, max(map(sum, cells.values())), cells)


def _total_rows(page: _Page, spec: str, statements: int, scores: Mapping[str, Score]) -> Iterator[_Row]:
    """Yield the rows for an RFC as a whole: statements, vectors, means over statements, compliance.

    A mean is left out if no shown implementation has it.
    """
    scores = {name: score for name, score in scores.items() if name in page.names}
    yield _Row("", None, {})
    yield from _score_rows("all sections", statements, scores)
    if unscored := max((score.unscored for score in scores.values()), default=0):
        yield _Row("  not scored", unscored, {})
    for name in Score().means:
        if any(score.means[name].count for score in scores.values()):
            yield _Row(f"  {name}", None, {one: percent(score.means[name]) for one, score in scores.items()})
        if name == "rejected" and any(score.j is not None for score in scores.values()):
            j = {one: youden(score).replace(MINUS, "-") for one, score in scores.items()}
            yield _Row("  J", None, j)
    if any(score.compliance.total for score in scores.values()):
        yield _compliance_row(page, (spec, ""), scores)


def _compliance_row(page: _Page, place: Place, scores: Mapping[str, Score]) -> _Row:
    """Return the row that says whether each implementation complies with an RFC or tier.

    After a "no", it gives the share of statements that hold. A tier has no statements, so it gives the share
    of deciding cases that pass.
    """
    whole, verdicts = page.results.complete and place not in partial(page.results), {}
    for name, score in scores.items():
        yes = "yes" if whole else "so far"
        far = score.held if score.held.total else score.compliance
        verdicts[name] = yes if score.complies else f"no, {whole_percent(far)}"
    return _Row("  complies", None, verdicts)


def _four(answers: Answers) -> _Four:
    return answers.right, answers.wrong, answers.partial, answers.unsupported


def _four_states(score: Score) -> _Four:
    held, failed, partly, still_open = (score.states[state] for state in _SIGNS)
    return held, failed, partly, still_open


def _table(page: _Page, heading: str, rows: Sequence[_Row], words: Sequence[str] = ()) -> Iterator[Text]:
    """Yield the lines of a table. Implementations that do not fit side by side with the others follow below.

    `words` are the heads of the four numbers of statements. If all implementations fit side by side only with
    signs instead of words, the heads are signs.
    """
    cells = [cell for row in rows for name, cell in row.cells.items() if name in page.names]
    numbers = [cell for cell in cells if not isinstance(cell, str)]
    narrow = [max((len(str(cell[place])) for cell in numbers), default=1) for place in range(4)]
    wide = [max(4, width) for width in narrow] if words else narrow
    text_width = max((len(cell) for cell in cells if isinstance(cell, str)), default=0)
    text_width = max([text_width, *map(len, page.heads.values())])
    total = max((len(str(row.total)) for row in rows if row.total is not None), default=0)
    label = min(
        max(map(cell_len, (heading[: -_GAP - total], *(logged(row.label) for row in rows)))), _MOST_LABEL
    )
    spare = page.width - total - _GAP
    names = list(page.names)

    def fitting(widths: Sequence[int]) -> int:
        return max(1, (spare - min(label, _LEAST_LABEL)) // (max(sum(widths) + 3, text_width) + _GAP))

    signs = fitting(wide) < len(names) <= fitting(narrow)
    widths = narrow if signs else wide
    words = [_SIGNS[state][page.ascii] for state in _SIGNS] if signs and words else words
    each, fit = max(sum(widths) + 3, text_width), fitting(widths)
    for start in range(0, len(names), fit):
        shown = names[start : start + fit]
        first = max(_LEAST_NAME, min(label, spare - len(shown) * (each + _GAP)))
        yield Text()
        head = Text(page.fit(heading, first + _GAP + total), style="bold")
        for name in shown:
            head.append(" " * _GAP + page.heads[name].rjust(each))
        yield head
        if words:
            cut = " ".join(word[:width].rjust(width) for word, width in zip(words, widths, strict=True))
            above = "statements".rjust(first + _GAP + total)
            yield Text(above + (" " * _GAP + cut.rjust(each)) * len(shown), style="dim")
        for row in rows:
            line = Text(page.fit(row.label, first), style="" if row.statements else "dim")
            line.append(" " * _GAP + ("" if row.total is None else str(row.total)).rjust(total), "dim")
            for name in shown:
                cell = row.cells.get(name, "")
                text = cell if isinstance(cell, str) else _four_text(page, cell, widths)
                line.append(" " * (_GAP + each - len(text)))
                line.append(text, _heat(cell) if row.statements and not isinstance(cell, str) else "not dim")
            yield line


def _four_text(page: _Page, numbers: Sequence[int], widths: Sequence[int]) -> str:
    nothing = "." if page.ascii else "·"
    shown = (str(number) if number else nothing for number in numbers)
    return " ".join(text.rjust(width) for text, width in zip(shown, widths, strict=True))


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
    participant = next(one for one in results.participants if one.name == implementation)
    stored = list(stored_failures(results, participant))
    kept = generated_failures(results).items()
    generated = (one for (name, _), own in kept if name == implementation for one in own)

    def is_claimed(one: Failure) -> bool:
        return claims(participant, one.asked.case.spec)

    shown = sorted([*stored, *generated], key=lambda one: (not is_claimed(one), severity(one)))[:limit]
    for one in shown:
        kind = "failure" if is_claimed(one) else "failure (not claimed)"
        print_failure(console, one.result.id, kind, one.in_full())
    if left := max(0, len(stored) - len(shown)):
        unclaimed = [one.asked.case.spec for one in stored if not is_claimed(one)]
        rest = min(left, len(unclaimed))
        specs = ", ".join(map(rfc, dict.fromkeys(unclaimed)))
        which = f" ({rest:,} of {specs}, which it does not claim)" if rest else ""
        print_words(console, f"... and {left:,} more{which}; --report html=FILE shows them all\n")
    count = sum(tally.failing for tally in results.tallies if tally.implementation == implementation)
    if count:
        cases = counted(count, "generated case fails", "generated cases fail")
        print_words(console, f"... {cases}; --report html=FILE counts them by rule\n")
    print_flags(console, shown)


def print_flags(console: Console, failures: Iterable[Failure]) -> None:
    """Print a line for each flag of the failures, then an empty line. Print nothing if there is no flag."""
    seen = {flag for one in failures for flag in one.asked.case.flags}
    legend = explain_flags([flag for flag in FLAGS if flag in seen])
    for line in (*legend, "") if legend else ():
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
    room = max(_LEAST_CONTENT, console.width - len(label))
    text = Text(content)
    for number, line in enumerate([text] if whole or not console.is_terminal else text.wrap(console, room)):
        line.rstrip()
        row = Text(" " * len(label) if number else label, style="dim").append(line.plain, "not dim")
        console.print(row, soft_wrap=True)


def print_words(console: Console, text: str, style: str = "") -> None:
    """Print a sentence. On a terminal, break it between words."""
    console.print(Text(text, style=style), soft_wrap=not console.is_terminal)


def _identity(name: str, about: Implementation) -> str:
    """Return library, version and runtime of an adapter. Leave out the library if `name` already tells it."""
    library = "" if f":{name}".endswith(f":{about.name}") else about.name
    version = "" if about.version == "unknown" else about.version
    return " ".join(filter(None, (library, version, f"({about.runtime})" if about.runtime else "")))


def _safe(text: str) -> str:
    return logged(clipped(text, 2000))
