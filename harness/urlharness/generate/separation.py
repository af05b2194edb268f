"""Words that tell states apart: harmonised separating families from a splitting tree.

The family of a state holds, for every other state, a word that is accepted from one of the two only; and that
word is in the families of both.  The tree begins with all states in one block and the empty word, which tells
accepting states from the others; so the empty word is in every family, and acceptance itself is always seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from urlharness.generate.alphabet import representatives, rows
from urloracle.automaton import Automaton

#: For each state its separating words, shortest first.
Families = tuple[tuple[str, ...], ...]

_States = frozenset[int]


class NotMinimal(ValueError):
    """An automaton with two states that no word tells apart."""


def separating_families(automaton: Automaton) -> Families:
    """The separating families of a minimal automaton; raises NotMinimal."""
    following = rows(automaton, representatives(automaton))
    accepting = frozenset(automaton.accepting)
    words = _separating_words(accepting, following)
    # a transition into a state costs a word for each of its family: what is reached often is told apart early
    weights = Counter(target for row in following for target in row.values())
    families: list[list[str]] = [[""] for _ in following]
    everything = frozenset(range(len(following)))
    blocks = [accepting, everything - accepting]
    while blocks:
        block = blocks.pop()
        if len(block) < 2:
            continue
        word, part = _best(block, words, weights)
        for state in block:
            families[state].append(word)
        blocks += [part, block - part]
    return tuple(tuple(sorted(family, key=lambda word: (len(word), word))) for family in families)


def _separating_words(
    accepting: _States, following: Sequence[Mapping[str, int]]
) -> list[tuple[str, _States]]:
    """Words enough to tell all states apart, and the states from which each is accepted.

    They are the shortest ones, and those with one character before them, which gives the tree a choice.
    """
    everything = frozenset(range(len(following)))
    found, queue = {accepting: ""}, [accepting]
    blocks = [block for block in (accepting, everything - accepting) if block]
    for accepted in queue:
        for char in following[0]:
            before = _before(accepted, char, following)
            divided = [part for block in blocks for part in (block & before, block - before) if part]
            if len(divided) > len(blocks):
                blocks = divided
                found[before] = char + found[accepted]
                queue.append(before)
    if len(blocks) < len(following):
        alike = next(sorted(block) for block in blocks if len(block) > 1)
        raise NotMinimal(f"no word tells the states {alike} apart")
    for accepted, word in list(found.items()):
        for char in following[0]:
            found.setdefault(_before(accepted, char, following), char + word)
    return [(word, accepted) for accepted, word in found.items()]


def _before(accepted: _States, char: str, following: Sequence[Mapping[str, int]]) -> _States:
    """The states from which a character leads to one of those."""
    return frozenset(state for state, row in enumerate(following) if row[char] in accepted)


def _best(
    block: _States, words: Sequence[tuple[str, _States]], weights: Mapping[int, int]
) -> tuple[str, _States]:
    """The word that divides a block best, and its states from which the word is accepted."""

    def cost(part: _States) -> int:
        return len(part) * sum(weights[state] + 1 for state in part)

    candidates = ((word, block & accepted) for word, accepted in words)
    parts = [(word, part) for word, part in candidates if 0 < len(part) < len(block)]
    return min(parts, key=lambda found: cost(found[1]) + cost(block - found[1]))
