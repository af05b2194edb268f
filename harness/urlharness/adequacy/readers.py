"""Read the tests of any project: what they ask of a URL library, and which answers they expect.

- JSON: tests of JSON Schema formats, URLs with the parts that browsers return, and vectors of ours
- CSV and JSON Lines with `text` and `valid`, or with `base`, `reference` and `result`
- JSON Lines that `pytest --urlconform-record` has written: what a library answered while its tests ran
- folders with such files

The answers of browsers follow the URL Standard. They are used only where RFC 3986 gives the same answer.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, Literal, NamedTuple

from urlharness.adequacy.suites import agreed_validity
from urlharness.corpus.foreign import Foreign, load_foreign
from urlharness.corpus.jsonl import is_case_lines
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH
from urlharness.corpus.model import Case, CorpusError
from urlharness.corpus.selection import SelectionError, spec_name
from urlharness.wording import os_reason, parse_reason, rfc
from urloracle.errors import InvalidURL
from urloracle.rfcs import UnknownSpecification, specification

#: The format of a file with tests.
Form = Literal["format-tests", "urls", "vectors", "case-lines", "csv", "lines", "recording"]

#: The suffixes of files in JSON Lines.
_LINES = (".jsonl", ".ndjson")
#: The suffixes of the files that are read in a folder.
_SUFFIXES = (".json", ".csv", *_LINES)

#: The columns of tests that ask whether a text is valid, and of tests that resolve a reference.
VERDICT_COLUMNS = ("text", "valid")
RESOLUTION_COLUMNS = ("base", "reference", "result")

_VERDICTS = {
    **dict.fromkeys(("true", "1", "yes", "valid", "ok"), True),
    **dict.fromkeys(("false", "0", "no", "invalid"), False),
}
#: Bindings of vectors whose answer the RFC leaves to the library.
_OPEN = ("impl-defined", "unspecified")
_NOT_DECIDED = "whose answer the RFC leaves open"


class VerdictTest(NamedTuple):
    """A test that asks whether a rule derives a text. `location` says which test of which file it is."""

    location: str
    spec: str
    rule: str
    text: str
    valid: bool


class ResolutionTest(NamedTuple):
    """A test that resolves a reference. `target` is None if the test expects a refusal."""

    location: str
    spec: str
    base: str
    reference: str
    target: str | None


class ProjectTests(NamedTuple):
    """The tests of one or several files. `form` is the format of the first file.

    `left_out` counts the tests that say nothing about a rule or about resolution, by reason.
    """

    form: Form
    verdicts: Sequence[VerdictTest]
    resolutions: Sequence[ResolutionTest]
    left_out: Mapping[str, int]


class Defaults(NamedTuple):
    """The RFC and the rule of tests that name none. If `rule` is empty, it is that of URLs with a scheme."""

    spec: str
    rule: str = ""


class _Reader:
    """Collects the tests of a file."""

    def __init__(self, path: Path, defaults: Defaults) -> None:
        self.path = path
        self.defaults = defaults
        self.verdicts: list[VerdictTest] = []
        self.resolutions: list[ResolutionTest] = []
        self.left_out: Counter[str] = Counter()

    def tests(self, form: Form) -> ProjectTests:
        """Return the tests that were added, as those of a file of this form."""
        return ProjectTests(form, self.verdicts, self.resolutions, self.left_out)

    def add_verdict(self, location: str, spec: str, rule: str | None, text: object, *, valid: bool) -> None:
        """Add a test of a text, unless automata cannot judge the text."""
        if self._is_usable(text):
            assert isinstance(text, str)
            judging_rule = specification(spec).judging_rule(text, rule)
            self.verdicts.append(VerdictTest(location, spec, judging_rule, text, valid))

    def add_resolution(
        self, location: str, spec: str, base: object, reference: object, target: str | None
    ) -> None:
        """Add a test of a resolution, unless its texts are no texts or too long."""
        if self._is_usable(base) and self._is_usable(reference):
            assert isinstance(base, str)
            assert isinstance(reference, str)
            self.resolutions.append(ResolutionTest(location, spec, base, reference, target))

    def _is_usable(self, text: object) -> bool:
        """Return True for a text that is not too long, otherwise count the test as left out."""
        if not isinstance(text, str):
            self.left_out["whose input is no text"] += 1
            return False
        if len(text) > MAX_WHOLE_LENGTH:
            self.left_out[f"longer than {MAX_WHOLE_LENGTH:,} characters"] += 1
            return False
        return True


def read_tests(paths: Iterable[Path], defaults: Defaults) -> ProjectTests:
    """Read the tests of files and folders.

    A test that occurs twice is used once. Raise CorpusError, which names the file and the line or entry, if a
    file is invalid, or if a file or folder contains no usable test.
    """
    all_tests = [tests for path in paths for tests in _tests_of_path(path, defaults)]
    verdicts: dict[tuple[object, ...], VerdictTest] = {}
    resolutions: dict[tuple[object, ...], ResolutionTest] = {}
    left_out: Counter[str] = Counter()
    for tests in all_tests:
        # tests that differ only by the first field, the location, are one test
        for verdict in tests.verdicts:
            verdicts.setdefault(verdict[1:], verdict)
        for resolution in tests.resolutions:
            resolutions.setdefault(resolution[1:], resolution)
        left_out.update(tests.left_out)
    return ProjectTests(all_tests[0].form, [*verdicts.values()], [*resolutions.values()], left_out)


def _tests_of_path(path: Path, defaults: Defaults) -> Iterator[ProjectTests]:
    """Yield the tests of a file, or of each file of a folder that contains tests.

    Raise CorpusError if there is no usable test. In a folder, a file that cannot be read is skipped.
    """
    if not path.is_dir():
        tests = _read_file(path, defaults)
        if not tests.verdicts and not tests.resolutions:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(tests.left_out.items()))
            in_brackets = f" ({reasons})" if reasons else ""
            raise CorpusError(f"{path}: the file contains no usable test{in_brackets}")
        yield tests
        return
    files = [file for file in sorted(path.rglob("*")) if file.suffix in _SUFFIXES and file.is_file()]
    are_usable = False
    for file in files:
        try:
            tests = _read_file(file, defaults)
        except CorpusError:  # such as the tests of other formats, or a package.json
            continue
        if tests.verdicts or tests.resolutions:
            are_usable = True
            yield tests
    if not are_usable:
        raise CorpusError(f"{path}: no file below this folder contains a usable test ({len(files)} files)")


def _read_file(path: Path, defaults: Defaults) -> ProjectTests:
    """Read the tests of a file. Its format follows from the suffix and the content.

    Raise CorpusError if the file cannot be read, or if a test in it is invalid.
    """
    try:
        if path.suffix == ".csv":
            return _read_csv(path, defaults)
        if path.suffix in _LINES and not is_case_lines(path):
            return _read_lines(path, defaults)
    except OSError as error:
        raise CorpusError(f"{path}: {os_reason(error)}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CorpusError(f"{path}: line {line}: {error.reason} in UTF-8") from None
    return _tests_of_corpus(path, load_foreign(path), defaults)


def _tests_of_corpus(path: Path, foreign: Foreign, defaults: Defaults) -> ProjectTests:
    """Return the tests of a file that is read as a corpus."""
    reader = _Reader(path, defaults)
    reader.left_out.update(foreign.left_out)
    corpus = foreign.corpus
    if foreign.format == "urls":
        _add_browser_tests(reader, corpus.cases)
        return reader.tests("urls")
    for case in corpus.cases:
        if foreign.format == "vectors":
            location = f"{path.name}: {case.vector.id}"
        else:
            location = corpus.requirements[case.vector.requirement].statement
        _add_case(reader, location, case)
    return reader.tests("case-lines" if path.suffix in _LINES else foreign.format)


def _add_case(reader: _Reader, location: str, case: Case) -> None:
    """Add the test of a vector, if it asks for a verdict, for components or for a resolution."""
    vector = case.vector
    alternatives = vector.expect.alternatives
    if vector.profile not in (None, "scheme-specific") or vector.op not in ("validate", "parse", "resolve"):
        reader.left_out["that ask neither for a verdict nor for a resolution"] += 1
    elif vector.binding in _OPEN or (len(alternatives) > 1 and vector.op == "resolve"):
        reader.left_out[_NOT_DECIDED] += 1
    elif vector.op == "resolve":
        target = alternatives[0].result
        if alternatives[0].same_document:
            reader.left_out["whose target is the same document"] += 1
        else:
            text = target if isinstance(target, str) else None
            reader.add_resolution(location, case.spec, vector.base, vector.reference, text)
    else:
        valid = agreed_validity(alternatives)
        if valid is None:
            reader.left_out[_NOT_DECIDED] += 1
        else:
            reader.add_verdict(location, case.spec, vector.rule, vector.url, valid=valid)


def _add_browser_tests(reader: _Reader, cases: Sequence[Case]) -> None:
    """Add the tests of URLs with the parts that browsers return, where RFC 3986 answers as browsers do.

    An entry without a base is a verdict; the resolution that it is asked as, too, is not added.
    """
    without_base = {case.vector.requirement for case in cases if case.vector.op == "validate"}
    for case in cases:
        vector = case.vector
        statement = f"{reader.path.name}, entry {vector.requirement.rpartition('-')[2]}"
        if vector.op == "validate" and isinstance(vector.url, str):
            is_valid = specification(case.spec).automaton("URI").accepts(vector.url)
            if is_valid == vector.expect.valid:
                reader.add_verdict(statement, case.spec, "URI", vector.url, valid=is_valid)
            elif is_valid:
                reader.left_out["that browsers refuse and RFC 3986 accepts"] += 1
            else:
                reader.left_out["that browsers accept and RFC 3986 refuses"] += 1
        elif vector.op == "resolve" and vector.requirement not in without_base:
            target = vector.expect.result if isinstance(vector.expect.result, str) else None
            base = vector.base
            reference = vector.reference
            assert isinstance(base, str)
            assert isinstance(reference, str)
            if resolved(case.spec, base, reference) == target:
                reader.add_resolution(statement, case.spec, base, reference, target)
            else:
                reader.left_out["that browsers resolve otherwise than RFC 3986"] += 1


def resolved(spec: str, base: str, reference: str) -> str | None:
    """Return the target of a reference by the algorithm of an RFC, or None if a text is invalid."""
    try:
        return specification(spec).resolve(base, reference).text
    except InvalidURL:
        return None


def _has_every_column(row: Mapping[str | None, Any]) -> bool:
    """Return True if a row of `csv.DictReader` has as many cells as there are columns.

    The reader gives a cell that is missing the value None, and cells beyond the last column the name None.
    """
    return None not in row.values() and None not in row


def _given_fields(row: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of a row that say something.

    An empty cell leaves the field to its default, but the empty text is a URL reference, and may be a base.
    """
    return {name: text for name, text in row.items() if text or name in ("text", "reference", "base")}


