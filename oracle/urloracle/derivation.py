"""Derivations: the tree of rules that derives a text, found in time proportional to the text.

If a text has several derivations, the tree is the one that the `re` patterns prefer.  It uses the first
possible alternative, uses optional elements if possible, and repeats as often as possible.

A backtracking matcher tries the choices in this order, so the first derivation that it completes is that
one.  Whether the rest of a text can be derived depends only on the offset and on what remains to be derived,
not on the choices before.  Therefore a situation that has failed once is never tried again.  What remains is
a list of tasks.  Equal lists are one object, and a grammar without recursion has finitely many, so the number
of situations is proportional to the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from urloracle.grammar.alphabet import stand_ins
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    nullable,
    unbounded,
)
from urloracle.grammar.grammar import Grammar
from urloracle.regex.rewriting import expand


@dataclass(frozen=True, slots=True)
class Derivation:
    """A node of the tree: a rule, the part of the text that it derives, and its children from left to right.

    `start` is the offset of this part in the whole text.  `bounded` is true if the words of the rule have a
    maximum length; for example, those of `pct-encoded` have three characters.
    """

    rule: str
    section: str
    text: str
    start: int
    bounded: bool
    children: tuple[Derivation, ...] = ()


def derivation(grammar: Grammar, rule: str, text: str) -> Derivation | None:
    """Return the derivation of a text, or None if the rule does not derive the text.

    The leaves of the tree are rules whose words are single characters.
    """
    matched = text
    if rule.lower() in grammar.fold_scheme and text.isascii():  # R-1738-03, which is about ASCII letters
        scheme, colon, rest = text.partition(":")
        matched = f"{scheme.lower()}{colon}{rest}"
    path = _Search(grammar, matched).path(Reference(grammar.canonical_name(rule)))
    return None if path is None else _tree(grammar, path, text)


class _EndOfRule:
    """A task: note that the innermost open rule ends here."""


@dataclass(frozen=True, eq=False, slots=True)
class _EndOfIteration:
    """A task: refuse an iteration that derived the empty string, otherwise continue with the repetition."""

    repetition: Repetition


@dataclass(frozen=True, eq=False, slots=True)
class _Tasks:
    """What remains to be derived: a task, and the tasks after it.  Equal lists are the same object."""

    task: Expression | _EndOfRule | _EndOfIteration
    rest: _Tasks | None


class _Mark(NamedTuple):
    """A rule that begins at an offset, or the end of the innermost open rule if `rule` is None.

    The marks before it, which are linked by `before`, are those of the choices that led here.
    """

    before: _Mark | None
    rule: str | None
    offset: int


class _Situation(NamedTuple):
    """The tasks that remain at an offset, and the marks so far.

    `empty` is the number of open iterations that have not derived a character yet.
    """

    tasks: _Tasks | None
    offset: int
    empty: int
    path: _Mark | None


class _Search:
    """The search for the preferred derivation of a text, which is read by its letters."""

    def __init__(self, grammar: Grammar, text: str) -> None:
        self._grammar = grammar
        self._text = stand_ins(text)
        self._lists: dict[tuple[int, int], _Tasks] = {}
        self._iterations: dict[tuple[int, int, int | None], _EndOfIteration] = {}
        self._end_of_rule = _EndOfRule()
        self._nullable: dict[int, bool] = {}

    def path(self, reference: Reference) -> _Mark | None:
        """Return the last mark of the preferred derivation of the whole text, or None if there is none."""
        tried: set[tuple[int, int, int]] = set()
        pending = [_Situation(self._then(reference, None), offset=0, empty=0, path=None)]
        while pending:
            situation = pending.pop()
            if situation.tasks is None:
                if situation.offset == len(self._text):
                    return situation.path
                continue
            key = (id(situation.tasks), situation.offset, situation.empty)
            if key not in tried:
                tried.add(key)
                choices = list(self._choices(situation, situation.tasks))
                pending += reversed(choices)  # the preferred choice is taken next
        return None

    def _then(self, task: Expression | _EndOfRule | _EndOfIteration, rest: _Tasks | None) -> _Tasks:
        """Return the list of a task and the tasks after it."""
        key = (id(task), id(rest))  # the list keeps both objects, so that no other object gets their ids
        if key not in self._lists:
            self._lists[key] = _Tasks(task, rest)
        return self._lists[key]

    def _choices(  # noqa: C901 - one case for each kind of task
        self, situation: _Situation, tasks: _Tasks
    ) -> Iterator[_Situation]:
        """Yield the situations after the first task, the preferred one first."""
        rest = tasks.rest
        match tasks.task:
            case Characters(members):
                if self._text[situation.offset : situation.offset + 1] in members:
                    yield _Situation(rest, situation.offset + 1, empty=0, path=situation.path)
            case Reference(name):
                yield from self._rule(name, situation, rest)
            case Capture(_, element):
                yield situation._replace(tasks=self._then(element, rest))
            case Alternation(elements):
                for element in elements:
                    yield situation._replace(tasks=self._then(element, rest))
            case Sequence(elements):
                following = rest
                for element in reversed(elements):
                    following = self._then(element, following)
                yield situation._replace(tasks=following)
            case Repetition() as repetition:
                yield from self._repetition(repetition, situation, rest)
            case _EndOfIteration(repetition):
                if situation.empty == 0:
                    yield situation._replace(tasks=self._then(repetition, rest))
            case _EndOfRule():
                yield situation._replace(tasks=rest, path=_Mark(situation.path, None, situation.offset))

    def _rule(self, name: str, situation: _Situation, rest: _Tasks | None) -> Iterator[_Situation]:
        """Yield the situation inside a rule or, if it is a leaf, the one after its character."""
        offset = situation.offset
        begin = _Mark(situation.path, name, offset)
        members = self._grammar.character_class(Reference(name))
        if members is None:
            inside = self._then(self._grammar[name], self._then(self._end_of_rule, rest))
            yield situation._replace(tasks=inside, path=begin)
        elif self._text[offset : offset + 1] in members:  # a leaf
            end = _Mark(begin, None, offset + 1)
            yield _Situation(rest, offset + 1, empty=0, path=end)

    def _repetition(
        self, repetition: Repetition, situation: _Situation, rest: _Tasks | None
    ) -> Iterator[_Situation]:
        """Yield the situation in one more iteration, and then the one after the repetition."""
        element = repetition.element
        minimum = repetition.minimum
        maximum = repetition.maximum
        if maximum != 0:
            after_element = self._then(self._iteration(element, minimum, maximum), rest)
            yield situation._replace(tasks=self._then(element, after_element), empty=situation.empty + 1)
        if minimum == 0 or self._derives_empty_text(element):
            yield situation._replace(tasks=rest)

    def _iteration(self, element: Expression, minimum: int, maximum: int | None) -> _EndOfIteration:
        """Return the end of an iteration, after which the repetition has one iteration less to make."""
        fewer = max(minimum - 1, 0)
        most = None if maximum is None else maximum - 1
        key = (id(element), fewer, most)
        if key not in self._iterations:
            self._iterations[key] = _EndOfIteration(Repetition(element, fewer, most))
        return self._iterations[key]

    def _derives_empty_text(self, element: Expression) -> bool:
        """Return True if the element derives the empty text, so that no iteration need be made."""
        if id(element) not in self._nullable:
            self._nullable[id(element)] = nullable(expand(self._grammar, element, {}))
        return self._nullable[id(element)]


def _marks_of(path: _Mark) -> list[_Mark]:
    """Return the marks of a path, whose last one it is, in the order of the text."""
    marks: list[_Mark] = []
    mark: _Mark | None = path
    while mark is not None:
        marks.append(mark)
        mark = mark.before
    return marks[::-1]


def _tree(grammar: Grammar, path: _Mark, text: str) -> Derivation:
    """Return the tree of a path whose first mark begins the root."""
    bounded: dict[str, bool] = {}
    open_rules: list[_Mark] = []
    # the finished children of each open rule; the first list is for the root, which no rule contains
    children: list[list[Derivation]] = [[]]
    for mark in _marks_of(path):
        if mark.rule is not None:
            open_rules.append(mark)
            children.append([])
            continue
        _, name, start = open_rules.pop()
        assert name is not None  # a rule is opened by its name
        if name not in bounded:
            bounded[name] = not unbounded(expand(grammar, grammar[name], {}))
        node = Derivation(
            rule=grammar.canonical_name(name),
            section=grammar.section(name),
            text=text[start : mark.offset],
            start=start,
            bounded=bounded[name],
            children=tuple(children.pop()),
        )
        children[-1].append(node)
    (root,) = children[0]
    return root
