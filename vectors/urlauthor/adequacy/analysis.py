"""Results of first- and second-order mutants, of held-out operators, and candidate vectors for survivors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from urlharness.adequacy.choice import Examined
from urlharness.adequacy.kill import ALIKE, Bench, MutantResult
from urlharness.adequacy.subjects import Changes, Mutant
from urlharness.adequacy.suites import Count, Suite
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.labels import Labeller
from urloracle.errors import InvalidURL
from urloracle.grammar.expression import Reference
from urloracle.operations import validate
from urloracle.rfcs import specification

#: The number of folds that the operators are divided into.
FOLDS = 5

#: The suite of all vectors except witnesses of mutants; held-out operators are measured with it.
BARE = "core without witnesses"
#: The suites of tier `whole` for held-out operators.
_HELD_OUT = frozenset((BARE, "complete", "bytes"))

#: The suites of each tier of the report; `whole` joins the corpus and the tiers without extra states.
TIERS: Mapping[str, tuple[str, ...]] = {
    "core": ("core",),
    "complete": ("complete",),
    "bytes": ("bytes",),
    "whole": ("core", "complete", "bytes"),
}
#: The same for first-order mutants: if the core notices a mutant, all mutants of its kind count as noticed.
FIRST_ORDER: Mapping[str, tuple[str, ...]] = {**TIERS, "core": (ALIKE,)}

#: Rules of whole texts, which say little about a rejection: nearly always one of them is open.
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


def examine_mutants(bench: Bench, numbers: Iterable[int]) -> Iterator[Examined]:
    """Yield the results of the first-order mutants with these indices in `bench.subject.mutants`."""
    for number in numbers:
        yield Examined(number, bench.examine_mutant(bench.subject.mutants[number]))


def examine_pairs(bench: Bench, pairs: Iterable[tuple[Mutant, Mutant]]) -> Iterator[MutantResult]:
    """Yield the results of second-order mutants: pairs of mutants that are made at once."""
    for first, second in pairs:
        yield bench.examine_pair(first, second)


def fold_of(operator: str, operators: Sequence[str]) -> int:
    """Return the fold of an operator: its index in `operators` modulo the number of folds."""
    return operators.index(operator) % FOLDS


def operators(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """Return the operators of the mutants, in alphabetical order."""
    return tuple(sorted({mutant.operator for mutant in mutants}))


def witnesses_of_others(bench: Bench, examined: Iterable[Examined]) -> list[frozenset[str]]:
    """Return, for each fold, the witnesses of the mutants in all other folds."""
    mutants = bench.subject.mutants
    names = operators(mutants)
    by_fold: list[set[str]] = [set() for _ in range(FOLDS)]
    for number, examination in examined:
        if examination.witness is not None:
            fold = fold_of(mutants[number].operator, names)
            by_fold[fold].add(examination.witness)
    witnesses = []
    for fold in range(FOLDS):
        texts: set[str] = set()
        for other_fold, texts_of_fold in enumerate(by_fold):
            if other_fold != fold:
                texts |= texts_of_fold
        witnesses.append(frozenset(texts))
    return witnesses


def examine_held_out(
    bench: Bench, examined: Iterable[Examined], witnesses: Sequence[frozenset[str]]
) -> Iterator[tuple[Examined, bool]]:
    """Yield (mutant, noticed), with `noticed` true if witnesses of the other folds notice the mutant.

    `witnesses` lists, for each fold, the witnesses of all others (`witnesses_of_others`).
    """
    accepts = bench.subject.automaton.accepts
    suites = [Suite({text: accepts(text) for text in texts}) for texts in witnesses]
    names = operators(bench.subject.mutants)
    for examination in examined:
        mutant = bench.subject.mutants[examination.number]
        fold = fold_of(mutant.operator, names)
        changes: Changes = mutant.changes
        automaton = bench.subject.compiler.automaton(bench.subject.rule, changes)
        noticed = suites[fold].notices(automaton)
        if not noticed and _may_differ_in_components(bench, mutant, examination.result):
            table = bench.mutated_table(changes, automaton)
            noticed = table is not None and bench.splits_differently(suites[fold].members, table)
        yield examination, noticed


def _may_differ_in_components(bench: Bench, mutant: Mutant, mutant_result: MutantResult) -> bool:
    """Return True if its split table can decide about a mutant; to build this table takes a second."""
    if mutant_result.components:
        return True
    return mutant_result.noticed.isdisjoint(_HELD_OUT) and bench.may_split(mutant.character)


def count_noticed(results: Iterable[MutantResult], tier: Sequence[str]) -> Count:
    """Count the mutants by their results; a live mutant is killed if a suite of the tier notices it."""
    killed = 0
    live = 0
    equivalent = 0
    undecided = 0
    left_open = 0
    for mutant_result in results:
        if mutant_result.witness is not None:
            live += 1
            if not mutant_result.noticed.isdisjoint(tier):
                killed += 1
        elif mutant_result.undecided:
            undecided += 1
        elif mutant_result.open:
            left_open += 1
        else:
            equivalent += 1
    return Count(killed, live, equivalent, undecided, left_open)


def survivors_needing_witness(bench: Bench, survivors: Iterable[Examined]) -> list[Examined]:
    """Return the survivors that need a witness of their own in the corpus.

    These are all survivors that tier `whole` misses and, of the others, one of each kind.
    """
    of_kind: dict[object, Examined] = {}
    for survivor in survivors:
        kind = bench.subject.kind(bench.subject.mutants[survivor.number])
        is_missed = survivor.result.noticed.isdisjoint(TIERS["whole"])
        key = survivor.number if is_missed or kind is None else kind
        of_kind.setdefault(key, survivor)
    return list(of_kind.values())


def candidate_vectors(spec: str, survivors: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a candidate vector for each rule and witness, sorted by rule and text.

    A candidate has the fields `op`, `rule`, `url`, `expect`, `binding` and `ruling` of a vector, and the
    list `mutants` of (changed rule, operator) for each mutant that it notices.
    """
    mutants_by_witness: dict[_Witness, set[tuple[str, str]]] = defaultdict(set)
    for survivor in survivors:
        witness = _Witness(survivor["rule"], survivor["witness"], survivor["components"])
        changed = facts(spec).rfc_rule(survivor["changed"])
        mutants_by_witness[witness].add((changed, survivor["operator"]))
    labellers: dict[str, Labeller] = {}
    vectors = []
    for witness, mutants in sorted(mutants_by_witness.items()):
        if witness.rule not in labellers:
            labellers[witness.rule] = Labeller(specification(spec), witness.rule)
        vectors.append(_candidate_vector(spec, witness, mutants, labellers[witness.rule]))
    return vectors