def _read_csv(path: Path, defaults: Defaults) -> ProjectTests:
    """Read a CSV file whose first line names the columns. Raise CorpusError if a line is invalid."""
    reader = _Reader(path, defaults)
    rows = csv.DictReader(StringIO(path.read_text(encoding="utf-8-sig"), newline=""), strict=True)
    try:
        columns = [name.strip().lower() for name in rows.fieldnames or ()]
        has_verdicts = set(columns).issuperset(VERDICT_COLUMNS)
        has_resolutions = set(columns).issuperset(RESOLUTION_COLUMNS)
        if not has_verdicts and not has_resolutions:
            raise CorpusError(
                f"{path}: line 1: expected the names of columns: text,valid or base,reference,result"
            )
        rows.fieldnames = columns
        for row in rows:
            line = f"{path}: line {rows.line_num}"
            if not _has_every_column(row):
                raise CorpusError(f"{line}: the line does not have {len(columns)} columns")
            _add_fields(reader, f"{path.name}, line {rows.line_num}", line, _given_fields(row))
    except csv.Error as error:  # in the row after the last one that was read
        raise CorpusError(f"{path}: line {rows.line_num + 1}: {error}") from None
    return reader.tests("csv")


def _read_lines(path: Path, defaults: Defaults) -> ProjectTests:
    """Read a file with an object on each line: a test, or a recorded call.

    Raise CorpusError if a line is invalid.
    """
    reader = _Reader(path, defaults)
    form: Form = "lines"
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if not line.strip():
            continue
        where_invalid = f"{path}: line {number}"
        location = f"{path.name}, line {number}"
        try:
            fields = json.loads(line)
        except json.JSONDecodeError as error:
            raise CorpusError(f"{where_invalid}, column {error.colno}: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{where_invalid}: {parse_reason(error)}") from None
        if not isinstance(fields, dict):
            raise CorpusError(f"{where_invalid}: expected an object")
        if "operation" in fields and "arguments" in fields:
            form = "recording"
            _add_call(reader, location, where_invalid, fields)
        else:
            _add_fields(reader, location, where_invalid, fields)
    return reader.tests(form)


