"""The file results.jsonl: types for its lines, a writer, a reader and a lock.

The file grows during the run. It can be read even if the run was killed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import shutil
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated, Any, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from urlharness.corpus.model import (
    OPERATION_TIERS,
    USUAL_MODES,
    Case,
    CaseKind,
    Count,
    Level,
    Operation,
    Positive,
    Requirement,
    Tier,
    case_kind,
    is_difference,
)
from urlharness.corpus.specifications import Spec, check_specs, is_asked
from urlharness.jsonio import (
    NOT_JSON,
    Timestamp,
    WholeFile,
    ascii_lines,
    decoding_error,
    escaped_commands,
)
from urlharness.protocol.limits import Seconds
from urlharness.protocol.messages import Implementation
from urlharness.results.verdict import Outcome
from urlharness.shell import repro_command
from urlharness.system.locks import acquire_lock
from urlharness.wording import os_reason

#: The number of buffered lines that are written at once. Fewer lines are written after this many seconds.
_BATCH = 512
_FLUSH_INTERVAL = 0.05

#: The number of bytes that are read at once.
_BLOCK = 1 << 16

_CHANGED = "the file was changed after the run: use the original, or run again"

#: The least time of an answer that results record, in seconds. Shorter ones depend on the machine alone.
LEAST_TIME = 0.01

#: The number of characters of a digest in the footer.
_DIGEST_LENGTH = 12

#: The fields of a reply that no verdict depends on. Only for the reference do verdicts depend on two of them.
_NOT_JUDGED = frozenset(("message", "at", "rules", "layer", "section", "also", "may_reject", "rulings"))
_NOT_JUDGED_OF_REFERENCE = _NOT_JUDGED - {"at", "rules"}

#: How to open a compressed file, by the end of its name.
_OPENERS: Mapping[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}

_T = TypeVar("_T")

_TYPED: dict[str, Any] = {"frozen": True, "omit_defaults": True, "tag_field": "type"}


class ResultsError(Exception):
    """A results file cannot be used. The message names the file and, if there is one, the wrong line."""


class Header(msgspec.Struct, tag="header", **_TYPED):
    """The first line of the file: the command, machine and versions of the run, and what it asked.

    `tiers` maps each generated part to its pinned digest. `sizes` maps each RFC to the number of its vectors.
    `argv` are the arguments of the command.
    """

    schema: Literal["urlresults-1"]
    urlconform: str
    corpus: str
    argv: tuple[str, ...]
    started: Timestamp
    platform: str
    python: str
    protocol: int = 1
    seed: int | None = None
    tiers: dict[str, Annotated[str, msgspec.Meta(pattern="^(?:[0-9a-f]{64})?$")]] = {}
    sizes: dict[Spec, Positive] = {}
    folder: str = ""  # in which adapters are looked up, relative to the folder of the run ("": this folder)
    vectors: str = ""  # the path of the corpus, relative to `folder` ("": the installed corpus)
    timeout: Seconds | None = None  # for one case (None: the default)
    start_timeout: Seconds | None = None

    def __post_init__(self) -> None:
        """Raise ValueError if `sizes` names a specification that does not exist."""
        check_specs(self.sizes)


class AskedVector(msgspec.Struct, tag="vector", **_TYPED):
    """A vector of the run with its requirement and section title, so that reports need only this file.

    Of a generated case, `title` is the generated part.
    """

    case: Case
    requirement: Requirement
    title: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError if there is no such specification."""
        check_specs([self.case.spec])


class Participant(msgspec.Struct, tag="implementation", **_TYPED):
    """An adapter of the run: its state and its hello. If it did not run, `message` says why."""

    name: str
    state: Literal["ran", "not installed", "dead"]
    implementation: Implementation | None = None
    ops: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    message: str = ""
    modes: tuple[str, ...] = USUAL_MODES

    @property
    def status(self) -> str:
        """The state in words."""
        return "could not start" if self.state == "dead" else self.state


#: The beginning of `stderr` of a result whose question was asked again because a process ended. The reason
#: for this end follows, and then the lines that the process wrote.
ASKED_AGAIN = "asked again after: "


