"""Few texts that notice every mutant of a subject which the core does not: candidates for vectors.

Every survivor has a shortest witness.  Where an operator made many mutants of one production, each of another
character, their witnesses are joined into one text as far as the grammar allows; and of all these texts those
are taken that notice most of what is left, again and again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from urlharness.adequacy.analysis import Judged
from urlharness.adequacy.bench import Bench

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
