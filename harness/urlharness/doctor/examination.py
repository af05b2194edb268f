"""Run the checks, retry slow ones, skip what takes too long."""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterator, Sequence

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.doctor import encoding, framing, speed
from urlharness.doctor.answers import BOTH_INPUTS, OPERATIONS, SHAPES_CHECKS, STDERR, SURVIVED, TWICE, UNKNOWN
from urlharness.doctor.checks import Check, CheckResult, Finding, warning
from urlharness.doctor.client import Fault, NotStarted, Patience, PerCase, Rule, Subject, Wait, subject_of
from urlharness.doctor.questions import Subject as questions_Subject
from urlharness.limits import Limits
from urlharness.protocol.messages import Hello
from urlharness.text import clipped, well_formed

# -------------------- doctor.pace: How long an examination takes where each start or answer is slow: said first, and kept within bounds.


#: Starts and answers of a check, about; of one that repeats its questions there are many more.
_OF_ONE = (1, 4)


_OF_MANY = (3, 80)


_MINUTE = 60.0


def left_out(subject: Subject, others: Sequence[Check]) -> Finding | None:
    """Of the checks that are still to come, those that would take too long; None where all are done soon."""
    many = [check for check in others if check.repeats]
    few = len(others) - len(many)
    start, answer = subject.pace.start, subject.pace.answer
    more = _seconds(subject, len(many), _OF_MANY)
    rest = _seconds(subject, few, _OF_ONE)
    if not many or more + rest <= subject.patience.lengthy:
        return None
    by_starts = _OF_MANY[0] * start > _OF_MANY[1] * answer
    slow = f"a start takes {start:.1f} s" if by_starts else f"an answer takes {answer:.1f} s"
    names = ", ".join(check.name for check in many)
    said = (
        f"{slow}: left out are {names}, which would take about {_duration(more)}, `--check NAME` does one; "
        f"the {few} others take about {_duration(rest)}"
    )
    return Finding("repetitions", "skipped", said)


def _seconds(subject: Subject, count: int, each: tuple[int, int]) -> float:
    """How long so many checks take."""
    starts, answers = each
    if isinstance(subject, PerCase):
        starts = 0
    return count * (starts * subject.pace.start + answers * subject.pace.answer)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} minutes"


# -------------------- doctor.patience: What silence means: a fresh process is given more time before it is said that nothing comes.


_TIMES = 3


_MOST = 30.0  # seconds, which are those of a run for the hello


_STARTS = 9  # as many times for a hello that does not come when the input is closed either


_MOST_STARTS = 90.0  # seconds: a run may be given more than it takes by default, and has to be told


_RUN = Limits()


_TIME = Rule(
    "a case has failed when no complete line came for `--timeout` seconds (5); "
    "the hello has `--start-timeout` (30)",
    "What the engine promises",
)


def tried(check: Check, subject: questions_Subject) -> CheckResult:
    """What a check finds; where it waited in vain, what it finds with more time, which is a warning then.

    An adapter that starts slowly, or a machine that is busy, looks like an output that is never flushed: what
    is late and what is kept back may both come when the input is closed.  Raises Fault where nothing comes.
    """
    usual = subject.patience
    try:
        return check.test(subject)  # type: ignore[arg-type]
    except Fault as fault:
        subject.patience = _more(usual, fault)
        if not fault.silent or subject.patience == usual:
            raise
    subject.end()
    subject.slowest = Wait()
    try:
        found = check.test(subject)  # type: ignore[arg-type]
    except Fault:
        subject.patience = usual
        raise
    subject.end()
    if found.state == "broken":
        return found
    said = f"; {found.message}" if found.state == "warning" else ""
    return warning(f"{_slow(usual, subject.slowest)}{said}", _TIME)


def _more(usual: Patience, fault: Fault) -> Patience:
    """What is kept back comes or not; what is slow to start may need longer than a run waits for it."""
    times, most = (_TIMES, _MOST) if fault.kept_back else (_STARTS, _MOST_STARTS)
    return usual._replace(
        start=max(usual.start, min(times * usual.start, most)),
        answer=max(usual.answer, min(_TIMES * usual.answer, _MOST)),
    )


