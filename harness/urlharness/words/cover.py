"""Few words that together take every transition of an automaton.

Within a strongly connected component, one path can take all transitions. So the number of words is the size
of a minimum flow between the components, if each transition between two components must carry at least one
word. A set of transitions proves that fewer words do not suffice, because no word can take two of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from urlharness.words.paths import LabelledTransition, Paths
from urloracle.automata.dfa import Automaton

_SOURCE, _END = -1, -2
_Edge = tuple[int, int]


class Cover(NamedTuple):
    """Words that take every transition, and a proof that fewer than `bound` words do not.

    `apart` contains `bound` transitions such that no word takes two of them. It is empty if one word
    suffices.
    """

    words: tuple[str, ...]
    bound: int
    apart: tuple[LabelledTransition, ...]


def cover(automaton: Automaton) -> Cover:
    """Return as few words as possible that take every transition. Return none for the empty language."""
    paths = Paths(automaton)
    if not paths.prefixes:
        return Cover((), 0, ())
    components = _components(paths)
    crossing = [one for one in paths.transitions() if components[one.source] != components[one.target]]
    needed = Counter((components[one.source], components[one.target]) for one in crossing)
    ends = {components[state] for state in automaton.accepting if state in components}
    first = components[automaton.start]
    flow = _feasible(needed, first, ends)
    reached = _reduce(flow, needed)
    apart = tuple(
        one for one in crossing if components[one.source] in reached and components[one.target] not in reached
    )
    words = _Walker(paths, components, crossing, flow).words()
    return Cover(tuple(words), max(1, len(apart)), apart)


def _components(paths: Paths) -> dict[int, int]:
    """Map each state to the number of its strongly connected component. The numbers are topological."""
    order: list[int] = []
    seen = {paths.automaton.start}
    stack = [(paths.automaton.start, iter(paths.steps[paths.automaton.start].values()))]
    while stack:
        state, rest = stack[-1]
        target = next((one for one in rest if one not in seen), None)
        if target is None:
            order.append(state)
            stack.pop()
        else:
            seen.add(target)
            stack.append((target, iter(paths.steps[target].values())))
    before: dict[int, list[int]] = {}
    for one in paths.transitions():
        before.setdefault(one.target, []).append(one.source)
    found: dict[int, int] = {}
    number = 0
    for root in reversed(order):
        if root in found:
            continue
        found[root] = number
        queue = [root]
        for state in queue:
            for source in before.get(state, ()):
                if source not in found:
                    found[source] = number
                    queue.append(source)
        number += 1
    return found


def _feasible(needed: Counter[_Edge], first: int, ends: set[int]) -> Counter[_Edge]:
    """Return a flow with a separate word for each transition between components."""
    if not needed:
        return Counter({(_SOURCE, first): 1, (first, _END): 1})
    back = {first: _SOURCE}
    for one, other in sorted(needed):  # the numbers are topological
        back.setdefault(other, one)
    onward = dict.fromkeys(ends, _END)
    for one, other in sorted(needed, reverse=True):
        onward.setdefault(one, other)
    flow: Counter[_Edge] = Counter()
    for (one, other), count in needed.items():
        trail = [one, other]
        while trail[0] != _SOURCE:
            trail.insert(0, back[trail[0]])
        while trail[-1] != _END:
            trail.append(onward[trail[-1]])
        for edge in pairwise(trail):
            flow[edge] += count
    return flow


def _reduce(flow: Counter[_Edge], needed: Counter[_Edge]) -> set[int]:
    """Reduce the flow to a minimum flow. Return the nodes on the source side of the cut that proves it."""
    after: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for one, other in sorted(flow):
        after.setdefault(one, []).append(other)
        before.setdefault(other, []).append(one)
    while needed:
        came: dict[int, tuple[int, int]] = {_SOURCE: (_SOURCE, 0)}  # the node before, and the change
        queue = [_SOURCE]
        for node in queue:
            steps = [(other, -1) for other in after.get(node, ()) if flow[node, other] > needed[node, other]]
            steps += [(other, 1) for other in before.get(node, ())]
            for other, change in steps:
                if other not in came:
                    came[other] = (node, change)
                    queue.append(other)
            if _END in came:
                break
        else:
            return set(came)
        changes = []
        node = _END
        while node != _SOURCE:
            previous, change = came[node]
            changes.append(((previous, node) if change < 0 else (node, previous), change))
            node = previous
        amount = min(flow[edge] - needed[edge] for edge, change in changes if change < 0)
        for edge, change in changes:
            flow[edge] += change * amount
    return set()


class _Walker:
    """Makes the words of a flow. Each visit of a word to a component takes a share of its transitions."""

    def __init__(
        self,
        paths: Paths,
        components: Mapping[int, int],
        crossing: Iterable[LabelledTransition],
        flow: Counter[_Edge],
    ) -> None:
        self._paths = paths
        self._components = components
        self._flow = +flow
        self._crossing: dict[_Edge, list[LabelledTransition]] = {}
        for one in crossing:
            self._crossing.setdefault((components[one.source], components[one.target]), []).append(one)
        self._left: dict[int, set[LabelledTransition]] = {}  # by component: its own transitions not taken yet
        for one in paths.transitions():
            if components[one.source] == components[one.target]:
                self._left.setdefault(components[one.source], set()).add(one)
        self._visits: Counter[int] = Counter()
        self._after: dict[int, list[int]] = {}
        for (before, after), count in sorted(self._flow.items()):
            self._visits[after] += count
            self._after.setdefault(before, []).append(after)

    def words(self) -> Iterator[str]:
        """Yield a word for each unit of the flow."""
        start = self._paths.automaton.start
        while self._flow[_SOURCE, self._components[start]]:
            self._flow[_SOURCE, self._components[start]] -= 1
            yield self._word(start)

    def _word(self, state: int) -> str:
        word = []
        while True:
            component = self._components[state]
            state, text = self._share(component, state)
            word.append(text)
            after = next(one for one in self._after[component] if self._flow[component, one])
            self._flow[component, after] -= 1
            if after == _END:
                _, text = self._nearest(component, state, self._paths.automaton.accepting.__contains__)
                return "".join((*word, text))
            unused = self._crossing[component, after]
            crossing = unused.pop() if len(unused) > 1 else unused[0]
            _, text = self._nearest(component, state, crossing.source.__eq__)
            word += [text, crossing.character]
            state = crossing.target

    def _share(self, component: int, state: int) -> tuple[int, str]:
        """Take this visit's share of the transitions of a component. Return (last state, text)."""
        left = self._left.get(component, set())
        visits = self._visits[component]
        self._visits[component] -= 1
        goal, text = len(left) * (visits - 1) // visits, []
        while len(left) > goal:
            sources = {one.source for one in left}
            state, way = self._nearest(component, state, sources.__contains__)
            text.append(way)
            char, target = next(
                step for step in self._paths.steps[state].items() if LabelledTransition(state, *step) in left
            )
            left.remove(LabelledTransition(state, char, target))
            text.append(char)
            state = target
        return state, "".join(text)

    def _nearest(self, component: int, state: int, meets: Callable[[int], bool]) -> tuple[int, str]:
        """Return the nearest state of the component that meets a condition, and the text that leads to it."""
        ways = {state: ""}
        for one in (queue := [state]):
            if meets(one):
                return one, ways[one]
            for char, target in self._paths.steps[one].items():
                if target not in ways and self._components[target] == component:
                    ways[target] = ways[one] + char
                    queue.append(target)
        raise AssertionError("a component is strongly connected")
