"""Suites (texts of the corpus or of generated tiers with their correct verdicts), and counts of mutants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from urlauthor.adequacy.subjects import Subject
from urlharness.corpus.model import Case, Corpus, Expected, Tier
from urlharness.generate.labels import other_readings
from urlharness.generate.tiers import Part, parts, suite_texts
from urloracle.automata.dfa import SINK, Automaton
from urloracle.rfcs import specification


class Count(NamedTuple):
    """Numbers of mutants by result; the `live` mutants include the `killed` ones.

    An `equivalent` mutant does not differ from the original on any text; an `undecided` one could not be
    analysed; rulings leave open everything that an `open` one changes.
    """

    killed: int = 0
    live: int = 0
    equivalent: int = 0
    undecided: int = 0
    open: int = 0

    def plus(self, other: Count) -> Count:
        """Add two counts."""
        return Count(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def rate(self) -> float:
        """The share of live mutants that are killed, or 1 if there are no live mutants."""
        return self.killed / self.live if self.live else 1.0

    def asdict(self) -> dict[str, Any]:
        """Return the count as JSON data; the rate is rounded down, therefore 1 means all."""
        found: dict[str, Any] = {"rate": int(self.rate * 10_000) / 10_000}
        found |= {"killed": self.killed, "live": self.live}
        found |= {name: value for name, value in self._asdict().items() if value and name not in found}
        return found


class Suite:
    """Texts of one rule with their verdicts, stored as a prefix tree."""

    def __init__(self, verdicts: Mapping[str, bool]) -> None:
        self.verdicts = verdicts
        self._children: list[dict[str, int]] = [{}]
        self._verdict: list[bool | None] = [None]
        for text in sorted(verdicts):
            node = 0
            for char in text:
                following = self._children[node].get(char)
                if following is None:
                    following = self._children[node][char] = len(self._children)
                    self._children.append({})
                    self._verdict.append(None)
                node = following
            self._verdict[node] = verdicts[text]
        self._has_member = [verdict is True for verdict in self._verdict]
        for node in range(len(self._children) - 1, -1, -1):
            self._has_member[node] |= any(self._has_member[child] for child in self._children[node].values())

    def notices(self, automaton: Automaton) -> bool:
        """Return True if the automaton gives a wrong verdict for some text."""
        classes, table, accepting = automaton.classes, automaton.table, automaton.accepting
        children, verdicts, has_member = self._children, self._verdict, self._has_member
        stack = [(0, automaton.start)]
        while stack:
            node, state = stack.pop()
            if state == SINK:  # all longer texts are rejected too
                if has_member[node]:
                    return True
                continue
            verdict = verdicts[node]
            if verdict is not None and verdict is not (state in accepting):
                return True
            row = table[state]
            for char, child in children[node].items():
                kind = classes.get(char)
                stack.append((child, SINK if kind is None else row[kind]))
        return False

    def covered(self, automaton: Automaton) -> frozenset[tuple[int, int]]:
        """Return the transitions that the texts take before they reach the sink, as (state, class) pairs."""
        found = set()
        stack = [(0, automaton.start)]
        while stack:
            node, state = stack.pop()
            for char, child in self._children[node].items():
                kind = automaton.classes.get(char, -1)
                found.add((state, kind))
                following = automaton.table[state][kind] if kind >= 0 else SINK
                if following != SINK:
                    stack.append((child, following))
        return frozenset(found)


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

    `at` is the offset of a rejection, if the vector states it; `components` are the admissible sets of
    components, if the vector asks for them.
    """

    rule: str
    text: str
    valid: bool
    at: int | None = None
    components: tuple[dict[str, Any], ...] = ()


def corpus_texts(corpus: Corpus, subject: Subject, *, witnesses: bool = True) -> list[AskedText]:
    """Return the texts of the vectors; if `witnesses` is False, leave out witnesses of mutants."""
    return [
        one
        for case in corpus.cases
        if case.spec == subject.spec.id and (witnesses or not is_witness(case))
        for one in _case_texts(case, subject)
    ]


def is_witness(case: Case) -> bool:
    """Return True if the vector was made from the witness of a mutant."""
    return case.vector.origin == "mutant"


def _case_texts(case: Case, subject: Subject) -> Iterator[AskedText]:
    vector, spec = case.vector, subject.spec
    if vector.profile not in (None, "scheme-specific"):
        return
    valid = _validity(vector.expect.alternatives)
    if valid is None or (vector.op != "validate" and not valid):
        return
    for name in _URLS.get(vector.op, ()):
        text = getattr(vector, name)
        if not isinstance(text, str) or (vector.op == "resolve" and not text):
            continue
        rule = spec.judging_rule(text, vector.rule)
        folded = {known.lower(): known for known in (subject.rule, *subject.kin)}
        if rule.lower() in folded:
            at = vector.expect.at if isinstance(vector.expect.at, int) else None
            components = tuple(
                answer.components
                for answer in vector.expect.alternatives
                if isinstance(answer.components, dict)
            )
            yield AskedText(folded[rule.lower()], text, valid, at, components if vector.op == "parse" else ())


def _validity(alternatives: tuple[Expected, ...]) -> bool | None:
    """Return True if all answers mean that the text is valid, False if all mean invalid, otherwise None."""
    found = {answer.valid if isinstance(answer.valid, bool) else True for answer in alternatives}
    return found.pop() if len(found) == 1 else None


def tier_suite(subject: Subject, tier: Tier, *, with_open: bool = False) -> Suite:
    """Return the suite of a tier for one subject; it is empty if the tier has no part for the subject.

    Texts whose verdict a ruling leaves open are left out unless `with_open`, which is needed to measure what
    a tier promises.  Texts beyond ASCII are always left out, because the automata know only ASCII.
    """
    part = next((part for part in parts(tier) if (part.spec, part.rule) == subject.key[:2]), None)
    if part is None:
        return Suite({})
    return _suite(part, with_open=with_open or not any(other_readings(subject.spec, subject.rule)))


@lru_cache(maxsize=4)
def _suite(part: Part, *, with_open: bool) -> Suite:
    spec = specification(part.spec)
    assert part.rule is not None  # resolution has no subject
    accepts = spec.automaton(part.rule).accepts
    others = [] if with_open else [automaton.accepts for _, automaton in other_readings(spec, part.rule)]
    verdicts = {}
    for word in suite_texts(part):
        if word.isascii():
            valid = accepts(word)
            if all(other(word) == valid for other in others):
                verdicts[word] = valid
    return Suite(verdicts)
