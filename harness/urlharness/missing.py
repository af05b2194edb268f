"""What the results of a run that was cut do not have: how it ended, and which cases were not settled."""

from __future__ import annotations

from collections.abc import Iterator

from urlharness.report.texts import plain
from urlharness.results import Participant, Results


def missing(results: Results) -> list[str]:
    """A sentence for each thing that is missing; empty where the run came to its end."""
    if results.complete:
        return []
    ends = []
    if results.torn:
        ends.append(f"The file ends in the middle of line {results.torn:,}.")
    elif not results.interrupted:
        ends.append("The file has no footer: the run was killed, or is still going on.")
    if not results.participants:
        return [*ends, "No adapter was asked, and there may be more vectors than the file has."]
    for participant in results.participants:
        ends += _unsettled(results, participant)
    return [*ends, "Adapters that were still to be asked are not in the file."]


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
    counted = {tally.part for tally in tallies if tally.digest}
    parts = [part for part in results.header.tiers if part not in counted]
    if parts:
        some = ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
        yield f"{name}: generated parts that were not counted to their end: {some}."
