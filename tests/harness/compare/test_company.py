"""The libraries that answer as one with a wrong answer does, and the most common answer of the others."""

from __future__ import annotations

import pytest
from answer_samples import REJECT, expected, parts, shows, url

from urlharness.compare.company import CommonAnswer, company_of
from urlharness.compare.matrix import make_matrix
from urlharness.results.model import Participant, Result

RIGHT = parts("http", "h", "/")

#: The right answer, the wrong answer of `lib`, those of other libraries, and which of them answer alike.
ALIKE = [
    pytest.param(RIGHT, parts("http", "g", "/"), parts("http", "g", "/p"), ["other"], id="same-component"),
    pytest.param(RIGHT, parts("http", "g", "/"), shows(host="g"), ["other"], id="shows-the-component"),
    pytest.param(RIGHT, parts("http", "g", "/"), shows(path="/"), [], id="does-not-show-the-component"),
    pytest.param(RIGHT, parts("http", "g", "/"), parts("http", "G", "/"), ["other"], id="host-in-other-case"),
    pytest.param(RIGHT, parts("http", "::1", "/"), shows(host="[0::1]"), ["other"], id="address-with-a-zero"),
    pytest.param(RIGHT, parts("http", "g.", "/"), shows(host="g"), ["other"], id="dot-at-the-end"),
    pytest.param(RIGHT, parts("http", None, "/"), parts("http", "", "/"), ["other"], id="no-host-or-empty"),
    pytest.param(RIGHT, parts("http", "g", "/"), REJECT, [], id="refuses"),
    pytest.param(RIGHT, REJECT, REJECT, ["other"], id="refuses-too"),
    pytest.param(RIGHT, REJECT, parts("http", "g", "/"), [], id="accepts-what-is-refused"),
    pytest.param(REJECT, parts("http", "h", "/"), shows(path="/p"), ["other"], id="accepts-too"),
    pytest.param(url("http://a/g"), url("http://b/g"), url("http://b/"), ["other"], id="host-of-a-target"),
    pytest.param(url("http://a/g"), url("http://b/g"), url("http://c/g"), [], id="another-host-of-a-target"),
]


def company_of_lib(question, run, right, wrong, **others):
    """Return the company of `lib`, which answers wrongly; a right target asks for that of a reference."""
    is_target = "url" in right
    case = question("g", right, base="http://a/b") if is_target else question("http://h/", right)
    matrix = make_matrix(run((case, {"lib": wrong, **others})))
    (disagreement,) = matrix.differences_from_rfc("lib")
    return company_of(matrix, "lib", disagreement)


@pytest.mark.parametrize(("right", "wrong", "other", "alike"), ALIKE)
def test_libraries_answer_alike_in_the_component_that_is_wrong(question, run, right, wrong, other, alike):
    company = company_of_lib(question, run, right, wrong, other=other)
    assert list(company.alike) == alike


#: The normal form of another library beside `http://EXAMPLE.com/`, and the libraries that answer alike. The
#: normal form is `http://example.com/` (RFC 3986, section 6.2.2.1).
SPELLINGS = [
    pytest.param("http://example.com/", (), id="spelling-of-a-host-is-wrong"),
    pytest.param("http://EXAMPLE.com/", ("other",), id="same-spelling"),
    pytest.param("http://Example.com/", (), id="another-wrong-spelling"),
]


@pytest.mark.parametrize(("other", "alike"), SPELLINGS)
def test_a_host_that_is_wrong_in_spelling_only_is_compared_as_it_is(make_case, run, other, alike):
    right = url("http://example.com/")
    fields = {"op": "normalize", "rule": None, "mode": "syntax"}
    case = make_case("rfc3986-6.2.2.1-x", url="HTTP://EXAMPLE.com/", expect=expected(right), **fields)
    replies = {"lib": url("http://EXAMPLE.com/"), "other": url(other)}
    matrix = make_matrix(run((case, replies)))
    (disagreement,) = matrix.differences_from_rfc("lib")
    assert company_of(matrix, "lib", disagreement).alike == alike


#: What another library makes of `file:/c` beside `file:///c`, and the libraries that answer alike. The target
#: has no authority (RFC 3986, section 5.3).
EMPTY_HOSTS = [
    pytest.param("file:/c", (), id="no-host"),
    pytest.param("file:///c", ("other",), id="empty-host"),
]


