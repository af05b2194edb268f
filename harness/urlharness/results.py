"""results.jsonl: the record of a run, written as it goes and readable after any end.

A header, then for each vector its question and expectation, for each implementation its hello, for each case
one line, and a footer with counts and the digest of all the lines before it.  No footer: the run was cut.
Generated cases, which may be millions, are counted: a tally for each rule, and the first that failed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Literal

import msgspec

from urlharness.corpus import Case, Requirement, Spec
from urlharness.protocol import Implementation
from urlharness.verdict import FAILING, Outcome

_TYPED: dict[str, Any] = {"frozen": True, "omit_defaults": True, "tag_field": "type"}


class ResultsError(Exception):
    """A results file that cannot be read; the message names the file and the line."""


class Header(msgspec.Struct, tag="header", **_TYPED):
    """How and where the run was made; `tiers` has the pinned digest of each generated part of it."""

    schema: Literal["urlresults-1"]
    urlconform: str
    corpus: str
    argv: tuple[str, ...]
    started: str
    platform: str
    python: str
    protocol: int = 1
    seed: int | None = None
    tiers: dict[str, str] = {}


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
    """The outcome of one vector with one implementation; `got` is the reply as it came."""

    id: str
    implementation: str
    outcome: Outcome
    variant: str = ""
    detail: str = ""
    got: dict[str, Any] = {}
    stderr: str = ""


class Tally(msgspec.Struct, tag="tally", **_TYPED):
    """The outcomes of the generated cases of one rule with one implementation.

    `rates` has for each figure of a score how many cases passed, of how many; `required` are the outcomes of
    required cases.  `digest` is that of all the cases, and empty where not all of them were asked.
    """

    implementation: str
    part: str
    tier: str
    spec: Spec
    outcomes: dict[Outcome, int]
    required: dict[Outcome, int]
    rates: dict[str, tuple[int, int]]
    rule: str | None = None
    digest: str = ""

    @property
    def failing(self) -> int:
        """How many required cases have an outcome that fails the gate."""
        return sum(self.required.get(outcome, 0) for outcome in FAILING)


class Example(msgspec.Struct, tag="example", **_TYPED):
    """A generated case that failed."""

    asked: AskedVector
    result: Result


class Footer(msgspec.Struct, tag="footer", **_TYPED):
    """What a complete file ends with."""

    counts: dict[str, dict[str, int]]
    digest: str
    interrupted: bool = False
    restarts: dict[str, int] = {}


Line = Header | AskedVector | Participant | Result | Tally | Example | Footer


class ResultsWriter:
    """Writes a results file line by line; `close` adds the footer."""

    def __init__(self, stream: IO[bytes], header: Header) -> None:
        self._stream = stream
        self._state = hashlib.sha256()
        self._counts: dict[str, Counter[str]] = {}
        self._restarts: dict[str, int] = {}
        self._encode = msgspec.json.Encoder().encode
        self.write(header)

    def write(self, line: Line) -> None:
        """Write one line."""
        octets = self._encode(line) + b"\n"
        self._state.update(octets)
        self._stream.write(octets)
        if isinstance(line, Result):
            self._counts.setdefault(line.implementation, Counter())[line.outcome] += 1

    def flush(self) -> None:
        """Hand what is written to the operating system."""
        self._stream.flush()

    def restarted(self, implementation: str, times: int) -> None:
        """Note how often an adapter had to be started again; the footer says it."""
        if times:
            self._restarts[implementation] = times

    def close(self, *, interrupted: bool = False) -> None:
        """Write the footer and close the file."""
        counts = {name: dict(sorted(found.items())) for name, found in self._counts.items()}
        self.write(Footer(counts, self._state.hexdigest()[:12], interrupted, self._restarts))
        self._stream.close()


class Results(msgspec.Struct, frozen=True):
    """A results file as a value; `complete` says whether it had a footer that fits."""

    header: Header
    vectors: dict[str, AskedVector]
    participants: tuple[Participant, ...]
    results: dict[str, dict[str, Result]]
    complete: bool
    interrupted: bool = False
    restarts: dict[str, int] = {}
    tallies: tuple[Tally, ...] = ()
    examples: tuple[Example, ...] = ()

    def of(self, implementation: str) -> dict[str, Result]:
        """Results of one implementation by vector id."""
        return self.results.get(implementation, {})


def read_results(path: Path) -> Results:  # noqa: C901 - a branch for each kind of line
    """The results in a file; raises ResultsError for one that is not a results file."""
    header: Header | None = None
    vectors: dict[str, AskedVector] = {}
    participants: list[Participant] = []
    results: dict[str, dict[str, Result]] = {}
    restarts: dict[str, int] = {}
    tallies: list[Tally] = []
    examples: list[Example] = []
    complete = interrupted = False
    for line in _lines(path):
        if header is None and not isinstance(line, Header):
            break
        match line:
            case Header():
                header = line
            case AskedVector():
                vectors[line.case.vector.id] = line
            case Participant():
                participants.append(line)
            case Result():
                if line.id not in vectors:
                    raise ResultsError(f"{path}: a result of {line.id!r}, but no vector of that id")
                results.setdefault(line.implementation, {})[line.id] = line
            case Tally():
                tallies.append(line)
            case Example():
                examples.append(line)
            case Footer():
                complete, interrupted = not line.interrupted, line.interrupted
                restarts = line.restarts
    if header is None:
        raise ResultsError(f"{path}: not a results file: it has no header")
    return Results(
        header,
        vectors,
        tuple(participants),
        results,
        complete,
        interrupted,
        restarts,
        tuple(tallies),
        tuple(examples),
    )


def _lines(path: Path) -> Iterator[Line]:
    decode = msgspec.json.Decoder(Line).decode
    state = hashlib.sha256()
    counts: dict[str, Counter[str]] = {}
    ended = False
    try:
        with path.open("rb") as stream:
            for number, octets in enumerate(stream, 1):
                if not octets.endswith(b"\n"):
                    break  # the run was cut in the middle of a line
                try:
                    line = decode(octets)
                except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                    raise ResultsError(f"{path}: line {number}: {error}") from None
                if ended:
                    raise ResultsError(f"{path}: line {number}: it stands behind the footer")
                ended = isinstance(line, Footer)
                if isinstance(line, Result):
                    counts.setdefault(line.implementation, Counter())[line.outcome] += 1
                seen = state.hexdigest()[:12], counts
                if isinstance(line, Footer) and (line.digest, line.counts) != seen:
                    raise ResultsError(f"{path}: line {number}: it does not fit the lines above")
                state.update(octets)
                yield line
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
