"""The reasons of a gate as lines: how many vectors, the first of them, and the commands that go on."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from urlharness.cli.options import Chosen, Terms
from urlharness.exitcodes import Exit
from urlharness.judgement import Group, Judgement
from urlharness.levels import LEVELS
from urlharness.report.texts import logged

#: So many ids of a group are printed.
_FIRST = 5

_ACCEPT = "urlconform baseline"


def lines(
    judgement: Judgement,
    baseline: Path | None,
    options: Sequence[str],
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
    command = _command(judgement, baseline, options) if judgement.groups else ""
    if command:
        found.append(f"  {'remove them' if judgement.code == Exit.STALE else 'accept'}: {command}")
    return [logged(line) for line in found]


def _group(group: Group, why: Callable[[str], str]) -> str:
    first = [f"{one} ({why(one)})" if group.what == "unknown id" else one for one in group.ids[:_FIRST]]
    more = group.count - len(first)
    return f"{group.what}: {', '.join(first)}" + (f" and {more} more" if more and first else "")


def _command(judgement: Judgement, baseline: Path | None, options: Sequence[str]) -> str:
    """The command after which the gate passes; none where an adapter died."""
    match judgement.code:
        case Exit.STALE:
            words = ["update", str(baseline), judgement.name, *options, "--only-shrink"]
        case Exit.FAILED if baseline is not None:
            words = ["update", str(baseline), judgement.name, *options]
        case Exit.FAILED:
            words = ["create", judgement.name, *options, "-o", "baseline.json"]
            return f"{_ACCEPT} {shlex.join(words)}, then --baseline baseline.json"
        case _:
            return ""
    return f"{_ACCEPT} {shlex.join(words)}"


def given(chosen: Chosen, terms: Terms) -> list[str]:
    """The options of a run that decide what is asked and what fails, as words of a command."""
    selection = chosen.selection
    pairs = [
        *(("--spec", spec) for spec in selection.specs),
        *(("--section", section) for section in selection.sections),
        *(("--rule", rule) for rule in selection.rules),
        *(("--flag", flag) for flag in selection.flags),
        *(("-k", word) for word in selection.words),
        *(("--tier", tier) for tier in chosen.tiers if chosen.tiers != ("core",)),
        *((("--vectors", str(chosen.vectors)),) if chosen.vectors is not None else ()),
        *(("--policy", f"{key}={value}") for key, value in terms.settings),
        *(("--fail-on", level) for level in terms.levels if set(terms.levels) != set(LEVELS)),
    ]
    return [word for pair in pairs for word in pair] + ["--strict"] * terms.strict
