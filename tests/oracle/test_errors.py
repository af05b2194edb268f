"""The exceptions of the oracle: their fields, exact messages, copies and pickles."""

from __future__ import annotations

import copy
import pickle

import pytest

from urloracle.errors import InvalidURL, describe
from urloracle.grammar.grammar import UnknownRule
from urloracle.operations import normalize, parse, recompose, resolve, validate, view
from urloracle.rfc.recomposition import MissingComponent
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import Specification, Unsupported


def _problem(text, spec, rule=None, profile=None):
    with pytest.raises(InvalidURL) as caught:
        validate(text, spec, rule, profile)
    return caught.value


def test_an_error_has_everything_known_in_its_fields():
    """RFC 1738, section 3.3: no user name in an http URL; everything known about it is a field."""
    problem = _problem("http://u@h/", "rfc1738")
    assert problem.text == "http://u@h/"
    assert problem.spec == "rfc1738"
    assert problem.rule == "url"
    assert problem.section == "3.3"
    assert problem.reason == ""
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
def test_a_message_has_sentence_text_and_caret(name):
    """The sentence, the text on a line of its own, and a caret below the character."""
    question, message = MESSAGES[name]
    assert str(_problem(*question)) == message


def test_long_text_is_cut_around_the_place():
    """A line of the text, with dots where it goes on; the caret stays below its character."""
    _, shown_text, caret = str(_problem("1" * 50 + "x" + "2" * 50, "rfc3986", "port")).split("\n")
    assert shown_text == "  ..." + "1" * 36 + "x" + "2" * 35 + "..."
    assert shown_text[caret.index("^")] == "x"
    _, shown_text, caret = str(_problem("1" * 100, "rfc3986", "dec-octet")).split("\n")
    assert shown_text == "  " + "1" * 72 + "..."
    assert caret.index("^") == 5
    _, shown_text, caret = str(_problem("1" * 36 + "x" + "2" * 35, "rfc3986", "port")).split("\n")
    assert shown_text == "  " + "1" * 36 + "x" + "2" * 35
    _, shown_text, caret = str(_problem("\n" * 3 + "1", "rfc3986", "port")).split("\n")
    assert shown_text == "  \\u{a}\\u{a}\\u{a}1"
    assert caret == "  ^"


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
def test_characters_are_described_by_runs(characters, words):
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
    assert caught.value.rules == rules
    assert caught.value.section == section


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
def test_the_rules_in_which_a_text_may_go_on_are_named(spec, rule, text, rules, section):
    """The rules in which a text may go on, outer ones first, and the section of the innermost they share."""
    language = specification(spec).language(rule)
    _, viable = language.viable(text)
    assert viable.rules[: len(rules)] == rules
    assert viable.rules[0] == rule
    assert specification(spec).grammar.section(viable.innermost) == section


def test_characters_that_may_follow_a_prefix():
    """The characters that can follow a viable prefix, or the viable part of another text."""
    octet = specification("rfc3986").language("dec-octet")
    assert octet.viable("25")[1].allowed == frozenset("012345")
    assert octet.viable("255")[1].allowed == frozenset()
    assert octet.viable("25x") == octet.viable("25")
    assert octet.viable("256")[0] == 2


def test_an_exception_of_the_caller_may_be_raised_from_it():
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
    "MissingComponent": lambda: recompose({"scheme": "ftp"}, "rfc1738"),
}


# what an application may do first with an error; what it should see then
FIRST = {
    "position": (lambda error: error.position, 1),
    "expected": (lambda error: error.expected, frozenset("0123456789")),
    "rules": (lambda error: error.rules, ("port", "DIGIT")),
    "section": (lambda error: error.section, "1.3"),
    "hasattr": (lambda error: hasattr(error, "section"), True),
    "message": (lambda error: str(error).partition(":")[0], "not a valid port of RFC 3986"),
    "asdict": (lambda error: error.asdict()["at"], 1),
    "caret": (lambda error: error.caret(), "  1 2\n   ^"),
    "pickle": (lambda error: vars(pickle.loads(pickle.dumps(error)))["position"], 1),
    "copy": (lambda error: vars(copy.copy(error))["section"], "1.3"),
    "deepcopy": (lambda error: vars(copy.deepcopy(error))["rules"], ("port", "DIGIT")),
}
PORT = ("1 2", "rfc3986", "port")


