"""Tables of scores and the first failures on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from urlharness.corpus.describe import describe_inputs
from urlharness.corpus.model import FLAGS, explain_flags
from urlharness.protocol.messages import Implementation
from urlharness.report.failures import Failure, claims, generated_failures, stored_failures
from urlharness.results.coverage import Place, caveats, partial
from urlharness.results.model import Participant, Results
from urlharness.results.scores import MINUS, Mean, Rate, Score, by_rule, by_section, by_spec, by_tier, youden
from urlharness.text import clipped, counted, logged, plain, rfc, section_label, section_place, short_names

#: The figures of a row and the width of their columns.
_WIDTHS = {"acc": 5, "rej": 5, "J": 6, "cmp": 5, "res": 5, "cov": 5}
_FIGURES = "".join(f"{name:>{width}}" for name, width in _WIDTHS.items())

_GAP = 3  # between two columns of a table
_LEAST_LABEL, _USUAL_LABEL = 6, 30  # widths of the first column
_VERDICT_WIDTH = len("so far  1000 of 1000")

_LEGEND = (
    "acc, rej: valid texts accepted, invalid ones rejected, in percent",
    "J = acc + rej - 1",
    "cmp: components",
    "res: resolution and all other results",
    "cov: answered, right or wrong",
)
_OWN = "a section counts its own vectors, without subsections"

#: The scores of a section, a rule, an RFC or a tier, by implementation.
_Row = Mapping[str, Score]


class _Scores(NamedTuple):
    """The contents of one table: name, title and scores by implementation of each row."""

    heading: str
    rows: Sequence[tuple[str, str, _Row]]
    totals: _Row
    total_label: str


def print_tables(console: Console, results: Results) -> None:
    """Print the scores of every section, the compliance with every RFC, and the state of every adapter."""
    ran = [participant for participant in results.participants if participant.state == "ran"]
    specs, tiers = by_spec(results), by_tier(results)
    tables = list(_tables(results, specs, tiers))
    labels = (_label(name, title) for table in tables for name, title, _ in table.rows)
    longest = max(map(len, labels), default=0)
    first = _label_width(console, longest, len(ran))
    room = len(_FIGURES) if console.is_terminal else max(len(_FIGURES), console.width - first - _GAP)
    heads = _heads(console, ran, room)
    each = max([len(_FIGURES), *map(len, heads.values())])
    for table in tables:
        for shown in _side_by_side(console, heads, first, each):
            console.print(_score_table(console, table, shown, first))
            console.print()
    if ran and tables:
        legend = (*_LEGEND, _OWN) if specs else _LEGEND
        console.print(Text((" | " if console.options.ascii_only else " · ").join(legend), style="dim"))
        console.print()
    rows = {**{(spec, ""): row for spec, row in specs.items()}, **tiers}
    _print_compliance(console, rows, ran, frozenset(rows if not results.complete else partial(results)))
    for line in _states(results.participants, results.restarts):
        console.print(line, soft_wrap=not console.is_terminal)
    for caveat in caveats(results):
        style = "yellow" if results.complete else "bold red"
        console.print(Text(_safe(caveat), style=style), soft_wrap=not console.is_terminal)


def first_failures(results: Results, implementation: str, limit: int = 10) -> RenderableType:
    """Return the first failing cases of an implementation; cases of RFCs that it claims come first.

    Print the result with `soft_wrap`, otherwise long lines are broken.
    """
    participant = next(one for one in results.participants if one.name == implementation)
    stored = list(stored_failures(results, participant))
    kept = generated_failures(results).items()
    generated = (one for (name, _), own in kept if name == implementation for one in own)

    def is_claimed(one: Failure) -> bool:
        return claims(participant, one.asked.case.spec)

    shown = sorted([*stored, *generated], key=is_claimed, reverse=True)[:limit]
    parts: list[RenderableType] = [_failure(one, claimed=is_claimed(one)) for one in shown]
    if left := max(0, len(stored) - len(shown)):
        unclaimed = [one.asked.case.spec for one in stored if not is_claimed(one)]
        rest = min(left, len(unclaimed))
        specs = ", ".join(map(rfc, dict.fromkeys(unclaimed)))
        which = f" ({rest:,} of {specs}, which it does not claim)" if rest else ""
        parts.append(Text(f"... and {left:,} more{which}; --report html=FILE shows them all\n"))
    count = sum(tally.failing for tally in results.tallies if tally.implementation == implementation)
    if count:
        cases = counted(count, "generated case fails", "generated cases fail")
        parts.append(Text(f"... {cases}; --report html=FILE counts them by rule\n"))
    seen = {flag for one in shown for flag in one.asked.case.flags}
    legend = explain_flags([flag for flag in FLAGS if flag in seen])
    return Group(*parts, *(Text(plain(line), style="dim") for line in legend))


def _failure(one: Failure, *, claimed: bool) -> Text:
    case, requirement = one.asked.case, one.asked.requirement
    vector, outcome = case.vector, one.result.outcome
    inputs = "  ".join(f"{name} {value}" for name, value in describe_inputs(vector))
    where = f"{rfc(case.spec)} {section_place(case.section, one.asked.title)}"
    text = Text(f"{logged(vector.id)}\n", style="bold")
    lines = (
        f"  {vector.op}  {inputs}",
        f"  {where}{'' if claimed else ' (not claimed)'}: {requirement.statement}",
        f"  expected {one.expected}",
        f"  {outcome}: {one.why}" if one.result.detail or one.wrote else f"  {outcome}",
        *([f"  flags {', '.join(case.flags)}"] if case.flags else []),
        f"  {one.command}",
    )
    for line in lines:
        text.append(f"{_safe(line)}\n", style="not bold")
    return text


def _tables(results: Results, specs: Mapping[str, _Row], tiers: Mapping[Place, _Row]) -> Iterator[_Scores]:
    sections = by_section(results)
    for spec, totals in specs.items():
        own = ((name, row) for (of, name), row in sections.items() if of == spec)
        rows = [(*section_label(name, results.titles[spec, name]), row) for name, row in own]
        yield _Scores(rfc(spec), rows, totals, "all sections")
    for (spec, tier), rules in by_rule(results).items():
        sizes = {rule: max(score.coverage.total for score in row.values()) for rule, row in rules.items()}
        rows = [(rule, counted(sizes[rule], "case"), row) for rule, row in rules.items()]
        yield _Scores(logged(f"{rfc(spec)}, tier {tier}"), rows, tiers[spec, tier], "all rules")


def _label(name: str, title: str) -> str:
    return logged(f"{name} {title}".rstrip())


def _label_width(console: Console, longest: int, implementations: int) -> int:
    """Return the width of the first column: in a pipe, enough for every label; otherwise, what remains."""
    if not console.is_terminal:
        return max(longest, _USUAL_LABEL)
    column = len(_FIGURES) + _GAP
    beside = max(1, min(implementations, (console.width - _USUAL_LABEL) // column))
    return max(_LEAST_LABEL, min(longest, console.width - beside * column))


def _heads(console: Console, ran: Sequence[Participant], room: int) -> Mapping[str, str]:
    """Return the head of each implementation's column, shortened to `room` characters."""
    return short_names((one.name for one in ran), room, "..." if console.options.ascii_only else "…")


