"""The outcome of a run in one line: what a reader who reads no more has to know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from urlharness.exitcodes import Exit
from urlharness.gate import code_of
from urlharness.judgement import Judgement
from urlharness.report.failing import failing
from urlharness.report.texts import counted
from urlharness.results import Results


class Headline(NamedTuple):
    """Whether all is well, the one implementation that the line speaks of (empty for several), the line."""

    well: bool
    name: str
    text: str


def headline(results: Results, judgements: Sequence[Judgement] = ()) -> Headline:
    """What came out: as the gate judged, and without a gate which implementations fail required cases.

    Of half a run nothing came out, but where `--maxfail` stopped it there are failures to tell of.
    """
    if not results.complete and not results.stopped:
        how = "interrupted" if results.interrupted else "cut short"
        return Headline(False, _only(results), f"the run was {how}, and nothing was decided")
    if not judgements:
        return _unjudged(results)
    well = code_of(judgements) == Exit.PASSED and results.complete
    if len(judgements) < len(results.participants):  # a survey, of which only the reference is judged
        well_or_not = "passes" if judgements[0].code == Exit.PASSED else "does not pass"
        return Headline(well, judgements[0].name, f"{well_or_not}; of all {_unjudged(results).text}")
    if len(judgements) == 1:
        (one,) = judgements
        return Headline(well, one.name, reason(one) or "the gate is passed")
    failed = sum(one.code != Exit.PASSED for one in judgements)
    if not failed:
        return Headline(well, "", f"all {len(judgements)} implementations pass the gate")
    return Headline(well, "", f"{failed} of {len(judgements)} implementations do not pass the gate")


def reason(judgement: Judgement) -> str:
    """What the gate says of an adapter, without its name."""
    return judgement.reason.removeprefix(f"{judgement.name}: ")


def _only(results: Results) -> str:
    """The name of the implementation, where there is one alone."""
    return results.participants[0].name if len(results.participants) == 1 else ""


def _mute(results: Results, name: str) -> bool:
    """True where all that an implementation was asked is unsupported."""
    outcomes = {outcome for _, outcome in results.counted.get(name, {})}
    tallies = (tally for tally in results.tallies if tally.implementation == name)
    return outcomes.union(*(tally.outcomes for tally in tallies)) <= {"unsupported"}


def _unjudged(results: Results) -> Headline:
    silent = [one for one in results.participants if one.state == "dead"]
    ran = [one for one in results.participants if one.state == "ran"]
    if not ran and not silent:
        return Headline(False, "", "nothing ran")
    counts = [failing(results, one) for one in ran]
    failed = sum(1 for count in counts if count) + len(silent)
    if not failed:
        name, text = ran[0].name if len(ran) == 1 else "", "no required case fails"
        mute = sum(_mute(results, one.name) for one in ran)
        if mute:  # what was not answered is no failure, and nothing to be content with
            text = "it answered nothing" if name else f"{mute} of {len(ran)} implementations answered nothing"
        return Headline(results.complete and not mute, name, text)
    if len(results.participants) > 1:
        text = f"{failed} of {len(results.participants)} implementations fail required cases or did not start"
        return Headline(False, "", text if silent else text.removesuffix(" or did not start"))
    (one,) = results.participants
    text = "it did not start" if silent else counted(counts[0], "required case fails", "required cases fail")
    return Headline(False, one.name, text)
