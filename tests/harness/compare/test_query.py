"""Words that select disagreements: each word of the table, its negation, and what is no word."""

from __future__ import annotations

import pytest
from query_samples import ALL, NAMES, QUERIES, ROWS, query_results

from urlharness.compare.matrix import make_matrix
from urlharness.compare.query import QueryError, check_values, select


@pytest.fixture
def disagreements(make_case, record):
    """The disagreements, in the order of the rows."""
    in_order = make_matrix(query_results(make_case, record)).disagreements
    assert len(in_order) == len(ROWS)
    return in_order


#: Words that are searched for in the texts and ids of questions; the page searches more texts.
TEXT_QUERIES = [
    ("0X7F", {"host"}),
    ("rfc3986-3-x-1", {"host"}),
    ("http", ALL - {"resolved"}),
    ("http -host: -refused -class:default-port", {"refused"}),
    ("-", ALL),
    ("other=more", set()),
]


@pytest.mark.parametrize(
    ("query", "names"),
    [pytest.param(query, names, id=query or "nothing") for query, names in [*QUERIES, *TEXT_QUERIES]],
)
def test_a_query_selects_disagreements(disagreements, query, names):
    by_name = dict(zip(ROWS, disagreements, strict=True))
    assert select(disagreements, query, NAMES) == [by_name[name] for name in ROWS if name in names]


@pytest.mark.parametrize("state", ["right", "wrong"])
def test_a_library_that_did_not_answer_is_neither_right_nor_wrong(disagreements, state):
    assert select(disagreements, f"other={state}", (*NAMES, "other")) == []
    assert select(disagreements, f"-other={state}", (*NAMES, "other")) == list(disagreements)


ERRORS = [
    pytest.param("urllib=maybe", "'maybe' is not one of right, wrong, accept, reject", id="state"),
    pytest.param("is:same", "expected is:different", id="is"),
    pytest.param("only:nobody", "with one of right, urllib, node-url", id="only"),
    pytest.param("-only:nobody", "with one of right, urllib, node-url", id="negated"),
    pytest.param("hots:x", "'hots:x': unknown key hots", id="key"),
    pytest.param("-hots:x", "'-hots:x': unknown key hots", id="negated-key"),
    pytest.param(
        "urlib=right", "'urlib=right': no library urlib among right, urllib, node-url", id="library"
    ),
    pytest.param("-urlib=wrong", "'-urlib=wrong': no library urlib", id="negated-library"),
    pytest.param("class:ipv4-form", "no class ipv4-form. Did you mean 'ipv4-forms'.*There are ", id="class"),
    pytest.param("-class:nosuch", "'-class:nosuch': no class nosuch", id="negated-class"),
    pytest.param("cause:defekt", "no cause defekt.*There are .*'browser behaviour'", id="cause"),
    pytest.param("op:pars", "no operation pars.*There are validate, parse", id="op"),
    pytest.param("severity:hots", "no component hots.*There are scheme, .*verdict", id="severity"),
    pytest.param("differs:host,pth", "no component pth. Did you mean 'path'", id="differs"),
]


@pytest.mark.parametrize(("query", "message"), ERRORS)
def test_a_word_that_names_nothing_known_is_an_error(disagreements, query, message):
    with pytest.raises(QueryError, match=message):
        select(disagreements, query, NAMES)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        pytest.param("class:nosuch", "'class:nosuch': no class nosuch", id="class"),
        pytest.param("host: -op:pars", "'-op:pars': no operation pars", id="negated-and-last"),
    ],
)
def test_an_unknown_value_is_found_without_disagreements(query, message):
    with pytest.raises(QueryError, match=message):
        check_values(query)


def test_a_quotation_that_is_not_closed_is_found_without_disagreements():
    with pytest.raises(QueryError, match="No closing quotation"):
        check_values("'open")


def test_a_word_of_a_text_is_no_unknown_value():
    check_values("only:somebody somebody=right http://h hots:x -")  # raises nothing


def test_a_quotation_that_is_not_closed_is_an_error(disagreements):
    with pytest.raises(QueryError, match="No closing quotation"):
        select(disagreements, "'open", NAMES)
