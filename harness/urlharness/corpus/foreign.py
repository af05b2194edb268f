"""Corpora of other projects as cases: lists of URLs with the parts of browsers, tests of JSON Schema formats."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.jsonl import is_case_lines, load_lines, requirement_of
from urlharness.corpus.loader import load as load_corpus
from urlharness.corpus.lock import short_digest
from urlharness.corpus.model import Case, Corpus, CorpusError, Expected, Requirement, Spec, Vector, VectorFile
from urlharness.text import well_formed

#: The specification whose questions a foreign corpus is put as.
SPEC: Spec = "rfc3986"
#: The base of a URL without one, for tools that always need a base.
NO_BASE = "about:blank"
#: JSON Schema formats, and the rule of RFC 3986 that each of them names.
FORMATS = {"uri": "URI", "uri-reference": "URI-reference"}

_SURROGATE = re.compile("[\ud800-\udfff]")
_PORT = re.compile(":[0-9]*$")

#: Names of RFC 3986, the part of browsers, and the delimiter that browsers count to the part.
_PARTS = (
    ("scheme", "protocol", ":"),
    ("host", "hostname", ""),
    ("port", "port", ""),
    ("path", "pathname", ""),
    ("query", "search", "?"),
    ("fragment", "hash", "#"),
)


class Foreign(NamedTuple):
    """A foreign corpus: its cases, whether they are vectors of our format, and what is left out, by reason."""

    corpus: Corpus
    own: bool
    left_out: Mapping[str, int]

    @property
    def blind(self) -> tuple[str, ...]:
        """Features that no verdict depends on: browsers do not tell an empty part from an absent one."""
        return () if self.own else ("absent-vs-empty",)

    @property
    def specs(self) -> tuple[str, ...]:
        """The specifications that any named adapter is gated on, or () for those that it claims."""
        return () if self.own else (SPEC,)

    @property
    def says(self) -> str:
        """A note for the report, or an empty string for vectors of our format."""
        if self.own:
            return ""
        return f"{self.corpus.version}: its own expectations, no RFC's{_reasons(self.left_out)}"


class _Test(NamedTuple):
    """A test of the file before it is a case: where it is in the file, what it asks and expects."""

    group: int
    entry: str
    statement: str
    op: str
    inputs: Mapping[str, Any]
    expect: Expected


_Reader = Callable[[str, list[Any], dict[int, str], Counter[str]], Iterator[_Test]]


class _Object(NamedTuple):
    """An object of the file, and its place for error messages."""

    place: str
    fields: Mapping[str, Any]

    def error(self, what: str) -> CorpusError:
        """Return the error that names the place."""
        return CorpusError(f"{self.place}: {what}")

    def text(self, name: str) -> str:
        """Return a required text; raises CorpusError."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            kind = _kind_of(value) if name in self.fields else "missing"
            raise self.error(f"{name!r} is {kind}, not a text")
        return replace_surrogates(value)

    def optional(self, name: str) -> str | None:
        """Return a text, or None if it is missing or null."""
        return None if self.fields.get(name) is None else self.text(name)


def load_foreign(path: Path) -> Foreign:
    """Load a foreign corpus; raises CorpusError that names the file and the entry."""
    try:
        if path.is_file() and is_case_lines(path):
            return Foreign(load_lines(path), own=True, left_out={})
        source = path.read_bytes()
        content = json.loads(source.decode("utf-8-sig"))
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise CorpusError(f"{path}: nested too deeply") from None
    except ValueError as error:  # of JSON, or of UTF-8
        raise CorpusError(f"{path}: {error}") from None
    if isinstance(content, dict) and content.get("schema") == "urlvectors-1":
        return _load_vector_file(path, source)
    read = _reader_of(path, content)
    titles: dict[int, str] = {}
    left_out: Counter[str] = Counter()
    tests = list(read(path.name, content, titles, left_out))
    if not tests:
        raise CorpusError(f"{path}: no test in it can be asked{_reasons(left_out)}")
    return Foreign(_corpus(path, source, tests, titles), own=False, left_out=left_out)


