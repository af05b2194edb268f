"""The gate after an upgrade of the corpus: a planted library loses answers while one vector changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from urlharness.corpus.lock import CorpusIds
from urlharness.corpus.model import OPERATIONS, Case
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, canonical, parse_baseline
from urlharness.gate.findings import findings
from urlharness.gate.gate import decide
from urlharness.gate.update import create, update
from urlharness.protocol.messages import Implementation
from urlharness.results.model import Participant, Result, Results
from urlharness.results.verdict import Outcome

SPEC = "rfc3986"
LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=tuple(OPERATIONS), specs=(SPEC,))

#: The number of vectors of each operation in the corpus of the baseline.
SIZE = 9

#: The fields of a vector of each operation.
QUESTIONS: Mapping[str, Mapping[str, Any]] = {
    "validate": {},
    "parse": {"expect": {"components": {"scheme": "a"}}},
    "resolve": {"base": "a:b", "reference": "c", "expect": {"result": "a:c"}},
    "recompose": {"components": {"path": "b"}, "expect": {"result": "b"}},
    "normalize": {"expect": {"result": "a:b"}},
    "extract": {"text": "a:b", "expect": {"urls": []}},
    "equivalent": {"other": "a:b", "expect": {"equal": True}},
    "decode": {"expect": {"decoded": {"scheme": "a"}}},
    "base": {"retrieval": "a:b", "expect": {"base": "a:b"}},
}

#: How many of the answers to an operation the library loses.
SHARES: Mapping[str, int] = {"none": 0, "one answer": 1, "the first third": SIZE // 3, "all": SIZE}


class Upgrade(NamedTuple):
    """The difference between two corpora: one vector of the operation that the library loses.

    With `answered`, the library answers a vector that is new.
    """

    kind: str
    answered: bool = False


UPGRADES: Mapping[str, Upgrade] = {
    "added and answered": Upgrade("added", answered=True),
    "added and not answered": Upgrade("added"),
    "retired": Upgrade("retired"),
    "retired before the baseline": Upgrade("retired before"),
    "moved to another section": Upgrade("section"),
    "moved to another requirement": Upgrade("requirement"),
}

#: The exit code for each upgrade (row) and share of lost answers (column): the baseline lists its complete
#: answers.
LISTED: Mapping[str, tuple[int, int, int, int]] = {
    "added and answered": (0, 1, 1, 1),
    "added and not answered": (0, 1, 1, 1),
    "retired": (0, 1, 1, 1),
    "retired before the baseline": (0, 1, 1, 1),
    "moved to another section": (0, 1, 1, 1),
    "moved to another requirement": (0, 1, 1, 1),
}

#: The same for a baseline that only counts its answers. A new answer hides one that is lost.
COUNTED: Mapping[str, tuple[int, int, int, int]] = LISTED | {"added and answered": (0, 0, 1, 1)}

CELLS = [
    pytest.param(listed, op, lost, upgrade, code, id=f"{form}-{op}-{upgrade}-{lost}".replace(" ", "-"))
    for form, listed, table in (("listed", True, LISTED), ("counted", False, COUNTED))
    for op in OPERATIONS
    for upgrade, codes in table.items()
    for lost, code in zip(SHARES, codes, strict=True)
]


class Product(NamedTuple):
    """A planted library, its baseline, and its results with the next corpus."""

    baseline: Baseline
    results: Results
    known: CorpusIds

    @property
    def code(self) -> Exit:
        """The exit code of the gate."""
        return decide(self.results, ["lib"], baselines={"lib": self.baseline}, known=self.known).code


def corpus_ids(cases: Sequence[Case], removed: Collection[str] = ()) -> CorpusIds:
    """Return the ids of a corpus with some tombstones."""
    known = CorpusIds(case.vector.id for case in cases)
    known.removed = frozenset(removed)
    return known


def outcomes_of(cases: Sequence[Case], silent: Collection[str]) -> list[Result]:
    """Return a right answer to each case, except to those in `silent`, which are not answered."""
    outcome = {True: Outcome.UNSUPPORTED, False: Outcome.PASS}
    return [Result(case.vector.id, "lib", outcome[case.vector.id in silent]) for case in cases]


@pytest.fixture
def product(make_case, record) -> Callable[[str, int, Upgrade], Product]:
    """Make the product of an operation, a number of lost answers to it, and an upgrade of the corpus."""

    def make(op: str, lost: int, upgrade: Upgrade) -> Product:
        old = [
            make_case(f"{SPEC}-3.3-{name}-{number}", op=name, **fields)
            for name, fields in QUESTIONS.items()
            for number in range(SIZE)
        ]
        removed = [f"{SPEC}-3.3-{op}-before"] if upgrade.kind == "retired before" else []
        known = corpus_ids(old, removed)
        baseline = create(record(old, LIB, *outcomes_of(old, ())), LIB, [SPEC], known=known)

        last, added = f"{SPEC}-3.3-{op}-{SIZE - 1}", f"{SPEC}-3.3-{op}-added"
        lost_ids = [f"{SPEC}-3.3-{op}-{number}" for number in range(lost)]
        new = list(old)
        if upgrade.kind == "added":
            new.append(make_case(added, op=op, **QUESTIONS[op]))
        elif upgrade.kind == "retired":
            new = [case for case in old if case.vector.id != last]
            removed.append(last)
        elif upgrade.kind in ("section", "requirement"):
            new = [case for case in old if case.vector.id != last]
            moved = make_case(last, op=op, **QUESTIONS[op], requirement=f"{SPEC}-4-z")
            section = "4" if upgrade.kind == "section" else moved.section
            new.append(structs.replace(moved, section=section))
        silent = [*lost_ids] if upgrade.answered else [*lost_ids, added]
        results = record(new, LIB, *outcomes_of(new, silent))
        header = structs.replace(results.header, corpus="f" * 12)
        return Product(baseline, structs.replace(results, header=header), corpus_ids(new, removed))

    return make


def test_no_operation_is_missing():
    assert QUESTIONS.keys() == OPERATIONS.keys()
    assert LISTED.keys() == COUNTED.keys() == UPGRADES.keys()


@pytest.mark.parametrize(("listed", "op", "lost", "upgrade", "code"), CELLS)
def test_lost_answers_fail_with_the_next_corpus(product, listed, op, lost, upgrade, code):
    made = product(op, SHARES[lost], UPGRADES[upgrade])
    if not listed:
        made = made._replace(baseline=structs.replace(made.baseline, complete={}))
    assert made.code == code


@pytest.mark.parametrize("upgrade", UPGRADES)
@pytest.mark.parametrize("lost", SHARES)
def test_each_lost_answer_is_named(product, lost, upgrade):
    """A vector that the corpus has removed cannot be asked, so its answer is not lost."""
    made = product("parse", SHARES[lost], UPGRADES[upgrade])
    found = findings(made.baseline, made.results, "lib", known=made.known)
    there = SIZE - (upgrade == "retired")
    assert {finding.kind for finding in found} <= {"lost"}
    lost_ids = [f"{SPEC}-3.3-parse-{number}" for number in range(min(SHARES[lost], there))]
    assert [finding.id for finding in found] == lost_ids


@pytest.mark.parametrize("form", ["urlbaseline-1", "urlbaseline-2"])
def test_tombstones_from_before_the_baseline_excuse_nothing(product, form):
    """However many there are: the corpus still has a vector for each answer that the baseline counts."""
    made = product("base", SIZE, Upgrade("added"))
    made.known.removed = frozenset(f"{SPEC}-3.3-gone-{number}" for number in range(1000))
    old = structs.replace(made.baseline, schema=form, complete={})
    assert made._replace(baseline=old).code == Exit.FAILED


def test_a_part_of_an_rfc_shows_lost_answers_too(product):
    """A baseline that lists its answers needs no counts, which hold for the whole RFC."""
    made = product("parse", 1, Upgrade("added", answered=True))
    asked = {name: vector for name, vector in made.results.vectors.items() if "-parse-" in name}
    answers = {name: result for name, result in made.results.of("lib").items() if name in asked}
    part = structs.replace(made.results, vectors=asked, results={"lib": answers})
    found = findings(made.baseline, part, "lib", known=made.known)
    assert [(finding.kind, finding.id) for finding in found] == [("lost", f"{SPEC}-3.3-parse-0")]


@pytest.mark.parametrize("only_shrink", [False, True], ids=["update", "only-shrink"])
@pytest.mark.parametrize("listed", [True, False], ids=["listed", "counted"])
@pytest.mark.parametrize("upgrade", UPGRADES)
def test_an_update_fits_the_next_corpus(product, upgrade, listed, only_shrink):
    """Nothing is lost, so the update of the baseline passes and lists each complete answer."""
    made = product("resolve", 0, UPGRADES[upgrade])
    baseline = made.baseline if listed else structs.replace(made.baseline, complete={})
    updated = update(baseline, made.results, LIB, known=made.known, only_shrink=only_shrink).baseline
    assert findings(updated, made.results, "lib", known=made.known) == []
    assert updated.corpus == "f" * 12
    complete = {name for names in updated.complete[SPEC].values() for name in names}
    answers = made.results.of("lib").items()
    assert complete == {name for name, result in answers if result.outcome.complete}
    counts = {op: len(names) for op, names in updated.complete[SPEC].items()}
    assert updated.answered == {SPEC: counts}


@pytest.mark.parametrize("upgrade", UPGRADES)
def test_only_shrink_does_not_accept_a_loss(product, upgrade):
    made = product("decode", 3, UPGRADES[upgrade])
    shrunk = update(made.baseline, made.results, LIB, known=made.known, only_shrink=True)
    assert len(shrunk.left) == 3
    assert made._replace(baseline=shrunk.baseline).code == Exit.FAILED


def test_only_shrink_locks_no_answer_that_may_be_new(product):
    """The baseline only counts: of two vectors without an answer, it does not know which one is new."""
    made = product("decode", 1, Upgrade("added"))
    old = structs.replace(made.baseline, complete={})
    shrunk = update(old, made.results, LIB, known=made.known, only_shrink=True)
    assert len(shrunk.left) == 2
    assert shrunk.baseline.complete == {}
    assert shrunk.baseline.corpus == old.corpus


@pytest.mark.parametrize("upgrade", UPGRADES)
def test_an_update_accepts_a_loss(product, upgrade):
    made = product("decode", 3, UPGRADES[upgrade])
    updated = update(made.baseline, made.results, LIB, known=made.known).baseline
    assert made._replace(baseline=updated).code == Exit.PASSED
    assert parse_baseline(canonical(updated).encode(), "b.json") == updated
