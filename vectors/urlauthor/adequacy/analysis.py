"""First and second order, held-out, minimal witnesses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from urlauthor.adequacy.kill import Bench, Finding
from urlauthor.adequacy.subjects import Changes, Mutant
from urlauthor.adequacy.suites import Count, Suite
from urlharness.generate.labels import Labeller
from urloracle.errors import InvalidURL
from urloracle.grammar.expression import Reference
from urloracle.operations import validate
from urloracle.rfcs import specification

# -------------------- adequacy.analysis: Grammar mutation analysis of one subject: first order, second order, and operators held out.


#: The operators are dealt to so many folds.
FOLDS = 5


#: The part of the core that was not made of mutants; it is what operators are held out from.
BARE = "core without witnesses"


class Judged(NamedTuple):
    """A first-order mutant, by its number among those of the subject, and what became of it."""

    number: int
    finding: Finding


def first_order(bench: Bench, numbers: Iterable[int]) -> Iterator[Judged]:
    """What becomes of first-order mutants."""
    for number in numbers:
        mutant = bench.subject.mutants[number]
        yield Judged(number, bench.judge(mutant.changes, mutant.character))


def second_order(bench: Bench, pairs: Iterable[tuple[Mutant, Mutant]]) -> Iterator[Finding]:
    """What becomes of pairs of mutants."""
    for one, other in pairs:
        yield bench.judge({**one.changes, **other.changes})


def fold_of(operator: str, operators: Sequence[str]) -> int:
    """The fold of an operator among all operators, which are dealt in alphabetical order."""
    return operators.index(operator) % FOLDS


def operators(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """The operators that made some mutant, in alphabetical order."""
    return tuple(sorted({mutant.operator for mutant in mutants}))


def witnesses_of_others(bench: Bench, judged: Iterable[Judged]) -> list[frozenset[str]]:
    """For each fold the shortest witnesses of the mutants of the other folds."""
    mutants = bench.subject.mutants
    names = operators(mutants)
    own: list[set[str]] = [set() for _ in range(FOLDS)]
    for number, finding in judged:
        if finding.witness is not None:
            own[fold_of(mutants[number].operator, names)].add(finding.witness)
    return [
        frozenset().union(*(own[other] for other in range(FOLDS) if other != fold)) for fold in range(FOLDS)
    ]


def held_out(
    bench: Bench, judged: Iterable[Judged], witnesses: Sequence[frozenset[str]]
) -> Iterator[tuple[Judged, bool]]:
    """Of mutants that the bare core does not notice, whether the witnesses of the other folds do."""
    accepts = bench.subject.automaton.accepts
    verdicts = [{text: accepts(text) for text in texts} for texts in witnesses]
    suites = [Suite(texts) for texts in verdicts]
    names = operators(bench.subject.mutants)
    for one in judged:
        mutant = bench.subject.mutants[one.number]
        fold = fold_of(mutant.operator, names)
        changes: Changes = mutant.changes
        automaton = bench.subject.compiler.automaton(bench.subject.rule, changes)
        noticed = suites[fold].notices(automaton)
        missed = one.finding.noticed.isdisjoint(_HELD_OUT)  # a table of splits takes a second to make
        if not noticed and (one.finding.components or (missed and bench.may_split(mutant.character))):
            table = bench.mutated_table(changes, automaton)
            noticed = table is not None and bench.splits_apart(verdicts[fold], table)
        yield one, noticed


def count(findings: Iterable[Finding], tier: Sequence[str]) -> Count:
    """The count of those that some suite of a tier notices."""
    killed = live = equivalent = undecided = left_open = 0
    for finding in findings:
        if finding.witness is not None:
            live += 1
            killed += not finding.noticed.isdisjoint(tier)
        elif finding.undecided:
            undecided += 1
        elif finding.open:
            left_open += 1
        else:
            equivalent += 1
    return Count(killed, live, equivalent, undecided, left_open)


def survivors(bench: Bench, judged: Iterable[Judged]) -> Iterator[tuple[Mutant, Finding]]:
    """The mutants that the core does not notice, with their witnesses."""
    for number, finding in judged:
        if finding.witness is not None and "core" not in finding.noticed:
            yield bench.subject.mutants[number], finding


#: What stands in for `whole` where operators are held out.
_HELD_OUT = frozenset((BARE, "complete", "bytes"))


#: The suites of each tier of the report; `whole` is what is stored and what has no extra states.
TIERS: Mapping[str, tuple[str, ...]] = {
    "core": ("core",),
    "complete": ("complete",),
    "bytes": ("bytes",),
    "whole": ("core", "complete", "bytes"),
}


# -------------------- adequacy.covering: Few texts that notice every mutant of a subject which the core does not: candidates for vectors.


#: What may stand between characters that are joined: nothing, or what begins a label, a segment, a field.
_DELIMITERS = ("", ".", "/", ";", ":", "%")


#: For each survivor, by its number, the texts that notice it: by a verdict, or (True) by components.
Kills = Mapping[int, frozenset[tuple[str, bool]]]


def texts(bench: Bench, survivors: Iterable[Judged]) -> dict[bool, list[str]]:
    """The texts that may become vectors: for verdicts (False), and for components (True)."""
    found: dict[bool, set[str]] = {False: set(), True: set()}
    accepts = bench.subject.automaton.accepts
    alike: dict[tuple[bool, str, str], set[str]] = defaultdict(set)
    for number, finding in survivors:
        if finding.witness is not None:
            found[finding.components].add(finding.witness)
            if accepts(finding.witness):
                mutant = bench.subject.mutants[number]
                alike[finding.components, mutant.rule, mutant.operator].add(finding.witness)
    for (components, *_), members in alike.items():
        found[components].update(text for text in _joined(members) if accepts(text) and bench.binds(text))
    return {components: sorted(some) for components, some in found.items()}


def _joined(members: Iterable[str]) -> Iterator[str]:
    """For texts that are alike but for one character, one text with all of these characters in its place.

    They stand there side by side, or with a delimiter between them.
    """
    alike: dict[tuple[str, str], set[str]] = defaultdict(set)
    for text in members:
        for at, char in enumerate(text):
            alike[text[:at], text[at + 1 :]].add(char)
    for (before, after), characters in alike.items():
        if len(characters) > 1:
            for delimiter in _DELIMITERS:
                yield before + delimiter.join(sorted(characters)) + after


def kills(bench: Bench, survivors: Iterable[Judged], candidates: Mapping[bool, list[str]]) -> Kills:
    """Which of the candidates notice each survivor."""
    true = bench.subject.automaton
    verdicts = {text: true.accepts(text) for text in candidates[False]}
    found = {}
    for number, finding in survivors:
        changes = bench.subject.mutants[number].changes
        mutant = bench.subject.compiler.automaton(bench.subject.rule, changes)
        if finding.components:
            table = bench.mutated_table(changes, mutant)
            assert table is not None  # it gave the witness
            split = (text for text in candidates[True] if bench.table.spans(text) != table.spans(text))
            found[number] = frozenset((text, True) for text in split)
        else:
            told = (text for text, valid in verdicts.items() if mutant.accepts(text) != valid)
            found[number] = frozenset((text, False) for text in told)
    return found


def cover(noticed: Kills) -> dict[tuple[str, bool], list[int]]:
    """Texts that together notice all survivors that any does, each with those it is the first to notice."""
    left = {number: some for number, some in noticed.items() if some}
    chosen: dict[tuple[str, bool], list[int]] = {}
    tells: dict[tuple[str, bool], set[int]] = defaultdict(set)
    for number, some in left.items():
        for text in some:
            tells[text].add(number)
    while tells:
        best = min(tells, key=lambda text: (-len(tells[text]), len(text[0]), text))
        told = tells.pop(best)
        if not told:
            break
        chosen[best] = sorted(told)
        for others in tells.values():
            others.difference_update(told)
    return chosen


# -------------------- adequacy.witnesses: Survivors grouped by their witnesses: each becomes a candidate for a vector, labelled by the automaton.


#: Rules of whole texts, which are open nearly everywhere.
_WHOLE = {
    "URI",
    "absolute-URI",
    "relative-ref",
    "absoluteURI",
    "relativeURI",
    "absoluteURL",
    "relativeURL",
    "generic-RL",
}


def candidates(spec: str, survivors: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each rule and witness a candidate, in the order of rule and text.

    A candidate has `op`, `rule`, `url`, `expect`, `binding` and `ruling` as a vector has them, and in
    `mutants` what it tells: pairs of the changed rule and the operator.
    """
    found: dict[tuple[str, str, bool], set[tuple[str, str]]] = {}
    for one in survivors:
        key = (one["rule"], one["witness"], one["components"])
        found.setdefault(key, set()).add((one["changed"], one["operator"]))
    labellers: dict[str, Labeller] = {}
    result = []
    for (rule, text, components), mutants in sorted(found.items()):
        if rule not in labellers:
            labellers[rule] = Labeller(specification(spec), rule)
        verdict, split = labellers[rule].labels(text)
        label = split if components and split is not None else verdict
        expect = msgspec.to_builtins(label.expect)
        if label.expect.valid is False:
            expect["rules"] = telling_rules(spec, rule, text, {name for name, _ in mutants})
        one = {"op": "parse" if components else "validate", "rule": rule, "url": text, "expect": expect}
        one |= {"binding": label.binding} | ({"ruling": label.ruling} if label.ruling else {})
        result.append({**one, "mutants": sorted(mutants)})
    return result


def telling_rules(spec: str, rule: str, text: str, changed: Collection[str] = ()) -> list[str]:
    """Of the rules that are open where a text is refused those that tell most.

    These are the changed ones; else the innermost that was not open at the beginning, if it can be one that
    derives more than single characters; else the outermost but for the rules of whole texts.
    """
    opened = _open_rules(spec, rule, text)
    if telling := [name for name in opened if name in changed]:
        return telling
    grammar = specification(spec).grammar
    at_first = set(_open_rules(spec, rule, "\x00"))
    later = [name for name in opened if name not in at_first]
    longer = [name for name in later if grammar.character_class(Reference(name)) is None]
    if later:
        return (longer or later)[-1:]
    parts = [name for name in opened if name != rule and name not in _WHOLE]
    return (parts or opened)[:1]


def _open_rules(spec: str, rule: str, text: str) -> list[str]:
    """The rules that are open where the text is refused; the grammar alone says so."""
    try:
        validate(text, spec, rule=rule)
    except InvalidURL as error:
        return list(error.rules)
    raise AssertionError(text)
