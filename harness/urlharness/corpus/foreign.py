"""Corpora of other projects as cases."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.jsonl import is_case_lines, load_lines
from urlharness.corpus.loader import load as load_corpus
from urlharness.corpus.model import Case, Corpus, CorpusError, Expected, Requirement, Spec, Vector, VectorFile
from urlharness.text import well_formed

# -------------------- foreign_shapes: The two foreign shapes: lists of URLs with the parts that browsers give them, and tests of a format.


#: What a parser is given for no base by tools that always need one.
NO_BASE = "about:blank"


#: JSON Schema formats by the rule of RFC 3986 that they name.
FORMATS = {"uri": "URI", "uri-reference": "URI-reference"}


_SURROGATE = re.compile("[\ud800-\udfff]")


_PORT = re.compile(":[0-9]*$")


#: Names of RFC 3986 by the part that browsers have, and the delimiter that they count to it.
_PARTS = (
    ("scheme", "protocol", ":"),
    ("host", "hostname", ""),
    ("port", "port", ""),
    ("path", "pathname", ""),
    ("query", "search", "?"),
    ("fragment", "hash", "#"),
)


class Question(NamedTuple):
    """A case before it has its id: where it stands in the file, and what it asks and expects."""

    group: int
    entry: str
    statement: str
    op: str
    inputs: Mapping[str, Any]
    expect: Expected


class Entry(NamedTuple):
    """An object of the file with its place in it; what is wrong with it is raised by name."""

    place: str
    fields: Mapping[str, Any]

    def wrong(self, what: str) -> CorpusError:
        """The error that names the entry."""
        return CorpusError(f"{self.place}: {what}")

    def text(self, name: str) -> str:
        """A field that has to be a text."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise self.wrong(
                f"{name!r} is {kind_of(value) if name in self.fields else 'missing'}, not a text"
            )
        return scalar(value)

    def optional(self, name: str) -> str | None:
        """A field that may be missing or null."""
        return None if self.fields.get(name) is None else self.text(name)


def read_urls(
    name: str, content: list[Any], titles: dict[int, str], _left_out: Counter[str]
) -> Iterator[Question]:
    """The questions of URLs with the parts that browsers give them; texts between them are headings."""
    group, headed = 0, False
    for index, item in enumerate(content):
        place = f"{name}: entry {index}"
        if isinstance(item, str):
            group += not headed
            titles[group] = " ".join(filter(None, (titles.get(group) if headed else "", item.strip("# \n"))))
            headed = True
            continue
        headed = False
        if not isinstance(item, dict):
            raise CorpusError(f"{place}: {kind_of(item)}, neither a heading nor an object")
        entry = Entry(place, item)
        comment = entry.optional("comment")
        statement = f"{name}, entry {index}" + (f": {comment}" if comment else "")
        for op, inputs, expect in _of_url(entry):
            yield Question(group, str(index), statement, op, inputs, expect)


def _of_url(entry: Entry) -> Iterator[tuple[str, Mapping[str, Any], Expected]]:
    """What one URL asks: is it one, what does it come to, what are the parts of that."""
    text, base = entry.text("input"), entry.optional("base")
    failure = entry.fields.get("failure", False)
    if not isinstance(failure, bool):
        raise entry.wrong(f"'failure' is {kind_of(failure)}, not true")
    alone = {"rule": "URI", "url": text}
    if failure:
        if "href" in entry.fields:
            raise entry.wrong("it has both 'href' and 'failure'")
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


def _components(entry: Entry) -> dict[str, Any]:
    """The parts that the entry has, under the names of RFC 3986; an empty part counts as absent."""
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


def read_formats(
    name: str, content: list[Any], titles: dict[int, str], left_out: Counter[str]
) -> Iterator[Question]:
    """The questions of tests of a format: whether the rule that it names derives the text."""
    for index, item in enumerate(content):
        place = f"{name}: entry {index}"
        if not isinstance(item, dict):
            raise CorpusError(f"{place}: {kind_of(item)}, not an object")
        group = Entry(place, item)
        titles[index + 1] = group.optional("description") or ""
        tests, schema = item.get("tests"), item.get("schema")
        if not isinstance(tests, list):
            raise group.wrong(f"'tests' is {kind_of(tests)}, not a list")
        if not isinstance(schema, (dict, bool)):
            raise group.wrong(f"'schema' is {kind_of(schema)}, not a schema")
        named = schema.get("format") if isinstance(schema, dict) else None
        rule = FORMATS.get(named) if isinstance(named, str) else None
        for number, found in enumerate(tests):
            if not isinstance(found, dict):
                raise CorpusError(f"{place}, test {number}: {kind_of(found)}, not an object")
            test = Entry(f"{place}, test {number}", found)
            if "data" not in found or not isinstance(found.get("valid"), bool):
                raise test.wrong("it needs 'data', and a 'valid' that is true or false")
            if rule is None:
                left_out[f"format {scalar(named)}" if isinstance(named, str) else "no format"] += 1
            elif not isinstance(found["data"], str):
                left_out["no text"] += 1  # a format says nothing of what is no text
            else:
                said = test.optional("description") or f"test {number}"
                yield Question(
                    index + 1,
                    f"{index}.{number}",
                    f"{name}, entry {index}: {said}",
                    "validate",
                    {"rule": rule, "url": test.text("data")},
                    Expected(valid=found["valid"]),
                )


