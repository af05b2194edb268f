"""The reader of grammar files: both dialects, directives, and errors that name the line."""

from __future__ import annotations

import pytest

from urloracle.grammar.expression import EMPTY, Alternation, Characters, Reference, Repetition, Sequence
from urloracle.grammar.notation import ABNF, RFC822, NotationError, Production, read


def _class(*characters):
    """Return the expression of one of some characters."""
    return Characters(frozenset(characters))


A, B = Reference("a"), Reference("b")

# (text of the right-hand side, expression under RFC 822 notation, expression under ABNF)
SHAPES = {
    "literal-of-one": ('"x"', _class("x"), _class("x", "X")),
    "literal-of-two": (
        '"x1"',
        Sequence((_class("x"), _class("1"))),
        Sequence((_class("x", "X"), _class("1"))),
    ),
    "literal-upper": ('"X"', _class("X"), _class("x", "X")),
    "literal-empty": ('""', EMPTY, EMPTY),
    "literal-semicolon": ('";"', _class(";"), _class(";")),
    "literal-backslash": ('"\\"', _class("\\"), _class("\\")),
    "double-quote": ('<">', _class('"'), _class('"')),
    "name": ("a", A, A),
    "name-with-signs": ("ab-c+d_e9", Reference("ab-c+d_e9"), Reference("ab-c+d_e9")),
    "concatenation": ("a b a", Sequence((A, B, A)), Sequence((A, B, A))),
    "bar": ("a | b", Alternation((A, B)), Alternation((A, B))),
    "slash": ("a / b", Alternation((A, B)), Alternation((A, B))),
    "bar-binds-weakest": (
        "a | a b | b",
        Alternation((A, Sequence((A, B)), B)),
        Alternation((A, Sequence((A, B)), B)),
    ),
    "group": ("( a | b ) a", Sequence((Alternation((A, B)), A)), Sequence((Alternation((A, B)), A))),
    "optional": ("[ a ]", Repetition(A, 0, 1), Repetition(A, 0, 1)),
    "optional-nested": (
        "[ a [ b ]]",
        Repetition(Sequence((A, Repetition(B, 0, 1))), 0, 1),
        Repetition(Sequence((A, Repetition(B, 0, 1))), 0, 1),
    ),
    "any-number": ("*a", Repetition(A, 0, None), Repetition(A, 0, None)),
    "at-least": ("2*a", Repetition(A, 2, None), Repetition(A, 2, None)),
    "at-most": ("*3a", Repetition(A, 0, 3), Repetition(A, 0, 3)),
    "from-to": ("1*4a", Repetition(A, 1, 4), Repetition(A, 1, 4)),
    "exactly": ("6a", Repetition(A, 6, 6), Repetition(A, 6, 6)),
    "repeated-group": ("6( a b )", *[Repetition(Sequence((A, B)), 6, 6)] * 2),
    "brackets-after-repetition": (
        "1*[ a ]",
        Repetition(A, 1, None),
        Repetition(Repetition(A, 0, 1), 1, None),
    ),
    "range": ("%x31-33", _class("1", "2", "3"), _class("1", "2", "3")),
    "code": ("%x41", _class("A"), _class("A")),
    "zero-of-prose": ("0<pchar>", EMPTY, EMPTY),
    "comment": ("a ; b", A, A),
    "next-line": ("a\n    b", Sequence((A, B)), Sequence((A, B))),
}


