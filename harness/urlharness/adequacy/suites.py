"""Suites (texts of the corpus or of generated tiers with their correct verdicts), and counts of mutants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any, NamedTuple

from urlharness.adequacy import cache
from urlharness.adequacy.subjects import Subject
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH
from urlharness.corpus.model import Case, Corpus, Expected, Tier, Vector
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers import Part, parts, suite_texts
from urlharness.words.letters import letter_of, with_finer_letters
from urloracle.automata.dfa import SINK, Automaton
from urloracle.readings import other_readings
from urloracle.rfcs import specification


class Count(NamedTuple):
    """Numbers of mutants by result; the `live` mutants include the `killed` ones.

    An `equivalent` mutant does not differ from the original on any text.  An `undecided` mutant could not be
    analysed.  An `open` mutant changes only what rulings leave open.
    """

    killed: int = 0
    live: int = 0
    equivalent: int = 0
    undecided: int = 0
    open: int = 0

    def plus(self, other: Count) -> Count:
        """Return the sum of two counts."""
        return Count(*map(sum, zip(self, other, strict=True)))

    @property
    def rate(self) -> float:
        """The share of live mutants that are killed, or 1 if there are no live mutants."""
        return self.killed / self.live if self.live else 1.0

    def asdict(self) -> dict[str, Any]:
        """Return the count as JSON data.  The rate is rounded down, so that 1 means all."""
        rate = int(self.rate * 10_000) / 10_000
        present = {name: number for name, number in self._asdict().items() if number}
        return {"rate": rate, "killed": self.killed, "live": self.live} | present


#: The edges of a node: for each following node, the characters that lead to it.
_Edges = tuple[tuple[int, str], ...]


class _Node(NamedTuple):
    """A node of the graph of a suite: the prefixes after which the same endings have the same verdicts.

    `verdict` is that of a text that ends here, or None if no text of the suite does.  `has_member` is true if
    a valid text ends here or later.
    """

    verdict: bool | None
    edges: _Edges
    has_member: bool


class _Graph:
    """Collects the nodes of a suite; equal nodes are one."""

    def __init__(self) -> None:
        self.nodes: list[_Node] = []
        self._numbers: dict[tuple[bool | None, _Edges], int] = {}
        self._numbers_of_endings: dict[tuple[bool, str], int] = {}

    def add_texts(self, verdicts: Mapping[str, bool]) -> int:
        """Add the nodes of all texts, and return the start node.

        A node is added after the nodes that follow it.  Where only one text goes on, its ending is looked up.
        """
        # the nodes on the way to the current text that further texts pass
        verdict_at: list[bool | None] = [None]
        edges_at: list[dict[int, str]] = [{}]
        words = sorted(verdicts)
        for text, shared in zip(words, _shared_lengths(words), strict=True):
            while len(edges_at) <= shared:
                verdict_at.append(None)
                edges_at.append({})
            depth = len(edges_at) - 1
            if depth == len(text):
                verdict_at[depth] = verdicts[text]
                continue
            child = self._add_ending(verdicts[text], text[depth + 1 :])
            edges_at[depth][child] = edges_at[depth].get(child, "") + text[depth]
            # no further text passes the nodes beyond the shared prefix, so they are complete
            while depth > shared:
                child = self._add_node(verdict_at.pop(), edges_at.pop())
                depth -= 1
                edges_at[depth][child] = edges_at[depth].get(child, "") + text[depth]
        return self._add_node(verdict_at[0], edges_at[0])

    def _add_node(self, verdict: bool | None, following: Mapping[int, str]) -> int:
        """Return the number of a node, which is added if it is new.  The nodes in `following` exist."""
        edges = tuple(sorted(following.items()))
        number = self._numbers.get((verdict, edges))
        if number is None:
            number = len(self.nodes)
            self._numbers[verdict, edges] = number
            has_member = verdict is True or any(self.nodes[child].has_member for child in following)
            self.nodes.append(_Node(verdict, edges, has_member))
        return number

    def _add_ending(self, verdict: bool, rest: str) -> int:
        """Return the number of the node from which only `rest` leads on; its nodes are added if new."""
        number = self._numbers_of_endings.get((verdict, rest))
        if number is None:
            number = self._add_node(verdict, {})
            for char in reversed(rest):
                number = self._add_node(None, {number: char})
            self._numbers_of_endings[verdict, rest] = number
        return number


class Suite:
    """Texts of one rule with their verdicts, stored as a graph in which equal endings are one node.

    `members` are the valid texts.  Generated suites repeat the same endings after many beginnings, so the
    graph is small.  A walk along an automaton visits each pair of node and state once.
    """

    def __init__(self, verdicts: Mapping[str, bool]) -> None:
        self.members = tuple(text for text, valid in verdicts.items() if valid)
        graph = _Graph()
        self._start = graph.add_texts(verdicts)
        self._nodes = graph.nodes

    def __bool__(self) -> bool:
        """Return True if the suite contains at least one text."""
        start = self._nodes[self._start]
        return bool(start.edges) or start.verdict is not None

    def notices(self, automaton: Automaton) -> bool:
        """Return True if the automaton gives a wrong verdict for some text."""
        # this loop runs for every mutant, so it reads no attributes
        classes = automaton.classes
        table = automaton.table
        accepting = automaton.accepting
        nodes = self._nodes
        if automaton.start == SINK:
            return nodes[self._start].has_member
        kinds_of: dict[str, tuple[int, ...]] = {}  # many edges have the same characters
        stack = [(self._start, automaton.start)]
        seen = set(stack)
        while stack:
            number, state = stack.pop()
            verdict = nodes[number].verdict
            if verdict is not None and verdict is not (state in accepting):
                return True
            row = table[state]
            for child, characters in nodes[number].edges:
                kinds = kinds_of.get(characters)
                if kinds is None:
                    kinds = tuple({classes.get(letter_of(char), -1) for char in characters})
                    kinds_of[characters] = kinds
                for kind in kinds:
                    following = SINK if kind < 0 else row[kind]
                    if following == SINK:  # all longer texts are rejected too
                        if nodes[child].has_member:
                            return True
                        continue
                    pair = (child, following)
                    if pair not in seen:
                        seen.add(pair)
                        stack.append(pair)
        return False

    def covered(self, automaton: Automaton) -> frozenset[tuple[int, int]]:
        """Return the transitions that the texts take before they reach the sink, as (state, class) pairs."""
        covered = set()
        stack = [(self._start, automaton.start)]
        seen = set(stack)
        while stack:
            number, state = stack.pop()
            for child, characters in self._nodes[number].edges:
                for kind in {automaton.classes.get(letter_of(char), -1) for char in characters}:
                    covered.add((state, kind))
                    following = automaton.table[state][kind] if kind >= 0 else SINK
                    pair = (child, following)
                    if following != SINK and pair not in seen:
                        seen.add(pair)
                        stack.append(pair)
        return frozenset(covered)


#: The inputs of each operation that are URLs.
_URLS = {
    "validate": ("url",),
    "parse": ("url",),
    "normalize": ("url",),
    "decode": ("url",),
    "equivalent": ("url", "other"),
    "resolve": ("base", "reference"),
}


class AskedText(NamedTuple):
    """A text of a vector, the rule that is asked, and the expected answer.

    `at` is the offset of a rejection, or None if the vector does not state it.  `components` lists the
    admissible sets of components, and is empty if the vector does not ask for components.
    """

    rule: str
    text: str
    valid: bool
    at: int | None = None
    components: tuple[dict[str, Any], ...] = ()


def corpus_texts(corpus: Corpus, subject: Subject, *, witnesses: bool = True) -> list[AskedText]:
    """Return the texts of the vectors.  If `witnesses` is False, leave out the witnesses of mutants."""
    return list(_texts_of_spec(corpus, subject.spec.id, subject, witnesses=witnesses))


def lent_texts(corpus: Corpus, subject: Subject, *, witnesses: bool = True) -> list[AskedText]:
    """Return the texts of the lender's vectors, if all readings of the subject's RFC give the same verdict.

    The lender is the RFC that the subject's RFC amends.  Its vectors also show mistakes in the shared rules.
    If `witnesses` is False, leave out witnesses of mutants.
    """
    spec = subject.spec
    lender = facts(spec.id).amends
    if lender is None:
        return []
    readings = {}
    for rule in (subject.rule, *subject.kin):
        readings[rule] = [spec.automaton(rule), *readings_of(spec.id, rule)]

    def is_shared(question: AskedText) -> bool:
        return all(reading.accepts(question.text) == question.valid for reading in readings[question.rule])

    questions = _texts_of_spec(corpus, lender, subject, witnesses=witnesses)
    return list(filter(is_shared, questions))


def _texts_of_spec(corpus: Corpus, spec: str, subject: Subject, *, witnesses: bool) -> Iterator[AskedText]:
    """Yield the texts of the vectors of an RFC that rules of the subject judge."""
    for case in corpus.cases:
        if case.spec == spec and (witnesses or not is_witness(case)):
            yield from _case_texts(case, subject)


@lru_cache(maxsize=16)
def readings_of(spec: str, rule: str) -> tuple[Automaton, ...]:
    """Return the automata of a rule under the other readings that rulings allow."""
    readings = other_readings(specification(spec), rule)
    return tuple(with_finer_letters(automaton) for _, automaton in readings)


def is_taken_over(subject: Subject, rule: str) -> bool:
    """Return True if the subject's RFC has taken over the rule unchanged from the RFC that it changes."""
    lender = facts(subject.spec.id).amends
    if lender is None:
        return False
    older = Subject(specification(lender), subject.rule, subject.overlaid).grammar
    return rule in older and older[rule] == subject.grammar[rule]


