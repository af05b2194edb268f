"""A run: every selected case put to every adapter, each outcome written down as it is settled."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

import msgspec

from urlharness import __version__
from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.askers import Asker, open_adapter
from urlharness.case_lines import stated
from urlharness.collecting import seldom_collected
from urlharness.corpus import Case, Corpus
from urlharness.limits import USUAL
from urlharness.moments import now
from urlharness.pasting import HERE, Place
from urlharness.policy import Counts, counts_plainly
from urlharness.protocol import Hello, Question, Reply, well_formed
from urlharness.report.texts import clipped
from urlharness.results import AskedVector, Header, Participant, Result, ResultsWriter
from urlharness.session import Abnormal, AdapterDead, Limits
from urlharness.streams import Stream, Tallying, batches
from urlharness.verdict import judge

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
        urlconform=__version__,
        corpus=corpus.digest,
        argv=tuple(map(well_formed, sys.argv[1:])),
        started=now(),
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
            requirement = corpus.requirements.get(case.vector.requirement) or stated(case)
            title = corpus.titles.get((case.spec, case.section), "")
            writer.write(AskedVector(case, requirement, title))
    except KeyboardInterrupt:
        writer.close(interrupted=True)
        raise
    except BaseException:
        stream.close()
        raise
    return writer


@seldom_collected()
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
        asker = open_adapter(adapter, limits, f"urlconform/{__version__}")
    except NotInstalled as missing:
        return _record(writer, Participant(adapter.name, "not installed", message=well_formed(str(missing))))
    except AdapterDead as dead:
        return _record(writer, Participant(adapter.name, "dead", message=well_formed(str(dead))))
    participant = _record(writer, introduce(adapter.name, asker.hello))
    cases = _claimed_first(cases, participant.specs)
    failed = stopped = 0
    total = len(cases) + sum(stream.total for stream in streams)
    tallies: list[Tallying] = []
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
    name: str, asker: Asker, tallies: Sequence[Tallying], writer: ResultsWriter, stopped: int
) -> None:
    """Write what was counted, and end the adapter even where nothing can be written any more."""
    try:
        for tallying in tallies:
            writer.write(tallying.tally)
        writer.ended(name, asker.restarts, stopped)
        writer.flush()
    finally:
        asker.close()


def _settled(
    name: str,
    asker: Asker,
    cases: Sequence[Case],
    streams: Sequence[Stream],
    tallies: list[Tallying],
    blind: Collection[str],
) -> Iterator[tuple[Case, Result, Tallying | None]]:
    """Every case with its result, and for one of a stream the tally that counts it."""
    for batch in batches(cases):
        for case, result in _in_order(batch, results_of(name, asker, batch, blind)):
            yield case, result, None
    for stream in streams:
        tallying = Tallying(name, stream)
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
    name: str, asker: Asker, cases: Sequence[Case], blind: Collection[str]
) -> Iterator[tuple[int, Result]]:
    """The result of each case by its index, as the adapter settles them."""
    offered = []
    for index, case in enumerate(cases):
        if case.vector.op in asker.hello.ops:
            offered.append(index)
        else:
            yield index, Result(case.vector.id, name, "unsupported", detail=f"no {case.vector.op}")
    strict = name == "reference"
    features = frozenset(asker.hello.features).difference(blind)
    for number, reply in asker.ask([question(cases[index]) for index in offered]):
        index = offered[number]
        case = cases[index]
        if isinstance(reply, Abnormal):
            detail = clipped(well_formed(reply.detail), _LONGEST)
            yield index, Result(case.vector.id, name, reply.outcome, detail=detail, stderr=reply.stderr)
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
