"""The refusals of a text: the first one, and those after its fault is repaired."""

from __future__ import annotations

import pytest

from urlharness.explain.refusal import authority_faults, find_refusals
from urloracle.rfcs import SPECIFICATIONS


def refused(text: str, spec: str) -> list[tuple[int, str]]:
    """Return offset and character of each refusal."""
    examination = find_refusals(text, spec, SPECIFICATIONS[spec].problem(text))
    return [(at, refusal.char) for at, refusal in examination.refusals]


# a text, an RFC, and the characters that it refuses one after the other
TEXTS = [
    ("http://h/", "rfc1738", []),
    ("http://u@h/?a/b#c", "rfc1738", [(8, "@"), (13, "/"), (15, "#")]),
    ("http://h/a b c", "rfc3986", [(10, " "), (12, " ")]),
    ("http://h/%zz~", "rfc1738", [(10, "z"), (12, "~")]),
    ("1a:b/c d", "rfc3986", [(2, ":"), (6, " ")]),
    ("http://h:x/ ", "rfc3986", [(10, "/"), (11, " ")]),  # h:x could be userinfo
    ("//h/", "rfc1738", [(0, "/")]),
]


@pytest.mark.parametrize(("text", "spec", "offsets"), TEXTS)
def test_each_fault_is_refused_once(text, spec, offsets):
    """Offsets are those of the original text, although each fault is repaired before the next is found."""
    assert refused(text, spec) == offsets


def test_a_long_text_has_its_first_refusal_only():
    """No text of more than 2,000 characters is repaired."""
    assert refused("a b" + "c" * 3000 + " ", "rfc3986") == [(1, " ")]


def test_a_rule_of_its_own_has_its_first_refusal_only():
    problem = SPECIFICATIONS["rfc3986"].problem("a/b/c", "segment")
    examination = find_refusals("a/b/c", "rfc3986", problem, "segment")
    assert [at for at, _ in examination.refusals] == [1]
    assert examination.end == 1


def test_what_follows_a_text_that_was_replaced_is_not_examined():
    """After the fragment of an http URL, RFC 1738 says nothing."""
    text = "http://h/#a b"
    examination = find_refusals(text, "rfc1738", SPECIFICATIONS["rfc1738"].problem(text))
    assert [at for at, _ in examination.refusals] == [9]
    assert [at for at in (8, 9, 11) if examination.accepts(at)] == [8]


def test_what_follows_the_last_refusal_that_is_listed_is_not_examined():
    """The search ends after 16 refusals, although RFC 1738 also refuses the last character of this text."""
    text = f"http://h/{'~' * 16}<"
    examination = find_refusals(text, "rfc1738", SPECIFICATIONS["rfc1738"].problem(text))
    assert [at for at, _ in examination.refusals] == list(range(9, 25))
    assert not examination.accepts(text.index("<"))


AUTHORITIES = [
    ("h", ""),
    ("u:p@h:80", ""),
    ("", "empty-host"),
    ("h:", "empty-port"),
    ("h:x", "port-digits"),
    ("a@b@h", "several-ats"),
    ("a:b:c@h", "login-delimiter"),
    ("h?q", "netloc-end"),
    ("::1", "ipv6-literal"),
    ("a_b", "host-label"),
    ("h.", "trailing-dot"),
    ("127.1", "ipv4-forms"),
    ("256.1.1.1", "ipv4-range"),
    ("0256.1.1.1", "ipv4-forms ipv4-range"),
    ("a%41:", "empty-port escape-in-host"),
]


@pytest.mark.parametrize(("authority", "classes"), AUTHORITIES)
def test_each_fault_of_an_authority_has_its_class(authority, classes):
    assert authority_faults(authority) == set(classes.split())