def _slow(usual: Patience, wait: Wait) -> str:
    """What to do about an answer that came late, or about a process that was late once."""
    hello = wait.what == "hello"
    given, option = (_RUN.start, "--start-timeout") if hello else (_RUN.case, "--timeout")
    what = "hello" if hello else "an answer"
    if wait.seconds <= (usual.start if hello else usual.answer):
        again = f"{what} after {wait.seconds:.1f} s when tried again"
        return f"slow: nothing came in time, and {again}: is the machine busy?"
    enough = f"a run gives it {given:g} s, `{option}` more"
    if wait.seconds > given:
        enough = f"a run gives it {given:g} s and needs `{option} {math.ceil(2 * wait.seconds)}`"
    return f"slow: {what} after {wait.seconds:.1f} s; {enough}"


# -------------------- doctor.examination: An examination: every check of the doctor on one adapter, in the order in which faults hide each other.


#: Every check in its order.
CHECKS: tuple[Check, ...] = (
    framing.HANDSHAKE,
    *SHAPES_CHECKS,
    BOTH_INPUTS,
    *UNKNOWN,
    *SURVIVED,
    *TWICE,
    *framing.FRAMING,
    *encoding.CHECKS,
    *framing.ENDING,
    speed.SPEED,
    STDERR,
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
        if check.wire and subject.served and check in (*framing.FRAMING, *framing.ENDING):
            yield Finding(check.name, "skipped", "urlconform serves it, and does this itself")
            continue
        finding, faulty = _finding(check, subject)
        if finding.state == "broken" and faulty:
            fault = finding.message.partition(": '")[0]  # without the line that came, which has an id
            if (earlier := told.setdefault(fault, finding.name)) != finding.name:
                finding = msgspec.structs.replace(finding, message=f"the same as in “{earlier}”", protocol="")
        yield finding
        if finding.state == "broken" and (check is framing.HANDSHAKE or (check is OPERATIONS and faulty)):
            yield UNASKED
            return
        if not (bounded or only) and (slow := left_out(subject, checks[place + 1 :])):
            bounded = True
            yield slow


def _applies(check: Check, subject: Subject, only: Collection[str]) -> bool:
    """True for the handshake, and for what is asked for, of what there is to see in a subject."""
    wanted = check is framing.HANDSHAKE or not only or check.name in only
    return wanted and not (check.wire and isinstance(subject, PerCase))


def _uncaught(found: CheckResult, raised: str) -> CheckResult:
    """What a check of a program per case has found, and that an exception looked like a rejection."""
    said = (
        f"exit code 1 came with what looks like an uncaught exception ({raised}), and counts as a rejection"
    )
    advice = "catch it, and end with another code than 0, 1 and 3"
    if found.state == "broken":
        return found._replace(message=f"{found.message}; {said}: {advice}")
    also = f"; {found.message}" if found.state == "warning" else ""
    return CheckResult("warning", f"{said}: {advice}{also}", rule=_EXITS)


def _finding(check: Check, subject: Subject) -> tuple[Finding, bool]:
    """What a check found, and whether there was no answer to speak of."""
    faulty = False
    subject.end()  # each check begins with a fresh process, so that its line shows all of it
    before = isinstance(subject, PerCase) and subject.raised
    try:
        found = tried(check, subject)
    except Fault as fault:
        rule = _STARTED if isinstance(fault, NotStarted) else fault.rule
        found, faulty = CheckResult("broken", str(fault), waits=fault.silent, rule=rule), True
    except Exception as error:  # noqa: BLE001 - whatever it is, the other findings are told
        said = f"the doctor met what it does not expect: {type(error).__name__}: {error}"
        found, faulty = CheckResult("broken", said), True
    subject.end()
    if isinstance(subject, PerCase) and subject.raised and not before:
        found = _uncaught(found, subject.raised)
    message = clipped(well_formed(found.message), _LONGEST)
    if found.state not in ("warning", "broken"):
        return Finding(check.name, found.state, message), faulty
    rule = found.rule or Rule(check.says, check.section)
    says = f"{_PAGE}, “{rule.section}”: {rule.says}"
    return Finding(check.name, found.state, message, says, subject.repetition(wait=found.waits)), faulty
