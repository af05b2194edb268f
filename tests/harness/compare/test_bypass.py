"""Texts that pass a check as one host and are fetched from another, by two parsers that are made up."""

from __future__ import annotations

import sys

import pytest

from urlharness.adapters.registry import find
from urlharness.compare.answers import Asked, LibraryAnswer
from urlharness.compare.bypass import Bypass, compare_hosts, find_bypasses, rfc_hosts, various
from urlharness.corpus.model import SPECS

#: One parser ends an authority at a backslash, as browsers do, and the other one does not.
LIB = r"""
import re

def host(url, ends):
    found = re.match(r"[a-z]+://([^" + ends + "]*)", url)
    if not found:
        return {"status": "reject"}
    authority = found[1].rpartition("@")[2]
    return {"status": "ok", "components": {"scheme": "http", "host": authority}}

def strict(question):
    return host(question["url"], "/?#")

def lax(question):
    return host(question["url"], r"/?#\\")

strict.hello = lax.hello = {"ops": ["parse"], "specs": []}
"""

TEXTS = ["http://a/", "http://a\\@b/", "http://cc\\@d/", "a b"]


@pytest.fixture
def parsers(tmp_path):
    (tmp_path / "lib.py").write_text(LIB, "utf-8")
    return [find(f"python:lib:{name}", tmp_path) for name in ("strict", "lax")]


def test_a_backslash(parsers):
    """RFC 3986, section 2, has no backslash, nor has an earlier RFC; so each of them closes it."""
    found = find_bypasses(*parsers, TEXTS)
    assert (found.texts, found.both, found.passing) == (4, 3, 2)
    (one,) = found.classes
    assert one.entry == "backslash"
    assert one.shortest == ("http://a\\@b/", "b", "a")
    assert {remedy.spec: remedy.left for remedy in found.remedies} == dict.fromkeys(SPECS, 0)


def test_planted_fault(parsers):
    """If both see the same hosts, there is nothing to find."""
    found = find_bypasses(parsers[1], parsers[1], TEXTS)
    assert (found.both, found.passing, found.same, found.hostless) == (3, 0, 0, 0)
    assert found.classes == ()


def asked(name, *hosts):
    """Return parsed answers with these hosts, and others as they are."""
    answers = [
        one if isinstance(one, LibraryAnswer) else LibraryAnswer("parsed", {"host": one}) for one in hosts
    ]
    return Asked(name, answers)


def compared(text, checked, fetched) -> Bypass:
    return compare_hosts(asked("check", checked), asked("fetch", fetched), [text])


REJECTED, VALID, CRASHED = LibraryAnswer("rejected"), LibraryAnswer("valid"), LibraryAnswer("none")

#: both accept, they differ in spelling, only the fetching one sees a host, it passes
COUNTS = [
    pytest.param("a", "b", (1, 0, 0, 1), id="other-host"),
    pytest.param("a", "a", (1, 0, 0, 0), id="same"),
    pytest.param("a", "A", (1, 1, 0, 0), id="case"),  # RFC 3986, 3.2.2
    pytest.param("%61", "a", (1, 1, 0, 0), id="triplet"),  # 6.2.2.2
    pytest.param("[::1]", "[0:0::1]", (1, 1, 0, 0), id="ipv6"),
    pytest.param("[fe80::1%25e]", "fe80::1%e", (1, 1, 0, 0), id="zone"),
    pytest.param("xn--bcher-kva", "bücher", (1, 1, 0, 0), id="idna"),
    pytest.param("1", "0.0.0.1", (1, 0, 0, 1), id="ipv4-form"),
    pytest.param(None, "a", (1, 0, 1, 0), id="no-host"),
    pytest.param("", "a", (1, 0, 1, 0), id="empty-host"),
    pytest.param("a", None, (1, 0, 0, 0), id="fetches-nothing"),
    pytest.param(REJECTED, "a", (0, 0, 0, 0), id="check-refuses"),
    pytest.param("a", REJECTED, (0, 0, 0, 0), id="fetch-refuses"),
    pytest.param(VALID, "a", (0, 0, 0, 0), id="no-components"),
    pytest.param(CRASHED, "a", (0, 0, 0, 0), id="crash"),
]