def scalar(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which is what the interface of browsers makes of it."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def kind_of(value: object) -> str:
    """The JSON type of a value, for a message."""
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


# -------------------- foreign: A foreign corpus as cases: a file of someone else's tests, with that file's own expectations.


#: The specification whose questions a foreign corpus is put as.
SPEC: Spec = "rfc3986"


class Foreign(NamedTuple):
    """A foreign corpus: its cases, whether they are vectors of our own, and what is left out, by reason."""

    corpus: Corpus
    own: bool
    left_out: Mapping[str, int]

    @property
    def blind(self) -> tuple[str, ...]:
        """Features that no verdict counts on: browsers do not tell an empty part from an absent one."""
        return () if self.own else ("absent-vs-empty",)

    @property
    def specs(self) -> tuple[str, ...]:
        """What a named adapter is gated on, whatever it claims; empty for what it claims."""
        return () if self.own else (SPEC,)

    @property
    def says(self) -> str:
        """What a reader of the report has to know; empty where it is a corpus like ours."""
        if self.own:
            return ""
        return f"{self.corpus.version}: its own expectations, no RFC's{_reasons(self.left_out)}"


def load(path: Path) -> Foreign:
    """The foreign corpus in a file; raises CorpusError that names the file and the entry."""
    try:
        if path.is_file() and is_case_lines(path):
            return Foreign(load_lines(path), own=True, left_out={})
        octets = path.read_bytes()
        content = json.loads(octets.decode("utf-8-sig"))
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise CorpusError(f"{path}: nested too deeply") from None
    except ValueError as error:  # of JSON, or of UTF-8
        raise CorpusError(f"{path}: {error}") from None
    if isinstance(content, dict) and content.get("schema") == "urlvectors-1":
        return _own(path, octets)
    read = _reader(path, content)
    titles: dict[int, str] = {}
    left_out: Counter[str] = Counter()
    questions = list(read(path.name, content, titles, left_out))
    if not questions:
        raise CorpusError(f"{path}: nothing in it can be asked{_reasons(left_out)}")
    return Foreign(_corpus(path, octets, questions, titles), own=False, left_out=left_out)


_Reader = Callable[[str, list[Any], dict[int, str], Counter[str]], Iterator[Question]]


def _reader(path: Path, content: object) -> _Reader:
    """The reader of the shape that the names of its objects tell."""
    if isinstance(content, list):
        names = set().union(*(entry for entry in content if isinstance(entry, dict)))
        if "input" in names:
            return read_urls
        if {"schema", "tests"} <= names:
            return read_formats
    raise CorpusError(
        f"{path}: neither a list of URLs ('input'), nor of format tests ('schema', 'tests'), nor urlvectors-1"
    )


def _corpus(path: Path, octets: bytes, questions: Iterable[Question], titles: Mapping[int, str]) -> Corpus:
    """The questions as a corpus: a section for each group, a requirement for each entry.

    The level `note` decides on no compliance; `required` is what the file asks for, so that a gate can be
    built on it.
    """
    stem = well_formed(path.stem)
    requirements, cases = {}, []
    sections = {group: f"{stem}.{group}" if titles else stem for group in {q.group for q in questions}}
    for asked in questions:
        source, section = f"{stem}-{asked.entry}", sections[asked.group]
        requirements[source] = Requirement(source, section, 0, "", "note", asked.statement)
        vector = msgspec.convert(
            {
                "id": f"{source}-{asked.op}",
                "requirement": source,
                "level": "note",
                "op": asked.op,
                "binding": "required",
                "expect": asked.expect,
                **asked.inputs,
            },
            Vector,
        )
        cases.append(Case(SPEC, section, vector, well_formed(path.name)))
    named: dict[tuple[str, str], str] = {
        (SPEC, section): well_formed(titles.get(group, "")) for group, section in sections.items()
    }
    sizes = {SPEC: len(cases)}
    return Corpus(tuple(cases), requirements, named, _digest(octets), well_formed(path.name), sizes)


def _own(path: Path, octets: bytes) -> Foreign:
    """A vector file of our own format; a requirement that our catalogues lack is made up from its comment."""
    try:
        content = msgspec.json.decode(octets, type=VectorFile)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: {error}") from None
    catalogue = load_corpus()
    requirements = dict(catalogue.requirements)
    cases: dict[str, Case] = {}
    for vector in content.vectors:
        if vector.id in cases:
            raise CorpusError(f"{path}: {vector.id}: id already used")
        cases[vector.id] = Case(content.spec, content.section, vector, well_formed(path.name))
        requirements.setdefault(
            vector.requirement,
            Requirement(
                vector.requirement, content.section, 0, "", vector.level, vector.comment or vector.id
            ),
        )
    titles = {**catalogue.titles}
    titles.setdefault((content.spec, content.section), content.title)
    sizes: dict[Spec, int] = {content.spec: len(cases)}
    name = well_formed(path.name)
    corpus = Corpus(tuple(cases.values()), requirements, titles, _digest(octets), name, sizes)
    return Foreign(corpus, own=True, left_out={})


def _digest(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()[:12]


def _reasons(left_out: Mapping[str, int]) -> str:
    counted = ", ".join(f"{count} of {reason}" for reason, count in sorted(left_out.items()))
    return f" (left out: {counted})" if counted else ""
