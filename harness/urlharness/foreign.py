"""A foreign corpus as cases: a file of someone else's tests, with that file's own expectations.

Four shapes are told apart by what is in them: lists of URLs with the parts that browsers give them, lists
of tests of a JSON Schema format, and cases of our own that lie somewhere else, as a vector file or as JSON
Lines.  The questions of the first two are put as questions of RFC 3986; the answers are the file's, so no
case counts for an RFC.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlharness.case_lines import is_case_lines, load_lines
from urlharness.corpus import Case, Corpus, CorpusError, Requirement, Spec, Vector, VectorFile
from urlharness.corpus import load as load_corpus
from urlharness.foreign_shapes import Question, read_formats, read_urls
from urlharness.protocol import well_formed

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
