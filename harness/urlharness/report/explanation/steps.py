"""The page on a resolution: for each RFC the steps of its algorithm, the target, and what else it admits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.text import Text

from urlharness.report.explanation.gathering import Change, Explained, buffers
from urlharness.report.explanation.layout import Page, titles
from urlharness.report.terminal import plain
from urloracle.answers import Resolution

_ABSENT = re.compile(r"(?:, )?\b\w+ \(absent\)")

#: What a step of RFC 3986, section 5.2.4, does, where it takes no segment from the output.
_MOVES = {
    "2A": "drops a dot segment at the start",
    "2B": "drops `.`",
    "2C": "drops `..`: there is nothing left to remove",
    "2D": "drops the dot segment that is left",
    "2E": "moves",
}


def show_resolution(page: Page, explained: Explained) -> None:
    """Print base, reference, and the steps of each RFC; RFCs with the same steps stand together."""
    base, reference = plain(explained.base or "") or '""', plain(explained.text) or '""'
    page.columns(
        [[Text("base", style="dim"), Text(base, style="bold")],
         [Text("reference", style="dim"), Text(reference, style="bold")]]
    )  # fmt: skip
    for spec in explained.silent:
        page.line()
        page.line(f"{titles([spec])} does not define relative references.", "dim")
    groups: list[list[str]] = []
    for spec, answer in explained.answers.items():
        told = explained.targets.get(spec), answer.steps
        last = groups[-1][0] if groups else None
        same = last and told == (explained.targets.get(last), explained.answers[last].steps)
        if same and told[0] is not None:
            groups[-1].append(spec)
        else:
            groups.append([spec])
    for group in groups:
        if group[0] in explained.targets:
            _show(page, group, explained.changes(group[0]), explained.targets[group[0]])


def _show(page: Page, group: Sequence[str], steps: Sequence[Change], target: Resolution) -> None:
    page.heading(titles(group))
    rows = [_row(change, before) for change, before in zip(steps, [None, *steps], strict=False)]
    if page.fits(list(zip(*rows, strict=True)), 2):
        page.columns(rows, "  ")
    else:
        for label, what, value in rows:
            page.paragraph(what.plain, "  ", label.plain)
            if value.plain:
                page.line(Text("     ").append_text(value))
    page.line(Text().append("  target  ", "dim").append(plain(target.text) or '""', "bold green"))
    if target.same_document:
        page.line(Text().append("          the current document  (R-2396-06)", "dim"))
    for other in target.also:
        shown = "a refusal" if other.text is None else plain(other.text) or '""'
        why = f"  ({other.variant}, {other.ruling})"
        page.line(Text().append("  or      ", "dim").append(shown).append(why, "dim"))


def _row(change: Change, before: Change | None) -> list[Text]:
    step = change.step
    state = buffers(step)
    if state is None:
        what, value = step.what, _ABSENT.sub("", step.value).removeprefix(", ")
        if change.removed:
            what = f"{what}: {'/'.join(change.removed)}"
        if step.label == "5.2.4":
            value = f"{value}  (output | input)"
        return [Text(step.label), Text(plain(what)), Text(plain(value), style="green")]
    label = step.label.strip()
    what = _MOVES[label]
    if label == "2E":
        earlier = buffers(before.step) if before else None
        moved = state[0][len(earlier[0]) if earlier else 0 :]
        what = f"moves {moved} to the output"
    elif change.removed and change.removed != ("..",):
        what = f"removes {change.removed[0]} from the output, with the `..`"
    value = f"{state[0] or '·'} | {state[1] or '·'}"
    return [Text(f"  {label}"), Text(plain(what)), Text(plain(value), style="green")]
