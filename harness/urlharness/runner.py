"""Put the selected cases to one adapter and record every result."""

from __future__ import annotations

import gc
import platform
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

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
from urlharness.corpus.jsonl import requirement_of
from urlharness.corpus.model import Case, Corpus
from urlharness.engine.client import AdapterClient, open_client
from urlharness.engine.process import Recording
from urlharness.exitcodes import package_version
from urlharness.gate.policy import Counts, counts_plainly
from urlharness.jsonio import now_utc
from urlharness.limits import USUAL, Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import Hello, Question, Reply
from urlharness.protocol.server import exit_text
from urlharness.results.generated import Stream, TallyCounter, batches
from urlharness.results.model import AskedVector, Header, Participant, Result, ResultsWriter
from urlharness.results.verdict import Outcome, judge
from urlharness.shell import HERE, Place
from urlharness.text import clipped, well_formed

# -------------------- collecting: Fewer garbage collections while a run goes on: its cases, answers and results make no cycles.


#: New objects before the youngest are looked through; some hundred are in every case.
_THRESHOLD = 50_000


@contextmanager
def _relaxed_gc() -> Iterator[None]:
    """The body runs with few collections, which a large corpus makes long: it doubles the cases a second.

    Cycles that an adapter in this process makes are still collected.  Nothing changes where somebody has
    turned the collector off.
    """
    before = gc.get_threshold()
    if not gc.isenabled() or not before[0]:
        yield
        return
    gc.set_threshold(max(before[0], _THRESHOLD), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


# -------------------- runner: A run: every selected case put to every adapter, each outcome written down as it is settled.


_LONGEST = 10_000  # characters of what an adapter says of an answer


#: Told of each settled case: the adapter, how many are settled, how many there are.
Progress = Callable[[str, int, int], None]


def question(case: Case) -> Question:
    """The question of a case: the vector without its answer, its id and its flags."""
    vector = case.vector
    return Question(  # in the order of its fields: names take four times as long
        0,
        vector.op,
        case.spec,
        vector.rule,
        vector.profile,
        vector.mode,
        vector.url,
        vector.base,
        vector.reference,
        vector.components,
        vector.text,
        vector.other,
        vector.header,
        vector.embedded,
        vector.encapsulating,
        vector.retrieval,
        vector.default,
    )


def open_results(
    stream: IO[bytes],
    corpus: Corpus,
    cases: Sequence[Case],
    tiers: Mapping[str, str] = MappingProxyType({}),
    *,
    place: Place = HERE,
    vectors: Path | None = None,
    limits: Limits = USUAL,
) -> ResultsWriter:
    """A results file with its header and the vectors of the run; `tiers` has digests of generated ones.

    `place` is where the adapters live, and `vectors` where the corpus is, if it is not the installed one.
    `limits` are those that the adapters will have: whoever asks a case again is to wait as long.
    """
    timeout, start_timeout = limits.unusual
    header = Header(
        schema="urlresults-1",
        urlconform=package_version(),
        corpus=corpus.digest,
        argv=tuple(map(well_formed, sys.argv[1:])),
        started=now_utc(),
        platform=platform.platform(),
        python=platform.python_version(),
        tiers=dict(tiers),
        sizes=dict(corpus.sizes),
        folder=well_formed(place.folder),
        vectors="" if vectors is None else well_formed(place.seen(vectors)),
        timeout=timeout,
        start_timeout=start_timeout,
    )
    writer = ResultsWriter(stream, header)
    try:
        for case in cases:
            requirement = corpus.requirements.get(case.vector.requirement) or requirement_of(case.section, case.vector)
            title = corpus.titles.get((case.spec, case.section), "")
            writer.write(AskedVector(case, requirement, title))
    except KeyboardInterrupt:
        writer.close(interrupted=True)
        raise
    except BaseException:
        stream.close()
        raise
    return writer


@_relaxed_gc()
def run(
    adapter: Adapter,
    cases: Sequence[Case],
    writer: ResultsWriter,
    limits: Limits,
    *,
    streams: Sequence[Stream] = (),
    maxfail: int | None = None,
    counts: Counts = counts_plainly,
    blind: Collection[str] = (),
    progress: Progress = lambda *_: None,
) -> Participant:
    """Put the cases to one adapter and write their outcomes, in the order of the cases.

    Those of RFCs that it claims go first, so that it is not given up before them for what it never claimed.
    Then those of the streams, of which a tally and the first failing ones are written.
    After `maxfail` failures, which are what `counts` says, the rest is not asked, and the footer says so.
    `blind` names features that no verdict counts on, such as `absent-vs-empty`.
    An adapter that is not installed or does not start is a participant of that state, without outcomes.
    Raises ValueError where `maxfail` is below 1, which no run can stop at.
    """
    if maxfail is not None and maxfail < 1:
        raise ValueError(f"maxfail is {maxfail}, and no whole number from 1 on")
    try:
        asker = open_client(adapter, limits, f"urlconform/{package_version()}")
    except NotInstalled as missing:
        return _record(writer, Participant(adapter.name, "not installed", message=well_formed(str(missing))))
    except AdapterDead as dead:
        return _record(writer, Participant(adapter.name, "dead", message=well_formed(str(dead))))
    participant = _record(writer, introduce(adapter.name, asker.hello))
    cases = _claimed_first(cases, participant.specs)
    failed = stopped = 0
    total = len(cases) + sum(stream.total for stream in streams)
    tallies: list[TallyCounter] = []
    try:
        settled = _settled(adapter.name, asker, cases, streams, tallies, blind)
        for count, (case, result, tallying) in enumerate(settled, 1):
            kept = result if tallying is None else tallying.add(case, result)
            if kept is not None:
                writer.write(kept)
            progress(adapter.name, count, total)
            if maxfail is not None:
                part = "" if tallying is None else tallying.stream.part
                failed += counts(participant, case, result, part)
                if failed >= maxfail and count < total:
                    stopped = failed
                    break
    finally:
        _finish(adapter.name, asker, tallies, writer, stopped)
    return participant


def _finish(
    name: str, asker: AdapterClient, tallies: Sequence[TallyCounter], writer: ResultsWriter, stopped: int
) -> None:
    """Write what was counted, and end the adapter even where nothing can be written any more."""
    try:
        for tallying in tallies:
            writer.write(tallying.tally)
        writer.note_end(name, asker.restarts, stopped)
        writer.flush()
    finally:
        asker.close()


def _settled(
    name: str,
    asker: AdapterClient,
    cases: Sequence[Case],
    streams: Sequence[Stream],
    tallies: list[TallyCounter],
    blind: Collection[str],
) -> Iterator[tuple[Case, Result, TallyCounter | None]]:
    """Every case with its result, and for one of a stream the tally that counts it."""
    for batch in batches(cases):
        for case, result in _in_order(batch, results_of(name, asker, batch, blind)):
            yield case, result, None
    for stream in streams:
        tallying = TallyCounter(name, stream)
        tallies.append(tallying)
        for batch in batches(stream.cases()):
            for case, result in _in_order(batch, results_of(name, asker, batch, blind)):
                yield case, result, tallying
        tallying.finished = True


def _claimed_first(cases: Sequence[Case], claimed: Collection[str]) -> Sequence[Case]:
    """The cases as they are to be asked; those that are read from a file one by one stay as they are."""
    return sorted(cases, key=lambda case: case.spec not in claimed) if isinstance(cases, list) else cases


def _record(writer: ResultsWriter, participant: Participant) -> Participant:
    writer.write(participant)
    return participant


def introduce(name: str, hello: Hello) -> Participant:
    """An adapter as a participant of a run: its name, and what it said of itself."""
    return Participant(
        name,
        "ran",
        hello.implementation,
        tuple(hello.ops),
        tuple(hello.specs),
        tuple(hello.features),
    )


def results_of(
    name: str, asker: AdapterClient, cases: Sequence[Case], blind: Collection[str]
) -> Iterator[tuple[int, Result]]:
    """The result of each case by its index, as the adapter settles them."""
    offered = []
    for index, case in enumerate(cases):
        if case.vector.op in asker.hello.ops:
            offered.append(index)
        else:
            yield index, Result(case.vector.id, name, Outcome.UNSUPPORTED, detail=f"no {case.vector.op}")
    strict = name == "reference"
    features = frozenset(asker.hello.features).difference(blind)
    for number, reply in asker.ask([question(cases[index]) for index in offered]):
        index = offered[number]
        case = cases[index]
        if isinstance(reply, Abnormal):
            detail = clipped(well_formed(reply.detail), _LONGEST)
            yield index, Result(case.vector.id, name, Outcome(reply.outcome), detail=detail, stderr=reply.stderr)
        else:
            outcome, variant, detail = judge(case, reply, features, strict=strict)
            detail = clipped(detail, _LONGEST)
            yield index, Result(case.vector.id, name, outcome, variant, detail, _shown(reply))


def _shown(reply: Reply) -> dict[str, Any]:
    got: dict[str, Any] = msgspec.to_builtins(reply)
    del got["id"]
    if len(reply.message) > _LONGEST:
        got["message"] = clipped(reply.message, _LONGEST)
    return got


def _in_order(cases: Sequence[Case], results: Iterator[tuple[int, Result]]) -> Iterator[tuple[Case, Result]]:
    """The results in the order of the cases, each as soon as all before it are there."""
    early: dict[int, Result] = {}
    following = 0
    for index, result in results:
        if index != following:
            early[index] = result
            continue
        yield cases[following], result
        following += 1
        while following in early:
            yield cases[following], early.pop(following)
            following += 1


# -------------------- opened: An adapter that is kept open: it says hello once, and cases are put to it as they come.


#: An adapter as callers give it: a name as on the command line, a function from question to reply, a value.
Given = str | Callable[[dict[str, Any]], Mapping[str, Any]] | Adapter


def adapter_of(given: Given, folder: Path | None = None) -> Adapter:
    """The adapter that is meant, one that is a name in its folder: see `find`; raises UnknownAdapter."""
    if isinstance(given, str):
        return find(given, folder)
    if isinstance(given, InProcess | Program | ProgramPerCase):
        return given
    return in_process(given)


def in_process(function: Any) -> InProcess:
    """The adapter of a function, which may carry its hello in an attribute; raises UnknownAdapter."""
    try:
        return _in_process(function)
    except SystemExit as end:  # of code of that attribute, which would end whoever asks, and say nothing
        raise UnknownAdapter(f"the hello of a {type(function).__name__}: {exit_text(end)}") from end


def _in_process(function: Any) -> InProcess:
    if fault := function_problem(function):
        raise UnknownAdapter(f"{well_formed(repr(function))} {fault}")
    module, name = (getattr(function, f"__{part}__", "") for part in ("module", "qualname"))
    shown = f"{module}:{name or type(function).__qualname__}"
    hello = function_hello(function, shown)
    about = hello["implementation"]
    called = str(about.get("name", shown)) if isinstance(about, Mapping) else shown
    return InProcess(well_formed(called), lambda: (hello, function))


class ConnectedAdapter:
    """An adapter that has said hello; raises NotInstalled and AdapterDead where it does not."""

    def __init__(
        self,
        adapter: Adapter,
        limits: Limits,
        blind: Collection[str] = (),
        recording: Recording | None = None,
    ) -> None:
        """`blind` names features that no verdict counts on, such as `absent-vs-empty`."""
        self._blind = blind
        self._asker = open_client(adapter, limits, f"urlconform/{package_version()}", recording)
        self.participant: Participant = introduce(adapter.name, self._asker.hello)

    def ask(self, cases: Sequence[Case]) -> Iterator[tuple[Case, Result]]:
        """Each case with its result, as they are settled; several are in flight where it allows that."""
        for index, result in results_of(self.participant.name, self._asker, cases, self._blind):
            yield cases[index], result

    def ask_one(self, case: Case) -> Result:
        """The result of one case."""
        ((_, result),) = self.ask([case])
        return result

    def close(self) -> None:
        """Say goodbye and end it."""
        self._asker.close()
