"""The mistakes that a validator of one rule can make, and the texts that notice them.

A mistake is a first-order mutant of the grammar under which some text has another verdict. Mistakes are of
one kind if their mutants are (`Subject.kind`): tests that notice one of them count for all of them.
"""

from __future__ import annotations

import pickle
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import NamedTuple

from urlharness.adequacy import cache
from urlharness.adequacy.cache import CHUNK, Tasks
from urlharness.adequacy.choice import combined_texts
from urlharness.adequacy.kill import shortest_binding_difference, shortest_difference
from urlharness.adequacy.subjects import Subject
from urlharness.adequacy.suites import Suite, readings_of
from urlharness.corpus.specifications import facts
from urlharness.words.cover import cover
from urlharness.words.letters import letter_of
from urloracle.automata.dfa import SINK, Automaton
from urloracle.rfcs import specification

#: The key of a subject: RFC, rule, and False, because rules that rulings add are not mutated here.
_Key = tuple[str, str, bool]


class Mistake(NamedTuple):
    """A mistake, the number of its kind, and inputs that notice it.

    - `mutant`: its number in `Subject.mutants`, or among the edits of the functions that resolve references
    - `rule`: the changed rule or function, and `section` the section that defines it
    - `operator`: what is changed (`mutants`)
    - `detail`: the character that is accepted or refused by mistake, or empty; for a function, the line
    """

    mutant: int
    kind: int
    rule: str
    section: str
    operator: str
    detail: str
    witness: tuple[str, ...]


class Candidate(NamedTuple):
    """Inputs with their answer. Bit n of `notices` is set if they notice mistake n.

    A text has the verdict of the minimal DFA as its answer, and a pair of base and reference its target, or
    None for a refusal.
    """

    inputs: tuple[str, ...]
    answer: bool | str | None
    notices: int


@dataclass(frozen=True)
class Catalogue:
    """The mistakes of a rule, or of resolution if `rule` is empty, and candidates that notice all of them."""

    spec: str
    rule: str
    mistakes: tuple[Mistake, ...]
    candidates: tuple[Candidate, ...]

    @cached_property
    def kind_count(self) -> int:
        """The number of kinds."""
        return len({mistake.kind for mistake in self.mistakes})

    @cached_property
    def mistakes_of_kind(self) -> tuple[int, ...]:
        """For each kind, the bits of its mistakes."""
        masks = [0] * self.kind_count
        for number, mistake in enumerate(self.mistakes):
            masks[mistake.kind] |= 1 << number
        return tuple(masks)

    def kinds_of(self, mistakes: int) -> int:
        """Return the bits of the kinds of which a mistake is among the given bits."""
        kinds = 0
        for number in bits(mistakes):
            kinds |= 1 << self.mistakes[number].kind
        return kinds


def bits(number: int) -> Iterable[int]:
    """Yield the positions of the bits that are set, the lowest first."""
    rest = number
    while rest:
        lowest = rest & -rest
        yield lowest.bit_length() - 1
        rest ^= lowest


def find_catalogue(spec: str, rule: str, tasks: Tasks) -> Catalogue:
    """Return the catalogue of a rule; it is kept in the cache, because it depends on no tests."""
    key = cache.key_of("catalogue", spec, rule)
    loaded = cache.load(key)
    if isinstance(loaded, Catalogue):
        return loaded
    catalogue = _make_catalogue((spec, rule, False), tasks)
    cache.save(key, catalogue)
    return catalogue


def _make_catalogue(key: _Key, tasks: Tasks) -> Catalogue:
    """Find the witnesses of all mutants, combine them, and find which mutants each text notices."""
    subject = _subject(key)
    numbers = range(len(subject.mutants))
    witnesses: dict[int, str] = {}
    for future in tasks.as_completed(tasks.submit_chunks(_find_witnesses, "", key, numbers)):
        witnesses |= future.result()
    live = sorted(witnesses)
    texts = _candidate_texts(subject, witnesses)
    notices = _find_all_notices(key, live, texts, tasks)

    accepts = subject.automaton.accepts
    candidates = []
    for number, text in enumerate(texts):
        candidates.append(Candidate((text,), accepts(text), notices.get(number, 0)))
    mistakes = _mistakes(subject, {number: witnesses[number] for number in live})
    return Catalogue(subject.spec.id, subject.rule, mistakes, tuple(candidates))


