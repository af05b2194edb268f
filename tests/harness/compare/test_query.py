"""Words that select disagreements: each word of the table, its negation, and what is no word."""

from __future__ import annotations

import pytest
from answer_samples import BASE, REJECT, parts, url

from urlharness.compare.matrix import make_matrix
from urlharness.compare.query import QueryError, select

NAMES = ("right", "urllib", "node-url")

H = parts("http", "h", "/p", port="80")
PORT = parts("http", "h", "/p")
ZONE = parts("http", "0x7f.1", "/p")
LOOPBACK = parts("http", "127.0.0.1", "/p")
G, EMPTY_HOST = url("http:///g"), url("http://a/g")

#: A question each: by its name, the base, the text, and the answers of the three libraries.
ROWS = {
    "spelled": (None, "http://h:80/p", (H, PORT, H)),
    "host": (None, "http://0x7f.1/p", (ZONE, LOOPBACK, ZONE)),
    "refused": (None, "http://h:80/P", (parts("http", "h", "/P", port="80"), REJECT, REJECT)),
    "resolved": (BASE, "///g", (G, EMPTY_HOST, url("http://g/"))),
}
ALL = set(ROWS)


@pytest.fixture
def found(question, run):
    """The disagreements, in the order of the rows."""
    rows = []
    for number, (base, text, answers) in enumerate(ROWS.values()):
        case = question(text, answers[0], base=base, number=number)
        rows.append((case, dict(zip(NAMES, answers, strict=True))))
    disagreements = make_matrix(run(*rows)).disagreements
    assert len(disagreements) == len(ROWS)
    return disagreements


QUERIES = [
    ("", ALL),
    ("is:different", ALL - {"spelled"}),
    ("only:urllib", {"spelled", "host", "resolved"}),
    ("only:node-url", {"resolved"}),
    ("only:right", {"refused", "resolved"}),
    ("urllib=wrong", ALL),
    ("urllib=right", set()),
    ("node-url=right", {"spelled", "host"}),
    ("node-url=wrong urllib=wrong", {"refused", "resolved"}),
    ("urllib=reject", {"refused"}),
    ("urllib=accept", ALL - {"refused"}),
    ("host:", {"host", "resolved"}),
    ("differs:host", {"host", "resolved"}),
    ("differs:port,host,query", {"host", "resolved"}),
    ("-differs:host,path is:different", {"refused"}),
    ("port:", set()),
    ("verdict:", {"refused"}),
    ("host:127.0.0.1", {"host"}),
    ("host:g", {"resolved"}),
    ("port:80", {"spelled", "refused"}),
    ("class:ipv4-forms", {"host"}),
    ("class:default-port", {"spelled"}),
    ("class:none", {"refused"}),
    ("cause:defect", {"refused"}),
    ("cause:Decoding", {"spelled"}),
    ('cause:"browser behaviour"', {"host", "resolved"}),
    ("op:resolve", {"resolved"}),
    ("op:parse", ALL - {"resolved"}),
    ("0X7F", {"host"}),
    ("rfc3986-3-x-1", {"host"}),
    ("http", ALL - {"resolved"}),
    ("http -host: -refused -class:default-port", {"refused"}),
    ("-op:resolve", ALL - {"resolved"}),
    ("-is:different", {"spelled"}),
    ("-urllib=accept", {"refused"}),
    ("-", ALL),
    ("other=right", set()),
]


@pytest.mark.parametrize(("query", "names"), QUERIES, ids=[query or "nothing" for query, _ in QUERIES])
def test_a_query_selects_disagreements(found, query, names):
    selected = select(found, query, NAMES)
    assert [name for name, disagreement in zip(ROWS, found, strict=True) if disagreement in selected] == [
        name for name in ROWS if name in names
    ]


def test_a_library_that_did_not_answer_is_neither_right_nor_wrong(found):
    assert select(found, "other=right", (*NAMES, "other")) == []
    assert select(found, "-other=right", (*NAMES, "other")) == list(found)


ERRORS = [
    pytest.param("urllib=maybe", "'maybe' is not one of right, wrong, accept, reject", id="state"),
    pytest.param("is:same", "expected is:different", id="is"),
    pytest.param("only:nobody", "with one of right, urllib, node-url", id="only"),
    pytest.param("-only:nobody", "only:nobody", id="negated"),
    pytest.param("'open", "No closing quotation", id="quote"),
]


@pytest.mark.parametrize(("query", "message"), ERRORS)
def test_a_word_that_names_nothing_known_is_an_error(found, query, message):
    with pytest.raises(QueryError, match=message):
        select(found, query, NAMES)