class Result(msgspec.Struct, tag="case", gc=False, **_TYPED):
    """The outcome of one vector with one implementation. `got` contains the fields of the reply.

    `stderr` is what the adapter wrote before an abnormal end. If the question was asked again after such an
    end and was answered then, it begins with ASKED_AGAIN.

    `seconds` is the time that the answer took, or 0 if it took less than 0.01 seconds.
    """

    id: str
    implementation: str
    outcome: Outcome
    variant: str = ""
    detail: str = ""
    got: dict[str, Any] = {}
    stderr: str = ""
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0

    @property
    def answer(self) -> dict[str, Any]:
        """The fields of the reply that the verdict depends on, or {} if there was no reply."""
        dropped = _NOT_JUDGED_OF_REFERENCE if self.implementation == "reference" else _NOT_JUDGED
        return {name: self.got[name] for name in sorted(self.got) if name not in dropped}


class _UnreadResult(msgspec.Struct, tag="case", gc=False, **_TYPED):
    """The line of a `Result` whose reply is not decoded yet: most replies of a run are alike."""

    id: str
    implementation: str
    outcome: Outcome
    variant: str = ""
    detail: str = ""
    got: msgspec.Raw = msgspec.Raw(b"{}")
    stderr: str = ""
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0


class _Got(msgspec.Struct):
    """The form of `got` that every reader of results relies on. Texts in it may be abbreviated."""

    status: str = ""
    message: str = ""
    rules: list[str] = []
    components: dict[str, Any] = {}
    decoded: dict[str, Any] = {}
    urls: list[list[str]] = []


class Tally(msgspec.Struct, tag="tally", **_TYPED):
    """The outcomes of the generated cases of one part of a tier with one implementation.

    `outcomes` counts the outcomes of all cases, and `required` those of the required cases. `answered` counts
    the complete answers of each operation. `rates` maps the name of a rate, such as `accepted` or `coverage`,
    to (passed, total). `digest` is the digest of all cases. `failing_digest` is the digest of ids, outcomes
    and answers of the required cases that failed or were answered in part. Both digests are empty if not all
    cases were asked.
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

    def __post_init__(self) -> None:
        """Raise ValueError if there is no such specification."""
        check_specs([self.spec])

    @property
    def level(self) -> Level:
        """The level of the cases. Only a tier of one operation has another one than `grammar`."""
        return OPERATION_TIERS[self.tier].level if self.tier in OPERATION_TIERS else "grammar"

    @property
    def op(self) -> Operation:
        """The operation that the cases ask. Other tiers than those of one operation ask `validate`."""
        return OPERATION_TIERS[self.tier].op if self.tier in OPERATION_TIERS else "validate"

    @property
    def subject(self) -> str:
        """The name of the rule. In a tier of one operation, the word for the inputs, such as `pairs`."""
        if self.rule:
            return self.rule
        return OPERATION_TIERS[self.tier].inputs if self.tier in OPERATION_TIERS else "cases"

    @property
    def failing(self) -> int:
        """The number of required cases whose outcome fails the gate."""
        return sum(count for outcome, count in self.required.items() if outcome.failing)

    @property
    def wrong(self) -> int:
        """The number of required cases that fail the gate, without those that were never asked."""
        return sum(count for outcome, count in self.required.items() if outcome.wrong)


class Example(msgspec.Struct, tag="example", **_TYPED):
    """A generated case that failed."""

    asked: AskedVector
    result: Result


class Footer(msgspec.Struct, tag="footer", **_TYPED):
    """The last line of a complete file.

    `counts` maps each implementation to the number of its results of each outcome. `digest` is the digest of
    the lines above. `restarts` maps each adapter that was restarted to the number of restarts. `stopped` maps
    each adapter that `--maxfail` stopped to the number of its failures at that time.
    """

    counts: dict[str, dict[str, int]]
    digest: str
    interrupted: bool = False
    restarts: dict[str, int] = {}
    stopped: dict[str, Positive] = {}


Line = Header | AskedVector | Participant | Result | Tally | Example | Footer

#: A line as the reader decodes it.
_ReadLine = Header | AskedVector | Participant | _UnreadResult | Tally | Example | Footer


class Results(msgspec.Struct, frozen=True):
    """The contents of a results file.

    `results` maps each implementation to its results by vector id. `complete` is True if every adapter was
    asked all cases. `asked` counts the vectors of each kind. `counted` counts, for each implementation, the
    vectors of each kind and outcome. `titles` maps (RFC, section) to the title of the section. `cut_line` is
    the number of an incomplete last line, or 0.
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
    cut_line: int = 0

    @property
    def ran(self) -> list[Participant]:
        """The implementations that ran, in the order of the run."""
        return [participant for participant in self.participants if participant.state == "ran"]

    def participant(self, name: str) -> Participant:
        """Return the implementation with this name, which must be one of the run."""
        return next(participant for participant in self.participants if participant.name == name)

    def of(self, implementation: str) -> Mapping[str, Result]:
        """Return the results of one implementation by vector id."""
        return self.results.get(implementation, {})

    def repro_command(
        self, identifier: str, implementation: str, *, spec: str = "", whole: bool = False
    ) -> str:
        """Return the command that asks a case again, with the corpus and the limits of the run.

        A named difference needs `spec`. With `whole`, no text is abbreviated.
        """
        is_stored = identifier in self.vectors  # else it is a generated case, which is in no corpus
        return repro_command(
            identifier,
            implementation,
            vectors=self.header.vectors if is_stored else "",
            timeout=self.header.timeout,
            start_timeout=self.header.start_timeout,
            spec=spec,
            whole=whole,
        )

    def only(self, names: Collection[str]) -> Results:
        """Return the results of these implementations alone.

        The vectors are still all those of the run, and so is what it says of its end. Of these vectors,
        those of RFCs that none of these implementations is asked about do not count as asked.
        """
        participants = [participant for participant in self.participants if participant.name in names]
        tallies = [tally for tally in self.tallies if tally.implementation in names]
        examples = [example for example in self.examples if example.result.implementation in names]
        return msgspec.structs.replace(
            self,
            participants=tuple(participants),
            asked=_asked_kinds(self.asked, participants),
            results=_of_names(self.results, names),
            restarts=_of_names(self.restarts, names),
            stopped=_of_names(self.stopped, names),
            tallies=tuple(tallies),
            examples=tuple(examples),
            counted=_of_names(self.counted, names),
        )

    def counted_of(
        self, implementation: str, specs: Collection[str] = ()
    ) -> dict[tuple[CaseKind, Outcome], int]:
        """Return the number of vectors of each kind and outcome, for the RFCs in `specs` (empty: all)."""
        counted = self.counted.get(implementation, {})
        return {
            (kind, outcome): count
            for (kind, outcome), count in counted.items()
            if not specs or kind.spec in specs
        }

    def asked_specs(self, implementation: str, specs: Collection[str] = ()) -> set[Spec]:
        """Return the RFCs that an implementation was asked about, if they are in `specs` (empty: all)."""
        specs_of_vectors = {kind.spec for kind, _ in self.counted_of(implementation, specs)}
        return specs_of_vectors.union(tally.spec for tally in self.tallies_of(implementation, specs))

    def tallies_of(self, implementation: str, specs: Collection[str] = ()) -> list[Tally]:
        """Return the tallies of an implementation for the RFCs in `specs` (empty: all)."""
        return [
            tally
            for tally in self.tallies
            if tally.implementation == implementation and (not specs or tally.spec in specs)
        ]


