"""An examination: every check of the doctor on one adapter, in the order in which faults hide each other."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.doctor import dependence, oddities, shapes, speed, texts, wire
from urlharness.doctor.findings import Check, Finding, Found
from urlharness.doctor.patience import tried
from urlharness.doctor.subjects import Patience, PerCase, Subject, subject_of
from urlharness.doctor.talk import Fault, NotStarted, Rule
from urlharness.protocol import Hello, well_formed

#: Every check in its order.
CHECKS: tuple[Check, ...] = (
    wire.HANDSHAKE,
    *shapes.CHECKS,
    dependence.BOTH_INPUTS,
    *oddities.UNKNOWN,
    *oddities.SURVIVED,
    *dependence.TWICE,
    *wire.FRAMING,
    *texts.CHECKS,
    *wire.ENDING,
    speed.SPEED,
    oddities.STDERR,
)
_PAGE = "docs/protocol.md"
_STARTED = Rule(
    "a command is split as a shell would and run without one, in the current directory, with PATH",
    "Four ways in",
)
_USUAL = Patience()


class Report(msgspec.Struct, frozen=True):
    """What the doctor found out about one adapter."""

    adapter: str
    healthy: bool
    hello: Hello | None
    checks: tuple[Finding, ...]


class Examination:
    """The findings of all checks, or of the handshake and those that are named, each as soon as it is known.

    Raises NotInstalled.
    """

    def __init__(self, adapter: Adapter, patience: Patience = _USUAL, only: Collection[str] = ()) -> None:
        self._adapter = adapter
        self._only = only
        self._subject = subject_of(adapter, patience)
        self._findings: list[Finding] = []
        self._complete = False

    def __iter__(self) -> Generator[Finding, None, None]:
        """Examine it; whoever leaves early leaves no process behind."""
        try:
            for finding in _findings(self._subject, self._only):
                self._findings.append(finding)
                yield finding
            self._complete = True
        finally:
            self._subject.end()

    def report(self) -> Report:
        """What was found so far; an adapter is healthy when all is examined."""
        findings = tuple(self._findings)
        spoke = isinstance(self._subject, PerCase) or (findings != () and findings[0].state != "broken")
        healthy = self._complete and all(finding.state != "broken" for finding in findings)
        return Report(self._adapter.name, healthy, self._subject.hello if spoke else None, findings)


def examine(adapter: Adapter, patience: Patience = _USUAL, only: Collection[str] = ()) -> Report:
    """The findings of all checks, or of the handshake and those that are named; raises NotInstalled."""
    examination = Examination(adapter, patience, only)
    for _ in examination:
        pass
    return examination.report()


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
    faulty = False
    subject.end()  # each check begins with a fresh process, so that its line shows all of it
    try:
        found = tried(check, subject)
    except Fault as fault:
        rule = _STARTED if isinstance(fault, NotStarted) else fault.rule
        found, faulty = Found("broken", str(fault), waits=fault.silent, rule=rule), True
    except Exception as error:  # noqa: BLE001 - whatever it is, the other findings are told
        said = f"the doctor met what it does not expect: {type(error).__name__}: {error}"
        found, faulty = Found("broken", said), True
    subject.end()
    message = well_formed(found.message)
    if found.state not in ("warning", "broken"):
        return Finding(check.name, found.state, message), faulty
    rule = found.rule or Rule(check.says, check.section)
    says = f"{_PAGE}, “{rule.section}”: {rule.says}"
    return Finding(check.name, found.state, message, says, subject.repetition(wait=found.waits)), faulty
