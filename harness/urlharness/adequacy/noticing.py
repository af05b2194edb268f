"""Which kinds of mistakes some texts notice, and few of these texts that notice as much as all of them.

A mistake is a first-order mutant of the grammar under which a text has another verdict. Mistakes are of one
kind if their mutants are (`Subject.kind`); a text that notices one of them notices the kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from os.path import commonprefix
from typing import NamedTuple

from urlharness.adequacy import cache
from urlharness.adequacy.cache import Tasks
from urlharness.adequacy.choice import CandidateText, choose_cover
from urlharness.adequacy.kill import shortest_binding_difference, shortest_difference
from urlharness.adequacy.subjects import Subject
from urlharness.adequacy.suites import readings_of
from urlharness.words.letters import letters_of_text
from urloracle.automata.dfa import SINK, Automaton
from urloracle.rfcs import specification

#: The key of a subject: RFC, rule, and False, because rules that rulings add are not mutated here.
_Key = tuple[str, str, bool]


#: The letters of a text, and its number.
_Pair = tuple[str, int]


class NoticedKinds(NamedTuple):
    """The kinds of mistakes that each text notices, and the number of all kinds of the rule."""

    by_text: Mapping[str, frozenset[int]]
    kinds: int

    def together(self, texts: Collection[str]) -> frozenset[int]:
        """Return the kinds that some of the texts notice."""
        return frozenset[int]().union(*(self.by_text.get(text, frozenset()) for text in texts))


class _Chunk(NamedTuple):
    """Of some mutants, those that each text notices, and those that no text notices but some text could."""

    mutants_by_text: Mapping[str, Sequence[int]]
    missed: Sequence[int]


def wrong_verdicts(spec: str, rule: str, verdicts: Mapping[str, bool]) -> list[str]:
    """Return the texts whose verdict is not that of the rule."""
    accepts = specification(spec).language(rule).accepts
    return [text for text, valid in verdicts.items() if accepts(text) is not valid]


def find_noticed(spec: str, rule: str, texts: Collection[str], tasks: Tasks) -> NoticedKinds:
    """Find the kinds of mistakes of a rule that each text notices."""
    key = (spec, rule, False)
    subject = _subject(key)
    sorted_texts = tuple(sorted(texts))
    numbers = range(len(subject.mutants))
    digest_of_texts = cache.digest(sorted_texts)
    futures = tasks.submit_chunks(_examine, digest_of_texts, key, numbers, sorted_texts)

    mutants_by_text: dict[str, list[int]] = defaultdict(list)
    mistakes: set[int] = set()
    for future in tasks.as_completed(futures):
        chunk: _Chunk = future.result()
        for text, mutants in chunk.mutants_by_text.items():
            mutants_by_text[text] += mutants
            mistakes.update(mutants)
        mistakes.update(chunk.missed)

    numbers_of_kinds: dict[object, int] = {}
    kind_of_mutant = {}
    for number in mistakes:
        kind = subject.kind(subject.mutants[number]) or number  # a mutant without a kind is a kind of its own
        kind_of_mutant[number] = numbers_of_kinds.setdefault(kind, len(numbers_of_kinds))
    by_text = {}
    for text, mutants in mutants_by_text.items():
        by_text[text] = frozenset(kind_of_mutant[number] for number in mutants)
    return NoticedKinds(by_text, len(numbers_of_kinds))


def choose_texts(
    noticed: NoticedKinds, candidates: Collection[str], beside: Collection[str] = ()
) -> list[str]:
    """Choose few candidates that notice all kinds that the candidates notice and no text of `beside` does.

    The text that notices most of what remains comes first. No chosen text can be left out.
    """
    needed = noticed.together(candidates) - noticed.together(beside)
    noticing: dict[int, set[CandidateText]] = {kind: set() for kind in needed}
    for text in candidates:
        for kind in noticed.by_text.get(text, frozenset()) & needed:
            noticing[kind].add(CandidateText(text, components=False))
    cover = choose_cover({kind: frozenset(texts) for kind, texts in noticing.items()})
    choice = [candidate.text for candidate in cover]
    for text in reversed(choice.copy()):
        without_text = [remaining for remaining in choice if remaining != text]
        if needed <= noticed.together(without_text):
            choice = without_text
    return choice


# The tasks.  They run in the processes of the pool.


@lru_cache(maxsize=1)
def _subject(key: _Key) -> Subject:
    """Return the subject with a key, which a process of the pool makes once for many tasks."""
    spec, rule, overlaid = key
    return Subject(specification(spec), rule, overlaid)


def _examine(key: _Key, numbers: Sequence[int], texts: tuple[str, ...]) -> _Chunk:
    """Find which of the mutants with these numbers each text notices."""
    subject = _subject(key)
    mutants_by_text: dict[str, list[int]] = defaultdict(list)
    missed = []
    for number in numbers:
        mutant = subject.mutants[number]
        automaton = subject.compiler.automaton(subject.rule, mutant.changes)
        # a mutant of one character of ASCII in a class judges texts without it as the rule does
        character = mutant.character if mutant.character.isascii() else ""
        tree = _tree(key, texts, character)
        misjudged = tree.misjudged(automaton)
        for index in misjudged:
            mutants_by_text[texts[index]].append(number)
        if not misjudged and _is_mistake(subject, automaton):
            missed.append(number)
    return _Chunk(mutants_by_text, missed)


def _is_mistake(subject: Subject, mutant: Automaton) -> bool:
    """Return True if a mutant gives some text another verdict than every reading of the rule does."""
    unchanged = subject.automaton
    readings = readings_of(subject.spec.id, subject.rule)
    if readings:
        return shortest_binding_difference(mutant, unchanged, readings) is not None
    return shortest_difference(unchanged, mutant) is not None


@lru_cache(maxsize=512)
def _tree(key: _Key, texts: tuple[str, ...], character: str) -> _TextTree:
    """Return the tree of the texts that have a character, or of all texts if it is empty.

    Its case does not count, because a rule of whole URLs folds the letters of schemes.
    """
    numbers = [
        number
        for number, text in enumerate(texts)
        if character.lower() in "".join(letters_of_text(text)).lower()
    ]
    return _TextTree(texts, numbers, _subject(key).automaton)


class _Node:
    """A beginning of texts that branches or ends: the branches after it, and the numbers of its valid texts.

    A branch is a pair (letters that are read, next node). `ending` is the number and the right verdict of the
    text that ends here, or None.
    """

    __slots__ = ("branches", "ending", "valid")

    def __init__(self) -> None:
        self.branches: list[tuple[str, _Node]] = []
        self.ending: tuple[int, bool] | None = None
        self.valid: list[int] = []


class _TextTree:
    """Some texts with their right verdicts, as a tree, so that equal beginnings are read once."""

    def __init__(self, texts: Sequence[str], numbers: Iterable[int], unchanged: Automaton) -> None:
        pairs = sorted(("".join(letters_of_text(texts[number])), number) for number in numbers)
        self._valid = {number for _, number in pairs if unchanged.accepts(texts[number])}
        self._root = _Node()
        pending = [(self._root, 0, pairs)]
        while pending:
            node, length, pairs_below = pending.pop()
            for branch in self._fill(node, length, pairs_below):
                # in sorted texts, what the first and the last have in common is common to all
                common = commonprefix([branch[0][0], branch[-1][0]])  # noqa: RUF071 - of texts
                child = _Node()
                node.branches.append((common[length:], child))
                pending.append((child, len(common), branch))

    def _fill(self, node: _Node, length: int, pairs: Sequence[_Pair]) -> Iterator[list[_Pair]]:
        """Fill a node with the texts that begin with its letters, and yield those of each branch.

        `length` is the number of these letters, and the texts are sorted.
        """
        node.valid = [number for _, number in pairs if number in self._valid]
        branches: dict[str, list[_Pair]] = {}
        for letters, number in pairs:
            if len(letters) == length:
                node.ending = number, number in self._valid
            else:
                branches.setdefault(letters[length], []).append((letters, number))
        yield from branches.values()

    def misjudged(self, mutant: Automaton) -> list[int]:
        """Return the numbers of the texts to which a mutant gives a wrong verdict."""
        if mutant.start == SINK:
            return list(self._root.valid)
        # this loop runs for every mutant, so it reads no attributes of the mutant
        classes = mutant.classes
        table = mutant.table
        accepting = mutant.accepting
        wrong_numbers: list[int] = []
        pending = [(self._root, mutant.start)]
        while pending:
            node, state = pending.pop()
            if node.ending is not None:
                number, is_valid = node.ending
                if is_valid is not (state in accepting):
                    wrong_numbers.append(number)
            for letters, child in node.branches:
                following = state
                try:
                    for letter in letters:  # no letter leads out of the sink
                        following = table[following][classes[letter]]
                except KeyError:  # no text of the mutant has the letter
                    following = SINK
                if following == SINK:  # the mutant refuses all longer texts
                    wrong_numbers += child.valid
                else:
                    pending.append((child, following))
        return wrong_numbers
