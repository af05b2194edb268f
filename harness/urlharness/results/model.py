"""The lines of results.jsonl as types, their reader and writer."""

from __future__ import annotations

import fcntl
import shlex
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated, Any, Literal

import msgspec

from urlharness.corpus.model import Case, CaseKind, Count, Operation, Positive, Requirement, Spec, case_kind
from urlharness.corpus.selection import Tier
from urlharness.jsonio import Moment, decoding_error
from urlharness.limits import Seconds
from urlharness.protocol.messages import Implementation
from urlharness.results.linefiles import LinesOnDisk, LinesRead, LineWriter, Places
from urlharness.results.verdict import Outcome

# -------------------- mistaken: One file of ours that is taken for another: the results of a run for a baseline, or the other way round.


_LARGEST = 1 << 26  # octets of what may be a baseline


class _Named(msgspec.Struct):
    """The one field by which a file says what it is."""

    schema: str


def results_instead(octets: bytes, name: str) -> str:
    """That a text of this name, which is no baseline, is the results of a run; empty where it is not."""
    if not _is(octets.partition(b"\n")[0], "urlresults"):
        return ""
    todo = f"urlconform baseline create {shlex.quote(name)} -o FILE makes a baseline of them"
    return f"it is the results of a run, not a baseline: {todo}"


def baseline_instead(path: Path) -> str:
    """That a file, which is no results file, is a baseline; empty where it is not, or is a pipe."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST or not _is(path.read_bytes(), "urlbaseline"):
            return ""
    except OSError:
        return ""
    todo = "name what --report json=FILE has written; urlconform baseline check looks at baselines"
    return f"it is a baseline, not the results of a run: {todo}"


def _is(octets: bytes, schema: str) -> bool:
    try:
        return msgspec.json.decode(octets, type=_Named).schema.startswith(f"{schema}-")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


# -------------------- damaged: What became of a results file that is not as its run wrote it, in words: what is wrong, and what to do.


Counts = Mapping[str, Mapping[str, int]]


#: What to do with it.
AGAIN = "the file was changed after the run: take the original, or run again"


#: What other files begin with, and how one becomes a results file.
_OTHERS = {
    b"\x1f\x8b": "it is compressed with gzip; unpack it first",
    b"PK\x03\x04": "it is a zip archive; unpack it first",
    b"\xff\xfe": "it is UTF-16, as a shell may write it; take the original, which is ASCII",
    b"\xef\xbb\xbf": "it begins with a byte order mark; take the original, which is ASCII",
}


#: Differing counts that are told.
_TOLD = 2


def headless(path: Path, octets: bytes) -> str:
    """What is wrong with a file that has no header, but begins with a line without an end, or is empty."""
    return _other_file(path, octets) or "not a results file: it has no header"


def undecodable(path: Path, octets: bytes, number: int, why: str) -> str:
    """What is wrong with a line of a file that could not be decoded; `why` is what its decoder says."""
    if number == 1:
        return _other_file(path, octets) or why
    what = "it is empty" if not octets.strip() else why.rstrip(".")
    return f"{what}; {AGAIN}"


def by_name(counts: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """Counts of outcomes for each implementation, from those by both."""
    found: dict[str, dict[str, int]] = {}
    for (name, outcome), count in sorted(counts.items()):
        found.setdefault(name, {})[outcome] = count
    return found


def unfit(footer: Counts, found: Counts, octets: bytes) -> str:
    """Why a footer does not fit the lines above it.

    `footer` are the outcomes of each implementation that it counts and `found` those of the lines; `octets`
    are the line of the footer, whose end is that of the others.
    """
    if octets.endswith(b"\r\n"):
        return f"its lines end in CRLF, where a run writes LF; {AGAIN}"
    wrong = list(_differing(footer, found))
    if wrong:
        more = f" and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        return f"it does not fit the lines above: it counts {', '.join(wrong[:_TOLD])}{more}; {AGAIN}"
    return f"it does not fit the lines above: its counts are theirs, its digest is not; {AGAIN}"


def _other_file(path: Path, octets: bytes) -> str:
    """What a file is that begins so, and what to do; empty where it may be a results file."""
    known = (why for begin, why in _OTHERS.items() if octets.startswith(begin))
    return next(known, "") or baseline_instead(path)


def _differing(footer: Counts, found: Counts) -> Iterator[str]:
    for name in dict.fromkeys((*footer, *found)):
        counted, there = footer.get(name, {}), found.get(name, {})
        for outcome in dict.fromkeys((*counted, *there)):
            numbers = counted.get(outcome, 0), there.get(outcome, 0)
            if numbers[0] != numbers[1]:
                yield f"{numbers[0]:,} {outcome} of {name} where there are {numbers[1]:,}"


# -------------------- tally: The count of the generated cases of one rule with one implementation: a line of a results file.


class Tally(msgspec.Struct, tag="tally", tag_field="type", frozen=True, omit_defaults=True):
    """The outcomes of the generated cases of one rule with one implementation.

    `rates` has for each figure of a score how many cases passed, of how many; `required` are the outcomes of
    required cases.  `answered` has for an operation how many cases were answered in full.  `digest` is that
    of all the cases, `failing_digest` of the required ones that went wrong, each with its outcome and answer;
    both are empty where not all of the cases were asked.
    """

    implementation: str
    part: str
    tier: Tier
    spec: Spec
    outcomes: dict[Outcome, Positive]
    required: dict[Outcome, Positive]
    rates: dict[str, tuple[Count, Count]]
    rule: str | None = None
    digest: str = ""
    answered: dict[Operation, Positive] = {}
    failing_digest: str = ""

    @property
    def failing(self) -> int:
        """How many required cases have an outcome that fails the gate."""
        return sum(count for outcome, count in self.required.items() if outcome.failing)


# -------------------- results: results.jsonl: the record of a run, written as it goes and readable after any end.


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
    asked: Mapping[CaseKind, int] = {}
    counted: Mapping[str, Mapping[tuple[CaseKind, Outcome], int]] = {}
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
        self._kinds: dict[CaseKind, int] = {}
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
        self._kind_of.append(self._kinds.setdefault(case_kind(case), len(self._kinds)))
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


# -------------------- baseline: A baseline: the answers of one implementation that are known to be wrong, as a file.


#: Fields of a reply that no verdict is made from: free text, and what only the reference says.
_UNJUDGED = ("message", "at", "rules", "layer", "section", "also", "may_reject", "rulings")


_UNJUDGED_OF_REFERENCE = ("message", "layer", "section", "also", "may_reject", "rulings")


def answer(result: Result) -> dict[str, Any]:
    """The reply of a result as far as its verdict depends on it; empty where there was none."""
    dropped = _UNJUDGED_OF_REFERENCE if result.implementation == "reference" else _UNJUDGED
    return {name: value for name, value in sorted(result.got.items()) if name not in dropped}


# -------------------- one_writer: A results file is written by one run at a time.


def open_exclusively(path: Path) -> IO[bytes]:
    """Open a results file for writing, empty, once no other run does; raises ResultsError where one does.

    It is so until the file is closed.  Of a file system without locks nobody is kept out.
    """
    stream = path.open("ab")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise ResultsError(f"{path}: another run is writing it") from None
    except OSError:
        pass  # a file system without locks
    stream.truncate(0)
    return stream
