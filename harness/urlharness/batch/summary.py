"""What `urlconform check` tells of a run: counts, and an example for each reason."""

from __future__ import annotations

from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

from urlharness.batch.checking import Example, Tally
from urlharness.batch.reasons import Reason
from urlharness.report.terminal import plain

_SHOWN = 10  # reasons; all of them are in the JSON
_MANY = 10_000  # rows: of fewer a rate says nothing
_WIDEST = 100  # columns, on whatever a line may be as long as


class Run(NamedTuple):
    """Files judged by a rule of an RFC: what was counted, and how long it took."""

    title: str
    rule: str
    files: tuple[str, ...]
    tally: Tally
    seconds: float


def render(console: Console, run: Run) -> None:
    """Print the counts and the commonest reasons, each with its first example."""
    tally = run.tally
    files = ", ".join("stdin" if name == "-" else plain(name) for name in run.files[:3])
    more = f" and {len(run.files) - 3} more" if len(run.files) > 3 else ""
    console.print(Text(f"{files}{more}: {run.rule} of {run.title}", style="bold"), soft_wrap=True)
    console.print()
    if not tally.rows:
        console.print(Text("  nothing to judge", style="yellow"))
        return
    width = max(len(f"{tally.rows:,}"), 9)
    for name, count, style in (
        ("valid", tally.valid, "green"),
        ("invalid", tally.invalid, "red"),
        ("null", tally.null, "yellow"),
    ):
        line = Text(f"  {name:8}{count:>{width},}", style=style if count else "dim")
        if count:
            line.append(f"  {_percent(count, tally.rows)}", style="not bold dim")
        console.print(line)
    taken = f"{run.seconds:.3g} s"
    if tally.rows >= _MANY:
        taken += f", {_number(tally.rows / max(run.seconds, 1e-9))} a second"
    console.print(Text(f"  {'in all':8}{tally.rows:>{width},}").append(f"   {taken}", style="dim"))
    reasons = tally.commonest()
    for reason, count in reasons[:_SHOWN]:
        console.print()
        _reason(console, reason, count, tally)
    if len(reasons) > _SHOWN:
        left = sum(count for _, count in reasons[_SHOWN:])
        what = f"  {left:,} more for {len(reasons) - _SHOWN} other reasons; --json has them all"
        console.print()
        console.print(Text(what, style="dim"))


def as_dict(run: Run) -> dict[str, Any]:
    """The same for a program, all reasons in it; an example's `at` is its offset, `row` counts from 1."""
    tally = run.tally
    reasons = [
        {
            "count": count,
            "section": reason.section,
            "rule": reason.rule,
            "what": reason.what,
            "example": _example(tally.examples[reason]),
        }
        for reason, count in tally.commonest()
    ]
    return {
        "spec": run.title,
        "rule": run.rule,
        "files": list(run.files),
        "valid": tally.valid,
        "invalid": tally.invalid,
        "null": tally.null,
        "seconds": round(run.seconds, 3),
        "reasons": reasons,
    }


def _example(example: Example) -> dict[str, Any]:
    problem = example.problem
    return {
        "file": example.file,
        "row": example.row,
        "text": problem.text,
        "at": problem.position,
        "message": problem.problem,
    }


def _reason(console: Console, reason: Reason, count: int, tally: Tally) -> None:
    example = tally.examples[reason]
    title = Text(f"{count:>9,}  ", style="bold red").append(plain(reason.what), style="bold default")
    where = f" (section {reason.section})" if reason.section else ""
    title.append(f"  in {reason.rule}{where}", style="not bold default")
    title.append(f"  {plain(example.file)}:{example.row}", style="not bold dim")
    console.print(title, soft_wrap=True)
    text, caret = _caret(example, min(console.width, _WIDEST) - 16)
    console.print(Text(f"{'':11}{text}"), soft_wrap=True)
    console.print(Text(f"{'':11}{caret}", style="red"), soft_wrap=True)


def _caret(example: Example, width: int) -> tuple[str, str]:
    """The text, cut to a width around the place where it goes wrong, and a caret below that."""
    text, place = example.problem.text, example.problem.position
    start = 0 if len(text) <= width else max(0, place - width * 2 // 3)
    lead = "…" if start else ""
    before = lead + plain(text[start:place])
    behind = plain(text[place : place + width])
    room = max(width - len(before), 8)
    tail = "…" if len(behind) > room or place + width < len(text) else ""
    return before + behind[:room] + tail, " " * len(before) + "^"


def _percent(count: int, total: int) -> str:
    """A share in percent; what is not all is never 100, and what is something never 0."""
    share = 100 * count / total
    if 0 < share < 0.1:
        return "< 0.1 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:5.1f} %"


def _number(value: float) -> str:
    """A rate with three digits."""
    for limit, unit in ((1e6, " million"), (1e3, " thousand")):
        if value >= limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.0f}"
