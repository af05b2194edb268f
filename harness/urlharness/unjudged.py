"""What leaves an adapter unjudged: nothing asked can fail, or nothing that can was answered.

The gate ends with 5 for it, and no list is made, which the same gate would refuse.
"""

from __future__ import annotations

from collections.abc import Collection

from urlharness.corpus import SPECS
from urlharness.judgement import names, of
from urlharness.levels import LEVELS
from urlharness.policy import Policy, of_generated
from urlharness.report.texts import clipped
from urlharness.results import Results
from urlharness.tally import Tally
from urlharness.verdict import Outcome

#: The outcome of what was not answered.
_SILENT: frozenset[Outcome] = frozenset(("unsupported",))
_LONGEST = 200  # characters of what a hello claims

#: Where every vector leaves the answer open, and no policy says which answers are accepted.
NOTHING_BINDS = "no vector that was selected has one right answer, and no policy judges the others"


def unanswered(results: Results, name: str, judged: Collection[str], policy: Policy) -> str:
    """A clause where nothing of these RFCs, of all if empty, that can fail was answered, be it wrongly.

    Empty where there is an answer.
    """
    outcomes = _outcomes(results, name, judged, policy)
    if outcomes - _SILENT:
        return ""
    if not outcomes and _all_outcomes(results, name, judged) - _SILENT:
        return NOTHING_BINDS
    return _no_answer(results, name, judged)


def unlevelled(results: Results, name: str, judged: Collection[str], policy: Policy) -> str:
    """A clause where nothing that was asked of these RFCs has a level that can fail; otherwise empty."""
    levels, asked = policy.levels, _levels(results, name, judged)
    if not asked or not levels.isdisjoint(asked):
        return ""
    wanted = " or ".join(level for level in LEVELS if level in levels)
    return f"no vector of level {wanted} was selected"


def nameless(judged: Collection[str]) -> str:
    """A clause where an adapter claims RFCs, but none that there is; empty where there is nothing wrong."""
    if not judged or not {*SPECS}.isdisjoint(judged):
        return ""
    claimed = clipped(", ".join(map(repr, sorted(judged))), _LONGEST)
    return f"its hello claims {claimed}, and there are {', '.join(SPECS)}"


def silent(results: Results, name: str, specs: Collection[str], policy: Policy) -> str:
    """A clause where one of these RFCs was asked, and nothing of it answered; empty where there is none."""
    found = [
        spec
        for spec in specs
        if (outcomes := _outcomes(results, name, [spec], policy)) and outcomes <= _SILENT
    ]
    return _no_answer(results, name, found) if found else ""


def tallies(results: Results, name: str, judged: Collection[str]) -> list[Tally]:
    """The generated parts of these RFCs that were put to an adapter."""
    return [one for one in results.tallies if one.implementation == name and of(one.spec, judged)]


def _all_outcomes(results: Results, name: str, judged: Collection[str]) -> set[Outcome]:
    """The outcomes of the cases of these RFCs."""
    found: set[Outcome] = {
        outcome for facts, outcome in results.counted.get(name, {}) if of(facts.spec, judged)
    }
    for tally in tallies(results, name, judged):
        found |= {outcome for outcome, count in tally.outcomes.items() if count}
    return found


def _outcomes(results: Results, name: str, judged: Collection[str], policy: Policy) -> set[Outcome]:
    """The outcomes of the cases of these RFCs, of those alone that can fail the gate."""
    found: set[Outcome] = {
        outcome
        for facts, outcome in results.counted.get(name, {})
        if of(facts.spec, judged) and policy.judges_by(facts.level, facts.binding)
    }
    if policy.pins:
        found |= {
            result.outcome
            for result in results.of(name).values()
            if of((case := results.vectors[result.id].case).spec, judged) and policy.judges(case)
        }
    for tally in tallies(results, name, judged):
        if of_generated(tally).level in policy.levels:
            found |= {outcome for outcome, count in tally.required.items() if count}
    return found


def _levels(results: Results, name: str, judged: Collection[str]) -> set[str]:
    """The levels of the cases that were asked of these RFCs."""
    levels = {facts.level for facts, _ in results.counted.get(name, {}) if of(facts.spec, judged)}
    return {*levels, *(of_generated(tally).level for tally in tallies(results, name, judged))}


def _no_answer(results: Results, name: str, judged: Collection[str]) -> str:
    """That no vector of these RFCs was answered."""
    if why := nameless(judged):
        return why
    others = bool(_all_outcomes(results, name, judged) - _SILENT)
    which = "that can fail" if others else "that was selected"
    return f"it answered no vector{f' of {names(judged)}' if judged else ''} {which}"
