"""The report on a terminal: sections as rows, implementations as columns, and who complies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from urlharness.protocol import Implementation
from urlharness.report.extent import Place, caveats, partial
from urlharness.report.figures import MINUS, youden
from urlharness.report.firstfailing import failures
from urlharness.report.texts import clipped, counted, logged, plain, rfc, section
from urlharness.results import Participant, Results
from urlharness.scores import Rate, Score, by_rule, by_section, by_spec, by_tier

__all__ = ["failures", "plain", "render"]

_FIGURES = f"{'acc':>5}{'rej':>5}{'J':>6}{'cmp':>5}{'res':>5}{'cov':>5}"
_GAP = 3  # columns between two of a table
_LABEL_WIDTHS = (
    6,
    30,
)  # of a section: at the least, and before more columns stand side by side
_NARROW = 12  # columns of a label below which it has no title
_COMPLIES = "Complies with"
_VERDICT_WIDTH = len("so far  1000 of 1000")
_LONGEST = 2000  # characters of a text of an adapter
_LEGEND = (
    "acc, rej: valid texts accepted, invalid ones rejected, in percent · J = acc + rej - 1 · "
    "cmp: components · res: resolution and all other results · cov: answered, right or wrong"
)


def render(console: Console, results: Results) -> None:
    """Print the compliance of every implementation, section by section."""
    ran = [participant for participant in results.participants if participant.state == "ran"]
    specs, tiers = by_spec(results), by_tier(results)
    tables = list(_tables(results, specs, tiers))
    widest = max((len(logged(label.text)) for table in tables for label in table.labels.values()), default=0)
    first = _label_width(console, widest, len(ran))
    heads = _heads(console, ran, first)
    width = max(map(len, heads.values()), default=0)
    for table in tables:
        for some in _columns(console, ran, first, max(width, len(_FIGURES))):
            console.print(_sections(table, {one.name: heads[one.name] for one in some}, first))
            console.print()
    if ran and tables:
        console.print(Text(_LEGEND, style="dim"))
        console.print()
    rows = {**{(spec, ""): row for spec, row in specs.items()}, **tiers}
    in_part = frozenset(rows if not results.complete else partial(results))
    first = max((len(_place(place)) for place in rows), default=0)
    for some in _columns(console, ran, max(first, len(_COMPLIES)), max(width, _VERDICT_WIDTH)):
        summary = _summary(rows, {one.name: heads[one.name] for one in some}, in_part)
        if summary.row_count:
            console.print(summary)
            console.print()
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
    column = len(_FIGURES) + _GAP
    beside = max(1, min(implementations, (console.width - usual) // column))
    return max(least, min(widest, console.width - beside * column))


def _heads(console: Console, ran: Sequence[Participant], first: int) -> Mapping[str, str]:
    """The name of each implementation at the head of its column; of one too long for it the two ends.

    In a pipe it is too long only where it does not fit beside the first column.
    """
    room = len(_FIGURES) if console.is_terminal else max(len(_FIGURES), console.width - first - _GAP)
    names = {one.name: logged(one.name) for one in ran}
    half = (room - 1) // 2
    return {
        name: head if len(head) <= room else f"{head[:half]}…{head[-half:]}" for name, head in names.items()
    }


def _columns(
    console: Console, ran: Sequence[Participant], first: int, each: int
) -> Iterable[Sequence[Participant]]:
    """As many implementations at a time as fit side by side."""
    fit = max(1, (console.width - first) // (each + _GAP))
    for start in range(0, len(ran), fit):
        yield ran[start : start + fit]


def _sections(shown: _Table, heads: Mapping[str, str], width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    narrow = width < _NARROW
    heading = shown.heading.removeprefix("RFC ") if narrow else shown.heading
    table.add_column(heading, width=width, no_wrap=True, overflow="ellipsis")
    for head in heads.values():
        header = Text(f"{head:^{len(_FIGURES)}}\n{_FIGURES}")
        table.add_column(header, width=max(len(head), len(_FIGURES)), no_wrap=True)
    for key, row in shown.rows.items():
        label = shown.labels[key]
        text = Text(logged(label.name if narrow else label.text), style="not bold")
        text.stylize("bold", 0, len(logged(label.name)))
        table.add_row(text, *(_figures(row.get(name)) for name in heads))
    table.add_section()
    all_of_it = (_figures(shown.totals.get(name)) for name in heads)
    table.add_row(Text("all" if narrow else shown.whole, style="bold"), *all_of_it)
    return table


def _figures(score: Score | None) -> Text:
    if score is None:
        return Text("")
    text = Text()
    for rate in (score.accepted, score.rejected):
        text.append(*_percent(rate))
    text.append(*_youden(score))
    for rate in (score.components, score.results, score.coverage):
        text.append(*_percent(rate))
    return text


def _percent(rate: Rate) -> tuple[str, str]:
    """A rate in percent, rounded down so that 100 means all of them."""
    percent = rate.cut(100)
    if percent is None:
        return "    ·", "dim"
    return f"{percent:5d}", _style(percent / 100)


def _youden(score: Score) -> tuple[str, str]:
    if score.j is None:
        return "     ·", "dim"
    return f"{youden(score).replace(MINUS, '-'):>6}", _style(score.j)


def _style(value: float) -> str:
    if value == 1:
        return "green"
    return "yellow" if value >= 0.5 else "red"


def _summary(
    rows: Mapping[Place, Mapping[str, Score]], heads: Mapping[str, str], in_part: frozenset[Place]
) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(_COMPLIES, no_wrap=True)
    for head in heads.values():
        table.add_column(head, no_wrap=True)
    for place, row in rows.items():
        if not any(score.compliance.total for score in row.values()):
            continue  # nothing that was asked decides on compliance
        table.add_row(_place(place), *(_verdict(row.get(name), whole=place not in in_part) for name in heads))
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
    return logged(clipped(text, _LONGEST))
