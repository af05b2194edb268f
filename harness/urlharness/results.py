"""results.jsonl: the record of a run, written as it goes and readable after any end.

A header, then for each vector its question and expectation, for each implementation its hello, for each case
one line, and a footer with counts and the digest of all the lines before it.  No footer: the run was cut.
Generated cases, which may be millions, are counted: a tally for each rule, and the first that failed.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated, Any, Literal

import msgspec

from urlharness.corpus import Case, Requirement, Spec
from urlharness.damaged import AGAIN, by_name, headless, undecodable, unfit
from urlharness.facts import Facts, Positive, Seconds, facts
from urlharness.linefiles import LinesOnDisk, LinesRead, LineWriter, Places
from urlharness.moments import Moment
from urlharness.protocol import Implementation
from urlharness.tally import Tally
from urlharness.verdict import Outcome
from urlharness.versions import decoding_error

_TYPED: dict[str, Any] = {"frozen": True, "omit_defaults": True, "tag_field": "type"}


class ResultsError(Exception):
    """A results file that cannot be read; the message names the file and the line."""


class Header(msgspec.Struct, tag="header", **_TYPED):
    """How and where the run was made, digests of its generated parts, sizes of the whole RFCs in vectors."""

    schema: Literal["urlresults-1"]
    urlconform: str
    corpus: str
    argv: tuple[str, ...]
    started: Moment
    platform: str
    python: str
    protocol: int = 1
    seed: int | None = None
    tiers: dict[str, Annotated[str, msgspec.Meta(pattern="^(?:[0-9a-f]{64})?$")]] = {}
    sizes: dict[Spec, Positive] = {}
    folder: str = ""  # of the adapters, as seen from where the run was made; empty: that one
    vectors: str = ""  # another corpus than the installed one, as seen from that folder
    timeout: Seconds | None = None  # for one case, and for the hello; None: the usual one
    start_timeout: Seconds | None = None


class AskedVector(msgspec.Struct, tag="vector", **_TYPED):
    """One vector of the run, with its place in the RFC, so that a report needs nothing but this file."""

    case: Case
    requirement: Requirement
    title: str = ""


class Participant(msgspec.Struct, tag="implementation", **_TYPED):
    """One adapter of the run: its state and what it said of itself."""

    name: str
    state: Literal["ran", "not installed", "dead"]
    implementation: Implementation | None = None
    ops: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    message: str = ""


class Result(msgspec.Struct, tag="case", **_TYPED):
    """The outcome of one vector with one implementation; `got` is the reply as it was read."""

    id: str
    implementation: str
    outcome: Outcome
    variant: str = ""
    detail: str = ""
    got: dict[str, Any] = {}
    stderr: str = ""


class Example(msgspec.Struct, tag="example", **_TYPED):
    """A generated case that failed."""

    asked: AskedVector
    result: Result


class Footer(msgspec.Struct, tag="footer", **_TYPED):
    """What a complete file ends with; `stopped` has the failures at which an adapter was asked no more."""

    counts: dict[str, dict[str, int]]
    digest: str
    interrupted: bool = False
    restarts: dict[str, int] = {}
    stopped: dict[str, Positive] = {}


Line = Header | AskedVector | Participant | Result | Tally | Example | Footer


class ResultsWriter:
    """Writes a results file line by line; `close` adds the footer."""

    def __init__(self, stream: IO[bytes], header: Header) -> None:
        self._lines = LineWriter(stream, self._count)
        self._counts: Counter[tuple[str, str]] = Counter()
        self._notes = dict[str, int](), dict[str, int]()  # restarts; failures that stopped an adapter
        self.write, self.flush = self._lines.write, self._lines.flush  # without a call between
        self.write(header)

    def ended(self, implementation: str, restarts: int, stopped: int) -> None:
        """Note for the footer the restarts of an adapter, and the failures that stopped it, if there were."""
        for noted, number in zip(self._notes, (restarts, stopped), strict=True):
            noted.update({implementation: number} if number else {})

    def close(self, *, interrupted: bool = False) -> None:
        """Write the footer and close the file; raises OSError as `write` does."""
        try:
            self.flush()
            self.write(Footer(by_name(self._counts), self._lines.digest[:12], interrupted, *self._notes))
        finally:
            self._lines.close()

    def _count(self, lines: Sequence[Line]) -> None:
        self._counts.update([(line.implementation, line.outcome) for line in lines if type(line) is Result])


class Results(msgspec.Struct, frozen=True):
    """A results file as a value; `complete` says whether every adapter was asked to the end.

    `asked` counts the vectors and `counted` the outcomes of each implementation, by the facts of their cases:
    numbers need no vector.  `torn` is the number of a last line without its end, 0 where there is none.
    """

    header: Header
    vectors: Mapping[str, AskedVector]
    participants: tuple[Participant, ...]
    results: Mapping[str, Mapping[str, Result]]
    complete: bool
    interrupted: bool = False
    restarts: dict[str, int] = {}
    stopped: dict[str, int] = {}
    tallies: tuple[Tally, ...] = ()
    examples: tuple[Example, ...] = ()
    asked: Mapping[Facts, int] = {}
    counted: Mapping[str, Mapping[tuple[Facts, Outcome], int]] = {}
    titles: Mapping[tuple[str, str], str] = {}
    torn: int = 0

    def of(self, implementation: str) -> Mapping[str, Result]:
        """Results of one implementation by vector id."""
        return self.results.get(implementation, {})


HELD = 1 << 25  # octets: vectors and results of a longer file stay on disk


def read_results(path: Path, *, held: int = HELD) -> Results:
    """The results in a file, every line of it checked; raises ResultsError where it is no results file."""
    try:
        found = _Reading(path, on_disk=path.is_file() and path.stat().st_size > held)
        found.read()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    return found.results()


class _Reading:
    """A results file while it is read: what was found so far, and in which line that is."""

    def __init__(self, path: Path, *, on_disk: bool) -> None:
        self._path, self._on_disk, self._lines = path, on_disk, LinesRead(path)
        self._header: Header | None = None
        self._footer: Footer | None = None
        self._others: dict[type, list[Any]] = {Participant: [], Tally: [], Example: []}
        self._vectors: dict[str, AskedVector] = {}
        self._results: dict[str, dict[str, Result]] = {}
        self._places: dict[str | None, Places] = {None: Places()}  # of the vectors; of each implementation
        self._kinds: dict[Facts, int] = {}
        self._kind_of = array("L")  # for each vector, by their number
        self._counts: dict[str, Counter[tuple[int, Outcome]]] = {}
        self._outcomes: Counter[tuple[str, str]] = Counter()
        self._titles: dict[tuple[str, str], str] = {}

    def read(self) -> None:
        """Go through the file once."""
        decode = msgspec.json.Decoder(Line).decode
        for octets in self._lines:
            try:
                line = decode(octets)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                said = decoding_error(octets, error, Header)
                why = undecodable(self._path, octets, self._lines.number, said)
                raise ResultsError(f"{self._lines.place}: {why}") from None
            if self._footer is not None:
                raise ResultsError(f"{self._lines.place}: it stands behind the footer; {AGAIN}")
            self._add(line, octets)
            if self._header is None:
                return
        if self._lines.torn and self._footer is None:  # of a footer no more than the end of its line is lost
            with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                self._add(msgspec.json.decode(self._lines.rest, type=Footer), self._lines.rest)

    def _add(self, line: Line, octets: bytes) -> None:
        match line:
            case Result():
                self._add_result(line)
            case AskedVector():
                self._add_vector(line)
            case Header():
                self._header = line
            case Footer(counts=counts, digest=digest):
                found = by_name(self._outcomes)
                if (digest, counts) != (self._lines.digest[:12], found):
                    raise ResultsError(f"{self._lines.place}: {unfit(counts, found, octets)}")
                self._footer = line
            case _:
                self._others[type(line)].append(line)

    def _add_vector(self, line: AskedVector) -> None:
        case = line.case
        self._titles.setdefault((case.spec, case.section), line.title)
        self._kind_of.append(self._kinds.setdefault(facts(case), len(self._kinds)))
        self._places[None].add(case.vector.id, self._lines.offset)
        if not self._on_disk:
            self._vectors[case.vector.id] = line

    def _add_result(self, line: Result) -> None:
        number, name = self._places[None].find(line.id), line.implementation
        if number is None:
            why = f"a result of {line.id!r}, but no vector of that id; {AGAIN}"
            raise ResultsError(f"{self._lines.place}: {why}")
        if name not in self._counts:
            self._counts[name], self._results[name], self._places[name] = Counter(), {}, Places()
        self._counts[name][self._kind_of[number], line.outcome] += 1
        self._outcomes[name, line.outcome] += 1
        if self._on_disk:
            self._places[name].add(line.id, self._lines.offset)
        else:
            self._results[name][line.id] = line

    def results(self) -> Results:
        """All of it; raises ResultsError where there is no header."""
        if self._header is None:
            raise ResultsError(f"{self._path}: {headless(self._path, self._lines.rest)}")
        vectors: Mapping[str, AskedVector] = self._vectors
        results: Mapping[str, Mapping[str, Result]] = self._results
        if self._on_disk:
            vectors = LinesOnDisk(self._path, AskedVector, "case.vector.id", self._places[None])
            results = {one: LinesOnDisk(self._path, Result, "id", self._places[one]) for one in self._counts}
        kinds, footer = list(self._kinds), self._footer or Footer({}, "")
        return Results(
            self._header,
            vectors,
            tuple(self._others[Participant]),
            results,
            complete=self._footer is not None and not (footer.interrupted or footer.stopped),
            interrupted=footer.interrupted,
            restarts=footer.restarts,
            stopped=footer.stopped,
            tallies=tuple(self._others[Tally]),
            examples=tuple(self._others[Example]),
            asked={kinds[number]: count for number, count in Counter(self._kind_of).items()},
            counted={
                name: {(kinds[number], outcome): count for (number, outcome), count in counts.items()}
                for name, counts in self._counts.items()
            },
            titles=self._titles,
            torn=0 if self._footer is not None else self._lines.torn,
        )
