"""Each kind of bug meets a vector in every operation and RFC to which it applies.

`kinds.json` has a cell for each kind, operation and RFC: the statements whose vectors would notice a
bug of the kind, or the reason why there is none. The kinds are those of bugs that earlier vectors noticed
under another RFC or operation only, or not at all.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from urlharness.adapters import reference
from urlharness.corpus.model import OPERATIONS, Case, Corpus, Operation
from urlharness.corpus.specifications import SPECS, Spec

from .planted.faults import Fault
from .planted.judging import fails, present_fields
from .planted.kinds import FAULTS

#: No statement of the table has more vectors than these.
MOST_VECTORS = 6


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One operation: statements, whose ids begin with their RFC, and by reason the RFCs that have none."""

    statements: tuple[str, ...] = ()
    reasons: Mapping[str, tuple[Spec, ...]] = {}


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of bug.

    `elsewhere` lists operations to which the kind does not apply in any RFC, by reason. `open` is true if
    rulings leave every answer open, so that no bug of the kind can fail.
    """

    id: str
    statement: str
    cells: Mapping[Operation, Row]
    elsewhere: Mapping[str, tuple[Operation, ...]] = {}
    open: bool = False


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Reasons of empty cells by name, and the kinds."""

    reasons: Mapping[str, str]
    kinds: tuple[Kind, ...]


class Absences(msgspec.Struct, frozen=True):
    """The part of `unchanged.json` that lists the operations that an RFC does not have."""

    absent: Mapping[Spec, Mapping[Operation, str]]


FOLDER = Path(__file__).parent
TABLE = msgspec.json.decode((FOLDER / "kinds.json").read_bytes(), type=Table)
ABSENT = msgspec.json.decode((FOLDER / "unchanged.json").read_bytes(), type=Absences).absent
IDS = [kind.id for kind in TABLE.kinds]

#: The kinds of which RFC 3987 has statements.
KINDS_OF_IRIS = [
    kind
    for kind in TABLE.kinds
    if any(id_.startswith("rfc3987-") for row in kind.cells.values() for id_ in row.statements)
]


def misfilled_cells(kind: Kind) -> list[str]:
    """Return the cells of a kind that are empty, have both statements and a reason, or should not exist."""
    wrong = []
    elsewhere = {operation for operations in kind.elsewhere.values() for operation in operations}
    for operation in OPERATIONS:
        row = kind.cells.get(operation, Row())
        with_statement = {id_.partition("-")[0] for id_ in row.statements}
        filled = Counter(with_statement)
        filled.update(spec for specs in row.reasons.values() for spec in specs)
        offering = Counter(spec for spec in SPECS if operation not in ABSENT.get(spec, {}))
        due = Counter() if operation in elsewhere else offering
        different = (filled - due) + (due - filled)
        wrong += [f"{kind.id}: {operation} of {spec}" for spec in different]
    return wrong


@pytest.fixture(scope="module")
def cases_by_statement(corpus: Corpus) -> Mapping[str, list[Case]]:
    """The vectors that people wrote, by the statement that they cite."""
    cases = defaultdict(list)
    for case in corpus.cases:
        if case.vector.origin is None:
            cases[case.vector.requirement].append(case)
    return cases


def statements(kind: Kind) -> list[tuple[Operation, str]]:
    """Return the operation and id of each statement of a kind."""
    return [(operation, id_) for operation, row in kind.cells.items() for id_ in row.statements]


@pytest.mark.parametrize("kind", TABLE.kinds, ids=IDS)
def test_every_cell_has_statements_or_one_reason(kind):
    assert misfilled_cells(kind) == []


@pytest.mark.parametrize("kind", TABLE.kinds, ids=IDS)
def test_every_statement_has_vectors_of_its_operation(kind, cases_by_statement):
    for operation, statement in statements(kind):
        operations = {case.vector.op for case in cases_by_statement[statement]}
        assert operation in operations, statement


@pytest.mark.parametrize("kind", TABLE.kinds, ids=IDS)
def test_no_statement_has_more_than_six_vectors(kind, cases_by_statement):
    counts = {id_: len(cases_by_statement[id_]) for _, id_ in statements(kind)}
    assert {id_: count for id_, count in counts.items() if count > MOST_VECTORS} == {}


def test_no_statement_is_named_twice():
    times_named = Counter()
    for kind in TABLE.kinds:
        times_named.update(statement for _, statement in statements(kind))
    assert [statement for statement, count in times_named.items() if count > 1] == []


def test_every_reason_is_used():
    used = set()
    for kind in TABLE.kinds:
        used |= kind.elsewhere.keys()
        for row in kind.cells.values():
            used |= row.reasons.keys()
    assert used == TABLE.reasons.keys()


def test_every_text_of_the_table_is_a_sentence():
    texts = [*TABLE.reasons.values(), *(kind.statement for kind in TABLE.kinds)]
    assert [text for text in texts if not re.fullmatch(r"[A-Z`].*\.", text)] == []


def test_every_kind_but_an_open_one_has_two_faults():
    due = {kind.id for kind in TABLE.kinds if not kind.open}
    assert {name for name, faults in FAULTS.items() if len(faults) >= 2} == due


@pytest.mark.parametrize(
    ("kind", "fault"),
    [(kind, fault) for kind, faults in FAULTS.items() for fault in faults],
)
def test_a_fault_of_a_kind_fails_a_vector_of_the_kind(kind, fault, cases_by_statement):
    assert next(failed_vectors(kind, FAULTS[kind][fault], cases_by_statement), None) is not None


def failed_vectors(
    id_of_kind: str, fault: Fault, cases_by_statement: Mapping[str, list[Case]]
) -> Iterator[str]:
    """Yield the vectors of a kind that a library with a fault fails."""
    [kind] = [kind for kind in TABLE.kinds if kind.id == id_of_kind]
    for operation, statement in statements(kind):
        if operation in fault.operations:
            yield from (case.vector.id for case in cases_by_statement[statement] if notices(case, fault))


def notices(case: Case, fault: Fault) -> bool:
    """Return True if a library with a fault fails a vector."""
    fields = present_fields(case)
    right = reference.answer(fields)
    return fails(case, fault.answer(fields, right, reference.answer))


@pytest.mark.parametrize("kind", KINDS_OF_IRIS, ids=[kind.id for kind in KINDS_OF_IRIS])
def test_a_fault_of_the_kind_fails_in_each_operation_on_iris(kind, cases_by_statement):
    assert operations_without_fault(kind, cases_by_statement) == []


def operations_without_fault(kind: Kind, cases_by_statement: Mapping[str, list[Case]]) -> list[Operation]:
    """Return the operations in which no fault of a kind fails a vector of RFC 3987."""
    unnoticed = []
    for operation, row in kind.cells.items():
        faults = [fault for fault in FAULTS[kind.id].values() if operation in fault.operations]
        on_iris = [statement for statement in row.statements if statement.startswith("rfc3987-")]
        cases = [case for statement in on_iris for case in cases_by_statement[statement]]
        if cases and not any(notices(case, fault) for fault in faults for case in cases):
            unnoticed.append(operation)
    return unnoticed


def test_a_kind_with_an_empty_cell_is_reported():
    [kind] = [kind for kind in TABLE.kinds if kind.id == "octets"]
    rows = {**kind.cells, "validate": Row(statements=kind.cells["validate"].statements[1:])}
    assert misfilled_cells(msgspec.structs.replace(kind, cells=rows)) == ["octets: validate of rfc1738"]
