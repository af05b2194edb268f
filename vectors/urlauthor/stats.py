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
#: Who can violate a requirement: a library that parses URLs, a client of a library, or no program.
TESTABLE = ("library", "client", "no")


@dataclass(slots=True)
class Figures:
    """Counts of requirements by testability, and of vectors by their properties."""

    requirements: Counter[str] = field(default_factory=Counter)
    vectors: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    bindings: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)

    def count(self, case: Case) -> None:
        """Count one vector."""
        vector = case.vector
        self.vectors[vector_kind(vector)] += 1
        self.levels[vector.level] += 1
        self.bindings[vector.binding] += 1
        if vector.class_ is not None:
            self.classes[vector.class_] += 1
        self.flags.update(case.flags)
        self.origins[vector.origin or "human"] += 1


@dataclass(slots=True)
class RuleFigures:
    """Counts of accepting and rejecting vectors of a rule, and of rejections while the rule is open."""

    accepting: int = 0
    rejecting: int = 0
    open: int = 0

    def count_verdict(self, vector: Vector) -> None:
        """Count a vector that asks for a verdict."""
        if vector_side(vector) == "accepting":
            self.accepting += 1
        else:
            self.rejecting += 1


class Uncovered(NamedTuple):
    """A requirement or a rule that is not covered; `lacks` says what is missing."""

    spec: str
    section: str
    name: str
    lacks: str

    def __str__(self) -> str:
        section = self.section or "-"
        return f"{self.spec} {section} {self.name}: {self.lacks}"


class Stats(NamedTuple):
    """Figures by specification, by (specification, section) and by rule, and what is not covered."""

    specs: Mapping[str, Figures]
    sections: Mapping[tuple[str, str], Figures]
    rules: Mapping[str, Mapping[str, RuleFigures]]
    uncovered: Sequence[Uncovered]

    def as_json(self) -> dict[str, Any]:
        """Return all figures as JSON data, with specifications and sections in their order."""
        specs = {spec: self._spec_as_json(spec) for spec in self.specs}
        uncovered = [missing._asdict() for missing in self.uncovered]
        return {"specs": specs, "uncovered": uncovered}

    def of_sections(self, spec: str) -> dict[str, Figures]:
        """Return the figures of the sections of a specification."""
        return {section: figures for (name, section), figures in self.sections.items() if name == spec}

    def _spec_as_json(self, spec: str) -> dict[str, Any]:
        """Return the figures of a specification as JSON data, with those of its sections and of its rules."""
        document = _figures_as_json(self.specs[spec])
        document["sections"] = {
            section: _figures_as_json(figures) for section, figures in self.of_sections(spec).items()
        }
        document["rules"] = {rule: asdict(figures) for rule, figures in self.rules.get(spec, {}).items()}
        return document


def vector_side(vector: Vector) -> VectorSide:
    """Return "rejecting" if the recommended answer is that the text is invalid, else "accepting"."""
    recommended = vector.expect.alternatives[0]
    return "rejecting" if recommended.valid is False else "accepting"


def vector_kind(vector: Vector) -> VectorKind:
    """Return the side of a vector that asks for a verdict, otherwise the kind of its answer."""
    recommended = vector.expect.alternatives[0]
    if recommended.kind == "valid":
        return vector_side(vector)
    if recommended.kind == "components":
        return "components"
    return "resolution" if vector.op == "resolve" else "other"


def measure(corpus: Corpus, rules: Mapping[str, Sequence[str]]) -> Stats:
    """Measure the coverage of a corpus; `rules` maps each RFC to the rules that vectors must test."""
    specs = {spec: Figures() for spec in SPECS}
    sections: defaultdict[tuple[str, str], Figures] = defaultdict(Figures)
    for requirement in corpus.requirements.values():
        spec = requirement.spec
        specs[spec].requirements[requirement.testable] += 1
        sections[spec, requirement.section].requirements[requirement.testable] += 1
    for case in corpus.cases:
        specs[case.spec].count(case)
        sections[case.spec, case.section].count(case)
    ordered_sections = {name: sections[name] for name in sorted(sections, key=_section_order)}
    figures_of_rules = _figures_by_rule(corpus.cases, rules)
    uncovered = [*_without_vectors(corpus), *_untested_rules(figures_of_rules)]
    return Stats(specs, ordered_sections, figures_of_rules, uncovered)


