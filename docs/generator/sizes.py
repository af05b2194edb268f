"""The size of the language of a rule: minimal automaton, shortest member, words by length."""

from __future__ import annotations

from typing import NamedTuple

from generator.markdown import code, count
from urloracle.automata.dfa import SINK, Automaton
from urloracle.language import count_words

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
        states, classes = count(self.states, "state"), count(self.classes, "class", "classes")
        return f"{states}, {classes}, {count(self.transitions, 'transition')}"


def size(automaton: Automaton) -> Size:
    """Return the size of a minimal automaton."""
    used = sorted(set(automaton.classes.values()))
    columns = {tuple(row[number] for row in automaton.table) for number in used}
    columns = {column for column in columns if any(following != SINK for following in column)}
    transitions = sum(following != SINK for column in columns for following in column)
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
    return f"words by length: {', '.join(f'{number:,} of {length}' for number, length in numbers)}"


def shortest(automaton: Automaton) -> str:
    """Return a shortest member as code."""
    member = automaton.shortest_member()
    return "none" if member is None else code(member)


def _longest(automaton: Automaton) -> int | None:
    """Return the length of the longest word, or None if the language is infinite."""
    lengths: dict[int, int | None] = {}
    for state in _postorder(automaton):
        following = {target for target in automaton.table[state] if target != SINK}
        lengths_after = [lengths.get(target) for target in following]
        if None in lengths_after:  # it lies on a cycle, or leads to one
            return None
        lengths[state] = max((length + 1 for length in lengths_after if length is not None), default=0)
    return lengths[automaton.start]


def _postorder(automaton: Automaton) -> list[int]:
    """Return the states in postorder: each after its successors, except on a cycle."""
    order: list[int] = []
    seen = {SINK}
    stack = [(automaton.start, False)]
    while stack:
        state, done = stack.pop()
        if done:
            order.append(state)
        elif state not in seen:
            seen.add(state)
            stack.append((state, True))
            stack += [(target, False) for target in automaton.table[state]]
    return order
