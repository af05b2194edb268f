"""The runner, which asks one adapter the selected cases and records every result."""

from __future__ import annotations

import gc
import platform
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from operator import attrgetter
from os.path import relpath
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Literal, NamedTuple

import msgspec

from urlharness.adapters.python import function_hello, function_problem
from urlharness.adapters.registry import (
    Adapter,
    InProcess,
    NotInstalled,
    Program,
    ProgramPerCase,
    UnknownAdapter,
    find,
)
from urlharness.corpus.jsonl import CaseLines, requirement_of
from urlharness.corpus.lock import abbreviated_case
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH, abbreviated
from urlharness.corpus.model import Case, Corpus, offers
from urlharness.corpus.specifications import is_asked
from urlharness.gate.policy import FailureTest, is_plain_failure
from urlharness.jsonio import now_utc
from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.limits import MOST_SECONDS, USUAL, Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.protocol.server import exit_in_words
from urlharness.results.generated import Stream, TallyCounter
from urlharness.results.model import (
    ASKED_AGAIN,
    LEAST_TIME,
    AskedVector,
    Header,
    LineWriter,
    Participant,
    Result,
    ResultsWriter,
)
from urlharness.results.verdict import Outcome, judge
from urlharness.sessions.client import open_client
from urlharness.sessions.process import Recording
from urlharness.text import clipped, well_formed
from urlharness.wording import rfc

_VERSION = version("urlconform")

#: The maximum number of characters to record of an adapter's message, or of a detail.
_MAX_RECORDED_LENGTH = 10_000

#: The number of cases in a batch. Questions that are in flight at the same time come from the same batch.
_BATCH = 2048

#: A question that timed out is asked again with this many times the limit, as the machine may have been busy.
_PATIENCE = 3

#: Once this many questions of an adapter have timed out twice, the others are not asked again: it is the
#: adapter that is slow, not the machine.
_MOST_LATE = 3

#: The number of new objects that starts a garbage collection. Every case creates several hundred objects.
_GC_THRESHOLD = 50_000

#: Returns the inputs of a vector in the order of the fields of `Question`, which follow its id, operation and
#: RFC. They are passed by position, because passing them by keyword takes four times as long.
_INPUTS = attrgetter(*Question.__struct_fields__[3:])

#: An adapter as the user gives it: a name as on the command line, a function that maps a question to a
#: reply, or an adapter object.
Given = str | Callable[[dict[str, Any]], Mapping[str, Any]] | Adapter

#: A function to call after each case with the name of the adapter, the number of finished cases, and the
#: total.
Progress = Callable[[str, int, int], None]


def question(case: Case) -> Question:
    """Return the question of a case, with the inputs of its vector. A session replaces its id."""
    vector = case.vector
    return Question(0, vector.op, case.spec, *_INPUTS(vector))


def adapter_of(adapter: Given, folder: Path | None = None) -> Adapter:
    """Return the adapter for what the user gives as an adapter.

    Programs and modules are looked up in `folder` (default: the current folder). Raise UnknownAdapter if the
    name is unknown, or if the function cannot be an adapter.
    """
    if isinstance(adapter, str):
        return find(adapter, folder)
    if isinstance(adapter, InProcess | Program | ProgramPerCase):
        return adapter
    return function_adapter(adapter)


def function_adapter(function: Any) -> InProcess:
    """Make an adapter from a function.

    If the function has an attribute `hello`, its fields replace those of the default hello. Raise
    UnknownAdapter if the function cannot be an adapter.
    """
    try:
        problem = function_problem(function)
        if problem:
            raise UnknownAdapter(f"{well_formed(repr(function))} {problem}")
        name = _qualified_name(function)
        hello = function_hello(function, name)
        about = hello["implementation"]
        if isinstance(about, Mapping):
            name = str(about.get("name", name))
    except SystemExit as end:  # the attribute may run any code
        raise UnknownAdapter(f"the hello of a {type(function).__name__}: {exit_in_words(end)}") from end
    return InProcess(well_formed(name), lambda: (hello, function))