def _asked_kinds(
    number_by_kind: Mapping[CaseKind, int], participants: Sequence[Participant]
) -> Mapping[CaseKind, int]:
    """Return the kinds of the RFCs that one of the implementations is asked about."""
    claimed = _claimed_specs(participants)
    return {kind: count for kind, count in number_by_kind.items() if is_asked(kind.spec, claimed)}


def _claimed_specs(participants: Iterable[Participant]) -> frozenset[str]:
    """Return the RFCs that one of the implementations claims."""
    return frozenset(spec for participant in participants for spec in participant.specs)


def _of_names(by_name: Mapping[str, _T], names: Collection[str]) -> dict[str, _T]:
    """Return the part of a mapping that has these names as keys."""
    return {name: by_name[name] for name in by_name if name in names}


class _CountsByKind(Mapping[str, Counter[tuple[CaseKind, Outcome]]]):
    """The number of results of each implementation by kind and outcome.

    They are counted when they are first read: that takes long for many libraries, and the page of one library
    needs no others.
    """

    def __init__(
        self, kind_by_id: Mapping[str, CaseKind], results: Mapping[str, Mapping[str, Result]]
    ) -> None:
        """Keep the results by implementation. Those of vectors that are not in `kind_by_id` never count."""
        # kinds are numbered, because numbers are counted in a fraction of the time
        self._kinds = list(dict.fromkeys(kind_by_id.values()))
        numbers = {kind: number for number, kind in enumerate(self._kinds)}
        self._number_by_id = {identifier: numbers[kind] for identifier, kind in kind_by_id.items()}
        self._results = results
        self._counted: dict[str, Counter[tuple[CaseKind, Outcome]]] = {}

    def __getitem__(self, implementation: str) -> Counter[tuple[CaseKind, Outcome]]:
        if implementation not in self._counted:
            self._counted[implementation] = self._count(self._results[implementation])
        return self._counted[implementation]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def _count(self, answers: Mapping[str, Result]) -> Counter[tuple[CaseKind, Outcome]]:
        """Count the results of an implementation, without those of named differences, which have no kind."""
        outcomes = [answer.outcome for answer in answers.values()]
        numbers = map(self._number_by_id.get, answers)
        counts_by_kind = Counter[tuple[CaseKind, Outcome]]()
        for (number, outcome), count in Counter(zip(numbers, outcomes, strict=True)).items():
            if number is not None:
                counts_by_kind[self._kinds[number], outcome] = count
        return counts_by_kind


