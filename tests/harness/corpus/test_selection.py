"""The cases that a selection picks."""

from __future__ import annotations

import pytest

from urlharness.corpus.selection import ORIGINS, Selection, SelectionError, spec_name


@pytest.fixture
def cases(make_case):
    return [
        make_case("rfc1738-3.1-host", rule="host"),
        make_case("rfc3986-3-url"),
        make_case("rfc3986-3.1-scheme", rule="scheme"),
        make_case("rfc3986-3.10-far"),
        make_case("rfc3986-3.2.2-host", rule="host"),
        make_case("rfc3986-3.2.2-split", op="parse", rule=None, expect={"components": {"path": ""}}),
        make_case("rfc3986-A-url"),
    ]


#: Conditions, and the ids that meet all of them.
TABLE = [
    pytest.param({}, "1738-3.1-host 3-url 3.1-scheme 3.10-far 3.2.2-host 3.2.2-split A-url", id="everything"),
    pytest.param({"specs": ("rfc1738",)}, "1738-3.1-host", id="specification"),
    pytest.param({"sections": ("3.1",)}, "1738-3.1-host 3.1-scheme", id="section-3.1-is-not-3.10"),
    pytest.param(
        {"specs": ("rfc3986",), "sections": ("3",)},
        "3-url 3.1-scheme 3.10-far 3.2.2-host 3.2.2-split",
        id="and-everything-below",
    ),
    pytest.param({"sections": ("3.2",)}, "3.2.2-host 3.2.2-split", id="below-one-without-cases"),
    pytest.param({"sections": ("3.10", "A")}, "3.10-far A-url", id="either-section"),
    pytest.param({"rules": ("HOST",)}, "1738-3.1-host 3.2.2-host", id="rule-in-any-case"),
    pytest.param(
        {"rules": ("host", "scheme"), "specs": ("rfc3986",)}, "3.1-scheme 3.2.2-host", id="either-rule"
    ),
    pytest.param({"words": ("host", "3.2")}, "3.2.2-host", id="every-word"),
    pytest.param({"words": ("nothing",)}, "", id="no-such-word"),
    pytest.param({"rules": ("nothing",)}, "", id="no-such-rule"),
    pytest.param({"sections": ("9",)}, "", id="no-such-section"),
    pytest.param({"sections": ("",)}, "", id="empty-section"),
]


@pytest.mark.parametrize(("conditions", "picked"), TABLE)
def test_conditions_select_cases(cases, conditions, picked):
    identifiers = [case.vector.id for case in Selection(**conditions).pick(cases)]
    # the table has ids without `rfc` and, for most cases, without the number of the RFC
    assert [name.removeprefix("rfc").removeprefix("3986-") for name in identifiers] == picked.split()


#: Conditions that no case meets, and the end of the message.
NOTHING = [
    pytest.param({}, "", id="no-condition"),
    pytest.param({"sections": ("9",)}, ": section 9. The sections are 3, A", id="section"),
    pytest.param(
        {"sections": ("3.2.1",)}, ": section 3.2.1. Did you mean '3.2.2' or '3.1'?", id="near-section"
    ),
    pytest.param({"rules": ("zz",)}, ": rule zz. The rules are host, scheme, URI", id="rule"),
    pytest.param({"rules": ("hosts",)}, ": rule hosts. Did you mean 'host'?", id="near-rule"),
    pytest.param(
        {"specs": ("rfc1738",), "sections": ("A",)},
        ": spec rfc1738, section A. The sections are 3",
        id="spec",
    ),
    pytest.param({"sections": ("A",), "rules": ("host",)}, ": section A, rule host", id="not-together"),
    pytest.param({"words": ("zz",), "flags": ("edge",)}, ": flag edge, word zz", id="word"),
]


@pytest.mark.parametrize(("conditions", "message"), NOTHING)
def test_an_empty_selection_says_what_was_asked_and_what_exists(cases, conditions, message):
    explanation = Selection(**conditions).no_match_message(cases)
    assert explanation == f"no vector meets the selection{message}"


@pytest.mark.parametrize("name", ["rfc3986", "RFC3986", "3986", "rfc 3986", "RFC-3986"])
def test_specifications_are_read_as_users_write_them(name):
    assert spec_name(name) == "rfc3986"


@pytest.mark.parametrize("name", ["rfc9999", "", "rfc", "whatwg"])
def test_unknown_specifications_are_refused(name):
    with pytest.raises(SelectionError, match="choose from rfc1738, rfc1808, rfc2396, rfc2732, rfc3986"):
        Selection(specs=(spec_name(name),))


def test_cases_with_any_of_the_flags_are_selected(corpus):
    selected = Selection(flags=("security", "legacy")).pick(corpus.cases)
    assert selected != []
    assert selected == [case for case in corpus.cases if {"security", "legacy"} & set(case.flags)]


def test_flags_and_specifications_select_together(corpus):
    selected = Selection(specs=("rfc3986",), flags=("edge",)).pick(corpus.cases)
    assert selected != []
    assert selected == [case for case in corpus.cases if case.spec == "rfc3986" and "edge" in case.flags]


def test_an_unknown_flag_is_refused():
    with pytest.raises(SelectionError, match="no flag named 'odd'"):
        Selection(flags=("odd",))


@pytest.mark.parametrize(
    ("origin", "origins_of_vectors"),
    [("mutant", {"mutant"}), ("human", {None, "twin"}), ("twin", {"twin"}), ("derived", {"derived"})],
    ids=["mutant", "human", "twin", "derived"],
)
def test_an_origin_selects_all_its_cases(corpus, origin, origins_of_vectors):
    """A person made the vectors without an origin, and their twins."""
    selected = Selection(origins=(origin,)).pick(corpus.cases)
    assert selected != []
    assert selected == [case for case in corpus.cases if case.vector.origin in origins_of_vectors]


def test_all_origins_select_the_whole_corpus(corpus):
    assert Selection(origins=ORIGINS).pick(corpus.cases) == list(corpus.cases)


def test_an_unknown_origin_is_refused():
    with pytest.raises(
        SelectionError, match="no origin named 'odd'; choose from human, mutant, twin, derived"
    ):
        Selection(origins=("odd",))
