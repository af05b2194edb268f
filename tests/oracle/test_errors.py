"""The exceptions of the oracle: their fields, exact messages, copies and pickles."""

from __future__ import annotations

import copy
import pickle
from string import ascii_letters
from typing import NamedTuple

import pytest

from urloracle.errors import InvalidURL, describe
from urloracle.grammar.alphabet import FORMATTING, PRIVATE, UCS, character_set
from urloracle.grammar.grammar import UnknownRule
from urloracle.operations import normalize, parse, recompose, resolve, validate, view
from urloracle.rfc.recomposition import MissingComponent
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import Specification, Unsupported


def _problem(text, spec, rule=None, profile=None):
    with pytest.raises(InvalidURL) as caught:
        validate(text, spec, rule, profile)
    return caught.value


# RFC 1738, section 3.3: no user name in an http URL
FIELDS_OF_A_USER_NAME = {
    "text": "http://u@h/",
    "spec": "rfc1738",
    "rule": "url",
    "section": "3.3",
    "reason": "",
    "position": 8,
    "expected": frozenset(ascii_letters + "0123456789-./:"),
}


@pytest.mark.parametrize("field", FIELDS_OF_A_USER_NAME)
def test_an_error_has_what_is_known_of_it_in_a_field(field):
    problem = _problem("http://u@h/", "rfc1738")
    assert getattr(problem, field) == FIELDS_OF_A_USER_NAME[field]


def test_the_rules_of_an_error_begin_with_the_outermost():
    problem = _problem("http://u@h/", "rfc1738")
    assert problem.rules[:4] == ("url", "httpurl", "hostport", "host")


def test_an_error_of_a_text_is_a_value_error():
    assert isinstance(_problem("http://u@h/", "rfc1738"), ValueError)


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
            "not a valid URI-reference of RFC 3986: it ends too early; expected 0-9 a-f A-F (section 2.1)\n"
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
        "not a valid port of RFC 3986: blank at offset 1; expected 0-9 (section 3.2.3)\n  1 2\n   ^",
    ),
    "double-quote": (
        ('1"', "rfc2396", "port"),
        'not a valid port of RFC 2396: double quote at offset 1; expected 0-9 (section 3.2.2)\n  1"\n   ^',
    ),
    "quote": (
        ("1'", "rfc2396", "port"),
        "not a valid port of RFC 2396: \"'\" at offset 1; expected 0-9 (section 3.2.2)\n  1'\n   ^",
    ),
    "control": (
        ("1\t\n\x00x", "rfc3986", "port"),
        (
            "not a valid port of RFC 3986: U+0009 at offset 1; expected 0-9 (section 3.2.3)\n"
            "  1\\u{9}\\u{a}\\u{0}x\n"
            "   ^"
        ),
    ),
    "after-controls": (
        ("\u2028", "rfc3986", "port"),
        "not a valid port of RFC 3986: U+2028 at offset 0; expected 0-9 (section 3.2.3)\n  \\u{2028}\n  ^",
    ),
    "letter-beyond-ascii": (
        ("1\u00e9", "rfc3986", "port"),
        "not a valid port of RFC 3986: U+00E9 at offset 1; expected 0-9 (section 3.2.3)\n  1\u00e9\n   ^",
    ),
    "half-a-surrogate-pair": (
        ("1\ud800", "rfc3986", "port"),
        "not a valid port of RFC 3986: U+D800 at offset 1; expected 0-9 (section 3.2.3)\n  1\\u{d800}\n   ^",
    ),
    "byte": (
        ("1\udcff", "rfc3986", "port"),
        (
            "not a valid port of RFC 3986: the byte \\xff at offset 1; expected 0-9 (section 3.2.3)\n"
            "  1\\xff\n"
            "   ^"
        ),
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


#: A text and its rule, the line of the text in the message, and the column of the caret.  A line has 72
#: characters of the text after two blanks, and dots where the text goes on.
LONG_TEXTS = [
    pytest.param("1" * 50 + "x" + "2" * 50, "port", f"  ...{'1' * 36}x{'2' * 35}...", 41, id="both-sides"),
    pytest.param("1" * 100, "dec-octet", "  " + "1" * 72 + "...", 5, id="after"),
    pytest.param("1" * 36 + "x" + "2" * 35, "port", f"  {'1' * 36}x{'2' * 35}", 38, id="just-not"),
    pytest.param("\n\n\n1", "port", "  \\u{a}\\u{a}\\u{a}1", 2, id="escaped"),
]


@pytest.mark.parametrize(("text", "rule", "shown_text", "column"), LONG_TEXTS)
def test_a_message_cuts_a_long_text_around_the_place_and_keeps_the_caret_below_it(
    text, rule, shown_text, column
):
    _, text_line, caret_line = str(_problem(text, "rfc3986", rule)).split("\n")
    assert text_line == shown_text
    assert caret_line == " " * column + "^"


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
    ("base", "reference", "spec", "message"),
    [
        pytest.param(
            "s:opaque",
            "g",
            "rfc2396",
            (
                "not a valid hier_part of RFC 2396: an opaque base has no path to resolve against "
                "(section 5, R-2396-21)\n  s:opaque\n    ^"
            ),
            id="opaque",
        ),
        pytest.param(
            "a/b",
            "g",
            "rfc1808",
            "not a valid URL of RFC 1808: a base must be absolute, but this one has no scheme\n  a/b\n  ^",
            id="relative",
        ),
        pytest.param(
            "a/b",
            "g",
            "rfc3986",
            "not a valid URI of RFC 3986: a base must be absolute, but this one has no scheme\n  a/b\n  ^",
            id="relative-under-rfc-3986",
        ),
    ],
)
def test_the_error_of_an_unsuitable_base_says_the_reason(base, reference, spec, message):
    """R-1808-17, R-2396-21: the text is valid as a reference, but not as a base."""
    assert str(_base_problem(base, reference, spec)) == message