class KindCounts(NamedTuple):
    """The number of vectors by kind, and that of the results of each implementation by kind and outcome."""

    asked: Counter[CaseKind]
    counted: Mapping[str, Counter[tuple[CaseKind, Outcome]]]


def count_kinds(
    vectors: Mapping[str, AskedVector], results: Mapping[str, Mapping[str, Result]]
) -> KindCounts:
    """Count vectors and results by kind. The named differences are not counted."""
    kind_by_id = {
        identifier: case_kind(vector.case)
        for identifier, vector in vectors.items()
        if not is_difference(vector.case)  # they are no part of the corpus, so no figure counts them
    }
    return KindCounts(Counter(kind_by_id.values()), _CountsByKind(kind_by_id, results))


class EncodedLines(NamedTuple):
    """Lines as they stand in the file, with their number of results of each (implementation, outcome)."""

    content: bytes
    counts: Counter[tuple[str, str]]


def encode_lines(lines: Sequence[Line]) -> EncodedLines:
    """Encode lines, and count the results among them."""
    answers = [line for line in lines if isinstance(line, Result)]
    counts = Counter[tuple[str, str]]((answer.implementation, answer.outcome) for answer in answers)
    return EncodedLines(escaped_commands(ascii_lines(lines)), counts)


class LineWriter(Protocol):
    """The writer of the lines of a run: of the results file, or to the process that writes it."""

    def write(self, line: Line) -> None:
        """Add a line."""

    def note_end(self, implementation: str, restarts: int, stopped: int) -> None:
        """Record how an adapter ended."""

    def flush(self) -> None:
        """Write all buffered lines."""


class _Written(NamedTuple):
    """Size, hash and counts of outcomes of what is on disk. `waiting` are the lines not yet written."""

    size: int
    sha256: hashlib._Hash
    counts: Counter[tuple[str, str]]
    waiting: list[Line]


class ResultsWriter:
    """Writes a results file line by line. `close` adds the footer.

    An interrupt at any point leaves a consistent state: `_written` changes in one assignment, and every flush
    writes at the offset that `_written` records.
    """

    def __init__(self, stream: IO[bytes], header: Header) -> None:
        """Write to an empty file, whose first line is the header. `close` closes `stream`."""
        self._stream = stream
        self._written = _Written(size=0, sha256=hashlib.sha256(), counts=Counter(), waiting=[])
        self._flush_at = 0.0
        self._restarts: dict[str, int] = {}
        self._stopped: dict[str, int] = {}
        self.write(header)

    def write(self, line: Line) -> None:
        """Add a line to the buffer, which is written from time to time.

        Raise OSError with the file name if writing fails.
        """
        waiting = self._written.waiting
        waiting.append(line)
        if len(waiting) >= _BATCH or time.monotonic() >= self._flush_at:
            self.flush()

    def write_encoded(self, lines: EncodedLines) -> None:
        """Write lines that another process has encoded. Raise OSError with the file name if that fails."""
        self.flush()
        self._append(lines)

    def flush(self) -> None:
        """Write all buffered lines. Raise OSError with the file name if writing fails."""
        self._append(encode_lines(self._written.waiting))

    def _append(self, lines: EncodedLines) -> None:
        """Write lines, which include those that were waiting."""
        size, sha256, counts, _ = self._written
        content = lines.content
        try:
            if self._stream.tell() != size:  # an earlier flush did not finish
                self._stream.seek(size)
                self._stream.truncate()
            remaining = memoryview(content)
            while remaining:
                number_of_bytes = self._stream.write(remaining)
                remaining = remaining[number_of_bytes:]
            self._stream.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, getattr(self._stream, "name", None)) from None
        sha256 = sha256.copy()
        sha256.update(content)
        self._written = _Written(size + len(content), sha256, counts + lines.counts, [])
        self._flush_at = time.monotonic() + _FLUSH_INTERVAL

    def note_end(self, implementation: str, restarts: int, stopped: int) -> None:
        """Record for the footer how an adapter ended.

        `restarts` is the number of its restarts. `stopped` is the number of failures at which `--maxfail`
        stopped it, or 0.
        """
        if restarts:
            self._restarts[implementation] = restarts
        if stopped:
            self._stopped[implementation] = stopped

    def close(self, *, interrupted: bool = False) -> None:
        """Write the footer and close the file. Raise OSError with the file name if writing fails."""
        try:
            self.flush()
            counts: dict[str, dict[str, int]] = {}
            for (name, outcome), count in sorted(self._written.counts.items()):
                counts.setdefault(name, {})[outcome] = count
            digest = self._written.sha256.hexdigest()[:_DIGEST_LENGTH]
            self.write(Footer(counts, digest, interrupted, self._restarts, self._stopped))
            self.flush()
        finally:
            self._stream.close()


