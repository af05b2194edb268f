"""Mutants that verdicts or components notice, equivalent mutants, and comparison of split tables."""

from __future__ import annotations

from itertools import product

import pytest

from urlauthor.adequacy.kill import ALIKE, Bench, canonical_table, split_difference, split_language
from urlauthor.adequacy.subjects import Mutant, Subject
from urlauthor.adequacy.suites import AskedText
from urloracle.automata.split_table import build_split_table
from urloracle.grammar.expression import Alternation, Capture, Characters, Reference, Repetition, Sequence
from urloracle.rfcs import specification
from urloracle.splitting import split_table

NEWS = Subject(specification("rfc1738"), "newsurl")


def _bench(*texts, subject=NEWS):
    rule = subject.rule
    return Bench(subject, {"core": [AskedText(rule, *text) for text in texts]}, ())


def _letters(*rules):
    return Alternation(tuple(map(Reference, rules)))


# what changes, and the texts of a core that notices; RFC 1738, section 5
CHANGES = {
    "asterisk-dropped": ({"grouppart": _letters("group", "article")}, ("news:*", True)),
    "slash-for-at": (
        {"article": Sequence((Reference("uchar"), Characters(frozenset("/")), Reference("host")))},
        ("news:a@b", True),
    ),
    "digit-forgotten": ({"alpha": Reference("lowalpha")}, ("news:A", True)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_verdict_on_a_text_notices_a_changed_rule(name):
    changes, text = CHANGES[name]
    result = _bench(text).examine(changes)
    assert result.witness is not None
    assert "core" in result.noticed
    assert "core" not in _bench(("news:aa", True)).examine(changes).noticed


def _intruders(rule):
    """The mutants that add a character to the only class of a rule, by character."""
    return {
        mutant.character: mutant
        for mutant in NEWS.mutants
        if (mutant.rule, mutant.operator, mutant.place) == (rule, "add-character", ())
    }


def test_characters_of_one_kind_are_alike_for_a_mutant():
    """RFC 1738 section 5: a hex digit is neither `|` nor a backslash, which no URL has, nor `/` or `g`."""
    kinds = {char: NEWS.kind(mutant) for char, mutant in _intruders("hex").items()}
    assert kinds["|"] == kinds["\\"]
    assert kinds["g"] == kinds["Z"]
    assert len({kinds[char] for char in "|/g!"}) == 4
    assert NEWS.kind(Mutant("host", "drop-element", Reference("hostname"))) is None


def test_the_core_notices_alike_mutants_together():
    """But each of them for itself only if a text shows it."""
    mutants = _intruders("hex")
    bench = _bench(("news:a@a%0|", False), ("news:%0|@a", False))
    noticed = {char: bench.examine_mutant(mutants[char]).noticed for char in "|\\g"}
    assert noticed == {"|": {"core", ALIKE}, "\\": {ALIKE}, "g": set()}


def test_a_mutant_with_the_same_language_is_equivalent():
    """RFC 1738 section 5: a digit is a hex digit already."""
    hexes = NEWS.grammar.character_class(Reference("hex"))
    assert _bench().examine({"hex": Characters(hexes)}).witness is None


def test_a_mutant_is_a_change_of_one_rule():
    assert Mutant("host", "drop-element", Reference("hostname")).changes == {"host": Reference("hostname")}


A, B = Characters(frozenset("a")), Characters(frozenset("b"))
AB = Characters(frozenset("ab"))


def _many(item):
    return Repetition(item, 0, None)


def _pair(left, right):
    return build_split_table(("one", "two"), Sequence((Capture("one", left), Capture("two", right))))


# two expressions of one language, and whether they split every text alike
TABLES = {
    "same": (_pair(_many(A), _many(B)), _pair(_many(A), _many(B)), True),
    "same-otherwise-written": (_pair(_many(A), B), _pair(_many(A), Alternation((B, B))), True),
    "greedy-first": (_pair(_many(AB), _many(B)), _pair(_many(A), _many(AB)), False),
    "absent-or-empty": (
        build_split_table(("one", "two"), Sequence((A, Capture("one", _many(B)), Capture("two", _many(A))))),
        build_split_table(
            ("one", "two"),
            Sequence((A, Repetition(Capture("one", Repetition(B, 1, None)), 0, 1), Capture("two", _many(A)))),
        ),
        False,
    ),
    "begins-one-later": (
        build_split_table(("one",), Sequence((Capture("one", Sequence((A, _many(B)))),))),
        build_split_table(("one",), Sequence((A, Capture("one", _many(B))))),
        False,
    ),
}


def _brute(left, right, longest=5):
    for length in range(longest + 1):
        for letters in product("abc", repeat=length):
            text = "".join(letters)
            if left.split(text) != right.split(text):
                return text
    return None


@pytest.mark.parametrize("name", TABLES)
def test_split_difference_finds_a_text_that_two_tables_split_differently(name):
    left, right, alike = TABLES[name]
    difference = split_difference(left, right)
    expected = _brute(left, right)
    assert (difference is None) == alike == (expected is None)
    if difference is not None:
        assert left.split(difference) != right.split(difference)
        assert len(difference) == len(expected)


@pytest.mark.parametrize("name", TABLES)
def test_equal_canonical_tables_are_equal(name):
    left, right, alike = TABLES[name]
    assert alike or canonical_table(left) != canonical_table(right)
    assert canonical_table(left) == canonical_table(left)


@pytest.mark.parametrize(("spec", "rule"), [("rfc1738", "ftpurl"), ("rfc1808", "URL")])
def test_a_split_table_does_not_differ_from_itself(spec, rule):
    table = split_table(spec, rule)
    assert split_difference(table, table) is None
    assert split_language(table).accepts("ftp://a/b") == (table.split("ftp://a/b") is not None)