def _base_problem(base, reference, spec):
    with pytest.raises(InvalidURL) as caught:
        resolve(base, reference, spec)
    return caught.value


#: A base, the RFC that refuses it, the rules in which its error is, and the section that is cited.
RULES_OF_UNSUITABLE_BASES = [
    pytest.param("s:opaque", "rfc2396", ("absoluteURI", "hier_part"), "5", id="opaque"),
    pytest.param("a/b", "rfc1808", ("scheme",), "", id="relative"),
    pytest.param("a/b", "rfc3986", ("scheme",), "", id="relative-under-rfc-3986"),
]


@pytest.mark.parametrize(("base", "spec", "rules", "section"), RULES_OF_UNSUITABLE_BASES)
def test_the_error_of_an_unsuitable_base_has_the_rules_and_the_section_of_its_reason(
    base, spec, rules, section
):
    problem = _base_problem(base, "g", spec)
    assert problem.rules == rules
    assert problem.section == section


class OpenRules(NamedTuple):
    """A text, the rules that are open at its end, and the section that they share."""

    spec: str
    rule: str
    text: str
    rules: tuple[str, ...]
    section: str


OPEN = [
    OpenRules("rfc3986", "URI", "", rules=("URI", "scheme", "ALPHA"), section="3.1"),
    OpenRules(
        "rfc3986",
        "URI",
        "a://h:",
        rules=("URI", "hier-part", "authority", "path-abempty", "userinfo"),
        section="3",
    ),
    OpenRules(
        "rfc3986",
        "authority",
        "h%",
        rules=("authority", "userinfo", "host", "pct-encoded", "reg-name"),
        section="2.1",
    ),
    OpenRules("rfc1738", "ftpurl", "ftp://h/;", rules=("ftpurl",), section="3.2.2"),
    OpenRules("rfc1738", "ftpurl", "ftp://h/;type=", rules=("ftpurl", "ftptype"), section="3.2.2"),
    OpenRules(
        "rfc1808", "URL", "#", rules=("URL", "fragment", "uchar", "reserved", "unreserved"), section="2.2"
    ),
    OpenRules("rfc2396", "port", "8", rules=("port", "digit"), section="3.2.2"),
    OpenRules("rfc2732", "host", "[", rules=("host", "IPv6reference", "IPv6address"), section="3"),
]


by_open_text = pytest.mark.parametrize("row", OPEN, ids=[f"{row.spec}-{row.rule}-{row.text}" for row in OPEN])


@by_open_text
def test_the_rules_in_which_a_text_may_go_on_begin_with_the_outermost(row):
    """The table has the outer ones only: further in, each kind of character has its rules."""
    _, viable = specification(row.spec).language(row.rule).viable_prefix(row.text)
    assert viable.rules[: len(row.rules)] == row.rules


@by_open_text
def test_the_section_of_the_innermost_rule_that_all_ways_to_go_on_share_is_cited(row):
    _, viable = specification(row.spec).language(row.rule).viable_prefix(row.text)
    assert specification(row.spec).grammar.section(viable.cited) == row.section


@pytest.mark.parametrize(
    ("text", "length", "allowed"),
    [
        pytest.param("25", 2, "012345", id="viable"),
        pytest.param("255", 3, "", id="complete"),
        pytest.param("25x", 2, "012345", id="viable-to-a-foreign-character"),
        pytest.param("256", 2, "012345", id="viable-to-a-digit"),
    ],
)
def test_the_viable_prefix_has_a_length_and_the_characters_that_may_follow(text, length, allowed):
    viable_length, viable = specification("rfc3986").language("dec-octet").viable_prefix(text)
    assert viable_length == length
    assert viable.allowed == frozenset(allowed)


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


