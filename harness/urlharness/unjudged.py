"""What leaves an adapter unjudged: nothing was answered in full, or nothing asked has a level that counts.

The gate ends with 5 for it, and no list is made, which the same gate would refuse.
"""

from __future__ import annotations

from collections.abc import Collection

from urlharness.answered import SHORT
from urlharness.corpus import SPECS
from urlharness.judgement import names, of
from urlharness.levels import LEVELS
from urlharness.policy import Policy, of_generated
from urlharness.report.texts import clipped
from urlharness.results import Results, Tally
from urlharness.verdict import Outcome

_LONGEST = 200  # characters of what a hello claims


def unanswered(results: Results, name: str, judged: Collection[str], policy: Policy) -> str:
    """A clause where nothing of these RFCs, of all if empty, was answered in full, be it wrongly.

    Strictly an answer in part is one.  Empty where there is an answer.
    """
    return "" if _answered(results, name, judged, policy) else _no_answer(results, name, judged)


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
        if _asked(results, name, [spec]) and not _answered(results, name, [spec], policy)
    ]
    return _no_answer(results, name, found) if found else ""


def tallies(results: Results, name: str, judged: Collection[str]) -> list[Tally]:
    """The generated parts of these RFCs that were put to an adapter."""
    return [one for one in results.tallies if one.implementation == name and of(one.spec, judged)]


def _asked(results: Results, name: str, judged: Collection[str]) -> bool:
    """True where anything of these RFCs was asked."""
    counted = results.counted.get(name, {})
    return any(of(facts.spec, judged) for facts, _ in counted) or bool(tallies(results, name, judged))


def _answered(results: Results, name: str, judged: Collection[str], policy: Policy) -> bool:
    """True where anything of these RFCs was answered in full; strictly, or in part."""
    return bool(_outcomes(results, name, judged) - ({"unsupported"} if policy.strict else SHORT))


def _outcomes(results: Results, name: str, judged: Collection[str]) -> set[Outcome]:
    """The outcomes of the cases of these RFCs."""
    found: set[Outcome] = {
        outcome for facts, outcome in results.counted.get(name, {}) if of(facts.spec, judged)
    }
    for tally in tallies(results, name, judged):
        found |= {outcome for outcome, count in tally.outcomes.items() if count}
    return found


def _levels(results: Results, name: str, judged: Collection[str]) -> set[str]:
    """The levels of the cases that were asked of these RFCs."""
    levels = {facts.level for facts, _ in results.counted.get(name, {}) if of(facts.spec, judged)}
    return {*levels, *(of_generated(tally).level for tally in tallies(results, name, judged))}


def _no_answer(results: Results, name: str, judged: Collection[str]) -> str:
    """That no vector of these RFCs was answered, and what judges those that were in part."""
    if why := nameless(judged):
        return why
    said = f"it answered no vector{f' of {names(judged)}' if judged else ''} that was selected"
    in_part = "partial" in _outcomes(results, name, judged)
    return f"{said}, only parts of some, which --strict judges" if in_part else said