def _find_all_notices(
    key: _Key, live: Sequence[int], texts: tuple[str, ...], tasks: Tasks
) -> Mapping[int, int]:
    """Map the number of each text to the live mutants that it notices; bit n stands for the n-th of them."""
    first_of_block = {}  # the position of the block's first mutant among the live ones
    position = 0
    for block in _blocks(live):
        future = tasks.submit(_find_notices, "", key, block, texts)
        first_of_block[future] = position
        position += len(block)
    notices: dict[int, int] = defaultdict(int)
    for future in tasks.as_completed(list(first_of_block)):
        for number, noticed_of_block in future.result().items():
            notices[number] |= noticed_of_block << first_of_block[future]
    return notices


def _mistakes(subject: Subject, witnesses: Mapping[int, str]) -> tuple[Mistake, ...]:
    """Return the mistakes of the live mutants, whose witnesses are given by number."""
    kinds: dict[object, int] = {}
    grammar = subject.grammar
    mistakes = []
    for number, witness in witnesses.items():
        mutant = subject.mutants[number]
        kind = kinds.setdefault(subject.kind(mutant) or number, len(kinds))
        rule = facts(subject.spec.id).rfc_rule(grammar.names[mutant.rule])
        section = grammar.sections.get(rule.lower()) or grammar.sections.get(mutant.rule, "")
        mistakes.append(Mistake(number, kind, rule, section, mutant.operator, mutant.character, (witness,)))
    return tuple(mistakes)


def _candidate_texts(subject: Subject, witnesses: Mapping[int, str]) -> tuple[str, ...]:
    """Return texts that notice all mutants with a witness, sorted.

    These are the witnesses, valid texts combined from those of one rule and operator, and few texts that take
    every transition of the minimal DFA, each of which notices many.
    """
    accepts = subject.automaton.accepts
    readings = readings_of(subject.spec.id, subject.rule)
    valid_texts: dict[tuple[str, str], set[str]] = defaultdict(set)
    for number, witness in witnesses.items():
        if accepts(witness):
            mutant = subject.mutants[number]
            valid_texts[mutant.rule, mutant.operator].add(witness)
    rich_texts = set(cover(subject.automaton).words)
    for alike in valid_texts.values():
        rich_texts.update(combined_texts(alike))
    texts = set(witnesses.values())
    for text in rich_texts:
        if accepts(text) and all(reading.accepts(text) for reading in readings):
            texts.add(text)
    return tuple(sorted(texts))


def find_noticed(catalogue: Catalogue, texts: Mapping[str, bool], tasks: Tasks) -> int:
    """Return the bits of the mistakes that texts with these right verdicts notice."""
    key = (catalogue.spec, catalogue.rule, False)
    live = [mistake.mutant for mistake in catalogue.mistakes]
    position = {mutant: number for number, mutant in enumerate(live)}
    sorted_texts = tuple(sorted(texts.items()))
    noticed = 0
    futures = [tasks.submit(_find_noticing, "", key, block, sorted_texts) for block in _blocks(live)]
    for future in tasks.as_completed(futures):
        for mutant in future.result():
            noticed |= 1 << position[mutant]
    return noticed