#: What an application may do first with an error; what it should see then.
FIRST = {
    "position": (lambda error: error.position, 1),
    "expected": (lambda error: error.expected, frozenset("0123456789")),
    "rules": (lambda error: error.rules, ("port", "DIGIT")),
    "section": (lambda error: error.section, "3.2.3"),
    "hasattr": (lambda error: hasattr(error, "section"), True),
    "message": (lambda error: str(error).partition(":")[0], "not a valid port of RFC 3986"),
    "asdict": (lambda error: error.asdict()["at"], 1),
    "caret": (lambda error: error.caret(), "  1 2\n   ^"),
    "pickle": (lambda error: vars(pickle.loads(pickle.dumps(error)))["position"], 1),
    "copy": (lambda error: vars(copy.copy(error))["section"], "3.2.3"),
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


MESSAGE_OF_PORT = "not a valid port of RFC 3986: blank at offset 1; expected 0-9 (section 3.2.3)\n  1 2\n   ^"


def test_an_error_searches_for_no_place_before_it_is_asked_for(searches):
    """The search takes longer than the verdict, and many callers only want the verdict."""
    error = _problem(*PORT)
    _ = error.args
    _ = hasattr(error, "__notes__")
    assert searches == []


@pytest.mark.parametrize("name", FIRST)
def test_an_error_searches_for_its_place_when_it_is_first_asked_for(name, searches):
    ask, expected = FIRST[name]
    assert ask(_problem(*PORT)) == expected
    assert len(searches) == 1


@pytest.mark.parametrize("name", FIRST)
def test_an_error_searches_for_its_place_only_once(name, searches):
    ask, _ = FIRST[name]
    error = _problem(*PORT)
    ask(error)
    assert str(error) == MESSAGE_OF_PORT
    assert len(searches) == 1


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: _problem(*PORT), id="refused"),
        pytest.param(lambda: InvalidURL(*PORT, 1), id="constructed"),
    ],
)
def test_the_repr_the_arguments_and_the_reason_of_an_error_need_no_search(make, searches):
    """An error that a caller prints for a log, or only catches, is like any other exception."""
    error = make()
    assert repr(error) == "InvalidURL('1 2', 'rfc3986', 'port')"
    assert error.args == PORT
    assert error.reason == ""
    assert searches == []


@pytest.fixture
def annotated_error():
    """An error with a note and an attribute of the application."""
    error = _problem(*PORT)
    error.add_note("in line 1")
    error.line = 1
    return error


def test_a_pickled_copy_has_the_fields_notes_and_attributes_of_an_error(annotated_error):
    copied_error = pickle.loads(pickle.dumps(annotated_error))
    assert vars(copied_error) == {**_fields(annotated_error), "__notes__": ["in line 1"], "line": 1}


def test_a_pickled_copy_of_an_error_searches_for_nothing(annotated_error, searches):
    """The search is that of the pickling."""
    copied_error = pickle.loads(pickle.dumps(annotated_error))
    searches.clear()
    assert copied_error.position == 1
    assert str(copied_error).startswith(MESSAGE_OF_PORT)
    assert searches == []


#: Calls that refuse a text without need of the place.
REFUSED = {
    "validate": lambda: validate("a b", "rfc2396"),
    "validate-a-rule": lambda: validate("256", "rfc3986", "dec-octet"),
    "parse": lambda: parse("http://u@h/", "rfc1738"),
    "parse-a-rule": lambda: parse("a b", "rfc1808", "relativeURL"),
    "view": lambda: view("a b", "rfc3986"),
    "resolve": lambda: resolve("http://h/", "a b", "rfc3986"),
    "base": lambda: resolve("a b", "b", "rfc3986"),
    "problem": lambda: _raised(specification("rfc2732").problem("http://[1]/")),
}


def _raised(problem):
    raise problem


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_alone_searches_for_nothing(name, searches):
    with pytest.raises(InvalidURL):
        REFUSED[name]()
    assert searches == []


@pytest.mark.parametrize("name", REFUSED)
def test_the_place_of_a_refusal_is_searched_for_when_it_is_asked_for(name, searches):
    """The list of the tests above would therefore not be empty if a refusal searched."""
    with pytest.raises(InvalidURL) as caught:
        REFUSED[name]()
    _ = caught.value.position
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
def test_a_place_belongs_to_the_rule_and_profile_of_the_verdict(text, rule, profile, position):
    """G-06, R-1738-01: the same text has its error elsewhere under another profile, or has none."""
    assert _problem(text, "rfc1738", rule, profile).position == position


