"""Columns of a table on a terminal: how many stand side by side, and what is at their heads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console

from urlharness.report.texts import names
from urlharness.results import Participant

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
