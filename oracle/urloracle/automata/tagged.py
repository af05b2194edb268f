"""Tagged automata: an NFA with transitions in order of preference, and the DFA of the preferred readings.

A tag marks where a capture begins or ends: tag `2 * k` opens component `k`, tag `2 * k + 1` closes it.  The
order of preference is the one in which a backtracking matcher tries the alternatives (Laurikari 2000).
A reading is one way to parse the text so far.  A state of the DFA contains one reading for each node of the
NFA that the text can lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from urloracle.automata.dfa import SINK, Automaton, determinize, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import ALPHABET, ASCII, STAND_INS
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    has_captures,
)
from urloracle.grammar.grammar import Grammar

#: The start state of a `TaggedDFA`.  State 0 is the sink.
START = 1

_NO_RULES = Grammar({}, {}, {})
_END = 0


class Transition(NamedTuple):
    """A transition of the NFA: the next node, and the tags to store when the character is read."""

    target: int
    tags: tuple[int, ...]


@dataclass(frozen=True)
class TaggedNFA:
    """An NFA; `transitions[node][class]` lists the transitions of a character class, preferred ones first.

    A tag is stored when a character is read.  The stored position is the one before the character or, if the
    tag is `eager`, the one after it.  `ends[node]` lists the tags that are passed if a text ends in the node,
    or is None if no text ends there.  `same` maps each tag that is never stored to a tag that always has the
    same position.  `classes` maps each of 256 characters to its class, a number below `kinds`, and
    `beyond` lists the classes of the ranges beyond ASCII.  No text contains a character of class 0.
    """

    classes: tuple[int, ...]
    beyond: tuple[int, ...]
    kinds: int
    transitions: tuple[Mapping[int, tuple[Transition, ...]], ...]
    ends: tuple[tuple[int, ...] | None, ...]
    start: int
    eager: frozenset[int]
    same: Mapping[int, int]


@dataclass
class _Node:
    """A node of an NFA that is being built.

    `moves` lists pairs (characters, next node): a move reads one of the characters.  `exits` lists pairs (tag
    or None, next node): an exit reads no character, and passes the tag if there is one.
    """

    moves: list[tuple[frozenset[str], int]] = field(default_factory=list)
    exits: list[tuple[int | None, int]] = field(default_factory=list)


def tagged_nfa(expression: Expression, components: tuple[str, ...]) -> TaggedNFA:
    """Return the NFA of an expression whose captures have the names of the components.

    The expression must not contain references.  Raise ValueError if a component begins right after a
    character beyond ASCII: the C engine takes the byte after the stored position for its beginning.
    """
    builder = _Builder({name: 2 * number for number, name in enumerate(components)})
    start = builder.build(expression, _END)
    nodes = builder.nodes
    alphabet = _divide_characters({characters for node in nodes for characters, _ in node.moves})
    moves = [_targets_by_class(node, alphabet) for node in nodes]

    # only the start and the targets of moves are nodes of the result; exits alone lead to the others
    entered = {start}.union(*(targets.values() for targets in moves))
    closures: list[_Closure] = []
    passed: list[list[tuple[int, ...]]] = []  # by node: the tags before each end, and before each move
    for source in range(len(nodes)):
        closure = list(_closure(nodes, source)) if source in entered else []
        closures.append(closure)
        passed.append([tags for node, tags in closure if node == _END or moves[node]])

    same = _tags_at_same_position(chain.from_iterable(passed))
    eager = _eager_tags(passed, start) - same.keys()
    stored_late = same.keys() | eager
    # a node passes an eager tag on all of its ways or on none, so the first way has it, too
    eager_of_node = [
        tuple(tag for tag in ways[0] if tag in eager) if ways else () for ways in passed
    ]  # by node: the eager tags
    transitions = []
    ends = []
    for closure in closures:
        stored_before: _Closure = []  # with the tags whose position is before the next character
        for node, tags in closure:
            stored_before.append((node, tuple(tag for tag in tags if tag not in stored_late)))
        transitions.append(_transitions_by_class(stored_before, moves, eager_of_node, alphabet.beyond))
        ends.append(dict(stored_before).get(_END))
    return TaggedNFA(
        classes=alphabet.classes,
        beyond=alphabet.beyond,
        kinds=alphabet.kinds,
        transitions=tuple(transitions),
        ends=tuple(ends),
        start=start,
        eager=eager,
        same=same,
    )


def _transitions_by_class(
    closure: _Closure,
    moves: list[dict[int, int]],
    eager_of_node: list[tuple[int, ...]],
    beyond: tuple[int, ...],
) -> dict[int, tuple[Transition, ...]]:
    """Return the transitions from the nodes of a closure, by the class that they read, preferred ones first.

    Raise ValueError if an eager tag is passed after a character beyond ASCII.
    """
    by_class: dict[int, list[Transition]] = {}
    for node, tags in closure:
        for kind, target in moves[node].items():
            eager_tags = eager_of_node[target]
            if eager_tags and kind in beyond:
                raise ValueError("a component begins after a character beyond ASCII")
            by_class.setdefault(kind, []).append(Transition(target, tags + eager_tags))
    return {kind: tuple(choices) for kind, choices in by_class.items()}


def _targets_by_class(node: _Node, alphabet: _Alphabet) -> dict[int, int]:
    """Map the classes that a node reads to the next nodes."""
    targets: dict[int, int] = {}
    for characters, target in node.moves:
        targets.update(dict.fromkeys(alphabet.holding[characters], target))
    return targets


def _tags_at_same_position(strings: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """Map opening tags to earlier opening tags that always have the same position.

    Each of `strings` lists tags in the order in which they are passed between two characters.
    """
    beside: dict[int, set[int]] = {}
    for tags in strings:
        openings: set[int] = set()  # before the tag
        for tag in tags:
            if tag % 2 == 0:
                beside[tag] = beside.get(tag, openings) & openings
                openings.add(tag)
    earliest = {tag: min(tags_beside) for tag, tags_beside in beside.items() if tags_beside}
    # an earliest tag can itself have an earlier one beside it, which then stands for both
    return {tag: earliest.get(opening, opening) for tag, opening in earliest.items()}


def _eager_tags(passed: list[list[tuple[int, ...]]], start: int) -> frozenset[int]:
    """Return the opening tags that each node passes on all of its transitions or on none of them.

    The start node must pass such a tag on none of its transitions.
    """
    certain = set[int]()
    uncertain = set[int]()
    for node, choices in enumerate(passed):
        if not choices:
            continue
        sometimes = set[int]().union(*choices)
        always = set[int]()
        if node != start:
            always = sometimes.intersection(*choices)
        certain |= always
        uncertain |= sometimes - always
    return frozenset(tag for tag in certain - uncertain if tag % 2 == 0)


@dataclass
class _Builder:
    """Adds the nodes of expressions; `opening` maps each component to the tag that opens it."""

    opening: Mapping[str, int]
    nodes: list[_Node] = field(default_factory=lambda: [_Node()])
    automata: dict[Expression, Automaton] = field(default_factory=dict)

    def build(self, expression: Expression, after: int) -> int:
        """Add the nodes of an expression that leads to node `after`, and return the first of them."""
        if not has_captures(expression) and not isinstance(expression, Characters):
            return after if expression == EMPTY else self._build_automaton(expression, after)
        match expression:
            case Characters(members):
                return self._add_node(_Node([(members, after)]))
            case Capture(name, element):
                opening_tag = self.opening[name]
                closing = self._add_node(_Node(exits=[(opening_tag + 1, after)]))
                first = self.build(element, closing)
                return self._add_node(_Node(exits=[(opening_tag, first)]))
            case Sequence(elements):
                following = after
                for element in reversed(elements):
                    following = self.build(element, following)
                return following
            case Alternation(elements):
                exits: list[tuple[int | None, int]]
                exits = [(None, self.build(element, after)) for element in elements]
                return self._add_node(_Node(exits=exits))
            case Repetition(element, minimum, maximum):
                return self._build_repetition(element, minimum, maximum, after)
            case Reference(name):
                raise ValueError(f"reference to {name} is not expanded")

    def _build_repetition(self, element: Expression, minimum: int, maximum: int | None, after: int) -> int:
        """Add the nodes of each copy of a repeated element, the last one first."""
        if maximum is None:
            loop = _Node()
            start = self._add_node(loop)
            loop.exits = [(None, self.build(element, start)), (None, after)]
        else:
            start = after
            for _ in range(maximum - minimum):
                repeated = self.build(element, start)
                start = self._add_node(_Node(exits=[(None, repeated), (None, after)]))
        for _ in range(minimum):
            start = self.build(element, start)
        return start

    def _build_automaton(self, expression: Expression, after: int) -> int:
        """Add the states of the minimal DFA of an expression without captures, which are fewer nodes."""
        if expression not in self.automata:
            positions = position_automaton(_NO_RULES, expression)
            subset_automaton, _ = determinize(positions)
            self.automata[expression] = minimize(subset_automaton)
        automaton = self.automata[expression]
        by_class: dict[int, set[str]] = {}
        for char, kind in automaton.classes.items():
            by_class.setdefault(kind, set()).add(char)
        offset = len(self.nodes)
        for state, row in enumerate(automaton.table):
            readable: dict[int, set[str]] = {}  # the characters that lead to each next state
            for kind, following in enumerate(row):
                if following != SINK:
                    readable.setdefault(following, set()).update(by_class[kind])
            node = _Node()
            for following, characters in readable.items():
                node.moves.append((frozenset(characters), offset + following))
            if state in automaton.accepting:
                node.exits.append((None, after))
            self._add_node(node)
        return offset + automaton.start

    def _add_node(self, node: _Node) -> int:
        """Add a node, and return its number."""
        self.nodes.append(node)
        return len(self.nodes) - 1


#: Pairs (node, tags passed), as `_closure` yields them.
_Closure = list[tuple[int, tuple[int, ...]]]


def _closure(nodes: list[_Node], start: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield (node, tags passed) for each node reached without reading a character, preferred nodes first."""
    seen: set[int] = set()
    stack: _Closure = [(start, ())]
    while stack:
        number, tags = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        yield number, tags
        for tag, target in reversed(nodes[number].exits):
            tags_at_target = tags if tag is None else (*tags, tag)
            stack.append((target, tags_at_target))


