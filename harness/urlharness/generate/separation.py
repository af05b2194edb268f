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
    everything = frozenset(range(len(following)))
    accepting = frozenset(automaton.accepting)
    families, left = _families(following, [accepting, everything - accepting])
    if left:
        raise NotMinimal(f"no word tells the states {sorted(left)} apart")
    return families


def families_of(following: Sequence[Mapping[str, int]], outputs: Sequence[_States]) -> Families:
    """The separating families of a machine whose states show one of several outputs, and not only a verdict.

    `outputs` are the states that show the same.  States that no word tells apart are left together.
    """
    return _families(following, list(outputs))[0]


def _families(
    following: Sequence[Mapping[str, int]], blocks: list[_States]
) -> tuple[Families, _States | None]:
    """The families that refine the blocks, which the empty word tells apart; and states left together."""
    words = _separating_words(blocks, following)
    left: _States | None = None
    # a transition into a state costs a word for each of its family: what is reached often is told apart early
    weights = Counter(target for row in following for target in row.values())
    families: list[list[str]] = [[""] for _ in following]
    while blocks:
        block = blocks.pop()
        if len(block) < 2:
            continue
        best = _best(block, words, weights)
        if best is None:
            left = block
            continue
        word, part = best
        for state in block:
            families[state].append(word)
        blocks += [part, block - part]
    return tuple(tuple(sorted(family, key=lambda word: (len(word), word))) for family in families), left


def _separating_words(
    outputs: Sequence[_States], following: Sequence[Mapping[str, int]]
) -> list[tuple[str, _States]]:
    """Words enough to tell all states apart that can be, and the states from which each shows one output.

    They are the shortest ones, and those with one character before them, which gives the tree a choice.
    """
    blocks = [block for block in outputs if block]
    found = dict.fromkeys(blocks[: len(blocks) - (len(blocks) == 2)], "")  # of two the one says the other
    queue = list(found)
    for accepted in queue:
        for char in following[0]:
            before = _before(accepted, char, following)
            divided = [part for block in blocks for part in (block & before, block - before) if part]
            if len(divided) > len(blocks):
                blocks = divided
                found[before] = char + found[accepted]
                queue.append(before)
    for accepted, word in list(found.items()):
        for char in following[0]:
            found.setdefault(_before(accepted, char, following), char + word)
    return [(word, accepted) for accepted, word in found.items()]


def _before(accepted: _States, char: str, following: Sequence[Mapping[str, int]]) -> _States:
    """The states from which a character leads to one of those."""
    return frozenset(state for state, row in enumerate(following) if row[char] in accepted)


def _best(
    block: _States, words: Sequence[tuple[str, _States]], weights: Mapping[int, int]
) -> tuple[str, _States] | None:
    """The word that divides a block best, and its states from which it is accepted; None for no word."""

    def cost(part: _States) -> int:
        return len(part) * sum(weights[state] + 1 for state in part)

    candidates = ((word, block & accepted) for word, accepted in words)
    parts = [(word, part) for word, part in candidates if 0 < len(part) < len(block)]
    return min(parts, default=None, key=lambda found: cost(found[1]) + cost(block - found[1]))
