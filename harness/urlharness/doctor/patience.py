"""What silence means: a fresh process is given more time before it is said that nothing comes."""

from __future__ import annotations

import math

from urlharness.doctor.findings import Check, Found, warning
from urlharness.doctor.replies import Subject
from urlharness.doctor.subjects import Patience
from urlharness.doctor.talk import Fault, Rule
from urlharness.doctor.waits import Wait
from urlharness.limits import Limits

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


def tried(check: Check, subject: Subject) -> Found:
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
