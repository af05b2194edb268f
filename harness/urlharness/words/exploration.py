"""Words that take transitions which no word before took, until all transitions are taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from random import Random

from urlharness.words.sampling import Sampler, below
from urloracle.automata.dfa import Automaton

#: A transition: its state and its class of characters.
_Transition = tuple[int, int]


def explored(automaton: Automaton, sampler: Sampler, random: Random) -> Iterator[str]:
    """Draw words of the sampler, until they have taken every transition that its words can take.

    Each word takes at least one transition that no word before took.
    """
    explorer = _Explorer(automaton, sampler)
    while explorer.left:
        yield explorer.word(random)


class _Explorer:
    """Draws words. `left` maps each transition that no word has taken yet to the state that it leads to."""

    def __init__(self, automaton: Automaton, sampler: Sampler) -> None:
        self._viable = sampler.viable
        self._start = automaton.start
        #: By state and class: the characters that the sampler draws, and the next state.
        self._steps: list[dict[int, tuple[list[str], int]]] = []
        for targets in sampler.targets:
            row: dict[int, tuple[list[str], int]] = {}
            for char, target in targets.items():
                row.setdefault(automaton.classes[char], ([], target))[0].append(char)
            self._steps.append(row)
        self._reached = self._forward()
        lengths = frozenset(sampler.lengths)
        #: By state, numbers of characters as bits: how many can lead from the start to the state (`_before`),
        #: and how many can lead from the state to acceptance (`_after`).
        self._before = _bits(self._reached, len(self._steps))
        self._after = _bits(self._viable, len(self._steps))
        self._lengths = sum(1 << length for length in lengths)
        self.left = {
            (state, kind): target
            for state, row in enumerate(self._steps)
            for kind, (_, target) in row.items()
            if self._place(state, target) is not None
        }

    def word(self, random: Random) -> str:
        """Draw a word that takes at least one of the transitions that are left."""
        left = list(self.left)
        state, kind = left[below(random, len(left))]
        place = self._place(state, self.left[state, kind])
        assert place is not None  # otherwise the transition would not be left
        before, rests = place
        allowed = [*self._towards(state, before)]
        word, state = self._walk(random, self._start, allowed)
        chars, target = self._steps[state][kind]
        self.left.pop((state, kind), None)
        lengths = [length for length in range(rests.bit_length()) if rests >> length & 1]
        rest = lengths[below(random, len(lengths))]
        end, _ = self._walk(random, target, self._viable[:rest][::-1])
        return word + chars[below(random, len(chars))] + end

    def _walk(self, random: Random, state: int, allowed: Sequence[AbstractSet[int]]) -> tuple[str, int]:
        """Take a step into each set of states in turn, by a new transition if one leads there.

        Return (text, last state).
        """
        word = ""
        for states in allowed:
            kinds = [kind for kind, (_, target) in self._steps[state].items() if target in states]
            kinds = [kind for kind in kinds if (state, kind) in self.left] or kinds
            kind = kinds[below(random, len(kinds))]
            self.left.pop((state, kind), None)
            chars, state = self._steps[state][kind]
            word += chars[below(random, len(chars))]
        return word, state

    def _place(self, state: int, target: int) -> tuple[int, int] | None:
        """Return the minimum number of characters before a transition, and the numbers that can follow it.

        The numbers of characters after the transition are bits. Return None if no word takes the transition.
        """
        for before in range(self._before[state].bit_length()):
            rests = self._after[target] & self._lengths >> before + 1
            if rests and self._before[state] >> before & 1:
                return before, rests
        return None

    def _forward(self) -> list[frozenset[int]]:
        """Return, by number of characters, the states to which texts of this length lead."""
        found = [frozenset((self._start,))]
        for _ in self._viable[1:]:
            found.append(
                frozenset(target for state in found[-1] for _, target in self._steps[state].values())
            )
        return found

    def _towards(self, state: int, steps: int) -> Sequence[AbstractSet[int]]:
        """Return, for each of the `steps` steps from the start, the states after which `state` is reachable.

        Reachable means with exactly the steps that are left.
        """
        found: list[AbstractSet[int]] = [{state}]
        for reached in self._reached[steps - 1 : 0 : -1]:
            after = found[-1]
            steps_of = ((one, self._steps[one].values()) for one in reached)
            found.append({one for one, row in steps_of if any(target in after for _, target in row)})
        return found[:steps][::-1]


def _bits(layers: Sequence[AbstractSet[int]], states: int) -> list[int]:
    """Return, for each state, the numbers of the layers that contain it, as bits."""
    found = [0] * states
    for number, layer in enumerate(layers):
        for state in layer:
            found[state] |= 1 << number
    return found