def _qualified_name(function: object) -> str:
    """Return MODULE:NAME for a function, or for an object that can be called, with the name of its class."""
    module = getattr(function, "__module__", "")
    name = getattr(function, "__qualname__", "") or type(function).__qualname__
    return f"{module}:{name}"


def adapters_folder(adapters: Iterable[Adapter]) -> str:
    """Return the folder in which adapters are looked up, relative to the current folder.

    Return "" if it is the current folder, or if no adapter has a folder.
    """
    folder = next((adapter.folder for adapter in adapters if adapter.folder is not None), None)
    return "" if folder is None or folder == Path.cwd() else relpath(folder)


def open_results(
    stream: IO[bytes],
    corpus: Corpus,
    cases: Sequence[Case],
    tiers: Mapping[str, str] = MappingProxyType({}),
    *,
    folder: str = "",
    vectors: Path | None = None,
    limits: Limits = USUAL,
) -> ResultsWriter:
    """Write the header and the vectors of a run, and return the writer for its results.

    `tiers` maps generated parts to their digests. `folder` is the folder in which adapters are looked up (""
    if it is the current one). `vectors` is the path of the corpus (None for the installed one). `limits` are
    recorded for `repro`.

    The writer closes `stream`. If writing fails, it is closed here, and OSError is raised. If the user
    interrupts the writing of the vectors, `stream` contains an interrupted run.
    """
    try:
        writer = ResultsWriter(stream, _header(corpus, tiers, folder, vectors, limits))
        try:
            _write_vectors(writer, corpus, cases)
        except KeyboardInterrupt:
            writer.close(interrupted=True)
            raise
    except BaseException:
        stream.close()
        raise
    return writer


def _header(
    corpus: Corpus, tiers: Mapping[str, str], folder: str, vectors: Path | None, limits: Limits
) -> Header:
    """Return the header of a run that starts now. The parameters are those of `open_results`."""
    corpus_path = ""
    if vectors is not None:
        corpus_path = relpath(vectors, folder) if folder else str(vectors)
    timeout, start_timeout = limits.unusual_seconds
    return Header(
        schema="urlresults-1",
        urlconform=_VERSION,
        corpus=corpus.digest,
        argv=tuple(map(well_formed, sys.argv[1:])),
        started=now_utc(),
        platform=platform.platform(),
        python=platform.python_version(),
        tiers=dict(tiers),
        sizes=dict(corpus.sizes),
        folder=well_formed(folder),
        vectors=well_formed(corpus_path),
        timeout=timeout,
        start_timeout=start_timeout,
    )


def _write_vectors(writer: LineWriter, corpus: Corpus, cases: Sequence[Case]) -> None:
    """Write the vectors of the cases, each with its requirement and the title of its section."""
    for case in cases:
        vector = case.vector
        requirement = corpus.requirements.get(vector.requirement) or requirement_of(case.section, vector)
        title = corpus.titles.get((case.spec, case.section), "")
        writer.write(AskedVector(abbreviated_case(case), requirement, title))


@contextmanager
def _relaxed_gc() -> Iterator[None]:
    """Collect garbage less often in the body, which doubles the number of cases per second.

    Cases create no reference cycles. Adapters in this process may create some, which are still collected.
    """
    thresholds = gc.get_threshold()
    new_objects, *older_generations = thresholds
    if gc.isenabled() and new_objects:  # 0 means never
        gc.set_threshold(max(new_objects, _GC_THRESHOLD), *older_generations)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


