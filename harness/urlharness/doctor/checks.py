"""What the doctor finds: of each check its state, what is wrong, what the protocol says, how to see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from urlharness.doctor.client import PerCase, Rule, Speaking

#: `broken` breaks the protocol; a `warning` costs something, or is likely to be no intention.
State = Literal["ok", "warning", "broken", "skipped"]


class CheckResult(NamedTuple):
    """What a check found; `waits` where it shows only while the input stays open.

    `rule` where what the protocol says of it is another rule than that of the check.
    """

    state: State
    message: str
    waits: bool = False
    rule: Rule | None = None


class Check(NamedTuple):
    """One check: its name, what the protocol says of it, and the test, which may raise Fault."""

    name: str
    says: str
    test: Callable[[Speaking], CheckResult] | Callable[[PerCase | Speaking], CheckResult]
    wire: bool = False  # of programs that speak the protocol alone
    section: str = "The protocol, version 1"
    repeats: bool = False  # it asks or starts so often that it is left out where that is slow


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of one check; `reproduce` is a line for bash that shows it."""

    name: str
    state: State
    message: str
    protocol: str = ""
    reproduce: str = ""


def ok(message: str = "") -> CheckResult:
    """Nothing is wrong."""
    return CheckResult("ok", message)


def warning(message: str, rule: Rule | None = None) -> CheckResult:
    """Something that costs, or that the author did not intend."""
    return CheckResult("warning", message, rule=rule)


def broken(message: str, rule: Rule | None = None) -> CheckResult:
    """Something that breaks the protocol."""
    return CheckResult("broken", message, rule=rule)


def skipped(message: str) -> CheckResult:
    """A check that does not apply."""
    return CheckResult("skipped", message)
