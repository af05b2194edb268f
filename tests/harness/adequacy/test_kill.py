"""Mutants that verdicts or components notice, equivalent mutants, and comparison of split tables."""

from __future__ import annotations

import dataclasses
from itertools import combinations, product

import pytest

from urlharness.adequacy.kill import ALIKE, Bench, canonical_table, split_difference, split_language
from urlharness.adequacy.subjects import Mutant, Subject
from urlharness.adequacy.suites import AskedText
from urloracle.automata.dfa import SINK
from urloracle.automata.split_table import DISCARD, END, build_split_table
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
def test_a_core_notices_a_changed_rule_by_the_verdict_on_a_text(name):
    changes, text = CHANGES[name]
    assert "core" in _bench(text).examine(changes).noticed


@pytest.mark.parametrize("name", CHANGES)
def test_a_core_without_a_text_of_the_change_does_not_notice_a_changed_rule(name):
    changes, _ = CHANGES[name]
    assert "core" not in _bench(("news:aa", True)).examine(changes).noticed


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_rule_with_another_language_has_a_witness(name):
    changes, _ = CHANGES[name]
    assert _bench().examine(changes).witness is not None


@pytest.mark.parametrize(
    "text", [pytest.param("news:*", id="by-the-first"), pytest.param("news:A", id="by-the-second")]
)
def test_a_core_notices_a_pair_of_mutants_by_each_of_its_changes(text):
    first = Mutant("grouppart", "drop-alternative", _letters("group", "article"))
    second = Mutant("alpha", "drop-alternative", Reference("lowalpha"))
    assert "core" in _bench((text, True)).examine_pair(first, second).noticed


def _intruders(rule):
    """The mutants that add a character to the only class of a rule, by character."""
    return {
        mutant.character: mutant
        for mutant in NEWS.mutants
        if (mutant.rule, mutant.operator, mutant.place) == (rule, "add-character", ())
    }


@pytest.mark.parametrize(
    ("left", "right"),
    [pytest.param("|", "\\", id="in-no-url"), pytest.param("g", "Z", id="letters-that-are-no-digits")],
)
def test_mutants_that_add_characters_of_one_kind_are_alike(left, right):
    """RFC 1738 section 5: none of these is a hex digit."""
    mutants = _intruders("hex")
    assert NEWS.kind(mutants[left]) == NEWS.kind(mutants[right])


#: A character of each kind that `hex` has not, by what it is in the grammar of `newsurl`.
KINDS = {"in-no-url": "|", "delimiter": "/", "letter": "g", "mark": "!"}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(KINDS[first], KINDS[second], id=f"{first}-and-{second}")
        for first, second in combinations(KINDS, 2)
    ],
)
def test_mutants_that_add_characters_of_different_kinds_are_not_alike(left, right):
    mutants = _intruders("hex")
    assert NEWS.kind(mutants[left]) != NEWS.kind(mutants[right])


def test_a_mutant_that_adds_no_character_is_of_no_kind():
    assert NEWS.kind(Mutant("host", "drop-element", Reference("hostname"))) is None


@pytest.mark.parametrize(
    ("character", "noticed"),
    [
        pytest.param("|", {"core", ALIKE}, id="shown-by-a-text"),
        pytest.param("\\", {ALIKE}, id="like-one-that-is-shown"),
        pytest.param("g", set(), id="of-another-kind"),
    ],
)
def test_a_core_notices_a_mutant_for_itself_or_as_one_of_its_kind(character, noticed):
    bench = _bench(("news:a@a%0|", False), ("news:%0|@a", False))
    assert bench.examine_mutant(_intruders("hex")[character]).noticed == noticed


def test_a_mutant_with_the_same_language_is_equivalent():
    """RFC 1738 section 5: a digit is a hex digit already."""
    hexes = NEWS.grammar.character_class(Reference("hex"))
    assert _bench().examine({"hex": Characters(hexes)}).witness is None


def test_a_mutant_is_a_change_of_one_rule():
    assert Mutant("host", "drop-element", Reference("hostname")).changes == {"host": Reference("hostname")}


A, B = Characters(frozenset("a")), Characters(frozenset("b"))
AB = Characters(frozenset("ab"))


def _many(element):
    return Repetition(element, 0, None)


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


TABLES_ALIKE = [name for name, (_, _, alike) in TABLES.items() if alike]
TABLES_UNLIKE = [name for name, (_, _, alike) in TABLES.items() if not alike]


def _first_text_split_differently(left, right):
    """Return a shortest text that two tables split differently, by trying all up to five characters."""
    for length in range(6):
        for letters in product("abc", repeat=length):
            text = "".join(letters)
            if left.split(text) != right.split(text):
                return text
    return None


@pytest.mark.parametrize("name", TABLES_UNLIKE)
def test_the_difference_of_unlike_tables_is_a_text_that_they_split_differently(name):
    left, right, _ = TABLES[name]
    text = split_difference(left, right)
    assert left.split(text) != right.split(text)


@pytest.mark.parametrize("name", TABLES_UNLIKE)
def test_the_difference_of_unlike_tables_is_a_shortest_text(name):
    left, right, _ = TABLES[name]
    assert len(split_difference(left, right)) == len(_first_text_split_differently(left, right))


@pytest.mark.parametrize("name", TABLES_ALIKE)
def test_tables_that_split_every_text_alike_have_no_difference(name):
    left, right, _ = TABLES[name]
    assert _first_text_split_differently(left, right) is None
    assert split_difference(left, right) is None


@pytest.mark.parametrize("name", TABLES_UNLIKE)
def test_the_canonical_forms_of_unlike_tables_differ(name):
    left, right, _ = TABLES[name]
    assert canonical_table(left) != canonical_table(right)


def _renumbered(table):
    """Return the table with its states and slots numbered in reverse order, but SINK, DISCARD and END."""
    states = [SINK, *range(len(table.table) - 1, SINK, -1)]
    slots = [DISCARD, END, *range(table.slots - 1, END, -1)]
    return dataclasses.replace(
        table,
        table=tuple(tuple(states[target] for target in table.table[state]) for state in states),
        stores=tuple(tuple(slots[slot] for slot in table.stores[state]) for state in states),
        finals=tuple(tuple(slots[slot] for slot in table.finals[state]) for state in states),
        start=states[table.start],
    )


@pytest.mark.parametrize("name", TABLES)
def test_the_canonical_form_does_not_depend_on_the_numbers_of_states_and_slots(name):
    table, _, _ = TABLES[name]
    renumbered = _renumbered(table)
    assert renumbered != table
    assert canonical_table(renumbered) == canonical_table(table)


SPLIT_RULES = [("rfc1738", "ftpurl"), ("rfc1808", "URL")]


@pytest.mark.parametrize(("spec", "rule"), SPLIT_RULES)
def test_a_split_table_has_no_difference_from_itself(spec, rule):
    table = split_table(spec, rule)
    assert split_difference(table, table) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["ftp://a/b", "ftp://a/ "])
@pytest.mark.parametrize(("spec", "rule"), SPLIT_RULES)
def test_the_language_of_a_split_table_has_the_texts_that_it_splits(spec, rule, text):
    table = split_table(spec, rule)
    is_split = table.split(text) is not None
    assert split_language(table).accepts(text) == is_split
