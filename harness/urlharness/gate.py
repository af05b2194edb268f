"""The gate: from results to an exit code, and the reasons for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from urlharness.exitcodes import Exit
from urlharness.results import Participant, Results
from urlharness.verdict import FAILING

_REFERENCE = "reference"


def judge(
    results: Results, named: Sequence[str], specs: Collection[str] = (), *, strict: bool = False
) -> tuple[Exit, list[str]]:
    """The exit code of a run, and a line for each reason that it is not 0.

    With no adapter named it is a survey, which fails only where the reference does.  A named adapter fails on
    a failing outcome of any required vector of `specs`, or of the RFCs it claims, or of all where it claims
    none; with `strict` on partial answers too.
    """
    participants = [p for p in results.participants if p.name in (named or (_REFERENCE,))]
    verdicts = [_judge(results, participant, specs, strict=strict) for participant in participants]
    reasons = [reason for _, reason in verdicts if reason]
    codes = {code for code, _ in verdicts}
    for code in (Exit.ADAPTER_DEAD, Exit.FAILED):
        if code in codes:
            return code, reasons
    if codes == {Exit.NOTHING_RAN}:
        return Exit.NOTHING_RAN, reasons
    return Exit.PASSED, reasons


def _judge(
    results: Results, participant: Participant, specs: Collection[str], *, strict: bool
) -> tuple[Exit, str]:
    name = participant.name
    if participant.state == "not installed":
        return Exit.NOTHING_RAN, f"{name}: not installed: {participant.message}"
    if participant.state == "dead":
        return Exit.ADAPTER_DEAD, f"{name}: dead: {participant.message}"
    judged = set(specs or participant.specs)
    failing = FAILING | {"partial"} if strict else FAILING
    counts: dict[str, int] = {}
    for result in results.of(name).values():
        case = results.vectors[result.id].case
        relevant = not judged or case.spec in judged
        if relevant and case.vector.binding == "required" and result.outcome in failing:
            counts[result.outcome] = counts.get(result.outcome, 0) + 1
    for tally in results.tallies:
        if tally.implementation == name and (not judged or tally.spec in judged):
            for outcome, count in tally.required.items():
                if outcome in failing:
                    counts[outcome] = counts.get(outcome, 0) + count
    if not counts:
        return Exit.PASSED, ""
    what = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    of = f" of {', '.join(sorted(judged))}" if judged else ""
    code = Exit.ADAPTER_DEAD if "aborted" in counts else Exit.FAILED
    return code, f"{name}: gate failed on required vectors{of}: {what}"
