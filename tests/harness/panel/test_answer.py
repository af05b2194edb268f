"""Answers: what of a reply is compared, what is only spelling, and groups of equal answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import pytest
from answer_samples import parts, shows, url
from hypothesis import given
from hypothesis import strategies as st

from urlharness.corpus.longtext import abbreviation
from urlharness.panel.answer import (
    Answer,
    answer_of,
    beyond_spelling,
    consensus,
    differing_components,
    distinct_hosts,
    grouped,
    recorded_answer,
    without_spelling,
)
from urlharness.panel.severity import OTHER, VERDICT
from urlharness.panel.spelling import split
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Reply

TEXTS = st.text("aZ0:/?#[]@%41.~\\é ", max_size=16)


def recorded(reply, *, tells_empty=True):
    """Return the answer of a recorded reply."""
    return recorded_answer(reply, tells_empty=tells_empty)


#: A recorded reply, and the kind and the text of the answer.
KINDS = [
    pytest.param({"status": "reject", "message": "no"}, "rejected", "", id="reject"),
    pytest.param({"status": "unsupported"}, "not offered", "", id="unsupported"),
    pytest.param({"status": "ok"}, "valid", "", id="valid"),
    pytest.param({"status": "ok", "url": "a:b"}, "url", "a:b", id="url"),
    pytest.param({"status": "ok", "url": {"hex": "ff"}}, "url", "\udcff", id="url-of-bytes"),
    pytest.param({"status": "ok", "equal": False}, "other", "false", id="equal"),
    pytest.param({"status": "ok", "base": None}, "other", "null", id="no-base"),
    pytest.param({"status": "ok", "urls": [["é:"]]}, "other", '[["é:"]]', id="urls"),
    pytest.param({"status": "error", "message": "x"}, "none", "error", id="error"),
    pytest.param({}, "none", "no answer", id="nothing"),
]


@pytest.mark.parametrize(("reply", "kind", "text"), KINDS)
def test_a_reply_has_its_kind_and_text(reply, kind, text):
    answer = recorded(reply)
    assert answer.kind == kind
    assert answer.text == text


@pytest.mark.parametrize(
    "reply",
    [{"status": "reject", "message": "no"}, {"status": "error", "message": "no"}],
    ids=["reject", "error"],
)
def test_an_answer_has_the_message_of_its_reply(reply):
    assert recorded(reply).message == "no"


@pytest.mark.parametrize("kind", ["valid", "url", "other", "parsed"])
def test_an_answer_with_a_verdict_or_a_result_accepts_the_text(kind):
    assert Answer(kind).accepts
    assert Answer(kind).answered


def test_a_rejection_is_an_answer_that_does_not_accept_the_text():
    assert not Answer("rejected").accepts
    assert Answer("rejected").answered


@pytest.mark.parametrize("kind", ["not offered", "none"])
def test_what_is_no_answer_does_not_accept_the_text(kind):
    assert not Answer(kind).accepts
    assert not Answer(kind).answered


#: Replies of an adapter; a reply with nothing in it is none.
REPLIES = [
    *[reply for reply in KINDS if reply.id != "nothing"],
    pytest.param(
        {"status": "ok", "components": {"path": {"hex": "ff"}, "fieldspecs": [["a", "b"]]}},
        "parsed",
        "",
        id="components",
    ),
    pytest.param(
        {"status": "ok", "decoded": {"path": [{"hex": "ff"}, ["a", "é"]], "is_ip": False}},
        "other",
        '{"path": [{"hex": "ff"}, ["a", "é"]], "is_ip": false}',
        id="decoded",
    ),
]


@pytest.mark.parametrize(("got", "kind", "text"), REPLIES)
def test_a_reply_and_its_record_are_one_answer(got, kind, text):
    reply = msgspec.convert({"id": 7, **got}, Reply)
    answer = answer_of(reply, tells_empty=True)
    assert answer == recorded_answer(got, tells_empty=True)
    assert answer.kind == kind
    assert answer.text == text


def test_an_adapter_that_ended_gave_no_answer():
    answer = answer_of(Abnormal("crash", "signal 11", "stderr"), tells_empty=True)
    assert answer == Answer("none", text="crash", message="signal 11")


@pytest.mark.parametrize(
    ("tells_empty", "query"), [(True, ""), (False, None)], ids=["can-tell-empty", "cannot-tell-empty"]
)
def test_an_empty_component_is_absent_if_a_library_cannot_tell(tells_empty, query):
    """RFC 3986, section 5.3: an undefined component is not an empty one."""
    assert recorded(parts("http", "h", query=""), tells_empty=tells_empty).components["query"] == query


@pytest.mark.parametrize("tells_empty", [True, False], ids=["can-tell-empty", "cannot-tell-empty"])
def test_an_empty_path_is_never_absent(tells_empty):
    """RFC 3986, section 5.3: a path is always defined."""
    assert recorded(parts("http", "h"), tells_empty=tells_empty).components["path"] == ""


def test_an_authority_counts_if_its_parts_are_not_shown():
    """RFC 3986, section 3.2."""
    assert recorded(shows(authority="u@h")).components == {"authority": "u@h"}


def test_an_authority_does_not_count_beside_its_parts():
    assert recorded(shows(authority="u@h", userinfo="u", host="h")).components == {
        "userinfo": "u",
        "host": "h",
    }


#: A reply, and how its answer is described.
WORDS = [
    pytest.param(
        parts("http", "h", "/p", query=""), "host h  scheme http  path /p  query (empty)", id="parts"
    ),
    pytest.param(parts("a", path="b"), "no host  scheme a  path b", id="no-host"),
    pytest.param(shows(path="b"), "path b", id="host-not-exposed"),
    pytest.param(shows(authority=None, path="b"), "no authority  path b", id="no-authority"),
    pytest.param(shows(host="a\x1b[31m"), "host a\\u{1b}[31m", id="control"),
    pytest.param(url(""), "(empty)", id="empty-url"),
    pytest.param({"status": "ok"}, "accept", id="accept"),
    pytest.param({"status": "reject"}, "reject", id="reject"),
]


@pytest.mark.parametrize(("reply", "words"), WORDS)
def test_an_answer_is_described_in_words(reply, words):
    assert recorded(reply).in_words() == words


DIFFERING = [
    pytest.param(parts("http", "h"), parts("http", "h"), set(), id="same"),
    pytest.param(parts("http", "h"), parts("http", "H"), {"host"}, id="case"),
    pytest.param(parts("http", "h"), parts("http", "h", query=""), {"query"}, id="absent-empty"),
    pytest.param(parts("http", "h"), shows(scheme="http"), set(), id="shared-only"),
    pytest.param(parts("http", "h"), {"status": "ok"}, set(), id="valid"),
    pytest.param(parts("http", "h"), {"status": "reject"}, {VERDICT}, id="reject"),
    pytest.param({"status": "reject"}, {"status": "reject"}, set(), id="both-reject"),
    pytest.param(url("http://a/b?"), url("http://a/b"), {"query"}, id="urls"),
    pytest.param(url("http://u@a:1/"), url("http://a/"), {"userinfo", "port"}, id="authorities"),
    pytest.param({"status": "ok", "equal": True}, {"status": "ok", "equal": False}, {OTHER}, id="equal"),
    pytest.param({"status": "ok", "equal": True}, {"status": "ok", "equal": True}, set(), id="both-equal"),
]


@pytest.mark.parametrize(("first", "second", "components"), DIFFERING)
def test_components_that_differ_are_named(first, second, components):
    """It does not matter which answer comes first."""
    assert differing_components(recorded(first), recorded(second)) == components
    assert differing_components(recorded(second), recorded(first)) == components


FOLDED = [
    pytest.param(parts("HTTP", "H", "/P"), parts("http", "h", "/P"), id="case"),  # RFC 3986, 6.2.2.1
    pytest.param(parts("http", "h", "/%7Ep%2f"), parts("http", "h", "/~p%2F"), id="triplets"),  # 6.2.2.2
    pytest.param(parts("http", "h%41", "/"), parts("http", "ha", "/"), id="triplet-in-host"),
    pytest.param(parts("http", "h", "/a/./../b"), parts("http", "h", "/b"), id="dots"),  # 6.2.2.3
    pytest.param(parts(path="../a/.."), parts(path="../"), id="relative-dots"),
    pytest.param(parts("http", "h"), parts("http", "h", "/"), id="empty-path"),  # 6.2.3
    pytest.param(parts("http", "h", "/", port="80"), parts("http", "h", "/"), id="default-port"),  # 6.2.3
    pytest.param(parts("http", "h", "/", port="0080"), parts("http", "h", "/"), id="default-port-zeros"),
    pytest.param(parts("https", "h", "/", port="80"), parts("https", "h", "/", port="080"), id="other-port"),
    pytest.param(parts("foo", "h", "/", port=""), parts("foo", "h", "/"), id="empty-port"),
    pytest.param(parts("http", "h", "/", query="", fragment=""), parts("http", "h", "/"), id="empty"),
    pytest.param(parts("file", "", "/p"), parts("file", None, "/p"), id="empty-host"),
    pytest.param(parts("http", "[0:0::A]", "/"), parts("http", "::a", "/"), id="ipv6"),  # RFC 4291, 2.2
    pytest.param(parts("http", "[::ffff:1.2.3.4]"), parts("http", "[::FFFF:102:304]"), id="mapped"),
    pytest.param(parts("http", "[fe80::1%25en0]"), parts("http", "fe80::1%en0"), id="zone"),
    # RFC 3490, section 4
    pytest.param(parts("http", "bücher.example"), parts("http", "xn--bcher-kva.example"), id="idna"),
    pytest.param(parts("http", "[v1.X]"), parts("http", "v1.x"), id="future"),
    pytest.param(url("HTTP://H:80?"), url("http://h/"), id="url"),
    pytest.param(url("http://[::1]/"), url("http://[0::1]/"), id="address-in-url"),
    pytest.param(url("http://[v1.X]/"), url("http://[v1.x]/"), id="future-in-url"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), FOLDED)
def test_spelling_is_folded(first, second):
    assert recorded(first) != recorded(second)
    assert without_spelling(recorded(first)) == without_spelling(recorded(second))


NOT_FOLDED = [
    pytest.param(parts("http", "h", "/a%2Fb"), parts("http", "h", "/a/b"), id="delimiter"),  # RFC 3986, 2.2
    pytest.param(parts("http", "h", "/P"), parts("http", "h", "/p"), id="case-of-path"),  # 6.2.2.1
    pytest.param(parts("http", "h", "/", userinfo="U"), parts("http", "h", "/", userinfo="u"), id="user"),
    pytest.param(parts("https", "h", "/", port="80"), parts("https", "h", "/"), id="port-of-another"),
    pytest.param(parts("http", "h."), parts("http", "h"), id="trailing-dot"),
    pytest.param(parts("http", "[::1]"), parts("http", "[::2]"), id="address"),
    pytest.param(parts("http", "[fe80::1%25en0]"), parts("http", "[fe80::1]"), id="no-zone"),
    pytest.param(parts("http", "["), parts("http", "[]"), id="bracket-alone"),
    pytest.param(parts("http", "[[a]"), parts("http", "[[a"), id="two-brackets"),
    pytest.param(parts("http", "0x7f.1"), parts("http", "127.0.0.1"), id="ipv4-forms"),
    pytest.param(parts("http", "a" * 64 + "é"), parts("http", "a" * 64 + "e"), id="no-name"),
    pytest.param(url("http://h/a/../b"), url("http://h/b"), id="dots-of-a-result"),  # 5.2.4 removes them
    pytest.param(url("http://[v1.a]/"), url("http://v1.a/"), id="brackets-of-a-result"),  # 3.2.2
]


@pytest.mark.parametrize(("first", "second"), NOT_FOLDED)
def test_more_than_spelling_is_not_folded(first, second):
    assert (
        differing_components(without_spelling(recorded(first)), without_spelling(recorded(second))) != set()
    )


@given(TEXTS)
def test_folding_twice_is_folding_once(text):
    once = without_spelling(recorded(parts(**split(text))))
    assert without_spelling(once) == once


@pytest.mark.parametrize(
    "reply",
    [{"status": "reject"}, {"status": "ok"}, {"status": "ok", "equal": True}],
    ids=["reject", "valid", "equal"],
)
def test_an_answer_without_components_is_not_folded(reply):
    assert without_spelling(recorded(reply)) == recorded(reply)


#: An answer with host `h`, one with host `g`, and none.
HOST_H = parts("http", "h", "/p")
HOST_G = parts("http", "g", "/p")
NO_ANSWER = {"status": "error"}

GROUPS = [
    pytest.param({"x": HOST_H, "y": HOST_G, "z": HOST_H}, [("x", "z"), ("y",)], id="largest-first"),
    pytest.param(
        {"x": shows(path="/p"), "y": HOST_G, "z": HOST_H, "w": HOST_H},
        [("z", "w", "x"), ("y",)],
        id="partial",
    ),
    pytest.param({"x": shows(path="/q"), "y": HOST_H}, [("y",), ("x",)], id="partial-differs"),
    pytest.param({"x": HOST_H, "y": {"status": "ok"}}, [("x",), ("y",)], id="validity"),
    pytest.param({"x": {"status": "reject"}, "y": NO_ANSWER}, [("x",), ("y",)], id="none"),
    pytest.param({}, [], id="nobody"),
    # RFC 3986, section 3.2: `u@h:1` has one host; which one `a@b@c` has is what libraries disagree on
    pytest.param(
        {"x": parts("http", "h", "/", userinfo="u", port="1"), "y": shows(authority="u@h:1", path="/")},
        [("x", "y")],
        id="authority",
    ),
    pytest.param(
        {"x": parts("http", "c", "/", userinfo="a@b"), "y": shows(authority="a@b@c", path="/")},
        [("x",), ("y",)],
        id="authority-with-two-hosts",
    ),
    pytest.param(
        {"x": parts("http", "[a:b]", "/"), "y": shows(authority="a:b"), "z": shows(authority="[a:b]")},
        [("x", "z"), ("y",)],
        id="authority-without-brackets",
    ),
    pytest.param({"x": parts("http", None), "y": shows(authority="h")}, [("x",), ("y",)], id="no-host"),
    pytest.param({"x": parts("a"), "y": shows(authority=None)}, [("x", "y")], id="no-authority"),
    pytest.param({"x": parts("a", "h"), "y": shows(authority=None)}, [("x",), ("y",)], id="lost-authority"),
    pytest.param(
        {"x": parts(path="/", authority="a@b"), "y": shows(authority="a@b")}, [("x",), ("y",)], id="both"
    ),
]


@pytest.mark.parametrize(("answers", "names"), GROUPS)
def test_equal_answers_form_a_group(answers, names):
    groups = grouped((name, recorded(reply)) for name, reply in answers.items())
    assert [tuple(group.names) for group in groups] == names


@pytest.mark.parametrize(
    ("first", "second"),
    [(shows(path="/p"), HOST_H), (HOST_H, shows(path="/p"))],
    ids=["part-first", "whole-first"],
)
def test_the_answer_of_a_group_has_the_components_of_its_fullest_member(first, second):
    (group,) = grouped([("first", recorded(first)), ("second", recorded(second))])
    assert group.answer == recorded(HOST_H)


#: Replies, and the host of the answer that is their consensus.
CONSENSUS = [
    pytest.param([HOST_H, HOST_H, HOST_H, HOST_G], "h", id="two-ahead"),
    pytest.param([HOST_H], "h", id="alone"),
    pytest.param([HOST_H, HOST_H, NO_ANSWER, NO_ANSWER, NO_ANSWER], "h", id="silence-does-not-count"),
]


def consensus_of(replies):
    return consensus(grouped((str(number), recorded(reply)) for number, reply in enumerate(replies)))


@pytest.mark.parametrize(("replies", "host"), CONSENSUS)
def test_the_consensus_is_the_answer_of_most(replies, host):
    assert consensus_of(replies).answer.components["host"] == host


@pytest.mark.parametrize(
    "replies", [[HOST_H, HOST_H, HOST_G], [NO_ANSWER, NO_ANSWER]], ids=["one-ahead", "no-answer"]
)
def test_there_is_no_consensus_without_a_clear_majority(replies):
    assert consensus_of(replies) is None


HOSTS = [
    pytest.param([HOST_H, HOST_G, parts("http", "H")], ["h", "g"], id="case"),
    pytest.param([HOST_H, parts("a"), {"status": "reject"}, shows(path="")], ["h", None], id="no-host"),
    pytest.param([parts("http", "[::1]"), parts("http", "0::1")], ["[::1]"], id="spelling"),
    pytest.param([parts("http", "h."), parts("http", "h")], ["h."], id="trailing-dot"),
    pytest.param([parts("http", ""), parts("http", None)], [None], id="empty-or-absent"),
    pytest.param([parts("http", "%61"), parts("http", "a")], ["%61", "a"], id="triplet"),
    pytest.param([parts("http", "\uff48"), parts("http", "h")], ["\uff48", "h"], id="idna"),
]


@pytest.mark.parametrize(("replies", "listed"), HOSTS)
def test_each_host_is_listed_once_in_its_first_spelling(replies, listed):
    assert list(distinct_hosts(map(recorded, replies))) == listed


#: Two answers, and whether their hosts differ by more than spelling.
BEYOND = [
    pytest.param(parts("http", "%61"), parts("http", "a"), True, id="triplet"),
    pytest.param(parts("http", "\uff48"), parts("http", "h"), True, id="idna"),
    pytest.param(parts("http", "H"), parts("http", "h"), False, id="case"),
    pytest.param(parts("http", "h."), parts("http", "h"), False, id="trailing-dot"),
    pytest.param(parts("http", ""), parts("http", None), False, id="empty-or-absent"),
    pytest.param(
        {"status": "ok", "url": "http://%61/"}, {"status": "ok", "url": "http://a/"}, True, id="url"
    ),
    pytest.param(shows(path=""), parts("http", "h"), False, id="no-host-shown"),
    pytest.param({"status": "reject"}, parts("http", "h"), False, id="rejected"),
]


@pytest.mark.parametrize(("first", "second", "differs"), BEYOND)
def test_a_difference_of_hosts_is_more_than_spelling_if_more_than_case_or_dot_differs(first, second, differs):
    differences = differing_components(without_spelling(recorded(first)), without_spelling(recorded(second)))
    assert ("host" in beyond_spelling(recorded(first), recorded(second), differences)) is differs


@pytest.mark.parametrize(
    ("path", "differs"), [("/./..", False), ("//..", True)], ids=["dot", "empty-segment"]
)
def test_a_segment_that_a_path_loses_before_dots_is_more_than_spelling(path, differs):
    """All of these paths have one normal form."""
    first = recorded(parts("http", "h", "/.."))
    second = recorded(parts("http", "h", path))
    assert ("path" in beyond_spelling(first, second, frozenset())) is differs


@pytest.mark.parametrize(("first", "second", "differs"), [row for row in BEYOND if row.id != "url"])
def test_hosts_are_counted_alike_for_one_text_and_for_a_pair(first, second, differs):
    assert (len(distinct_hosts([recorded(first), recorded(second)])) > 1) is differs


LITERAL = {"scheme": "http", "userinfo": "u:", "host": "[v1f.a:b]", "port": None, "path": "/"}
SECURE = {"scheme": "https", "userinfo": None, "host": "H", "port": "443"}

LONG_NAME = abbreviation("a." * 1000)


def test_a_long_authority_without_a_host_is_shown():
    """RFC 2396, section 3.2.1: a registry name is an authority without a host."""
    answer = recorded_answer(
        shows(userinfo=None, host=None, port=None, authority=LONG_NAME), tells_empty=True
    )
    assert answer.in_words() == f"no host  authority {LONG_NAME}"


def test_a_long_authority_with_a_long_host_repeats_it():
    answer = recorded_answer(
        shows(userinfo=None, host=LONG_NAME, port=None, authority=LONG_NAME), tells_empty=True
    )
    assert answer.in_words() == f"host {LONG_NAME}"


class Contradicted(NamedTuple):
    """Components, an authority that contradicts them, and both in words."""

    components: Mapping[str, Any]
    authority: str | None
    words: str


#: RFC 3986, section 3.2: the authority is userinfo, host and port with their delimiters.
CONTRADICTED = [
    pytest.param(
        Contradicted(
            LITERAL,
            "u:@v1f.a:b",
            words="host [v1f.a:b]  authority u:@v1f.a:b  userinfo u:  scheme http  path /",
        ),
        id="no-brackets",
    ),
    pytest.param(
        Contradicted(
            {**LITERAL, "host": None}, "a", words="no host  authority a  userinfo u:  scheme http  path /"
        ),
        id="no-host",
    ),
    pytest.param(
        Contradicted(SECURE, "h:80", words="host H  authority h:80  scheme https  port 443"), id="port"
    ),
    pytest.param(Contradicted({"host": "h"}, "other", words="host h  authority other"), id="host"),
    pytest.param(
        Contradicted(
            {"userinfo": "a,b", "host": "h"}, "a%2Cb@h:8", words="host h  authority a%2Cb@h:8  userinfo a,b"
        ),
        id="userinfo",
    ),
]


@pytest.mark.parametrize("row", CONTRADICTED)
def test_an_authority_that_contradicts_its_parts_is_shown(row):
    assert recorded(shows(**row.components, authority=row.authority)).in_words() == row.words


@pytest.mark.parametrize("row", CONTRADICTED)
def test_an_authority_that_contradicts_its_parts_is_a_difference(row):
    answer = recorded(shows(**row.components, authority=row.authority))
    without_authority = recorded(shows(**row.components))
    assert differing_components(answer, without_authority) == {"authority"}
    assert len(grouped([("a", answer), ("b", without_authority)])) == 2


@pytest.mark.parametrize(
    ("components", "authority"),
    [
        pytest.param(LITERAL, "u:@[v1f.a:b]", id="same"),
        pytest.param(LITERAL, None, id="absent"),
        pytest.param(SECURE, "h", id="spelling"),
        pytest.param({"host": "h"}, "h:8", id="hidden-port"),
    ],
)
def test_an_authority_that_agrees_with_its_parts_makes_no_difference(components, authority):
    answer = recorded(shows(**components, authority=authority))
    without_authority = recorded(shows(**components))
    assert answer.in_words() == without_authority.in_words()
    assert differing_components(answer, without_authority) == set()
    assert len(grouped([("a", answer), ("b", without_authority)])) == 1
