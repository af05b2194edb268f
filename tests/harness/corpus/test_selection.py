"""Which cases a selection picks."""

from __future__ import annotations

import pytest

from urlharness.corpus.selection import Selection, SelectionError, spec_name


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
def test_pick(cases, conditions, picked):
    found = [
        case.vector.id.removeprefix("rfc").removeprefix("3986-")
        for case in Selection(**conditions).pick(cases)
    ]
    assert found == picked.split()


@pytest.mark.parametrize("name", ["rfc3986", "RFC3986", "3986", "rfc 3986", "RFC-3986"])
def test_specifications_as_users_write_them(name):
    assert spec_name(name) == "rfc3986"


@pytest.mark.parametrize("name", ["rfc9999", "", "rfc", "whatwg"])
def test_unknown_specifications_are_refused(name):
    with pytest.raises(SelectionError, match="there are rfc1738, rfc1808, rfc2396, rfc2732, rfc3986"):
        Selection(specs=(spec_name(name),))


def test_flags_select(corpus):
    some = Selection(flags=("security", "legacy")).pick(corpus.cases)
    assert some
    assert some == [case for case in corpus.cases if {"security", "legacy"} & set(case.flags)]
    assert all(
        case.spec == "rfc3986" for case in Selection(specs=("rfc3986",), flags=("edge",)).pick(corpus.cases)
    )
    with pytest.raises(SelectionError, match="no flag named 'odd'"):
        Selection(flags=("odd",))