@pytest.mark.parametrize("dialect", [RFC822, ABNF], ids=["rfc822", "abnf"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_right_hand_side_is_read_in_each_dialect(name, dialect):
    """RFC 822 section 2, RFC 2234 section 3; G-01 to G-04 where the dialects differ."""
    text, rfc822, abnf = SHAPES[name]
    expected = {RFC822: rfc822, ABNF: abnf}[dialect]
    (production,) = read(f"rule = {text}\n", dialect).productions
    assert production == Production("rule", expected, "")


ERRORS = {
    "bare-slash": ('\n\na = "b" [ / a ]', "line 3: expected an element, found '/'"),
    "no-name": ('= "b"', "line 1: expected a rule name followed by =, found '='"),
    "no-equals": ('\na "b"', "line 2: expected a rule name followed by =, found 'a'"),
    "nothing": ("a = \n\n", "line 3: expected an element, found the end"),
    "nothing-after-bar": ('a = "b" |', "line 1: expected an element, found the end"),
    "nothing-repeated": ("a = 1*", "line 1: expected an element, found the end"),
    "empty-brackets": ("a = [ ]", "line 1: expected an element, found ']'"),
    "never-closed": ('a = ( "b"\nc = d', "line 2: expected ), found 'c'"),
    "never-closed-at-end": ('a = [ "b"', "line 1: expected ], found the end"),
    "closed-by-the-other": ('a = ( "b" ]', "line 1: expected ), found ']'"),
    "closed-by-the-other-too": ('a = [ "b" )', "line 1: expected ], found ')'"),
    "closed-twice": ('a = "b" )', "line 1: expected a rule name followed by =, found ')'"),
    "open-quote": ('a =\n "b', "line 2: unexpected '\"'"),
    "foreign-character": ("a = b\nc = \u00a7", "line 2: unexpected '\u00a7'"),
    "digit-first": ("1a = b", "line 1: expected a rule name followed by =, found '1'"),
    "decimal-value": ("a = %d65", "line 1: unexpected '%'"),
    "prose": ("a = b\nc = <any text>", "line 2: prose is not supported: <any text>"),
    "prose-repeated": ("a = 1<pchar>", "line 1: prose is not supported: <pchar>"),
    "range-backwards": ("a = %x39-30", "line 1: %x39-30 is not a range of the alphabet"),
    "range-with-controls": ("a = %x70-FF", "line 1: %x70-FF is not a range of the alphabet"),
    "part-of-a-range": ("a = %xA0-FF", "line 1: %xA0-FF is not a range of the alphabet"),
    "end-of-a-range": ("a = %xA1-200D", "line 1: %xA1-200D is not a range of the alphabet"),
    "one-code-beyond-ascii": ("a = %xE9", "line 1: %xE9 is not a range of the alphabet"),
    "surrogates": ("a = %xD800-DFFF", "line 1: %xD800-DFFF is not a range of the alphabet"),
    "beyond-unicode": ("a = %x110000", "line 1: %x110000 is not a range of the alphabet"),
    "literal-beyond-ascii": ('a = "\u00e9"', 'line 1: "\u00e9" is not ASCII'),
    "bounds-backwards": ('a = 3*2"b"', "line 1: 3*2: the maximum is below the minimum"),
    "unknown-directive": ("a = b\n;!sections 3", "line 2: unknown directive 'sections'"),
}


@pytest.mark.parametrize("dialect", [RFC822, ABNF], ids=["rfc822", "abnf"])
@pytest.mark.parametrize("name", ERRORS)
def test_a_text_that_is_no_grammar_is_refused_with_its_line(name, dialect):
    text, message = ERRORS[name]
    with pytest.raises(NotationError) as caught:
        read(text, dialect)
    assert str(caught.value) == message


DIRECTIVES = """\
;!extends other
;!fold-scheme R-1 httpurl URL
;!fold-scheme R-1 ftpurl

; an ordinary comment
first = "a"
;!section 3.2
second = "b"   ;!section 4
;!published R-7
;! third = [ / "c"
;!         "d" ]
third = "c"
;!published R-8
;! fourth = "e"
fourth = "f"
"""


def test_a_directive_gives_the_section_of_the_productions_after_it():
    sections = {rule.name: rule.section for rule in read(DIRECTIVES, RFC822).productions}
    assert sections == {"first": "", "second": "3.2", "third": "4", "fourth": "4"}


def test_printed_forms_and_comments_are_no_productions():
    names = [rule.name for rule in read(DIRECTIVES, RFC822).productions]
    assert names == ["first", "second", "third", "fourth"]


def test_directives_name_the_rules_with_a_folded_scheme():
    """The names of several directives add up, in small letters."""
    assert read(DIRECTIVES, RFC822).fold_scheme == {"httpurl", "url", "ftpurl"}


def test_directives_name_the_core_rules():
    """The names of several directives add up, in small letters."""
    text = ';!core ALPHA\nALPHA = "a"\n;!core DIGIT hex\nhex = "1"\n'
    assert read(text, RFC822).core == {"alpha", "digit", "hex"}


def test_a_comment_that_takes_the_next_line_hides_a_production(plant):
    """With this planted fault, tests above fail."""
    plant("grammar.notation._TOKEN", r"(?P<comment>;[^\n]*)", r"(?P<comment>;[^\n]*\n[^\n]*)")
    assert "first" not in [rule.name for rule in read(DIRECTIVES, RFC822).productions]


@pytest.mark.parametrize(("blank", "replacement"), [("\n", "\r\n"), ("   ", "\t")], ids=["line-end", "tab"])
def test_other_line_ends_and_tabs_do_not_change_a_grammar(blank, replacement):
    """A file written elsewhere reads the same."""
    text = 'a = "b"\nc = a\n   | "d"\n'
    assert blank in text
    assert read(text.replace(blank, replacement), ABNF) == read(text, ABNF)


def test_a_file_of_comments_alone_has_no_productions():
    assert read("; nothing here\n\n", ABNF).productions == ()
