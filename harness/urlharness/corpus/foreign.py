"""Load foreign corpora as cases.

The formats are: URLs with the parts that browsers return, tests of JSON Schema formats, and our vector
formats.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from urlharness.corpus.jsonl import is_case_lines, load_lines, requirement_of
from urlharness.corpus.loader import load as load_corpus
from urlharness.corpus.loader import refuse_repeated_ids, short_digest
from urlharness.corpus.model import (
    VECTOR_SCHEMAS,
    Case,
    Corpus,
    CorpusError,
    Expected,
    Requirement,
    Vector,
    VectorFile,
    decode_document,
)
from urlharness.corpus.specifications import Spec
from urlharness.text import well_formed
from urlharness.wording import os_reason, parse_reason

#: The specification under which the questions of a foreign corpus are asked, except those on IRIs.
SPEC: Spec = "rfc3986"
#: The base that is sent if an entry does not contain a base, because `resolve` requires one.
NO_BASE = "about:blank"


class FormatRule(NamedTuple):
    """The rule of an RFC that defines a format of JSON Schema."""

    spec: Spec
    rule: str


#: Maps JSON Schema formats to the rules that define them.
FORMATS = {
    "uri": FormatRule(SPEC, "URI"),
    "uri-reference": FormatRule(SPEC, "URI-reference"),
    "iri": FormatRule("rfc3987", "IRI"),
    "iri-reference": FormatRule("rfc3987", "IRI-reference"),
}

_SURROGATE = re.compile("[\ud800-\udfff]")
_PORT = re.compile(":[0-9]*$")
#: Characters that may occur in a file name but not in an id.
_NOT_IN_IDS = re.compile("[^!-~]+")


#: The format of a file: our vectors, URLs with the parts that browsers return, or JSON Schema format tests.
Format = Literal["vectors", "urls", "format-tests"]


class Foreign(NamedTuple):
    """A foreign corpus.

    `left_out` counts the skipped tests by reason.
    """

    corpus: Corpus
    format: Format
    left_out: Mapping[str, int]

    @property
    def in_own_format(self) -> bool:
        """True if the file is in one of our vector formats."""
        return self.format == "vectors"

    @property
    def blind(self) -> tuple[str, ...]:
        """The features that verdicts ignore. Browser tests do not distinguish absent and empty parts."""
        return () if self.in_own_format else ("absent-vs-empty",)

    @property
    def specs(self) -> tuple[str, ...]:
        """The RFCs by which the gate judges every adapter.

        If the tuple is empty, the gate judges each adapter by the RFCs that it claims.
        """
        return () if self.in_own_format else tuple(self.corpus.sizes)

    @property
    def note(self) -> str:
        """A note for the report, or an empty string if the file is in one of our vector formats."""
        if self.in_own_format:
            return ""
        reasons = _left_out_in_words(self.left_out)
        return f"{self.corpus.version}: the expectations come from this file, not from an RFC{reasons}"


class _Url(msgspec.Struct):
    """A URL, an optional base, and the parts that browsers return.

    `failure` is true if they refuse the URL.
    """

    input: str
    base: str | None = None
    failure: bool = False
    href: str | None = None
    comment: str | None = None
    protocol: str | None = None
    username: str | None = None
    password: str | None = None
    host: str | None = None
    hostname: str | None = None
    port: str | None = None
    pathname: str | None = None
    search: str | None = None
    hash: str | None = None


class _FormatTest(msgspec.Struct):
    data: Any
    valid: bool
    description: str | None = None


class _FormatGroup(msgspec.Struct):
    """The tests of one JSON Schema. The schema may name a format."""

    schema: dict[str, Any] | bool
    tests: list[_FormatTest]
    description: str | None = None


class _Test(NamedTuple):
    """A test before it is converted to a case.

    `group` is the number of its group, and `entry` its place in the file. `statement` becomes the statement
    of its requirement.
    """

    group: int
    entry: str
    statement: str
    op: str
    inputs: Mapping[str, Any]
    expect: Expected
    spec: Spec = SPEC


class _FileTests(NamedTuple):
    """The tests of a file. `titles` maps groups to titles, and `left_out` counts skipped tests by reason."""

    format: Format
    tests: list[_Test]
    titles: dict[int, str]
    left_out: Counter[str]


def load_foreign(path: Path) -> Foreign:
    """Load a foreign corpus. Recognize its format by the content.

    Raise CorpusError, which names the file and the entry, such as `$[3].input`, if the file cannot be read,
    is invalid, or contains no usable test.
    """
    try:
        if path.is_file() and is_case_lines(path):
            return Foreign(load_lines(path), "vectors", left_out={})
        source = path.read_bytes()
        content = json.loads(source.decode("utf-8-sig"))
        if isinstance(content, dict) and content.get("schema") in VECTOR_SCHEMAS:
            return _load_vector_file(path, source)
        file_tests = _read_tests(path, content)
    except OSError as error:
        raise CorpusError(f"{path}: {os_reason(error)}") from None
    except (ValueError, RecursionError) as error:  # the JSON, the UTF-8, or a record is invalid
        raise CorpusError(f"{path}: {parse_reason(error)}") from None
    left_out = file_tests.left_out
    if not file_tests.tests:
        raise CorpusError(f"{path}: the file contains no usable test{_left_out_in_words(left_out)}")
    return Foreign(_corpus_of_tests(path, source, file_tests), file_tests.format, left_out)


def _read_tests(path: Path, content: Any) -> _FileTests:
    """Read the tests of a file. Recognize the format by the names in the objects.

    Raise CorpusError if the format is unknown, and ValueError if a record is invalid.
    """
    # browsers replace lone surrogates, so an expected result never contains a lone surrogate
    text = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", json.dumps(content, ensure_ascii=False))
    if isinstance(content, list):
        objects = [entry for entry in content if isinstance(entry, dict)]
        names = set().union(*objects)
        if "input" in names:
            return _read_urls(path.name, msgspec.json.decode(text, type=list[_Url | str]))
        if {"schema", "tests"} <= names:
            return _read_formats(path.name, msgspec.json.decode(text, type=list[_FormatGroup]))
    raise CorpusError(
        f"{path}: unknown format: expected URLs ('input'), format tests ('schema', 'tests'), or urlvectors-1"
    )


def _read_urls(file_name: str, entries: Iterable[_Url | str]) -> _FileTests:
    """Read a list of URLs. Strings between the entries are headings, which begin a new group.

    Raise ValueError if an entry has both or neither of `href` and `failure`.
    """
    tests: list[_Test] = []
    titles: dict[int, str] = {}
    group = 0
    after_heading = False
    for index, entry in enumerate(entries):
        if isinstance(entry, str):
            heading = entry.strip("# \n")
            if after_heading:  # several headings in a row are one title
                titles[group] = f"{titles[group]} {heading}".strip()
            else:
                group += 1
                titles[group] = heading
            after_heading = True
            continue
        after_heading = False
        has_result = entry.href is not None
        if has_result == entry.failure:
            raise ValueError(f"exactly one of `href` and `failure` is required - at `$[{index}]`")
        statement = f"{file_name}, entry {index}"
        if entry.comment:
            statement += f": {entry.comment}"
        for op, inputs, expectation in _questions_on_url(entry):
            tests.append(_Test(group, str(index), statement, op, inputs, expectation))
    return _FileTests("urls", tests, titles, Counter())


def _questions_on_url(entry: _Url) -> Iterator[tuple[str, Mapping[str, Any], Expected]]:
    """Yield (operation, inputs, expectation) of each question that an entry answers.

    The operations are `validate` if the entry has no base, `resolve`, and `parse` if it contains parts.
    """
    text = entry.input
    base = entry.base
    if base is None:
        yield "validate", {"rule": "URI", "url": text}, Expected(valid=not entry.failure)
    if entry.href is None:
        if base is not None:
            yield "resolve", {"base": base, "reference": text}, Expected(valid=False)
        return
    inputs = {"base": NO_BASE if base is None else base, "reference": text}
    yield "resolve", inputs, Expected(result=entry.href)
    components = _components(entry)
    if components:
        yield "parse", {"url": text if base is None else entry.href}, Expected(components=components)


def _components(entry: _Url) -> dict[str, Any]:
    """Return the parts of an entry under the component names of RFC 3986.

    An empty part counts as absent, except an empty path. Parts that the entry does not contain are left out.
    """
    host = entry.hostname
    if host is None and entry.host is not None:
        host = _PORT.sub("", entry.host)
    userinfo = None
    if entry.username is not None or entry.password is not None:
        userinfo = entry.username or ""
        if entry.password:
            userinfo += f":{entry.password}"
    parts = {
        "scheme": entry.protocol and entry.protocol.removesuffix(":"),
        "userinfo": userinfo,
        "host": host,
        "port": entry.port,
        "path": entry.pathname,
        "query": entry.search and entry.search.removeprefix("?"),
        "fragment": entry.hash and entry.hash.removeprefix("#"),
    }
    # None is a part that the entry does not contain, and "" an empty one
    present = {name: part for name, part in parts.items() if part is not None}
    # a path is never absent in RFC 3986
    return {name: part if part or name == "path" else None for name, part in present.items()}


def _read_formats(file_name: str, groups: Iterable[_FormatGroup]) -> _FileTests:
    """Read a list of format tests. Each test asks whether the rule of the format derives a text.

    Tests of another format, or of no text, are left out and counted.
    """
    tests: list[_Test] = []
    titles: dict[int, str] = {}
    left_out: Counter[str] = Counter()
    for index, group in enumerate(groups):
        number_of_group = index + 1
        titles[number_of_group] = group.description or ""
        name_of_format = group.schema.get("format") if isinstance(group.schema, dict) else None
        if not isinstance(name_of_format, str):
            left_out["without a format"] += len(group.tests)
            continue
        defined_by = FORMATS.get(name_of_format)
        if defined_by is None:
            left_out[f"with format {name_of_format}"] += len(group.tests)
            continue
        for number, test in enumerate(group.tests):
            if not isinstance(test.data, str):
                # in JSON Schema, a format accepts every value that is not a string
                left_out["without a text"] += 1
                continue
            description = test.description or f"test {number}"
            converted = _Test(
                group=number_of_group,
                entry=f"{index}.{number}",
                statement=f"{file_name}, entry {index}: {description}",
                op="validate",
                inputs={"rule": defined_by.rule, "url": test.data},
                expect=Expected(valid=test.valid),
                spec=defined_by.spec,
            )
            tests.append(converted)
    return _FileTests("format-tests", tests, titles, +left_out)  # without counts of 0


def _corpus_of_tests(path: Path, source: bytes, file_tests: _FileTests) -> Corpus:
    """Return the tests as a corpus. Each group becomes a section, and each entry becomes a requirement.

    Vectors get the level `note`, so they do not count for compliance. They get the binding `required`, so
    they can fail a gate.
    """
    stem = well_formed(path.stem)
    name = well_formed(path.name)
    prefix = _NOT_IN_IDS.sub("-", stem)
    requirements: dict[str, Requirement] = {}
    titles: dict[tuple[str, str], str] = {}
    cases = []
    for test in file_tests.tests:
        section = f"{stem}.{test.group}" if file_tests.titles else stem
        title = file_tests.titles.get(test.group, "")
        titles[test.spec, section] = well_formed(title)
        entry = f"{prefix}-{test.entry}"
        requirements[entry] = Requirement(
            id=entry, section=section, paragraph=0, digest="", level="note", statement=test.statement
        )
        cases.append(Case(test.spec, section, _vector(test, entry), name))
    counts = Counter(case.spec for case in cases)
    return Corpus(cases, requirements, titles, short_digest(source), name, dict(counts))


def _vector(test: _Test, requirement: str) -> Vector:
    """Convert a test to a vector. One entry may have a vector for each operation."""
    fields = {
        "id": f"{requirement}-{test.op}",
        "requirement": requirement,
        "level": "note",
        "binding": "required",
        "op": test.op,
        "expect": test.expect,
    }
    return msgspec.convert({**fields, **test.inputs}, Vector)


def _load_vector_file(path: Path, source: bytes) -> Foreign:
    """Load a vector file.

    If the corpus does not contain a requirement, use the comment of the vector instead.
    """
    content = decode_document(source, VectorFile)
    installed = load_corpus()
    name = well_formed(path.name)
    cases = [Case(content.spec, content.section, vector, name) for vector in content.vectors]
    refuse_repeated_ids(cases)
    requirements = dict(installed.requirements)
    for vector in content.vectors:
        requirements.setdefault(vector.requirement, requirement_of(content.section, vector))
    titles = {(content.spec, content.section): content.title, **installed.titles}
    corpus = Corpus(cases, requirements, titles, short_digest(source), name, {content.spec: len(cases)})
    return Foreign(corpus, "vectors", left_out={})


def _left_out_in_words(left_out: Mapping[str, int]) -> str:
    """Return ` (left out: …)` with the numbers of skipped tests, or an empty string if none was skipped."""
    if not left_out:
        return ""
    clauses = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()))
    return f" (left out: {clauses})"