def is_witness(case: Case) -> bool:
    """Return True if the vector was made from the witness of a mutant."""
    return case.vector.origin == "mutant"


def _case_texts(case: Case, subject: Subject) -> Iterator[AskedText]:
    """Yield the texts of a vector that a rule of the subject judges, none without a single verdict."""
    vector = case.vector
    if vector.profile not in (None, "scheme-specific"):
        return
    valid = agreed_validity(vector.expect.alternatives)
    if valid is None or (vector.op != "validate" and not valid):
        return
    for name in _URLS.get(vector.op, ()):
        text = getattr(vector, name)
        if not isinstance(text, str) or (vector.op == "resolve" and not text):
            continue
        if len(text) > MAX_WHOLE_LENGTH:  # slow for every mutant, and shorter texts show all mistakes
            continue
        judging_rule = subject.spec.judging_rule(text, vector.rule).lower()
        for rule in (subject.rule, *subject.kin):
            if rule.lower() == judging_rule:
                at = vector.expect.at if isinstance(vector.expect.at, int) else None
                yield AskedText(rule, text, valid, at, _expected_components(vector))


def _expected_components(vector: Vector) -> tuple[dict[str, Any], ...]:
    """Return the admissible sets of components, none if the vector does not ask for components."""
    if vector.op != "parse":
        return ()
    alternatives = vector.expect.alternatives
    return tuple(answer.components for answer in alternatives if isinstance(answer.components, dict))


