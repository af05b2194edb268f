"""What a baseline is made from: the answers of one adapter, asked now or read from the results of a run."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import click
from msgspec import structs

from urlharness.adapters.registry import BUNDLED, NotInstalled, UnknownAdapter, find
from urlharness.baseline import Baseline
from urlharness.cli.asking import ask, exam
from urlharness.cli.configured import adapter_named, configured_folder
from urlharness.cli.options import Chosen, Terms
from urlharness.facts import facts
from urlharness.gate import judged_specs
from urlharness.judgement import of
from urlharness.known_ids import Known
from urlharness.listing import NothingJudged
from urlharness.missing import given_up
from urlharness.policy import Policy
from urlharness.results import Participant, Results, ResultsError, read_results
from urlharness.selection import Selection
from urlharness.session import AdapterDead, Limits
from urlharness.unjudged import silent, tallies, unanswered, unlevelled


class Settled(NamedTuple):
    """The answers of one adapter: the RFCs that are judged, all if empty, and what fails of them."""

    results: Results
    participant: Participant
    judged: Collection[str]
    policy: Policy
    known: Known


def settle(
    source: str,
    name: str | None,
    chosen: Chosen,
    terms: Terms,
    limits: Limits,
    before: Baseline | None = None,
) -> Settled:
    """The answers that `source` names, a results file or an adapter; `name` is one of several in a file.

    What `before` lists is judged as the gate does.  Raises AdapterDead, NothingJudged, NotInstalled,
    ResultsError and UnknownAdapter: a list that is made of half a run would not be one.
    """
    asked = exam(chosen)
    policy = terms.policy(asked.corpus.cases)
    if configured_folder() is None and _is_file(source):
        results = _read(Path(source), chosen.selection)
        participant = _participant(results, name, source)
    else:
        if asked.empty:
            raise NothingJudged("no vector meets the selection")
        adapter = adapter_named(source)
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "results.jsonl"
            if ask([adapter], asked, path, limits):
                raise KeyboardInterrupt
            results = read_results(path)
        participant = _participant(results, adapter.name, source)
    wanted = chosen.selection.specs or (asked.other.specs if asked.other is not None else ())
    judged = judged_specs(wanted, participant.specs, before)
    _refuse_unsettled(results, participant, judged, wanted, policy)
    return Settled(results, participant, judged, policy, asked.known())


def _is_file(source: str) -> bool:
    """A bundled adapter goes before a file of its name; `./NAME` is the file."""
    if source in BUNDLED:
        return False
    if Path(source).exists():
        return True
    try:
        find(source)
    except UnknownAdapter as error:
        raise UnknownAdapter(f"{source}: no results file, and {error}") from None
    return False


def _read(path: Path, selection: Selection) -> Results:
    """The results in a file as far as they meet the selection."""
    results = read_results(path)
    if not results.complete:
        raise ResultsError(f"{path}: the run was interrupted, stopped or cut; a baseline needs all of it")
    if selection == Selection(specs=selection.specs):
        return results  # RFCs are chosen when they are judged
    cases = selection.pick([asked.case for asked in results.vectors.values()])
    kinds = {case.vector.id: facts(case) for case in cases}
    kept = {
        name: {one: answers[one] for one in kinds if one in answers}
        for name, answers in results.results.items()
    }
    return structs.replace(
        results,
        vectors={identifier: results.vectors[identifier] for identifier in kinds},
        results=kept,
        tallies=(),
        counted={
            name: Counter((kinds[one], result.outcome) for one, result in answers.items())
            for name, answers in kept.items()
        },
    )


def _participant(results: Results, name: str | None, source: str) -> Participant:
    """The participant that is meant; raises where there is none, and where it did not run."""
    names = [one.name for one in results.participants]
    if name is None and len(names) != 1:
        raise click.UsageError(f"{source}: which adapter? --adapter {' or '.join(names) or 'of none'}")
    found = [one for one in results.participants if name in (None, one.name)]
    if not found:
        raise click.UsageError(f"{source}: no adapter {name!r}; there are {', '.join(names)}")
    participant = found[0]
    if participant.state == "not installed":
        raise NotInstalled(f"{participant.name}: {participant.message}")
    if participant.state == "dead":
        raise AdapterDead(f"{participant.name}: {participant.message}")
    return participant


def _refuse_unsettled(
    results: Results,
    participant: Participant,
    judged: Collection[str],
    wanted: Collection[str],
    policy: Policy,
) -> None:
    """Refuse a run that the adapter did not live to the end of, or by which the gate would judge nothing."""
    name = participant.name
    counted = results.counted.get(name, {})
    outcomes = {one for kind, one in counted if of(kind.spec, judged)}
    for tally in tallies(results, name, judged):
        outcomes |= tally.outcomes.keys()
    if "aborted" in outcomes:
        raise AdapterDead(f"{name}: {given_up(results, name)}; a baseline needs all of its answers")
    nothing = unlevelled(results, name, judged, policy) or unanswered(results, name, judged, policy)
    if nothing:
        raise NothingJudged(f"{name}: nothing was judged: {nothing}; nothing is written")
    silence = silent(results, name, wanted, policy)
    if silence:
        raise NothingJudged(f"{name}: {silence}; no list passes with such a --spec, and nothing is written")
