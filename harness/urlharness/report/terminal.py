"""Tables and first failures on a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise, takewhile
from typing import NamedTuple

from rich import box
from rich.console import Console, Group, OverflowMethod, RenderableType
from rich.table import Table
from rich.text import Text

from urlharness.corpus.describe import asked as asked_in_words
from urlharness.corpus.model import FLAGS, explained
from urlharness.protocol.messages import Implementation
from urlharness.report.failures import Failure, claims
from urlharness.report.failures import failures as stored
from urlharness.report.summary import MINUS, youden
from urlharness.results.coverage import Place, caveats, partial
from urlharness.results.model import Participant, Results
from urlharness.results.scores import Rate, Score, by_rule, by_section, by_spec, by_tier
from urlharness.text import clipped, counted, logged, names, place, plain, rfc, section, shapeless

# -------------------- report.columns: Columns of a table on a terminal: how many stand side by side, and what is at their heads.


#: Columns of the terminal between two of a table.
GAP = 3


def heads_of(console: Console, ran: Sequence[Participant], room: int) -> Mapping[str, str]:
    """What stands for each name in so many columns of the terminal."""
    return names((one.name for one in ran), room, "..." if console.options.ascii_only else "…")


def widest_of(texts: Iterable[str], least: int) -> int:
    """Columns of the longest of some texts, or `least` where none has so many."""
    return max([least, *map(len, texts)])


def columns(
    console: Console, ran: Sequence[Participant], first: int, each: int
) -> Iterable[Sequence[Participant]]:
    """As many implementations at a time as fit side by side."""
    fit = max(1, (console.width - first) // (each + GAP))
    for start in range(0, len(ran), fit):
        yield ran[start : start + fit]


# -------------------- report.stacked: Tables for a terminal too narrow for columns: below each label its figures, as many as fit into a line.


#: Columns of a figure, with the blanks before it.
_FIGURE = 6


#: Labels, and the lines of cells below them.
Row = tuple[Sequence[Text], Sequence[Text]]


def stack(console: Console, heads: Sequence[Text], rows: Iterable[Row]) -> None:
    """Print the heads, a rule, and the rows: the labels of each, and below them its cells.

    Heads and labels are cut at the width of the terminal; a cell never is, it goes on in the next line.
    """
    for head in heads:
        _label(console, head)
    console.print(Text(("-" if console.options.ascii_only else "─") * console.width))
    for labels, cells in rows:
        for label in labels:
            _label(console, label)
        for line in cells:
            console.print(line)


def lines(cells: Sequence[Text], width: int) -> Iterator[Text]:
    """Figures one below the other: lines of the same number of them, each at the right of its place."""
    fit = max(1, min(len(cells), width // _FIGURE))
    count = -(-len(cells) // fit)
    fit = -(-len(cells) // count)
    for start in range(0, len(cells), fit):
        line = Text()
        for cell in cells[start : start + fit]:
            shown = Text(cell.plain.strip(), style=cell.style)
            line.append(" " * (min(_FIGURE, width) - len(shown))).append_text(shown)
        yield line


def overflow(console: Console) -> OverflowMethod:
    """How a label that is too long is cut: the sign for it is more than one character in ASCII."""
    return "crop" if console.options.ascii_only else "ellipsis"


def _label(console: Console, label: Text) -> None:
    console.print(label, no_wrap=True, overflow=overflow(console))


# -------------------- report.complying: Who complies, on a terminal: a row for each RFC and generated tier, a column for each implementation.


_COMPLIES = "Complies with"


_VERDICT_WIDTH = len("so far  1000 of 1000")


_HEAD = 31  # columns of a name on a terminal, as in the tables of the sections


def summarise(
    console: Console,
    rows: Mapping[Place, Mapping[str, Score]],
    ran: Sequence[Participant],
    in_part: frozenset[Place],
) -> None:
    """Print who complies with what; nothing where nothing that was asked decides on compliance."""
    verdicts = {
        place: {one.name: _verdict(row.get(one.name), whole=place not in in_part) for one in ran}
        for place, row in rows.items()
        if any(score.compliance.total for score in row.values())
    }
    if not verdicts:
        return
    least = widest_of((verdict.plain for row in verdicts.values() for verdict in row.values()), 0)
    first = widest_of(map(_place, verdicts), len(_COMPLIES))
    room = console.width - first - GAP
    if room < least:
        _stacked_summary(console, verdicts, heads_of(console, ran, console.width))
        return
    heads = heads_of(console, ran, max(least, min(room, _HEAD) if console.is_terminal else room))
    for some in columns(console, ran, first, widest_of(heads.values(), max(least, _VERDICT_WIDTH))):
        console.print(_summary(verdicts, {one.name: heads[one.name] for one in some}))
        console.print()


def _stacked_summary(
    console: Console, verdicts: Mapping[Place, Mapping[str, Text]], heads: Mapping[str, str]
) -> None:
    rows = [
        ([Text(_place(place), style="bold"), Text(heads[name])], [verdict])
        for place, row in verdicts.items()
        for name, verdict in row.items()
    ]
    stack(console, [Text(_COMPLIES, style="bold")], rows)
    console.print()


def _summary(verdicts: Mapping[Place, Mapping[str, Text]], heads: Mapping[str, str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(_COMPLIES, no_wrap=True)
    for head in heads.values():
        table.add_column(head, no_wrap=True)
    for place, row in verdicts.items():
        table.add_row(_place(place), *(row[name] for name in heads))
    return table


def _place(place: Place) -> str:
    return logged(f"{rfc(place[0])} {place[1]}".rstrip())


def _verdict(score: Score | None, *, whole: bool) -> Text:
    """Does it comply, and by how many vectors.

    Of a run that was cut, or asked some vectors only, no more than that it does so far.
    """
    if score is None or not score.compliance.total:
        return Text("-", style="dim")
    rate = score.compliance
    word, style = (
        ("no ", "red") if not score.complies else ("yes", "bold green") if whole else ("so far", "yellow")
    )
    return Text(word, style=style).append(f"  {rate.passed} of {rate.total}", style="not bold")


# -------------------- report.firstfailing: The first failing cases of an implementation, for a terminal: first those of the RFCs that it claims.


_LONGEST = 2000  # characters of a text of an adapter


def failures(results: Results, implementation: str, limit: int = 10) -> RenderableType:
    """The first failing cases of one implementation: input, requirement, expected, got, how to repeat.

    Those of the RFCs that it claims come first.  Flags are explained once, below the cases.  Print it with
    `soft_wrap`: no line of it is broken.
    """
    found = _Found(limit)
    for participant in results.participants:
        if participant.name == implementation:
            found.look(results, participant)
    shown = found.claimed + found.others[: limit - len(found.claimed)]
    parts: list[RenderableType] = [
        _failure(one, claimed=number < len(found.claimed)) for number, one in enumerate(shown)
    ]
    parts += [Text(f"... and {line}\n") for line in found.more(shown)]
    generated = sum(tally.failing for tally in results.tallies if tally.implementation == implementation)
    if generated:
        cases = counted(generated, "generated case fails", "generated cases fail")
        parts.append(Text(f"... {cases}; --report html=FILE counts them by rule\n"))
    seen = {flag for one in shown for flag in one.asked.case.flags}
    parts += [Text(plain(line), style="dim") for line in explained([flag for flag in FLAGS if flag in seen])]
    return Group(*parts)


class _Found:
    """The first failing cases of RFCs that are claimed and of others, and how many there are in the file."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.claimed: list[Failure] = []
        self.others: list[Failure] = []
        self._counts = {True: 0, False: 0}
        self._unclaimed: dict[str, None] = {}

    def look(self, results: Results, participant: Participant) -> None:
        """Take the cases of an implementation: stored ones, then the examples of generated ones."""
        for one in stored(results, participant):
            self._counts[self._add(participant, one)] += 1
        for example in results.examples:
            if example.result.implementation == participant.name:
                self._add(participant, Failure(example.asked, example.result, results))

    def _add(self, participant: Participant, one: Failure) -> bool:
        spec = one.asked.case.spec
        claimed = claims(participant, spec)
        if not claimed:
            self._unclaimed[spec] = None
        some = self.claimed if claimed else self.others
        if len(some) < self._limit:
            some.append(one)
        return claimed

    def more(self, shown: list[Failure]) -> Iterator[str]:
        """A line on the stored cases that are not shown; none where all are."""
        stored_cases = self._counts[True] + self._counts[False]
        left = stored_cases - min(stored_cases, len(shown))
        if not left:
            return
        others = min(left, self._counts[False])
        specs = ", ".join(map(rfc, self._unclaimed))
        of = f" ({others:,} of {specs}, which it does not claim)" if others else ""
        yield f"{left:,} more{of}; --report html=FILE shows them all"


