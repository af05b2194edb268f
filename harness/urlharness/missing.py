"""What the results of a run that was cut do not have: how it ended, and which cases were not settled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from urlharness.report.texts import counted, plain
from urlharness.results import Participant, Results

#: Outcomes after which an adapter is started again.
_ENDS = frozenset(("crash", "timeout", "garbage", "no-answer"))


def missing(results: Results) -> list[str]:
    """A sentence for each thing that is missing; empty where the run came to its end."""
    if results.complete:
        return []
    ends = []
    if results.torn:
        ends.append(f"The file ends in the middle of line {results.torn:,}.")
    elif not (results.interrupted or results.stopped):
        ends.append("The file has no footer: the run was killed, or is still going on.")
    ends += [f"{stop(results, name)}." for name in results.stopped]
    if not results.participants:
        return [*ends, "No adapter was asked, and there may be more vectors than the file has."]
    for participant in results.participants:
        ends += _unsettled(results, participant)
    if results.stopped and not results.interrupted:
        return ends
    return [*ends, "Adapters that were still to be asked may be missing."]


def stop(results: Results, name: str) -> str:
    """Where `--maxfail` stopped an adapter, in a sentence without its end; empty where it did not."""
    failures = results.stopped.get(name)
    if failures is None:
        return ""
    settled = sum(results.counted.get(name, {}).values())
    settled += sum(sum(one.outcomes.values()) for one in results.tallies if one.implementation == name)
    return f"{plain(name)}: stopped at {counted(failures, 'failure')}, after {counted(settled, 'case')}"


def given_up(results: Results, name: str) -> str:
    """Why an adapter was asked no more, in a clause, where cases of it were aborted; otherwise empty."""
    outcomes = {outcome for _, outcome in results.counted.get(name, {})}
    for tally in results.tallies:
        if tally.implementation == name:
            outcomes |= tally.outcomes.keys()
    if "aborted" not in outcomes:
        return ""
    kept = (one.result for one in results.examples if one.result.implementation == name)
    reasons = (one.detail for one in chain(results.of(name).values(), kept) if one.outcome == "aborted")
    return next(filter(None, reasons), "it was asked no more")


def last_straw(results: Results, name: str) -> str:
    """The id of the last case that ended the adapter before it was given up; empty where there is none."""
    last = ""
    for one in results.of(name).values():
        if one.outcome == "aborted":
            return last
        if one.outcome in _ENDS:
            last = one.id
    return ""


def _unsettled(results: Results, participant: Participant) -> Iterator[str]:
    """Of one adapter that was asked, what was not settled."""
    if participant.state != "ran":
        return
    name = plain(participant.name)
    asked = sum(results.asked.values())
    settled = sum(results.counted.get(participant.name, {}).values())
    if settled < asked:
        yield f"{name}: {settled:,} of {asked:,} vectors were settled."
    tallies = [tally for tally in results.tallies if tally.implementation == participant.name]
    whole = {tally.part for tally in tallies if tally.digest}
    parts = [part for part in results.header.tiers if part not in whole]
    if parts:
        some = ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
        yield f"{name}: generated parts that were not counted to their end: {some}."
