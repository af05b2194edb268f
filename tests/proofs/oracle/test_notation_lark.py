"""The reader of grammar files and a lark grammar of the notation read every rule, and made-up ones, alike.

For each rule the structure is compared and, if that differs, the language, by product construction.  All
rules have the same structure; faults that are planted in the reader are noticed by this comparison alone.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from random import Random

import pytest
from lark.exceptions import LarkError

from urloracle.grammar import notation
from urloracle.grammar.grammar import load, source
from urloracle.rfcs import SPECIFICATIONS

from . import lark_reader

FILES = sorted(entry.name for entry in (resources.files("urloracle") / "grammars").iterdir())

#: The files of each specification one upon another, without and with the conditions of its text.
STACKS = {
    " ".join(files): files
    for spec in SPECIFICATIONS.values()
    for files in (spec.files, spec.files + spec.prose_files)
}


@cache
def _theirs(files):
    """Return the rules of files as the lark grammar reads them."""
    return lark_reader.grammar(
        [lark_reader.read(source(name), abnf=name.endswith(".abnf")) for name in files]
    )


def _verdict(files, rule):
    """Return the agreement of the two readings of a rule, or "refused" if our reader refuses the file."""
    try:
        ours = load(*files)
    except notation.NotationError:
        return "refused"
    return lark_reader.agreement(ours, _theirs(files), rule)


def _dialect(name):
    return notation.ABNF if name.endswith(".abnf") else notation.RFC822


@pytest.mark.parametrize("name", FILES)
def test_both_readers_read_a_file_alike(name):
    """They give the same productions with their sections, and the same directives of comments."""
    theirs = lark_reader.read(source(name), abnf=name.endswith(".abnf"))
    assert theirs.productions
    assert notation.read(source(name), _dialect(name)) == theirs


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("files", STACKS.values(), ids=STACKS)
def test_each_rule_has_the_same_structure(files):
    """The overlays are in place, so that a later file's rule replaces the earlier one's."""
    # The other reader finds the same rules: `test_both_readers_find_the_same_rules_and_sections`.
    different = [rule for rule in load(*files) if _verdict(files, rule) != lark_reader.STRUCTURE]
    assert different == []


def test_every_file_is_part_of_a_specification():
    """The tests above therefore read every file."""
    assert set().union(*STACKS.values()) == set(FILES)


@pytest.mark.parametrize("files", STACKS.values(), ids=STACKS)
def test_both_readers_find_the_same_rules_and_sections(files):
    ours = load(*files)
    theirs = _theirs(files)
    assert {rule: ours.section(rule) for rule in ours} == {rule: theirs.section(rule) for rule in theirs}


def _outcome(reader, refusals):
    try:
        return reader().productions
    except refusals:
        return "refused"


def published_productions(name):
    """Return the productions of a file as an RFC prints them, each with the ruling that corrects it."""
    return re.findall(r";!published (\S+)\n((?:;! [^\n]*\n)+)", source(name))


@pytest.mark.parametrize("name", [name for name in FILES if ";!published" in source(name)])
def test_both_readers_read_what_was_printed_alike(name):
    """A production that a ruling corrects: both readers read it, or both refuse it (R-1738-18)."""
    productions = published_productions(name)
    assert productions != []
    for ruling, lines in productions:
        printed = lines.replace(";! ", "")
        ours = _outcome(lambda text=printed: notation.read(text, _dialect(name)), notation.NotationError)
        theirs = _outcome(lambda text=printed: lark_reader.read(text, abnf=name.endswith(".abnf")), LarkError)
        assert ours == theirs, ruling
        assert (ours == "refused") is (ruling == "R-1738-18"), ruling


def _right_hand_side(random, depth=4):
    """Return a random right-hand side: alternatives of rows, with blanks, folds and comments between."""
    blank = random.choice((" ", "  ", "\t", "\n    ", ' ; a comment | "\n ', "\r\n\t"))
    rows = []
    for _ in range(random.choice((1, 1, 2, 3))):
        row = [_item(random, depth) for _ in range(random.choice((1, 1, 2, 3)))]
        rows.append(blank.join(row))
    return f"{blank}{random.choice('|/')}{blank}".join(rows)


def _item(random, depth):
    low, high = sorted(random.sample(range(12), 2))
    bounds = random.choice(("", "", "*", f"{low}*", f"*{high}", f"{low}*{high}", f"{high}"))
    if depth and random.random() < 0.4:
        opening, closing = random.choice(("()", "[]"))
        return f"{bounds}{opening} {_right_hand_side(random, depth - 1)} {closing}"
    literal = "".join(random.choices("aZ9;|/[]()*= <>%\\'~", k=random.randrange(4)))
    return bounds + random.choice(("alpha", "gopher+_string", f'"{literal}"', '<">', "%x41-5A", "%x7e"))


@pytest.mark.parametrize("abnf", [False, True], ids=["rfc822", "abnf"])
def test_both_readers_read_random_rules_alike(abnf):
    """The rules have shapes that no RFC prints."""
    random = Random(822)
    dialect = notation.ABNF if abnf else notation.RFC822
    for _ in range(400):
        text = f"rule = {_right_hand_side(random)}\nother = rule ; the end\n"
        assert notation.read(text, dialect) == lark_reader.read(text, abnf=abnf), text


TIGHTER = (
    "elements.append(self._repetition())",
    """elements.append(self._repetition())
        while self._kind == "either":
            self._next()
            elements[-1] = Alternation((elements[-1], self._repetition()))""",
)
FLATTER = (
    "elements.append(self._repetition())",
    """element = self._repetition()
        elements += element.elements if isinstance(element, Sequence) else [element]""",
)

#: A piece of the reader, a text in it and what replaces it, files and a rule of them, and what the comparison
#: of this rule says then: the shortest text on which the readings differ, or that the file is refused.
FAULTS = {
    "at-least-read-as-any-number": (
        *("grammar.notation._Reader._repetition", "int(low) if low else 0", "0"),
        *("rfc3986.abnf", "h16", ""),
    ),
    "bounds-swapped": (
        *("grammar.notation._Reader._repetition", "low, star, high = token", "high, star, low = token"),
        *("rfc1738.bnf", "scheme", ""),
    ),
    "exactly-read-as-at-least": (
        *(
            "grammar.notation._Reader._repetition",
            "maximum: int | None = minimum",
            "maximum: int | None = None",
        ),
        *("rfc1738.bnf rfc1738-prose.bnf", "port", "100000"),
    ),
    "upper-bound-off-by-one": (
        *("grammar.notation._Reader._repetition", "int(high) if high", "int(high) - 1 if high"),
        *("rfc2396.bnf rfc2732.bnf", "hex4", "0000"),
    ),
    "alternation-binds-tighter": (
        *("grammar.notation._Reader._sequence", *TIGHTER),
        *("rfc3986.abnf", "dec-octet", "0"),
    ),
    "bar-alone-separates": ("grammar.notation._TOKEN", "[|/]", "[|]", "rfc3986.abnf", "path", "refused"),
    "comment-within-a-literal": (
        *("grammar.notation._Reader.__post_init__", "_tokens(self.text)"),
        "_tokens(re.sub(r';(?!!)[^\\n]*', '', self.text))",
        *("rfc2396.bnf", "segment", "refused"),
    ),
    "case-of-literals-kept": (
        *("grammar.notation._Reader._element", "fold_case=self.dialect.fold_literals", "fold_case=False"),
        *("rfc3986.abnf", "HEXDIG", "a"),
    ),
    "case-of-literals-folded": (
        *("grammar.notation._Reader._element", "fold_case=self.dialect.fold_literals", "fold_case=True"),
        *("rfc1738.bnf", "ftpurl", "FTP://A"),
    ),
    "double-quote-as-single": (
        "grammar.notation._ELEMENTS",
        "'\"'",
        '"\'"',
        "rfc1738.bnf",
        "punctuation",
        "'",
    ),
    "double-quote-as-prose": (
        "grammar.notation._TOKEN",
        '|(?P<quote><">)',
        "",
        "rfc2396.bnf",
        "delims",
        "refused",
    ),
    "brackets-only-group": (
        *("grammar.notation._Reader._element", "else optional(inner)", "else inner"),
        *("rfc2396.bnf", "server", ""),
    ),
    "parentheses-optional": (
        *("grammar.notation._Reader._element", 'token.text == "(" or groups', "groups"),
        *("rfc1808.bnf", "absoluteURL", ""),
    ),
    "brackets-optional-after-repetition": (
        *("grammar.notation._Reader._element", 'token.text == "(" or groups', 'token.text == "("'),
        *("rfc1738.bnf", "scheme", ""),
    ),
    "range-without-its-last": (
        "grammar.notation._range",
        "letters_between(low, high)",
        "letters_between(low, max(low, high - 1))",
        "rfc3986.abnf",
        "DIGIT",
        "9",
    ),
    "range-is-its-first": (
        "grammar.notation._range",
        "if last else low",
        "if not last else low",
        "rfc3986.abnf",
        "DIGIT",
        "1",
    ),
    "nothing-but-structure": (
        *("grammar.notation._Reader._sequence", *FLATTER),
        *("rfc1738.bnf", "ftpurl", lark_reader.LANGUAGE),
    ),
}


#: What the comparison says of each fault, the last cell of its row.
VERDICTS = [verdict for *_, verdict in FAULTS.values()]


#: The number of faults that change a language below which some of the table must have got lost.
LEAST_CHANGES = 12


def test_many_faults_change_a_language():
    changes = [verdict for verdict in VERDICTS if verdict not in ("refused", lark_reader.LANGUAGE)]
    assert len(changes) >= LEAST_CHANGES


def test_a_fault_changes_only_the_structure():
    assert lark_reader.LANGUAGE in VERDICTS


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_reader_is_noticed(name, plant):
    location, before, after, stack, rule, verdict = FAULTS[name]
    files = tuple(stack.split())
    assert _verdict(files, rule) == lark_reader.STRUCTURE
    plant(location, before, after)
    assert _verdict(files, rule) == verdict


def test_a_fault_in_a_directive_is_noticed(plant):
    """Sections are no part of an expression, so the comparison of files notices it."""
    plant("grammar.notation._Reader._directive", "self.section = rest.strip()", "self.section = rest[:3]")
    name = "rfc2396.bnf"
    assert notation.read(source(name), _dialect(name)) != lark_reader.read(source(name), abnf=False)
