"""The size of the language of a rule: minimal automaton, shortest member, words by length."""

from __future__ import annotations

from typing import NamedTuple

from generator.markdown import code, count
from urloracle.automata.dfa import SINK, Automaton
from urloracle.language import count_words

#: For how many lengths the words of an infinite language are counted.
_LENGTHS = 3


class Size(NamedTuple):
    """The size of an automaton without its sink and the transitions to it.

    Characters that the automaton treats alike form a class; characters that no member contains have no
    class.
    """

    states: int
    classes: int
    transitions: int

    def __str__(self) -> str:
        states = count(self.states, "state")
        classes = count(self.classes, "class", "classes")
        transitions = count(self.transitions, "transition")
        return f"{states}, {classes}, {transitions}"


def size(automaton: Automaton) -> Size:
    """Return the size of a minimal automaton."""
    columns = set()
    for kind in set(automaton.classes.values()):
        column = tuple(row[kind] for row in automaton.table)
        if set(column) != {SINK}:
            columns.add(column)
    transitions = sum(len(column) - column.count(SINK) for column in columns)
    return Size(len(automaton.table) - 1, len(columns), transitions)


def words(automaton: Automaton) -> str:
    """Return the number of words: in all if the language is finite, otherwise for the shortest lengths."""
    shortest = automaton.shortest_member()
    if shortest is None:
        return "no words"
    longest = _longest(automaton)
    if longest is not None:
        whole = sum(count_words(automaton, range(longest + 1)))
        return f"{count(whole, 'word')} in all"
    lengths = range(len(shortest), len(shortest) + _LENGTHS)
    numbers = zip(count_words(automaton, lengths), lengths, strict=True)
    by_length = ", ".join(f"{number:,} of {length}" for number, length in numbers)
    return f"words by length: {by_length}"


def shortest(automaton: Automaton) -> str:
    """Return a shortest member as code."""
    member = automaton.shortest_member()
    return "none" if member is None else code(member)


def _longest(automaton: Automaton) -> int | None:
    """Return the length of the longest word, or None if the language is infinite."""
    lengths: dict[int, int] = {}
    for state in _postorder(automaton):
        following = set(automaton.table[state]) - {SINK}
        if not following <= lengths.keys():  # the state lies on a cycle
            return None
        lengths[state] = max((lengths[target] + 1 for target in following), default=0)
    return lengths[automaton.start]


def _postorder(automaton: Automaton) -> list[int]:
    """Return the states in postorder: each after its successors, except on a cycle."""
    order: list[int] = []
    seen = {SINK}
    stack = [(automaton.start, False)]
    while stack:
        state, is_visited = stack.pop()  # visited: with all of its successors
        if is_visited:
            order.append(state)
        elif state not in seen:
            seen.add(state)
            stack.append((state, True))
            stack += [(target, False) for target in automaton.table[state]]
    return order