def _failure(one: Failure, *, claimed: bool) -> Text:
    case, requirement = one.asked.case, one.asked.requirement
    vector, outcome = case.vector, one.result.outcome
    asked_for = "  ".join(f"{name} {value}" for name, value in asked_in_words(vector))
    where = f"{rfc(case.spec)} {place(case.section, one.asked.title)}{'' if claimed else ' (not claimed)'}"
    text = Text(f"{logged(vector.id)}\n", style="bold")
    lines = (
        f"  {vector.op}  {asked_for}",
        f"  {where}: {requirement.statement}",
        f"  expected {one.expected}",
        f"  {outcome}: {one.why}" if one.result.detail or one.wrote else f"  {outcome}",
        *([f"  flags {', '.join(case.flags)}"] if case.flags else []),
        f"  {one.command}",
    )
    for line in lines:
        text.append(f"{logged(clipped(line, _LONGEST))}\n", style="not bold")
    return text


# -------------------- report.labels: Names of implementations in little room: what tells one from the others is never left out.


#: Stands for what is left out.
LEFT_OUT = "\N{HORIZONTAL ELLIPSIS}"


#: Room of a head of a column, and of a name in a sentence: that of so many letters.
HEAD, WORD = 20, 80


#: What ends a part of a command: a name is cut there rather than within a word.
_ENDS = " /:"