def _add_fields(reader: _Reader, location: str, where_invalid: str, fields: Mapping[str, Any]) -> None:
    """Add the test of a line with named columns. Raise CorpusError if it is invalid."""
    spec, rule = _spec_and_rule(reader.defaults, where_invalid, fields)
    if "text" in fields:
        valid = fields.get("valid")
        if isinstance(valid, str):
            valid = _VERDICTS.get(valid.strip().lower())
        if not isinstance(valid, bool):
            raise CorpusError(f"{where_invalid}: `valid` must be true or false, not {fields.get('valid')!r}")
        reader.add_verdict(location, spec, rule, fields["text"], valid=valid)
    elif {"base", "reference"} <= fields.keys():
        target = fields.get("result")
        if not isinstance(target, str | None):
            raise CorpusError(f"{where_invalid}: `result` must be a text, or null for a refusal")
        reader.add_resolution(location, spec, fields["base"], fields["reference"], target)
    else:
        raise CorpusError(
            f"{where_invalid}: expected `text` and `valid`, or `base`, `reference` and `result`"
        )


def _spec_and_rule(defaults: Defaults, where_invalid: str, fields: Mapping[str, Any]) -> Defaults:
    """Return the RFC and the rule of a line. Raise CorpusError if there is no such RFC or rule."""
    try:
        spec = spec_name(str(fields["spec"])) if fields.get("spec") else defaults.spec
        grammar = specification(spec).grammar
    except (SelectionError, UnknownSpecification) as error:
        raise CorpusError(f"{where_invalid}: {error}") from None
    rule = str(fields.get("rule") or defaults.rule or specification(spec).absolute)
    if rule not in grammar:
        raise CorpusError(f"{where_invalid}: {rfc(spec)} has no rule {rule!r}")
    return Defaults(spec, grammar.names[rule.lower()])