@pytest.mark.parametrize(("checked", "fetched", "counts"), COUNTS)
def test_what_is_counted(checked, fetched, counts):
    found = compared("http://a/", checked, fetched)
    assert (found.both, found.same, found.hostless, found.passing) == counts


REMEDIES = [
    # RFC 1738, section 3.3, has no user; the later ones have
    pytest.param("http://u@h/", {"rfc1738"}, id="user"),
    pytest.param("http://[::1]/", {"rfc1738", "rfc1808", "rfc2396"}, id="ipv6"),  # RFC 2732, section 2
    pytest.param("http://h/", set(), id="valid"),
    pytest.param("http://a b/", set(SPECS), id="blank"),
]


@pytest.mark.parametrize(("text", "refusing"), REMEDIES)
def test_remedies(text, refusing):
    """What an RFC refuses is left if another one is obeyed."""
    left = {remedy.spec: remedy.left for remedy in compared(text, "a", "b").remedies}
    assert left == {spec: int(spec not in refusing) for spec in SPECS}


def test_order_of_classes():
    """Named ones first, then the shortest witness, in a class as well, then the largest class."""
    texts = ["http://a/", "http://a\\bb/", "http://a\\b/", "http://a b/", "http://a%2e/", "http://b/"]
    check, fetch = asked("check", *"aaaaaa"), asked("fetch", *"bbbbbb")
    found = compare_hosts(check, fetch, texts)
    assert [(one.entry, len(one.witnesses)) for one in found.classes] == [
        ("backslash", 2),
        ("white-space", 1),
        ("escape-in-host", 1),
        (None, 2),
    ]
    assert [one.shortest.text for one in found.classes] == [texts[2], texts[3], texts[4], texts[0]]


def test_a_program_per_text_gets_a_sample(parsers, monkeypatch):
    """Texts that differ most; the other parser is asked the same ones."""
    monkeypatch.setattr("urlharness.compare.bypass.MOST_FOR_A_PROGRAM_PER_TEXT", 2)
    program = find(f"exec:{sys.executable} -ISc 'print(1)'")
    texts = [*(f"http://{number}/" for number in range(7)), "http://a\\b/"]
    found = find_bypasses(parsers[0], program, texts)
    assert found.texts == len(found.check.answers) == len(found.fetch.answers) == 2
    assert found.left_out == 6
    assert [one.components["host"] for one in found.check.answers] == ["0", "a\\b"]


def test_texts_that_differ_most():
    """Each set of delimiters once, those of few delimiters after `http://` first; then the longer texts."""
    texts = ["http://ab/", "//a@b/", "http://a@b@c/", "http://h1/", "http://h23/", "http://c/", "http://a@b/"]
    order = [5, 3, 6, 2, 1, 0, 4]
    assert various(texts, 99) == [texts[number] for number in order]
    assert various(texts, 3) == [texts[number] for number in order[:3]]


RFC_HOSTS = [
    pytest.param("http://h/", {**dict.fromkeys(SPECS, "h"), "rfc1808": "authority h"}, id="all"),
    pytest.param("a:b", {"rfc3986": "no host", "rfc1808": "no host"}, id="none"),
    pytest.param("http://[::1]/", {"rfc2396": "invalid", "rfc2732": "[::1]", "rfc3986": "[::1]"}, id="ipv6"),
    pytest.param("//h", {"rfc1738": "invalid", "rfc1808": "authority h", "rfc2396": "h"}, id="relative"),
]


@pytest.mark.parametrize(("text", "hosts"), RFC_HOSTS)
def test_hosts_of_the_rfcs(text, hosts):
    found = rfc_hosts(text)
    assert found.keys() == {*SPECS}
    assert hosts.items() <= found.items()