#: Room of a character that is spelled out as its code point.
_SPELLED = 8


def labels(names: Sequence[str], room: int = HEAD) -> list[str]:
    """A label for each of the names of a page, no two of them equal; a name that has room is its own.

    Of the others the common beginning is left out and then the middle; where that makes two of them equal,
    all are cut around the place where they part; and what is equal even so gets a number.
    """
    long = list(dict.fromkeys(name for name in names if _width(name) > room))
    short = {name for name in names if _width(name) <= room}
    for made in (_unprefixed(long, room), _parted(long, names, room)):
        if len(set(made)) == len(long) and short.isdisjoint(made):
            break
    else:
        made = list(_numbered(made, short, room))
    of = dict(zip(long, made, strict=True))
    return [of.get(name, name) for name in names]


def _unprefixed(long: Sequence[str], room: int) -> list[str]:
    common = _cut_at(reduce(_shared, long)) if len(long) > 1 else 0
    return [_middle((LEFT_OUT if common else "") + name[common:], room) for name in long]


def _parted(long: Sequence[str], names: Sequence[str], room: int) -> list[str]:
    """Each from the part of it on that no other has; between neighbours in the alphabet names share most."""
    parts = dict.fromkeys(names, 0)
    for one, other in pairwise(sorted(parts)):
        shared = len(_shared(one, other))
        parts[one], parts[other] = max(parts[one], shared), max(parts[other], shared)
    return [_around(name, parts[name], room) for name in long]


def _around(name: str, part: int, room: int) -> str:
    """What stands around a place of a name, from the beginning of its word if that has room."""
    start = _cut_at(name[:part])
    if _width(name[start : part + 1]) > room // 2:
        start = part
    rest = (LEFT_OUT if start else "") + name[start:]
    return rest if _width(rest) <= room else _begin(rest, room - 1) + LEFT_OUT


def _numbered(made: Sequence[str], taken: set[str], room: int) -> Iterator[str]:
    """Labels that are all different, by numbers behind those that are not."""
    known = set(taken)
    for label in made:
        found, number = label, 1
        while found in known:
            number += 1
            found = f"{_begin(label, room - len(str(number)) - 1)} {number}"
        known.add(found)
        yield found


def _middle(text: str, room: int) -> str:
    """A text without its middle; of what is left two thirds are its end, where commands differ."""
    if _width(text) <= room:
        return text
    first = _begin(text, (room - 1) // 3)
    last = _begin(text[:0:-1], room - 1 - _width(first))[::-1]
    return f"{first.removesuffix(LEFT_OUT)}{LEFT_OUT}{last}"


def _begin(text: str, room: int) -> str:
    """So much of the beginning of a text as there is room for."""
    for end, char in enumerate(text):
        room -= _width(char)
        if room < 0:
            return text[:end]
    return text


def _shared(one: str, other: str) -> str:
    """The beginning that two texts have in common."""
    return one[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))]


def _cut_at(text: str) -> int:
    """Where the last word of a text begins."""
    return max(text.rfind(end) for end in _ENDS) + 1