@_relaxed_gc()
def run(
    adapter: Adapter,
    cases: Sequence[Case],
    writer: LineWriter,
    limits: Limits,
    *,
    streams: Sequence[Stream] = (),
    maxfail: int | None = None,
    is_failure: FailureTest = is_plain_failure,
    blind: Collection[str] = (),
    progress: Progress = lambda *_: None,
) -> Participant:
    """Ask one adapter the cases and write their outcomes in order.

    Cases of RFCs that the adapter claims come first, because cases of other RFCs might exhaust its restarts.
    Cases of an RFC that not every adapter is asked about are left out if the adapter does not claim it.
    The cases of `streams` follow. Their outcomes are counted, and only the first failures are written. After
    `maxfail` cases for which `is_failure` returns True, the other cases are not asked, and the footer of the
    results says so. `blind` names features that verdicts ignore, such as `absent-vs-empty`. `progress` is
    called after each case.

    A question that timed out is asked once more, alone, and only what times out twice is a timeout; see
    `_SecondTry`.

    Return the participant. If the adapter is not installed or does not start, the participant says so, and
    there are no outcomes. Raise ValueError if `maxfail` is below 1.
    """
    if maxfail is not None and maxfail < 1:
        raise ValueError(f"maxfail is {maxfail}; it must be at least 1")
    try:
        connected = ConnectedAdapter(adapter, limits, blind)
    except (NotInstalled, AdapterDead) as error:
        participant = _absent_participant(adapter.name, error)
        writer.write(participant)
        return participant
    participant = connected.participant
    writer.write(participant)
    asked_cases = _claimed_first(cases_to_ask(cases, participant.specs), participant.specs)
    asked_streams = [stream for stream in streams if is_asked(stream.spec, participant.specs)]
    failed = 0
    stopped = 0  # stays 0 if the run is not stopped
    total = len(asked_cases) + sum(stream.total for stream in asked_streams)
    counters: list[TallyCounter] = []
    second_try = _SecondTry(adapter, limits, blind)
    try:
        case_results = _ask_all(connected, asked_cases, asked_streams, counters, second_try)
        for count, (case, case_result, counter) in enumerate(case_results, 1):
            # of a generated case, only one of the first failures has a line
            line = case_result if counter is None else counter.add(case, case_result)
            if line is not None:
                writer.write(line)
            progress(adapter.name, count, total)
            if maxfail is not None:
                part = "" if counter is None else counter.stream.part
                if is_failure(participant, case, case_result, part):
                    failed += 1
                if failed >= maxfail and count < total:
                    stopped = failed
                    break
    finally:
        try:
            for counter in counters:
                writer.write(counter.tally)
            writer.note_end(adapter.name, connected.restarts, stopped)
            writer.flush()
        finally:
            connected.close()
    return participant


def cases_to_ask(cases: Sequence[Case], claimed_specs: Collection[str]) -> Sequence[Case]:
    """Return the cases of the RFCs that an adapter with these claims is asked about, in their order."""
    if isinstance(cases, CaseLines):
        return cases.where(lambda case: is_asked(case.spec, claimed_specs))
    remaining = [case for case in cases if is_asked(case.spec, claimed_specs)]
    return cases if len(remaining) == len(cases) else remaining


def _claimed_first(cases: Sequence[Case], claimed_specs: Collection[str]) -> Sequence[Case]:
    """Return the cases of claimed RFCs, followed by the others.

    Cases that are not in a list stay in their order, because they are read one by one from the file of the
    corpus.
    """
    if not isinstance(cases, list):
        return cases
    return sorted(cases, key=lambda case: case.spec not in claimed_specs)


def _absent_participant(name: str, error: NotInstalled | AdapterDead) -> Participant:
    """Return the participant for an adapter that could not be started."""
    state: Literal["not installed", "dead"] = "dead" if isinstance(error, AdapterDead) else "not installed"
    return Participant(name, state, message=well_formed(str(error)))


class _AskedCase(NamedTuple):
    """A case with its result, and the counter of its stream, or None for a stored case."""

    case: Case
    result: Result
    counter: TallyCounter | None = None


