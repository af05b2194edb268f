"""Coverage of the corpus by section and rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from urlharness.corpus.model import SPECS, Case, Corpus, Requirement, Vector, section_key

# -------------------- authoring.sides: Of what kind a vector is: accepting, rejecting, components, resolution or other.


Side = Literal["accepting", "rejecting"]


Kind = Literal["accepting", "rejecting", "components", "resolution", "other"]


KINDS: tuple[Kind, ...] = ("accepting", "rejecting", "components", "resolution", "other")


def side(vector: Vector) -> Side:
    """Rejecting where the recommended answer is that the text is invalid; every other answer accepts it."""
    return "rejecting" if vector.expect.alternatives[0].valid is False else "accepting"


def kind(vector: Vector) -> Kind:
    """What is counted under one name: a verdict by its side, any other answer by what it is of."""
    first = vector.expect.alternatives[0]
    if first.kind == "valid":
        return side(vector)
    if first.kind == "components":
        return "components"
    return "resolution" if vector.op == "resolve" else "other"


# -------------------- authoring.stats: Coverage of the corpus: by specification, section and grammar rule, and a list of what is uncovered.


#: Who could violate a statement: a library that parses URLs, a client around it, or nobody.
TESTABLE = ("library", "client", "no")


@dataclass(slots=True)
class Figures:
    """How many requirements there are by testability, and how many vectors by kind and by their words."""

    requirements: Counter[str] = field(default_factory=Counter)
    vectors: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    bindings: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)

    def count(self, case: Case) -> None:
        """Count one vector."""
        vector = case.vector
        self.vectors[kind(vector)] += 1
        self.levels[vector.level] += 1
        self.bindings[vector.binding] += 1
        if vector.class_ is not None:
            self.classes[vector.class_] += 1
        self.flags.update(case.flags)


@dataclass(slots=True)
class RuleFigures:
    """Vectors that ask whether a rule derives a text, by side, and rejections at which it is open."""

    accepting: int = 0
    rejecting: int = 0
    open: int = 0


class Uncovered(NamedTuple):
    """A hole in the corpus: a statement or a rule, and what it lacks."""

    spec: str
    section: str
    name: str
    lacks: str

    def __str__(self) -> str:
        return f"{self.spec} {self.section or '-'} {self.name}: {self.lacks}"


class Stats(NamedTuple):
    """Figures of each specification, of each of its sections and rules, and what is uncovered."""

    specs: Mapping[str, Figures]
    sections: Mapping[tuple[str, str], Figures]
    rules: Mapping[str, Mapping[str, RuleFigures]]
    uncovered: Sequence[Uncovered]

    def plain(self) -> dict[str, Any]:
        """All of it for JSON, specifications and sections in their order."""
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
            "uncovered": [hole._asdict() for hole in self.uncovered],
        }


def measure(corpus: Corpus, rules: Mapping[str, Sequence[str]]) -> Stats:
    """The coverage of a corpus; `rules` names those of each grammar that are to be asked."""
    specs = {spec: Figures() for spec in SPECS}
    sections: defaultdict[tuple[str, str], Figures] = defaultdict(Figures)
    for requirement in corpus.requirements.values():
        spec = _spec(requirement)
        for figures in (specs[spec], sections[spec, requirement.section]):
            figures.requirements[requirement.testable] += 1
    for case in corpus.cases:
        specs[case.spec].count(case)
        sections[case.spec, case.section].count(case)
    asked = _by_rule(corpus.cases, rules)
    ordered = sorted(sections, key=lambda place: (SPECS.index(place[0]), section_key(place[1])))
    holes = [*_without_vectors(corpus), *_never_asked(asked)]
    return Stats(specs, {place: sections[place] for place in ordered}, asked, holes)


def _by_rule(cases: Sequence[Case], rules: Mapping[str, Sequence[str]]) -> dict[str, dict[str, RuleFigures]]:
    """The figures of each rule; upper and lower case in the name of a rule are the same."""
    found = {spec: {rule: RuleFigures() for rule in names} for spec, names in rules.items()}
    folded = {(spec, rule.lower()): figures for spec in found for rule, figures in found[spec].items()}
    for case in cases:
        vector = case.vector
        asked = folded.get((case.spec, (vector.rule or "").lower()))
        if asked is not None and vector.op == "validate":
            if side(vector) == "accepting":
                asked.accepting += 1
            else:
                asked.rejecting += 1
        for rule in {rule.lower() for answer in vector.expect.alternatives for rule in answer.rules}:
            if (case.spec, rule) in folded:
                folded[case.spec, rule].open += 1
    return found


def _without_vectors(corpus: Corpus) -> Iterator[Uncovered]:
    """Statements testable by a library that no vector cites, and those of level grammar with one side."""
    sides: defaultdict[str, set[str]] = defaultdict(set)
    for case in corpus.cases:
        sides[case.vector.requirement].add(side(case.vector))
    for name, requirement in corpus.requirements.items():
        if requirement.testable == "library":
            for lack in _lacking(requirement, sides[name]):
                yield Uncovered(_spec(requirement), requirement.section, name, lack)


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
                yield Uncovered(spec, "", rule, "the rule is never asked")
            elif not figures.accepting or not figures.rejecting:
                yield Uncovered(
                    spec,
                    "",
                    rule,
                    f"no {'rejecting' if figures.accepting else 'accepting'} vector of the rule",
                )


def _spec(requirement: Requirement) -> str:
    return requirement.id.partition("-")[0]


def _plain(figures: Figures) -> dict[str, Any]:
    return {
        "requirements": {name: figures.requirements[name] for name in TESTABLE},
        "vectors": {name: figures.vectors[name] for name in KINDS},
        "levels": dict(sorted(figures.levels.items())),
        "bindings": dict(sorted(figures.bindings.items())),
        "classes": dict(sorted(figures.classes.items())),
        "flags": dict(sorted(figures.flags.items())),
    }