@pytest.mark.parametrize(("other", "alike"), EMPTY_HOSTS)
def test_an_empty_host_is_none_unless_it_is_what_is_wrong(question, run, other, alike):
    company = company_of_lib(question, run, url("file:/c"), url("file:///c"), other=url(other))
    assert company.alike == alike


#: What two libraries show of //@h, and the libraries that answer as the first one.
AUTHORITIES = [
    pytest.param(shows(authority="h", host="h"), shows(authority="h"), ("other",), id="both-show-it"),
    pytest.param(shows(authority="h", host="h"), shows(userinfo=None, host="h", port=None), (), id="parts"),
]


@pytest.mark.parametrize(("wrong", "other", "alike"), AUTHORITIES)
def test_an_authority_is_compared_among_those_that_show_it(make_case, record, wrong, other, alike):
    components = {"authority": "@h", "userinfo": "", "host": "h", "port": None}
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="//@h", expect={"components": components})
    replies = {"lib": wrong, "other": other}
    participants = [Participant(name, "ran") for name in replies]
    answers = [Result(case.vector.id, name, "fail", got=reply) for name, reply in replies.items()]
    matrix = make_matrix(record([case], *participants, *answers))
    (disagreement,) = matrix.differences_from_rfc("lib")
    assert disagreement.component == "authority"
    assert company_of(matrix, "lib", disagreement).alike == alike


G = parts("http", "g", "/")

#: The answers of other libraries beside a wrong host, and the most common one of those that show a host.
COMMON = [
    pytest.param([RIGHT, shows(host="h")], CommonAnswer("host h", 2, 2), id="all"),
    pytest.param([RIGHT, shows(host="h"), shows(path="/")], CommonAnswer("host h", 2, 2), id="shows-no-host"),
    pytest.param([RIGHT, shows(host="h", path="/q")], CommonAnswer("host h", 2, 2), id="another-path"),
    pytest.param([RIGHT] * 3 + [REJECT], CommonAnswer("host h", 3, 4), id="one-refuses"),
    pytest.param([REJECT, REJECT], CommonAnswer("reject", 2, 2), id="all-refuse"),
    pytest.param([RIGHT, RIGHT, REJECT], None, id="leads-by-one"),
    pytest.param([G, G, G, RIGHT], None, id="that-of-the-library"),
    pytest.param([shows(host="G")] * 3 + [RIGHT], None, id="that-of-the-library-in-capitals"),
    pytest.param([{"status": "unsupported"}], None, id="nobody-was-asked"),
]


@pytest.mark.parametrize(("answers", "common"), COMMON)
def test_the_most_common_answer_is_counted_among_those_that_show_the_component(
    question, run, answers, common
):
    others = {f"library-{number}": answer for number, answer in enumerate(answers)}
    assert company_of_lib(question, run, RIGHT, G, **others).common == common


def test_the_most_common_target_is_shown_whole(question, run):
    others = {"a": url("http://a/g"), "b": url("http://a/g")}
    company = company_of_lib(question, run, url("http://a/g"), url("http://b/g"), **others)
    assert company.common == CommonAnswer("http://a/g", 2, 2)


def test_targets_with_the_same_host_are_counted_as_different_answers(question, run):
    """The host is wrong, but a target is counted as a whole, and this one leads by one."""
    others = {"a": url("http://a/g"), "b": url("http://a/g"), "c": url("http://a/")}
    company = company_of_lib(question, run, url("http://a/g"), url("http://b/g"), **others)
    assert company.common is None


#: The messages of two libraries that end with an error, and the libraries that end alike.
ENDINGS = [
    pytest.param("IndexError", "IndexError", ("other",), id="same-error"),
    pytest.param("IndexError", "UnboundLocalError", (), id="another-error"),
    pytest.param("", "", (), id="no-message"),
]


@pytest.mark.parametrize(("message", "message_of_other", "alike"), ENDINGS)
def test_libraries_end_alike_only_with_the_same_error(make_case, record, message, message_of_other, alike):
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="http://[", expect={"valid": False})
    messages = {"lib": message, "other": message_of_other}
    participants = [Participant(name, "ran") for name in messages]
    errors = [Result(case.vector.id, name, "error", detail=text) for name, text in messages.items()]
    matrix = make_matrix(record([case], *participants, *errors))
    (disagreement,) = matrix.differences_from_rfc("lib")
    assert company_of(matrix, "lib", disagreement).alike == alike