def _ask_all(
    connected: ConnectedAdapter,
    cases: Sequence[Case],
    streams: Sequence[Stream],
    counters: list[TallyCounter],
    second_try: _SecondTry,
) -> Iterator[_AskedCase]:
    """Ask all cases, and yield each with its result.

    For each stream, a counter is added to `counters`. Its digest depends on the order of its cases, so none
    of them is asked again later.
    """
    for case, case_result in _ask_in_batches(connected, cases, second_try):
        yield _AskedCase(case, case_result)
    for stream in streams:
        counter = TallyCounter(connected.participant.name, stream)
        counters.append(counter)
        for case, case_result in _ask_in_batches(connected, stream.cases()):
            yield _AskedCase(case, case_result, counter)
        counter.finished = True


def _ask_in_batches(
    connected: ConnectedAdapter, cases: Iterable[Case], second_try: _SecondTry | None = None
) -> Iterator[tuple[Case, Result]]:
    """Ask cases, which may be generated while they are asked, and yield each with its result.

    With a `second_try`, those of a batch that timed out come after the others.
    """
    remaining = iter(cases)
    while batch := list(islice(remaining, _BATCH)):
        late: list[tuple[Case, Result]] = []
        for case, case_result in connected.ask(batch):
            if second_try is not None and case_result.outcome is Outcome.TIMEOUT:
                late.append((case, case_result))
            else:
                yield case, case_result
        if second_try is not None:
            yield from second_try.ask(late)


class _SecondTry:
    """Asks the questions again that timed out, which a library that answers does on a busy machine.

    Each is asked alone, in a process of its own, with more time. If the total time is limited, or once
    `_MOST_LATE` questions have timed out twice, no more are asked.
    """

    def __init__(self, adapter: Adapter, limits: Limits, blind: Collection[str]) -> None:
        self._adapter = adapter
        self._limits = limits._replace(case=min(limits.case * _PATIENCE, MOST_SECONDS), jobs=1)
        self._blind = blind
        self._remaining = _MOST_LATE if limits.total is None else 0

    def ask(self, late: Iterable[tuple[Case, Result]]) -> Iterator[tuple[Case, Result]]:
        """Yield each case with its second result, or with the first one if it timed out again."""
        for case, first_result in late:
            if self._remaining:
                yield case, self._ask_again(case, first_result)
            else:
                yield case, first_result

    def _ask_again(self, case: Case, first_result: Result) -> Result:
        """Return the second result, or the first one if the question times out again or cannot be asked.

        A second timeout is counted.
        """
        try:
            connected = ConnectedAdapter(self._adapter, self._limits, self._blind)
        except (NotInstalled, AdapterDead):
            return first_result
        try:
            second_result = connected.ask_one(case)
        finally:
            connected.close()
        if second_result.outcome is Outcome.TIMEOUT:
            self._remaining -= 1
            return first_result
        if second_result.outcome.abnormal:
            return second_result
        stderr = f"{ASKED_AGAIN}{first_result.detail}"
        return msgspec.structs.replace(second_result, stderr=stderr)


def _is_offered(participant: Participant, case: Case) -> bool:
    """Return True if an adapter is asked a case."""
    is_of_asked_spec = is_asked(case.spec, participant.specs)
    return is_of_asked_spec and offers(participant, case.vector.op, case.vector.mode)


def _why_not_offered(participant: Participant, case: Case) -> str:
    """Return why an adapter is not asked a case.

    It does not claim the RFC, or has no such operation, or not in this mode.
    """
    if not is_asked(case.spec, participant.specs):
        return f"it does not claim {rfc(case.spec)}"
    vector = case.vector
    if vector.op in participant.ops:
        return f"no {vector.op} in mode {vector.mode or 'syntax'}"
    return f"no {vector.op}"