def _section_order(name: tuple[str, str]) -> tuple[Any, Any]:
    """Return a key that sorts (specification, section) in the order of the corpus."""
    spec, section = name
    return spec_order(spec), section_key(section)


def _figures_by_rule(
    cases: Sequence[Case], rules: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, RuleFigures]]:
    """Count the vectors of each rule; rule names are case-insensitive.

    The accepting and the rejecting vectors are those of `validate`; an open one may be of any operation.
    """
    by_spec: dict[str, dict[str, RuleFigures]] = {}
    by_folded_name: dict[tuple[str, str], RuleFigures] = {}
    for spec, names in rules.items():
        by_spec[spec] = {rule: RuleFigures() for rule in names}
        # the same objects, to be found without regard to case
        by_folded_name |= {(spec, rule.lower()): figures for rule, figures in by_spec[spec].items()}
    for case in cases:
        vector = case.vector
        figures = by_folded_name.get((case.spec, (vector.rule or "").lower()))
        if figures is not None and vector.op == "validate":
            figures.count_verdict(vector)
        for rule in _folded_open_rules(vector):
            if (case.spec, rule) in by_folded_name:
                by_folded_name[case.spec, rule].open += 1
    return by_spec


def _folded_open_rules(vector: Vector) -> set[str]:
    """Return the rules that the answers of a vector call open, in lower case."""
    names: set[str] = set()
    for answer in vector.expect.alternatives:
        names.update(rule.lower() for rule in answer.rules)
    return names


def _without_vectors(corpus: Corpus) -> Iterator[Uncovered]:
    """Yield testable requirements without vectors, and grammar requirements without vectors of one side."""
    sides: defaultdict[str, set[str]] = defaultdict(set)
    for case in corpus.cases:
        vector = case.vector
        sides[vector.requirement].add(vector_side(vector))
    for name, requirement in corpus.requirements.items():
        if requirement.testable == "library":
            for missing in _missing_vectors(requirement, sides[name]):
                yield Uncovered(requirement.spec, requirement.section, name, missing)


def _missing_vectors(requirement: Requirement, sides: Collection[str]) -> Iterator[str]:
    """Yield a message for each kind of vectors that a requirement does not have."""
    if not sides:
        yield "no vector"
    elif requirement.level == "grammar":
        possible = (requirement.side,) if requirement.side else ("accepting", "rejecting")
        for side in possible:
            if side not in sides:
                yield f"no {side} vector"


def _untested_rules(figures_of_rules: Mapping[str, Mapping[str, RuleFigures]]) -> Iterator[Uncovered]:
    """Yield the rules that have no accepting or no rejecting vector."""
    for spec, rules in figures_of_rules.items():
        for rule, figures in rules.items():
            if not figures.accepting + figures.rejecting:
                yield Uncovered(spec, "", rule, "no vector tests the rule")
            elif not figures.accepting or not figures.rejecting:
                missing = "rejecting" if figures.accepting else "accepting"
                yield Uncovered(spec, "", rule, f"no {missing} vector tests the rule")


def _figures_as_json(figures: Figures) -> dict[str, Any]:
    """Return figures as JSON data.  All names in `TESTABLE` and `KINDS` are there, with 0 if need be."""
    document: dict[str, Any] = {
        "requirements": {name: figures.requirements[name] for name in TESTABLE},
        "vectors": {name: figures.vectors[name] for name in KINDS},
    }
    for name in ("levels", "bindings", "classes", "flags", "origins"):
        counts: Counter[str] = getattr(figures, name)
        document[name] = dict(sorted(counts.items()))
    return document
