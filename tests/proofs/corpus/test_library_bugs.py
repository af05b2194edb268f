"""The corpus notices the bugs of real libraries, each planted as a fault: a vector fails.

`planted/bugs.json` lists them, each with the fault that it is; libraries may share a fault. The bugs were
collected in nineteen lists, of which all but the first were complete before the corpus was asked. A bug that
escapes has `missing`, the kind of vector that would notice it, and a question that shows it; `escapes` says
whether it escapes the whole corpus or only its human-made vectors.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import pytest

from urlharness.adapters import reference
from urlharness.corpus.longtext import expanded
from urlharness.corpus.model import Case, Corpus, Operation
from urlharness.corpus.specifications import Spec

from .planted.faults import Fault
from .planted.judging import fails, present_fields
from .planted.tables import FAULTS


class Bug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bug of a library: where it was reported, the section that it violates, and what the library did."""

    id: str
    origin: str
    #: The fault that the bug is, in the table of the operation.
    operation: Operation
    fault: str
    spec: Spec
    section: str
    statement: str
    #: The number of the list in which the bug was collected.
    list: int
    escapes: Literal["all", "human-made"] | None = None
    missing: str | None = None
    question: dict[str, Any] = {}


BUGS = msgspec.json.decode(
    (Path(__file__).parent / "planted" / "bugs.json").read_bytes(), type=tuple[Bug, ...]
)
ESCAPING = [bug for bug in BUGS if bug.escapes]


def fault_of(bug: Bug) -> Fault:
    """Return the fault that a bug is."""
    return FAULTS[bug.operation][bug.fault]


class Asked(NamedTuple):
    """A vector of which an answer can fail, its question, and the answer of the reference."""

    case: Case
    question: Mapping[str, Any]
    reply: Mapping[str, Any]


@pytest.fixture(scope="module")
def asked_vectors(corpus: Corpus) -> Mapping[tuple[str, str], list[Asked]]:
    """The vectors of each RFC and operation."""
    vectors = defaultdict(list)
    for case in corpus.cases:
        if case.vector.binding in ("required", "permitted-set"):
            fields = present_fields(case)
            vectors[case.spec, case.vector.op].append(Asked(case, fields, reference.answer(fields)))
    return vectors


def failing(fault: Fault, spec: Spec, asked_vectors: Mapping[tuple[str, str], list[Asked]]) -> Iterator[Case]:
    """Yield the vectors that a library with the fault fails."""
    for operation in fault.operations:
        for vector in asked_vectors[spec, operation]:
            reply = fault.answer(vector.question, vector.reply, reference.answer)
            if reply is not vector.reply and fails(vector.case, reply):
                yield vector.case


def test_the_page_counts_the_bugs():
    page = (Path(__file__).parents[3] / "docs" / "adequacy.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| \d+ % \|$", page, re.MULTILINE)
    counts = Counter(bug.list for bug in BUGS)
    del counts[1]  # the list that was not complete before the corpus was asked
    assert {int(number): int(count) for number, count in rows} == counts


#: The number of the lists, and of the bugs in the shortest of them.
LISTS = 19
FEWEST_BUGS = 21


def test_the_lists_are_numbered():
    assert {bug.list for bug in BUGS} == set(range(1, LISTS + 1))


def test_every_list_has_many_bugs():
    assert min(Counter(bug.list for bug in BUGS).values()) >= FEWEST_BUGS


def test_every_bug_has_an_id_of_its_own():
    assert [id_ for id_, count in Counter(bug.id for bug in BUGS).items() if count > 1] == []


def test_every_bug_has_an_origin_and_a_sentence():
    assert [bug.id for bug in BUGS if not (bug.origin and bug.statement.endswith("."))] == []


def test_every_section_of_a_bug_exists(corpus: Corpus):
    sections = {(spec, section) for spec, section in corpus.titles}
    assert [bug.id for bug in BUGS if (bug.spec, bug.section) not in sections] == []


def test_every_fault_is_that_of_a_bug():
    faults_of_tables = set()
    for operation, faults in FAULTS.items():
        faults_of_tables.update((operation, name) for name in faults)
    assert {(bug.operation, bug.fault) for bug in BUGS} == faults_of_tables


def test_every_fault_affects_the_operation_of_its_table():
    misplaced = []
    for operation, faults in FAULTS.items():
        misplaced += [name for name, fault in faults.items() if operation not in fault.operations]
    assert misplaced == []


@pytest.mark.parametrize("bug", ESCAPING, ids=[bug.id for bug in ESCAPING])
def test_an_escaping_bug_changes_an_answer(bug):
    fields = {"spec": bug.spec, **expanded(bug.question)}
    right = reference.answer(fields)
    fault = fault_of(bug)
    assert fields["op"] in fault.operations
    assert fault.answer(fields, right, reference.answer) != right


@pytest.fixture(scope="module")
def escapes(asked_vectors):
    """Return a function that returns what part of the corpus a bug escapes.

    Bugs that are the same fault are looked for once.
    """

    @cache
    def escapes_of_fault(operation: Operation, fault: str, spec: Spec) -> str | None:
        escaped = "all"
        for case in failing(FAULTS[operation][fault], spec, asked_vectors):
            if case.vector.origin != "mutant":
                return None  # the other vectors change nothing
            escaped = "human-made"
        return escaped

    return lambda bug: escapes_of_fault(bug.operation, bug.fault, bug.spec)


@pytest.mark.parametrize("operation", FAULTS)
def test_each_bug_escapes_what_its_entry_says(escapes, operation):
    """A bug that the corpus notices now escapes nothing: delete `escapes` from its entry."""
    bugs = [bug for bug in BUGS if bug.operation == operation]
    assert {bug.id: escapes(bug) for bug in bugs} == {bug.id: bug.escapes for bug in bugs}


def test_without_a_fault_nothing_fails(asked_vectors):
    """The control: the unchanged answers fail no vector, so each failure is due to a fault."""
    for vector in chain.from_iterable(asked_vectors.values()):
        assert not fails(vector.case, vector.reply), vector.case.vector.id
