"""Answers: what of a reply is compared, what is only spelling, and groups of equal answers."""

from __future__ import annotations

import msgspec
import pytest
from answer_samples import parts, shows, url
from hypothesis import given
from hypothesis import strategies as st

from urlharness.corpus.longtext import abbreviation
from urlharness.panel.answer import (
    BY_HARM,
    OTHER,
    VERDICT,
    Answer,
    answer_of,
    beyond_spelling,
    consensus,
    differing_components,
    distinct_hosts,
    grouped,
    harm_rank,
    recorded_answer,
    without_spelling,
)
from urlharness.panel.spelling import split
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Reply

TEXTS = st.text("aZ0:/?#[]@%41.~\\é ", max_size=16)


def of(reply, *, tells_empty=True):
    return recorded_answer(reply, tells_empty=tells_empty)


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
    answer = of(reply)
    assert answer.kind == kind
    assert answer.text == text
    assert answer.message == reply.get("message", "")
    assert answer.accepts is (kind in ("valid", "url", "other", "parsed"))
    assert answer.answered is (answer.accepts or kind == "rejected")


REPLIES = [
    *KINDS[:-1],
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
    assert (answer.kind, answer.text) == (kind, text)


def test_an_adapter_that_ended_gave_no_answer():
    answer = answer_of(Abnormal("crash", "signal 11", "stderr"), tells_empty=True)
    assert answer == Answer("none", text="crash", message="signal 11")


@pytest.mark.parametrize(("tells", "query"), [(True, ""), (False, None)])
def test_absent_and_empty_are_one_if_a_library_says_so(tells, query):
    """RFC 3986, section 5.3: an undefined component is not an empty one; a path is always defined."""
    answer = of(parts("http", "h", query=""), tells_empty=tells)
    assert answer.components["query"] == query
    assert answer.components["path"] == ""


def test_an_authority_counts_if_its_parts_are_not_shown():
    """RFC 3986, section 3.2."""
    assert "authority" not in of(shows(authority="u@h", host="h")).components
    assert of(shows(authority="u@h")).components == {"authority": "u@h"}


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
    assert of(reply).in_words() == words


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
    assert differing_components(of(first), of(second)) == components
    assert differing_components(of(second), of(first)) == components


def test_components_are_ordered_by_harm():
    """A host is what matters most; a component of another RFC counts as the one of RFC 3986 that it is."""
    names = [*BY_HARM, VERDICT, OTHER]
    assert sorted(set(names), key=harm_rank) == names
    assert harm_rank("host") == 0
    assert harm_rank("net_loc") == 0
    assert harm_rank("user") == harm_rank("userinfo")


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
    assert of(first) != of(second)
    assert without_spelling(of(first)) == without_spelling(of(second))


KEPT = [
    pytest.param(parts("http", "h", "/a%2Fb"), parts("http", "h", "/a/b"), id="delimiter"),  # RFC 3986, 2.2
    pytest.param(parts("http", "h", "/P"), parts("http", "h", "/p"), id="case-of-path"),  # 6.2.2.1
    pytest.param(parts("http", "h", "/", userinfo="U"), parts("http", "h", "/", userinfo="u"), id="user"),
    pytest.param(parts("https", "h", "/", port="80"), parts("https", "h", "/"), id="port-of-another"),
    pytest.param(parts("http", "h."), parts("http", "h"), id="trailing-dot"),
    pytest.param(parts("http", "[::1]"), parts("http", "[::2]"), id="address"),
    pytest.param(parts("http", "[fe80::1%25en0]"), parts("http", "[fe80::1]"), id="no-zone"),
    pytest.param(parts("http", "0x7f.1"), parts("http", "127.0.0.1"), id="ipv4-forms"),
    pytest.param(parts("http", "a" * 64 + "é"), parts("http", "a" * 64 + "e"), id="no-name"),
    pytest.param(url("http://h/a/../b"), url("http://h/b"), id="dots-of-a-result"),  # 5.2.4 removes them
    pytest.param(url("http://[v1.a]/"), url("http://v1.a/"), id="brackets-of-a-result"),  # 3.2.2
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_more_than_spelling_is_kept(first, second):
    assert differing_components(without_spelling(of(first)), without_spelling(of(second)))


@given(TEXTS)
def test_folding_twice_is_folding_once(text):
    once = without_spelling(of(parts(**split(text))))
    assert without_spelling(once) == once


@pytest.mark.parametrize("reply", [{"status": "reject"}, {"status": "ok"}, {"status": "ok", "equal": True}])
def test_an_answer_without_components_is_not_folded(reply):
    assert without_spelling(of(reply)) == of(reply)


H, G = parts("http", "h", "/p"), parts("http", "g", "/p")
NONE = {"status": "error"}

GROUPS = [
    pytest.param({"x": H, "y": G, "z": H}, [("x", "z"), ("y",)], id="largest-first"),
    pytest.param({"x": shows(path="/p"), "y": G, "z": H, "w": H}, [("z", "w", "x"), ("y",)], id="partial"),
    pytest.param({"x": shows(path="/q"), "y": H}, [("y",), ("x",)], id="partial-differs"),
    pytest.param({"x": H, "y": {"status": "ok"}}, [("x",), ("y",)], id="validity"),
    pytest.param({"x": {"status": "reject"}, "y": NONE}, [("x",), ("y",)], id="none"),
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
    groups = grouped((name, of(reply)) for name, reply in answers.items())
    assert [set(group.names) for group in groups] == [set(name) for name in names]


def test_a_group_shows_all_that_one_of_it_shows():
    """Whoever comes first."""
    for answers in ((shows(path="/p"), H), (H, shows(path="/p"))):
        (group,) = grouped((str(number), of(reply)) for number, reply in enumerate(answers))
        assert group.answer == of(H)


CONSENSUS = [
    pytest.param([H, H, H, G], "h", id="two-ahead"),
    pytest.param([H, H, G], None, id="one-ahead"),
    pytest.param([H], "h", id="alone"),
    pytest.param([H, H, NONE, NONE, NONE], "h", id="silence-does-not-count"),
    pytest.param([NONE, NONE], None, id="nobody"),
]


@pytest.mark.parametrize(("replies", "host"), CONSENSUS)
def test_the_consensus_is_the_answer_of_most(replies, host):
    group = consensus(grouped((str(number), of(reply)) for number, reply in enumerate(replies)))
    assert host == (None if group is None else group.answer.components["host"])


HOSTS = [
    pytest.param([H, G, parts("http", "H")], {"h", "g"}, id="case"),
    pytest.param([H, parts("a"), {"status": "reject"}, shows(path="")], {"h", None}, id="no-host"),
    pytest.param([parts("http", "[::1]"), parts("http", "0::1")], {"[::1]"}, id="spelling"),
    pytest.param([parts("http", "h."), parts("http", "h")], {"h."}, id="trailing-dot"),
    pytest.param([parts("http", ""), parts("http", None)], {None}, id="empty-or-absent"),
    pytest.param([parts("http", "%61"), parts("http", "a")], {"%61", "a"}, id="triplet"),
    pytest.param([parts("http", "\uff48"), parts("http", "h")], {"\uff48", "h"}, id="idna"),
]


@pytest.mark.parametrize(("replies", "listed"), HOSTS)
def test_the_hosts_of_answers_are_listed(replies, listed):
    assert set(distinct_hosts(map(of, replies))) == listed


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


@pytest.mark.parametrize(("left_host", "right_host", "differs"), BEYOND)
def test_a_difference_of_hosts_is_more_than_spelling_if_more_than_case_or_dot_differs(
    left_host, right_host, differs
):
    first, second = of(left_host), of(right_host)
    parts_that_differ = differing_components(without_spelling(first), without_spelling(second))
    assert ("host" in beyond_spelling(first, second, parts_that_differ)) is differs


@pytest.mark.parametrize(("first", "second", "differs"), [row for row in BEYOND if row.id != "url"])
def test_hosts_are_counted_alike_for_one_text_and_for_a_pair(first, second, differs):
    assert (len(distinct_hosts([of(first), of(second)])) > 1) is differs


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


@pytest.mark.parametrize(
    ("components", "authority", "visible"),
    [
        (LITERAL, "u:@[v1f.a:b]", None),
        (LITERAL, "u:@v1f.a:b", "host [v1f.a:b]  authority u:@v1f.a:b  userinfo u:  scheme http  path /"),
        (LITERAL, None, None),
        ({**LITERAL, "host": None}, "a", "no host  authority a  userinfo u:  scheme http  path /"),
        (SECURE, "h", None),
        (SECURE, "h:80", "host H  authority h:80  scheme https  port 443"),
        ({"host": "h"}, "h:8", None),
        ({"host": "h"}, "other", "host h  authority other"),
        ({"userinfo": "a,b", "host": "h"}, "a%2Cb@h:8", "host h  authority a%2Cb@h:8  userinfo a,b"),
    ],
    ids=["same", "no-brackets", "absent", "no-host", "spelling", "port", "hidden-port", "host", "userinfo"],
)
def test_an_authority_is_shown_if_it_contradicts_its_parts(components, authority, visible):
    """RFC 3986 section 3.2: the authority is userinfo, host and port with their delimiters."""
    reply = {"status": "ok", "components": {**components, "authority": authority}}
    answer = recorded_answer(reply, tells_empty=True)
    alone = recorded_answer({"status": "ok", "components": components}, tells_empty=True)
    differs = visible is not None
    assert answer.in_words() == (visible if differs else alone.in_words())
    assert differing_components(answer, alone) == ({"authority"} if differs else set())
    assert len(grouped([("a", answer), ("b", alone)])) == 1 + differs