def _width(text: str) -> int:
    """How many letters would take as much room."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(
        (_SPELLED if shapeless(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1)
        for char in text
    )


# -------------------- report.terminal: The report on a terminal: sections as rows, implementations as columns, and who complies.


_WIDTHS = {"acc": 5, "rej": 5, "J": 6, "cmp": 5, "res": 5, "cov": 5}


_FIGURES = "".join(f"{name:>{width}}" for name, width in _WIDTHS.items())


_LABEL_WIDTHS = (
    6,
    30,
)  # of a section: at the least, and before more columns stand side by side


_NARROW = 12  # columns of a label below which it has no title


_TERMINAL_LONGEST = 2000  # characters of a text of an adapter


_LEGEND = (
    "acc, rej: valid texts accepted, invalid ones rejected, in percent",
    "J = acc + rej - 1",
    "cmp: components",
    "res: resolution and all other results",
    "cov: answered, right or wrong",
)


_OWN = "a section: its own vectors, not those of the sections below it"


def render(console: Console, results: Results) -> None:
    """Print the compliance of every implementation, section by section."""
    ran = [participant for participant in results.participants if participant.state == "ran"]
    specs, tiers = by_spec(results), by_tier(results)
    tables = list(_tables(results, specs, tiers))
    widest = max((len(logged(label.text)) for table in tables for label in table.labels.values()), default=0)
    first = _label_width(console, widest, len(ran))
    heads = _heads(console, ran, first)
    for table in tables:
        if console.width < _LABEL_WIDTHS[0] + GAP + len(_FIGURES):
            _stacked(console, table, heads)
            continue
        for some in columns(console, ran, first, widest_of(heads.values(), len(_FIGURES))):
            console.print(_sections(console, table, {one.name: heads[one.name] for one in some}, first))
            console.print()
    if ran and tables:
        legend = (*_LEGEND, _OWN) if specs else _LEGEND
        console.print(Text((" | " if console.options.ascii_only else " · ").join(legend), style="dim"))
        console.print()
    rows = {**{(spec, ""): row for spec, row in specs.items()}, **tiers}
    summarise(console, rows, ran, frozenset(rows if not results.complete else partial(results)))
    for line in _states(results.participants, results.restarts):
        console.print(line, soft_wrap=not console.is_terminal)
    for caveat in caveats(results):
        console.print(
            Text(_said(caveat), style="yellow" if results.complete else "bold red"),
            soft_wrap=not console.is_terminal,
        )


class _Label(NamedTuple):
    """What stands at the beginning of a row: its name, and where there is room more."""

    name: str
    title: str

    @property
    def text(self) -> str:
        """Both of them."""
        return f"{self.name} {self.title}".rstrip()


class _Table(NamedTuple):
    """What one table shows: rows, and how each is called."""

    heading: str
    labels: Mapping[str, _Label]
    rows: Mapping[str, Mapping[str, Score]]
    totals: Mapping[str, Score]
    whole: str


def _tables(
    results: Results,
    specs: Mapping[str, Mapping[str, Score]],
    tiers: Mapping[tuple[str, str], Mapping[str, Score]],
) -> Iterable[_Table]:
    sections = by_section(results)
    for spec, totals in specs.items():
        rows = {name: row for (of, name), row in sections.items() if of == spec}
        titles = {name: title for (of, name), title in results.titles.items() if of == spec}
        labels = {name: _Label(*section(name, titles[name])) for name in rows}
        yield _Table(rfc(spec), labels, rows, totals, "all sections")
    for (spec, tier), rules in by_rule(results).items():
        labels = {
            rule: _Label(rule, counted(max(score.coverage.total for score in row.values()), "case"))
            for rule, row in rules.items()
        }
        yield _Table(logged(f"{rfc(spec)}, tier {tier}"), labels, rules, tiers[spec, tier], "all rules")


def _label_width(console: Console, widest: int, implementations: int) -> int:
    """The width of the first column: its whole text in a pipe, and where the terminal has the room."""
    least, usual = _LABEL_WIDTHS
    if not console.is_terminal:
        return max(widest, usual)
    column = len(_FIGURES) + GAP
    beside = max(1, min(implementations, (console.width - usual) // column))
    return max(least, min(widest, console.width - beside * column))


def _heads(console: Console, ran: Sequence[Participant], first: int) -> Mapping[str, str]:
    """The name of each implementation at the head of its column; of one too long for it the two ends.

    In a pipe it is too long only where it does not fit beside the first column.
    """
    room = len(_FIGURES) if console.is_terminal else max(len(_FIGURES), console.width - first - GAP)
    return heads_of(console, ran, min(room, console.width))


def _stacked(console: Console, shown: _Table, heads: Mapping[str, str]) -> None:
    """A table for each implementation, with the figures of a row below its label."""
    width = console.width
    for name, head in heads.items():
        named = list(lines([Text(one) for one in _WIDTHS], width))
        rows = [
            ([_terminal_label(shown.labels[key])], list(lines(_figures(row.get(name), console), width)))
            for key, row in shown.rows.items()
        ]
        whole = list(lines(_figures(shown.totals.get(name), console), width))
        rows.append(([Text(shown.whole, style="bold")], whole))
        stack(console, [Text(shown.heading, style="bold"), Text(head, style="bold"), *named], rows)
        console.print()


def _terminal_label(label: _Label, *, narrow: bool = False) -> Text:
    text = Text(logged(label.name if narrow else label.text), style="not bold")
    text.stylize("bold", 0, len(logged(label.name)))
    return text


def _sections(console: Console, shown: _Table, heads: Mapping[str, str], width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    narrow = width < _NARROW
    heading = shown.heading.removeprefix("RFC ") if narrow else shown.heading
    table.add_column(heading, width=width, no_wrap=True, overflow=overflow(console))
    for head in heads.values():
        header = Text(f"{head:^{len(_FIGURES)}}\n{_FIGURES}")
        table.add_column(header, width=max(len(head), len(_FIGURES)), no_wrap=True)
    for key, row in shown.rows.items():
        cells = (_line(_figures(row.get(name), console)) for name in heads)
        table.add_row(_terminal_label(shown.labels[key], narrow=narrow), *cells)
    table.add_section()
    all_of_it = (_line(_figures(shown.totals.get(name), console)) for name in heads)
    table.add_row(Text("all" if narrow else shown.whole, style="bold"), *all_of_it)
    return table


def _figures(score: Score | None, console: Console) -> list[Text]:
    """The figures of a row in their order; none of an implementation that was not asked."""
    if score is None:
        return []
    rates = {"acc": score.accepted, "rej": score.rejected, "cmp": score.components}
    rates |= {"res": score.results, "cov": score.coverage}
    found = {name: _percent(rate) for name, rate in rates.items()} | {"J": _youden(score)}
    nothing = Text("." if console.options.ascii_only else "·", style="dim")
    return [found[name] or nothing for name in _WIDTHS]


def _line(cells: Sequence[Text]) -> Text:
    line = Text()
    for cell, width in zip(cells, _WIDTHS.values(), strict=False):
        line.append(" " * (width - len(cell))).append_text(cell)
    return line


def _percent(rate: Rate) -> Text | None:
    """A rate in percent, rounded down so that 100 means all of them."""
    percent = rate.cut(100)
    return None if percent is None else Text(str(percent), style=_style(percent / 100))


def _youden(score: Score) -> Text | None:
    return None if score.j is None else Text(youden(score).replace(MINUS, "-"), style=_style(score.j))


def _style(value: float) -> str:
    if value == 1:
        return "green"
    return "yellow" if value >= 0.5 else "red"


def _states(participants: Sequence[Participant], restarts: Mapping[str, int]) -> Iterable[Text]:
    for participant in participants:
        line = Text(logged(participant.name), style="bold")
        if participant.implementation is None:
            line.append(": ").append(
                _said(f"{participant.state}: {participant.message}"), style="not bold yellow"
            )
        elif identity := _identity(participant.name, participant.implementation):
            line.append(": ").append(_said(identity), style="not bold")
        yield line
        times = restarts.get(participant.name, 0)
        if times:
            again = counted(times, "time")
            what = f"  had to be started again {again}: it ended, hung or wrote what is no reply"
            yield Text(what, style="yellow")


def _identity(name: str, about: Implementation) -> str:
    """What an adapter of this name says that it is; nothing where that is its name, and no version."""
    runtime = f" ({about.runtime})" if about.runtime else ""
    if about.version != "unknown":
        return f"{about.name} {about.version}{runtime}"
    return runtime.strip() if f":{name}".endswith(f":{about.name}") else f"{about.name}{runtime}"


def _said(text: str) -> str:
    """What an adapter said, safe and of bearable length."""
    return logged(clipped(text, _TERMINAL_LONGEST))
