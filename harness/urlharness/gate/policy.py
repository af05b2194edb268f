"""A policy: which answers of a named adapter fail the gate, by level, binding, ruling and class.

A required vector has one answer, and anything else fails.  Where an RFC leaves the answer open the corpus
lists every admissible one, and a policy says which of them a project accepts.  The plain policy accepts all.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from urlharness.corpus.model import (
    COMPLIANCE,
    COMPLIANCE_LEVELS,
    LEVELS,
    Binding,
    Case,
    CaseKind,
    Level,
    Operation,
    Vector,
)
from urlharness.results.model import Participant, Result, Tally
from urlharness.results.verdict import Outcome

#: How strict a policy is with a binding, each step stricter than the one before.
Action = Literal["ignore", "answered", "listed", "recommended"]


ACTIONS: tuple[Action, ...] = get_args(Action)


#: The bindings that leave the answer open.
OPEN: tuple[Binding, ...] = tuple(binding for binding in get_args(Binding) if binding != "required")


#: The name of the first answer that a vector lists, beside those of its variants.
RECOMMENDED = "recommended"


class Generated(NamedTuple):
    """What the cases of a generated tier are: their level and the operation that they ask."""

    level: Level
    op: Operation


def of_generated(tally: Tally) -> Generated:
    """The level and the operation of the cases that a tally counts."""
    if tally.tier == "resolution":
        return Generated("algorithm", "resolve")
    return Generated("grammar", "validate")


class PolicyError(ValueError):
    """A policy that says nothing which the corpus knows; the message has what it knows."""


@dataclass(frozen=True)
class Policy:
    """What fails the gate.

    `levels` are those of which anything can fail.  `actions` has for a binding how strict to be, `ignore`
    where it says nothing.  `pins` has for the id of a vector, a ruling or a class the one answer that is
    accepted, by the name of its variant; it goes before the action, and an id before a ruling before a class.
    With `strict`, answers that are right only as far as they go fail as wrong ones do, and so does what is
    unsupported though the operation is among the `claimed` ones of the adapter.
    """

    levels: frozenset[str] = frozenset(LEVELS)
    actions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    pins: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    strict: bool = False
    claimed: frozenset[str] = frozenset()

    def claiming(self, operations: Iterable[str]) -> Policy:
        """The same for an adapter whose hello has these operations."""
        return replace(self, claimed=frozenset(operations))

    def fails(self, case: Case, result: Result) -> bool:
        """True where the outcome of a case fails the gate."""
        vector = case.vector
        if vector.level not in self.levels:
            return False
        if vector.binding == "required":
            return self._wrong(result.outcome, vector.op)
        if result.outcome is Outcome.UNSUPPORTED:
            return False
        pinned = self._pin(vector)
        action = RECOMMENDED if pinned else self.actions.get(vector.binding, "ignore")
        if action == "ignore":
            return False
        if result.outcome.abnormal or action == "answered":
            return result.outcome.abnormal
        if result.outcome is Outcome.PARTIAL:
            return self.strict
        named = RECOMMENDED if result.outcome is Outcome.PASS else result.variant
        if action == "listed":
            return result.outcome is Outcome.FAIL or named == "other"
        return named != (pinned or RECOMMENDED)

    def judges(self, case: Case) -> bool:
        """True where some outcome of a case other than unsupported can fail the gate."""
        vector = case.vector
        known = self.judges_by(vector.level, vector.binding)
        return known or (vector.level in self.levels and self._pin(vector) is not None)

    def judges_by(self, level: str, binding: str) -> bool:
        """`judges` of a case of which no more is known than this; where nothing is pinned, it is enough."""
        return level in self.levels and (
            binding == "required" or self.actions.get(binding, "ignore") != "ignore"
        )

    @property
    def counts(self) -> bool:
        """True where facts and outcome of a case are enough to say whether it fails."""
        return not self.actions and not self.pins

    def fails_by(self, facts: CaseKind, outcome: Outcome) -> bool:
        """`fails` of a case of which no more is known than its facts; only where the policy `counts`."""
        failing = self._wrong(outcome, facts.op)
        return failing and facts.binding == "required" and facts.level in self.levels

    def failing(self, tally: Tally) -> dict[Outcome, int]:
        """The outcomes of generated cases that fail the gate, each with its count; only required ones do."""
        level, op = of_generated(tally)
        if level not in self.levels:
            return {}
        required = sorted(tally.required.items())
        return {outcome: count for outcome, count in required if count and self._wrong(outcome, op)}

    def _wrong(self, outcome: Outcome, op: str) -> bool:
        """Return True if an outcome fails a required case of an operation."""
        if outcome is Outcome.UNSUPPORTED:
            return self.strict and op in self.claimed
        return outcome.failing or (self.strict and outcome is Outcome.PARTIAL)

    def _pin(self, vector: Vector) -> str | None:
        """The variant that is accepted alone, where one is pinned that the vector lists."""
        if not self.pins:
            return None
        answers = _answers(vector)
        pins = (self.pins.get(key or "") for key in (vector.id, vector.ruling, vector.class_))
        return next((pin for pin in pins if pin in answers), None)


#: What the gate does where nobody says otherwise.
PLAIN = Policy()


#: Whether a case is a failure that `--maxfail` counts; the last is the part of a generated tier that it is
#: of, empty for a vector.
Counts = Callable[[Participant, Case, Result, str], bool]


def counts_plainly(_: Participant, case: Case, result: Result, __: str) -> bool:
    """True where a required case fails."""
    return PLAIN.fails(case, result)


def policy(
    settings: Iterable[tuple[str, str]],
    cases: Sequence[Case],
    levels: Sequence[str] = (),
    *,
    strict: bool = False,
) -> Policy:
    """The policy that pairs such as (`permitted-set`, `listed`) or (`excess-dotdot`, `error`) make.

    `cases` are those of the whole corpus, by which rulings, classes, ids and variants are known.  No level is
    every level, `compliance` those that decide on compliance.  Raises PolicyError.
    """
    chosen = [one for level in levels for one in (COMPLIANCE_LEVELS if level == COMPLIANCE else (level,))]
    unknown = sorted(set(chosen) - set(LEVELS))
    if unknown:
        raise PolicyError(f"no level {unknown[0]!r}; there are {', '.join((*LEVELS, COMPLIANCE))}")
    actions: dict[str, str] = {}
    pins: dict[str, str] = {}
    for key, value in settings:
        before = {**actions, **pins}.get(key, value)
        if before != value:
            raise PolicyError(f"{key}={value}: it is {key}={before} already")
        if key in OPEN:
            if value not in ACTIONS:
                raise PolicyError(f"{key}={value}: no such action; there are {', '.join(ACTIONS)}")
            actions[key] = value
        else:
            _check_pin(key, value, cases)
            pins[key] = value
    return Policy(frozenset(chosen or LEVELS), actions, pins, strict)


def _check_pin(key: str, value: str, cases: Sequence[Case]) -> None:
    """Refuse a key that no vector with several answers has, and a variant that none of them lists."""
    if key == "required":
        raise PolicyError("required: such a vector has one answer; --fail-on chooses levels")
    listed: dict[str, set[str]] = {}
    for case in cases:
        vector = case.vector
        if vector.binding != "required":
            for name in filter(None, (vector.id, vector.ruling, vector.class_)):
                listed.setdefault(name, set()).update(_answers(vector))
    if key not in listed:
        near = difflib.get_close_matches(key, [*OPEN, *listed], 1)
        hint = f"did you mean {near[0]}?" if near else f"bindings are {', '.join(OPEN)}"
        raise PolicyError(f"{key}: no binding, and no class, ruling or vector with an open answer; {hint}")
    if value not in listed[key]:
        raise PolicyError(f"{key}={value}: no such answer; there are {', '.join(sorted(listed[key]))}")


def _answers(vector: Vector) -> set[str]:
    return {answer.variant or RECOMMENDED for answer in vector.expect.alternatives}
