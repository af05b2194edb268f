"""The report on a terminal: sections as rows, implementations as columns, and who complies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from urlharness.flags import FLAGS, explained
from urlharness.report.extent import caveats
from urlharness.report.failing import Failure
from urlharness.report.failing import failures as failures_of
from urlharness.report.texts import clipped, counted, logged, plain, rfc
from urlharness.results import Participant, Results
from urlharness.scores import Rate, Score, by_rule, by_section, by_spec, by_tier
from urlharness.words import asked as asked_in_words

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
    "cmp: components · res: resolution and all other results · cov: answered at all"
)


def render(console: Console, results: Results) -> None:
    """Print the compliance of every implementation, section by section."""
    ran = [participant for participant in results.participants if participant.state == "ran"]
    specs, tiers = by_spec(results), by_tier(results)
    tables = list(_tables(results, specs, tiers))
    widest = max(
        (len(_label(name, title)) for table in tables for name, title in table.titles.items()), default=0
    )
    label = _label_width(console, widest, len(ran))
    for table in tables:
        for some in _columns(console, ran, label, len(_FIGURES)):
            console.print(_sections(table, some, label))
            console.print()
    if ran and tables:
        console.print(Text(_LEGEND, style="dim"))
        console.print()
    width = max((len(_title(participant)) for participant in ran), default=0)
    rows = {**specs, **{logged(f"{spec} {tier}"): row for (spec, tier), row in tiers.items()}}
    for some in _columns(console, ran, len(_COMPLIES), max(width, _VERDICT_WIDTH)):
        summary = _summary(rows, some, whole=results.complete)
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


def failures(results: Results, implementation: str, limit: int = 10) -> RenderableType:
    """The first failing cases of one implementation: input, requirement, expected, got, how to repeat.

    Their flags are explained once, below them.  Print it with `soft_wrap`: no line of it is broken.
    """
    failing, stored = list[Failure](), 0
    for participant in results.participants:
        if participant.name == implementation:
            for one in failures_of(results, participant):
                stored += 1
                if len(failing) < limit:
                    failing.append(one)
    failing += [
        Failure(example.asked, example.result)
        for example in results.examples
        if example.result.implementation == implementation
    ]
    parts: list[RenderableType] = [_failure(one) for one in failing[:limit]]
    if stored > limit:
        parts.append(Text(f"... and {stored - limit:,} more; --report html=FILE shows them all\n"))
    generated = sum(tally.failing for tally in results.tallies if tally.implementation == implementation)
    if generated:
        cases = counted(generated, "generated case fails", "generated cases fail")
        parts.append(Text(f"... {cases}; --report html=FILE counts them by rule\n"))
    seen = {flag for one in failing[:limit] for flag in one.asked.case.flags}
    parts += [Text(plain(line), style="dim") for line in explained([flag for flag in FLAGS if flag in seen])]
    return Group(*parts)


class _Table(NamedTuple):
    """What one table shows: rows by their name, and what stands beside each name."""

    heading: str
    titles: Mapping[str, str]
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
        rows = {section: row for (of, section), row in sections.items() if of == spec}
        titles = {section: title for (of, section), title in results.titles.items() if of == spec}
        yield _Table(rfc(spec), {section: titles[section] for section in rows}, rows, totals, "all sections")
    for (spec, tier), rules in by_rule(results).items():
        titles = {
            rule: counted(max(score.coverage.total for score in row.values()), "case")
            for rule, row in rules.items()
        }
        yield _Table(logged(f"{rfc(spec)}, tier {tier}"), titles, rules, tiers[spec, tier], "all rules")


def _label(name: str, title: str) -> str:
    return logged(f"{name} {title}")


def _label_width(console: Console, widest: int, implementations: int) -> int:
    """The width of the first column: its whole text in a pipe, and where the terminal has the room."""
    least, usual = _LABEL_WIDTHS
    if not console.is_terminal:
        return max(widest, usual)
    column = len(_FIGURES) + _GAP
    beside = max(1, min(implementations, (console.width - usual) // column))
    return max(least, min(widest, console.width - beside * column))


def _title(participant: Participant) -> str:
    """The name of an implementation at the head of a column; of a long one the two ends."""
    name, half = logged(participant.name), (len(_FIGURES) - 1) // 2
    return name if len(name) <= len(_FIGURES) else f"{name[:half]}…{name[-half:]}"


def _columns(
    console: Console, ran: Sequence[Participant], first: int, each: int
) -> Iterable[Sequence[Participant]]:
    """As many implementations at a time as fit side by side."""
    fit = max(1, (console.width - first) // (each + _GAP))
    for start in range(0, len(ran), fit):
        yield ran[start : start + fit]


def _sections(shown: _Table, ran: Sequence[Participant], width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    narrow = width < _NARROW
    heading = shown.heading.removeprefix("RFC ") if narrow else shown.heading
    table.add_column(heading, width=width, no_wrap=True, overflow="ellipsis")
    for participant in ran:
        header = Text(f"{_title(participant):^{len(_FIGURES)}}\n{_FIGURES}")
        table.add_column(header, width=len(_FIGURES), no_wrap=True)
    for name, row in shown.rows.items():
        text = logged(name) if narrow else _label(name, shown.titles[name])
        label = Text(text, style="not bold")
        label.stylize("bold", 0, len(name))
        table.add_row(label, *(_figures(row.get(participant.name)) for participant in ran))
    table.add_section()
    all_of_it = (_figures(shown.totals.get(participant.name)) for participant in ran)
    table.add_row(Text("all" if narrow else shown.whole, style="bold"), *all_of_it)
    return table


def _figures(score: Score | None) -> Text:
    if score is None:
        return Text("")
    text = Text()
    for rate in (score.accepted, score.rejected):
        text.append(*_percent(rate))
    text.append(*_youden(score.j))
    for rate in (score.components, score.results, score.coverage):
        text.append(*_percent(rate))
    return text


def _percent(rate: Rate) -> tuple[str, str]:
    """A rate in percent, rounded down so that 100 means all of them."""
    if rate.value is None:
        return "    ·", "dim"
    percent = math.floor(100 * rate.value)
    return f"{percent:5d}", _style(rate.value)


def _youden(value: float | None) -> tuple[str, str]:
    if value is None:
        return "     ·", "dim"
    shown = math.floor(value * 100 + 1e-9) / 100  # 1e-9: what binary fractions lose
    return f"{shown:6.2f}", _style(max(value, 0.0))


def _style(value: float) -> str:
    if value == 1:
        return "green"
    return "yellow" if value >= 0.5 else "red"


def _summary(specs: Mapping[str, Mapping[str, Score]], ran: Sequence[Participant], *, whole: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(_COMPLIES, no_wrap=True)
    for participant in ran:
        table.add_column(_title(participant), no_wrap=True)
    for spec, row in specs.items():
        if not any(score.compliance.total for score in row.values()):
            continue  # nothing that was asked decides on compliance
        table.add_row(rfc(spec), *(_verdict(row.get(participant.name), whole=whole) for participant in ran))
    return table


def _verdict(score: Score | None, *, whole: bool) -> Text:
    """Does it comply, and by how many vectors; of a run that was cut only that it does so far."""
    if score is None or not score.compliance.total:
        return Text("-", style="dim")
    rate = score.compliance
    word, style = (
        ("no ", "red") if not score.complies else ("yes", "bold green") if whole else ("so far", "yellow")
    )
    return Text(word, style=style).append(f"  {rate.passed} of {rate.total}", style="not bold")


def _states(participants: Sequence[Participant], restarts: Mapping[str, int]) -> Iterable[Text]:
    for participant in participants:
        line = Text(f"{logged(participant.name)}: ", style="bold")
        if participant.implementation is not None:
            about = participant.implementation
            runtime = f" ({about.runtime})" if about.runtime else ""
            line.append(_said(f"{about.name} {about.version}{runtime}"), style="not bold")
        else:
            line.append(_said(f"{participant.state}: {participant.message}"), style="not bold yellow")
        yield line
        times = restarts.get(participant.name, 0)
        if times:
            again = counted(times, "time")
            what = f"  had to be started again {again}: it ended, hung or wrote what is no reply"
            yield Text(what, style="yellow")


def _failure(one: Failure) -> Text:
    case, requirement = one.asked.case, one.asked.requirement
    vector, outcome = case.vector, one.result.outcome
    asked_for = "  ".join(f"{name} {value}" for name, value in asked_in_words(vector))
    text = Text(f"{logged(vector.id)}\n", style="bold")
    lines = (
        f"  {vector.op}  {asked_for}",
        f"  {rfc(case.spec)} section {case.section}: {requirement.statement}",
        f"  expected {one.expected}",
        f"  {outcome}: {one.result.detail}" if one.result.detail else f"  {outcome}",
        *([f"  flags {', '.join(case.flags)}"] if case.flags else []),
        f"  {one.command}",
    )
    for line in lines:
        text.append(f"{_said(line)}\n", style="not bold")
    return text


def _said(text: str) -> str:
    """What an adapter said, safe and of bearable length."""
    return logged(clipped(text, _LONGEST))
