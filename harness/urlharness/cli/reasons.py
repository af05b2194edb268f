"""The reasons of a gate as lines: how many vectors, the first of them, and the commands that go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from urlharness.cli.repeated import Repeated
from urlharness.exitcodes import Exit
from urlharness.judgement import Group, Judgement
from urlharness.report.texts import logged

#: So many ids of a group are printed.
_FIRST = 5

#: A list that there is not yet.
_NEW = "baseline.json"


def lines(
    judgement: Judgement,
    baseline: Path | None,
    options: Repeated,
    why: Callable[[str], str],
    again: Callable[[str, str], str],
) -> list[str]:
    """What is printed of a judgement, safe for a terminal.

    `baseline` is the file that was judged by, `options` what the run was given, `why` tells why an id is
    not known, and `again` the line that puts the case of an id to an adapter.
    """
    if not judgement.reason:
        return []
    where = f" ({baseline})" if baseline is not None else ""
    found = [f"urlconform: {judgement.reason}{where}"]
    found += [f"  {_group(group, why)}" for group in judgement.groups]
    if judgement.shown:
        found.append(f"  see one: {again(judgement.shown, judgement.name)}")
    settled = judgement.groups and judgement.listable
    command = _command(judgement, baseline, options) if settled else ""
    if command:
        found.append(f"  {'remove them' if judgement.code == Exit.STALE else 'accept'}: {command}")
    return [logged(line) for line in found]


def _group(group: Group, why: Callable[[str], str]) -> str:
    first = [f"{one} ({why(one)})" if group.what == "unknown id" else one for one in group.ids[:_FIRST]]
    more = group.count - len(first)
    return f"{group.what}: {', '.join(first)}" + (f" and {more} more" if more and first else "")


def _command(judgement: Judgement, baseline: Path | None, options: Repeated) -> str:
    """The command after which the gate passes; none where nobody can tell."""
    words, place = options
    match judgement.code:
        case Exit.STALE if baseline is not None:
            words = ["update", place.seen(baseline), judgement.name, *words, "--only-shrink"]
        case Exit.FAILED if baseline is not None:
            words = ["update", place.seen(baseline), judgement.name, *words]
        case Exit.FAILED:
            words = ["create", judgement.name, *words, "-o", place.seen(_NEW)]
        case _:
            return ""
    line = place.line(["urlconform", "baseline", *words])
    return line if baseline is not None else f"{line}, then --baseline {_NEW}"
