"""The corpus notices the bugs of real libraries, each planted as a fault: a vector fails.

The files in `LISTS` list them; all but the first were complete before the corpus was asked. A bug that
escapes has `missing`, the kind of vector that would notice it, and a question that shows it; `escapes` says
whether it escapes the whole corpus or only its human-made vectors.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import pytest

from urlharness.adapters import reference
from urlharness.corpus.longtext import expanded
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.specifications import Spec
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question

#: The modules with the faults of the lists; those of `unchanged_faults.py` imitate no library.
MODULES = [
    import_module(f".{path.stem}", __package__)
    for path in sorted(Path(__file__).parent.glob("*_faults.py"))
    if path.stem != "unchanged_faults"
]
FAULTS = {
    bug: fault
    for module in MODULES
    for name, faults in vars(module).items()
    if name.endswith("_FAULTS")
    for bug, fault in faults.items()
}


class Bug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bug of a library: where it was reported, the section that it violates, and what the library did."""

    id: str
    origin: str
    spec: Spec
    section: str
    statement: str
    escapes: Literal["all", "human-made"] | None = None
    missing: str | None = None
    question: dict[str, Any] = {}


def _listed(name: str) -> list[Bug]:
    return msgspec.json.decode(Path(__file__).with_name(name).read_bytes(), type=list[Bug])


LISTS = {
    name: _listed(name)
    for name in (
        "library_bugs.json",
        "second_library_bugs.json",
        "third_library_bugs.json",
        "fourth_library_bugs.json",
        "fifth_library_bugs.json",
        "sixth_library_bugs.json",
        "seventh_library_bugs.json",
        "eighth_library_bugs.json",
        "ninth_library_bugs.json",
        "tenth_library_bugs.json",
        "eleventh_library_bugs.json",
    )
}
BUGS = [bug for bugs in LISTS.values() for bug in bugs]
ESCAPING = [bug for bug in BUGS if bug.escapes]


class Asked(NamedTuple):
    """A vector of which an answer can fail, its question, and the answer of the reference."""

    case: Case
    question: Mapping[str, Any]
    reply: Mapping[str, Any]


@pytest.fixture(scope="module")
def asked(corpus: Corpus) -> Mapping[tuple[str, str], list[Asked]]:
    found = defaultdict(list)
    for case in corpus.cases:
        if case.vector.binding in ("required", "permitted-set"):
            fields = msgspec.to_builtins(question(case))
            given = {name: value for name, value in fields.items() if value is not None}
            found[case.spec, case.vector.op].append(Asked(case, given, reference.answer(given)))
    return found


def failing(bug: Bug, asked: Mapping[tuple[str, str], list[Asked]]) -> Iterator[Case]:
    """The vectors that a library with the bug fails."""
    fault = FAULTS[bug.id]
    for operation in fault.operations:
        for case, given, right in asked[bug.spec, operation]:
            reply = fault.answer(given, right, reference.answer)
            if reply is not right:
                verdict = judge(case, msgspec.convert({**reply, "id": 0}, Reply), {"absent-vs-empty"})
                if verdict.outcome.failing:
                    yield case


def test_the_page_counts_the_bugs():
    page = (Path(__file__).parents[3] / "docs" / "adequacy.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (\d+) \| \d+ % \|$", page, re.MULTILINE)
    assert rows == [(name.partition("_")[0], str(len(bugs))) for name, bugs in list(LISTS.items())[1:]]


def test_every_bug_has_a_fault_and_an_origin(corpus: Corpus):
    assert [name for name, bugs in LISTS.items() if len(bugs) < 80] == []
    assert sorted(bug.id for bug in BUGS) == sorted(FAULTS)
    assert [bug.id for bug in BUGS if not (bug.origin and bug.statement.endswith("."))] == []
    sections = {(spec, section) for spec, section in corpus.titles}
    assert [bug.id for bug in BUGS if (bug.spec, bug.section) not in sections] == []


@pytest.mark.parametrize("bug", ESCAPING, ids=[bug.id for bug in ESCAPING])
def test_an_escaping_bug_changes_an_answer(bug):
    given = {"spec": bug.spec, **expanded(bug.question)}
    right = reference.answer(given)
    fault = FAULTS[bug.id]
    assert given["op"] in fault.operations
    assert fault.answer(given, right, reference.answer) != right


@pytest.mark.parametrize("name", LISTS)
def test_the_corpus_notices_the_other_bugs(asked, name):
    """A bug in `worse` escapes anew; one in `better` is noticed now: delete where it `escapes`."""
    found = {bug.id: _escapes(bug, asked) for bug in LISTS[name]}
    listed = {bug.id: bug.escapes for bug in LISTS[name]}
    rank = [None, "human-made", "all"]
    worse = {one: found[one] for one in found if rank.index(found[one]) > rank.index(listed[one])}
    better = {one: found[one] for one in found if rank.index(found[one]) < rank.index(listed[one])}
    assert worse == {}
    assert better == {}


def _escapes(bug: Bug, asked: Mapping[tuple[str, str], list[Asked]]) -> str | None:
    origins = {case.vector.origin for case in failing(bug, asked)}
    if not origins:
        return "all"
    return "human-made" if origins == {"mutant"} else None


def test_without_a_fault_nothing_fails(asked):
    """The control: the unchanged answers fail no vector, so each failure is due to a fault."""
    features = {"absent-vs-empty"}
    wrong = [
        case.vector.id
        for cases in asked.values()
        for case, _, right in cases
        if judge(case, msgspec.convert({**right, "id": 0}, Reply), features).outcome.failing
    ]
    assert wrong == []
