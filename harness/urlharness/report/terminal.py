"""The report on a terminal: sections as rows, implementations as columns, and who complies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from urlharness.protocol import Implementation
from urlharness.report.columns import GAP, columns, heads_of, widest_of
from urlharness.report.complying import summarise
from urlharness.report.extent import caveats, partial
from urlharness.report.figures import MINUS, youden
from urlharness.report.firstfailing import failures
from urlharness.report.stacked import lines, overflow, stack
from urlharness.report.texts import clipped, counted, logged, plain, rfc, section
from urlharness.results import Participant, Results
from urlharness.scores import Rate, Score, by_rule, by_section, by_spec, by_tier

__all__ = ["failures", "plain", "render"]

_WIDTHS = {"acc": 5, "rej": 5, "J": 6, "cmp": 5, "res": 5, "cov": 5}
_FIGURES = "".join(f"{name:>{width}}" for name, width in _WIDTHS.items())
_LABEL_WIDTHS = (
    6,
    30,
)  # of a section: at the least, and before more columns stand side by side
_NARROW = 12  # columns of a label below which it has no title
_LONGEST = 2000  # characters of a text of an adapter
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
            ([_label(shown.labels[key])], list(lines(_figures(row.get(name), console), width)))
            for key, row in shown.rows.items()
        ]
        whole = list(lines(_figures(shown.totals.get(name), console), width))
        rows.append(([Text(shown.whole, style="bold")], whole))
        stack(console, [Text(shown.heading, style="bold"), Text(head, style="bold"), *named], rows)
        console.print()


def _label(label: _Label, *, narrow: bool = False) -> Text:
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
        table.add_row(_label(shown.labels[key], narrow=narrow), *cells)
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
    return logged(clipped(text, _LONGEST))