@pytest.fixture
def searches(monkeypatch):
    """The searches for the place of an error, with what each of them was asked."""
    searches_made = []
    original = Specification._fault

    def search(*arguments, **options):
        searches_made.append((arguments[1:], options))
        return original(*arguments, **options)

    monkeypatch.setattr(Specification, "_fault", search)
    return searches_made


@pytest.mark.parametrize("name", FIRST)
def test_a_place_is_searched_for_when_first_asked_for(name, searches):
    """The search takes longer than the verdict, and many callers only want the verdict."""
    error = _problem(*PORT)
    text, spec, rule = PORT
    assert error.text == text
    assert error.spec == spec
    assert error.rule == rule
    assert not hasattr(error, "__notes__")
    assert searches == []
    ask, expected = FIRST[name]
    assert ask(error) == expected
    assert len(searches) == 1
    assert (
        str(error)
        == "not a valid port of RFC 3986: blank at offset 1; expected 0-9 (section 1.3)\n  1 2\n   ^"
    )
    assert len(searches) == 1


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: _problem(*PORT), id="refused"),
        pytest.param(lambda: InvalidURL(*PORT, 1), id="constructed"),
    ],
)
def test_what_is_known_without_a_search(make, searches):
    """An error that a caller prints for a log, or only catches, is like any other exception."""
    error = make()
    assert repr(error) == "InvalidURL('1 2', 'rfc3986', 'port')"
    assert error.args == PORT
    assert error.reason == ""
    assert searches == []


def test_a_copy_is_independent_of_the_search(searches):
    """The copy of an error has its fields, notes and other attributes, and searches for nothing."""
    error = _problem(*PORT)
    error.add_note("in line 1")
    error.line = 1
    again = pickle.loads(pickle.dumps(error))
    assert len(searches) == 1
    assert vars(again) == {**_fields(error), "__notes__": ["in line 1"], "line": 1}
    assert len(searches) == 1


# calls that refuse a text without need of the place
REFUSED = {
    "validate": lambda: validate("a b", "rfc2396"),
    "validate-a-rule": lambda: validate("256", "rfc3986", "dec-octet"),
    "parse": lambda: parse("http://u@h/", "rfc1738"),
    "parse-a-rule": lambda: parse("a b", "rfc1808", "relativeURL"),
    "view": lambda: view("a b", "rfc3986"),
    "resolve": lambda: resolve("http://h/", "a b", "rfc3986"),
    "base": lambda: resolve("a", "b", "rfc3986"),
    "problem": lambda: _raised(specification("rfc2732").problem("http://[1]/")),
}


def _raised(problem):
    raise problem


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_alone_searches_for_nothing(name, searches):
    with pytest.raises(InvalidURL) as caught:
        REFUSED[name]()
    assert searches == []
    assert caught.value.position >= 0
    assert len(searches) == 1


@pytest.mark.parametrize(
    ("text", "rule", "profile", "position"),
    [
        ("http://u@h/", "url", None, 8),
        ("http:x y", "url", "generic", 6),
        ("http:x", "otherurl", "scheme-specific", 4),
        ("http:x y", "otherurl", None, 6),
        ("http://h:99999/", "url", "prose", 13),
    ],
)
def test_a_place_belongs_to_the_rule_and_profile_of_the_verdict(text, rule, profile, position, searches):
    """G-06, R-1738-01: the same text has its error elsewhere under another profile, or has none."""
    error = _problem(text, "rfc1738", rule, profile)
    assert error.position == position
    assert len(searches) == 1


def test_a_changed_error_stays_changed():
    """An application may blot out a password before it writes the message."""
    error = _problem("a b", "rfc3986")
    error.text = "..."
    assert str(error).endswith("  ...\n   ^")
    assert error.args[0] == "a b"
    error = _problem("a b", "rfc3986")
    error.args = ("no URL",)
    error.add_note("in line 1")
    assert error.args == ("no URL",)
    assert error.position == 1
    assert error.__notes__ == ["in line 1"]
    with pytest.raises(AttributeError, match="'InvalidURL' object has no attribute 'offset'"):
        _ = error.offset


FIELDS = ("text", "spec", "rule", "position", "expected", "rules", "section", "reason")


def _fields(error):
    """The fields of an error, which need not be attributes before they are read."""
    if isinstance(error, InvalidURL):
        return {name: getattr(error, name) for name in FIELDS}
    return vars(error)


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
        assert _fields(again) == _fields(error)


def test_reason_of_a_refused_base_hides_no_context():
    """The internal exception is not shown to the caller."""
    with pytest.raises(InvalidURL) as caught:
        resolve("s:o", "g", "rfc2396")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