def _side_by_side(
    console: Console, heads: Mapping[str, str], first: int, each: int
) -> Iterator[Mapping[str, str]]:
    """Split the columns into groups that fit beside a first column of width `first`."""
    fit = max(1, (console.width - first) // (each + _GAP))
    columns = list(heads.items())
    for start in range(0, len(columns), fit):
        yield dict(columns[start : start + fit])


def _score_table(console: Console, scores: _Scores, heads: Mapping[str, str], width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    overflow = "crop" if console.options.ascii_only else "ellipsis"  # an ASCII ellipsis has three characters
    table.add_column(scores.heading, width=width, no_wrap=True, overflow=overflow)  # type: ignore[arg-type]
    for head in heads.values():
        header = Text(f"{head:^{len(_FIGURES)}}\n{_FIGURES}")
        table.add_column(header, width=max(len(head), len(_FIGURES)), no_wrap=True)
    for label, title, row in scores.rows:
        text = Text(_label(label, title), style="not bold")
        text.stylize("bold", 0, len(logged(label)))
        table.add_row(text, *(_figures(row.get(name), console) for name in heads))
    table.add_section()
    totals = (_figures(scores.totals.get(name), console) for name in heads)
    table.add_row(Text(scores.total_label, style="bold"), *totals)
    return table


def _figures(score: Score | None, console: Console) -> Text:
    """Return the figures of one row, or an empty text if the implementation was not asked."""
    line = Text()
    if score is None:
        return line
    found = {
        "acc": _percent(score.accepted),
        "rej": _percent(score.rejected),
        "J": None if score.j is None else _graded(youden(score).replace(MINUS, "-"), score.j),
        "cmp": _percent(score.components),
        "res": _percent(score.results),
        "cov": _percent(score.coverage),
    }
    nothing = Text("." if console.options.ascii_only else "·", style="dim")
    for name, width in _WIDTHS.items():
        text = found[name] or nothing
        line.append(" " * (width - len(text))).append_text(text)
    return line


def _percent(rate: Rate | Mean) -> Text | None:
    percent = rate.floor(100)
    return None if percent is None else _graded(str(percent), percent / 100)


def _graded(text: str, value: float) -> Text:
    return Text(text, style="green" if value == 1 else "yellow" if value >= 0.5 else "red")


def _print_compliance(
    console: Console, rows: Mapping[Place, _Row], ran: Sequence[Participant], in_part: frozenset[Place]
) -> None:
    """Print which implementations comply with each RFC and tier that has cases that decide on it."""
    verdicts = {
        logged(f"{rfc(where[0])} {where[1]}".rstrip()): {
            one.name: _verdict(row.get(one.name), whole=where not in in_part) for one in ran
        }
        for where, row in rows.items()
        if any(score.compliance.total for score in row.values())
    }
    if not verdicts:
        return
    title = "Complies with"
    first = max(map(len, (title, *verdicts)))
    widest = max((len(verdict) for row in verdicts.values() for verdict in row.values()), default=0)
    room = console.width - first - _GAP
    heads = _heads(console, ran, max(widest, min(room, len(_FIGURES)) if console.is_terminal else room))
    each = max([widest, _VERDICT_WIDTH, *map(len, heads.values())])
    for shown in _side_by_side(console, heads, first, each):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
        for head in (title, *shown.values()):
            table.add_column(head, no_wrap=True)
        for label, row in verdicts.items():
            table.add_row(label, *(row[name] for name in shown))
        console.print(table)
        console.print()


def _verdict(score: Score | None, *, whole: bool) -> Text:
    """Say whether an implementation complies; unless the RFC or tier was asked in full, "so far" at most."""
    if score is None or not score.compliance.total:
        return Text("-", style="dim")
    rate = score.compliance
    yes = ("yes", "bold green") if whole else ("so far", "yellow")
    word, style = yes if score.complies else ("no ", "red")
    return Text(word, style=style).append(f"  {rate.passed} of {rate.total}", style="not bold")


def _states(participants: Sequence[Participant], restarts: Mapping[str, int]) -> Iterable[Text]:
    for participant in participants:
        line = Text(logged(participant.name), style="bold")
        if participant.implementation is None:
            state = _safe(f"{participant.status}: {participant.message}")
            line.append(": ").append(state, style="not bold yellow")
        elif identity := _identity(participant.name, participant.implementation):
            line.append(": ").append(_safe(identity), style="not bold")
        yield line
        if times := restarts.get(participant.name, 0):
            again = f"  had to be started again {counted(times, 'time')}"
            yield Text(f"{again}: it ended, timed out or sent an invalid reply", style="yellow")


def _identity(name: str, about: Implementation) -> str:
    """Return the library, version and runtime of an adapter, or an empty string if they add nothing."""
    runtime = f" ({about.runtime})" if about.runtime else ""
    if about.version != "unknown":
        return f"{about.name} {about.version}{runtime}"
    return runtime.strip() if f":{name}".endswith(f":{about.name}") else f"{about.name}{runtime}"


def _safe(text: str) -> str:
    return logged(clipped(text, 2000))