class ConnectedAdapter:
    """An adapter that has said hello."""

    def __init__(
        self,
        adapter: Adapter,
        limits: Limits,
        blind: Collection[str] = (),
        recording: Recording | None = None,
        *,
        whole: bool = False,
    ) -> None:
        """Start the adapter.

        `blind` names features that verdicts ignore, such as `absent-vs-empty`. `recording` receives the bytes
        that are exchanged with the adapter. If `whole`, long texts of replies are not abbreviated. Raise
        NotInstalled if the runtime of the adapter is missing, and AdapterDead if the adapter does not
        say hello.
        """
        self._client = open_client(adapter, limits, f"urlconform/{_VERSION}", recording)
        self._whole = whole
        hello = self._client.hello
        self._features = frozenset(hello.features).difference(blind)
        self.participant: Participant = Participant(
            adapter.name,
            "ran",
            hello.implementation,
            tuple(hello.ops),
            tuple(hello.specs),
            tuple(hello.features),
            modes=hello.modes,
        )

    @property
    def restarts(self) -> int:
        """How often a process of the adapter was started again."""
        return self._client.restarts

    def ask(self, cases: Sequence[Case]) -> Iterator[tuple[Case, Result]]:
        """Yield each case with its result, in order.

        Several questions are in flight if the adapter allows it. If the adapter does not offer the operation
        of a case, or not in the mode of the case, or if it would have to claim the RFC, the case is not
        asked, and its outcome is `unsupported`.
        """
        participant = self.participant
        offered = [_is_offered(participant, case) for case in cases]
        questions = [question(case) for case, is_offered in zip(cases, offered, strict=True) if is_offered]
        replies = self._client.ask(questions)
        for case, is_offered in zip(cases, offered, strict=True):
            if is_offered:
                index, reply = next(replies)
                yield case, self._with_circumstances(self._judge(case, reply), index)
            else:
                detail = _why_not_offered(participant, case)
                yield case, Result(case.vector.id, participant.name, Outcome.UNSUPPORTED, detail=detail)

    def _with_circumstances(self, case_result: Result, index: int) -> Result:
        """Return the result of the question with this index, with what the client knows about its answer.

        That is the time that it took, and the end of a process after which it was asked again. The client
        forgets both.
        """
        seconds = self._client.seconds.pop(index, 0.0)
        end = self._client.ends.pop(index, "")
        circumstances: dict[str, Any] = {}
        if end and not case_result.outcome.abnormal:
            circumstances["stderr"] = f"{ASKED_AGAIN}{well_formed(end)}"
        if seconds >= LEAST_TIME:
            circumstances["seconds"] = round(seconds, 3)
        if not circumstances:  # most cases
            return case_result
        return msgspec.structs.replace(case_result, **circumstances)

    def ask_one(self, case: Case) -> Result:
        """Return the result of one case."""
        ((_, case_result),) = self.ask([case])
        return case_result

    def close(self) -> None:
        """Send `bye` and end the processes."""
        self._client.close()

    def _judge(self, case: Case, reply: Reply | Abnormal) -> Result:
        """Return the result to record: the verdict, and the reply.

        Long texts of the reply are abbreviated unless the client keeps them whole.
        """
        name = self.participant.name
        identifier = case.vector.id
        if isinstance(reply, Abnormal):
            detail = clipped(well_formed(reply.detail), _MAX_RECORDED_LENGTH)
            return Result(identifier, name, Outcome(reply.outcome), detail=detail, stderr=reply.stderr)
        is_reference = name == "reference"  # its offsets and rules are judged, too
        outcome, variant, detail = judge(case, reply, self._features, strict=is_reference)
        got: dict[str, Any] = msgspec.to_builtins(reply)
        del got["id"]
        if self._whole:
            return Result(identifier, name, outcome, variant, detail, got)
        got = abbreviated(got)
        if len(reply.message) > MAX_WHOLE_LENGTH:
            got["message"] = clipped(reply.message, _MAX_RECORDED_LENGTH)
        return Result(identifier, name, outcome, variant, clipped(detail, _MAX_RECORDED_LENGTH), got)
