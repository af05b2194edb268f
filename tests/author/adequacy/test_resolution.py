"""Mutants of resolution: enough of them, undone after use, and noticed by the worked examples."""

from __future__ import annotations

import pytest

from urlauthor.adequacy import resolution
from urlauthor.adequacy.mutants import edits
from urlauthor.adequacy.resolution import ALGORITHMS, Pair, Target, answer, count_noticed, mutate

#: Worked examples of RFC 1808 section 5, RFC 2396 appendix C and RFC 3986 section 5.4.
EXAMPLES = {
    "g:h": "g:h", "./g": "http://a/b/c/g", "/g": "http://a/g", "//g": "http://g", "../g": "http://a/b/g",
    "..": "http://a/b/", "../../g": "http://a/g", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
    ".": "http://a/b/c/", "g?y#s": "http://a/b/c/g?y#s", "g;x?y#s": "http://a/b/c/g;x?y#s",
}  # fmt: skip
BASE = "http://a/b/c/d;p?q"


def _examples():
    return [Pair(BASE, reference, frozenset((Target(text),))) for reference, text in EXAMPLES.items()]


@pytest.mark.parametrize("spec", ALGORITHMS)
def test_every_example_has_an_admissible_target(spec):
    assert all(answer(spec, example.base, example.reference) in example.answers for example in _examples())


def test_mutants_are_noticed_and_undone(monkeypatch):
    """The worked examples notice the mutants of one function, which is whole again afterwards."""
    monkeypatch.setitem(ALGORITHMS, "rfc3986", ("resolution.merge",))
    monkeypatch.setattr(resolution, "product_of", lambda _: tuple(_examples()))
    before = resolution._function("resolution.merge").__code__
    mutants = list(mutate("rfc3986", {"examples": _examples()}))
    assert resolution._function("resolution.merge").__code__ is before
    counted = count_noticed(mutants, ("examples",))
    assert counted.killed == counted.live > 8
    kinds = {step.edit.operator for step in mutants if step.noticed}
    assert {"off-by-one", "drop-operand", "other-end"} <= kinds


def test_a_suite_that_asks_nothing_notices_nothing(monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "rfc3986", ("resolution.merge",))
    monkeypatch.setattr(resolution, "product_of", lambda _: tuple(_examples()))
    counted = count_noticed(list(mutate("rfc3986", {"nothing": []})), ("nothing",))
    assert counted.killed == 0 < counted.live


def _endless(items):
    while items:
        items = items[1:]
    return items


def test_every_mutant_of_a_loop_terminates():
    """Every mutant of a loop terminates."""
    for edit in edits(_endless):
        original, _endless.__code__ = _endless.__code__, edit.code
        try:
            _endless("abc")
        except (RuntimeError, TypeError, UnboundLocalError):
            pass
        finally:
            _endless.__code__ = original
    assert _endless("abc") == ""