def replace_surrogates(text: str) -> str:
    """Replace each lone surrogate by U+FFFD, as browsers do."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _reader_of(path: Path, content: object) -> _Reader:
    """Choose the reader by the names in the objects of the file."""
    if isinstance(content, list):
        names = set().union(*(entry for entry in content if isinstance(entry, dict)))
        if "input" in names:
            return _read_urls
        if {"schema", "tests"} <= names:
            return _read_formats
    raise CorpusError(
        f"{path}: neither a list of URLs ('input'), nor of format tests ('schema', 'tests'), nor urlvectors-1"
    )


def _read_urls(
    name: str, content: list[Any], titles: dict[int, str], _left_out: Counter[str]
) -> Iterator[_Test]:
    """Yield the tests of a list of URLs; the texts between them are headings of groups."""
    group, after_heading = 0, False
    for index, item in enumerate(content):
        place = f"{name}: entry {index}"
        if isinstance(item, str):
            group += not after_heading
            earlier = titles.get(group) if after_heading else ""
            titles[group] = " ".join(filter(None, (earlier, item.strip("# \n"))))
            after_heading = True
            continue
        after_heading = False
        if not isinstance(item, dict):
            raise CorpusError(f"{place}: {_kind_of(item)}, neither a heading nor an object")
        entry = _Object(place, item)
        comment = entry.optional("comment")
        statement = f"{name}, entry {index}" + (f": {comment}" if comment else "")
        for op, inputs, expect in _questions_on_url(entry):
            yield _Test(group, str(index), statement, op, inputs, expect)


def _questions_on_url(entry: _Object) -> Iterator[tuple[str, Mapping[str, Any], Expected]]:
    """Yield the questions of one entry: is it a URL, what does it resolve to, what are its parts."""
    text, base = entry.text("input"), entry.optional("base")
    failure = entry.fields.get("failure", False)
    if not isinstance(failure, bool):
        raise entry.error(f"'failure' is {_kind_of(failure)}, not true")
    alone = {"rule": "URI", "url": text}
    if failure:
        if "href" in entry.fields:
            raise entry.error("it has both 'href' and 'failure'")
        refused = Expected(valid=False)
        if base is None:
            yield "validate", alone, refused
        else:
            yield "resolve", {"base": base, "reference": text}, refused
        return
    href = entry.text("href")
    if base is None:
        yield "validate", alone, Expected(valid=True)
    yield "resolve", {"base": NO_BASE if base is None else base, "reference": text}, Expected(result=href)
    components = _components(entry)
    if components:
        yield "parse", {"url": text if base is None else href}, Expected(components=components)


def _components(entry: _Object) -> dict[str, Any]:
    """Return the parts of an entry under the names of RFC 3986; an empty part counts as absent."""
    found: dict[str, str | None] = {}
    for name, part, mark in _PARTS:
        if part in entry.fields:
            text = entry.text(part)
            found[name] = text.removesuffix(mark) if mark == ":" else text.removeprefix(mark)
    if "host" in entry.fields and "host" not in found:
        found["host"] = _PORT.sub("", entry.text("host"))
    if "username" in entry.fields or "password" in entry.fields:
        user, password = entry.optional("username") or "", entry.optional("password") or ""
        found["userinfo"] = f"{user}:{password}" if password else user
    # a path is never absent in RFC 3986
    return {name: value if value or name == "path" else None for name, value in found.items()}


def _read_formats(
    name: str, content: list[Any], titles: dict[int, str], left_out: Counter[str]
) -> Iterator[_Test]:
    """Yield the tests of a list of format tests: whether the rule of the format derives the text."""
    for index, item in enumerate(content):
        place = f"{name}: entry {index}"
        if not isinstance(item, dict):
            raise CorpusError(f"{place}: {_kind_of(item)}, not an object")
        group = _Object(place, item)
        titles[index + 1] = group.optional("description") or ""
        tests, schema = item.get("tests"), item.get("schema")
        if not isinstance(tests, list):
            raise group.error(f"'tests' is {_kind_of(tests)}, not a list")
        if not isinstance(schema, (dict, bool)):
            raise group.error(f"'schema' is {_kind_of(schema)}, not a schema")
        named = schema.get("format") if isinstance(schema, dict) else None
        rule = FORMATS.get(named) if isinstance(named, str) else None
        for number, fields in enumerate(tests):
            if not isinstance(fields, dict):
                raise CorpusError(f"{place}, test {number}: {_kind_of(fields)}, not an object")
            test = _Object(f"{place}, test {number}", fields)
            if "data" not in fields or not isinstance(fields.get("valid"), bool):
                raise test.error("it needs 'data', and a 'valid' that is true or false")
            if rule is None:
                reason = f"format {replace_surrogates(named)}" if isinstance(named, str) else "no format"
                left_out[reason] += 1
            elif not isinstance(fields["data"], str):
                left_out["no text"] += 1  # a format accepts whatever is no text
            else:
                statement = f"{name}, entry {index}: {test.optional('description') or f'test {number}'}"
                inputs = {"rule": rule, "url": test.text("data")}
                expect = Expected(valid=fields["valid"])
                yield _Test(index + 1, f"{index}.{number}", statement, "validate", inputs, expect)


def _corpus(path: Path, source: bytes, tests: Iterable[_Test], titles: Mapping[int, str]) -> Corpus:
    """Make a corpus of the tests: a section of each group, a requirement of each entry.

    The level `note` decides on no compliance; the binding `required` makes a gate possible.
    """
    stem, name = well_formed(path.stem), well_formed(path.name)
    requirements: dict[str, Requirement] = {}
    cases = []
    sections = {group: f"{stem}.{group}" if titles else stem for group in {test.group for test in tests}}
    for test in tests:
        source_id, section = f"{stem}-{test.entry}", sections[test.group]
        requirements[source_id] = Requirement(source_id, section, 0, "", "note", test.statement)
        fields = {
            "id": f"{source_id}-{test.op}",
            "requirement": source_id,
            "level": "note",
            "op": test.op,
            "binding": "required",
            "expect": test.expect,
        }
        vector = msgspec.convert({**fields, **test.inputs}, Vector)
        cases.append(Case(SPEC, section, vector, name))
    named: dict[tuple[str, str], str] = {
        (SPEC, section): well_formed(titles.get(group, "")) for group, section in sections.items()
    }
    return Corpus(tuple(cases), requirements, named, short_digest(source), name, {SPEC: len(cases)})


def _load_vector_file(path: Path, source: bytes) -> Foreign:
    """Load a vector file of our format; comments are the statements of requirements that we do not know."""
    try:
        content = msgspec.json.decode(source, type=VectorFile)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: {error}") from None
    installed, name = load_corpus(), well_formed(path.name)
    requirements = dict(installed.requirements)
    cases: dict[str, Case] = {}
    for vector in content.vectors:
        if vector.id in cases:
            raise CorpusError(f"{path}: {vector.id}: id already used")
        cases[vector.id] = Case(content.spec, content.section, vector, name)
        requirements.setdefault(vector.requirement, requirement_of(content.section, vector))
    titles = {(content.spec, content.section): content.title, **installed.titles}
    sizes: dict[Spec, int] = {content.spec: len(cases)}
    corpus = Corpus(tuple(cases.values()), requirements, titles, short_digest(source), name, sizes)
    return Foreign(corpus, own=True, left_out={})


def _kind_of(value: object) -> str:
    """Name the JSON type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
    return "an object"


def _reasons(left_out: Mapping[str, int]) -> str:
    counted = ", ".join(f"{count} of {reason}" for reason, count in sorted(left_out.items()))
    return f" (left out: {counted})" if counted else ""