class _Alphabet(NamedTuple):
    """The classes of characters of an NFA.

    `classes` contains the class of each of 256 characters, `beyond` that of each range beyond ASCII, and
    `kinds` is the number of classes.  `holding` maps each set of letters to its classes.
    """

    classes: tuple[int, ...]
    beyond: tuple[int, ...]
    kinds: int
    holding: Mapping[frozenset[str], tuple[int, ...]]


def _divide_characters(sets: set[frozenset[str]]) -> _Alphabet:
    """Divide the alphabet into classes: the letters of a class are members of the same sets."""
    order = sorted(sets, key=sorted)
    memberships: dict[tuple[bool, ...], int] = {(False,) * len(order): 0}
    kind_of = {}
    for letter in ALPHABET:
        membership = tuple(letter in members for members in order)
        kind_of[letter] = memberships.setdefault(membership, len(memberships))
    classes = [0] * 256
    for letter in ASCII:
        classes[ord(letter)] = kind_of[letter]
    beyond = tuple(kind_of[letter] for letter in STAND_INS)
    holding = {}
    for index, members in enumerate(order):
        holding[members] = tuple(kind for membership, kind in memberships.items() if membership[index])
    return _Alphabet(tuple(classes), beyond, len(memberships), holding)


class Origin(NamedTuple):
    """Where a reading comes from: the reading that it continues, and the tags that are stored in addition.

    `reading` is the number of the continued reading in the previous state.
    """

    reading: int
    tags: tuple[int, ...]


