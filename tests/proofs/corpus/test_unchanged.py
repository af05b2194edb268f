"""Operations change nothing that no rule changes: `unchanged.json` names a vector for each such behaviour.

The table has a cell for each behaviour, operation and RFC: a required vector that a library fails
whose only fault is to change this one thing, or the reason why there is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from urlharness.adapters import reference
from urlharness.corpus.model import OPERATIONS, Case, Corpus, Operation
from urlharness.corpus.specifications import SPECS, Spec

from .planted.changes import CHANGES, answer
from .planted.judging import fails, present_fields


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One operation: a vector for each RFC, and by reason the RFCs that have none."""

    vectors: tuple[str, ...] = ()
    reasons: Mapping[str, tuple[Spec, ...]] = {}


class Behaviour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A property that operations keep; the id is that of the change in `CHANGES`."""

    id: str
    statement: str
    cells: Mapping[Operation, Row]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Operations that an RFC does not have, with the reason; reasons of cells by name; behaviours."""

    absent: Mapping[Spec, Mapping[Operation, str]]
    reasons: Mapping[str, str]
    behaviours: tuple[Behaviour, ...]


TABLE = msgspec.json.decode(Path(__file__).with_name("unchanged.json").read_bytes(), type=Table)
IDS = [behaviour.id for behaviour in TABLE.behaviours]


def misfilled_cells(table: Table) -> list[str]:
    """Return the cells that are empty, filled twice, or filled although the RFC has no such operation."""
    wrong = []
    for behaviour in table.behaviours:
        for operation in OPERATIONS:
            row = behaviour.cells.get(operation, Row())
            filled = Counter(id_.partition("-")[0] for id_ in row.vectors)
            filled.update(spec for specs in row.reasons.values() for spec in specs)
            offering = Counter(spec for spec in SPECS if operation not in table.absent.get(spec, {}))
            different = (filled - offering) + (offering - filled)
            wrong += [f"{behaviour.id}: {operation} of {spec}" for spec in different]
    return wrong


def expected(case: Case) -> Mapping[str, Any] | None:
    """Return the answer that a vector recommends as a reply; None if it has no text that could change."""
    recommended = case.vector.expect.alternatives[0]
    if recommended.valid is False:
        return {"status": "reject"}
    if recommended.kind == "valid" and case.vector.op == "validate":
        return {"status": "ok"}
    if recommended.kind in ("same_document", "valid"):
        return None
    name = "url" if recommended.kind == "result" else recommended.kind
    return {"status": "ok", name: msgspec.to_builtins(getattr(recommended, recommended.kind))}


def notices(case: Case, change: str) -> bool:
    """Return True if a library that makes the change fails the vector."""
    right = expected(case)
    if right is None:
        return False
    reply = answer(CHANGES[change], present_fields(case), right, reference.answer)
    return reply != right and fails(case, reply)


@pytest.fixture(scope="module")
def required_cases(corpus: Corpus) -> Mapping[str, Case]:
    """The required vectors that were written by hand, by id."""
    by_hand = (case for case in corpus.cases if not case.vector.origin)
    return {case.vector.id: case for case in by_hand if case.vector.binding == "required"}


def test_the_table_has_a_row_for_each_change_in_order():
    assert list(CHANGES) == IDS


def test_no_cell_is_empty_or_filled_twice():
    assert misfilled_cells(TABLE) == []


def test_an_operation_that_is_absent_has_no_vector(corpus):
    with_vectors = {(case.spec, case.vector.op) for case in corpus.cases}
    absent = set()
    for spec, operations in TABLE.absent.items():
        absent.update((spec, operation) for operation in operations)
    assert absent
    assert with_vectors & absent == set()


def test_every_reason_is_used():
    used = set()
    for behaviour in TABLE.behaviours:
        for row in behaviour.cells.values():
            used |= row.reasons.keys()
    assert used == TABLE.reasons.keys()


def test_every_reason_and_every_statement_is_a_sentence():
    texts = [*TABLE.reasons.values(), *(behaviour.statement for behaviour in TABLE.behaviours)]
    for reasons in TABLE.absent.values():
        texts += reasons.values()
    assert [text for text in texts if not re.fullmatch(r"[A-Z`].*\.", text)] == []


by_behaviour = pytest.mark.parametrize("behaviour", TABLE.behaviours, ids=IDS)


def named_vectors(behaviour: Behaviour) -> list[tuple[Operation, str]]:
    """Return the operation and the id of each vector that the table names for a behaviour."""
    return [(operation, id_) for operation, row in behaviour.cells.items() for id_ in row.vectors]


@by_behaviour
def test_the_vectors_named_for_a_behaviour_are_required(behaviour, required_cases):
    assert [id_ for _, id_ in named_vectors(behaviour) if id_ not in required_cases] == []


@by_behaviour
def test_the_vectors_named_for_a_behaviour_ask_for_the_operation_of_their_cell(behaviour, required_cases):
    vectors = named_vectors(behaviour)
    assert [id_ for operation, id_ in vectors if required_cases[id_].vector.op != operation] == []


@by_behaviour
def test_a_library_with_one_changed_behaviour_fails_the_vectors_named_for_it(behaviour, required_cases):
    vectors = named_vectors(behaviour)
    assert [id_ for _, id_ in vectors if not notices(required_cases[id_], behaviour.id)] == []


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
def test_no_reason_is_refuted(required_cases, step):
    """A vector in the list notices a change for which the table gives a reason: name it there instead.

    A verdict may show a change all the same, if the changed text is another one to the grammar.
    """
    changes_by_cell = excused_changes()
    assert changes_by_cell
    for case in list(required_cases.values())[::step]:
        for change in changes_by_cell[case.vector.op, case.spec]:
            assert not notices(case, change), (change, case.vector.id)


def excused_changes() -> Mapping[tuple[Operation, Spec], set[str]]:
    """Return the changes that no vector of an operation and RFC notices for another reason than `verdict`."""
    changes = defaultdict(set)
    for behaviour in TABLE.behaviours:
        for operation, row in behaviour.cells.items():
            for reason, specs in row.reasons.items():
                if reason != "verdict":
                    for spec in specs:
                        changes[operation, spec].add(behaviour.id)
    return changes
