"""The reasons of a gate as lines: how many vectors, the first of them, and the commands that go on."""

from __future__ import annotations

from collections.abc import Callable

from urlharness.cli.lists import Lists
from urlharness.cli.repeated import Repeated
from urlharness.exitcodes import Exit
from urlharness.judgement import Group, Judgement
from urlharness.report.texts import counted, logged

#: So many ids of a group are printed.
_FIRST = 5


def lines(
    judgement: Judgement,
    lists: Lists,
    options: Repeated,
    why: Callable[[str], str],
    again: Callable[[str, str], str],
) -> list[str]:
    """What is printed of a judgement, safe for a terminal.

    `lists` has the file that was judged by, `options` what the run was given, `why` tells why an id is
    not known, and `again` the line that puts the case of an id to an adapter.
    """
    if not judgement.reason:
        return []
    baseline = lists.files.get(judgement.name)
    where = f" ({baseline})" if baseline is not None else ""
    found = [f"urlconform: {judgement.reason}{where}"]
    found += [f"  {_group(group, why)}" for group in judgement.groups]
    if judgement.shown:
        found.append(f"  see one: {again(judgement.shown, judgement.name)}")
    settled = judgement.groups and judgement.listable
    command = _command(judgement, lists, options) if settled else ""
    if command:
        found.append(f"  {'remove them' if judgement.code == Exit.STALE else 'accept'}: {command}")
    return [logged(line) for line in found]


def _group(group: Group, why: Callable[[str], str]) -> str:
    if not group.ids:  # of generated cases, some are kept of those alone that are wrong
        return f"{group.what}: {counted(group.count, 'generated case')}"
    first = [f"{one} ({why(one)})" if group.what == "unknown id" else one for one in group.ids[:_FIRST]]
    more = group.count - len(first)
    return f"{group.what}: {', '.join(first)}" + (f" and {more} more" if more else "")


def _command(judgement: Judgement, lists: Lists, options: Repeated) -> str:
    """The command after which the gate passes; none where nobody can tell, or in a survey, without a list."""
    (words, place), name, then = options, judgement.name, ""
    baseline = lists.files.get(name)
    match judgement.code:
        case Exit.STALE if baseline is not None:
            words = ["update", place.seen(baseline), name, *words, "--only-shrink"]
        case Exit.FAILED if baseline is not None:
            words = ["update", place.seen(baseline), name, *words]
        case Exit.FAILED if name in lists.names:
            new = lists.new(name)
            words = ["create", name, *words, "-o", place.seen(new)]
            then = f", then {lists.options(name, new)}"
        case _:
            return ""
    return place.line(["urlconform", "baseline", *words]) + then
