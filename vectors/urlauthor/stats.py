"""Coverage of the corpus by specification, section and grammar rule, and what is not covered."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from urlharness.corpus.model import Case, Corpus, Requirement, Vector, section_key
from urlharness.corpus.specifications import SPECS, spec_order

VectorSide = Literal["accepting", "rejecting"]
VectorKind = Literal["accepting", "rejecting", "components", "resolution", "other"]

KINDS: tuple[VectorKind, ...] = get_args(VectorKind)
#: What can violate a requirement: a library that parses URLs, a client of a library, or no program.
TESTABLE = ("library", "client", "no")


@dataclass(slots=True)
class Figures:
    """Counts of requirements by testability, and of vectors by kind, level, binding, class and flag."""

    requirements: Counter[str] = field(default_factory=Counter)
    vectors: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    bindings: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)

    def count(self, case: Case) -> None:
        """Count one vector."""
        vector = case.vector
        self.vectors[vector_kind(vector)] += 1
        self.levels[vector.level] += 1
        self.bindings[vector.binding] += 1
        if vector.class_ is not None:
            self.classes[vector.class_] += 1
        self.flags.update(case.flags)


@dataclass(slots=True)
class RuleFigures:
    """Counts of accepting and rejecting vectors of a rule, and of rejections while the rule is open."""

    accepting: int = 0
    rejecting: int = 0
    open: int = 0


class Uncovered(NamedTuple):
    """A requirement or a rule that is not covered; `lacks` says what is missing."""

    spec: str
    section: str
    name: str
    lacks: str

    def __str__(self) -> str:
        return f"{self.spec} {self.section or '-'} {self.name}: {self.lacks}"


class Stats(NamedTuple):
    """Figures by specification, by (specification, section) and by rule, and what is not covered."""

    specs: Mapping[str, Figures]
    sections: Mapping[tuple[str, str], Figures]
    rules: Mapping[str, Mapping[str, RuleFigures]]
    uncovered: Sequence[Uncovered]

    def plain(self) -> dict[str, Any]:
        """Return all figures as JSON data, with specifications and sections in their order."""
        return {
            "specs": {
                spec: {
                    **_plain(self.specs[spec]),
                    "sections": {
                        section: _plain(figures)
                        for (of, section), figures in self.sections.items()
                        if of == spec
                    },
                    "rules": {rule: asdict(found) for rule, found in self.rules.get(spec, {}).items()},
                }
                for spec in self.specs
            },
            "uncovered": [missing._asdict() for missing in self.uncovered],
        }


def vector_side(vector: Vector) -> VectorSide:
    """Return "rejecting" if the recommended answer is that the text is invalid, else "accepting"."""
    return "rejecting" if vector.expect.alternatives[0].valid is False else "accepting"


def vector_kind(vector: Vector) -> VectorKind:
    """Return the side of a vector that asks for a verdict, otherwise the kind of its answer."""
    first = vector.expect.alternatives[0]
    if first.kind == "valid":
        return vector_side(vector)
    if first.kind == "components":
        return "components"
    return "resolution" if vector.op == "resolve" else "other"


def measure(corpus: Corpus, rules: Mapping[str, Sequence[str]]) -> Stats:
    """Measure the coverage of a corpus; `rules` maps each RFC to the rules that vectors must test."""
    specs = {spec: Figures() for spec in SPECS}
    sections: defaultdict[tuple[str, str], Figures] = defaultdict(Figures)
    for requirement in corpus.requirements.values():
        spec = requirement.spec
        for figures in (specs[spec], sections[spec, requirement.section]):
            figures.requirements[requirement.testable] += 1
    for case in corpus.cases:
        specs[case.spec].count(case)
        sections[case.spec, case.section].count(case)
    asked = _by_rule(corpus.cases, rules)
    ordered = sorted(sections, key=lambda place: (spec_order(place[0]), section_key(place[1])))
    uncovered = [*_without_vectors(corpus), *_never_asked(asked)]
    return Stats(specs, {place: sections[place] for place in ordered}, asked, uncovered)


def _by_rule(cases: Sequence[Case], rules: Mapping[str, Sequence[str]]) -> dict[str, dict[str, RuleFigures]]:
    """Count the vectors of each rule; rule names are case-insensitive."""
    found = {spec: {rule: RuleFigures() for rule in names} for spec, names in rules.items()}
    folded = {(spec, rule.lower()): figures for spec in found for rule, figures in found[spec].items()}
    for case in cases:
        vector = case.vector
        asked = folded.get((case.spec, (vector.rule or "").lower()))
        if asked is not None and vector.op == "validate":
            if vector_side(vector) == "accepting":
                asked.accepting += 1
            else:
                asked.rejecting += 1
        for rule in {rule.lower() for answer in vector.expect.alternatives for rule in answer.rules}:
            if (case.spec, rule) in folded:
                folded[case.spec, rule].open += 1
    return found


def _without_vectors(corpus: Corpus) -> Iterator[Uncovered]:
    """Yield testable requirements without vectors, and grammar requirements that lack vectors of one side."""
    sides: defaultdict[str, set[str]] = defaultdict(set)
    for case in corpus.cases:
        sides[case.vector.requirement].add(vector_side(case.vector))
    for name, requirement in corpus.requirements.items():
        if requirement.testable == "library":
            for lack in _lacking(requirement, sides[name]):
                yield Uncovered(requirement.spec, requirement.section, name, lack)


def _lacking(requirement: Requirement, found: Collection[str]) -> Iterator[str]:
    if not found:
        yield "no vector"
    elif requirement.level == "grammar":
        both = (requirement.side,) if requirement.side else ("accepting", "rejecting")
        yield from (f"no {wanted} vector" for wanted in both if wanted not in found)


def _never_asked(asked: Mapping[str, Mapping[str, RuleFigures]]) -> Iterator[Uncovered]:
    for spec, rules in asked.items():
        for rule, figures in rules.items():
            if not figures.accepting + figures.rejecting:
                yield Uncovered(spec, "", rule, "no vector tests the rule")
            elif not figures.accepting or not figures.rejecting:
                missing = "rejecting" if figures.accepting else "accepting"
                yield Uncovered(spec, "", rule, f"no {missing} vector tests the rule")


def _plain(figures: Figures) -> dict[str, Any]:
    return {
        "requirements": {name: figures.requirements[name] for name in TESTABLE},
        "vectors": {name: figures.vectors[name] for name in KINDS},
        "levels": dict(sorted(figures.levels.items())),
        "bindings": dict(sorted(figures.bindings.items())),
        "classes": dict(sorted(figures.classes.items())),
        "flags": dict(sorted(figures.flags.items())),
    }