def agreed_validity(alternatives: tuple[Expected, ...]) -> bool | None:
    """Return True if all answers mean that the text is valid, False if all mean invalid, otherwise None."""
    verdicts = {answer.valid if isinstance(answer.valid, bool) else True for answer in alternatives}
    return verdicts.pop() if len(verdicts) == 1 else None


def tier_suite(subject: Subject, tier: Tier, *, with_open: bool = False) -> Suite:
    """Return the suite of a tier for one subject; it is empty if the tier has no part for the subject.

    Texts whose verdict a ruling leaves open are left out, unless `with_open` is true: they are only needed to
    measure what a tier promises.  Texts beyond ASCII are left out if no rule of the RFC has such characters.
    """
    for part in parts(tier):
        if part.spec == subject.spec.id and part.rule == subject.rule:
            binding, all_texts = _suites(part)
            return all_texts if with_open else binding
    return Suite({})


@lru_cache(maxsize=4)
def _suites(part: Part) -> tuple[Suite, Suite]:
    """Return two suites of a part: without, and with, the texts whose verdict a ruling leaves open.

    The first suite of the largest tier is empty, because that tier is only used for faults.
    """
    return cache.cached(lambda: _make_suites(part), "suites", part)


def _make_suites(part: Part) -> tuple[Suite, Suite]:
    """Return the two suites of `_suites`, which are one object if no ruling leaves a verdict open."""
    assert part.rule is not None  # resolution has no subject
    own_reading = with_finer_letters(specification(part.spec).automaton(part.rule))
    beyond_ascii = facts(part.spec).iris
    words = sorted(word for word in suite_texts(part) if beyond_ascii or word.isascii())
    if part.tier == "k1":
        return Suite({}), Suite({word: verdict for word, (verdict,) in _verdicts(words, [own_reading])})
    with_open = {}
    binding = {}
    for word, verdicts in _verdicts(words, [own_reading, *readings_of(part.spec, part.rule)]):
        with_open[word] = verdicts[0]
        if len(set(verdicts)) == 1:
            binding[word] = verdicts[0]
    suite_with_open = Suite(with_open)
    if len(binding) == len(with_open):
        return suite_with_open, suite_with_open
    return Suite(binding), suite_with_open


def _shared_length(first: str, second: str) -> int:
    """Return the length of the longest common prefix of two texts."""
    low = 0
    high = min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shared_lengths(words: Sequence[str]) -> Iterator[int]:
    """Yield the length of the prefix that each word shares with the next word, and 0 for the last word."""
    length = 0
    for word, next_word in pairwise(words):
        following = slice(length, length + 1)
        # the length is nearly always the same as before
        if word[:length] != next_word[:length] or word[following] == next_word[following]:
            length = _shared_length(word, next_word)
        yield length
    if words:
        yield 0


def _verdicts(words: Sequence[str], readings: Sequence[Automaton]) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """Yield each word with the verdict of each automaton.  The words must be sorted and different.

    The states after a prefix that neighbours share, and the verdicts on equal endings after equal states, are
    computed once.
    """
    computed: dict[tuple[tuple[int, ...], str], tuple[bool, ...]] = {}

    def after(states: tuple[int, ...], char: str) -> tuple[int, ...]:
        """Return the state of each automaton after a character."""
        targets = []
        for reading, state in zip(readings, states, strict=True):
            kind = reading.classes.get(letter_of(char))
            targets.append(SINK if kind is None else reading.table[state][kind])
        return tuple(targets)

    path = [tuple(reading.start for reading in readings)]  # the states after each prefix of the word
    for word, shared in zip(words, _shared_lengths(words), strict=True):
        while len(path) <= shared:
            path.append(after(path[-1], word[len(path) - 1]))
        states = path[-1]
        ending = word[len(path) - 1 :]
        verdicts = computed.get((states, ending))
        if verdicts is None:
            end_states = reduce(after, ending, states)
            ends = zip(readings, end_states, strict=True)
            verdicts = tuple(state in reading.accepting for reading, state in ends)
            computed[states, ending] = verdicts
        yield word, verdicts
        del path[shared + 1 :]
