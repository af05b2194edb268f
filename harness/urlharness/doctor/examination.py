"""An examination: every check of the doctor on one adapter, in the order in which faults hide each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.doctor import dependence, oddities, shapes, speed, texts, wire
from urlharness.doctor.findings import Check, Finding, Found
from urlharness.doctor.subjects import Patience, PerCase, Subject, subject_of
from urlharness.doctor.talk import Fault, NotStarted
from urlharness.protocol import Hello, well_formed

#: Every check in its order.
CHECKS: tuple[Check, ...] = (
    wire.HANDSHAKE,
    *shapes.CHECKS,
    dependence.BOTH_INPUTS,
    *oddities.UNKNOWN,
    *wire.FRAMING,
    *texts.CHECKS,
    *oddities.SURVIVED,
    *dependence.TWICE,
    *wire.ENDING,
    speed.SPEED,
    oddities.STDERR,
)
_PAGE = "docs/protocol.md"
_STARTED = "a command is split as a shell would and run without one, in the current directory, with PATH"
_USUAL = Patience()


class Report(msgspec.Struct, frozen=True):
    """What the doctor found out about one adapter."""

    adapter: str
    healthy: bool
    hello: Hello | None
    checks: tuple[Finding, ...]


def examine(adapter: Adapter, patience: Patience = _USUAL, only: Collection[str] = ()) -> Report:
    """The findings of all checks, or of the handshake and those that are named; raises NotInstalled."""
    subject = subject_of(adapter, patience)
    try:
        findings = tuple(_findings(subject, only))
    finally:
        subject.end()
    spoke = isinstance(subject, PerCase) or findings[0].state != "broken"
    healthy = all(finding.state != "broken" for finding in findings)
    return Report(adapter.name, healthy, subject.hello if spoke else None, findings)


def _findings(subject: Subject, only: Collection[str]) -> Iterator[Finding]:
    for check in CHECKS:
        if check is not wire.HANDSHAKE and only and check.name not in only:
            continue
        if check.wire and isinstance(subject, PerCase):
            continue
        if check.wire and subject.served and check in (*wire.FRAMING, *wire.ENDING):
            yield Finding(check.name, "skipped", "urlconform serves it, and does this itself")
            continue
        finding, faulty = _finding(check, subject)
        yield finding
        if finding.state == "broken" and (check is wire.HANDSHAKE or (check is shapes.OPERATIONS and faulty)):
            yield Finding("all others", "skipped", "they come when this is right")
            return


def _finding(check: Check, subject: Subject) -> tuple[Finding, bool]:
    """What a check found, and whether there was no answer to speak of."""
    faulty, section, rule = False, check.section, check.says
    subject.end()  # each check begins with a fresh process, so that its line shows all of it
    try:
        found = check.test(subject)  # type: ignore[arg-type]
    except Fault as fault:
        found, faulty = Found("broken", str(fault), waits=fault.silent), True
        if isinstance(fault, NotStarted):
            section, rule = "Four ways in", _STARTED
    subject.end()
    message = well_formed(found.message)
    if found.state not in ("warning", "broken"):
        return Finding(check.name, found.state, message), faulty
    says = f"{_PAGE}, “{section}”: {rule}"
    return Finding(check.name, found.state, message, says, subject.repetition(wait=found.waits)), faulty
