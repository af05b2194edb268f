"""The ways in which an expression reads a text: how much backtracking costs, and whether groups are decided.

A matcher that backtracks tries, at worst, every way to read every beginning of the text. What it takes
follows from the number of these ways (Weber and Seidl 1991, on the ambiguity of finite automata):

- It grows exponentially if a position has two different cycles that read the same text.
- Otherwise it grows as a power of the length if some text leads from a position P to itself, from P to
  another position Q, and from Q to itself. The exponent is the number of such pairs that one way can pass.
- Otherwise there is a bound for all texts, and the matcher takes time proportional to the length.

The automaton is that of Glushkov: a state for each character set of the expression. Unlike the one of the
oracle, it counts the ways from a position to the next, so that `(a*)*` is exponential, and its steps store
where captures begin and end. If two ways have different captures, what groups match depends on the matcher.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeVar

from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)

#: Positions of the automaton that a matcher is in at once.
_Positions = tuple[int, ...]
#: The captures that begin and end before a character: names with "<" and ">" before them.
_Marks = tuple[str, ...]
_START = 0
#: Of equal ways it only matters whether there are at least two.
_MOST_EQUAL = 2


_Equal = TypeVar("_Equal")
_State = TypeVar("_State")


class Way(NamedTuple):
    """A way into a position or out of it, or past an expression, with the marks on the way."""

    position: int
    marks: _Marks


class _Fragment(NamedTuple):
    """The ways into an expression, out of it, and past it if it derives the empty text."""

    first: list[Way]
    last: list[Way]
    empty: list[_Marks]


class WaysAutomaton:
    """The positions of an expression, and all ways from one to the next.

    Position 0 is the start. `members[position]` is its character set, `steps[position]` lists the ways to
    other positions, and `ends` those to the end of the text.
    """

    def __init__(self, expression: Expression) -> None:
        self.members: list[frozenset[str]] = [frozenset()]
        self.steps: list[list[Way]] = [[]]
        fragment = self._build(expression)
        self.steps[_START] = fragment.first
        self.ends = [*fragment.last, *(Way(_START, marks) for marks in fragment.empty)]

    @cached_property
    def reachable(self) -> list[frozenset[int]]:
        """For each position those that can follow it, directly or not."""
        targets = [{step.position for step in steps} for steps in self.steps]
        return [frozenset(_closure(following, targets.__getitem__)) for following in targets]

    def reaches(self, before: frozenset[int], after: frozenset[int]) -> bool:
        """Return True if one loop leads to another."""
        return before != after and not self.reachable[min(before)].isdisjoint(after)

    def letters(self, positions: Iterable[int]) -> frozenset[str]:
        """Return the letters that any of the positions reads."""
        return frozenset().union(*(self.members[position] for position in positions))

    def steps_together(
        self, positions: _Positions, levels: tuple[frozenset[int], ...]
    ) -> Iterator[_Positions]:
        """Yield what can follow several positions at once by one letter, each within its level."""
        choices = []
        for position, level in zip(positions, levels, strict=True):
            choices.append({step.position for step in self.steps[position] if step.position in level})
        for targets in product(*choices):
            if frozenset.intersection(*(self.members[target] for target in targets)):
                yield targets

    def ends_differently(self, first: int, second: int, *, has_differed: bool) -> bool:
        """Return True if a text can end in both positions, in ways with different marks."""
        for left, right in product(self._marks_at_end(first), self._marks_at_end(second)):
            if has_differed or left != right:
                return True
        return False

    def _marks_at_end(self, position: int) -> list[_Marks]:
        """Return the marks of each way from a position to the end of the text."""
        return [step.marks for step in self.ends if step.position == position]

    def _build(self, expression: Expression) -> _Fragment:
        """Add the positions of an expression."""
        match expression:
            case Characters(members):
                self.members.append(members)
                self.steps.append([])
                step = Way(len(self.members) - 1, ())
                return _Fragment([step], [step], [])
            case Sequence(elements):
                fragment = _Fragment([], [], [()])
                for element in elements:
                    fragment = self._join(fragment, self._build(element))
                return fragment
            case Alternation(elements):
                parts = [self._build(element) for element in elements]
                return _Fragment(
                    [step for part in parts for step in part.first],
                    [step for part in parts for step in part.last],
                    _limited(marks for part in parts for marks in part.empty),
                )
            case Capture(name, element):
                return _with_marks(self._build(element), f"<{name}", f">{name}")
            case Repetition(element, minimum, maximum):
                return self._build_repetition(element, minimum, maximum)
            case Reference(name):
                raise ValueError(f"reference to {name} is not expanded")

    def _build_repetition(self, element: Expression, minimum: int, maximum: int | None) -> _Fragment:
        """Add the positions of each copy of a repeated element."""
        fragment = _Fragment([], [], [()])
        if maximum is None:
            for _ in range(minimum - 1):
                fragment = self._join(fragment, self._build(element))
            loop = self._build(element)
            self._connect(loop.last, loop.first)
            return self._join(fragment, loop if minimum else _optional(loop))
        for _ in range(minimum):
            fragment = self._join(fragment, self._build(element))
        tail = _Fragment([], [], [()])
        for _ in range(maximum - minimum):
            tail = _optional(self._join(self._build(element), tail))
        return self._join(fragment, tail)

    def _join(self, left: _Fragment, right: _Fragment) -> _Fragment:
        """Return the fragment of one part and another after it."""
        self._connect(left.last, right.first)
        later = [Way(step.position, marks + step.marks) for marks in left.empty for step in right.first]
        earlier = [Way(step.position, step.marks + marks) for step in left.last for marks in right.empty]
        empty = [before + after for before in left.empty for after in right.empty]
        return _Fragment(_limited(left.first + later), _limited(right.last + earlier), _limited(empty))

    def _connect(self, last: Iterable[Way], first: Collection[Way]) -> None:
        """Add the ways from the end of one part to the beginning of the next."""
        for before in last:
            steps = self.steps[before.position]
            steps += [Way(after.position, before.marks + after.marks) for after in first]
            self.steps[before.position] = _limited(steps)


def _optional(fragment: _Fragment) -> _Fragment:
    """Return a fragment with one more way past it, the last to be tried."""
    return fragment._replace(empty=_limited([*fragment.empty, ()]))


def _with_marks(fragment: _Fragment, begin: str, end: str) -> _Fragment:
    """Return a fragment whose ways begin and end a capture."""
    return _Fragment(
        [Way(step.position, (begin, *step.marks)) for step in fragment.first],
        [Way(step.position, (*step.marks, end)) for step in fragment.last],
        [(begin, *marks, end) for marks in fragment.empty],
    )


def _limited(ways: Iterable[_Equal]) -> list[_Equal]:
    """Return ways in order, each at most twice."""
    limited: list[_Equal] = []
    for way in ways:
        if limited.count(way) < _MOST_EQUAL:
            limited.append(way)
    return limited


# ---- the cost of backtracking


def growth(expression: Expression) -> float:
    """Return the exponent of the length by which the number of ways to read a text can grow.

    It is 0 if there is a bound for all texts, and infinite if the number can grow exponentially.
    """
    automaton = WaysAutomaton(expression)
    loops = _loops(automaton)
    if any(_has_two_cycles(automaton, loop) for loop in loops):
        return math.inf
    exponents = [0] * len(loops)
    for later, loop in enumerate(loops):  # which are in the order of the text
        for earlier, before in enumerate(loops[:later]):
            if automaton.reaches(before, loop):
                exponent = exponents[earlier] + _is_pumped(automaton, before, loop)
                exponents[later] = max(exponents[later], exponent)
    return max(exponents, default=0)


def _loops(automaton: WaysAutomaton) -> list[frozenset[int]]:
    """Return the sets of positions that lead to each other, in an order in which none leads back."""
    reachable = automaton.reachable
    loops: list[frozenset[int]] = []
    seen: set[int] = set()
    for position, targets in enumerate(reachable):
        if position in targets and position not in seen:
            loop = frozenset(target for target in targets if position in reachable[target])
            loops.append(loop)
            seen |= loop
    # what is reached from more loops comes later
    return sorted(loops, key=lambda loop: sum(automaton.reaches(before, loop) for before in loops))


def _has_two_cycles(automaton: WaysAutomaton, loop: frozenset[int]) -> bool:
    """Return True if a position of a loop has two different cycles that read the same text."""
    for position in loop:
        targets = [step.position for step in automaton.steps[position] if step.position in loop]
        if len(set(targets)) < len(targets):
            return True
    levels = (loop, loop)
    equal: list[_Positions] = [(position, position) for position in loop]
    backward: dict[_Positions, list[_Positions]] = {}
    for pair in _closure(equal, lambda pair: automaton.steps_together(pair, levels)):
        for target in automaton.steps_together(pair, levels):
            backward.setdefault(target, []).append(pair)
    returning = _closure(equal, lambda pair: backward.get(pair, []))
    return any(first != second for first, second in returning)


def _is_pumped(automaton: WaysAutomaton, before: frozenset[int], after: frozenset[int]) -> bool:
    """Return True if a text leads from P in one loop to P, from P to Q in the other, and from Q to Q."""
    letters = automaton.letters(before) & automaton.letters(after)
    common = frozenset(number for number, members in enumerate(automaton.members) if members & letters)
    levels = (before, common, after)
    for first in before & common:
        for second in after & common:
            begin: list[_Positions] = [(first, first, second)]
            reached = _closure(begin, lambda positions: automaton.steps_together(positions, levels))
            if (first, second, second) in reached:
                return True
    return False


def _closure(starts: Iterable[_State], following: Callable[[_State], Iterable[_State]]) -> set[_State]:
    """Return all states that can be reached, with those to start from."""
    reached = set(starts)
    queue = deque(reached)
    while queue:
        for target in following(queue.popleft()):
            if target not in reached:
                reached.add(target)
                queue.append(target)
    return reached


# ---- what groups match


def divided_text(expression: Expression) -> str | None:
    """Return a shortest text that can be read in two ways with different captures, or None."""
    automaton = WaysAutomaton(expression)
    start = (_START, _START, False)
    words = {start: ""}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        first, second, differs = state
        if automaton.ends_differently(first, second, has_differed=differs):
            return words[state]
        for left, right in product(automaton.steps[first], automaton.steps[second]):
            letters = automaton.members[left.position] & automaton.members[right.position]
            if not letters:
                continue
            low, high = sorted((left.position, right.position))
            target = (low, high, differs or left.marks != right.marks)
            if target not in words:
                words[target] = words[state] + min(letters)
                queue.append(target)
    return None
