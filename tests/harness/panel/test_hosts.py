"""Relations of two hosts: as texts, and by the target that a resolver would contact."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlharness.panel.hosts import HostRelation, host_relation, host_spelling, host_target, same_host

SAME, SPELLING, DOT = HostRelation.SAME, HostRelation.SPELLING, HostRelation.TRAILING_DOT
SAME_TARGET, OTHER = HostRelation.SAME_TARGET, HostRelation.OTHER_TARGET

#: Two hosts, and their relation.
RELATIONS = [
    pytest.param("a", "a", SAME, id="equal"),
    pytest.param("a", "A", SPELLING, id="case"),  # RFC 3986, 3.2.2
    pytest.param("%6c", "%6C", SPELLING, id="case-of-a-triplet"),
    pytest.param("É", "é", SAME_TARGET, id="case-beyond-ascii"),
    pytest.param("a", "a.", DOT, id="trailing-dot"),
    pytest.param("a..", "a", OTHER, id="two-trailing-dots"),
    pytest.param("[::1]", "::1", SPELLING, id="brackets"),
    pytest.param("[::1]", "[0:0:0::01]", SPELLING, id="zeros"),
    pytest.param("[2001:db8:0::1]", "[2001:DB8::1]", SPELLING, id="zero-before-the-gap"),
    pytest.param("1:0:0:2::3", "1::2:0:0:3", OTHER, id="another-gap"),
    pytest.param("[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]", OTHER, id="last-group"),
    pytest.param("[::1.2.3.4]", "[0::1.2.3.4]", SPELLING, id="dotted-end"),
    pytest.param("[::1.2.3.4]", "[::102:304]", SAME_TARGET, id="dotted-and-hexadecimal"),
    pytest.param("[::ffff:1.2.3.4]", "1.2.3.4", SAME_TARGET, id="mapped"),  # RFC 4291, 2.5.5.2
    pytest.param("[::ffff:102:304]", "1.2.3.4", SAME_TARGET, id="mapped-hexadecimal"),
    pytest.param("[::1.2.3.4]", "1.2.3.4", OTHER, id="compatible"),  # RFC 4291, 2.5.5.1: no such route
    pytest.param("[fe80::1%25en0]", "[fe80::1%25en1]", OTHER, id="zones"),
    pytest.param("[fe80::1%25en0]", "[fe80::1]", OTHER, id="lost-zone"),
    pytest.param("[fe80::1%25en0]", "fe80:0::1%25en0", SPELLING, id="zone-and-zeros"),
    pytest.param("[fe80::1%25en0]", "fe80::1%en0", SAME_TARGET, id="percent-of-a-zone"),  # RFC 6874, 2
    pytest.param("[v1.a]", "v1.a", OTHER, id="name-in-brackets"),  # a resolver looks v1.a up
    pytest.param("[1::2::3]", "1::2::3", SPELLING, id="no-address-in-brackets"),
    pytest.param("[[:]]", "[:]", OTHER, id="brackets-in-brackets"),
    pytest.param("127%2e0%2e0%2e1", "127.0.0.1", SAME_TARGET, id="encoded-dots"),
    pytest.param("%6cocalhost", "localhost", SAME_TARGET, id="encoded-letter"),
    pytest.param("ⓛocalhost", "localhost", SAME_TARGET, id="circled-letter"),
    pytest.param("127。0。0。1", "127.0.0.1", SAME_TARGET, id="ideographic-dots"),
    pytest.param("\uff48", "h", SAME_TARGET, id="full-width"),
    pytest.param("bücher", "xn--bcher-kva", SAME_TARGET, id="idna"),
    pytest.param("a%2Eb.", "a.b", SAME_TARGET, id="encoded-dot-and-trailing-dot"),
    pytest.param("0x7f.1", "127.0.0.1", SAME_TARGET, id="hexadecimal-address"),
    pytest.param("2130706433", "127.0.0.1", SAME_TARGET, id="number"),
    pytest.param("0177.0.0.1", "177.0.0.1", OTHER, id="octal-address"),
    pytest.param("a\\", "a", OTHER, id="backslash"),
    pytest.param("a\\.", "a", OTHER, id="backslash-and-dot"),  # a path that normalization removes
    pytest.param("\\a", "a", OTHER, id="backslash-before-the-name"),
    pytest.param("a/.", "a", OTHER, id="slash"),
    pytest.param("u@a", "a", OTHER, id="userinfo"),
    pytest.param("@a", "a", OTHER, id="empty-userinfo"),
    pytest.param("a:80", "a", OTHER, id="default-port"),
    pytest.param("a:", "a", SAME_TARGET, id="empty-port"),
    pytest.param("[a:", "[a", OTHER, id="colon-after-an-open-bracket"),
    pytest.param("a.80:", "a.80", SAME_TARGET, id="empty-port-of-a-refused-name"),
    pytest.param("[::ffff:192.0.2.1]:", "192.0.2.1", SAME_TARGET, id="empty-port-of-a-mapped-address"),
    pytest.param("[::1]:80", "[::1]", OTHER, id="port-after-brackets"),
    pytest.param("a\uff0fb", "a/b", SAME_TARGET, id="full-width-slash"),  # mapped to a delimiter
    pytest.param("a", "b", OTHER, id="names"),
    pytest.param("a b", "A B", SPELLING, id="refused-by-the-parser"),
    pytest.param("a b", "a%20b", SAME_TARGET, id="both-refused-by-the-parser"),  # RFC 3986, 3.2.2
    pytest.param("h%FF", "h\udcff", SAME_TARGET, id="encoded-byte"),
    pytest.param("h%FF", "h%FE", OTHER, id="other-encoded-bytes"),
    pytest.param("a%5Cb", "a\\b", SAME_TARGET, id="encoded-delimiter"),
    pytest.param("h%25", "h%", SAME_TARGET, id="encoded-percent"),
    pytest.param("h%2541", "hA", OTHER, id="decoded-once"),
    pytest.param("h\udcff", "h\udcff", SAME, id="bytes"),
    pytest.param("h\udcff", "h\udcfe", OTHER, id="other-bytes"),
    pytest.param("a\0b", "a", OTHER, id="nul"),
]


@pytest.mark.parametrize(("first", "second", "relation"), RELATIONS)
def test_two_hosts_have_their_relation(first, second, relation):
    assert host_relation(first, second) is relation


@pytest.mark.parametrize(("first", "second", "relation"), RELATIONS)
def test_the_relation_of_two_hosts_is_symmetric(first, second, relation):
    assert host_relation(second, first) is relation


@pytest.mark.parametrize(("first", "second", "relation"), RELATIONS)
def test_same_host_is_the_relation_of_texts(first, second, relation):
    assert same_host(first, second) is (relation in (SAME, SPELLING, DOT))


#: A host of a URL, what a client gives to a resolver, and their relation.
RESOLVED = [
    pytest.param("%41", "a", SAME_TARGET, id="decoded"),
    pytest.param("h%", "h%25", OTHER, id="encoded-percent"),
    pytest.param("%2541", "%41", SAME_TARGET, id="decoded-once"),
    pytest.param("%41", "%41", SAME, id="kept"),
    pytest.param("a", "%61", OTHER, id="a-resolver-does-not-decode"),
    pytest.param("[fe80::1%25en0]", "[fe80::1%en0]", SAME_TARGET, id="zone"),
    pytest.param("[fe80::1%en0]", "fe80::1%25en0", OTHER, id="zone-with-the-percent-of-a-url"),
    pytest.param("a\uff0fb", "a/b", SAME_TARGET, id="full-width-slash"),
    pytest.param("127.0.0.1", "0x7f.1", SAME_TARGET, id="address"),
    pytest.param("xn--bcher-kva", "bücher", SAME_TARGET, id="python-maps-before-it-resolves"),
]


@pytest.mark.parametrize(("host", "resolved", "relation"), RESOLVED)
def test_a_host_has_its_relation_to_a_resolved_name(host, resolved, relation):
    assert host_relation(host, resolved, resolved=True) is relation


@pytest.mark.parametrize(
    ("first", "second"),
    [(None, None), (None, ""), ("", None)],
    ids=["both-absent", "absent-and-empty", "empty-and-absent"],
)
def test_an_absent_host_is_an_empty_one(first, second):
    assert same_host(first, second)


def test_an_absent_host_is_not_a_name():
    assert not same_host(None, "a")


@given(st.text(alphabet="aA1.:[]%25\\é。"))
@example("[[:]]")
def test_the_spelling_of_a_spelling_is_the_same(host):
    once = host_spelling(host)
    assert host_spelling(once) in (once, once.removesuffix("."))


@given(st.ip_addresses(v=6))
def test_all_spellings_of_an_address_are_one(address):
    """RFC 4291, section 2.2: leading zeros, and `::` for groups of zeros."""
    expected = host_spelling(address.exploded)
    assert host_spelling(f"[{address.compressed.upper()}]") == expected


TARGETS = [
    pytest.param("A.Example.", "a.example", id="name"),
    pytest.param("::1", "[::1]", id="address"),
    pytest.param("[fe80::1%25En0]", "[fe80::1%En0]", id="zone"),
    pytest.param("fe80::1%25", "[fe80::1%25]", id="zone-25"),
    pytest.param("A B", "a b", id="refused"),
    # the URL standard refuses a last label that is a number, and a label of mixed directions
    pytest.param("Bücher.123", "xn--bcher-kva.123", id="letters-in-a-refused-name"),
    pytest.param("1\u0627b", "xn--1b-ctd", id="label-that-is-refused"),
    pytest.param("%FF.123", "\udcff.123", id="byte-in-a-refused-name"),
]


@pytest.mark.parametrize(("host", "target"), TARGETS)
def test_a_host_has_the_target_that_is_connected_to(host, target):
    assert host_target(host) == target


def test_texts_are_compared_without_the_parser():
    """`ask` compares only texts, and must start quickly."""
    code = """
import sys
from urlharness.panel.hosts import same_host
same_host("a", "b")
print("ada_url" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
