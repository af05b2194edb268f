"""The first failing cases of an implementation, for a terminal: first those of the RFCs that it claims."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from urlharness.flags import FLAGS, explained
from urlharness.report.failing import Failure, claims
from urlharness.report.failing import failures as stored
from urlharness.report.texts import clipped, counted, logged, place, plain, rfc
from urlharness.results import Participant, Results
from urlharness.words import asked as asked_in_words

_LONGEST = 2000  # characters of a text of an adapter


def failures(results: Results, implementation: str, limit: int = 10) -> RenderableType:
    """The first failing cases of one implementation: input, requirement, expected, got, how to repeat.

    Those of the RFCs that it claims come first.  Flags are explained once, below the cases.  Print it with
    `soft_wrap`: no line of it is broken.
    """
    found = _Found(limit)
    for participant in results.participants:
        if participant.name == implementation:
            found.look(results, participant)
    shown = found.claimed + found.others[: limit - len(found.claimed)]
    parts: list[RenderableType] = [
        _failure(one, claimed=number < len(found.claimed)) for number, one in enumerate(shown)
    ]
    parts += [Text(f"... and {line}\n") for line in found.more(shown)]
    generated = sum(tally.failing for tally in results.tallies if tally.implementation == implementation)
    if generated:
        cases = counted(generated, "generated case fails", "generated cases fail")
        parts.append(Text(f"... {cases}; --report html=FILE counts them by rule\n"))
    seen = {flag for one in shown for flag in one.asked.case.flags}
    parts += [Text(plain(line), style="dim") for line in explained([flag for flag in FLAGS if flag in seen])]
    return Group(*parts)


class _Found:
    """The first failing cases of RFCs that are claimed and of others, and how many there are in the file."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.claimed: list[Failure] = []
        self.others: list[Failure] = []
        self._counts = {True: 0, False: 0}
        self._unclaimed: dict[str, None] = {}

    def look(self, results: Results, participant: Participant) -> None:
        """Take the cases of an implementation: stored ones, then the examples of generated ones."""
        for one in stored(results, participant):
            self._counts[self._add(participant, one)] += 1
        for example in results.examples:
            if example.result.implementation == participant.name:
                self._add(participant, Failure(example.asked, example.result, results))

    def _add(self, participant: Participant, one: Failure) -> bool:
        spec = one.asked.case.spec
        claimed = claims(participant, spec)
        if not claimed:
            self._unclaimed[spec] = None
        some = self.claimed if claimed else self.others
        if len(some) < self._limit:
            some.append(one)
        return claimed

    def more(self, shown: list[Failure]) -> Iterator[str]:
        """A line on the stored cases that are not shown; none where all are."""
        stored_cases = self._counts[True] + self._counts[False]
        left = stored_cases - min(stored_cases, len(shown))
        if not left:
            return
        others = min(left, self._counts[False])
        specs = ", ".join(map(rfc, self._unclaimed))
        of = f" ({others:,} of {specs}, which it does not claim)" if others else ""
        yield f"{left:,} more{of}; --report html=FILE shows them all"


def _failure(one: Failure, *, claimed: bool) -> Text:
    case, requirement = one.asked.case, one.asked.requirement
    vector, outcome = case.vector, one.result.outcome
    asked_for = "  ".join(f"{name} {value}" for name, value in asked_in_words(vector))
    where = f"{rfc(case.spec)} {place(case.section, one.asked.title)}{'' if claimed else ' (not claimed)'}"
    text = Text(f"{logged(vector.id)}\n", style="bold")
    lines = (
        f"  {vector.op}  {asked_for}",
        f"  {where}: {requirement.statement}",
        f"  expected {one.expected}",
        f"  {outcome}: {one.why}" if one.result.detail or one.wrote else f"  {outcome}",
        *([f"  flags {', '.join(case.flags)}"] if case.flags else []),
        f"  {one.command}",
    )
    for line in lines:
        text.append(f"{logged(clipped(line, _LONGEST))}\n", style="not bold")
    return text