def test_a_changed_text_of_an_error_is_shown_in_its_message():
    """An application may blot out a password before it writes the message."""
    error = _problem("a b", "rfc3986")
    error.text = "..."
    assert str(error).endswith("  ...\n   ^")


def test_a_changed_text_of_an_error_leaves_its_arguments():
    error = _problem("a b", "rfc3986")
    error.text = "..."
    assert error.args == ("a b", "rfc3986", "URI-reference")


def test_the_search_for_a_place_leaves_changed_arguments_and_notes():
    error = _problem("a b", "rfc3986")
    error.args = ("no URL",)
    error.add_note("in line 1")
    assert error.position == 1
    assert error.args == ("no URL",)
    assert error.__notes__ == ["in line 1"]


def test_an_unknown_attribute_of_an_error_is_an_attribute_error():
    error = _problem("a b", "rfc3986")
    with pytest.raises(AttributeError, match="'InvalidURL' object has no attribute 'offset'"):
        _ = error.offset


FIELDS = ("text", "spec", "rule", "position", "expected", "rules", "section", "reason")


def _fields(error):
    """Return the fields of an error, which need not be attributes before they are read."""
    if isinstance(error, InvalidURL):
        return {name: getattr(error, name) for name in FIELDS}
    return vars(error)


#: The exceptions of the oracle, each with a call that raises it.
EXCEPTIONS = [
    pytest.param(InvalidURL, lambda: validate("a b", "rfc3986"), id="InvalidURL"),
    pytest.param(InvalidURL, lambda: resolve("s:o", "g", "rfc2396"), id="InvalidURL-with-reason"),
    pytest.param(UnknownRule, lambda: validate("a", "rfc3986", "url"), id="UnknownRule"),
    pytest.param(UnknownSpecification, lambda: validate("a", "rfc9999"), id="UnknownSpecification"),
    pytest.param(Unsupported, lambda: normalize("a:", "rfc1738"), id="Unsupported"),
    pytest.param(MissingComponent, lambda: recompose({"scheme": "ftp"}, "rfc1738"), id="MissingComponent"),
]

COPIES = {
    "pickle": lambda error: pickle.loads(pickle.dumps(error)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize(("exception", "call"), EXCEPTIONS)
def test_a_copy_of_an_exception_has_its_type_fields_and_words(exception, call, duplicate):
    """A process that is sent an exception has a copy by pickling."""
    with pytest.raises(exception) as caught:
        call()
    error = caught.value
    copied_error = duplicate(error)
    assert type(copied_error) is type(error)
    assert str(copied_error) == str(error)
    assert _fields(copied_error) == _fields(error)


def test_the_error_of_a_refused_base_hides_its_internal_cause():
    """The caller sees one traceback."""
    with pytest.raises(InvalidURL) as caught:
        resolve("s:o", "g", "rfc2396")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


#: Letters, some of them beyond ASCII, and how they are described.
BEYOND_ASCII = {
    "ucschar": (UCS | {"/"}, "/ ucschar"),
    "without-formatting": (UCS - FORMATTING, "ucschar but U+200E-200F U+202A-202E"),
    "with-private": (UCS | PRIVATE | set("0123456789"), "0-9 ucschar iprivate"),
    "part-of-ucschar": (frozenset("\u00a0\u200e"), "U+00A0-200F"),
    "part-of-private": (frozenset("\ue000"), "U+E000-F8FF"),
}


@pytest.mark.parametrize("name", BEYOND_ASCII)
def test_characters_beyond_ascii_are_described_by_the_names_of_their_rules(name):
    letters, words = BEYOND_ASCII[name]
    assert describe(letters) == words


#: An error that expects a slash and all characters of two ranges; the first of a range stands for all of it.
EXPECTING_RANGES = InvalidURL("a", "rfc3987", "b", 1, character_set(frozenset("/\ue000\U000f0000")))


def test_an_error_that_expects_characters_beyond_ascii_lists_their_ranges():
    assert EXPECTING_RANGES.asdict()["expected_ranges"] == [[0xE000, 0xF8FF], [0xF0000, 0xFFFFD]]


def test_an_error_that_expects_characters_beyond_ascii_lists_the_first_of_each_range():
    assert EXPECTING_RANGES.asdict()["expected"] == "/\ue000\U000f0000"


def test_an_error_that_expects_ascii_alone_lists_no_ranges():
    assert "expected_ranges" not in InvalidURL("a", "rfc3986", "b", 1, frozenset("/")).asdict()


def test_a_pickled_error_expects_the_same_characters_beyond_ascii():
    copied_error = pickle.loads(pickle.dumps(EXPECTING_RANGES))
    assert "\ue123" in copied_error.expected  # inside the first range
    assert "\u00e9" not in copied_error.expected
