"""A policy: which answers of a named adapter fail the gate, by level, binding, ruling and class.

A required vector has one right answer. If an RFC leaves the answer open, the corpus lists every admissible
one, and a policy says which of them a project accepts. The plain policy accepts all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from urlharness.corpus.model import (
    COMPLIANCE,
    COMPLIANCE_LEVELS,
    LEVELS,
    USUAL_MODES,
    Binding,
    Case,
    CaseKind,
    Claims,
    Vector,
    offers,
)
from urlharness.results.model import Participant, Result, Tally
from urlharness.results.verdict import Outcome
from urlharness.wording import did_you_mean

#: How a policy treats the answers to vectors of a binding, from the most lenient action to the strictest.
Action = Literal["ignore", "answered", "listed", "recommended"]

ACTIONS: tuple[Action, ...] = get_args(Action)

#: The bindings with several admissible answers.
OPEN: tuple[Binding, ...] = tuple(binding for binding in get_args(Binding) if binding != "required")

#: The name of the first answer that a vector lists. All other answers have variant names.
RECOMMENDED = "recommended"


class PolicyError(ValueError):
    """A policy is invalid. If a name or value is unknown, the message lists allowed ones or a similar one."""


@dataclass(frozen=True)
class Policy:
    """The rules that say which outcomes fail the gate.

    Only cases of `levels` can fail. `actions` maps each binding to its action (default: `ignore`). `pins`
    maps a vector id, a ruling or a class to the only variant that is accepted. A pin overrides the action. If
    several pins apply to a vector, the pin of the id wins, then that of the ruling, then that of the class.
    With `strict`, partial answers fail, and so do unsupported cases of the operations and modes that the
    adapter claims (`claims`).
    """

    levels: frozenset[str] = frozenset(LEVELS)
    actions: Mapping[str, str] = field(default_factory=dict)
    pins: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    claims: Claims | None = None

    def claiming(self, claims: Claims) -> Policy:
        """Return the policy for an adapter with these claims."""
        return replace(self, claims=claims)

    def fails(self, case: Case, result: Result) -> bool:
        """Return True if the outcome of a case fails the gate.

        An unsupported case fails only if it is required. Where the RFC leaves the answer open, the binding
        of the vector has an action, which a pin overrides.
        """
        vector = case.vector
        outcome = result.outcome
        if vector.level not in self.levels:
            return False
        if vector.binding == "required":
            return self._fails_required(outcome, vector.op, (vector.mode,))
        return self._fails_open(vector, result)

    def _fails_open(self, vector: Vector, case_result: Result) -> bool:
        """Return True if the outcome of a vector with several admissible answers fails."""
        outcome = case_result.outcome
        if outcome is Outcome.UNSUPPORTED:
            return False
        pinned = self._pinned_variant(vector)
        action = RECOMMENDED if pinned else self.actions.get(vector.binding, "ignore")
        if action == "ignore":
            return False
        if outcome.abnormal:
            return True
        if action == "answered":  # by any answer
            return False
        if outcome is Outcome.PARTIAL:
            return self.strict
        variant = RECOMMENDED if outcome is Outcome.PASS else case_result.variant
        if action == "listed":
            return outcome is Outcome.FAIL or variant == "other"
        return variant != (pinned or RECOMMENDED)

    def judges(self, case: Case) -> bool:
        """Return True if an answer to the case can fail the gate. `unsupported` is not an answer."""
        vector = case.vector
        if self.judges_kind(vector):
            return True
        return vector.level in self.levels and self._pinned_variant(vector) is not None

    def judges_kind(self, kind: CaseKind | Vector) -> bool:
        """Return True if cases of this level and binding can fail the gate. Pins are ignored."""
        judged = kind.binding == "required" or self.actions.get(kind.binding, "ignore") != "ignore"
        return judged and kind.level in self.levels

    def failing_outcomes(self, tally: Tally) -> dict[Outcome, int]:
        """Return the outcomes in a tally that fail the gate, sorted, with the number of cases of each.

        A tally counts the cases of both modes of generated texts together. So its unsupported cases can fail
        only if the adapter claims both.
        """
        if tally.level not in self.levels:
            return {}
        return {
            outcome: count
            for outcome, count in sorted(tally.required.items())
            if count and self._fails_required(outcome, tally.op, USUAL_MODES)
        }

    def _fails_required(self, outcome: Outcome, op: str, modes: Iterable[str | None]) -> bool:
        """Return True if an outcome of a required case fails.

        With `strict`, an unsupported one fails if the adapter claims the operation in all these modes.
        """
        if outcome is Outcome.UNSUPPORTED:
            if not self.strict or self.claims is None:
                return False
            return all(offers(self.claims, op, mode) for mode in modes)
        return outcome.failing or (self.strict and outcome is Outcome.PARTIAL)

    def _pinned_variant(self, vector: Vector) -> str | None:
        """Return the variant that a pin requires of a vector, or None if no pin names one of its variants."""
        if not self.pins:
            return None
        variants = _variants(vector)
        for key in (vector.id, vector.ruling, vector.class_):
            if key is None:  # not every vector has a ruling or a class
                continue
            pin = self.pins.get(key)
            if pin in variants:
                return pin
        return None


#: The default policy.
PLAIN = Policy()

#: A predicate: a case counts towards `--maxfail`. The last argument is the name of its generated part, or ""
#: for a stored case.
FailureTest = Callable[[Participant, Case, Result, str], bool]


def is_plain_failure(_participant: Participant, case: Case, result: Result, _part: str) -> bool:
    """Return True if a case fails under the default policy, for any participant and part."""
    return PLAIN.fails(case, result)


def make_policy(
    settings: Iterable[tuple[str, str]],
    cases: Sequence[Case],
    levels: Sequence[str] = (),
    *,
    strict: bool = False,
) -> Policy:
    """Make a policy from pairs such as (`permitted-set`, `listed`) or (`excess-dotdot`, `error`).

    `cases` are those of the whole corpus. They define the valid rulings, classes, ids and variants. Without
    `levels`, every level counts. The level `compliance` stands for all levels that decide on compliance.
    Raise PolicyError if a name or an answer is unknown, or if a key has two values.
    """
    judged_levels = _judged_levels(levels)
    setting_by_key: dict[str, str] = {}
    actions: dict[str, str] = {}
    pins: dict[str, str] = {}
    for key, setting in settings:
        first_setting = setting_by_key.setdefault(key, setting)
        if first_setting != setting:
            raise PolicyError(f"{key}={setting}: {key}={first_setting} is already set")
        if key not in OPEN:
            _check_pin(key, setting, cases)
            pins[key] = setting
        elif setting in ACTIONS:
            actions[key] = setting
        else:
            raise PolicyError(f"{key}={setting}: no such action; choose from {', '.join(ACTIONS)}")
    return Policy(judged_levels, actions, pins, strict)


def _judged_levels(names: Sequence[str]) -> frozenset[str]:
    """Return the levels with these names (none: all). Raise PolicyError if a name is unknown."""
    levels = set(names)
    if COMPLIANCE in levels:
        levels.remove(COMPLIANCE)
        levels |= COMPLIANCE_LEVELS
    unknown = sorted(levels - set(LEVELS))
    if unknown:
        raise PolicyError(f"no level named {unknown[0]!r}; choose from {', '.join((*LEVELS, COMPLIANCE))}")
    return frozenset(levels or LEVELS)


def _check_pin(key: str, variant: str, cases: Sequence[Case]) -> None:
    """Raise PolicyError unless a vector with the id, ruling or class `key` lists the answer `variant`.

    Only vectors with one of the bindings OPEN are considered.
    """
    if key == "required":
        raise PolicyError(
            "`required` cannot be set: such vectors have only one answer (to choose levels, use --fail-on)"
        )
    variants_by_key = _variants_by_key(cases)
    if key not in variants_by_key:
        hint = did_you_mean(key, [*OPEN, *variants_by_key]) or f"The bindings are {', '.join(OPEN)}"
        raise PolicyError(
            f"{key} is not a binding, nor a class, ruling or vector id with several answers. {hint}"
        )
    if variant not in variants_by_key[key]:
        choices = ", ".join(sorted(variants_by_key[key]))
        raise PolicyError(f"{key}={variant}: no such answer; choose from {choices}")


def _variants_by_key(cases: Sequence[Case]) -> dict[str, set[str]]:
    """Map each id, ruling and class of vectors with several answers to the names of these answers."""
    variants_by_key: dict[str, set[str]] = {}
    for case in cases:
        vector = case.vector
        if vector.binding == "required":
            continue
        for key in (vector.id, vector.ruling, vector.class_):
            if key:  # not every vector has a ruling or a class
                variants_by_key.setdefault(key, set()).update(_variants(vector))
    return variants_by_key


def _variants(vector: Vector) -> set[str]:
    """Return the names of the answers that a vector lists."""
    return {answer.variant or RECOMMENDED for answer in vector.expect.alternatives}