def _blocks(live: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the live mutants of each chunk of mutants that has some. Their automata are kept together."""
    for _, block in groupby(live, key=lambda number: number // CHUNK):
        yield tuple(block)


# The tasks.  They run in the processes of the pool.


@lru_cache(maxsize=1)
def _subject(key: _Key) -> Subject:
    """Return the subject with a key, which a process of the pool makes once for many tasks."""
    spec, rule, overlaid = key
    return Subject(specification(spec), rule, overlaid)


def _find_witnesses(key: _Key, numbers: Sequence[int]) -> dict[int, str]:
    """Map the live mutants among these to a shortest text on which they differ, under every reading."""
    subject = _subject(key)
    unchanged = subject.automaton
    readings = readings_of(subject.spec.id, subject.rule)
    witnesses = {}
    automata = []
    for number in numbers:
        automaton = subject.compiler.automaton(subject.rule, subject.mutants[number].changes)
        witness = shortest_difference(unchanged, automaton)
        if witness is None:
            continue
        valid = unchanged.accepts(witness)
        if any(reading.accepts(witness) != valid for reading in readings):
            witness = shortest_binding_difference(automaton, unchanged, readings)
        if witness is not None:
            witnesses[number] = witness
            automata.append(automaton)
    if witnesses:
        _save_automata(key, tuple(witnesses), automata)
    return witnesses


def _load_automata(key: _Key, block: tuple[int, ...]) -> list[Automaton]:
    """Return the automata of a block of mutants.

    They are kept in the cache, because to compile them takes longer than most of what they are asked.
    """
    compressed = cache.load(cache.key_of("automata", key, block))
    if isinstance(compressed, bytes):
        loaded: list[Automaton] = pickle.loads(zlib.decompress(compressed))  # noqa: S301 - the user's own
        return loaded
    subject = _subject(key)
    automata = [subject.compiler.automaton(subject.rule, subject.mutants[number].changes) for number in block]
    _save_automata(key, block, automata)
    return automata


def _save_automata(key: _Key, block: tuple[int, ...], automata: Sequence[Automaton]) -> None:
    """Write the automata of a block of mutants to the cache, in a tenth of the space that they take."""
    compressed = zlib.compress(pickle.dumps(automata), level=1)
    cache.save(cache.key_of("automata", key, block), compressed)


def _find_noticing(key: _Key, block: tuple[int, ...], texts: tuple[tuple[str, bool], ...]) -> list[int]:
    """Return the numbers of the mutants that give some text a wrong verdict."""
    suite = _suite(texts)
    noticed = []
    for number, automaton in zip(block, _load_automata(key, block), strict=True):
        if suite.notices(automaton):
            noticed.append(number)
    return noticed


@lru_cache(maxsize=1)
def _suite(texts: tuple[tuple[str, bool], ...]) -> Suite:
    return Suite(dict(texts))


def _find_notices(key: _Key, block: tuple[int, ...], texts: tuple[str, ...]) -> dict[int, int]:
    """Map the number of each text to the mutants that it notices; bit n stands for the n-th of the block."""
    tree = _tree(key, texts)
    notices: dict[int, int] = defaultdict(int)
    for position, automaton in enumerate(_load_automata(key, block)):
        for text in tree.misjudged(automaton):
            notices[text] |= 1 << position
    return notices


@lru_cache(maxsize=1)
def _tree(key: _Key, texts: tuple[str, ...]) -> _TextTree:
    accepts = _subject(key).automaton.accepts
    return _TextTree({text: accepts(text) for text in texts})


#: An edge of a tree: number of the character, node below it, and the valid texts that go on there.
_Edge = tuple[int, int, list[int]]


class _TextTree:
    """Texts with their right verdicts, as a tree, so that equal beginnings are read once."""

    def __init__(self, verdicts: Mapping[str, bool]) -> None:
        self._characters = sorted({char for text in verdicts for char in text})
        self._edges: list[list[_Edge]] = [[]]
        self._ending: list[tuple[int, bool] | None] = [None]  # the text that ends at a node, and its verdict
        self._valid: list[int] = []
        character_numbers = {char: number for number, char in enumerate(self._characters)}
        children: list[dict[str, _Edge]] = [{}]
        for number, (text, valid) in enumerate(verdicts.items()):
            if valid:
                self._valid.append(number)
            node = 0
            for char in text:
                edge = children[node].get(char)
                if edge is None:
                    edge = (character_numbers[char], len(children), [])
                    children[node][char] = edge
                    self._edges[node].append(edge)
                    self._edges.append([])
                    self._ending.append(None)
                    children.append({})
                _, child, valid_texts = edge
                if valid:
                    valid_texts.append(number)
                node = child
            self._ending[node] = (number, valid)

    def misjudged(self, automaton: Automaton) -> list[int]:
        """Return the numbers of the texts to which an automaton gives a wrong verdict."""
        if automaton.start == SINK:
            return list(self._valid)
        # this loop runs for every mutant, so it reads no attributes
        kinds = [automaton.classes.get(letter_of(char), -1) for char in self._characters]
        table = automaton.table
        accepting = automaton.accepting
        edges = self._edges
        endings = self._ending
        wrong_numbers: list[int] = []
        stack = [(0, automaton.start)]
        while stack:
            node, state = stack.pop()
            ending = endings[node]
            if ending is not None:
                number, is_valid = ending
                if is_valid is not (state in accepting):
                    wrong_numbers.append(number)
            row = table[state]
            for character, child, valid_texts in edges[node]:
                kind = kinds[character]
                following = SINK if kind < 0 else row[kind]
                if following == SINK:  # all longer texts are rejected too
                    wrong_numbers += valid_texts
                else:
                    stack.append((child, following))
        return wrong_numbers