class TaggedTransition(NamedTuple):
    """A transition of the DFA: the next state, and the origin of each reading in that state."""

    target: int
    origins: tuple[Origin, ...]


@dataclass(frozen=True)
class TaggedDFA:
    """A DFA; each state is the list of readings of a text so far, in order of preference.

    Readings that no whole text prefers are left out.  `ends[state]` is the origin of the preferred reading of
    a text that ends in the state, or None if no text ends there.  For each reading of a state, `needed` lists
    the tags that are needed when the text ends, and `passed` lists the tags that the reading may have passed.
    """

    transitions: tuple[tuple[TaggedTransition, ...], ...]
    ends: tuple[Origin | None, ...]
    needed: tuple[tuple[frozenset[int], ...], ...]
    passed: tuple[tuple[frozenset[int], ...], ...]


def tagged_dfa(automaton: TaggedNFA, tags: frozenset[int]) -> TaggedDFA:
    """Determinize a tagged NFA; `tags` are the tags whose positions a split reads."""
    unreduced = _determinize(automaton)
    needed = _needed_tags(unreduced, tags)
    # by state: the readings that some whole text prefers, each with its new number
    numbers: list[dict[int, int]] = []
    for tags_by_reading in needed:
        useful = [reading for reading, later in enumerate(tags_by_reading) if later is not None]
        numbers.append({reading: number for number, reading in enumerate(useful)})

    transitions = []
    ends = []
    needed_tags = []
    for state, row in enumerate(unreduced.transitions):
        transitions.append(tuple(_reduced(transition, state, numbers) for transition in row))
        end = unreduced.ends[state]
        ends.append(None if end is None else _renumbered(end, numbers[state]))
        needed_tags.append(tuple(later for later in needed[state] if later is not None))
    return TaggedDFA(
        transitions=tuple(transitions),
        ends=tuple(ends),
        needed=tuple(needed_tags),
        passed=_passed_tags(transitions),
    )


def _reduced(transition: TaggedTransition, state: int, numbers: list[dict[int, int]]) -> TaggedTransition:
    """Return a transition from a state without the readings that have no new number.

    `numbers` maps, for each state, the readings that remain to their new numbers.
    """
    target = transition.target
    origins = [_renumbered(transition.origins[reading], numbers[state]) for reading in numbers[target]]
    return TaggedTransition(target, tuple(origins))


