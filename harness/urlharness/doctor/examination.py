"""An examination: every check of the doctor on one adapter, in the order in which faults hide each other."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.doctor import dependence, oddities, shapes, speed, texts, wire
from urlharness.doctor.findings import Check, Finding, Found
from urlharness.doctor.pace import left_out
from urlharness.doctor.patience import tried
from urlharness.doctor.subjects import Patience, PerCase, Subject, subject_of
from urlharness.doctor.talk import Fault, NotStarted, Rule
from urlharness.protocol import Hello, well_formed
from urlharness.report.texts import clipped

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
#: The last finding of an adapter that does not say hello, or answers nothing.
UNASKED = Finding("all others", "skipped", "they come when this is right")
_PAGE = "docs/protocol.md"
_LONGEST = 2000  # characters of what is found, which may be those of a hostile adapter
_STARTED = Rule(
    "a command is split as a shell would and run without one, in the current directory, with PATH",
    "Four ways in",
)
_EXITS = Rule("exit code 0 and an answer on stdout accepts, 1 rejects, 3 is unsupported", "Four ways in")
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
    bounded, told = False, dict[str, str]()
    checks = [check for check in CHECKS if _applies(check, subject, only)]
    for place, check in enumerate(checks):
        if check.repeats and bounded:
            continue
        if check.wire and subject.served and check in (*wire.FRAMING, *wire.ENDING):
            yield Finding(check.name, "skipped", "urlconform serves it, and does this itself")
            continue
        finding, faulty = _finding(check, subject)
        if finding.state == "broken" and faulty:
            fault = finding.message.partition(": '")[0]  # without the line that came, which has an id
            if (earlier := told.setdefault(fault, finding.name)) != finding.name:
                finding = msgspec.structs.replace(finding, message=f"the same as in “{earlier}”", protocol="")
        yield finding
        if finding.state == "broken" and (check is wire.HANDSHAKE or (check is shapes.OPERATIONS and faulty)):
            yield UNASKED
            return
        if not (bounded or only) and (slow := left_out(subject, checks[place + 1 :])):
            bounded = True
            yield slow


def _applies(check: Check, subject: Subject, only: Collection[str]) -> bool:
    """True for the handshake, and for what is asked for, of what there is to see in a subject."""
    wanted = check is wire.HANDSHAKE or not only or check.name in only
    return wanted and not (check.wire and isinstance(subject, PerCase))


def _uncaught(found: Found, raised: str) -> Found:
    """What a check of a program per case has found, and that an exception looked like a rejection."""
    said = (
        f"exit code 1 came with what looks like an uncaught exception ({raised}), and counts as a rejection"
    )
    advice = "catch it, and end with another code than 0, 1 and 3"
    if found.state == "broken":
        return found._replace(message=f"{found.message}; {said}: {advice}")
    also = f"; {found.message}" if found.state == "warning" else ""
    return Found("warning", f"{said}: {advice}{also}", rule=_EXITS)


def _finding(check: Check, subject: Subject) -> tuple[Finding, bool]:
    """What a check found, and whether there was no answer to speak of."""
    faulty = False
    subject.end()  # each check begins with a fresh process, so that its line shows all of it
    before = isinstance(subject, PerCase) and subject.raised
    try:
        found = tried(check, subject)
    except Fault as fault:
        rule = _STARTED if isinstance(fault, NotStarted) else fault.rule
        found, faulty = Found("broken", str(fault), waits=fault.silent, rule=rule), True
    except Exception as error:  # noqa: BLE001 - whatever it is, the other findings are told
        said = f"the doctor met what it does not expect: {type(error).__name__}: {error}"
        found, faulty = Found("broken", said), True
    subject.end()
    if isinstance(subject, PerCase) and subject.raised and not before:
        found = _uncaught(found, subject.raised)
    message = clipped(well_formed(found.message), _LONGEST)
    if found.state not in ("warning", "broken"):
        return Finding(check.name, found.state, message), faulty
    rule = found.rule or Rule(check.says, check.section)
    says = f"{_PAGE}, “{rule.section}”: {rule.says}"
    return Finding(check.name, found.state, message, says, subject.repetition(wait=found.waits)), faulty