class _Witness(NamedTuple):
    """A text that shows mutants of a rule: by its components if `components` is true, else by its verdict."""

    rule: str
    text: str
    components: bool


def _candidate_vector(
    spec: str, witness: _Witness, mutants: Collection[tuple[str, str]], labeller: Labeller
) -> dict[str, Any]:
    """Return the candidate for a witness. `mutants` are pairs of changed rule and operator."""
    verdict, split = labeller.labels(witness.text)
    label = split if witness.components and split is not None else verdict
    expect = msgspec.to_builtins(label.expect)
    if label.expect.valid is False:
        changed_rules = {changed for changed, _ in mutants}
        expect["rules"] = explaining_rules(spec, witness.rule, witness.text, changed_rules)
    vector = {
        "op": "parse" if witness.components else "validate",
        "rule": witness.rule,
        "url": witness.text,
        "expect": expect,
        "binding": label.binding,
    }
    if label.ruling:
        vector["ruling"] = label.ruling
    vector["mutants"] = sorted(mutants)
    return vector


def explaining_rules(spec: str, rule: str, text: str, changed: Collection[str] = ()) -> list[str]:
    """Return the open rules of the RFC that best explain the rejection of a text.

    In order of preference:

    1. the changed rules
    2. the innermost rule that is not open at offset 0, if possible one that derives longer words
    3. the outermost rule that is not a rule of whole texts
    """
    opened = _open_rules(spec, rule, text)
    opened_and_changed = [name for name in opened if name in changed]
    if opened_and_changed:
        return opened_and_changed
    grammar = specification(spec).grammar
    at_first = set(_open_rules(spec, rule, "\x00"))  # no URL begins with NUL
    later = [name for name in opened if name not in at_first]
    longer = [name for name in later if grammar.character_class(Reference(name)) is None]
    if later:
        innermost = (longer or later)[-1]
        return [innermost]
    lesser = [name for name in opened if name != rule and name not in _WHOLE]
    return (lesser or opened)[:1]  # the outermost, if any


def _open_rules(spec: str, rule: str, text: str) -> list[str]:
    """Return the rules of the RFC that are open where an invalid text is rejected, the outermost first."""
    try:
        validate(text, spec, rule=rule)
    except InvalidURL as error:
        # a rule that a ruling added stands for a rule of the RFC, which may be open already
        return list(dict.fromkeys(facts(spec).rfc_rule(name) for name in error.rules))
    raise AssertionError(f"{rule} derives {text!r}")
