"""The exceptions of the oracle: their fields, exact messages, copies and pickles."""

from __future__ import annotations

import copy
import pickle

import pytest

from urloracle.errors import InvalidURL, describe
from urloracle.grammar.grammar import UnknownRule
from urloracle.operations import normalize, resolve, validate
from urloracle.rfc.recomposition import MissingComponent
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import Unsupported


def _problem(text, spec, rule=None, profile=None):
    with pytest.raises(InvalidURL) as caught:
        validate(text, spec, rule, profile)
    return caught.value


def test_fields():
    """RFC 1738, section 3.3: no user name in an http URL; everything known about it is a field."""
    problem = _problem("http://u@h/", "rfc1738")
    assert problem.text == "http://u@h/"
    assert (problem.spec, problem.rule, problem.section, problem.reason) == ("rfc1738", "url", "3.3", "")
    assert problem.position == 8
    letters = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert problem.expected == letters | frozenset("0123456789-./:")
    assert problem.rules[:4] == ("url", "httpurl", "hostport", "host")
    assert isinstance(problem, ValueError)


MESSAGES = {
    "character": (
        ("http://u@h/", "rfc1738"),
        (
            "not a valid url of RFC 1738: '@' at offset 8; expected a-z A-Z 0-9 - . / : (section 3.3)\n"
            "  http://u@h/\n"
            "          ^"
        ),
    ),
    "end": (
        ("http://h/%4", "rfc3986"),
        (
            "not a valid URI-reference of RFC 3986: it ends too early; expected 0-9 a-f A-F (section 1.3)\n"
            "  http://h/%4\n"
            "             ^"
        ),
    ),
    "nothing-more": (
        ("telnet://h/x", "rfc1738"),
        (
            "not a valid url of RFC 1738: 'x' at offset 11; expected the end (section 3.8)\n"
            "  telnet://h/x\n"
            "             ^"
        ),
    ),
    "first": (
        (":a", "rfc1738", "scheme"),
        "not a valid scheme of RFC 1738: ':' at offset 0; expected a-z 0-9 + - . (section 2.1)\n  :a\n  ^",
    ),
    "empty-text": (
        ("", "rfc3986", "dec-octet"),
        "not a valid dec-octet of RFC 3986: it ends too early; expected 0-9 (section 3.2.2)\n  \n  ^",
    ),
    "blank": (
        ("1 2", "rfc3986", "port"),
        "not a valid port of RFC 3986: blank at offset 1; expected 0-9 (section 1.3)\n  1 2\n   ^",
    ),
    "double-quote": (
        ('1"', "rfc2396", "port"),
        'not a valid port of RFC 2396: double quote at offset 1; expected 0-9 (section 1.6)\n  1"\n   ^',
    ),
    "quote": (
        ("1'", "rfc2396", "port"),
        "not a valid port of RFC 2396: \"'\" at offset 1; expected 0-9 (section 1.6)\n  1'\n   ^",
    ),
    "control": (
        ("1\t\n\x00x", "rfc3986", "port"),
        (
            "not a valid port of RFC 3986: U+0009 at offset 1; expected 0-9 (section 1.3)\n"
            "  1\\u{9}\\u{a}\\u{0}x\n"
            "   ^"
        ),
    ),
    "after-controls": (
        ("\u2028", "rfc3986", "port"),
        "not a valid port of RFC 3986: U+2028 at offset 0; expected 0-9 (section 1.3)\n  \\u{2028}\n  ^",
    ),
    "letter-beyond-ascii": (
        ("1\u00e9", "rfc3986", "port"),
        "not a valid port of RFC 3986: U+00E9 at offset 1; expected 0-9 (section 1.3)\n  1\u00e9\n   ^",
    ),
    "half-a-surrogate-pair": (
        ("1\ud800", "rfc3986", "port"),
        "not a valid port of RFC 3986: U+D800 at offset 1; expected 0-9 (section 1.3)\n  1\\u{d800}\n   ^",
    ),
    "other-name-of-the-rule": (
        ("x", "rfc2732", "IPV6REFERENCE"),
        "not a valid IPv6reference of RFC 2732: 'x' at offset 0; expected [ (section 3)\n  x\n  ^",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_message(name):
    """The sentence, the text on a line of its own, and a caret below the character."""
    question, message = MESSAGES[name]
    assert str(_problem(*question)) == message


def test_long_text_is_cut_around_the_place():
    """A line of the text, with dots where it goes on; the caret stays below its character."""
    _, shown, caret = str(_problem("1" * 50 + "x" + "2" * 50, "rfc3986", "port")).split("\n")
    assert shown == "  ..." + "1" * 36 + "x" + "2" * 35 + "..."
    assert shown[caret.index("^")] == "x"
    _, shown, caret = str(_problem("1" * 100, "rfc3986", "dec-octet")).split("\n")
    assert shown == "  " + "1" * 72 + "..."
    assert caret.index("^") == 5
    _, shown, caret = str(_problem("1" * 36 + "x" + "2" * 35, "rfc3986", "port")).split("\n")
    assert shown == "  " + "1" * 36 + "x" + "2" * 35
    _, shown, caret = str(_problem("\n" * 3 + "1", "rfc3986", "port")).split("\n")
    assert (shown, caret) == ("  \\u{a}\\u{a}\\u{a}1", "  ^")


@pytest.mark.parametrize(
    ("characters", "words"),
    [
        ("", "the end"),
        ("0123456789", "0-9"),
        ("0123456789abcdefABCDEF", "0-9 a-f A-F"),
        ("abcdef", "a-f"),
        ("abcde", "a b c d e"),
        ('" :', "blank double quote :"),
        ("abcdefghijklmnopqrstuvwxyz-", "a-z -"),
    ],
)
def test_describe(characters, words):
    """Runs of letters and digits are abbreviated, all other characters are listed."""
    assert describe(frozenset(characters)) == words


@pytest.mark.parametrize(
    ("base", "reference", "spec", "message", "rules", "section"),
    [
        (
            "s:opaque",
            "g",
            "rfc2396",
            (
                "not a valid hier_part of RFC 2396: an opaque base has no path to resolve against "
                "(section 5, R-2396-21)\n  s:opaque\n    ^"
            ),
            ("absoluteURI", "hier_part"),
            "5",
        ),
        (
            "a/b",
            "g",
            "rfc1808",
            "not a valid URL of RFC 1808: a base must be absolute, but this one has no scheme\n  a/b\n  ^",
            ("scheme",),
            "",
        ),
    ],
)
def test_an_unsuitable_base_has_a_reason(base, reference, spec, message, rules, section):
    """R-1808-17, R-2396-21: valid as a reference, but not as a base; the error has a reason."""
    with pytest.raises(InvalidURL) as caught:
        resolve(base, reference, spec)
    assert str(caught.value) == message
    assert (caught.value.rules, caught.value.section) == (rules, section)


# (spec, rule, text, rules open at its end, section that they share)
OPEN = [
    ("rfc3986", "URI", "", ("URI", "scheme", "ALPHA"), "1.3"),
    ("rfc3986", "URI", "a://h:", ("URI", "hier-part", "authority", "path-abempty", "userinfo"), "3"),
    ("rfc3986", "authority", "h%", ("authority", "userinfo", "host", "pct-encoded", "reg-name"), "3.2"),
    ("rfc1738", "ftpurl", "ftp://h/;", ("ftpurl",), "3.2.2"),
    ("rfc1738", "ftpurl", "ftp://h/;type=", ("ftpurl", "ftptype"), "3.2.2"),
    ("rfc1808", "URL", "#", ("URL", "fragment", "uchar", "reserved", "unreserved"), "2.2"),
    ("rfc2396", "port", "8", ("port", "digit"), "1.6"),
    ("rfc2732", "host", "[", ("host", "IPv6reference", "IPv6address"), "3"),
]


@pytest.mark.parametrize(("spec", "rule", "text", "rules", "section"), OPEN)
def test_open_rules(spec, rule, text, rules, section):
    """The rules in which a text may go on, outer ones first, and the section of the innermost they share."""
    language = specification(spec).language(rule)
    _, found = language.viable(text)
    assert found.rules[: len(rules)] == rules
    assert found.rules[0] == rule
    assert specification(spec).grammar.section(found.innermost) == section


def test_characters_that_may_follow_a_prefix():
    """The characters that can follow a viable prefix, or the viable part of another text."""
    octet = specification("rfc3986").language("dec-octet")
    assert octet.viable("25")[1].allowed == frozenset("012345")
    assert octet.viable("255")[1].allowed == frozenset()
    assert octet.viable("25x") == octet.viable("25")
    assert octet.viable("256")[0] == 2


def test_raised_from():
    """An application can raise its own exception from it; the traceback has both messages."""

    def load():
        try:
            validate("a b", "rfc3986")
        except InvalidURL as problem:
            raise RuntimeError("no link") from problem

    with pytest.raises(RuntimeError) as caught:
        load()
    assert isinstance(caught.value.__cause__, InvalidURL)
    assert caught.value.__cause__.position == 1


EXCEPTIONS = {
    "InvalidURL": lambda: validate("a b", "rfc3986"),
    "InvalidURL-with-reason": lambda: resolve("s:o", "g", "rfc2396"),
    "UnknownRule": lambda: validate("a", "rfc3986", "url"),
    "UnknownSpecification": lambda: validate("a", "rfc9999"),
    "Unsupported": lambda: normalize("a:", "rfc1738"),
    "MissingComponent": lambda: specification("rfc1738").recompose({"scheme": "ftp"}, _languages()),
}


def _languages():
    return specification("rfc1738").languages


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptions_can_be_copied_and_pickled(name):
    """Copied or sent to another process, an exception keeps its type, fields and words."""
    kinds = (InvalidURL, UnknownRule, UnknownSpecification, Unsupported, MissingComponent)
    with pytest.raises(kinds) as caught:
        EXCEPTIONS[name]()
    error = caught.value
    assert type(error).__name__ == name.partition("-")[0]
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def test_reason_of_a_refused_base_hides_no_context():
    """The internal exception is not shown to the caller."""
    with pytest.raises(InvalidURL) as caught:
        resolve("s:o", "g", "rfc2396")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