def open_exclusively(path: Path) -> IO[bytes]:
    """Empty a results file and open it for writing. Raise ResultsError if another run is writing it.

    The lock is held until the file is closed. On file systems without locks, two runs can write at once.
    """
    stream = path.open("ab", buffering=0)
    if not acquire_lock(stream):
        stream.close()
        raise ResultsError(f"{path}: another run is writing it")
    stream.truncate(0)
    return stream


def copy_results(path: Path, target: Path) -> None:
    """Copy a results file completely or not at all, also into a pipe or device.

    Raise OSError with the name of the target if that fails.
    """
    with path.open("rb") as source, WholeFile(target) as stream:
        shutil.copyfileobj(source, stream)


def read_results(path: Path) -> Results:
    """Read a results file, which may be compressed (`.gz`, `.xz`), and check every line.

    Raise ResultsError if it is not a results file.
    """
    reader = _Reader(path)
    try:
        reader.read()
    except OSError as error:
        raise ResultsError(f"{path}: {os_reason(error)}") from None
    return reader.make_results()


class ResultsFollower:
    """Reads a results file while this process writes it, so that little is left to read after the run.

    If something is wrong with the file, or if reading is interrupted, `results` reads it again from the
    beginning. So an error ends no run, and is raised as by `read_results`.
    """

    def __init__(self, path: Path) -> None:
        """Follow the file at `path`, which the first call of `read_on` opens."""
        self._path = path
        self._stream: IO[bytes] | None = None
        self._reader: _Reader | None = _Reader(path)

    def read_on(self) -> None:
        """Read the lines that have been written since the last call. They must be whole."""
        reader = self._reader
        self._reader = None  # it stays so unless all lines are read
        if reader is not None:
            with suppress(ResultsError, OSError):
                if self._stream is None:
                    self._stream = self._path.open("rb")
                reader.read_lines(self._stream)
                self._reader = reader

    def results(self) -> Results:
        """Read the rest, and return the results of the whole file. Raise ResultsError."""
        self.read_on()
        return read_results(self._path) if self._reader is None else self._reader.make_results()

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()


