"""Who complies, on a terminal: a row for each RFC and generated tier, a column for each implementation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from urlharness.report.columns import GAP, columns, heads_of, widest_of
from urlharness.report.extent import Place
from urlharness.report.stacked import stack
from urlharness.report.texts import logged, rfc
from urlharness.results import Participant
from urlharness.scores import Score

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