def _renumbered(origin: Origin, numbers: dict[int, int]) -> Origin:
    """Return an origin with the new number of the reading that it continues."""
    return Origin(numbers[origin.reading], origin.tags)


class _AllReadings(NamedTuple):
    """A DFA whose states have all readings, even those that no whole text prefers.

    By state: its transitions, the origin of the preferred reading that ends there or None, and the number of
    its readings.
    """

    transitions: list[tuple[TaggedTransition, ...]]
    ends: list[Origin | None]
    sizes: list[int]


def _determinize(automaton: TaggedNFA) -> _AllReadings:
    """Return the DFA of an NFA: a state is the list of the nodes that a text can lead to."""
    numbers: dict[tuple[int, ...], int] = {(): SINK, (automaton.start,): START}
    queue: list[tuple[int, ...]] = list(numbers)
    transitions = []
    for nodes in queue:  # which grows in the loop
        row = []
        for kind in range(automaton.kinds):
            origins = _origins(automaton, nodes, kind)
            following = tuple(origins)
            if following not in numbers:
                numbers[following] = len(queue)
                queue.append(following)
            row.append(TaggedTransition(numbers[following], tuple(origins.values())))
        transitions.append(tuple(row))
    ends = [_origin_of_end(automaton, nodes) for nodes in queue]
    return _AllReadings(transitions, ends, list(map(len, queue)))


def _origins(automaton: TaggedNFA, nodes: tuple[int, ...], kind: int) -> dict[int, Origin]:
    """Map the nodes that a class leads to, preferred ones first, to the preferred readings."""
    origins: dict[int, Origin] = {}
    for reading, node in enumerate(nodes):
        for target, tags in automaton.transitions[node].get(kind, ()):
            origins.setdefault(target, Origin(reading, tags))  # the first one is preferred
    return origins


def _origin_of_end(automaton: TaggedNFA, nodes: tuple[int, ...]) -> Origin | None:
    """Return the origin of the preferred reading of a text that ends in the nodes, or None."""
    for reading, node in enumerate(nodes):
        tags = automaton.ends[node]
        if tags is not None:
            return Origin(reading, tags)
    return None


def _needed_tags(dfa: _AllReadings, tags: frozenset[int]) -> list[list[frozenset[int] | None]]:
    """Return, by state and reading, the tags that are needed when the text ends.

    A reading that no whole text prefers has None in place of the tags.  A tag that is stored later is not
    needed.
    """
    transitions, ends, sizes = dfa
    needed: list[dict[int, frozenset[int]]] = [{} for _ in transitions]
    sources: list[set[int]] = [set() for _ in transitions]
    for state, row in enumerate(transitions):
        for transition in row:
            sources[transition.target].add(state)
        end = ends[state]
        if end is not None:
            needed[state][end.reading] = tags.difference(end.tags)

    # what a state needs goes back to the states that lead to it, until nothing changes
    waiting = set(range(len(transitions)))
    while waiting:
        state = waiting.pop()
        needed_here = needed[state]
        before = dict(needed_here)
        for target, origins in set(transitions[state]):  # several classes can have the same transition
            for reading, later in list(needed[target].items()):  # a state can lead to itself
                origin = origins[reading]
                through_others = needed_here.get(origin.reading, frozenset())
                needed_here[origin.reading] = through_others | later.difference(origin.tags)
        if needed_here != before:
            waiting |= sources[state]

    by_state: list[list[frozenset[int] | None]] = []
    for tags_of_readings, size in zip(needed, sizes, strict=True):
        by_state.append([tags_of_readings.get(reading) for reading in range(size)])
    return by_state


def _passed_tags(transitions: list[tuple[TaggedTransition, ...]]) -> tuple[tuple[frozenset[int], ...], ...]:
    """Return, by state and reading, the tags that some text passes on its way to the reading.

    A state that no text reaches has no readings here.
    """
    passed: dict[int, tuple[frozenset[int], ...]] = {START: (frozenset(),)}

    # what a state has passed goes on to the states that it leads to, until nothing changes
    waiting = {START}
    while waiting:
        state = waiting.pop()
        for target, origins in set(transitions[state]):
            through_here = tuple(passed[state][reading].union(tags) for reading, tags in origins)
            through_others = passed.get(target)
            if through_others is None:
                passed_by_reading = through_here
            else:
                ways = zip(through_here, through_others, strict=True)
                passed_by_reading = tuple(frozenset().union(*sets) for sets in ways)
            if passed_by_reading != through_others:
                passed[target] = passed_by_reading
                waiting.add(target)
    return tuple(passed.get(state, ()) for state in range(len(transitions)))
