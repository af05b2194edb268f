"""Few words that together take every transition of an automaton.

Within a strongly connected component, one path can take all transitions. So the number of words is the size
of a minimum flow between the components, if each transition between two components must carry at least one
word. A set of transitions proves that fewer words do not suffice, because no word can take two of them.

The flow is found in two steps. A first flow has a separate word for each transition between components. Then
augmenting paths reduce it, as in the method of Ford and Fulkerson, but from the lower bounds: a path goes
along an edge that carries more than it must, which takes a unit away, or against any edge, which adds one.
When no path leads from the source to the end, the transitions that leave the reached components are the
proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from urlharness.words.paths import LabelledTransition, Paths
from urloracle.automata.dfa import Automaton

#: The nodes of a flow are components, and these two.
_SOURCE = -1
_END = -2
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
    crossing: dict[LabelledTransition, _Edge] = {}  # the transitions between components
    for transition in paths.transitions():
        source = components[transition.source]
        target = components[transition.target]
        if source != target:
            crossing[transition] = (source, target)

    needed = Counter(crossing.values())
    ends = {components[state] for state in automaton.accepting if state in components}
    flow = _feasible_flow(needed, components[automaton.start], ends)
    source_side = _minimize(flow, needed)
    apart = []
    for transition, (source, target) in crossing.items():
        if source in source_side and target not in source_side:
            apart.append(transition)
    words = _Walker(paths, components, crossing, flow).make_words()
    return Cover(tuple(words), max(1, len(apart)), tuple(apart))


def _components(paths: Paths) -> dict[int, int]:
    """Map each state to the number of its strongly connected component. The numbers are topological.

    This is the algorithm of Kosaraju: in the reverse order of a depth-first search, all states from which a
    state can be reached, and which have no component yet, belong to the component of the state.
    """
    sources: dict[int, list[int]] = {}
    for transition in paths.transitions():
        sources.setdefault(transition.target, []).append(transition.source)
    components: dict[int, int] = {}
    number = 0
    for root in reversed(_postorder(paths)):
        if root in components:
            continue
        queue = [root]
        while queue:
            state = queue.pop()
            components[state] = number
            queue += [source for source in sources.get(state, ()) if source not in components]
        number += 1
    return components


def _postorder(paths: Paths) -> list[int]:
    """Return the states in the order in which a depth-first search leaves them, the start last."""
    order: list[int] = []
    start = paths.automaton.start
    seen = {start}
    stack = [(start, iter(paths.steps[start].values()))]
    while stack:
        state, targets = stack[-1]
        unseen = next((target for target in targets if target not in seen), None)
        if unseen is None:
            order.append(state)
            stack.pop()
        else:
            seen.add(unseen)
            stack.append((unseen, iter(paths.steps[unseen].values())))
    return order


def _feasible_flow(needed: Counter[_Edge], first: int, ends: set[int]) -> Counter[_Edge]:
    """Return a flow with a separate word for each transition between components."""
    if not needed:
        return Counter({(_SOURCE, first): 1, (first, _END): 1})
    predecessor = {first: _SOURCE}
    for source, target in sorted(needed):  # the numbers are topological
        predecessor.setdefault(target, source)
    successor = dict.fromkeys(ends, _END)
    for source, target in sorted(needed, reverse=True):
        successor.setdefault(source, target)
    flow: Counter[_Edge] = Counter()
    for (source, target), count in needed.items():
        trail = [source, target]
        while trail[0] != _SOURCE:
            trail.insert(0, predecessor[trail[0]])
        while trail[-1] != _END:
            trail.append(successor[trail[-1]])
        for edge in pairwise(trail):
            flow[edge] += count
    return flow


def _minimize(flow: Counter[_Edge], needed: Counter[_Edge]) -> set[int]:
    """Reduce `flow` in place to a minimum flow.

    Return the nodes on the source side of the cut that proves that it is minimal. It is empty if no word must
    go from one component to another.
    """
    if not needed:
        return set()
    targets: dict[int, list[int]] = {}
    sources: dict[int, list[int]] = {}
    for source, target in sorted(flow):
        targets.setdefault(source, []).append(target)
        sources.setdefault(target, []).append(source)
    while True:
        steps = _steps_to_end(flow, needed, targets, sources)
        if _END not in steps:
            return {_SOURCE, *steps}
        changes = []  # of the flow on the edges of the path
        node = _END
        while node != _SOURCE:
            previous, change = steps[node]
            edge = (previous, node) if change < 0 else (node, previous)
            changes.append((edge, change))
            node = previous
        amount = min(flow[edge] - needed[edge] for edge, change in changes if change < 0)
        for edge, change in changes:
            flow[edge] += change * amount


def _steps_to_end(
    flow: Counter[_Edge],
    needed: Counter[_Edge],
    targets: Mapping[int, list[int]],
    sources: Mapping[int, list[int]],
) -> dict[int, tuple[int, int]]:
    """Search a path on which the flow can be reduced, breadth first, until it reaches the end.

    Return for each node (node before it, change of the flow on the edge between them).
    """
    steps: dict[int, tuple[int, int]] = {}
    queue = [_SOURCE]
    for node in queue:  # which grows in the loop
        for target in targets.get(node, ()):
            if flow[node, target] > needed[node, target] and target not in steps:
                steps[target] = (node, -1)
                queue.append(target)
        for source in sources.get(node, ()):
            if source not in steps and source != _SOURCE:
                steps[source] = (node, 1)
                queue.append(source)
        if _END in steps:
            break
    return steps


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
        self._flow = +flow  # a copy without the edges that carry nothing
        self._crossing: dict[_Edge, list[LabelledTransition]] = {}
        for transition in crossing:
            edge = (components[transition.source], components[transition.target])
            self._crossing.setdefault(edge, []).append(transition)
        #: By component: the transitions within it that no word has taken yet.
        self._untaken: dict[int, set[LabelledTransition]] = {}
        for transition in paths.transitions():
            component = components[transition.source]
            if component == components[transition.target]:
                self._untaken.setdefault(component, set()).add(transition)
        #: By component: how many words have still to visit it, and the components that can follow.
        self._visits: Counter[int] = Counter()
        self._following: dict[int, list[int]] = {}
        for (source, target), count in sorted(self._flow.items()):
            self._visits[target] += count
            self._following.setdefault(source, []).append(target)

    def make_words(self) -> Iterator[str]:
        """Yield a word for each unit of the flow, which is used up by it."""
        start = self._paths.automaton.start
        first_edge = (_SOURCE, self._components[start])
        while self._flow[first_edge]:
            self._flow[first_edge] -= 1
            yield self._make_word(start)

    def _make_word(self, start: int) -> str:
        """Make one word, and take its unit away from the flow."""
        parts = []
        state = start
        while True:
            component = self._components[state]
            state, text = self._take_share(component, state)
            parts.append(text)
            following = next(node for node in self._following[component] if self._flow[component, node])
            self._flow[component, following] -= 1
            if following == _END:
                _, text = self._nearest(component, state, self._paths.automaton.accepting.__contains__)
                return "".join((*parts, text))
            crossings = self._crossing[component, following]
            # more words than there are transitions take the last one
            crossing = crossings.pop() if len(crossings) > 1 else crossings[0]
            _, text = self._nearest(component, state, crossing.source.__eq__)
            parts += [text, crossing.character]
            state = crossing.target

    def _take_share(self, component: int, first_state: int) -> tuple[int, str]:
        """Take this visit's share of the transitions of a component. Return (last state, text)."""
        untaken = self._untaken.get(component, set())
        visits = self._visits[component]
        self._visits[component] -= 1
        for_later_visits = len(untaken) * (visits - 1) // visits
        state = first_state
        parts = []
        while len(untaken) > for_later_visits:
            sources = {transition.source for transition in untaken}
            state, text = self._nearest(component, state, sources.__contains__)
            transition = self._untaken_transition(state, untaken)
            untaken.remove(transition)
            parts += [text, transition.character]
            state = transition.target
        return state, "".join(parts)

    def _untaken_transition(self, state: int, untaken: AbstractSet[LabelledTransition]) -> LabelledTransition:
        """Return the first transition from a state that no word has taken. There must be one."""
        for char, target in self._paths.steps[state].items():
            transition = LabelledTransition(state, char, target)
            if transition in untaken:
                return transition
        raise AssertionError("the state is the source of one")

    def _nearest(self, component: int, start: int, meets: Callable[[int], bool]) -> tuple[int, str]:
        """Return the nearest state of the component that meets a condition, and the text that leads to it."""
        texts = {start: ""}
        queue = [start]
        for state in queue:  # which grows in the loop
            if meets(state):
                return state, texts[state]
            for char, target in self._paths.steps[state].items():
                if target not in texts and self._components[target] == component:
                    texts[target] = texts[state] + char
                    queue.append(target)
        raise AssertionError("a component is strongly connected")