class _Reader:
    """Reads a results file and collects its lines. Of two lines about the same case, the last one counts."""

    def __init__(self, path: Path) -> None:
        """Prepare to read the file at `path`, which messages name. Nothing is read yet."""
        self._path = path
        decoder: msgspec.json.Decoder[_ReadLine] = msgspec.json.Decoder(_ReadLine)
        self._decode = decoder.decode
        self._decode_lines = decoder.decode_lines
        self._number = 0
        self._cut_line = 0
        self._sha256 = hashlib.sha256()
        self._header: Header | None = None
        self._footer: Footer | None = None
        self._participants: dict[str, Participant] = {}
        self._tallies: list[Tally] = []
        self._examples: list[Example] = []
        self._vectors: dict[str, AskedVector] = {}
        self._results: dict[str, dict[str, Result]] = {}
        self._titles: dict[tuple[str, str], str] = {}
        #: Each different reply by its JSON, and each different clause by itself. Equal ones are kept once.
        self._replies: dict[bytes, dict[str, Any]] = {}
        self._details: dict[str, str] = {}
        #: The id of each vector, by itself.
        self._identifiers: dict[str, str] = {}

    def read(self) -> None:
        """Read all lines of the file."""
        with _OPENERS.get(self._path.suffix, open)(self._path, "rb") as stream:
            self.read_lines(stream)

    def read_lines(self, stream: IO[bytes]) -> None:
        """Read the next lines, except a last line that is cut. Stop if the first line is not a header."""
        for block in _blocks(stream):
            lines = self._decoded_block(block)
            if lines is None:
                for content in io.BytesIO(block):
                    if not self._read_line(content):
                        return
                continue
            for line in lines:
                self._number += 1
                if isinstance(line, _UnreadResult):  # almost all are
                    self._add_result(line)
                else:
                    self._add(line)
            self._sha256.update(block)

    def _decoded_block(self, block: bytes) -> list[_ReadLine] | None:
        """Return the lines of a block, which takes half the time of decoding each.

        Return None if the lines have to be read one by one: if one is malformed or cut, and at the beginning
        and the end of the file.
        """
        if self._header is None or self._footer is not None or b'"footer"' in block:
            return None
        try:
            lines = self._decode_lines(block)
        except NOT_JSON:
            return None
        is_whole = block.endswith(b"\n") and len(lines) == block.count(b"\n")
        return lines if is_whole else None

    def _read_line(self, content: bytes) -> bool:
        """Read a line. Return False if it is the last one to read: if it is cut, or no header and the first.

        Raise ResultsError if it is malformed or does not fit the lines above it.
        """
        self._number += 1
        line = self._decoded_line(content)
        if line is None:
            self._cut_line = self._number
            return False
        if self._header is None and not isinstance(line, Header):
            return False
        if self._footer is not None:
            raise self._error(f"a line after the footer; {_CHANGED}")
        self._add(line)
        self._sha256.update(content)
        return True

    def _decoded_line(self, content: bytes) -> _ReadLine | None:
        """Return a line, or None if it is cut: if it has no line break and is not the footer.

        Raise ResultsError if a line with a line break is malformed.
        """
        is_whole = content.endswith(b"\n")
        try:
            line = self._decode(content)
        except NOT_JSON as error:
            if not is_whole:
                return None
            why = decoding_error(content, error, Header)
            why = f"{why}; {_CHANGED}" if self._header else f"not a results file: {why}"
            raise self._error(why) from None
        return line if is_whole or isinstance(line, Footer) else None

    def _add(self, line: _ReadLine) -> None:
        """Collect a line. Raise ResultsError if it does not fit the lines above it."""
        match line:
            case _UnreadResult():
                self._add_result(line)
            case AskedVector(case=case):
                self._vectors[case.vector.id] = line
                self._identifiers[case.vector.id] = case.vector.id
                self._titles.setdefault((case.spec, case.section), line.title)
            case Header():
                self._header = line
            case Footer():
                self._check_footer(line)
                self._footer = line
            case Participant():
                if line.name in self._participants:
                    raise self._error(f"{line.name!r} is here for the second time; {_CHANGED}")
                self._participants[line.name] = line
            case Tally():
                self._check_names((line.implementation,))
                self._tallies.append(line)
            case Example():
                self._check_names((line.result.implementation,))
                self._check_reply(line.result.got)
                self._examples.append(line)

    def _add_result(self, line: _UnreadResult) -> None:
        """Collect a result. Its texts, and its reply, are those of an equal line above, if there is one."""
        identifier = self._identifiers.get(line.id)
        if identifier is None:
            raise self._error(f"a result of {line.id!r}, which is not a vector here; {_CHANGED}")
        answers = self._results.get(line.implementation)
        if answers is None:
            self._check_names((line.implementation,))
            answers = {}
            self._results[line.implementation] = answers
        encoded = bytes(line.got)
        reply = self._replies.get(encoded)
        if reply is None:
            reply = self._decoded_reply(encoded)
            self._replies[encoded] = reply
        detail = line.detail
        answers[identifier] = Result(
            identifier,
            self._participants[line.implementation].name,
            line.outcome,
            line.variant,
            self._details.setdefault(detail, detail),
            reply,
            line.stderr,
            line.seconds,
        )

    def _decoded_reply(self, encoded: bytes) -> dict[str, Any]:
        """Return the fields of a reply. Raise ResultsError if it is malformed."""
        try:
            reply: dict[str, Any] = msgspec.json.decode(encoded, type=dict[str, Any])
        except NOT_JSON as error:
            raise self._error(f"got: {decoding_error(encoded, error, _Got)}; {_CHANGED}") from None
        self._check_reply(reply)
        return reply

    def _check_footer(self, footer: Footer) -> None:
        """Raise ResultsError if the footer does not match the lines above it."""
        counts = {}
        for name, answers in self._results.items():
            outcomes = [answer.outcome for answer in answers.values()]
            counts[name] = Counter(outcomes)
        digest = self._sha256.hexdigest()[:_DIGEST_LENGTH]
        if footer.counts != counts or footer.digest != digest:
            raise self._error(f"the footer does not match the lines above it; {_CHANGED}")
        self._check_names((*footer.restarts, *footer.stopped))

    def _check_names(self, implementations: Iterable[str]) -> None:
        """Raise ResultsError if the file has not listed one of these implementations."""
        for name in implementations:
            if name not in self._participants:
                raise self._error(f"{name!r} is not an implementation of this run; {_CHANGED}")

    def _check_reply(self, got: dict[str, Any]) -> None:
        """Raise ResultsError if the `got` of a result is not like a reply.

        The conversion only checks `got`: results keep it as it is, with fields that `_Got` does not have.
        """
        if not got:
            return
        try:
            msgspec.convert(got, _Got)
        except msgspec.ValidationError as error:
            raise self._error(f"got: {error}; {_CHANGED}") from None

    def _error(self, why: str) -> ResultsError:
        """Return the error that the line that is being read is wrong."""
        return ResultsError(f"{self._path}: line {self._number}: {why}")

    def make_results(self) -> Results:
        """Return what was read. Raise ResultsError if the file has no header."""
        if self._header is None:
            raise ResultsError(f"{self._path}: not a results file: it has no header")
        footer = self._footer or Footer(counts={}, digest="")
        vectors = self._vectors_asked()
        counts = count_kinds(vectors, self._results)
        return Results(
            self._header,
            vectors,
            tuple(self._participants.values()),
            self._results,
            complete=self._footer is not None and not (footer.interrupted or footer.stopped),
            interrupted=footer.interrupted,
            restarts=footer.restarts,
            stopped=footer.stopped,
            tallies=tuple(self._tallies),
            examples=tuple(self._examples),
            asked=counts.asked,
            counted=counts.counted,
            titles=self._titles,
            cut_line=0 if self._footer is not None else self._cut_line,
        )

    def _vectors_asked(self) -> dict[str, AskedVector]:
        """Return the vectors that the run could ask.

        Vectors of an RFC that not every adapter is asked about are left out if no adapter claims it.
        """
        specs = {spec for spec, _ in self._titles}
        claimed = _claimed_specs(self._participants.values())
        asked_specs = {spec for spec in specs if is_asked(spec, claimed)}
        if not self._participants or asked_specs == specs:
            return self._vectors
        return {
            identifier: vector
            for identifier, vector in self._vectors.items()
            if vector.case.spec in asked_specs or self._has_result(identifier)
        }

    def _has_result(self, identifier: str) -> bool:
        """Return True if one of the implementations has a result of a vector."""
        return any(identifier in answers for answers in self._results.values())


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file in blocks of lines. Only the last line of the last block may be cut."""
    cut = b""
    while content := stream.read(_BLOCK):
        whole_lines, last_line_break, cut = (cut + content).rpartition(b"\n")
        if last_line_break:
            yield whole_lines + last_line_break
    if cut:
        yield cut


# ---- several files


def merge_results(results_by_file: Mapping[Path, Results]) -> Results:
    """Return the results of several files as those of one run, which had asked all their cases.

    The files come from jobs that divide the cases among themselves: the corpus and the adapters are the same.
    Raise ResultsError, which names the file, if they are not, or if two files have different results of a
    case.
    """
    for file, results in results_by_file.items():
        if not results.participants and len(results_by_file) > 1:
            raise ResultsError(f"{file} cannot be merged: {_why_without_adapters(results)}")
    first_file, *further_files = results_by_file
    merged = results_by_file[first_file]
    merged_files = [str(first_file)]
    for file in further_files:
        results = results_by_file[file]
        problem = _why_not_together(merged, results)
        if problem:
            raise ResultsError(f"{file} cannot be merged with {', '.join(merged_files)}: {problem}")
        merged = _merged(merged, results)
        merged_files.append(str(file))
    return merged


def _why_without_adapters(results: Results) -> str:
    """Return why results name no adapter."""
    if results.cut_line:
        return f"the file ends in the middle of line {results.cut_line:,}, before any adapter was asked"
    return "no adapter was asked"


def _why_not_together(first: Results, second: Results) -> str:
    """Say why two results cannot be merged, or return an empty string."""
    if first.header.corpus != second.header.corpus:
        return f"its corpus is {second.header.corpus}, not {first.header.corpus}"
    names = [participant.name for participant in first.participants]
    other_names = [participant.name for participant in second.participants]
    if set(names) != set(other_names):
        return f"its adapters are {', '.join(other_names)}, not {', '.join(names)}"
    for participant in first.participants:
        name = participant.name
        second_participant = second.participant(name)
        if participant.state != second_participant.state:
            return f"its {name} {_state_in_words(second_participant)}, unlike the other"
        library = _library_in_words(participant)
        second_library = _library_in_words(second_participant)
        if library != second_library:
            return f"its {name} is {second_library}, not {library}"
    return _contradiction(first, second)


def _state_in_words(participant: Participant) -> str:
    """Return the state of an adapter as a predicate."""
    return "is not installed" if participant.state == "not installed" else participant.status


def _library_in_words(participant: Participant) -> str:
    """Return the name and the version of the library, or "" if the adapter did not run."""
    about = participant.implementation
    return "" if about is None else f"{about.name} {about.version}"


def _contradiction(first: Results, second: Results) -> str:
    """Say which case or generated part two results have with different outcomes, or return ""."""
    for name, answers in second.results.items():
        earlier = first.of(name)
        for identifier in answers.keys() & earlier.keys():
            if _repeatable_part(answers[identifier]) != _repeatable_part(earlier[identifier]):
                return f"{identifier} has another result of {name}"
    tallies = _tallies_by_part(first)
    for (name, part), tally in _tallies_by_part(second).items():
        if tallies.get((name, part), tally) != tally:
            return f"{part} has other results of {name}"
    return ""


def _repeatable_part(answer: Result) -> Result:
    """Return a result without what can differ between two runs.

    That is the time that it took, and the end of a process that did not happen again.
    """
    stderr = "" if answer.stderr.startswith(ASKED_AGAIN) else answer.stderr
    return msgspec.structs.replace(answer, seconds=0.0, stderr=stderr)


def _tallies_by_part(results: Results) -> dict[tuple[str, str], Tally]:
    """Map (implementation, generated part) to the tally."""
    return {(tally.implementation, tally.part): tally for tally in results.tallies}


def _examples_by_case(results: Results) -> dict[tuple[str, str], Example]:
    """Map (implementation, id of a generated case) to the failure that the results contain."""
    return {(example.result.implementation, example.result.id): example for example in results.examples}


def _merged_header(first: Header, second: Header) -> Header:
    """Return the header of a run that began with the earlier one, and had asked what both had asked."""
    return msgspec.structs.replace(
        first,
        started=min(first.started, second.started),
        tiers={**first.tiers, **second.tiers},
        sizes={**first.sizes, **second.sizes},
    )


def _merged(first: Results, second: Results) -> Results:
    """Return two results that can be merged as one. Of a case that both have, the second result counts."""
    vectors = {**first.vectors, **second.vectors}
    results = {}
    for participant in first.participants:
        answers = {**first.of(participant.name), **second.of(participant.name)}
        if answers:
            results[participant.name] = answers
    counts = count_kinds(vectors, results)
    tallies = _tallies_by_part(first) | _tallies_by_part(second)
    examples = _examples_by_case(first) | _examples_by_case(second)
    return msgspec.structs.replace(
        first,
        header=_merged_header(first.header, second.header),
        vectors=vectors,
        results=results,
        complete=first.complete and second.complete,
        interrupted=first.interrupted or second.interrupted,
        restarts=dict(Counter(first.restarts) + Counter(second.restarts)),
        stopped=dict(Counter(first.stopped) + Counter(second.stopped)),
        tallies=tuple(tallies.values()),
        examples=tuple(examples.values()),
        asked=counts.asked,
        counted=counts.counted,
        titles={**second.titles, **first.titles},
        cut_line=first.cut_line or second.cut_line,
    )
