"""The report on a terminal: sections as rows, implementations as columns, and who complies."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from urlharness.flags import FLAGS, explained
from urlharness.results import AskedVector, Participant, Result, Results
from urlharness.scores import Rate, Score, by_rule, by_section, by_spec, by_tier
from urlharness.verdict import FAILING
from urlharness.words import asked as asked_in_words
from urlharness.words import expectation

_FIGURES = f"{'acc':>5}{'rej':>5}{'J':>6}{'cmp':>5}{'res':>5}{'cov':>5}"
_LABEL_WIDTHS = (9, 30)  # of a section, where the terminal is narrow and where it is wide
_COMPLIES = "Complies with"
_VERDICT_WIDTH = len("yes  1000 of 1000")
_LEGEND = (
    "acc, rej: valid texts accepted, invalid ones rejected, in percent · J = acc + rej - 1 · "
    "cmp: components · res: resolution and all other results · cov: answered at all"
)


def render(console: Console, results: Results) -> None:
    """Print the compliance of every implementation, section by section."""
    ran = [participant for participant in results.participants if participant.state == "ran"]
    sections, specs = by_section(results), by_spec(results)
    label = max(_LABEL_WIDTHS[0], min(_LABEL_WIDTHS[1], console.width - len(_FIGURES) - 4))
    for spec, totals in specs.items():
        rows = {section: row for (of, section), row in sections.items() if of == spec}
        titles = {
            asked.case.section: asked.title for asked in results.vectors.values() if asked.case.spec == spec
        }
        for some in _columns(console, ran, label, len(_FIGURES)):
            console.print(_sections(spec, rows, titles, totals, some, label))
            console.print()
    tiers = by_tier(results)
    for (spec, tier), rules in by_rule(results).items():
        titles = {
            rule: f"{max(score.coverage.total for score in row.values())} cases"
            for rule, row in rules.items()
        }
        for some in _columns(console, ran, label, len(_FIGURES)):
            heading = f"{spec} {tier}"
            console.print(_sections(heading, rules, titles, tiers[spec, tier], some, label, "all rules"))
            console.print()
    console.print(Text(_LEGEND, style="dim"))
    console.print()
    width = max((len(_title(participant)) for participant in ran), default=0)
    for some in _columns(console, ran, len(_COMPLIES), max(width, _VERDICT_WIDTH)):
        summary = _summary({**specs, **{f"{spec} {tier}": row for (spec, tier), row in tiers.items()}}, some)
        if summary.row_count:
            console.print(summary)
            console.print()
    for line in _states(results.participants, results.restarts):
        console.print(line)
    if not results.complete:
        console.print(
            Text("The run was cut short: figures are of the cases that were settled.", style="bold red")
        )


def failures(results: Results, implementation: str, limit: int = 10) -> RenderableType:
    """The first failing cases of one implementation: input, requirement, expected, got, how to repeat.

    Their flags are explained once, below them.
    """
    failing = [
        (results.vectors[result.id], result)
        for result in results.of(implementation).values()
        if result.outcome in FAILING and results.vectors[result.id].case.vector.binding == "required"
    ]
    stored = len(failing)
    failing += [
        (example.asked, example.result)
        for example in results.examples
        if example.result.implementation == implementation
    ]
    parts: list[RenderableType] = [_failure(asked, result) for asked, result in failing[:limit]]
    if stored > limit:
        parts.append(Text(f"... and {stored - limit} more; --report html=FILE shows them all\n"))
    counted = sum(tally.failing for tally in results.tallies if tally.implementation == implementation)
    if counted:
        parts.append(Text(f"... {counted} generated cases fail; --report html=FILE counts them by rule\n"))
    seen = {flag for asked, _ in failing[:limit] for flag in asked.case.flags}
    parts += [Text(plain(line), style="dim") for line in explained([flag for flag in FLAGS if flag in seen])]
    return Group(*parts)


def plain(text: str) -> str:
    """A text for a terminal: everything that is no printable character is spelled out."""
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)


def _title(participant: Participant) -> str:
    """The name of an implementation at the head of a column."""
    return plain(participant.name)[: len(_FIGURES)]


def _columns(
    console: Console, ran: Sequence[Participant], first: int, each: int
) -> Iterable[Sequence[Participant]]:
    """As many implementations at a time as fit side by side; all of them where nobody looks at a width."""
    fit = max(1, (console.width - first - 2) // (each + 3)) if console.is_terminal else len(ran)
    for start in range(0, len(ran), max(fit, 1)):
        yield ran[start : start + fit]


def _sections(
    spec: str,
    rows: Mapping[str, Mapping[str, Score]],
    titles: Mapping[str, str],
    totals: Mapping[str, Score],
    ran: Sequence[Participant],
    width: int,
    whole: str = "all sections",
) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(f"RFC {spec.removeprefix('rfc')}", width=width, no_wrap=True, overflow="ellipsis")
    for participant in ran:
        header = Text(f"{_title(participant):^{len(_FIGURES)}}\n{_FIGURES}")
        table.add_column(header, width=len(_FIGURES), no_wrap=True)
    for section, row in rows.items():
        label = Text(plain(f"{section} "), style="bold").append(plain(titles[section]), style="not bold")
        table.add_row(label, *(_figures(row.get(participant.name)) for participant in ran))
    table.add_section()
    all_of_it = (_figures(totals.get(participant.name)) for participant in ran)
    table.add_row(Text(whole, style="bold"), *all_of_it)
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


def _summary(specs: Mapping[str, Mapping[str, Score]], ran: Sequence[Participant]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(_COMPLIES, no_wrap=True)
    for participant in ran:
        table.add_column(_title(participant), no_wrap=True)
    for spec, row in specs.items():
        if not any(score.compliance.total for score in row.values()):
            continue  # nothing that was asked decides on compliance
        cells = []
        for participant in ran:
            score = row.get(participant.name)
            if score is None or not score.compliance.total:
                cells.append(Text("-", style="dim"))
                continue
            rate = score.compliance
            word, style = ("yes", "bold green") if score.complies else ("no ", "red")
            cells.append(Text(word, style=style).append(f"  {rate.passed} of {rate.total}", style="not bold"))
        table.add_row(f"RFC {spec.removeprefix('rfc')}", *cells)
    return table


def _states(participants: Sequence[Participant], restarts: Mapping[str, int]) -> Iterable[Text]:
    for participant in participants:
        line = Text(f"{plain(participant.name)}: ", style="bold")
        if participant.implementation is not None:
            about = participant.implementation
            runtime = f" ({about.runtime})" if about.runtime else ""
            line.append(plain(f"{about.name} {about.version}{runtime}"), style="not bold")
        else:
            line.append(plain(f"{participant.state}: {participant.message}"), style="not bold yellow")
        yield line
        times = restarts.get(participant.name, 0)
        if times:
            what = f"  had to be started again {times} times: it ended, hung or wrote what is no reply"
            yield Text(what, style="yellow")


def _failure(asked: AskedVector, result: Result) -> Text:
    vector, requirement = asked.case.vector, asked.requirement
    title = f"RFC {asked.case.spec.removeprefix('rfc')} section {asked.case.section}"
    asked_for = "  ".join(f"{name} {value}" for name, value in asked_in_words(vector))
    text = Text(f"{plain(vector.id)}\n", style="bold")
    lines = (
        f"  {vector.op}  {asked_for}",
        f"  {title}: {requirement.statement}",
        f"  expected {expectation(vector.expect)}",
        f"  {result.outcome}: {result.detail}" if result.detail else f"  {result.outcome}",
        *([f"  flags {', '.join(asked.case.flags)}"] if asked.case.flags else []),
        f"  urlconform repro {vector.id} -a {shlex.quote(result.implementation)}",
    )
    for line in lines:
        text.append(f"{plain(line)}\n", style="not bold")
    return text
