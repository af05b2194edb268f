"""The examination of an adapter: it runs the checks, each in a fresh process, and reports their results.

A check ends with a diagnosis, or it is stopped by a `ProtocolBreach`. If nothing came in time, the check is
repeated with longer limits, because a slow adapter is no broken one. A breach that stops several checks is
explained once. Checks that ask many questions are skipped for an adapter that would take minutes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterator, Sequence
from typing import NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter
from urlharness.doctor.checks import CHECKS, Check
from urlharness.doctor.client import (
    Client,
    ExecClient,
    Patience,
    ProtocolBreach,
    Wait,
    client_of,
    exchange_lines,
)
from urlharness.doctor.model import TIMEOUT, CheckResult, Diagnosis, broken, warning
from urlharness.protocol.limits import USUAL
from urlharness.protocol.messages import Hello
from urlharness.text import clipped, well_formed

_MAX_MESSAGE_LENGTH = 2000  # the maximum number of characters that are printed of a message
_PATIENCE = Patience()
_RETRY_FACTOR = 3  # the time limits of a retry are longer by this factor


class Effort(NamedTuple):
    """The number of processes that a check starts and of questions that it asks, to estimate its duration."""

    starts: int
    answers: int

    def seconds(self, per_start: float, per_answer: float) -> float:
        """Return how long a check with this effort takes."""
        return self.starts * per_start + self.answers * per_answer


_USUAL_EFFORT = Effort(starts=1, answers=4)
_EFFORT_TO_REPEAT = Effort(starts=3, answers=80)


class DoctorReport(msgspec.Struct, frozen=True):
    """The result of an examination. `hello` is None if the adapter did not send a valid hello."""

    adapter: str
    healthy: bool
    hello: Hello | None
    checks: tuple[CheckResult, ...]


class Examination:
    """An examination in progress. Iterate over it to run the checks and get their results."""

    def __init__(self, adapter: Adapter, patience: Patience = _PATIENCE, only: Collection[str] = ()) -> None:
        """Prepare an examination.

        `only` contains the names of the checks to run after the hello (default: all). Raise NotInstalled if
        the runtime of the adapter is missing.
        """
        self._adapter = adapter
        self._only = only
        self._client = client_of(adapter, patience)
        self._results: list[CheckResult] = []
        self._complete = False

    def __iter__(self) -> Generator[CheckResult, None, None]:
        """Run the checks and yield their results.

        Kill the adapter at the end or when the generator is closed.
        """
        try:
            for check_result in _run_checks(self._client, self._only):
                self._results.append(check_result)
                yield check_result
            self._complete = True
        finally:
            self._client.end()

    def report(self) -> DoctorReport:
        """Return the report so far. The adapter is healthy only if the examination is complete."""
        results = tuple(self._results)
        said_hello = results != () and results[0].state != "broken"  # the first check is that of the hello
        has_hello = isinstance(self._client, ExecClient) or said_hello
        healthy = self._complete and all(check_result.state != "broken" for check_result in results)
        hello = self._client.hello if has_hello else None
        return DoctorReport(self._adapter.name, healthy, hello, results)


def examine(adapter: Adapter, patience: Patience = _PATIENCE, only: Collection[str] = ()) -> DoctorReport:
    """Run all checks, or only the hello and the checks in `only`.

    Raise NotInstalled if the runtime of the adapter is missing.
    """
    examination = Examination(adapter, patience, only)
    for _ in examination:
        pass
    return examination.report()


def _run_checks(client: Client, only: Collection[str]) -> Iterator[CheckResult]:
    """Run the checks that apply to the adapter, and yield their results. The hello always comes first."""
    selected = [check for check in CHECKS if not only or check.name in only or check is CHECKS[0]]
    checks = [check for check in selected if check.scope == "any" or not isinstance(client, ExecClient)]
    first_check_by_cause: dict[str, str] = {}
    skip_repeats = False
    for number, check in enumerate(checks, 1):
        if check.repeats and skip_repeats:
            continue
        if check.scope == "program" and client.served:
            yield CheckResult(check.name, "skipped", "urlconform serves the function and does this itself")
            continue
        check_result, was_stopped = _run_check(check, client)
        if was_stopped:
            cause = check_result.message.partition(": '")[0]  # the message without the excerpt of a line
            first_check = first_check_by_cause.setdefault(cause, check.name)
            if first_check != check.name:
                message = f"the same fault as in “{first_check}”"
                check_result = msgspec.structs.replace(check_result, message=message, protocol="")
        yield check_result
        if was_stopped and check.essential and check_result.state == "broken":
            yield CheckResult("all others", "skipped", "until this is fixed")
            return
        if not skip_repeats and not only:
            skipped_repetitions = _skipped_repetitions(client, checks[number:])
            if skipped_repetitions is not None:
                skip_repeats = True
                yield skipped_repetitions


def _run_check(check: Check, client: Client) -> tuple[CheckResult, bool]:
    """Run a check in a fresh process. Return its result, and True if a breach or an error stopped it.

    A breach in an optional check is only a warning, and does not count.
    """
    was_stopped = False
    client.end()
    try:
        diagnosis = _run_with_retry(check, client)
    except ProtocolBreach as breach:
        was_stopped = not check.optional
        if check.optional:
            diagnosis = warning(f"{breach}; the harness never writes this, but other programs may")
        else:
            diagnosis = broken(str(breach), rule=breach.rule)
    except Exception as error:  # noqa: BLE001 - a fault of one check must not hide the results of the others
        was_stopped = True
        diagnosis = broken(f"the doctor failed: {type(error).__name__}: {error}")
    client.end()
    return _check_result(check, diagnosis, client), was_stopped


def _check_result(check: Check, diagnosis: Diagnosis, client: Client) -> CheckResult:
    """Return the published form of a diagnosis. If something is wrong, it shows an exchange."""
    message = clipped(well_formed(diagnosis.message), _MAX_MESSAGE_LENGTH)
    if diagnosis.state not in ("warning", "broken"):
        return CheckResult(check.name, diagnosis.state, message)
    # without exchanges of the diagnosis, all that the last process read and wrote
    lines = exchange_lines(diagnosis.exchanges) or client.exchange
    return CheckResult(
        check.name,
        diagnosis.state,
        message,
        protocol=str(diagnosis.rule or check.rule),
        exchange=tuple(map(well_formed, lines)),
        reproduce=client.reproducing_command(diagnosis.exchanges),
    )


def _run_with_retry(check: Check, client: Client) -> Diagnosis:
    """Run a check. If nothing arrives in time, run it again with longer time limits, unless it is optional.

    If the second run is not broken, return a warning. Raise ProtocolBreach if the check is stopped for
    another reason, or if the second run is stopped, too.
    """
    usual = client.patience
    try:
        return check.run(client)  # type: ignore[arg-type] # a check of another scope does not apply
    except ProtocolBreach as breach:
        if not breach.silent or check.optional:
            raise
    client.end()
    client.slowest = Wait()
    client.patience = usual._replace(start=_RETRY_FACTOR * usual.start, answer=_RETRY_FACTOR * usual.answer)
    try:
        diagnosis = check.run(client)  # type: ignore[arg-type]
    finally:
        client.patience = usual
    if diagnosis.state == "broken":
        return diagnosis
    note = _slowness_in_words(usual, client.slowest)
    if diagnosis.state == "warning":
        note += f"; {diagnosis.message}"
    return warning(note, rule=TIMEOUT)


def _slowness_in_words(usual: Patience, wait: Wait) -> str:
    """Say that a message arrived late. If a run needs a longer time limit, name the option."""
    if wait.message == "hello":
        option = "--start-timeout"
        limit = USUAL.start
        limit_of_doctor = usual.start
    else:
        option = "--timeout"
        limit = USUAL.case
        limit_of_doctor = usual.answer
    if wait.seconds <= limit_of_doctor:
        return "slow: nothing came in time, but a retry was answered in time"
    note = f"slow: the {wait.message} came after {wait.seconds:.1f} s; a run waits {limit:g} s"
    if wait.seconds > limit:
        enough = math.ceil(2 * wait.seconds)  # with a margin, because the next run may be slower
        note += f", so it needs `{option} {enough}`"
    return note


def _skipped_repetitions(client: Client, checks: Sequence[Check]) -> CheckResult | None:
    """Return a result that lists the checks to skip if `checks`, the remaining ones, would take too long.

    Otherwise, return None.
    """
    start = client.quickest.get("hello", 0.0)
    answer = client.quickest.get("answer", 0.0)
    repeating = [check.name for check in checks if check.repeats]
    other_count = len(checks) - len(repeating)
    seconds = len(repeating) * _EFFORT_TO_REPEAT.seconds(start, answer)
    other_seconds = other_count * _USUAL_EFFORT.seconds(start, answer)
    if not repeating or seconds + other_seconds <= client.patience.total:
        return None
    reason = f"a start takes {start:.1f} s, an answer {answer:.1f} s"
    estimate = f"{', '.join(repeating)} would take about {seconds:.0f} s"
    return CheckResult("repetitions", "skipped", f"{reason}: {estimate}; run one of them with `--check NAME`")
