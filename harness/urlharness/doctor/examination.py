"""The examination of an adapter.

It runs the checks, repeats checks that got no answer in time, and skips checks that would take too long.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterator, Sequence

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

_MESSAGE_SHOWN = 2000  # the maximum number of characters that are shown of a message
_PATIENCE = Patience()
_RETRY_FACTOR = 3  # the time limits of a retry are longer by this factor

#: (processes, questions) of a usual check, and of a check that repeats questions. They estimate its duration.
_ONE = (1, 4)
_REPEATED = (3, 80)


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
            for result in _results(self._client, self._only):
                self._results.append(result)
                yield result
            self._complete = True
        finally:
            self._client.end()

    def report(self) -> DoctorReport:
        """Return the report so far. The adapter is healthy only if the examination is complete."""
        results = tuple(self._results)
        greeted = isinstance(self._client, ExecClient) or (results != () and results[0].state != "broken")
        healthy = self._complete and all(result.state != "broken" for result in results)
        return DoctorReport(self._adapter.name, healthy, self._client.hello if greeted else None, results)


def examine(adapter: Adapter, patience: Patience = _PATIENCE, only: Collection[str] = ()) -> DoctorReport:
    """Run all checks, or only the hello and the checks in `only`.

    Raise NotInstalled if the runtime of the adapter is missing.
    """
    examination = Examination(adapter, patience, only)
    for _ in examination:
        pass
    return examination.report()


def _results(client: Client, only: Collection[str]) -> Iterator[CheckResult]:
    wanted = [check for check in CHECKS if not only or check.name in only or check is CHECKS[0]]
    checks = [check for check in wanted if check.scope == "any" or not isinstance(client, ExecClient)]
    known_faults: dict[str, str] = {}
    skip_repeats = False
    for index, check in enumerate(checks, 1):
        if check.repeats and skip_repeats:
            continue
        if check.scope == "program" and client.served:
            yield CheckResult(check.name, "skipped", "urlconform serves the function and does this itself")
            continue
        result, faulty = _run(check, client)
        if faulty:
            cause = result.message.partition(": '")[0]  # the message without the excerpt of a line
            first = known_faults.setdefault(cause, check.name)
            if first != check.name:
                message = f"the same fault as in “{first}”"
                result = msgspec.structs.replace(result, message=message, protocol="")
        yield result
        if faulty and check.essential and result.state == "broken":
            yield CheckResult("all others", "skipped", "until this is fixed")
            return
        if not (skip_repeats or only) and (slow := _too_slow(client, checks[index:])):
            skip_repeats = True
            yield slow


def _run(check: Check, client: Client) -> tuple[CheckResult, bool]:
    """Run a check in a fresh process. Return its result, and True if a fault stopped the check."""
    faulty = False
    client.end()
    try:
        found = _diagnosis(check, client)
    except ProtocolBreach as fault:
        faulty = not check.optional
        note = "; the harness never writes this, but other programs may"
        found = Diagnosis("broken", str(fault), rule=fault.rule) if faulty else warning(f"{fault}{note}")
    except Exception as error:  # noqa: BLE001 - a fault of one check must not hide the results of the others
        found, faulty = broken(f"the doctor failed: {type(error).__name__}: {error}"), True
    client.end()
    message = clipped(well_formed(found.message), _MESSAGE_SHOWN)
    if found.state not in ("warning", "broken"):
        return CheckResult(check.name, found.state, message), False
    rule, exchange = str(found.rule or check.rule), exchange_lines(found.exchanges) or client.exchange
    shown = tuple(map(well_formed, exchange)), client.reproduce(found.exchanges)
    return CheckResult(check.name, found.state, message, rule, *shown), faulty


def _diagnosis(check: Check, client: Client) -> Diagnosis:
    """Run a check. If nothing arrives in time, run it again with longer time limits.

    If the second run is not broken, return a warning. Raise Fault if the check is stopped for another reason,
    or if the second run is stopped, too.
    """
    usual = client.patience
    client.slowest = Wait()
    try:
        return check.run(client)  # type: ignore[arg-type] # a check of another scope does not apply
    except ProtocolBreach as fault:
        if not fault.silent or check.optional:
            raise
    client.end()
    client.slowest = Wait()
    client.patience = usual._replace(start=_RETRY_FACTOR * usual.start, answer=_RETRY_FACTOR * usual.answer)
    try:
        found = check.run(client)  # type: ignore[arg-type]
    finally:
        client.patience = usual
    if found.state == "broken":
        return found
    more = f"; {found.message}" if found.state == "warning" else ""
    return warning(f"{_slow(usual, client.slowest)}{more}", rule=TIMEOUT)


def _slow(usual: Patience, wait: Wait) -> str:
    """Return a warning that a message arrived late. If a run needs a longer time limit, name the option."""
    start = wait.what == "hello"
    given, option = (USUAL.start, "--start-timeout") if start else (USUAL.case, "--timeout")
    if wait.seconds <= (usual.start if start else usual.answer):
        return "slow: nothing came in time, but a retry was answered in time"
    needs = f", so it needs `{option} {math.ceil(2 * wait.seconds)}`" if wait.seconds > given else ""
    return f"slow: the {wait.what} came after {wait.seconds:.1f} s; a run waits {given:g} s{needs}"


def _too_slow(client: Client, checks: Sequence[Check]) -> CheckResult | None:
    """Return None if `checks`, the remaining ones, will not take too long.

    Otherwise, return a result that lists the checks to skip.
    """
    start, answer = (client.quickest.get(what, 0.0) for what in ("hello", "answer"))
    repeats = [check.name for check in checks if check.repeats]
    others = len(checks) - len(repeats)
    once, repeated = (starts * start + answers * answer for starts, answers in (_ONE, _REPEATED))
    if not repeats or len(repeats) * repeated + others * once <= client.patience.total:
        return None
    slow = f"a start takes {start:.1f} s, an answer {answer:.1f} s"
    names, seconds = ", ".join(repeats), len(repeats) * repeated
    note = f"{slow}: {names} would take about {seconds:.0f} s; run one of them with `--check NAME`"
    return CheckResult("repetitions", "skipped", note)
