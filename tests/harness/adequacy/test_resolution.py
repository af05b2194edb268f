"""Mutants of resolution: enough of them, undone after use, and noticed by the worked examples."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from types import FunctionType

import pytest

from urlharness.adequacy import resolution
from urlharness.adequacy.mutants import edits
from urlharness.adequacy.resolution import (
    Pair,
    Target,
    count_noticed,
    examine_mutants,
    oracle_answer,
    oracle_function,
    pairs_for_witnesses,
)
from urlharness.corpus.specifications import SPECS

#: Worked examples of RFC 1808 section 5, RFC 2396 appendix C and RFC 3986 section 5.4.
EXAMPLES = {
    "g:h": "g:h", "./g": "http://a/b/c/g", "/g": "http://a/g", "//g": "http://g", "../g": "http://a/b/g",
    "..": "http://a/b/", "../../g": "http://a/g", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
    ".": "http://a/b/c/", "g?y#s": "http://a/b/c/g?y#s", "g;x?y#s": "http://a/b/c/g;x?y#s",
}  # fmt: skip
BASE = "http://a/b/c/d;p?q"


#: The RFCs with resolution functions that are changed.
RESOLVING = [spec for spec, facts in SPECS.items() if facts.resolution_functions]


def _examples():
    return [Pair(BASE, reference, frozenset((Target(text),))) for reference, text in EXAMPLES.items()]


@pytest.mark.parametrize("spec", RESOLVING)
def test_every_example_has_an_admissible_target(spec):
    examples = _examples()
    assert examples != []
    wrong_references = [
        example.reference
        for example in examples
        if oracle_answer(spec, example.base, example.reference) not in example.answers
    ]
    assert wrong_references == []


#: Paths of bases, each with the kinds of dot segments and slashes in it.
BASE_PATHS = ["", "/", "/b", "/b/", "/b/c", "/b/../c", "/./b/.", "/../b", "//b/c"]
#: Kinds of paths of references: whether they begin with a slash, and their last segments.
KINDS_OF_PATHS = set(product((False, True), ("", ".", "..", "x", "..y")))


@pytest.fixture(scope="module", params=RESOLVING)
def pairs(request):
    """The pairs with which witnesses of the mutants of an RFC are looked for."""
    return pairs_for_witnesses(request.param)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("base_path", BASE_PATHS)
def test_every_base_path_meets_paths_of_all_kinds(pairs, base_path):
    paths = [pair.reference for pair in pairs if pair.base == f"a://h{base_path}"]
    kinds = {(path.startswith("/"), path.rpartition("/")[2]) for path in paths}
    assert kinds >= KINDS_OF_PATHS


@pytest.fixture
def only_merge(monkeypatch):
    """The algorithm of RFC 3986 has only one function, and equivalent mutants pass the worked examples."""
    facts = replace(SPECS["rfc3986"], resolution_functions=("resolution.merge",))
    monkeypatch.setitem(SPECS, "rfc3986", facts)
    monkeypatch.setattr(resolution, "pairs_for_witnesses", lambda _: tuple(_examples()))


@pytest.mark.usefixtures("only_merge")
def test_the_worked_examples_notice_every_live_mutant():
    counted = count_noticed(examine_mutants("rfc3986", {"examples": _examples()}), ("examples",))
    assert counted.live > 0
    assert counted.killed == counted.live


@pytest.mark.usefixtures("only_merge")
@pytest.mark.parametrize("operator", ["off-by-one", "drop-operand", "other-end"])
def test_the_worked_examples_notice_a_mutant_of_each_kind(operator):
    mutants = examine_mutants("rfc3986", {"examples": _examples()})
    assert operator in {mutant.edit.operator for mutant in mutants if mutant.noticed}


@pytest.mark.usefixtures("only_merge")
def test_a_function_is_whole_again_after_its_mutants():
    original = oracle_function("resolution.merge").__code__
    for _ in examine_mutants("rfc3986", {"examples": _examples()}):
        pass
    assert oracle_function("resolution.merge").__code__ is original


@pytest.mark.usefixtures("only_merge")
def test_a_suite_that_asks_nothing_notices_nothing():
    counted = count_noticed(list(examine_mutants("rfc3986", {"nothing": []})), ("nothing",))
    assert counted.live > 0
    assert counted.killed == 0


def _consume(items):
    while items:
        items = items[1:]
    return items


#: The operators and lines of the mutants of this function that take the same items again and again.
ENDLESS_MUTANTS = [
    pytest.param("drop-statement", 2, id="without-its-step"),
    pytest.param("off-by-one", 3, id="from-0"),
]


@pytest.mark.parametrize(("operator", "line"), ENDLESS_MUTANTS)
def test_a_mutant_that_would_loop_for_ever_raises_an_error(operator, line):
    mutants = [edit for edit in edits(_consume) if (edit.operator, edit.line) == (operator, line)]
    first_mutant, *_ = mutants
    with pytest.raises(RuntimeError):
        FunctionType(first_mutant.code, globals())("abc")
