"""Which classes of difference account for the answers of the RFCs to one question.

A difference is an offset that one RFC refuses and another takes, a component or a target that two of them
give otherwise, or a further answer that one admits.  Each is shown to the sign of every class; what no
class claims is handed back unnamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from urlharness.differences import DifferenceClass
from urlharness.naming.answers import Answer, Question
from urlharness.naming.pairs import Pair
from urlharness.naming.reading import Reading, read_on
from urlharness.naming.refusals import Refusal
from urlharness.naming.signs import SIGNS

_FAMILIES = {"rfc2732": ("R-2732", "R-2396")}  # what RFC 2732 does not change is that of RFC 2396


@dataclass(frozen=True)
class Side:
    """RFCs that say the same, each with the section in which it does, and what they say."""

    sections: Mapping[str, str]
    what: str


@dataclass(frozen=True)
class Named:
    """A class that accounts for a difference: the RFCs on each side, and the rulings that concern them."""

    entry: DifferenceClass
    sides: tuple[Side, ...]
    rulings: tuple[str, ...]


@dataclass(frozen=True)
class Differences:
    """Every class that accounts for the answers to a question, and the sides of what none accounts for."""

    named: tuple[Named, ...]
    unnamed: tuple[tuple[Side, ...], ...]


@dataclass(frozen=True)
class _Fact:
    """What one RFC says; with the section, where that of the class is not the one."""

    spec: str
    what: str
    section: str = ""


_TAKEN = "takes it"
_Claim = tuple[list[str], list[_Fact]]


def name(question: Question, classes: Mapping[str, DifferenceClass]) -> Differences:
    """The classes of the differences between the answers, in the order in which they come up.

    There is none where all answers agree.  `classes` are those of the corpus, by id.
    """
    if question.unanimous:
        return Differences((), ())
    facts: dict[str, list[_Fact]] = {}
    unnamed: list[tuple[Side, ...]] = []
    for claims, told in (*_refusals(question), *_disagreements(question)):
        for known in claims:
            facts.setdefault(known, []).extend(told)
        if not claims and (sides := _sides(told, {})) not in unnamed:
            unnamed.append(sides)
    for known, told in _admissions(question):
        facts.setdefault(known, []).extend(told)
    heard = [spec for spec, answer in question.answers.items() if answer.problem is None]
    named = [_named(classes[known], told, heard) for known, told in facts.items()]
    return Differences(tuple(named), tuple(unnamed))


def _refusals(question: Question) -> Iterator[_Claim]:
    """Each offset that some RFC refuses and another takes, with the classes that account for it."""
    texts = (question.text, question.other, question.base)
    for text in dict.fromkeys(text for text in texts if text is not None):
        readings = {spec: _reading(text, told, question.rule) for spec, told in question.answers.items()}
        yield from _refusals_of(readings)


def _reading(text: str, answer: Answer, rule: str | None) -> Reading:
    """What an RFC has against one text of the question; nothing is known where it refused another one."""
    problem = answer.problem
    if problem is not None and problem.text != text:
        return Reading((), frozenset(), -1)
    return read_on(text, answer.spec, problem, rule)


def _refusals_of(readings: Mapping[str, Reading]) -> Iterator[_Claim]:
    found: dict[str, dict[str, tuple[int, Refusal]]] = {}
    for spec, reading in readings.items():
        for at, refusal in reading.refusals:
            claims = [known for known, sign in SIGNS.items() if sign.refused and sign.refused(refusal)]
            for known in claims or [""]:
                found.setdefault(known if claims else f" {at}", {}).setdefault(spec, (at, refusal))
    for known, refused in found.items():
        offsets = {at for at, _ in refused.values()}
        whole = any(refusal.reason for _, refusal in refused.values())
        takers = [
            spec
            for spec, reading in readings.items()
            if spec not in refused
            and any(reading.takes(at) for at in offsets)
            and not (whole and reading.refusals)
        ]
        if takers:
            told = [_refused(spec, *refused[spec], first=readings[spec].refusals[0][0]) for spec in refused]
            told += [_Fact(spec, _TAKEN) for spec in takers]
            yield [] if known.startswith(" ") else [known], told


def _refused(spec: str, at: int, refusal: Refusal, *, first: int) -> _Fact:
    """The refusal in words; behind the first one it is what the RFC would say if it read on."""
    if refusal.reason:
        return _Fact(spec, refusal.reason, refusal.section)
    if refusal.char:
        verb = "refuses" if at == first else "would refuse"
        return _Fact(spec, f"{verb} {_character(refusal.char)} at {at}", refusal.section)
    verb = "finds" if at == first else "would find"
    return _Fact(spec, f"{verb} it cut short at {at}", refusal.section)


def _character(char: str) -> str:
    return repr(char) if char.isascii() and char.isprintable() and char != " " else f"U+{ord(char):04X}"


def _disagreements(question: Question) -> Iterator[_Claim]:
    """Each component, target or verdict of equality that two RFCs give otherwise."""
    for one, other in combinations(question.answers.values(), 2):
        if one.problem is not None or other.problem is not None:
            if question.other is not None and (one.problem is None) is not (other.problem is None):
                yield from _disagreement(Pair(question, "equal", one, other))
            continue
        told = one.recommended, other.recommended
        for shared in told[0]:
            if shared in told[1] and told[0][shared] != told[1][shared]:
                yield from _disagreement(Pair(question, shared, one, other))


def _disagreement(pair: Pair) -> Iterator[_Claim]:
    claims = [known for known, sign in SIGNS.items() if sign.differs and sign.differs(pair)]
    if pair.name == "equal" and not claims and pair.one.equal is None is not pair.other.equal:
        return  # one of them refuses a text, which has been told
    yield claims, [_Fact(answer.spec, _said(answer, pair.name)) for answer in (pair.one, pair.other)]


def _said(answer: Answer, about: str) -> str:
    """The answer about one thing, in words; RFC 1808 has parameters beside its path."""
    if answer.problem is not None:
        return "refuses a text"
    if about == "equal":
        return "equivalent" if answer.equal else "not equivalent"
    if about == "target":
        return f"gives {answer.result or EMPTY}"
    components = answer.components or {}
    told = f"{about} {component(components[about])}"
    params = components.get("params") if about == "path" else None
    return told if params is None else f"{told}, params {component(params)}"


#: How an absent and an empty component look.
ABSENT, EMPTY = "∅", '""'


def component(value: str | None) -> str:
    """A component for a reader, absent and empty told apart."""
    return ABSENT if value is None else value or EMPTY


#: What a variant is to a reader.
_VARIANTS = {
    "case-sensitive": "may refuse capitals",
    "other-split": "admits another split",
    "empty-as-absent": "may call what is empty absent",
    "net-loc-dropped": "may drop the slashes of an empty network location",
    "delimiter-kept": "may keep the delimiter of what is empty",
    "whole-base": "may give the whole base",
    "same-document": "calls it the current document",
    "loophole": "may pass over the scheme",
    "non-strict": "may pass over the scheme",
    "excess-dropped": "may drop what is too much, or refuse",
    "normalized-base": "may resolve against the normal form of the base",
}


def _admissions(question: Question) -> Iterator[tuple[str, list[_Fact]]]:
    """Each variant that an RFC admits and another one does not."""
    for one, other in combinations(question.answers.values(), 2):
        pair = Pair(question, "admits", one, other)
        for answer, peer in ((one, other), (other, one)):
            for known, sign in SIGNS.items():
                variants = sorted(sign.admits & answer.admits - peer.admits)
                if variants and peer.problem is None and sign.admitted(pair, answer):
                    yield known, [_Fact(answer.spec, _VARIANTS[variant]) for variant in variants]


def _named(entry: DifferenceClass, facts: Sequence[_Fact], heard: Sequence[str]) -> Named:
    sides = _sides(facts, entry.sections)
    if len(sides) == 1:  # a choice that is open under one RFC
        rest = [_Fact(spec, "leaves no choice") for spec in heard if spec not in sides[0].sections]
        sides += _sides(rest, entry.sections)
    specs = [spec for side in sides for spec in side.sections]
    families = {"G", *(family for spec in specs for family in _families(spec))}
    rulings = tuple(ruling for ruling in entry.rulings if ruling[:-3] in families)
    return Named(entry, sides, rulings)


def _families(spec: str) -> tuple[str, ...]:
    return _FAMILIES.get(spec, (f"R-{spec.removeprefix('rfc')}",))


def _sides(facts: Iterable[_Fact], sections: Mapping[Any, Sequence[str]]) -> tuple[Side, ...]:
    """The facts of each RFC in one clause; RFCs that say the same stand on one side."""
    clauses: dict[str, dict[str, None]] = {}
    places: dict[str, str] = {}
    for fact in facts:
        clauses.setdefault(fact.spec, {})[fact.what] = None
        places.setdefault(fact.spec, fact.section or next(iter(sections.get(fact.spec, ())), ""))
    said: dict[str, dict[str, str]] = {}
    for spec in sorted(clauses):
        told = [what for what in clauses[spec] if what != _TAKEN or len(clauses[spec]) == 1]
        said.setdefault(", ".join(told), {})[spec] = places[spec]
    return tuple(Side(found, what) for what, found in said.items())
