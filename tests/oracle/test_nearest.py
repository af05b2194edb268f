"""The nearest valid text: what a person would write near the error, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from urloracle.explanation import nearest_valid
from urloracle.nearest import Repair
from urloracle.rfcs import SPECIFICATIONS

from . import nearest_checks

ALPHABET = "a1:/?#[]@%.- "
URI = ("rfc3986", None)
URL = ("rfc1738", None)

#: The RFC and its rule, an invalid text, and the nearest valid one with the edit.
REPAIRS = [
    ("rfc1738", "httpurl", "http://u@host/", Repair("http://host/", "delete", 7, "u@")),
    (*URL, "http://h/~a", Repair("http://h/%7Ea", "escape", 9, "~", offsets=(9,))),
    (*URL, "http://h?q", Repair("http://h/?q", "insert", 8, "/")),
    (*URL, "http://k\u00f6ln.de/", Repair("http://xn--kln-sna.de/", "replace", 7, "xn--kln-sna")),
    (*URL, "a.b", Repair("http://a.b", "insert", 0, "http://")),
    ("rfc3986", "URI", "//h.com/", Repair("http://h.com/", "insert", 0, "http:")),
    (
        *URI,
        "http://h/a b\u00e9 c",
        Repair("http://h/a%20b%C3%A9%20c", "escape", 10, " ", offsets=(10, 12, 13)),
    ),
    (*URI, "\u00e9", Repair("%C3%A9", "escape", 0, "\u00e9", offsets=(0,))),
    (*URI, "a\udcff", Repair("a%FF", "escape", 1, "\udcff", offsets=(1,))),
    (*URI, "a\ud800", Repair("a", "delete", 1, "\ud800")),
    (*URI, "http://\u00e9/", Repair("http://%C3%A9/", "escape", 7, "\u00e9", offsets=(7,))),
    (*URI, "100% sure", Repair("100%25%20sure", "escape", 3, "%", offsets=(3, 4))),
    (*URI, "a[1]#b#c", Repair("a%5B1%5D#b%23c", "escape", 1, "[", offsets=(1, 3, 6))),
    (*URI, " http://h/", Repair("http://h/", "delete", 0, " ")),
    (*URI, "http://h/\n", Repair("http://h/", "delete", 9, "\n")),
    (*URI, "<a>", Repair("a", "delete", 0, "<", offsets=(0, 2))),
    (*URI, "<http://h/>", Repair("http://h/", "delete", 0, "<", offsets=(0, 10))),
    (*URI, '"http://u@h:1/"', Repair("http://u@h:1/", "delete", 0, '"', offsets=(0, 14))),
    (*URI, " <http://host/> ", Repair("http://host/", "delete", 0, " ", offsets=(0, 1, 14, 15))),
    (
        *URI,
        "<http://h/a b>",
        Repair("http://h/a%20b", "delete", 0, "<", "escape ' ' at offset 11", (0, 13)),
    ),
    (*URI, "http:\\\\h\\a", Repair("http://h/a", "replace", 5, "/", offsets=(5, 6, 8))),
    (*URI, "http://h/?\\d", Repair("http://h/?%5Cd", "escape", 10, "\\", offsets=(10,))),
    (*URI, "http://a b/", Repair("http://a%20b/", "escape", 8, " ", offsets=(8,))),  # 3.2.2: reg-name
    (*URI, "http:// a/", Repair("http://a/", "delete", 7, " ")),
    (*URI, "http://a b.com/c d", Repair("http://a%20b.com/c%20d", "escape", 8, " ", offsets=(8, 16))),
    (*URI, "http:// a /", Repair("http://a/", "delete", 7, " ", offsets=(7, 9))),
    (*URI, " http://h/ ", Repair("http://h/", "delete", 0, " ", offsets=(0, 10))),
    (*URI, " http://host.example/\n", Repair("http://host.example/", "delete", 0, " ", offsets=(0, 21))),
    (*URI, "  http://h/", Repair("http://h/", "delete", 0, " ", offsets=(0, 1))),
    (*URI, "http://h/a\tb\n", Repair("http://h/ab", "delete", 10, "\t", offsets=(10, 12))),
    (
        *URI,
        " http://h/a b",
        Repair("http://h/a%20b", "delete", 0, " ", note="escape ' ' at offset 11"),
    ),
    (*URL, "http://h:/", Repair("http://h/", "delete", 8, ":")),
    (*URI, "h ttp://x", Repair("http://x", "delete", 1, " ")),
    (*URI, "http://a@b@c/", Repair("http://a%40b@c/", "escape", 8, "@", offsets=(8,))),
    (  # the authority is complete, and the `@` belongs to the path
        *URI,
        "https://a.example:443/@user/a b",
        Repair("https://a.example:443/@user/a%20b", "escape", 29, " ", offsets=(29,)),
    ),
    (*URI, "http://::1/", Repair("http://[::1]/", "insert", 7, "[]")),
    (*URI, "http://[::1/", Repair("http://[::1]/", "insert", 11, "]")),
    (*URI, "http://h:b/", Repair("http://h/", "delete", 8, ":b")),
    (*URI, "http://h:8x/", Repair("http://h:8/", "delete", 10, "x")),
    (*URI, "1a:b", Repair("./1a:b", "insert", 0, "./")),
    ("rfc3986", "pct-encoded", "%4", Repair("%4a", "insert", 2, "a")),
    ("rfc2396", "absoluteURI", "foo:", Repair("foo:a", "insert", 4, "a")),
    ("rfc3986", "dec-octet", "256", Repair("25", "delete", 2, "6")),
    (  # browsers take no backslash of this scheme for a slash
        *URI,
        "mssql+pymssql://CORP\\user.name:R@pw10@192.0.2.21/DB",
        Repair(
            "mssql+pymssql://CORP%5Cuser.name:R%40pw10@192.0.2.21/DB", "escape", 20, "\\", offsets=(20, 32)
        ),
    ),
]


@pytest.mark.parametrize(("spec", "rule", "text", "repair"), REPAIRS)
def test_a_text_has_the_repair_that_a_person_would_make(spec, rule, text, repair):
    assert nearest_valid(text, spec, rule) == repair


@pytest.mark.parametrize(("spec", "rule", "text", "repair"), REPAIRS)
def test_the_repair_that_a_person_would_make_is_valid(spec, rule, text, repair):
    assert SPECIFICATIONS[spec].problem(repair.text, rule) is None


#: The RFC and its rule, and an invalid text for which nothing is proposed.
SILENT = [
    pytest.param(*URL, "http://a b/", id="no-escape-in-a-hostname"),
    pytest.param("rfc3986", "scheme", "a b", id="two-words"),
    pytest.param("rfc3986", "IPv6address", "gggg", id="no-single-edit"),
    pytest.param(*URI, "http://a.example\\@b.example/x y", id="two-hosts"),
    pytest.param(*URI, "http://a.example\\@b.example/", id="two-hosts-alone"),
    pytest.param(*URI, "//a.example\\@b.example/", id="two-hosts-of-a-reference"),
    pytest.param(*URL, "http://-error-.invalid/", id="another-scheme"),
    pytest.param(*URL, " http://80", id="another-scheme-in-place-of-a-blank"),
    pytest.param("rfc3986", "URI", "../foo", id="dots-as-host"),
    pytest.param(*URL, "../foo", id="dots-as-scheme"),
    pytest.param("rfc3986", "URI", "a", id="scheme-alone"),
    pytest.param(*URL, "http://user@host/", id="user-far-from-the-error"),
    pytest.param(*URL, "http://b\u00fccher.de/", id="label-far-from-the-error"),
    pytest.param(*URL, "http://\u00df/", id="label-with-another-host"),
    pytest.param(*URL, "www.h.com", id="scheme-far-from-the-error"),
    pytest.param(*URL, "http://h_/", id="another-host"),
    pytest.param(*URI, "http://h:port/", id="host-as-user"),
    pytest.param(*URI, "http://fe80:0:0::1/", id="address-as-user"),
    pytest.param(*URL, "http://@", id="user-as-host"),
    pytest.param(*URI, ">http://host.example/<", id="brackets-the-wrong-way-round"),
    pytest.param(*URL, "<//u@host.example/>", id="delimiters-around-another-error"),
    pytest.param(*URI, "1http://h/", id="host-in-the-path"),
    pytest.param(*URI, "file://a|", id="drive"),
    pytest.param(*URI, "http://[fe80::1%eth0]:80/", id="long-zone"),
    pytest.param(*URI, "http://h:80:90/", id="port-of-two-numbers"),
    pytest.param(*URI, "foo://h:8:0", id="port-of-another-scheme"),
    pytest.param(*URI, "http://h:\uff181/", id="full-width-digit-of-a-port"),
    pytest.param(*URI, "http://h:8x1/", id="digit-after-a-letter-of-a-port"),
    pytest.param(*URI, "http://h:-1/", id="negative-port"),
    pytest.param(*URI, "https://user:pa#ss@host/", id="password-with-number-sign"),
    pytest.param(*URI, "https://user:pa/ss@host/", id="password-with-slash"),
    pytest.param(*URI, "https://user:p?w@host/", id="password-with-question-mark"),
    pytest.param(*URI, "ssh://bob:x#y@host/", id="password-of-another-scheme"),
    pytest.param(*URI, "//bob:x#y@host/", id="password-of-a-reference"),
    pytest.param(*URI, "https://a@b:c#d@host/", id="password-with-two-delimiters"),
    pytest.param(*URI, "https://user:99999#p w@host/", id="password-of-digits"),
    pytest.param(*URI, "https://to ken#a@host/", id="user-alone-with-number-sign"),
]


@pytest.mark.parametrize(("spec", "rule", "text"), SILENT)
def test_nothing_is_proposed_that_misleads(spec, rule, text):
    assert nearest_valid(text, spec, rule) is None


#: An invalid text, and the edit in words.
DESCRIPTIONS = [
    ("http://h/a b", "escape ' ' at offset 10"),
    ("http://h/\udcff", "escape the byte \\xff at offset 9"),
    ("http://h/a b c", "escape 2 characters, at offsets 10 and 12"),
    ("http://h/\u00e9 ", "delete ' ' at offset 10; escape '\u00e9' at offset 9"),
    ("http://h/<tag>", "escape 2 characters, at offsets 9 and 13"),
    ('http://h/"tag"', "escape 2 characters, at offsets 9 and 13"),
    ("http://h/<x>", "escape 2 characters, at offsets 9 and 11"),
    ("http://h/na\u00efve caf\u00e9", "escape 3 characters, at offsets 11, 14 and 18"),
    (
        "http://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/",
        "escape 8 characters, the first at offset 7 and the last at 15",
    ),
    ("http://h/\u043f\u0440\u0438\u043c", "escape 4 characters, from offset 9 to 12"),
    ("http:\\\\h\\a\\", "replace 4 backslashes by '/', the first at offset 5 and the last at 10"),
    ("http:\\\\h/", "replace 2 backslashes by '/', at offsets 5 and 6"),
    ("http://h\\a b", "replace by '/' at offset 8; escape ' ' at offset 10"),
    ("http://h:8x/", "delete 'x' at offset 10"),
    ("http://[::1/", "insert ']' at offset 11"),
    ("  http://h/\n", "delete 3 characters, at offsets 0, 1 and 11"),
    (" http://h/a b ", "delete 2 characters, at offsets 0 and 13; escape ' ' at offset 11"),
]


@pytest.mark.parametrize(("text", "words"), DESCRIPTIONS)
def test_the_edit_is_described_with_number_and_place(text, words):
    assert nearest_valid(text, "rfc3986").description == words


@pytest.mark.parametrize("zone", ["%en0", "%251"])
def test_the_repair_of_an_address_with_a_zone_leaves_the_zone_out(zone):
    nearest = nearest_valid(f"http://[fe80::1{zone}]:80/", "rfc3986")
    assert nearest.text == "http://[fe80::1]:80/"
    assert nearest.character == zone


@pytest.mark.parametrize("zone", ["%en0", "%251"])
def test_the_repair_of_an_address_with_a_zone_cites_rfc6874(zone):
    assert "RFC 6874" in nearest_valid(f"http://[fe80::1{zone}]:80/", "rfc3986").note


def test_the_repair_of_a_zone_with_a_bare_percent_sign_shows_its_form_in_rfc6874():
    assert "%25en0" in nearest_valid("http://[fe80::1%en0]:80/", "rfc3986").note


def test_the_repair_of_a_zone_in_the_form_of_rfc6874_does_not_show_that_form():
    assert "%251" not in nearest_valid("http://[fe80::1%251]:80/", "rfc3986").note


#: Parts of texts that RFCs and browsers divide in different ways.
PIECES = [
    *("http://", "http:/", "http:", "//", "foo://", "file://", "ws:\\\\", " HTTP://", "user", "b.example"),
    *("::1", "80", "%41", "%5C", "%40", "xn--9ca", "1.2.3.4"),
    *"@\\/?#[]:% |\t<>_-.^C\x00\u00e9\u00df\uff0f\u3002\udcff",
]


#: Texts of these pieces, most of them with a host for browsers.
BEGINNINGS = st.sampled_from(["", "http:", "http://", "foo://"])
TEXTS = st.builds(
    str.__add__, BEGINNINGS, st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
)


def of_proposals(test):
    """Run a test under each RFC with such texts. Under RFC 1738, most have no proposal."""
    test = given(text=TEXTS)(test)
    test = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])(test)
    test = pytest.mark.parametrize("spec", SPECIFICATIONS)(test)
    return pytest.mark.sampled(keep="rfc3986")(test)


def proposed_text(text, spec):
    """Return the text that is proposed in place of another. Without one, the example does not count."""
    nearest = nearest_valid(text, spec)
    assume(nearest is not None)
    return nearest.text


@of_proposals
def test_a_proposed_text_is_valid(spec, text):
    assert SPECIFICATIONS[spec].problem(proposed_text(text, spec)) is None


@of_proposals
def test_browsers_see_no_other_host_in_a_proposed_text(spec, text):
    assert nearest_checks.browsers_see_one_host(text, proposed_text(text, spec))


@of_proposals
def test_a_proposed_text_keeps_the_user_information(spec, text):
    assert nearest_checks.keeps_user_information(text, proposed_text(text, spec))


@of_proposals
def test_a_proposed_text_differs_near_the_error(spec, text):
    error = SPECIFICATIONS[spec].problem(text)
    assume(error is not None)
    assert nearest_checks.differs_near(text, proposed_text(text, spec), error.position)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECIFICATIONS)
@settings(max_examples=60, deadline=None)
@given(drawing=st.data())
def test_a_proposed_text_is_valid_under_the_rule(spec, drawing):
    rule = drawing.draw(st.sampled_from(list(SPECIFICATIONS[spec].grammar)))
    text = drawing.draw(st.text(alphabet=ALPHABET, max_size=6))
    nearest = nearest_valid(text, spec, rule)
    assert nearest is None or SPECIFICATIONS[spec].language(rule).automaton.accepts(nearest.text)


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_text_that_a_rule_derives_is_not_repaired(spec, walks):
    for rule in SPECIFICATIONS[spec].grammar:
        members = list(walks(spec, rule).members(5))
        assert members, rule
        assert [member for member in members if nearest_valid(member, spec, rule)] == [], rule


#: A check, and two texts of which the second must not be proposed for the first.
MISLEADING = [
    pytest.param(
        nearest_checks.browsers_see_one_host,
        "http://a\\@b/",
        "http://a%5C@b/",
        id="another-host-for-browsers",
    ),
    pytest.param(nearest_checks.keeps_user_information, "http://a@b|/", "http://a/", id="user-as-host"),
    pytest.param(nearest_checks.keeps_user_information, "http://a:b#c@h/", "http://a#c@h/", id="password"),
    pytest.param(nearest_checks.keeps_user_information, "http://h:p/", "http://h:p@", id="host-as-user"),
]


@pytest.mark.parametrize(("check", "text", "repaired"), MISLEADING)
def test_the_checks_notice_a_misleading_text(check, text, repaired):
    assert not check(text, repaired)


#: The offset of the error in each text below.
ERROR = 0


@pytest.mark.parametrize(
    ("text", "repaired", "is_near"),
    [
        pytest.param("abcdef", "abcdef", True, id="no-change"),
        pytest.param("abcdefgh", "abcdefg", False, id="at-the-end"),
        pytest.param("abcdefgh", "bcdefgh", True, id="at-the-error"),
        pytest.param("abcXefgh", "abcefgh", True, id="three-characters-away"),
        pytest.param("abcdXfgh", "abcdfgh", False, id="four-characters-away"),
        pytest.param("a\\bcdefg h", "a/bcdefg%20h", True, id="slash-and-escape"),
        pytest.param("abcdef", "abcdefg", False, id="one-more-at-the-end"),
    ],
)
def test_a_change_is_near_within_three_characters_of_the_error(text, repaired, is_near):
    assert nearest_checks.differs_near(text, repaired, ERROR) is is_near


def test_a_valid_text_has_no_repair():
    assert nearest_valid("http://h/", "rfc3986") is None


#: More characters than a text may have for which a repair is looked for, which takes long.
TOO_LONG = 5000


def test_a_long_text_is_not_repaired():
    assert nearest_valid("a" * TOO_LONG + " ", "rfc3986") is None


def test_half_of_a_surrogate_pair_in_a_host_has_no_repair():
    """The hosts are compared before and after an edit, and such a half has no octets."""
    assert nearest_valid("x://a\ud800/", "rfc3986") is None
