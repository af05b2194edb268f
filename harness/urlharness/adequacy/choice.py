"""The greedy choice: few texts that together notice all survivors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from urlharness.adequacy.kill import Bench, MutantResult

#: Separators of joined characters: nothing, or the start of a label, a segment or a field.
_DELIMITERS = ("", ".", "/", ";", ":", "%")


class Examined(NamedTuple):
    """A first-order mutant, by its number in the subject, and its result."""

    number: int
    result: MutantResult


class CandidateText(NamedTuple):
    """A text that may become a vector. It asks for the components of the text, or else for its verdict."""

    text: str
    components: bool


#: Maps a survivor's number to the texts that notice it.
Kills = Mapping[int, frozenset[CandidateText]]


def candidate_texts(bench: Bench, survivors: Iterable[Examined]) -> list[CandidateText]:
    """Return texts that may become vectors, sorted.

    These are the witnesses of the survivors, and texts combined from those of one rule and operator.
    """
    candidates: set[CandidateText] = set()
    accepts = bench.subject.automaton.accepts
    witnesses_alike: dict[tuple[bool, str, str], set[str]] = defaultdict(set)
    for number, survivor in survivors:
        witness = survivor.witness
        if witness is None:
            continue
        candidates.add(CandidateText(witness, survivor.components))
        if accepts(witness):
            mutant = bench.subject.mutants[number]
            witnesses_alike[survivor.components, mutant.rule, mutant.operator].add(witness)
    for (components, _, _), witnesses in witnesses_alike.items():
        for text in combined_texts(witnesses):
            if accepts(text) and bench.binds(text):
                candidates.add(CandidateText(text, components))
    return sorted(candidates)


def combined_texts(members: Iterable[str]) -> Iterator[str]:
    """Combine each group of texts that differ only in the character at one position.

    In place of that character, the combined texts have all the characters, joined by each delimiter in turn.
    """
    characters_between: dict[tuple[str, str], set[str]] = defaultdict(set)
    for text in members:
        for position, char in enumerate(text):
            before = text[:position]
            after = text[position + 1 :]
            characters_between[before, after].add(char)
    for (before, after), characters in characters_between.items():
        if len(characters) == 1:
            continue
        for delimiter in _DELIMITERS:
            middle = delimiter.join(sorted(characters))
            yield before + middle + after


def find_kills(bench: Bench, survivors: Iterable[Examined], candidates: Iterable[CandidateText]) -> Kills:
    """Map each survivor's number to the candidates that notice it."""
    unchanged = bench.subject.automaton
    verdicts = {}
    spans = {}
    for candidate in candidates:
        if candidate.components:
            spans[candidate] = bench.table.spans(candidate.text)
        else:
            verdicts[candidate] = unchanged.accepts(candidate.text)

    kills = {}
    for number, survivor in survivors:
        changes = bench.subject.mutants[number].changes
        mutant = bench.subject.compiler.automaton(bench.subject.rule, changes)
        noticing = set()
        if survivor.components:
            table = bench.mutated_table(changes, mutant)
            assert table is not None  # because the witness was found with it
            for candidate, unchanged_spans in spans.items():
                if table.spans(candidate.text) != unchanged_spans:
                    noticing.add(candidate)
        else:
            for candidate, is_valid in verdicts.items():
                if mutant.accepts(candidate.text) != is_valid:
                    noticing.add(candidate)
        kills[number] = frozenset(noticing)
    return kills


def choose_cover(noticed: Kills) -> dict[CandidateText, list[int]]:
    """Choose few texts that together notice all survivors.

    Map each chosen text to the survivors that no text chosen before it notices.
    """
    cover: dict[CandidateText, list[int]] = {}
    uncovered: dict[CandidateText, set[int]] = defaultdict(set)
    for number, candidates in noticed.items():
        for candidate in candidates:
            uncovered[candidate].add(number)

    def most_survivors_first(candidate: CandidateText) -> tuple[int, int, CandidateText]:
        return -len(uncovered[candidate]), len(candidate.text), candidate

    while uncovered:
        best = min(uncovered, key=most_survivors_first)
        numbers = uncovered.pop(best)
        if not numbers:
            break
        cover[best] = sorted(numbers)
        for remaining in uncovered.values():
            remaining.difference_update(numbers)
    return cover
