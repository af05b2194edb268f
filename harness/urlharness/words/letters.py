"""The letters of mutants, which are finer than those of the automata of the oracle.

An automaton reads each range of characters beyond ASCII as one letter (`urloracle.grammar.alphabet`). A
mistake may concern one end of a range that the ABNF of RFC 3987 prints, or the character just outside it. So
the first and the last character of such a range are letters of their own here, and all others of the range
are read as one letter. A letter is one of the characters that it stands for, so that texts of letters are
texts, too, and characters outside the ranges are letters themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from urlharness.words.members import OUTSIDE
from urloracle.automata.dfa import Automaton
from urloracle.grammar.alphabet import PRIVATE, RANGES, UCS, Range, range_index, spans
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar.grammar import Grammar

#: The ranges that the ABNF prints: those of `ucschar`, then those of `iprivate`.
PRINTED: tuple[Range, ...] = (*spans(UCS), *spans(PRIVATE))


def _printed_range(part: Range) -> Range:
    """Return the printed range that contains a range of the oracle."""
    (printed,) = (whole for whole in PRINTED if whole.first <= part.first <= whole.last)
    return printed


def _letters_of(part: Range) -> str:
    """Return the letters of a range that the oracle reads as one letter."""
    printed = _printed_range(part)
    codes = [part.first]
    if part.first == printed.first:
        codes.append(part.first + 1)
    if part.last == printed.last:
        codes.append(part.last)
    return "".join(map(chr, codes))


#: Maps each letter of the oracle beyond ASCII to its letters here, in order.
_FINER = {chr(part.first): _letters_of(part) for part in RANGES}
#: The first and the last characters of the printed ranges.
_ENDS = frozenset(chr(code) for printed in PRINTED for code in printed)
#: The letters of the ranges, those of inner characters first.
BEYOND = "".join(sorted("".join(_FINER.values()), key=lambda letter: (letter in _ENDS, letter)))
#: Letters of characters in no range: those just outside, and some others.
OUTER = OUTSIDE


@cache
def letter_of(char: str) -> str:
    """Return the letter that stands for a character: itself if it is of ASCII or in no range."""
    index = None if char.isascii() else range_index(ord(char))
    if index is None:
        return char
    part = RANGES[index]
    letters = _FINER[chr(part.first)]
    if char in letters:
        return char
    return letters[1] if part.first == _printed_range(part).first else letters[0]


def letters_of_text(text: str) -> str:
    """Return the letters of a text, one for each character."""
    return text if text.isascii() else "".join(map(letter_of, text))


def letters_in(whole: Range) -> frozenset[str]:
    """Return the letters of the characters of a printed range."""
    return frozenset(letter for letter in BEYOND if whole.first <= ord(letter) <= whole.last)


#: The letters of private characters.
PRIVATE_LETTERS = frozenset[str]().union(*map(letters_in, spans(PRIVATE)))


def finer(letters: frozenset[str]) -> frozenset[str]:
    """Return the letters for a set of letters of the oracle."""
    return frozenset("".join(_FINER.get(letter, letter) for letter in letters))


def with_finer_letters(automaton: Automaton) -> Automaton:
    """Return an automaton of the oracle that reads these letters."""
    if not automaton.reads_beyond_ascii:
        return automaton
    classes = {}
    for letter, kind in automaton.classes.items():
        for finer_letter in _FINER.get(letter, letter):
            classes[finer_letter] = kind
    return replace(automaton, classes=classes)


def finer_grammar(grammar: Grammar) -> Grammar:
    """Return a grammar of the oracle with these letters."""
    rules = {name: _with_letters(expression, finer) for name, expression in grammar.rules.items()}
    return replace(grammar, rules=rules)


def _with_letters(expression: Expression, change: Callable[[frozenset[str]], frozenset[str]]) -> Expression:
    """Return an expression with each set of letters changed."""
    match expression:
        case Characters(members):
            return Characters(change(members))
        case Reference():
            return expression
        case Sequence(elements):
            return Sequence(tuple(_with_letters(element, change) for element in elements))
        case Alternation(elements):
            return Alternation(tuple(_with_letters(element, change) for element in elements))
        case Repetition(element, minimum, maximum):
            return Repetition(_with_letters(element, change), minimum, maximum)
        case Capture(name, element):
            return Capture(name, _with_letters(element, change))


class NoSuchLetters(ValueError):
    """The letters of the oracle cannot express a set of these letters."""


def coarser_expression(expression: Expression) -> Expression:
    """Return an expression with the letters of the oracle. Raise NoSuchLetters if they cannot express it."""
    return _with_letters(expression, _coarser)


def _coarser(members: frozenset[str]) -> frozenset[str]:
    """Return the letters of the oracle for a set of these letters; see `coarser_expression`."""
    letters = frozenset(member for member in members if member.isascii())
    if len(letters) == len(members):
        return members
    letters |= {letter for letter in _FINER if letter in members}
    if finer(letters) != members:
        raise NoSuchLetters
    return letters