def _add_call(reader: _Reader, location: str, where_invalid: str, call: Mapping[str, Any]) -> None:
    """Add what a library answered to one call. An exception is a refusal.

    A call that asks for no verdict and no target is counted as left out. Raise CorpusError if its arguments
    are not an object.
    """
    spec, rule = _spec_and_rule(reader.defaults, where_invalid, call)
    arguments = call["arguments"]
    if not isinstance(arguments, Mapping):
        raise CorpusError(f"{where_invalid}: `arguments` must be an object")
    texts = [argument for argument in arguments.values() if isinstance(argument, str)]
    test = f"{location} ({call['test']})" if call.get("test") else location
    operation = call["operation"]
    refused = call.get("exception") is not None
    answer = call.get("result")
    accepting = _ACCEPTING.get(operation)
    if accepting is not None and texts:
        reader.add_verdict(test, spec, rule, texts[0], valid=not refused and accepting(answer))
    elif operation == "resolve" and len(texts) > 1:
        target = answer.get("text") if isinstance(answer, Mapping) else answer
        is_text = isinstance(target, str) and not refused
        reader.add_resolution(test, spec, texts[0], texts[1], target if is_text else None)
    elif texts:
        reader.left_out["that ask neither for a verdict nor for a resolution"] += 1
    else:
        reader.left_out["whose input is no text"] += 1


#: For each operation that judges a text, a function that says whether a returned answer accepts it.
#: A function that validates may return nothing; a parser that returns nothing has refused.
_ACCEPTING: Mapping[str, Callable[[object], bool]] = {
    "validate": lambda answer: answer is not False,
    "parse": lambda answer: answer is not False and answer is not None,
}
