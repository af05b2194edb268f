"""Complete test suites of an automaton: the HSI method, a state cover extended by separating families.

A suite with `k` extra states has the words `p x w`: `p` reaches a state by the shortest way, `x` is any word
of at most `k + 1` characters, and `w` is of the separating family of the state that `p x` leads to.
A program that gives the right verdict on all of them is right on every text, provided that it is a
deterministic automaton over the same characters with at most `k` states more than the minimal one
(Petrenko, Yevtushenko, Luo and others; W-method of Chow and Vasilevskii).  It may otherwise be as wrong as it
likes: transitions redirected, acceptance flipped, any number of faults at once.

With one character for each class (the default) this holds of programs that treat the characters of a class
alike; with `alphabet=EVERY` it holds of all programs over those characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from urlharness.generate.alphabet import representatives, rows
from urlharness.generate.separation import Families, separating_families
from urloracle.automaton import Automaton


def state_cover(automaton: Automaton) -> Mapping[int, str]:
    """For each state, the sink included, a shortest word that leads to it, by breadth-first search."""
    following = rows(automaton, representatives(automaton))
    words = {automaton.start: ""}
    queue = [automaton.start]
    for state in queue:
        for char, target in following[state].items():
            if target not in words:
                words[target] = words[state] + char
                queue.append(target)
    return words


def suite(
    automaton: Automaton, k: int = 0, *, alphabet: str | None = None, families: Families | None = None
) -> Iterator[str]:
    """The words of the suite of a minimal automaton with `k` extra states; each once, in a fixed order.

    `alphabet` are the characters of transitions, one of each class by default; it has to contain those.
    `families` replaces the separating families, for those who test what a poor choice misses.  Nothing is
    kept of the words already given.  Raises NotMinimal for an automaton that is not.
    """
    if families is None:
        families = separating_families(automaton)
    following = rows(automaton, alphabet or representatives(automaton))
    cover = state_cover(automaton)
    inner = set(cover.values())
    rests = [_rests(family) for family in families]
    for state, access in cover.items():
        path = [automaton.start]
        for char in access:
            path.append(following[path[-1]][char])
        assert path[-1] == state
        pending = [(access, tuple(path), k + 1)]
        while pending:
            word, states, more = pending.pop()
            given = _given(word, states, rests)
            for end in families[states[-1]]:
                if end not in given:
                    yield word + end
            if more:
                pending += [
                    (longer, (*states, target), more - 1)
                    for char, target in reversed(following[states[-1]].items())
                    if (longer := word + char) not in inner
                ]


def _rests(family: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """By each beginning of a word of the family what may follow it; the empty beginning is left out."""
    found: dict[str, set[str]] = {}
    for word in family:
        for cut in range(1, len(word) + 1):
            found.setdefault(word[:cut], set()).add(word[cut:])
    return {begin: frozenset(ends) for begin, ends in found.items()}


def _given(word: str, states: Sequence[int], rests: Sequence[Mapping[str, frozenset[str]]]) -> frozenset[str]:
    """The ends with which the word has been given before: by a prefix and a word of that prefix's family.

    Every prefix of what a suite extends is extended itself, so a look at the families is enough.
    """
    given: frozenset[str] = frozenset()
    for cut in range(len(word)):
        ends = rests[states[cut]].get(word[cut:])
        if ends is not None:
            given |= ends
    return given
